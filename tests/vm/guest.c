/* Runs in the machine that tests/vm/vmrig boots: real dmabufs, a camera, fences
 * that are held on purpose. */
#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <linux/sync_file.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <gst/video/video.h>

#include "gst/vk/dmabuf.h"
#include "tests/gpu/dmabufs.h"

/* DRM by hand: a few requests of vgem's. */
struct drm_version
{
  int major, minor, patch;
  size_t name_length;
  char *name;
  size_t date_length;
  char *date;
  size_t description_length;
  char *description;
};
struct drm_dumb
{
  guint32 height, width, bits, flags, handle, pitch;
  guint64 size;
};
struct drm_prime
{
  guint32 handle, flags;
  gint32 fd;
};
struct vgem_attach
{
  guint32 handle, flags, fence, pad;
};
struct vgem_signal
{
  guint32 fence, flags;
};
#define DRM_VERSION _IOWR ('d', 0x00, struct drm_version)
#define DRM_DUMB _IOWR ('d', 0xB2, struct drm_dumb)
#define DRM_TO_FD _IOWR ('d', 0x2d, struct drm_prime)
#define VGEM_ATTACH _IOWR ('d', 0x41, struct vgem_attach)
#define VGEM_SIGNAL _IOW ('d', 0x42, struct vgem_signal)

/* Newer than Debian 12's headers. */
struct sync_file_request
{
  guint32 flags;
  gint32 fd;
};
#define EXPORT_SYNC_FILE _IOWR ('b', 2, struct sync_file_request)
#define IMPORT_SYNC_FILE _IOW ('b', 3, struct sync_file_request)

static int
open_vgem (void)
{
  for (int i = 0; i < 8; i++) {
    char path[32], name[32] = "";
    struct drm_version version = { .name_length = 31, .name = name };
    int fd;

    snprintf (path, sizeof path, "/dev/dri/card%d", i);
    fd = open (path, O_RDWR | O_CLOEXEC);
    if (fd >= 0 && ioctl (fd, DRM_VERSION, &version) == 0
        && strcmp (name, "vgem") == 0)
      return fd;
    if (fd >= 0)
      close (fd);
  }
  return -1;
}

/* A fence that nobody has signalled, as a sync file. */
static guint32
hold_fence (int vgem, int *sync_file)
{
  struct drm_dumb dumb = { .height = 64, .width = 64, .bits = 32 };
  struct drm_prime prime = { .flags = O_RDWR | O_CLOEXEC };
  struct vgem_attach attach = { .flags = 1 };
  struct sync_file_request export = { .flags = DMA_BUF_SYNC_RW };

  fail_unless (ioctl (vgem, DRM_DUMB, &dumb) == 0);
  attach.handle = prime.handle = dumb.handle;
  fail_unless (ioctl (vgem, VGEM_ATTACH, &attach) == 0);
  fail_unless (ioctl (vgem, DRM_TO_FD, &prime) == 0);
  fail_unless (ioctl (prime.fd, EXPORT_SYNC_FILE, &export) == 0);
  close (prime.fd);
  *sync_file = export.fd;
  return attach.fence;
}

/* A dmabuf of the kernel's heap that holds the adder's frame. */
static int
heap_filled (uint32_t first)
{
  const int heap = open ("/dev/dma_heap/system", O_RDWR | O_CLOEXEC);
  struct dma_heap_allocation_data request
      = { .len = DMABUF_SIZE, .fd_flags = O_RDWR | O_CLOEXEC };

  fail_unless (heap >= 0 && ioctl (heap, DMA_HEAP_IOCTL_ALLOC, &request) == 0);
  close (heap);
  dmabuf_fill ((int) request.fd, first);
  return (int) request.fd;
}

GST_START_TEST (device_has_what_dmabufs_need)
{
  struct adder adder;

  adder_init (&adder);
  fail_unless (adder.device->can_import_dmabuf);
  fail_unless (adder.device->has_modifiers);
  fail_unless (adder.device->has_sync_fd);
  adder_clear (&adder);
}
GST_END_TEST;

/* The read waits for the writer's fence, on the device, and sees what was
 * written late. */
GST_START_TEST (held_fence_delays_the_read)
{
  struct adder adder;
  int sync_file;

  adder_init (&adder);
  const int vgem = open_vgem (), fd = heap_filled (1);
  const guint32 fence = hold_fence (vgem, &sync_file);
  struct sync_file_request import
      = { .flags = DMA_BUF_SYNC_WRITE, .fd = sync_file };
  struct vgem_signal signal = { .fence = fence };
  struct vkc_image *source = dmabuf_import (&adder, fd, false);
  struct vkc_image *target = adder_image (&adder);
  struct vkc_job *job = adder_job (&adder, NULL, source, target, 1);

  fail_unless (ioctl (fd, IMPORT_SYNC_FILE, &import) == 0);
  close (sync_file);
  fail_unless (vkc_job_await_dmabuf (job, source, false, NULL));
  fail_unless (vkc_recorder_append (adder.device->recorder, job, NULL));
  fail_unless (adder_flush (&adder, target, NULL));
  g_usleep (400000);
  fail_if (vkc_image_is_idle (target), "it did not wait");
  dmabuf_fill (fd, 70);
  fail_unless (ioctl (vgem, VGEM_SIGNAL, &signal) == 0);
  fail_unless (adder_holds (target, 71));
  vkc_image_unref (source);
  vkc_image_unref (target);
  close (fd);
  close (vgem);
  adder_clear (&adder);
}
GST_END_TEST;

/* From one dmabuf to another: one submission, no wait of ours; others can wait
 * for our fence. */
GST_START_TEST (fenced_frames_cost_no_wait)
{
  struct adder adder;

  adder_init (&adder);
  const int from = heap_filled (5), to = heap_filled (0);
  struct vkc_image *source = dmabuf_import (&adder, from, false);
  struct vkc_image *target = dmabuf_import (&adder, to, false);
  struct vkc_recorder_counters counters;
  struct pollfd item = { .fd = to, .events = POLLIN };

  for (unsigned i = 1; i < 6; i++) {
    struct vkc_job *job = adder_job (&adder, NULL, source, target, i);
    uint64_t done;

    fail_unless (vkc_job_await_dmabuf (job, source, false, NULL));
    fail_unless (vkc_job_await_dmabuf (job, target, true, NULL));
    fail_unless (vkc_recorder_append (adder.device->recorder, job, NULL));
    fail_unless (vkc_recorder_flush (adder.device->recorder, target,
                                     VKC_FLUSH_TAIL, true, adder.owner, &done,
                                     NULL));
    fail_unless (vkc_dmabuf_publish (target, done, NULL));
    fail_unless (poll (&item, 1, 10000) == 1);
    fail_unless (dmabuf_holds (to, 5 + i));
  }
  counters = vkc_recorder_counters (adder.device->recorder);
  assert_equals_uint64 (counters.submits, 5);
  assert_equals_uint64 (counters.waits, 0);
  vkc_image_unref (source);
  vkc_image_unref (target);
  close (from);
  close (to);
  adder_clear (&adder);
}
GST_END_TEST;

/* Dmabufs of the driver's own. */
GST_START_TEST (exported_memory_is_a_dmabuf)
{
  struct adder adder;
  g_autoptr (GError) error = NULL;

  adder_init (&adder);
  const int fd = vkc_dmabuf_new (adder.device, DMABUF_SIZE, &error);

  fail_unless (fd >= 0, "%s", error ? error->message : "");
  struct vkc_image *source = adder_filled (&adder, 3);
  struct vkc_image *target = dmabuf_import (&adder, fd, false);

  fail_unless (adder_plan (&adder, source, target, 1, NULL));
  fail_unless (adder_flush (&adder, target, NULL));
  vkc_recorder_drain_owner (adder.device->recorder, adder.owner, false, NULL);
  fail_unless (dmabuf_holds (fd, 4));
  vkc_image_unref (source);
  vkc_image_unref (target);
  close (fd);
  adder_clear (&adder);
}
GST_END_TEST;

/* The camera has few buffers: each is imported once, none is copied. */
GST_START_TEST (camera_frames_are_imported_once)
{
  GstElement *pipeline = test_pipeline_new (
      "v4l2src device=/dev/video0 io-mode=dmabuf num-buffers=40 ! "
      "video/x-raw,format=NV12,width=640,height=360 ! vkcolorconvert name=c ! "
      "video/x-raw,format=RGBA ! fakesink");

  test_pipeline_run (pipeline, 50);
  fail_unless (test_stat (pipeline, "c", "recorder", "imports") <= 32);
  fail_unless (test_stat (pipeline, "c", "recorder", "import-hits") >= 8);
  assert_equals_uint64 (test_stat (pipeline, "c", "recorder", "uploads"), 0);
  test_pipeline_free (pipeline);
}
GST_END_TEST;

/* A peer that insists on dmabufs gets ours; one of ours behind it reads the very
 * image that was written, in the same submission. */
GST_START_TEST (peers_that_ask_get_dmabufs)
{
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=10 ! video/x-raw,format=RGBA,width=640,"
      "height=360 ! vkcolorconvert name=c ! "
      "video/x-raw(memory:DMABuf),format=NV12 ! vkcolorconvert name=d ! "
      "video/x-raw,format=RGBA ! fakesink");

  test_pipeline_run (pipeline, 100);
  fail_unless (test_stat (pipeline, "c", "recorder", "imports") > 0);
  assert_equals_uint64 (test_stat (pipeline, "c", "recorder", "submits"), 10);
  assert_equals_uint64 (test_stat (pipeline, "c", "recorder", "dispatches"),
                        20);
  test_pipeline_free (pipeline);
}
GST_END_TEST;

/* Says for an appsink that it can read layouts. */
static GstPadProbeReturn
take_video_meta (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (info);

  if (GST_QUERY_TYPE (query) != GST_QUERY_ALLOCATION)
    return GST_PAD_PROBE_OK;
  gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  return GST_PAD_PROBE_HANDLED;
}

/* To one that is not ours, and does not wait for the device: the display's
 * driver waits for our fence. */
GST_START_TEST (frames_for_others_carry_a_fence)
{
  GstElement *pipeline = test_pipeline_new (
      "v4l2src device=/dev/video0 io-mode=dmabuf num-buffers=20 ! "
      "video/x-raw,format=NV12,width=640,height=360 ! vkcolorconvert name=c ! "
      "video/x-raw(memory:DMABuf),format=RGBA ! appsink name=s "
      "sync=false max-buffers=1 drop=true wait-on-eos=false");
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), "s");
  GstPad *pad = gst_element_get_static_pad (sink, "sink");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM,
                     take_video_meta, NULL, NULL);
  test_pipeline_run (pipeline, 100);
  assert_equals_uint64 (test_stat (pipeline, "c", "recorder", "submits"), 20);
  fail_unless (test_stat (pipeline, "c", "recorder", "waits")
               == test_stat (pipeline, "c", "recorder", "waits-eos"));
  gst_object_unref (pad);
  gst_object_unref (sink);
  test_pipeline_free (pipeline);
}
GST_END_TEST;

static Suite *
guest_suite (void)
{
  Suite *suite = suite_create ("guest");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (suite, tc);
  tcase_add_test (tc, device_has_what_dmabufs_need);
  tcase_add_test (tc, held_fence_delays_the_read);
  tcase_add_test (tc, fenced_frames_cost_no_wait);
  tcase_add_test (tc, exported_memory_is_a_dmabuf);
  tcase_add_test (tc, camera_frames_are_imported_once);
  tcase_add_test (tc, peers_that_ask_get_dmabufs);
  tcase_add_test (tc, frames_for_others_carry_a_fence);
  return suite;
}

GST_CHECK_MAIN (guest);
