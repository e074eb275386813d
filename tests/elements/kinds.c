/* vkcolorconvert: the same bytes from both kinds of storage. A process has one
 * kind, so that each makes its frame in a child. */
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gst/base/gstvkccaps.h"
#include "tests/elements/frames.h"
#include "tests/elements/shape_support.h"
#include "tests/support/support.h"

#define MOST_BYTES (1 << 20)

#define YUV ",colorimetry=bt709,chroma-site=mpeg2"
#define RGB_ ",colorimetry=sRGB"
#define SQUARE ",pixel-aspect-ratio=1/1"

/* The element's properties, caps and the peer's. */
static const struct
{
  const gchar *line, *caps, *peer;
} rows[] = {
  /* Ratios of small numbers, all filters. */
  { "scaling-method=nearest", "format=NV12,width=192,height=108" YUV,
    "format=NV12,width=128,height=72" },
  { "scaling-method=bicubic", "format=NV12,width=384,height=108" YUV,
    "format=NV12,width=256,height=72" },
  { "scaling-method=lanczos", "format=NV12,width=192,height=108" YUV,
    "format=NV12,width=128,height=72" },
  { "scaling-method=area", "format=NV12,width=192,height=108" YUV,
    "format=NV12,width=64,height=36" },
  { "scaling-method=bicubic", "format=NV12,width=128,height=72" YUV,
    "format=NV12,width=192,height=108" },
  { "scaling-method=bilinear", "format=P010_10LE,width=192,height=108" YUV,
    "format=P010_10LE,width=128,height=72" },
  { "", "format=RGBA,width=96,height=48" RGB_,
    "format=BGRA,width=64,height=32" },
  { "", "format=RGBx,width=64,height=48" RGB_,
    "format=xBGR,width=128,height=96" },
  /* Any ratio, all filters. */
  { "scaling-method=nearest", "format=I420,width=101,height=67" YUV,
    "format=NV12,width=67,height=91" },
  { "scaling-method=bilinear", "format=NV12,width=101,height=67" YUV,
    "format=I420,width=67,height=91" },
  { "scaling-method=bicubic", "format=I420_10LE,width=101,height=67" YUV,
    "format=P010_10LE,width=67,height=41" },
  { "scaling-method=mitchell", "format=NV16,width=80,height=61" YUV,
    "format=NV24,width=123,height=40" },
  { "scaling-method=lanczos", "format=Y444_16LE,width=101,height=67" YUV,
    "format=Y444_16LE,width=43,height=101" },
  { "scaling-method=lanczos", "format=GRAY16_LE,width=101,height=67",
    "format=GRAY16_LE,width=160,height=31" },
  { "", "format=GRAY8,width=1,height=1", "format=GRAY8,width=9,height=5" },
  { "dither=none", "format=P010_10LE,width=100,height=60" YUV,
    "format=NV12,width=64,height=36" },
  { "scaling-method=nearest", "format=NV12,width=1200,height=16" YUV,
    "format=NV12,width=20,height=16" },
  { "scaling-method=lanczos", "format=NV12,width=640,height=300" YUV,
    "format=NV12,width=40,height=20" },
  /* Packed. */
  { "", "format=RGB16,width=90,height=50" RGB_,
    "format=RGB16,width=60,height=77" },
  { "", "format=BGR10A2_LE,width=90,height=50" RGB_,
    "format=BGR10A2_LE,width=61,height=77" },
  { "scaling-method=lanczos", "format=RGBA64_LE,width=90,height=50" RGB_,
    "format=BGRA64_LE,width=61,height=77" },
  { "", "format=RGB,width=90,height=50" RGB_,
    "format=RGBx,width=61,height=77" },
  { "", "format=xRGB,width=90,height=50" RGB_, "format=BGR,width=60,height=77" },
  { "", "format=YUY2,width=90,height=50" YUV, "format=UYVY,width=61,height=77" },
  { "", "format=v210,width=96,height=50" YUV, "format=v210,width=66,height=77" },
  /* Alpha in a plane of its own; groups of planes of several orders. */
  { "", "format=A420,width=90,height=50" YUV, "format=A420,width=61,height=33" },
  { "", "format=GBRA,width=90,height=50" RGB_,
    "format=RGBA,width=61,height=77" },
  /* Other colours as well. */
  { "", "format=NV12,width=192,height=108" YUV,
    "format=RGBA,width=128,height=72" },
  { "", "format=RGBA,width=90,height=50" RGB_,
    "format=NV12,width=61,height=33" YUV },
  { "", "format=P010_10LE,width=90,height=50" YUV,
    "format=RGBA64_LE,width=61,height=77" RGB_ },
  /* Borders, turns, light, fields. */
  { "border-color=0xff336699", "format=NV12,width=100,height=60" SQUARE YUV,
    "format=NV12,width=90,height=90" SQUARE },
  { "border-color=0x80336699", "format=RGBA,width=100,height=60" SQUARE RGB_,
    "format=RGBA,width=151,height=70" SQUARE },
  { "video-direction=180", "format=NV12,width=100,height=60" YUV,
    "format=NV12,width=67,height=91" },
  { "video-direction=horiz", "format=RGBA,width=100,height=60" RGB_,
    "format=RGBA,width=67,height=91" },
  { "video-direction=90r", "format=NV12,width=100,height=60" YUV,
    "format=NV12,width=67,height=91" },
  { "linear-light=true", "format=NV12,width=192,height=108" YUV,
    "format=NV12,width=128,height=72" },
  { "", "format=NV12,width=96,height=64,interlace-mode=interleaved" YUV,
    "format=NV12,width=64,height=40" },
  { "", "format=I420_10LE,width=96,height=64,interlace-mode=interleaved" YUV,
    "format=P010_10LE,width=70,height=32" },
};

static GstHarness *
start (guint row)
{
  g_autofree gchar *line
      = g_strdup_printf ("vkcolorconvert %s %s",
                         strstr (rows[row].caps, SQUARE) == NULL
                             ? "add-borders=false"
                             : "",
                         rows[row].line);
  g_autofree gchar *caps
      = g_strdup_printf ("video/x-raw,framerate=25/1,%s", rows[row].caps);
  g_autofree gchar *peer = g_strdup_printf ("video/x-raw,%s", rows[row].peer);

  return test_shape_start (line, caps, peer);
}

/* What shows of @buffer; the bytes. */
static gsize
copy_visible (GstBuffer *buffer, GstVideoInfo *info, guint8 *to)
{
  GstVideoFrame frame;
  gsize n = 0;

  fail_unless (gst_video_frame_map (&frame, info, buffer, GST_MAP_READ));
  for (guint p = 0; p < GST_VIDEO_INFO_N_PLANES (info); p++) {
    const gsize size = gst_vkc_plane_row_bytes (info, p);

    for (guint y = 0; y < gst_vkc_plane_rows (info, p); y++) {
      fail_unless (n + size <= MOST_BYTES);
      memcpy (to + n,
              (guint8 *)GST_VIDEO_FRAME_PLANE_DATA (&frame, p)
                  + y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, p),
              size);
      n += size;
    }
  }
  gst_video_frame_unmap (&frame);
  return n;
}

/* One that shows a part of a larger one where @crop. */
static GstBuffer *
make_frame (const GstVideoInfo *info, gboolean crop)
{
  GstVideoInfo whole;
  GstVideoCropMeta *meta;
  GstBuffer *buffer;

  if (!crop)
    return test_frame_new (info, 3);
  whole = test_info (GST_VIDEO_INFO_FORMAT (info), info->width + 22,
                     info->height + 10);
  buffer = test_frame_new (&whole, 3);
  gst_buffer_add_video_meta_full (
      buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_INFO_FORMAT (info),
      whole.width, whole.height, GST_VIDEO_INFO_N_PLANES (info), whole.offset,
      whole.stride);
  meta = gst_buffer_add_video_crop_meta (buffer);
  meta->x = 14;
  meta->y = 6;
  meta->width = info->width;
  meta->height = info->height;
  return buffer;
}

/* Size and bytes of what @row makes. */
struct result
{
  gsize n;
  guint8 bytes[MOST_BYTES];
};

static void
run (guint row, gboolean crop, struct result *result)
{
  GstHarness *h = start (row);
  GstVideoInfo in = test_pad_info (h->srcpad), out;
  GstBuffer *buffer = test_pass (h, make_frame (&in, crop));

  out = test_pad_info (h->sinkpad);
  result->n = copy_visible (buffer, &out, result->bytes);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
}

static struct result *
run_in (const gchar *kind, guint row, gboolean crop)
{
  struct result *result
      = mmap (NULL, sizeof *result, PROT_READ | PROT_WRITE,
              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  gint status;
  pid_t child;

  fail_unless (result != MAP_FAILED);
  child = fork ();
  if (child == 0) {
    g_setenv ("VKC_MEMORY", kind, TRUE);
    run (row, crop, result);
    _exit (0);
  }
  fail_unless (child > 0 && waitpid (child, &status, 0) == child);
  fail_unless (status == 0 && result->n > 0, "%s: child ended with %#x", kind,
               status);
  return result;
}

static void
assert_same (guint row, gboolean crop)
{
  struct result *a = run_in ("buffer", row, crop);
  struct result *b = run_in ("image", row, crop);
  gsize others = 0, at = 0;

  assert_equals_uint64 (a->n, b->n);
  for (gsize i = 0; i < a->n; i++) {
    if (a->bytes[i] == b->bytes[i])
      continue;
    if (others++ == 0)
      at = i;
  }
  fail_unless (others == 0,
               "%s: %s to %s: %" G_GSIZE_FORMAT " bytes of %" G_GSIZE_FORMAT
               " differ, %" G_GSIZE_FORMAT " is %d and %d",
               rows[row].line, rows[row].caps, rows[row].peer, others, a->n,
               at, a->bytes[at], b->bytes[at]);
  munmap (a, sizeof *a);
  munmap (b, sizeof *b);
}

GST_START_TEST (both_kinds_make_the_same_bytes)
{
  assert_same (__i__, FALSE);
}
GST_END_TEST;

/* Of some of them. */
GST_START_TEST (both_kinds_make_the_same_of_a_crop)
{
  assert_same (__i__ * 6, TRUE);
}
GST_END_TEST;

static Suite *
kinds_suite (void)
{
  Suite *suite = suite_create ("kinds");
  TCase *cases = tcase_create ("elements");

  suite_add_tcase (suite, cases);
  tcase_set_timeout (cases, 240);
  tcase_add_loop_test (cases, both_kinds_make_the_same_bytes, 0,
                       G_N_ELEMENTS (rows));
  tcase_add_loop_test (cases, both_kinds_make_the_same_of_a_crop, 0,
                       G_N_ELEMENTS (rows) / 6);
  return suite;
}

GST_CHECK_MAIN (kinds);
