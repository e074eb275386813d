/* Dmabufs among several: threads, names, planes, and who else uses them. */
#include <errno.h>
#include <linux/dma-buf.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gst/vk/result.h"
#include "tests/gpu/dmabufs.h"

#define TURNS 20

struct turns
{
  struct adder *adder;
  struct vkc_image *source;
  uint32_t increment;
};

static gpointer
take_turns (gpointer data)
{
  struct turns *turns = data;
  struct vkc_image *target = adder_image (turns->adder);

  for (guint i = 0; i < TURNS; i++) {
    fail_unless (adder_plan (turns->adder, turns->source, target,
                             turns->increment, NULL));
    fail_unless (adder_flush (turns->adder, target, NULL));
    fail_unless (adder_holds (target, 40 + turns->increment));
  }
  vkc_image_unref (target);
  return NULL;
}

/* Each submission takes the image as the one before, of whichever thread, left
 * it. Mutation seen to fail this: every acquire from UNDEFINED. */
GST_START_TEST (threads_take_turns_on_one_dmabuf)
{
  struct adder adder;

  adder_init (&adder);
  HAS_DMABUFS (&adder);
  const int fd = dmabuf_filled (40);
  struct vkc_image *source = dmabuf_import (&adder, fd, false);
  struct turns turns[2] = { { &adder, source, 1 }, { &adder, source, 2 } };
  GThread *thread;

  test_wrap_reset ();
  thread = g_thread_new ("other", take_turns, &turns[0]);
  take_turns (&turns[1]);
  g_thread_join (thread);
  dmabuf_assert_protocol (&adder, 2 * TURNS);
  vkc_image_unref (source);
  close (fd);
  adder_clear (&adder);
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

  struct vkc_job *job = vkc_job_new (adder.owner, "clash");

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
sharing_suite (void)
{
  Suite *suite = suite_create ("sharing");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (suite, tc);
  tcase_add_test (tc, threads_take_turns_on_one_dmabuf);
  tcase_add_test (tc, kept_image_keeps_its_inode);
  tcase_add_test (tc, two_descriptors_do_not_hide_a_clash);
  tcase_add_test (tc, sync_files_follow_use_and_planes);
  tcase_add_test (tc, failed_export_is_one_wait);
  return suite;
}

GST_CHECK_MAIN (sharing);
