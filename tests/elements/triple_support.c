/* One colour in, one colour out. */
#include "tests/elements/triple_support.h"

#include <gst/video/video.h>

#include "tests/elements/shape_support.h"
#include "tests/support/support.h"

static void
each_sample (GstBuffer *buffer, GstVideoInfo *info, GstMapFlags flags,
             guint codes[3])
{
  GstVideoFrame frame;

  fail_unless (gst_video_frame_map (&frame, info, buffer, flags));
  for (guint c = 0; c < 3; c++) {
    const gint shift = info->finfo->shift[c];
    const gboolean is_byte = GST_VIDEO_FRAME_COMP_DEPTH (&frame, c) == 8;

    for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&frame, c); y++)
      for (gint x = 0; x < GST_VIDEO_FRAME_COMP_WIDTH (&frame, c); x++) {
        guint8 *at = (guint8 *)GST_VIDEO_FRAME_COMP_DATA (&frame, c)
                     + y * GST_VIDEO_FRAME_COMP_STRIDE (&frame, c)
                     + x * GST_VIDEO_FRAME_COMP_PSTRIDE (&frame, c);

        if (flags == GST_MAP_READ)
          codes[c] = is_byte ? *at : GST_READ_UINT16_LE (at) >> shift;
        else if (is_byte)
          *at = codes[c];
        else
          GST_WRITE_UINT16_LE (at, codes[c] << shift);
      }
  }
  gst_video_frame_unmap (&frame);
}

void
test_pass_colour (GstHarness *h, const guint codes[3], guint found[3])
{
  GstVideoInfo info = test_pad_info (h->srcpad);
  GstBuffer *buffer = gst_buffer_new_and_alloc (info.size);
  guint copy[3] = { codes[0], codes[1], codes[2] };

  gst_buffer_memset (buffer, 0, 0, info.size);
  each_sample (buffer, &info, GST_MAP_WRITE, copy);
  buffer = test_pass (h, buffer);
  info = test_pad_info (h->sinkpad);
  each_sample (buffer, &info, GST_MAP_READ, found);
  gst_buffer_unref (buffer);
}

void
test_triple (GstContext *context, const gchar *line, const gchar *in,
             const guint codes[3], const gchar *out, guint found[3])
{
  GstHarness *h = test_shape_start_on (context, line, in, out);

  test_pass_colour (h, codes, found);
  gst_harness_teardown (h);
}

static gboolean
is_same_stream (const struct triple *a, const struct triple *b)
{
  return g_str_equal (a->line, b->line) && g_str_equal (a->in, b->in)
         && g_str_equal (a->out, b->out);
}

void
test_triples (const struct triple *triples, gsize n)
{
  GstElement *keeper;
  GstContext *context = test_share_device (&keeper);
  GstHarness *h = NULL;

  for (gsize i = 0; i < n; i++) {
    const struct triple *t = &triples[i];
    guint found[3];

    if (h == NULL)
      h = test_shape_start_on (context, t->line, t->in, t->out);
    test_pass_colour (h, t->codes, found);
    for (guint c = 0; c < 3; c++)
      fail_unless (found[c] + t->tolerance >= t->expected[c]
                       && found[c] <= t->expected[c] + t->tolerance,
                   "%s, %s: (%u, %u, %u) is (%u, %u, %u), not (%u, %u, %u)",
                   t->line, t->in, t->codes[0], t->codes[1], t->codes[2],
                   found[0], found[1], found[2], t->expected[0], t->expected[1],
                   t->expected[2]);
    if (i + 1 == n || !is_same_stream (t, t + 1))
      g_clear_pointer (&h, gst_harness_teardown);
  }
  test_unshare_device (context, keeper);
}
