/* Whose a dmabuf is, and in which layout: acquired and released by turns. */
#include <unistd.h>

#include "tests/gpu/dmabufs.h"

#define TURNS 20

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
  test_wrap_close_gate (adder.device);
  fail_unless (adder_plan (&adder, source, target, 1, NULL));
  fail_unless (vkc_recorder_flush (adder.device->recorder, target,
                                   VKC_FLUSH_TAIL, false, adder.owner, &done,
                                   NULL));
  test_wrap_fail_from ("vkWaitSemaphores", 1, VK_TIMEOUT);
  fail_if (vkc_recorder_wait (adder.device->recorder, done, NULL));
  test_wrap_stop_failing ();
  test_wrap_open_gate ();
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
  /* The lower halves, as words. */
  fail_unless (dmabuf_holds (fd, 0x203));

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

/* One dmabuf at two bindings, by two names: one acquire, one release, and both
 * names see what was published. Mutation seen to fail this: every acquire from
 * UNDEFINED. */
GST_START_TEST (two_names_in_one_dispatch_are_acquired_once)
{
  struct adder adder;

  adder_init (&adder);
  HAS_DMABUFS (&adder);
  const int fd = dmabuf_filled (5), again = dup (fd);
  struct vkc_image *one = dmabuf_import (&adder, fd, false);
  struct vkc_image *other = dmabuf_import (&adder, again, false);
  struct vkc_image *target = adder_image (&adder);

  test_wrap_reset ();
  for (unsigned i = 0; i < 3; i++) {
    const uint32_t *words;

    fail_unless (adder_plan_sum (&adder, one, other, target));
    fail_unless (adder_flush (&adder, target, NULL));
    words = vkc_image_map (target, VKC_MAP_READ, NULL);
    for (uint32_t k = 0; k < ADDER_WORDS; k++)
      assert_equals_int (words[k], 2 * (k + 5));
    vkc_image_unmap (target, VKC_MAP_READ);
    if (adder_is_image ())
      fail_unless_equals_int (vkc_image_layout (other, 0),
                              VK_IMAGE_LAYOUT_GENERAL);
  }
  dmabuf_assert_protocol (&adder, 3);
  vkc_image_unref (one);
  vkc_image_unref (other);
  vkc_image_unref (target);
  close (fd);
  close (again);
  adder_clear (&adder);
}
GST_END_TEST;

/* Two dmabufs in one dispatch: both are published, the second as well as the
 * first. Mutation seen to fail this: publication of a batch's first two
 * images. */
GST_START_TEST (every_dmabuf_of_a_dispatch_is_published)
{
  struct adder adder;

  adder_init (&adder);
  HAS_DMABUFS (&adder);
  const int fds[2] = { dmabuf_filled (10), dmabuf_filled (20) };
  struct vkc_image *one = dmabuf_import (&adder, fds[0], false);
  struct vkc_image *other = dmabuf_import (&adder, fds[1], false);
  struct vkc_image *target = adder_image (&adder);

  test_wrap_reset ();
  fail_unless (adder_plan_sum (&adder, one, other, target));
  fail_unless (adder_flush (&adder, target, NULL));
  fail_unless (adder_plan (&adder, other, target, 1, NULL));
  fail_unless (adder_flush (&adder, target, NULL));
  fail_unless (adder_holds (target, 21));
  dmabuf_assert_protocol (&adder, 1);
  if (adder_is_image ())
    fail_unless (vkc_image_layout (one, 0) == VK_IMAGE_LAYOUT_GENERAL
                 && vkc_image_layout (other, 0) == VK_IMAGE_LAYOUT_GENERAL);
  vkc_image_unref (one);
  vkc_image_unref (other);
  vkc_image_unref (target);
  close (fds[0]);
  close (fds[1]);
  adder_clear (&adder);
}
GST_END_TEST;

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

static gpointer
plan_and_submit (gpointer data)
{
  struct turns *turns = data;
  struct vkc_image *target = adder_image (turns->adder);

  fail_unless (adder_plan (turns->adder, turns->source, target,
                           turns->increment, NULL));
  fail_unless (adder_flush (turns->adder, target, NULL));
  return target;
}

/* What comes next starts from what was published, though the device has not got
 * there. Mutation seen to fail this: every acquire from UNDEFINED. */
GST_START_TEST (submission_that_has_not_run_has_left_its_layout)
{
  struct adder adder;

  adder_init (&adder);
  HAS_DMABUFS (&adder);
  const int fd = dmabuf_filled (40);
  struct vkc_image *source = dmabuf_import (&adder, fd, false);
  struct turns turns[2] = { { &adder, source, 1 }, { &adder, source, 2 } };
  struct vkc_image *targets[2];

  test_wrap_reset ();
  test_wrap_close_gate (adder.device);
  targets[0] = plan_and_submit (&turns[0]);
  targets[1] = g_thread_join (
      g_thread_new ("other", plan_and_submit, &turns[1]));
  fail_if (vkc_image_is_idle (source));
  test_wrap_open_gate ();
  for (guint i = 0; i < 2; i++) {
    fail_unless (adder_holds (targets[i], 40 + turns[i].increment));
    vkc_image_unref (targets[i]);
  }
  dmabuf_assert_protocol (&adder, 2);
  vkc_image_unref (source);
  close (fd);
  adder_clear (&adder);
}
GST_END_TEST;

static Suite *
ownership_suite (void)
{
  Suite *suite = suite_create ("ownership");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (suite, tc);
  tcase_add_test (tc, each_submission_acquires_once_and_releases_once);
  tcase_add_test (tc, written_dmabufs_hold_the_result);
  tcase_add_test (tc, dmabuf_that_is_written_and_read_stays_ours_between);
  tcase_add_test (tc, refused_submission_leaves_the_dmabuf_with_others);
  tcase_add_test (tc, failed_wait_keeps_what_was_published);
  tcase_add_test (tc, views_of_one_dmabuf_take_turns);
  tcase_add_test (tc, two_names_in_one_dispatch_are_acquired_once);
  tcase_add_test (tc, every_dmabuf_of_a_dispatch_is_published);
  tcase_add_test (tc, threads_take_turns_on_one_dmabuf);
  tcase_add_test (tc, submission_that_has_not_run_has_left_its_layout);
  return suite;
}

GST_CHECK_MAIN (ownership);
