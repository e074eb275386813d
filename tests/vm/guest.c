/* Runs in the machine that tests/vm/vmrig boots: real dmabufs, fences that are
 * held on purpose, a display, another process. */
#include <gst/video/video.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/gpu/dmabufs.h"
#include "tests/vm/drm.h"

/* A dmabuf of the kernel's heap that holds the adder's frame. */
static int
heap_filled (uint32_t first)
{
  const int fd = drm_heap_new (DMABUF_SIZE);

  dmabuf_fill (fd, first);
  return fd;
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
  const int vgem = drm_open ("vgem"), fd = heap_filled (1);
  const uint32_t fence = drm_hold_fence (vgem, &sync_file);
  struct vkc_image *source = dmabuf_import (&adder, fd, false);
  struct vkc_image *target = adder_image (&adder);
  struct vkc_job *job = adder_job (&adder, NULL, source, target, 1);

  drm_put_fence (fd, sync_file);
  fail_unless (vkc_job_await_dmabuf (job, source, false, NULL));
  fail_unless (vkc_recorder_append (adder.device->recorder, job, NULL));
  fail_unless (adder_flush (&adder, target, NULL));
  g_usleep (400000);
  fail_if (vkc_image_is_idle (target), "it did not wait");
  dmabuf_fill (fd, 70);
  drm_signal_fence (vgem, fence);
  fail_unless (adder_holds (target, 71));
  vkc_image_unref (source);
  vkc_image_unref (target);
  close (fd);
  close (vgem);
  adder_clear (&adder);
}
GST_END_TEST;

static gint shown;

static gpointer
show (gpointer data)
{
  struct drm_display *display = ((gpointer *) data)[0];
  const gboolean ok = drm_display_show (
      display, GPOINTER_TO_UINT (((gpointer *) data)[1]));

  g_atomic_int_set (&shown, 1);
  return GINT_TO_POINTER (ok);
}

/* As an element does at the tail, between dmabufs. */
static bool
process (struct adder *adder, struct vkc_image *source,
         struct vkc_image *target, uint32_t increment)
{
  struct vkc_recorder *recorder = adder->device->recorder;
  struct vkc_job *job = adder_job (adder, NULL, source, target, increment);
  uint64_t done;

  return (!vkc_image_is_dmabuf (source)
          || vkc_job_await_dmabuf (job, source, false, NULL))
         && vkc_job_await_dmabuf (job, target, true, NULL)
         && vkc_recorder_append (recorder, job, NULL)
         && vkc_recorder_flush (recorder, target, VKC_FLUSH_TAIL, true,
                                adder->owner, &done, NULL)
         && vkc_dmabuf_publish (target, done, NULL);
}

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
    fail_unless (process (&adder, source, target, i));
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

/* A display does not show what we have not drawn yet: our fence is on the
 * dmabuf. As lavapipe's is over as soon as it can be had, one that is held takes
 * its place. Mutation seen to fail this: no fence put on what was written. */
GST_START_TEST (display_waits_for_our_fence)
{
  struct adder adder;
  struct drm_display display = { 0 };
  const int card = drm_open ("vkms");
  int sync_file;

  if (card < 0 || !drm_display_init (&display, card))
    test_skip ("no display");
  adder_init (&adder);
  const uint32_t stride = display.width * 4;
  const int vgem = drm_open ("vgem");
  const int before = drm_heap_new (stride * display.height);
  const int to = drm_heap_new (stride * display.height);
  const uint32_t fence = drm_hold_fence (vgem, &sync_file);
  struct vkc_dmabuf view = dmabuf_view (to);
  struct pollfd item = { .fd = to, .events = POLLIN };

  view.planes[0].stride = stride;
  struct vkc_image *source = adder_filled (&adder, 1);
  struct vkc_image *target
      = vkc_dmabuf_import (adder.device, &view, false, NULL);
  gpointer order[2]
      = { &display,
          GUINT_TO_POINTER (drm_display_add (&display, to, stride)) };

  fail_unless (drm_display_show (
      &display, drm_display_add (&display, before, stride)));
  test_wrap_give_sync_file (sync_file);
  fail_unless (process (&adder, source, target, 1));
  GThread *thread = g_thread_new ("show", show, order);

  g_usleep (400000);
  fail_unless_equals_int (poll (&item, 1, 0), 0);
  fail_unless_equals_int (g_atomic_int_get (&shown), 0);
  drm_signal_fence (vgem, fence);
  fail_unless (g_thread_join (thread) != NULL);
  assert_equals_uint64 (
      vkc_recorder_counters (adder.device->recorder).waits, 0);
  vkc_image_unref (source);
  vkc_image_unref (target);
  close (before);
  close (to);
  close (vgem);
  close (card);
  adder_clear (&adder);
}
GST_END_TEST;

#define SHARED  4
#define PASSES  100

static void
send_descriptor (int socket, int fd)
{
  char byte = 0, space[CMSG_SPACE (sizeof fd)] = { 0 };
  struct iovec part = { .iov_base = &byte, .iov_len = 1 };
  struct msghdr message = { .msg_iov = &part,
                            .msg_iovlen = 1,
                            .msg_control = space,
                            .msg_controllen = sizeof space };
  struct cmsghdr *header = CMSG_FIRSTHDR (&message);

  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN (sizeof fd);
  memcpy (CMSG_DATA (header), &fd, sizeof fd);
  fail_unless (sendmsg (socket, &message, 0) == 1);
}

static int
receive_descriptor (int socket)
{
  char byte, space[CMSG_SPACE (sizeof (int))];
  struct iovec part = { .iov_base = &byte, .iov_len = 1 };
  struct msghdr message = { .msg_iov = &part,
                            .msg_iovlen = 1,
                            .msg_control = space,
                            .msg_controllen = sizeof space };
  int fd;

  fail_unless (recvmsg (socket, &message, MSG_CMSG_CLOEXEC) == 1);
  memcpy (&fd, CMSG_DATA (CMSG_FIRSTHDR (&message)), sizeof fd);
  return fd;
}

/* The other process: a pool of four, a new picture in each at each pass. */
static void
produce (int socket)
{
  int fds[SHARED];
  char answer;

  for (guint i = 0; i < SHARED; i++)
    fds[i] = drm_heap_new (DMABUF_SIZE);
  for (guint i = 0; i < PASSES; i++) {
    dmabuf_fill (fds[i % SHARED], i);
    send_descriptor (socket, fds[i % SHARED]);
    if (read (socket, &answer, 1) != 1)
      _exit (1);
  }
  _exit (0);
}

/* Each frame comes as a new descriptor; a wait that fails on the way changes
 * nothing of what is known of the dmabufs. Mutation seen to fail this: a cache
 * keyed by the descriptor's number. */
GST_START_TEST (pool_of_another_process_is_imported_once)
{
  struct adder adder;
  int ends[2], status;
  unsigned descriptors = 0;
  pid_t producer;

  fail_unless (socketpair (AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  producer = fork ();
  if (producer == 0)
    produce (ends[1]);
  close (ends[1]);
  /* One wait that fails does not make it a device that hangs. */
  g_setenv ("VKC_MAX_TIMEOUTS", "4", TRUE);
  adder_init (&adder);
  struct vkc_image *target = adder_image (&adder);

  test_wrap_reset ();
  for (guint i = 0; i < PASSES; i++) {
    const int fd = receive_descriptor (ends[0]);
    struct vkc_image *source = dmabuf_import (&adder, fd, true);
    struct vkc_job *job = adder_job (&adder, NULL, source, target, 1);
    uint64_t done;

    close (fd);
    if (i == PASSES / 2)
      test_wrap_close_gate (adder.device);
    fail_unless (vkc_job_await_dmabuf (job, source, false, NULL));
    fail_unless (vkc_recorder_append (adder.device->recorder, job, NULL));
    fail_unless (vkc_recorder_flush (adder.device->recorder, target,
                                     VKC_FLUSH_TAIL, false, adder.owner, &done,
                                     NULL));
    if (i == PASSES / 2) {
      test_wrap_fail_from ("vkWaitSemaphores", 1, VK_TIMEOUT);
      fail_if (vkc_recorder_wait (adder.device->recorder, done, NULL));
      test_wrap_stop_failing ();
      test_wrap_open_gate ();
    }
    fail_unless (adder_holds (target, i + 1));
    vkc_image_unref (source);
    if (i == SHARED)
      descriptors = open_descriptors ();
    fail_unless (write (ends[0], "", 1) == 1);
  }
  assert_equals_int (open_descriptors (), descriptors);
  assert_equals_uint64 (
      vkc_recorder_counters (adder.device->recorder).imports, SHARED);
  fail_unless (waitpid (producer, &status, 0) == producer && status == 0);
  vkc_dmabuf_trim (adder.device);
  vkc_image_unref (target);
  close (ends[0]);
  adder_clear_after_fault (&adder);
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
  tcase_add_test (tc, display_waits_for_our_fence);
  tcase_add_test (tc, pool_of_another_process_is_imported_once);
  return suite;
}

GST_CHECK_MAIN (guest);
