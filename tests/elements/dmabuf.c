/* Frames in dmabufs: what comes in, what it costs, what is refused. A memfd that
 * GstDmaBufAllocator wraps is a dmabuf to software drivers. */
#include <sys/mman.h>
#include <unistd.h>

#include "gst/base/gstvkcdrm.h"
#include "gst/base/gstvkcfilter.h"
#include "gst/vk/device.h"
#include "tests/elements/adder.h"
#include "tests/elements/dmabuf_frames.h"
#include "tests/elements/frames.h"
#include "tests/support/support.h"

/* The pitch of linear images on software drivers. */
#define WIDTH 256
#define HEIGHT 48

static void
assert_right (GstHarness *harness, GstBuffer *buffer, const GstVideoInfo *info,
              guint seed)
{
  GstBuffer *out = gst_harness_push_and_pull (harness, buffer);

  fail_unless (out != NULL);
  test_frame_assert (out, info, seed, 1);
  gst_buffer_unref (out);
}

static gboolean
can_import (GstHarness *harness)
{
  return gst_vkc_filter_get_device (GST_VKC_FILTER (harness->element))
      ->can_import_dmabuf;
}

static const GstVideoFormat formats[]
    = { GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_RGBA,
        GST_VIDEO_FORMAT_GRAY8 };

/* Loop: formats. Plain caps, as v4l2src has them. */
GST_START_TEST (dmabufs_are_read_in_place)
{
  GstVideoInfo info = test_info (formats[__i__], WIDTH, HEIGHT);
  GstHarness *harness = test_adder_harness (&info, NULL, FALSE);
  GstBuffer *frames[3];

  if (!can_import (harness)) {
    gst_harness_teardown (harness);
    test_skip ("the driver cannot import dmabufs");
  }
  for (guint i = 0; i < 3; i++)
    frames[i] = test_dmabuf_frame_new (&info, i, test_dmabuf_size (&info));
  for (guint i = 0; i < 9; i++)
    assert_right (harness, gst_buffer_ref (frames[i % 3]), &info, i % 3);
  assert_equals_uint64 (test_harness_stat (harness, "recorder", "imports"), 3);
  assert_equals_uint64 (test_harness_stat (harness, "recorder", "import-hits"),
                        6);
  assert_equals_uint64 (test_harness_stat (harness, "recorder", "uploads"), 0);
  for (guint i = 0; i < 3; i++)
    gst_buffer_unref (frames[i]);
  gst_harness_teardown (harness);
}
GST_END_TEST;

/* Legacy caps with the feature. */
GST_START_TEST (caps_with_the_feature_are_taken)
{
  GstVideoInfo info = test_info (GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT);
  GstHarness *harness = test_adder_harness (&info, NULL, FALSE);
  GstCaps *caps = gst_video_info_to_caps (&info);

  gst_caps_set_features_simple (
      caps, gst_caps_features_new (GST_VKC_FEATURE_DMABUF, NULL));
  gst_harness_set_src_caps (harness, caps);
  assert_right (harness, test_dmabuf_frame_new (&info, 3, test_dmabuf_size (&info)), &info, 3);
  gst_harness_teardown (harness);
}
GST_END_TEST;

/* Other strides than the driver's: whatever way is taken, the picture is
 * right. */
GST_START_TEST (odd_sizes_are_right)
{
  static const guint sizes[][2] = { { 66, 50 }, { 33, 17 }, { 321, 241 } };
  GstVkcContext *context = gst_vkc_context_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    GstVideoInfo info = test_info (formats[__i__], sizes[i][0], sizes[i][1]);
    GstHarness *harness = test_adder_harness (&info, context, FALSE);

    assert_right (harness, test_dmabuf_frame_new (&info, i, test_dmabuf_size (&info)), &info, i);
    gst_harness_teardown (harness);
  }
  gst_object_unref (context);
}
GST_END_TEST;

/* Decoders pad pictures to whole blocks, and start planes at pages. Mutation
 * seen to fail this: planes taken to follow each other. */
GST_START_TEST (chroma_may_start_anywhere)
{
  static const gsize starts[] = { WIDTH * 64, 4096 * 5, 4096 * 9 };
  GstVkcContext *context = gst_vkc_context_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (starts); i++) {
    GstVideoInfo plain = test_info (GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT);
    GstVideoInfo info = plain;
    GstHarness *harness = test_adder_harness (&plain, context, FALSE);

    info.offset[1] = starts[i];
    info.size = starts[i] + WIDTH * HEIGHT / 2;
    assert_right (harness,
                  test_dmabuf_frame_new (&info, i, test_dmabuf_size (&info)),
                  &plain, i);
    if (can_import (harness))
      assert_equals_uint64 (test_harness_stat (harness, "recorder", "uploads"),
                            0);
    gst_harness_teardown (harness);
  }
  gst_object_unref (context);
}
GST_END_TEST;

/* A pool of dmabufs, as decoders and cameras have one. */
#define TEST_TYPE_POOL (test_pool_get_type ())
G_DECLARE_FINAL_TYPE (TestPool, test_pool, TEST, POOL, GstBufferPool)

struct _TestPool
{
  GstBufferPool parent;

  GstVideoInfo info;
};

G_DEFINE_FINAL_TYPE (TestPool, test_pool, GST_TYPE_BUFFER_POOL)

static GstFlowReturn
test_pool_alloc_buffer (GstBufferPool *pool, GstBuffer **buffer,
                        GstBufferPoolAcquireParams *params)
{
  const GstVideoInfo *info = &TEST_POOL (pool)->info;

  *buffer = test_dmabuf_frame_new (info, 5, test_dmabuf_size (info));
  return GST_FLOW_OK;
}

static void
test_pool_class_init (TestPoolClass *klass)
{
  GST_BUFFER_POOL_CLASS (klass)->alloc_buffer = test_pool_alloc_buffer;
}

static void
test_pool_init (TestPool *self)
{
}

static GstBufferPool *
start_pool (const GstVideoInfo *info)
{
  GstBufferPool *pool = g_object_new (TEST_TYPE_POOL, NULL);
  GstStructure *config = gst_buffer_pool_get_config (pool);

  TEST_POOL (pool)->info = *info;
  gst_buffer_pool_config_set_params (config, NULL, info->size, 4, 4);
  fail_unless (gst_buffer_pool_set_config (pool, config));
  fail_unless (gst_buffer_pool_set_active (pool, TRUE));
  return pool;
}

/* The images of a pool are there for as long as its memories, whatever else
 * comes and goes, and no longer. Mutation seen to fail this: images of pools
 * kept for later as well. */
GST_START_TEST (images_of_a_pool_go_with_it)
{
  GstVideoInfo info = test_info (GST_VIDEO_FORMAT_RGBA, WIDTH, HEIGHT);
  GstHarness *harness = test_adder_harness (&info, NULL, FALSE);
  GstBufferPool *pool = start_pool (&info);
  gint64 memories;

  if (!can_import (harness)) {
    gst_object_unref (pool);
    gst_harness_teardown (harness);
    test_skip ("the driver cannot import dmabufs");
  }
  for (guint i = 0; i < 40; i++) {
    GstBuffer *buffer;

    fail_unless_equals_int (
        gst_buffer_pool_acquire_buffer (pool, &buffer, NULL), GST_FLOW_OK);
    assert_right (harness, buffer, &info, 5);
  }
  assert_equals_uint64 (test_harness_stat (harness, "recorder", "imports"), 4);
  assert_equals_uint64 (test_harness_stat (harness, "recorder", "import-hits"),
                        36);
  memories = test_wrap_live ("Memory");
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
  /* What is in flight ends on another thread. */
  for (guint i = 0; i < 500 && test_wrap_live ("Memory") > memories - 4; i++)
    g_usleep (10000);
  assert_equals_int64 (test_wrap_live ("Memory"), memories - 4);
  gst_harness_teardown (harness);
  test_assert_all_gone ();
}
GST_END_TEST;

/* The last descriptor of a frame is ours to close, and no other. */
GST_START_TEST (imports_go_with_their_memory)
{
  GstVideoInfo info = test_info (GST_VIDEO_FORMAT_RGBA, WIDTH, HEIGHT);
  GstHarness *harness = test_adder_harness (&info, NULL, FALSE);

  for (guint i = 0; i < 40; i++)
    assert_right (harness, test_dmabuf_frame_new (&info, i, test_dmabuf_size (&info)), &info, i);
  gst_harness_teardown (harness);
  test_assert_all_gone ();
}
GST_END_TEST;

GST_START_TEST (fourccs_are_those_of_drm)
{
  static const gchar *const pairs[][2] = {
    { "BGRA", "AR24" },      { "BGRx", "XR24" },       { "RGBA", "AB24" },
    { "RGBx", "XB24" },      { "NV12", "NV12" },       { "I420", "YU12" },
    { "P010_10LE", "P010" }, { "RGB10A2_LE", "AB30" }, { "GRAY8", "R8  " },
  };
  guint64 modifier;

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++) {
    assert_equals_string (gst_vkc_drm_from_format (pairs[i][0]), pairs[i][1]);
    assert_equals_string (gst_vkc_drm_to_format (pairs[i][1], &modifier),
                          pairs[i][0]);
  }
  assert_equals_string (
      gst_vkc_drm_to_format ("NV12:0x0100000000000002", &modifier), "NV12");
  fail_unless (modifier == G_GUINT64_CONSTANT (0x0100000000000002));
  fail_unless (gst_vkc_drm_to_format ("ZZZZ", &modifier) == NULL);
  fail_unless (gst_vkc_drm_to_format ("NV12:", &modifier) == NULL);
  fail_unless (gst_vkc_drm_to_format ("NV12:0xyz", &modifier) == NULL);
  fail_unless (gst_vkc_drm_to_format ("", &modifier) == NULL);
}
GST_END_TEST;

/* Caps of 1.24, whatever runs here: never gst_video_info_from_caps(). */
GST_START_TEST (drm_caps_are_read)
{
  g_autoptr (GstCaps) caps = gst_caps_from_string (
      "video/x-raw(memory:DMABuf),format=DMA_DRM,drm-format=NV12,width=64,"
      "height=32,framerate=30/1");
  GstVideoInfo info;
  guint64 modifier = 1;

  fail_unless (gst_vkc_video_info_from_caps (&info, caps, &modifier));
  fail_unless_equals_int (GST_VIDEO_INFO_FORMAT (&info),
                          GST_VIDEO_FORMAT_NV12);
  assert_equals_int (GST_VIDEO_INFO_WIDTH (&info), 64);
  fail_unless (modifier == 0);
  gst_caps_set_simple (caps, "drm-format", G_TYPE_STRING, "ABCD", NULL);
  fail_if (gst_vkc_video_info_from_caps (&info, caps, NULL));
}
GST_END_TEST;

static Suite *
dmabuf_suite (void)
{
  Suite *suite = suite_create ("dmabuf");
  TCase *tc = tcase_create ("general");

  test_adder_register ();
  suite_add_tcase (suite, tc);
  tcase_add_loop_test (tc, dmabufs_are_read_in_place, 0,
                       G_N_ELEMENTS (formats));
  tcase_add_test (tc, caps_with_the_feature_are_taken);
  tcase_add_loop_test (tc, odd_sizes_are_right, 0, G_N_ELEMENTS (formats));
  tcase_add_test (tc, chroma_may_start_anywhere);
  tcase_add_test (tc, images_of_a_pool_go_with_it);
  tcase_add_test (tc, imports_go_with_their_memory);
  tcase_add_test (tc, fourccs_are_those_of_drm);
  tcase_add_test (tc, drm_caps_are_read);
  return suite;
}

GST_CHECK_MAIN (dmabuf);
