/* Dmabufs: imported once, owned by turns, known by their inode. */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gst/vk/result.h"
#include "tests/gpu/dmabufs.h"

/* Mutation seen to fail this: comparing descriptors in place of inodes. */
GST_START_TEST (two_descriptors_of_one_dmabuf_are_one_image)
{
  struct adder adder;

  adder_init (&adder);
  HAS_DMABUFS (&adder);
  const int fd = dmabuf_filled (7), other = dup (fd);
  struct vkc_recorder_counters counters;

  test_wrap_reset ();
  struct vkc_image *image = dmabuf_import (&adder, fd, false);
  struct vkc_image *again = dmabuf_import (&adder, other, false);

  fail_unless (image == again);
  assert_equals_uint64 (test_wrap_count ("vkCreateImage")
                            + test_wrap_count ("vkCreateBuffer"),
                        1);
  counters = vkc_recorder_counters (adder.device->recorder);
  assert_equals_uint64 (counters.imports, 1);
  assert_equals_uint64 (counters.import_hits, 1);
  vkc_image_unref (image);
  vkc_image_unref (again);
  close (fd);
  close (other);
  adder_clear (&adder);
}
GST_END_TEST;

/* Mutations seen to fail this: no release; a release that does not note the
 * layout GENERAL; every acquire from UNDEFINED. */
GST_START_TEST (each_submission_acquires_once_and_releases_once)
{
  struct adder adder;

  adder_init (&adder);
  HAS_DMABUFS (&adder);
  const int fd = dmabuf_filled (100);
  struct vkc_image *source = dmabuf_import (&adder, fd, false);

  test_wrap_reset ();
  for (unsigned i = 0; i < 3; i++) {
    struct vkc_image *middle = adder_image (&adder);
    struct vkc_image *target = adder_image (&adder);

    fail_unless (adder_plan (&adder, source, middle, 1, NULL));
    fail_unless (adder_plan (&adder, source, target, 2, NULL));
    fail_unless (adder_flush (&adder, middle, NULL));
    fail_unless (adder_flush (&adder, target, NULL));
    fail_unless (adder_holds (middle, 101));
    fail_unless (adder_holds (target, 102));
    vkc_image_unref (middle);
    vkc_image_unref (target);
  }
  dmabuf_assert_protocol (&adder, 6);
  vkc_image_unref (source);
  close (fd);
  adder_clear (&adder);
}
GST_END_TEST;

GST_START_TEST (written_dmabufs_hold_the_result)
{
  struct adder adder;

  adder_init (&adder);
  HAS_DMABUFS (&adder);
  const int fd = dmabuf_filled (0);
  struct vkc_image *target = dmabuf_import (&adder, fd, false);

  test_wrap_reset ();
  for (unsigned i = 1; i < 4; i++) {
    struct vkc_image *source = adder_filled (&adder, i * 10);
    uint64_t done;

    fail_unless (adder_plan (&adder, source, target, 3, NULL));
    fail_unless (vkc_recorder_flush (adder.device->recorder, target,
                                     VKC_FLUSH_TAIL, true, adder.owner, &done,
                                     NULL));
    fail_unless (vkc_dmabuf_publish (target, done, NULL));
    fail_unless (vkc_recorder_wait (adder.device->recorder, done, NULL));
    fail_unless (dmabuf_holds (fd, i * 10 + 3));
    vkc_image_unref (source);
  }
  dmabuf_assert_protocol (&adder, 3);
  vkc_image_unref (target);
  close (fd);
  adder_clear (&adder);
}
GST_END_TEST;

/* Written and read in one batch: one acquire, one release. Mutation seen to fail
 * this: an acquire before each use. */
GST_START_TEST (dmabuf_that_is_written_and_read_stays_ours_between)
{
  struct adder adder;

  adder_init (&adder);
  HAS_DMABUFS (&adder);
  const int fd = dmabuf_filled (0);
  struct vkc_image *middle = dmabuf_import (&adder, fd, false);
  struct vkc_image *source = adder_filled (&adder, 50);
  struct vkc_image *target = adder_image (&adder);

  test_wrap_reset ();
  fail_unless (adder_plan (&adder, source, middle, 1, NULL));
  fail_unless (adder_plan (&adder, middle, target, 1, NULL));
  fail_unless (adder_flush (&adder, target, NULL));
  fail_unless (adder_holds (target, 52));
  fail_unless (dmabuf_holds (fd, 51));
  dmabuf_assert_protocol (&adder, 1);
  vkc_image_unref (source);
  vkc_image_unref (middle);
  vkc_image_unref (target);
  close (fd);
  adder_clear (&adder);
}
GST_END_TEST;

/* Mutation seen to fail this: a cache keyed by the descriptor's number. */
GST_START_TEST (recycled_descriptor_is_another_picture)
{
  struct adder adder;

  adder_init (&adder);
  HAS_DMABUFS (&adder);
  int fd = dmabuf_filled (1);
  const int number = fd;

  for (unsigned i = 1; i < 4; i++) {
    struct vkc_image *source = dmabuf_import (&adder, fd, true);
    struct vkc_image *target = adder_image (&adder);

    fail_unless (adder_plan (&adder, source, target, 1, NULL));
    vkc_image_unref (source);
    fail_unless (adder_flush (&adder, target, NULL));
    fail_unless (adder_holds (target, i + 1));
    vkc_image_unref (target);
    close (fd);
    fd = dmabuf_filled (i + 1);
    fail_unless (dup2 (fd, number) == number);
    if (fd != number)
      close (fd);
    fd = number;
  }
  close (fd);
  adder_clear (&adder);
}
GST_END_TEST;

GST_START_TEST (many_frames_over_four_buffers_are_four_imports)
{
  struct adder adder;
  int fds[4];

  adder_init (&adder);
  HAS_DMABUFS (&adder);
  for (unsigned i = 0; i < 4; i++)
    fds[i] = dmabuf_filled (i);
  struct vkc_image *target = adder_image (&adder);
  const unsigned before = open_descriptors ();
  unsigned after = 0;

  for (unsigned i = 0; i < 10000; i++) {
    struct vkc_image *source = dmabuf_import (&adder, fds[i % 4], true);

    if (i % 100 == 0) {
      fail_unless (adder_plan (&adder, source, target, 1, NULL));
      fail_unless (adder_flush (&adder, target, NULL));
    }
    vkc_image_unref (source);
    if (i == 100)
      after = open_descriptors ();
  }
  fail_unless (adder_holds (target, 9900 % 4 + 1));
  fail_unless (open_descriptors () <= after);
  assert_equals_uint64 (
      vkc_recorder_counters (adder.device->recorder).imports, 4);
  vkc_dmabuf_trim (adder.device);
  fail_unless (open_descriptors () <= before + 8);
  vkc_image_unref (target);
  for (unsigned i = 0; i < 4; i++)
    close (fds[i]);
  adder_clear (&adder);
}
GST_END_TEST;

/* Mutation seen to fail this: eviction of more than the limit asks for. */
GST_START_TEST (only_images_that_nobody_holds_are_evicted)
{
  struct adder adder;
  struct vkc_image *held[3];
  int fds[6];

  g_setenv ("VKC_MAX_IMPORTS", "2", TRUE);
  adder_init (&adder);
  g_unsetenv ("VKC_MAX_IMPORTS");
  HAS_DMABUFS (&adder);
  for (unsigned i = 0; i < 6; i++)
    fds[i] = dmabuf_filled (i);
  for (unsigned i = 0; i < 3; i++)
    held[i] = dmabuf_import (&adder, fds[i], true);
  for (unsigned i = 3; i < 6; i++)
    vkc_image_unref (dmabuf_import (&adder, fds[i], true));
  assert_equals_uint64 (
      vkc_recorder_counters (adder.device->recorder).imports, 6);
  /* 3 went; 4, 5 and the held ones are there. */
  for (unsigned i = 0; i < 6; i++)
    if (i != 3)
      vkc_image_unref (dmabuf_import (&adder, fds[i], true));
  assert_equals_uint64 (
      vkc_recorder_counters (adder.device->recorder).imports, 6);
  vkc_image_unref (dmabuf_import (&adder, fds[3], true));
  assert_equals_uint64 (
      vkc_recorder_counters (adder.device->recorder).imports, 7);
  for (unsigned i = 0; i < 3; i++)
    vkc_image_unref (held[i]);
  for (unsigned i = 0; i < 6; i++)
    close (fds[i]);
  adder_clear (&adder);
}
GST_END_TEST;

static const char *const import_calls[] = {
  "vkCreateImage",    "vkCreateBuffer",    "vkGetMemoryFdPropertiesKHR",
  "vkAllocateMemory", "vkBindImageMemory", "vkBindBufferMemory",
};

/* Loop: import_calls. */
GST_START_TEST (failed_import_leaves_nothing)
{
  struct adder adder;

  adder_init (&adder);
  HAS_DMABUFS (&adder);
  const int fd = dmabuf_filled (0);
  const struct vkc_dmabuf view = dmabuf_view (fd);
  const gint64 objects = test_wrap_live (NULL);
  const unsigned descriptors = open_descriptors ();
  struct vkc_image *image;

  test_wrap_reset ();
  test_wrap_fail_from (import_calls[__i__], 1, VK_ERROR_OUT_OF_DEVICE_MEMORY);
  image = vkc_dmabuf_import (adder.device, &view, true, NULL);
  if (test_wrap_count (import_calls[__i__]) > 0)
    fail_unless (image == NULL);
  vkc_image_unref (image);
  vkc_dmabuf_trim (adder.device);
  assert_equals_int (open_descriptors (), descriptors);
  assert_equals_int64 (test_wrap_live (NULL), objects);
  test_wrap_reset ();
  fail_unless (fcntl (fd, F_GETFD) >= 0);
  image = dmabuf_import (&adder, fd, false);
  vkc_image_unref (image);
  close (fd);
  adder_clear (&adder);
}
GST_END_TEST;

/* Nothing is published: the next first acquire is the first one again. Mutation
 * seen to fail this: publication while recording. */
GST_START_TEST (refused_submission_leaves_the_dmabuf_with_others)
{
  struct adder adder;

  adder_init (&adder);
  HAS_DMABUFS (&adder);
  const int fd = dmabuf_filled (5);
  struct vkc_image *source = dmabuf_import (&adder, fd, false);
  struct vkc_image *target = adder_image (&adder);

  test_wrap_reset ();
  test_wrap_fail ("vkQueueSubmit2", 1, VK_ERROR_INITIALIZATION_FAILED, false);
  fail_unless (adder_plan (&adder, source, target, 1, NULL));
  fail_if (adder_flush (&adder, target, NULL));
  fail_unless (adder_plan (&adder, source, target, 1, NULL));
  fail_unless (adder_flush (&adder, target, NULL));
  fail_unless (adder_holds (target, 6));
  dmabuf_assert_protocol (&adder, 1);
  vkc_image_unref (source);
  vkc_image_unref (target);
  close (fd);
  adder_clear (&adder);
}
GST_END_TEST;

/* What was published stays so: cell, cache and the next acquire agree. */
GST_START_TEST (failed_wait_keeps_what_was_published)
{
  struct adder adder;

  adder_init (&adder);
  HAS_DMABUFS (&adder);
  const int fd = dmabuf_filled (5);
  struct vkc_image *source = dmabuf_import (&adder, fd, false);
  struct vkc_image *target = adder_image (&adder), *again;
  uint64_t done;

  test_wrap_reset ();
  fail_unless (adder_plan (&adder, source, target, 1, NULL));
  fail_unless (vkc_recorder_flush (adder.device->recorder, target,
                                   VKC_FLUSH_TAIL, false, adder.owner, &done,
                                   NULL));
  test_wrap_fail ("vkWaitSemaphores", 1, VK_TIMEOUT, true);
  vkc_recorder_wait (adder.device->recorder, done, NULL);
  again = dmabuf_import (&adder, fd, false);
  fail_unless (again == source);
  if (adder_is_image ())
    fail_unless_equals_int (vkc_image_layout (again, 0),
                            VK_IMAGE_LAYOUT_GENERAL);
  fail_unless (adder_plan (&adder, again, target, 1, NULL));
  fail_unless (adder_flush (&adder, target, NULL));
  fail_unless (adder_holds (target, 6));
  dmabuf_assert_protocol (&adder, 2);
  vkc_image_unref (again);
  vkc_image_unref (source);
  vkc_image_unref (target);
  close (fd);
  adder_clear_after_fault (&adder);
}
GST_END_TEST;

/* Where in the record the ownership of @image went over to @family; -1: never. */
static int
handed_to (const struct test_barrier *barriers, unsigned n, VkImage image,
           uint32_t family)
{
  for (unsigned i = 0; i < n; i++)
    if (barriers[i].submit > 0 && barriers[i].image == image
        && barriers[i].src_family != barriers[i].dst_family
        && barriers[i].dst_family == family)
      return (int) i;
  return -1;
}

/* Two views of one dmabuf in one batch: the first is given back before the other
 * is taken. Mutation seen to fail this: no release of the other view. */
GST_START_TEST (views_of_one_dmabuf_take_turns)
{
  struct adder adder;

  adder_init (&adder);
  HAS_DMABUFS (&adder);
  if (!adder_is_image ()) {
    adder_clear (&adder);
    test_skip ("a buffer is one view");
  }
  const int fd = dmabuf_filled (0x10203);
  struct vkc_dmabuf view = dmabuf_view (fd);
  struct vkc_device *device = adder.device;

  view.planes[0].format = VK_FORMAT_R16G16_UINT;
  struct vkc_image *words = dmabuf_import (&adder, fd, false);
  struct vkc_image *halves = vkc_dmabuf_import (device, &view, false, NULL);
  struct vkc_image *middle = adder_image (&adder);

  fail_unless (halves != NULL && halves != words);
  test_wrap_reset ();
  fail_unless (adder_plan (&adder, halves, middle, 0, NULL));
  fail_unless (adder_plan (&adder, middle, words, 0, NULL));
  fail_unless (adder_flush (&adder, words, NULL));
  vkc_recorder_drain_owner (device->recorder, adder.owner, false, NULL);

  unsigned n;
  g_autofree struct test_barrier *barriers = test_wrap_barriers (&n);
  const VkImage taken = dmabuf_first_acquired (&adder).image;
  VkImage other = VK_NULL_HANDLE;

  for (unsigned i = 0; i < n && !other; i++)
    if (barriers[i].image != taken
        && barriers[i].src_family == device->foreign_family
        && barriers[i].dst_family == device->queue_family)
      other = barriers[i].image;
  fail_unless (handed_to (barriers, n, taken, device->foreign_family)
               < handed_to (barriers, n, other, device->queue_family));
  assert_equals_int (assert_foreign_protocol (device, taken, VK_NULL_HANDLE),
                     1);
  assert_equals_int (assert_foreign_protocol (device, other, VK_NULL_HANDLE),
                     1);
  vkc_image_unref (words);
  vkc_image_unref (halves);
  vkc_image_unref (middle);
  close (fd);
  adder_clear (&adder);
}
GST_END_TEST;

static int polls, ioctls;

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
  ioctls++;
  errno = ENOTTY;
  return -1;
}

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
  test_wrap_open_gate ();
  fail_unless (vkc_dmabuf_publish (target, done, NULL));
  fail_unless (dmabuf_holds (fd, 9));
  fail_unless (vkc_recorder_counters (adder.device->recorder).waits <= 1);
  vkc_dmabuf_set_calls (NULL);
  vkc_image_unref (source);
  vkc_image_unref (target);
  close (fd);
  adder_clear (&adder);
}
GST_END_TEST;

/* What a descriptor that is none, or too small, says. */
GST_START_TEST (hostile_descriptors_are_refused)
{
  struct adder adder;
  int ends[2];

  adder_init (&adder);
  HAS_DMABUFS (&adder);
  const unsigned descriptors = open_descriptors ();
  const int small = memfd_create ("small", MFD_CLOEXEC);
  const int fd = dmabuf_filled (0), closed = dup (fd);

  fail_unless (pipe (ends) == 0 && ftruncate (small, 64) == 0);
  close (closed);
  const int bad[] = { closed, ends[0], small, -1 };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    const struct vkc_dmabuf view = dmabuf_view (bad[i]);
    g_autoptr (GError) error = NULL;

    if (bad[i] == small && !adder_is_image ())
      continue; /* a buffer is as small as it is */
    fail_unless (vkc_dmabuf_import (adder.device, &view, true, &error)
                 == NULL);
    fail_unless (error != NULL);
  }
  for (guint i = 0; adder_is_image () && i < 3; i++) {
    struct vkc_dmabuf view = dmabuf_view (fd);

    if (i == 0)
      view.planes[0].offset = DMABUF_SIZE;
    else if (i == 1)
      view.planes[0].height = G_MAXUINT;
    else
      view.modifier = UINT64_C (0x0100000000000001);
    fail_unless (vkc_dmabuf_import (adder.device, &view, true, NULL) == NULL);
  }
  close (ends[0]);
  close (ends[1]);
  close (small);
  close (fd);
  assert_equals_int (open_descriptors (), descriptors);
  adder_clear (&adder);
}
GST_END_TEST;

static Suite *
import_suite (void)
{
  Suite *suite = suite_create ("import");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (suite, tc);
  tcase_add_test (tc, two_descriptors_of_one_dmabuf_are_one_image);
  tcase_add_test (tc, each_submission_acquires_once_and_releases_once);
  tcase_add_test (tc, written_dmabufs_hold_the_result);
  tcase_add_test (tc, dmabuf_that_is_written_and_read_stays_ours_between);
  tcase_add_test (tc, recycled_descriptor_is_another_picture);
  tcase_add_test (tc, many_frames_over_four_buffers_are_four_imports);
  tcase_add_test (tc, only_images_that_nobody_holds_are_evicted);
  tcase_add_loop_test (tc, failed_import_leaves_nothing, 0,
                       G_N_ELEMENTS (import_calls));
  tcase_add_test (tc, refused_submission_leaves_the_dmabuf_with_others);
  tcase_add_test (tc, failed_wait_keeps_what_was_published);
  tcase_add_test (tc, views_of_one_dmabuf_take_turns);
  tcase_add_test (tc, fence_that_never_signals_is_an_error_before_recording);
  tcase_add_test (tc, without_sync_files_one_wait_comes_before_others);
  tcase_add_test (tc, hostile_descriptors_are_refused);
  return suite;
}

GST_CHECK_MAIN (import);
