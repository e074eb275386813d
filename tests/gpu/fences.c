/* Fences of dmabufs: others' before ours, ours for others. */
#include <errno.h>
#include <linux/dma-buf.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "gst/vk/result.h"
#include "tests/gpu/dmabufs.h"

static int polls;

static int
never_ready (struct pollfd *fds, nfds_t n, int timeout_ms)
{
  polls++;
  return 0;
}

static int
ready (struct pollfd *fds, nfds_t n, int timeout_ms)
{
  polls++;
  fds->revents = fds->events;
  return 1;
}

static int
no_such_ioctl (int fd, unsigned long request, void *argument)
{
  errno = ENOTTY;
  return -1;
}

/* Mutation seen to fail this: a wait that ends as if all were well. */
GST_START_TEST (fence_that_never_signals_is_an_error_before_recording)
{
  const struct vkc_dmabuf_calls calls
      = { .ioctl = no_such_ioctl, .poll = never_ready };
  struct adder adder;

  adder_init (&adder);
  HAS_DMABUFS (&adder);
  const int fd = dmabuf_filled (0);
  struct vkc_image *source = dmabuf_import (&adder, fd, false);
  struct vkc_image *target = adder_image (&adder);
  struct vkc_job *job = adder_job (&adder, NULL, source, target, 1);
  g_autoptr (GError) error = NULL;

  vkc_dmabuf_set_calls (&calls);
  fail_if (vkc_job_await_dmabuf (job, source, false, &error));
  vkc_dmabuf_set_calls (NULL);
  fail_unless (g_error_matches (error, VKC_ERROR, VKC_ERROR_TIMEOUT));
  assert_equals_uint64 (
      vkc_recorder_counters (adder.device->recorder).submits, 0);
  vkc_job_unref (job);
  vkc_image_unref (source);
  vkc_image_unref (target);
  close (fd);
  adder_clear (&adder);
}
GST_END_TEST;

static int published;

/* The device goes on when somebody waits for it. */
static gpointer
open_when_waited_for (gpointer data)
{
  const struct adder *adder = data;

  while (!g_atomic_int_get (&published) && adder_counters (adder).waits == 0)
    g_usleep (1000);
  test_wrap_open_gate ();
  return NULL;
}

/* Mutation seen to fail this: no wait where there is no fence. */
GST_START_TEST (without_sync_files_one_wait_comes_before_others)
{
  const struct vkc_dmabuf_calls calls
      = { .ioctl = no_such_ioctl, .poll = ready };
  struct adder adder;

  adder_init (&adder);
  HAS_DMABUFS (&adder);
  const int fd = dmabuf_filled (0);
  struct vkc_image *source = adder_filled (&adder, 8);
  struct vkc_image *target = dmabuf_import (&adder, fd, false);
  struct vkc_job *job = adder_job (&adder, NULL, source, target, 1);
  GThread *opener;
  uint64_t done;

  vkc_dmabuf_set_calls (&calls);
  polls = 0;
  fail_unless (vkc_job_await_dmabuf (job, target, true, NULL));
  assert_equals_int (polls, 1);
  fail_unless (vkc_recorder_append (adder.device->recorder, job, NULL));
  test_wrap_close_gate (adder.device);
  fail_unless (vkc_recorder_flush (adder.device->recorder, target,
                                   VKC_FLUSH_TAIL, true, adder.owner, &done,
                                   NULL));
  opener = g_thread_new ("opener", open_when_waited_for, &adder);
  fail_unless (vkc_dmabuf_publish (target, done, NULL));
  fail_unless (vkc_image_is_idle (target), "others have it too early");
  g_atomic_int_set (&published, 1);
  g_thread_join (opener);
  fail_unless (dmabuf_holds (fd, 9));
  fail_unless (vkc_recorder_counters (adder.device->recorder).waits == 1);
  vkc_dmabuf_set_calls (NULL);
  vkc_image_unref (source);
  vkc_image_unref (target);
  close (fd);
  adder_clear (&adder);
}
GST_END_TEST;

/* The kernel, as far as fences go: what it was asked for. */
static struct
{
  guint exports, imports;
  uint32_t export_flags, import_flags;
  int imported[4];
} kernel;

#define EXPORT_NUMBER 2
#define IMPORT_NUMBER 3

static int
note_ioctl (int fd, unsigned long request, void *argument)
{
  struct
  {
    uint32_t flags;
    int32_t fd;
  } *sync_file = argument;

  if (_IOC_NR (request) == EXPORT_NUMBER) {
    kernel.exports++;
    kernel.export_flags = sync_file->flags;
    sync_file->fd = eventfd (1, EFD_CLOEXEC);
  } else if (_IOC_NR (request) == IMPORT_NUMBER) {
    kernel.imported[kernel.imports++ % 4] = fd;
    kernel.import_flags = sync_file->flags;
  }
  return 0;
}

static const struct vkc_dmabuf_calls noting
    = { .ioctl = note_ioctl, .poll = poll };

/* Two planes in two dmabufs where images are, else one. */
static struct vkc_image *
import_planes (struct adder *adder, int luma, int chroma)
{
  struct vkc_dmabuf view = dmabuf_view (luma);
  g_autoptr (GError) error = NULL;
  struct vkc_image *image;

  if (adder_is_image ()) {
    view.n_planes = 2;
    view.planes[1] = view.planes[0];
    view.planes[1].fd = chroma;
  }
  image = vkc_dmabuf_import (adder->device, &view, false, &error);
  fail_unless (image != NULL, "%s", error ? error->message : "");
  return image;
}

/* Readers wait for the writer, writers for all; every plane's dmabuf is asked
 * and gets our fence; each descriptor is closed. Mutations seen to fail this:
 * READ asked for by writers; a fence for the first plane only. */
GST_START_TEST (sync_files_follow_use_and_planes)
{
  struct adder adder;

  adder_init (&adder);
  HAS_DMABUFS (&adder);
  if (!adder.device->has_sync_fd) {
    adder_clear (&adder);
    test_skip ("the driver has no sync files");
  }
  const guint n = adder_is_image () ? 2 : 1;
  const int from = dmabuf_filled (1), luma = dmabuf_filled (2),
            chroma = dmabuf_filled (3);
  struct vkc_image *source = dmabuf_import (&adder, from, false);
  struct vkc_image *target = import_planes (&adder, luma, chroma);
  struct vkc_job *job = adder_job (&adder, NULL, source, target, 1);
  const unsigned descriptors = open_descriptors ();
  uint64_t done;

  vkc_dmabuf_set_calls (&noting);
  fail_unless (vkc_job_await_dmabuf (job, source, false, NULL));
  assert_equals_int (kernel.exports, 1);
  assert_equals_int (kernel.export_flags, DMA_BUF_SYNC_READ);
  fail_unless (vkc_job_await_dmabuf (job, target, true, NULL));
  assert_equals_int (kernel.exports, 1 + n);
  assert_equals_int (kernel.export_flags, DMA_BUF_SYNC_WRITE);
  test_wrap_give_sync_file (eventfd (1, EFD_CLOEXEC));
  fail_unless (vkc_recorder_append (adder.device->recorder, job, NULL));
  fail_unless (vkc_recorder_flush (adder.device->recorder, target,
                                   VKC_FLUSH_TAIL, true, adder.owner, &done,
                                   NULL));
  fail_unless (vkc_dmabuf_publish (target, done, NULL));
  assert_equals_int (kernel.imports, n);
  assert_equals_int (kernel.import_flags, DMA_BUF_SYNC_WRITE);
  fail_unless (n == 1 || kernel.imported[0] != kernel.imported[1]);
  assert_equals_uint64 (
      vkc_recorder_counters (adder.device->recorder).waits, 0);
  assert_equals_int (open_descriptors (), descriptors);
  vkc_dmabuf_set_calls (NULL);
  vkc_image_unref (source);
  vkc_image_unref (target);
  close (from);
  close (luma);
  close (chroma);
  adder_clear (&adder);
}
GST_END_TEST;

/* What the driver cannot export, the host waits for; later frames are fenced
 * again. */
GST_START_TEST (failed_export_is_one_wait)
{
  struct adder adder;

  adder_init (&adder);
  HAS_DMABUFS (&adder);
  if (!adder.device->has_sync_fd) {
    adder_clear (&adder);
    test_skip ("the driver has no sync files");
  }
  const int fd = dmabuf_filled (1);
  struct vkc_image *target = dmabuf_import (&adder, fd, false);

  vkc_dmabuf_set_calls (&noting);
  test_wrap_fail ("vkGetSemaphoreFdKHR", 2, VK_ERROR_TOO_MANY_OBJECTS, false);
  for (guint i = 0; i < 4; i++) {
    struct vkc_image *source = adder_filled (&adder, i);
    uint64_t done;

    fail_unless (adder_plan (&adder, source, target, 1, NULL));
    fail_unless (vkc_recorder_flush (adder.device->recorder, target,
                                     VKC_FLUSH_TAIL, true, adder.owner, &done,
                                     NULL));
    fail_unless (vkc_dmabuf_publish (target, done, NULL));
    fail_unless (vkc_recorder_wait (adder.device->recorder, done, NULL));
    fail_unless (dmabuf_holds (fd, i + 1));
    vkc_image_unref (source);
  }
  vkc_dmabuf_set_calls (NULL);
  vkc_image_unref (target);
  close (fd);
  adder_clear (&adder);
}
GST_END_TEST;

static Suite *
fences_suite (void)
{
  Suite *suite = suite_create ("fences");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (suite, tc);
  tcase_add_test (tc, fence_that_never_signals_is_an_error_before_recording);
  tcase_add_test (tc, without_sync_files_one_wait_comes_before_others);
  tcase_add_test (tc, sync_files_follow_use_and_planes);
  tcase_add_test (tc, failed_export_is_one_wait);
  return suite;
}

GST_CHECK_MAIN (fences);
