/* Frames between pages that nobody may touch: kernels of software devices read
 * the pages of an application's frame in place, by address where no light is
 * computed, and only they keep to them.
 * Seen to fail: reads that end 64 words behind the frame (planes_buffer.glsl). */
#include <sys/mman.h>
#include <unistd.h>

#include "tests/elements/shape_support.h"
#include "tests/support/support.h"

#define SIZES 4

static const struct
{
  gint width, height;
} sizes[SIZES] = { { 1, 1 }, { 33, 7 }, { 321, 241 }, { 520, 18 } };

/* Blocks of 8, 12, 16 and 24 pixels, integers and floats, along rows and down
 * them, with light; a measurement; rows and columns that are filtered. */
static const struct
{
  const gchar *line, *in, *out;
} rows[] = {
  { "vkcolorconvert", "RGBA", "BGRA" },
  { "vkcolorconvert", "NV12", "RGBA" },
  { "vkcolorconvert", "I420", "NV12" },
  { "vkcolorconvert", "RGB", "BGR" },
  { "vkcolorconvert", "RGBA", "Y444" },
  { "vkcolorconvert", "YUY2", "I420" },
  { "vkcolorconvert", "Y41B", "Y42B" },
  { "vkcolorconvert", "v210", "I420" },
  { "vkcolorconvert", "P010_10LE", "RGBA64_LE" },
  { "vktonemap", "P010_10LE,colorimetry=bt2100-pq", "NV12" },
  { "vktonemap peak-detection=on", "I420_10LE,colorimetry=bt2100-pq", "I420" },
  { "vkcolorconvert ! video/x-raw,width=40,height=30", "NV12", "NV12" },
  { "vkcolorconvert ! video/x-raw,width=900,height=50", "RGBA", "RGBA" },
};

struct guarded
{
  guint8 *pages;
  gsize size; /* bytes, with a page on either side */
};

static void
free_guarded (gpointer data)
{
  struct guarded *guarded = data;

  munmap (guarded->pages, guarded->size);
  g_free (guarded);
}

/* A frame of @size bytes right behind a page that nobody may touch, or right
 * before one. */
static GstBuffer *
new_guarded (gsize size, gboolean before)
{
  const gsize page = (gsize)sysconf (_SC_PAGESIZE);
  const gsize inside = (size + page - 1) / page * page;
  struct guarded *guarded = g_new (struct guarded, 1);
  guint8 *frame;

  guarded->size = inside + 2 * page;
  guarded->pages = mmap (NULL, guarded->size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  fail_unless (guarded->pages != MAP_FAILED);
  fail_unless (mprotect (guarded->pages, page, PROT_NONE) == 0);
  fail_unless (mprotect (guarded->pages + page + inside, page, PROT_NONE) == 0);
  frame = guarded->pages + page + (before ? inside - size : 0);
  for (gsize i = 0; i < size; i++)
    frame[i] = (guint8)(i * 7 + i / 251);
  return gst_buffer_new_wrapped_full (0, frame, size, 0, size, guarded,
                                      free_guarded);
}

/* Loop: rows, and in each the sizes. */
GST_START_TEST (kernels_keep_to_frames)
{
  const guint row = (guint)__i__ / SIZES, size = (guint)__i__ % SIZES;
  g_autofree gchar *caps = g_strdup_printf (
      "video/x-raw,width=%d,height=%d,framerate=25/1,format=%s",
      sizes[size].width, sizes[size].height, rows[row].in);
  g_autofree gchar *peer
      = g_strdup_printf ("video/x-raw,format=%s", rows[row].out);
  GstHarness *h = test_shape_start (rows[row].line, caps, peer);
  GstBuffer *out[2];
  GstVideoInfo in, info;

  in = test_pad_info (h->srcpad);
  for (guint i = 0; i < 2; i++) {
    out[i] = test_pass (h, new_guarded (in.size, i == 1));
    fail_unless (out[i] != NULL);
  }
  info = test_pad_info (h->sinkpad);
  test_assert_same_planes (out[0], out[1], &info, rows[row].line);
  gst_buffer_unref (out[0]);
  gst_buffer_unref (out[1]);
  gst_harness_teardown (h);
}
GST_END_TEST;

static Suite *
guarded_suite (void)
{
  Suite *suite = suite_create ("guarded");
  TCase *cases = tcase_create ("pages");

  suite_add_tcase (suite, cases);
  tcase_set_timeout (cases, 120);
  tcase_add_loop_test (cases, kernels_keep_to_frames, 0,
                       SIZES * G_N_ELEMENTS (rows));
  return suite;
}

GST_CHECK_MAIN (guarded);
