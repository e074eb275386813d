/* Dmabufs that are not what is said of them: each costs its own frame, or is
 * copied, and nothing is read outside of it or left behind. */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gst/base/gstvkcdrm.h"
#include "gst/base/gstvkcfilter.h"
#include "gst/vk/dmabuf.h"
#include "tests/elements/adder.h"
#include "tests/elements/dmabuf_frames.h"
#include "tests/support/support.h"

#define WIDTH  256
#define HEIGHT 48

struct fixture
{
  GstVideoInfo info;
  GstHarness *harness;
  GstBus *bus;
  unsigned descriptors;
};

static void
assert_right (struct fixture *f, GstBuffer *buffer, guint seed)
{
  GstBuffer *out = gst_harness_push_and_pull (f->harness, buffer);

  fail_unless (out != NULL);
  test_frame_assert (out, &f->info, seed, 1);
  gst_buffer_unref (out);
}

static GstBuffer *
good_frame (struct fixture *f, guint seed)
{
  return test_dmabuf_frame_new (&f->info, seed, test_dmabuf_size (&f->info));
}

/* Images that are kept for frames without a pool have descriptors of their own;
 * work that is in flight has some too. */
static void
assert_no_descriptor_left (struct fixture *f)
{
  struct vkc_device *device
      = gst_vkc_filter_get_device (GST_VKC_FILTER (f->harness->element));

  for (guint i = 0; i < 500; i++) {
    vkc_dmabuf_trim (device);
    if (open_descriptors () <= f->descriptors)
      return;
    g_usleep (10000);
  }
  fail ("%u descriptors, %u at the start", open_descriptors (),
        f->descriptors);
}

/* Warm: a good frame has gone through, and is gone. */
static void
set_up (struct fixture *f, GstVideoFormat format)
{
  *f = (struct fixture){ .info = test_info (format, WIDTH, HEIGHT) };
  f->harness = test_adder_harness (&f->info, NULL, FALSE);
  f->bus = gst_bus_new ();
  gst_element_set_bus (f->harness->element, f->bus);
  assert_right (f, good_frame (f, 1), 1);
  vkc_dmabuf_trim (
      gst_vkc_filter_get_device (GST_VKC_FILTER (f->harness->element)));
  f->descriptors = open_descriptors ();
}

/* How many messages of @type the element posted. */
static guint
messages (struct fixture *f, GstMessageType type)
{
  guint n = 0;
  GstMessage *message;

  while ((message = gst_bus_pop_filtered (f->bus, type)) != NULL) {
    n++;
    gst_message_unref (message);
  }
  return n;
}

static void
tear_down (struct fixture *f)
{
  gst_element_set_bus (f->harness->element, NULL);
  gst_object_unref (f->bus);
  gst_harness_teardown (f->harness);
  test_assert_all_gone ();
}

/* The frame is dropped with one warning, the next one is right, and no
 * descriptor is left. */
static void
assert_costs_its_frame (struct fixture *f, GstBuffer *buffer)
{
  fail_unless_equals_int (gst_harness_push (f->harness, buffer), GST_FLOW_OK);
  fail_unless (gst_harness_try_pull (f->harness) == NULL);
  assert_equals_int (messages (f, GST_MESSAGE_WARNING), 1);
  assert_right (f, good_frame (f, 2), 2);
  assert_equals_int (messages (f, GST_MESSAGE_ERROR), 0);
  assert_no_descriptor_left (f);
}

/* Mutation seen to fail this, by SIGBUS: no look at the dmabuf's size before it
 * is copied. */
GST_START_TEST (dmabuf_that_ends_early_costs_its_frame)
{
  struct fixture f;

  set_up (&f, GST_VIDEO_FORMAT_NV12);
  assert_costs_its_frame (&f, test_dmabuf_frame_new (&f.info, 3, 4096));
  tear_down (&f);
}
GST_END_TEST;

GST_START_TEST (plane_behind_the_end_costs_its_frame)
{
  struct fixture f;

  set_up (&f, GST_VIDEO_FORMAT_NV12);
  GstBuffer *buffer = good_frame (&f, 3);

  gst_buffer_get_video_meta (buffer)->offset[1] = 1 << 30;
  assert_costs_its_frame (&f, buffer);
  tear_down (&f);
}
GST_END_TEST;

/* Planes may share bytes, as far as anybody can tell: they are read where they
 * are said to be. */
GST_START_TEST (overlapping_planes_are_read_as_they_are)
{
  struct fixture f;

  set_up (&f, GST_VIDEO_FORMAT_NV12);
  GstBuffer *buffer = good_frame (&f, 3), *out;
  GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  GstVideoFrame video;

  meta->offset[1] = 0;
  meta->stride[1] = meta->stride[0];
  out = gst_harness_push_and_pull (f.harness, buffer);
  fail_unless (out != NULL);
  fail_unless (gst_video_frame_map (&video, &f.info, out, GST_MAP_READ));
  for (guint y = 0; y < HEIGHT / 2; y++)
    fail_unless (
        memcmp ((guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&video, 1)
                    + y * GST_VIDEO_FRAME_PLANE_STRIDE (&video, 1),
                (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&video, 0)
                    + y * GST_VIDEO_FRAME_PLANE_STRIDE (&video, 0),
                WIDTH)
        == 0);
  gst_video_frame_unmap (&video);
  gst_buffer_unref (out);
  tear_down (&f);
}
GST_END_TEST;

/* More dmabufs than a frame has planes: those that no plane is in are let be. */
GST_START_TEST (five_dmabufs_for_two_planes_are_no_trouble)
{
  struct fixture f;

  set_up (&f, GST_VIDEO_FORMAT_NV12);
  GstBuffer *buffer = good_frame (&f, 4);

  for (guint i = 0; i < 4; i++) {
    const int fd = memfd_create ("more", MFD_CLOEXEC);

    fail_unless (ftruncate (fd, 4096) == 0);
    gst_buffer_append_memory (
        buffer, gst_dmabuf_allocator_alloc (test_dmabuf_allocator (), fd,
                                            4096));
  }
  assert_right (&f, buffer, 4);
  assert_no_descriptor_left (&f);
  tear_down (&f);
}
GST_END_TEST;

static const guint plane_counts[] = { 0, 1, 3, 4, 5, G_MAXUINT };

/* Loop: plane_counts. Another number of planes is another format; none is looked
 * up behind the end of the meta. Mutation seen to fail this: no look at the
 * number. */
GST_START_TEST (wrong_number_of_planes_costs_its_frame)
{
  struct fixture f;

  set_up (&f, GST_VIDEO_FORMAT_NV12);
  GstBuffer *buffer = good_frame (&f, 3);

  gst_buffer_get_video_meta (buffer)->n_planes = plane_counts[__i__];
  assert_costs_its_frame (&f, buffer);
  tear_down (&f);
}
GST_END_TEST;

GST_START_TEST (closed_descriptor_costs_its_frame)
{
  struct fixture f;

  set_up (&f, GST_VIDEO_FORMAT_RGBA);
  GstBuffer *buffer = gst_buffer_new ();
  const int fd = memfd_create ("closed", MFD_CLOEXEC);

  gst_buffer_append_memory (
      buffer,
      gst_fd_allocator_alloc (test_dmabuf_allocator (), fd, f.info.size,
                              GST_FD_MEMORY_FLAG_DONT_CLOSE));
  close (fd);
  assert_costs_its_frame (&f, buffer);
  tear_down (&f);
}
GST_END_TEST;

GST_START_TEST (pipe_costs_its_frame)
{
  struct fixture f;
  int ends[2];

  set_up (&f, GST_VIDEO_FORMAT_RGBA);
  GstBuffer *buffer = gst_buffer_new ();

  fail_unless (pipe (ends) == 0);
  close (ends[1]);
  gst_buffer_append_memory (
      buffer, gst_dmabuf_allocator_alloc (test_dmabuf_allocator (), ends[0],
                                          f.info.size));
  assert_costs_its_frame (&f, buffer);
  tear_down (&f);
}
GST_END_TEST;

static int
never_ready (struct pollfd *fds, nfds_t n, int timeout_ms)
{
  return 0;
}

static int
no_ioctl (int fd, unsigned long request, void *argument)
{
  errno = ENOTTY;
  return -1;
}

/* Mutation seen to fail this: a wait that ends as if all were well. */
GST_START_TEST (fence_that_never_signals_is_one_error)
{
  const struct vkc_dmabuf_calls calls
      = { .ioctl = no_ioctl, .poll = never_ready };
  struct fixture f;

  set_up (&f, GST_VIDEO_FORMAT_RGBA);
  if (!gst_vkc_filter_get_device (GST_VKC_FILTER (f.harness->element))
           ->can_import_dmabuf) {
    tear_down (&f);
    test_skip ("the driver cannot import dmabufs");
  }
  vkc_dmabuf_set_calls (&calls);
  for (guint i = 0; i < 2; i++)
    fail_unless_equals_int (gst_harness_push (f.harness, good_frame (&f, 3)),
                            GST_FLOW_ERROR);
  vkc_dmabuf_set_calls (NULL);
  assert_equals_int (messages (&f, GST_MESSAGE_ERROR), 1);
  assert_no_descriptor_left (&f);
  tear_down (&f);
}
GST_END_TEST;

static gboolean
takes_caps (GstHarness *harness, const gchar *text)
{
  g_autoptr (GstCaps) caps = gst_caps_from_string (text);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (harness->element,
                                                       "sink");

  return gst_pad_query_accept_caps (pad, caps);
}

#define DRM_CAPS                                                              \
  "video/x-raw(memory:DMABuf),format=DMA_DRM,width=64,height=32,"             \
  "framerate=25/1,drm-format="

GST_START_TEST (unknown_fourcc_is_refused)
{
  test_wrap_install ();
  GstHarness *harness = gst_harness_new ("vkcolorconvert");

  gst_harness_play (harness);
  fail_if (takes_caps (harness, DRM_CAPS "ZZZZ"));
  fail_if (takes_caps (harness, DRM_CAPS "NV12:0xzz"));
  fail_if (takes_caps (harness,
                       "video/x-raw(memory:DMABuf),format=DMA_DRM,width=64,"
                       "height=32,framerate=25/1"));
  assert_equals_int (takes_caps (harness, DRM_CAPS "NV12"),
                     gst_vkc_drm_is_known ());
  gst_harness_teardown (harness);
}
GST_END_TEST;

static Suite *
hostile_suite (void)
{
  Suite *suite = suite_create ("hostile");
  TCase *tc = tcase_create ("general");

  test_adder_register ();
  suite_add_tcase (suite, tc);
  tcase_add_test (tc, dmabuf_that_ends_early_costs_its_frame);
  tcase_add_test (tc, plane_behind_the_end_costs_its_frame);
  tcase_add_test (tc, overlapping_planes_are_read_as_they_are);
  tcase_add_test (tc, five_dmabufs_for_two_planes_are_no_trouble);
  tcase_add_loop_test (tc, wrong_number_of_planes_costs_its_frame, 0,
                       G_N_ELEMENTS (plane_counts));
  tcase_add_test (tc, closed_descriptor_costs_its_frame);
  tcase_add_test (tc, pipe_costs_its_frame);
  tcase_add_test (tc, fence_that_never_signals_is_one_error);
  tcase_add_test (tc, unknown_fourcc_is_refused);
  return suite;
}

GST_CHECK_MAIN (hostile);
