/* Frames whose planes lie in several dmabufs, as some cameras and decoders give
 * them: each is imported, whatever storage is usual. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gst/base/gstvkcfilter.h"
#include "gst/vk/device.h"
#include "tests/elements/dmabuf_frames.h"
#include "tests/support/support.h"

/* The pitch of linear images on software drivers, for one and two bytes. */
#define WIDTH 256
#define HEIGHT 48
#define BUFFERS 3

static const struct
{
  const gchar *element, *in, *out;
  guint tolerance;
} ways[] = {
  { "vkcolorconvert", "video/x-raw,format=NV12", "video/x-raw,format=RGBA",
    0 },
  { "vkcolorconvert", "video/x-raw,format=NV12",
    "video/x-raw,format=RGBA,width=100,height=70", 1 },
  { "vktonemap", "video/x-raw,format=P010_10LE,colorimetry=bt2100-pq",
    "video/x-raw,format=NV12", 0 },
};

struct fixture
{
  GstHarness *harness;
  GstVideoInfo info;
  guint tolerance;
};

/* FALSE: this machine has no dmabufs. */
static gboolean
set_up (struct fixture *f, guint way)
{
  g_autofree gchar *text
      = g_strconcat (ways[way].in, ",width=256,height=48,framerate=25/1", NULL);
  GstCaps *caps = gst_caps_from_string (text);

  test_wrap_install ();
  fail_unless (gst_video_info_from_caps (&f->info, caps));
  f->tolerance = ways[way].tolerance;
  f->harness = gst_harness_new (ways[way].element);
  gst_harness_set_sink_caps_str (f->harness, ways[way].out);
  gst_harness_set_src_caps (f->harness, caps);
  return gst_vkc_filter_get_device (GST_VKC_FILTER (f->harness->element))
      ->can_import_dmabuf;
}

static void
tear_down (struct fixture *f)
{
  gst_harness_teardown (f->harness);
  test_assert_all_gone ();
}

#define NEEDS_DMABUFS(f, way)                                                 \
  if (!set_up (f, way)) {                                                     \
    tear_down (f);                                                            \
    test_skip ("the driver cannot import dmabufs");                           \
  }

static GstBuffer *
plain_frame (const GstVideoInfo *info, guint seed)
{
  GstBuffer *buffer = gst_buffer_new_and_alloc (info->size);
  GstMapInfo map;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (gsize i = 0; i < map.size; i++)
    map.data[i] = (guint8) (i * 7 + i / 256 * 3 + seed * 5);
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

static void
append_part (GstBuffer *buffer, int fd, gsize size)
{
  gst_buffer_append_memory (
      buffer, gst_dmabuf_allocator_alloc (test_dmabuf_allocator (), fd, size));
}

/* The same frame with a dmabuf a plane. */
static GstBuffer *
scattered_frame (const GstVideoInfo *info, guint seed)
{
  GstBuffer *plain = plain_frame (info, seed), *buffer = gst_buffer_new ();
  const gsize ends[] = { GST_VIDEO_INFO_PLANE_OFFSET (info, 1), info->size };
  gsize start = 0;
  GstMapInfo map;

  fail_unless (gst_buffer_map (plain, &map, GST_MAP_READ));
  for (guint i = 0; i < 2; i++) {
    const gsize size = ends[i] - start;
    const int fd = memfd_create ("plane", MFD_CLOEXEC);

    fail_unless (ftruncate (fd, (off_t) (size + 8191) / 4096 * 4096) == 0);
    fail_unless (pwrite (fd, map.data + start, size, 0) == (gssize) size);
    append_part (buffer, fd, size);
    start = ends[i];
  }
  gst_buffer_unmap (plain, &map);
  gst_buffer_unref (plain);
  gst_buffer_add_video_meta_full (
      buffer, 0, GST_VIDEO_INFO_FORMAT (info), WIDTH, HEIGHT, 2,
      ((GstVideoInfo *) info)->offset, ((GstVideoInfo *) info)->stride);
  return buffer;
}

/* Images are scaled through work frames of 16 bits, buffers without. */
static void
assert_result (struct fixture *f, GstBuffer *buffer, GBytes *expected)
{
  g_autoptr (GBytes) seen = test_harness_bytes (f->harness, buffer);
  const guint8 *a = g_bytes_get_data (seen, NULL);
  const guint8 *b = g_bytes_get_data (expected, NULL);

  assert_equals_int (g_bytes_get_size (seen), g_bytes_get_size (expected));
  for (gsize i = 0; i < g_bytes_get_size (seen); i++)
    fail_unless ((guint)ABS (a[i] - b[i]) <= f->tolerance,
                 "byte %" G_GSIZE_FORMAT ": %u, not %u", i, a[i], b[i]);
}

static guint64
count (struct fixture *f, const gchar *name)
{
  return test_harness_stat (f->harness, "recorder", name);
}

/* Loop: ways. Mutation seen to fail this: they are copied. */
GST_START_TEST (planes_in_their_own_dmabufs_are_imported)
{
  GBytes *expected[BUFFERS];
  GstBuffer *frames[BUFFERS];
  guint64 imports, uploads;
  struct fixture f;

  NEEDS_DMABUFS (&f, __i__);
  for (guint i = 0; i < BUFFERS; i++) {
    expected[i] = test_harness_bytes (f.harness, plain_frame (&f.info, i));
    frames[i] = scattered_frame (&f.info, i);
  }
  imports = count (&f, "imports");
  uploads = count (&f, "uploads");
  for (guint i = 0; i < 3 * BUFFERS; i++)
    assert_result (&f, gst_buffer_ref (frames[i % BUFFERS]),
                   expected[i % BUFFERS]);
  assert_equals_uint64 (count (&f, "imports"), imports + BUFFERS);
  assert_equals_uint64 (count (&f, "uploads"), uploads);
  for (guint i = 0; i < BUFFERS; i++) {
    gst_buffer_unref (frames[i]);
    g_bytes_unref (expected[i]);
  }
  tear_down (&f);
}
GST_END_TEST;

/* A stream may go on in other memory, and come back. Mutation seen to fail
 * this: copies in the usual storage. */
GST_START_TEST (other_frames_may_come_in_between)
{
  g_autoptr (GBytes) expected = NULL;
  struct fixture f;

  NEEDS_DMABUFS (&f, 0);
  expected = test_harness_bytes (f.harness, plain_frame (&f.info, 4));
  for (guint i = 0; i < 3; i++) {
    GstBuffer *whole = plain_frame (&f.info, 4);
    GstBuffer *dmabuf
        = test_dmabuf_frame_new (&f.info, 0, test_dmabuf_size (&f.info));
    GstMapInfo map;

    fail_unless (gst_buffer_map (whole, &map, GST_MAP_READ));
    gst_buffer_fill (dmabuf, 0, map.data, map.size);
    gst_buffer_unmap (whole, &map);
    assert_result (&f, scattered_frame (&f.info, 4), expected);
    assert_result (&f, whole, expected);
    assert_result (&f, dmabuf, expected);
  }
  tear_down (&f);
}
GST_END_TEST;

/* Planes in one dmabuf by two descriptors are what they are by one. Mutation
 * seen to fail this: descriptors compared, not inodes. */
GST_START_TEST (two_descriptors_of_one_dmabuf_are_one_frame)
{
  g_autoptr (GBytes) expected = NULL;
  GstBuffer *whole, *buffer = gst_buffer_new ();
  guint64 imports, uploads;
  struct fixture f;
  GstMapInfo map;

  NEEDS_DMABUFS (&f, 0);
  const gsize cut = GST_VIDEO_INFO_PLANE_OFFSET (&f.info, 1);
  const int fd = memfd_create ("frame", MFD_CLOEXEC), other = dup (fd);
  GstMemory *chroma;

  whole = plain_frame (&f.info, 7);
  fail_unless (ftruncate (fd, (off_t) test_dmabuf_size (&f.info)) == 0);
  fail_unless (gst_buffer_map (whole, &map, GST_MAP_READ));
  fail_unless (pwrite (fd, map.data, map.size, 0) == (gssize) map.size);
  gst_buffer_unmap (whole, &map);
  append_part (buffer, fd, cut);
  chroma = gst_dmabuf_allocator_alloc (test_dmabuf_allocator (), other,
                                       f.info.size);
  gst_memory_resize (chroma, (gssize) cut, f.info.size - cut);
  gst_buffer_append_memory (buffer, chroma);
  gst_buffer_add_video_meta_full (buffer, 0, GST_VIDEO_FORMAT_NV12, WIDTH,
                                  HEIGHT, 2, f.info.offset, f.info.stride);
  expected = test_harness_bytes (f.harness, whole);
  imports = count (&f, "imports");
  uploads = count (&f, "uploads");
  test_wrap_reset ();
  assert_result (&f, buffer, expected);
  assert_equals_uint64 (count (&f, "imports"), imports + 1);
  assert_equals_uint64 (count (&f, "uploads"), uploads);
  if (g_strcmp0 (g_getenv ("VKC_MEMORY"), "image") != 0)
    assert_equals_uint64 (test_wrap_count ("vkCreateImage"), 0);
  tear_down (&f);
}
GST_END_TEST;

/* What the driver does not take stays a copy, in the usual storage. */
GST_START_TEST (planes_that_are_refused_are_copied)
{
  g_autoptr (GBytes) expected = NULL;
  struct fixture f;

  NEEDS_DMABUFS (&f, 0);
  expected = test_harness_bytes (f.harness, plain_frame (&f.info, 1));
  test_wrap_fail_from ("vkGetMemoryFdPropertiesKHR", 1,
                       VK_ERROR_INVALID_EXTERNAL_HANDLE);
  for (guint i = 0; i < 3; i++)
    assert_result (&f, scattered_frame (&f.info, 1), expected);
  test_wrap_reset ();
  tear_down (&f);
}
GST_END_TEST;

static Suite *
scattered_suite (void)
{
  Suite *suite = suite_create ("scattered");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (suite, tc);
  tcase_add_loop_test (tc, planes_in_their_own_dmabufs_are_imported, 0,
                       G_N_ELEMENTS (ways));
  tcase_add_test (tc, other_frames_may_come_in_between);
  tcase_add_test (tc, two_descriptors_of_one_dmabuf_are_one_frame);
  tcase_add_test (tc, planes_that_are_refused_are_copied);
  return suite;
}

GST_CHECK_MAIN (scattered);
