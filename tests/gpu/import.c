/* Dmabufs: imported once, known by their inode, refused if they are none. */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

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

/* A file that passes for a dmabuf as a memfd does, on a file system that gives
 * the inode of the last one that went to the next one that comes. */
static int
file_filled (uint32_t first, ino_t *inode)
{
  g_autofree char *name = NULL;
  const int fd = g_file_open_tmp ("vkc-XXXXXX", &name, NULL);
  struct stat status;

  fail_unless (fd >= 0 && g_unlink (name) == 0
               && ftruncate (fd, DMABUF_SIZE) == 0
               && fstat (fd, &status) == 0);
  *inode = status.st_ino;
  dmabuf_fill (fd, first);
  return fd;
}

/* An image that is gone is not found by its number; one that is kept keeps the
 * number from being used again. Mutation seen to fail this: a cache that
 * still lists what is gone. */
GST_START_TEST (recycled_inode_is_another_picture)
{
  struct adder adder;
  ino_t inode, last = 0;
  unsigned recycled = 0;

  adder_init (&adder);
  HAS_DMABUFS (&adder);
  for (unsigned i = 0; i < 40; i++) {
    const int fd = file_filled (i, &inode);
    struct vkc_image *source = dmabuf_import (&adder, fd, i >= 20);
    struct vkc_image *target = adder_image (&adder);

    recycled += inode == last;
    last = inode;
    fail_unless (adder_plan (&adder, source, target, 1, NULL));
    fail_unless (adder_flush (&adder, target, NULL));
    fail_unless (adder_holds (target, i + 1));
    vkc_image_unref (source);
    vkc_image_unref (target);
    close (fd);
    vkc_recorder_drain_owner (adder.device->recorder, adder.owner, false,
                              NULL);
  }
  assert_equals_uint64 (adder_counters (&adder).imports, 40);
  adder_clear (&adder);
  if (recycled == 0)
    test_skip ("this file system gives every file a number of its own");
}
GST_END_TEST;

static unsigned
descriptors_of (ino_t inode)
{
  unsigned n = 0;

  for (int fd = 0; fd < 1024; fd++) {
    struct stat status;

    n += fstat (fd, &status) == 0 && status.st_ino == inode;
  }
  return n;
}

/* So that no other dmabuf can have its number. */
GST_START_TEST (kept_image_keeps_its_inode)
{
  struct adder adder;
  struct stat status;

  adder_init (&adder);
  HAS_DMABUFS (&adder);
  const int fd = dmabuf_filled (1);

  fail_unless (fstat (fd, &status) == 0);
  vkc_image_unref (dmabuf_import (&adder, fd, true));
  close (fd);
  fail_unless (descriptors_of (status.st_ino) > 0);
  vkc_dmabuf_trim (adder.device);
  assert_equals_int (descriptors_of (status.st_ino), 0);
  adder_clear (&adder);
}
GST_END_TEST;

/* Read and written in one dispatch, by two names. */
GST_START_TEST (two_descriptors_do_not_hide_a_clash)
{
  struct adder adder;

  adder_init (&adder);
  HAS_DMABUFS (&adder);
  if (!adder_is_image ()) {
    adder_clear (&adder);
    test_skip ("buffers have no layout that could clash");
  }
  const int fd = dmabuf_filled (1), other = dup (fd);
  struct vkc_image *image = dmabuf_import (&adder, fd, false);
  struct vkc_image *again = dmabuf_import (&adder, other, false);
  g_autoptr (GError) error = NULL;

  struct vkc_job *job = vkc_job_new (adder.owner);

  vkc_job_set_pipeline (job, adder.pipeline);
  fail_unless (vkc_job_bind (job, 0, image, 0, 1, NULL));
  fail_if (vkc_job_bind (job, 1, again, 0, 1, &error));
  vkc_job_unref (job);
  fail_unless (g_error_matches (error, VKC_ERROR, VKC_ERROR_REFUSED));
  fail_unless (strstr (error->message, "source")
                   && strstr (error->message, "target"),
               "%s", error->message);
  vkc_image_unref (image);
  vkc_image_unref (again);
  close (fd);
  close (other);
  adder_clear (&adder);
}
GST_END_TEST;

/* Every fifth one is submitted: the machine of tests/vm is slow at that. */
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

    if (i % 5 == 0) {
      fail_unless (adder_plan (&adder, source, target, 1, NULL));
      fail_unless (adder_flush (&adder, target, NULL));
    }
    vkc_image_unref (source);
    if (i % 1000 == 0)
      fail_unless (adder_holds (target, i % 4 + 1));
    if (i == 100)
      after = open_descriptors ();
  }
  fail_unless (adder_holds (target, 9995 % 4 + 1));
  fail_unless (open_descriptors () <= after);
  assert_equals_uint64 (adder_counters (&adder).imports, 4);
  assert_equals_uint64 (adder_counters (&adder).import_hits, 9996);
  /* What was in flight is let go of on another thread. */
  for (unsigned i = 0; i < 500 && open_descriptors () > before + 8; i++) {
    vkc_dmabuf_trim (adder.device);
    g_usleep (10000);
  }
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

/* Loop: import_calls. Mutation seen to fail this: a descriptor that is not
 * closed when the memory was not to be had. */
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
  tcase_add_test (tc, recycled_descriptor_is_another_picture);
  tcase_add_test (tc, recycled_inode_is_another_picture);
  tcase_add_test (tc, kept_image_keeps_its_inode);
  tcase_add_test (tc, two_descriptors_do_not_hide_a_clash);
  tcase_add_test (tc, many_frames_over_four_buffers_are_four_imports);
  tcase_add_test (tc, only_images_that_nobody_holds_are_evicted);
  tcase_add_loop_test (tc, failed_import_leaves_nothing, 0,
                       G_N_ELEMENTS (import_calls));
  tcase_add_test (tc, hostile_descriptors_are_refused);
  return suite;
}

GST_CHECK_MAIN (import);
