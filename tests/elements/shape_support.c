/* Harnesses and frames for the tests of shapes. */
#include "tests/elements/shape_support.h"

#include <string.h>

#include "gst/base/gstvkccaps.h"
#include "gst/base/gstvkccontext.h"
#include "tests/support/support.h"

GstContext *
test_share_device (GstElement **keeper)
{
  GstVkcContext *context = gst_vkc_context_new (NULL);
  GstContext *wrapped = gst_vkc_context_wrap (context);

  test_wrap_install ();
  *keeper = gst_element_factory_make ("vkcolorconvert", NULL);
  gst_object_ref_sink (*keeper);
  gst_element_set_context (*keeper, wrapped);
  fail_unless (gst_element_set_state (*keeper, GST_STATE_PAUSED)
               != GST_STATE_CHANGE_FAILURE);
  gst_object_unref (context);
  return wrapped;
}

void
test_unshare_device (GstContext *wrapped, GstElement *keeper)
{
  gst_element_set_state (keeper, GST_STATE_NULL);
  gst_object_unref (keeper);
  gst_context_unref (wrapped);
}

GstHarness *
test_shape_start_on (GstContext *context, const gchar *line, const gchar *caps,
                     const gchar *peer)
{
  GstElement *element;
  GstHarness *h;

  test_wrap_install ();
  element = gst_parse_bin_from_description (line, TRUE, NULL);
  fail_unless (element != NULL, "%s", line);
  if (context != NULL)
    gst_element_set_context (element, context);
  h = gst_harness_new_with_element (element, "sink", "src");
  gst_object_unref (element);
  if (peer != NULL)
    gst_harness_set_sink_caps_str (h, peer);
  gst_harness_set_src_caps_str (h, caps);
  return h;
}

GstHarness *
test_shape_start (const gchar *line, const gchar *caps, const gchar *peer)
{
  return test_shape_start_on (NULL, line, caps, peer);
}

GstVideoInfo
test_pad_info (GstPad *pad)
{
  GstCaps *caps = gst_pad_get_current_caps (pad);
  GstVideoInfo info;

  fail_unless (caps != NULL && gst_video_info_from_caps (&info, caps));
  gst_caps_unref (caps);
  return info;
}

GstBuffer *
test_pass (GstHarness *h, GstBuffer *in)
{
  GstBuffer *out = gst_harness_push_and_pull (h, in);

  fail_unless (out != NULL);
  return out;
}

static struct plane
plane_new (gint width, gint height)
{
  return (struct plane){ width, height, g_new0 (gdouble, width * height) };
}

static gdouble
code_at (GstVideoFrame *frame, gint c, gint x, gint y)
{
  const guint8 *at = (guint8 *)GST_VIDEO_FRAME_COMP_DATA (frame, c)
                     + y * GST_VIDEO_FRAME_COMP_STRIDE (frame, c)
                     + x * GST_VIDEO_FRAME_COMP_PSTRIDE (frame, c);
  const gint depth = GST_VIDEO_FRAME_COMP_DEPTH (frame, c);

  if (depth == 8)
    return *at;
  /* GStreamer has 1 for Cr of P010. */
  at += GST_VIDEO_FRAME_COMP_POFFSET (frame, c) & 1;
  return GST_READ_UINT16_LE (at) >> frame->info.finfo->shift[c]
         & ((1 << depth) - 1);
}

void
test_read_planes (GstBuffer *buffer, GstVideoInfo *info, struct plane planes[4])
{
  GstVideoFrame frame;

  fail_unless (gst_video_frame_map (&frame, info, buffer, GST_MAP_READ));
  for (guint c = 0; c < GST_VIDEO_INFO_N_COMPONENTS (info); c++) {
    planes[c] = plane_new (GST_VIDEO_FRAME_COMP_WIDTH (&frame, c),
                           GST_VIDEO_FRAME_COMP_HEIGHT (&frame, c));
    for (gint y = 0; y < planes[c].height; y++)
      for (gint x = 0; x < planes[c].width; x++)
        planes[c].at[y * planes[c].width + x] = code_at (&frame, c, x, y);
  }
  gst_video_frame_unmap (&frame);
}

void
test_free_planes (struct plane planes[4])
{
  for (gint c = 0; c < 4; c++)
    g_clear_pointer (&planes[c].at, g_free);
}

void
test_assert_same_planes (GstBuffer *a, GstBuffer *b, GstVideoInfo *info,
                         const gchar *what)
{
  struct plane one[4] = { { 0 } }, other[4] = { { 0 } };

  test_read_planes (a, info, one);
  test_read_planes (b, info, other);
  for (guint c = 0; c < GST_VIDEO_INFO_N_COMPONENTS (info); c++)
    for (gint i = 0; i < one[c].width * one[c].height; i++)
      if (one[c].at[i] != other[c].at[i])
        fail ("%s: component %u, sample %d: %g, not %g", what, c, i,
              other[c].at[i], one[c].at[i]);
  test_free_planes (one);
  test_free_planes (other);
}

GstBuffer *
test_move_rows (GstBuffer *buffer, const GstVideoInfo *info, gint more)
{
  gsize offset[GST_VIDEO_MAX_PLANES];
  gint stride[GST_VIDEO_MAX_PLANES];
  gsize size = 3;
  GstBuffer *moved;
  GstMapInfo from, to;

  for (guint p = 0; p < GST_VIDEO_INFO_N_PLANES (info); p++) {
    offset[p] = size;
    stride[p] = info->stride[p] + more;
    size += (gsize)stride[p] * gst_vkc_plane_rows (info, p);
  }
  moved = gst_buffer_new_allocate (NULL, size, NULL);
  gst_buffer_memset (moved, 0, 0, size);
  gst_buffer_add_video_meta_full (moved, GST_VIDEO_FRAME_FLAG_NONE,
                                  GST_VIDEO_INFO_FORMAT (info), info->width,
                                  info->height, GST_VIDEO_INFO_N_PLANES (info),
                                  offset, stride);
  fail_unless (gst_buffer_map (buffer, &from, GST_MAP_READ)
               && gst_buffer_map (moved, &to, GST_MAP_WRITE));
  for (guint p = 0; p < GST_VIDEO_INFO_N_PLANES (info); p++)
    for (guint y = 0; y < gst_vkc_plane_rows (info, p); y++)
      memcpy (to.data + offset[p] + y * stride[p],
              from.data + info->offset[p] + y * info->stride[p],
              gst_vkc_plane_row_bytes (info, p));
  gst_buffer_unmap (moved, &to);
  gst_buffer_unmap (buffer, &from);
  gst_buffer_unref (buffer);
  return moved;
}

guint64
test_chain_stat (GstHarness *h, const gchar *name)
{
  GstIterator *elements = gst_bin_iterate_elements (GST_BIN (h->element));
  g_autoptr (GstStructure) stats = NULL, recorder = NULL;
  GValue item = G_VALUE_INIT;
  guint64 value = 0;

  fail_unless_equals_int (gst_iterator_next (elements, &item), GST_ITERATOR_OK);
  g_object_get (g_value_get_object (&item), "stats", &stats, NULL);
  fail_unless (
      gst_structure_get (stats, "recorder", GST_TYPE_STRUCTURE, &recorder, NULL)
      && gst_structure_get_uint64 (recorder, name, &value));
  g_value_unset (&item);
  gst_iterator_free (elements);
  return value;
}
