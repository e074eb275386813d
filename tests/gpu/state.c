/* State that jobs carry from frame to frame. */
#include "tests/gpu/adder.h"

static struct adder adder;

/* Appends: state = state' + 1, from one image of the pair to the other, and a
 * frame that shows it. */
static void
plan_counted_frame (struct vkc_image *states[2], unsigned n,
                    struct vkc_image *frame)
{
  struct vkc_job *job
      = adder_job (&adder, NULL, states[n % 2], states[(n + 1) % 2], 1);

  vkc_job_set_state (job);
  fail_unless (vkc_recorder_append (adder.device->recorder, job, NULL));
  fail_unless (adder_plan (&adder, states[(n + 1) % 2], frame, 0, NULL));
}

static void
make_states (struct vkc_image *states[2])
{
  states[0] = adder_filled (&adder, 0);
  states[1] = adder_image (&adder);
  vkc_image_set_persistent (states[0]);
  vkc_image_set_persistent (states[1]);
}

/* Dropped frames must not drop what later ones build on.
 * Mutation seen to fail this: a job that replaces a state discards the one
 * that made it. */
GST_START_TEST (state_survives_frames_that_are_dropped)
{
  struct vkc_image *states[2], *frame;

  adder_init (&adder);
  make_states (states);
  for (unsigned n = 0; n < 3; n++) {
    frame = adder_image (&adder);
    plan_counted_frame (states, n, frame);
    if (n < 2)
      vkc_image_unref (frame);
  }
  fail_unless (adder_flush (&adder, frame, NULL));
  fail_unless (adder_holds (frame, 3));
  assert_equals_uint64 (adder_counters (&adder).submits, 1);
  assert_equals_uint64 (adder_counters (&adder).dispatches, 4);
  assert_equals_uint64 (adder_counters (&adder).discarded, 2);
  assert_equals_uint64 (adder_counters (&adder).state_only, 2);
  vkc_image_unref (frame);
  vkc_image_unref (states[0]);
  vkc_image_unref (states[1]);
  adder_clear (&adder);
}
GST_END_TEST;

/* A frame that is flushed late shows the state of its own time.
 * Mutation seen to fail this: no edges from a state's readers. */
GST_START_TEST (state_is_updated_in_the_order_of_planning)
{
  struct vkc_image *states[2], *frames[4];

  adder_init (&adder);
  make_states (states);
  for (unsigned n = 0; n < 4; n++) {
    frames[n] = adder_image (&adder);
    plan_counted_frame (states, n, frames[n]);
  }
  for (int n = 3; n >= 0; n--)
    fail_unless (adder_flush (&adder, frames[n], NULL));
  for (unsigned n = 0; n < 4; n++) {
    fail_unless (adder_holds (frames[n], n + 1), "frame %u", n);
    vkc_image_unref (frames[n]);
  }
  vkc_image_unref (states[0]);
  vkc_image_unref (states[1]);
  adder_clear (&adder);
}
GST_END_TEST;

/* The value that is reached when @image is there. */
static uint64_t
submitted_as (struct vkc_image *image)
{
  uint64_t done;

  fail_unless (vkc_recorder_flush (adder.device->recorder, image,
                                   VKC_FLUSH_TAIL, false, NULL, &done,
                                   NULL));
  return done;
}

/* What is overdue is submitted by the completion thread, before anything else:
 * here a state whose frame was dropped, and then another owner's frame.
 * Mutation seen to fail this: frames first. */
GST_START_TEST (overdue_state_comes_before_younger_frames)
{
  struct vkc_image *states[2], *dropped, *source, *frame;
  struct vkc_owner *other;

  g_setenv ("VKC_MAX_PENDING_MS", "200", TRUE);
  adder_init (&adder);
  other = adder_owner (&adder, "other");
  make_states (states);
  source = adder_filled (&adder, 0);
  dropped = adder_image (&adder);
  frame = adder_image (&adder);
  plan_counted_frame (states, 0, dropped);
  vkc_image_unref (dropped);
  fail_unless (vkc_recorder_append (
      adder.device->recorder, adder_job (&adder, other, source, frame, 3),
      NULL));
  while (vkc_image_is_pending (states[1]))
    g_usleep (1000);
  fail_unless (submitted_as (states[1]) < submitted_as (frame));
  assert_equals_uint64 (adder_counters (&adder).submits, 2);
  fail_unless (adder_holds (frame, 3));
  vkc_image_unref (source);
  vkc_image_unref (frame);
  vkc_image_unref (states[0]);
  vkc_image_unref (states[1]);
  vkc_owner_unref (other);
  adder_clear (&adder);
}
GST_END_TEST;

/* A state goes with its frame. */
GST_START_TEST (overdue_frame_takes_its_state_along)
{
  struct vkc_image *states[2], *frame;

  g_setenv ("VKC_MAX_PENDING_MS", "50", TRUE);
  adder_init (&adder);
  make_states (states);
  frame = adder_image (&adder);
  plan_counted_frame (states, 0, frame);
  while (vkc_image_is_pending (frame))
    g_usleep (1000);
  assert_equals_uint64 (adder_counters (&adder).submits, 1);
  fail_unless (adder_holds (frame, 1));
  vkc_image_unref (frame);
  vkc_image_unref (states[0]);
  vkc_image_unref (states[1]);
  adder_clear (&adder);
}
GST_END_TEST;

static Suite *
state_suite (void)
{
  Suite *suite = suite_create ("state");
  TCase *tests = tcase_create ("state");

  suite_add_tcase (suite, tests);
  tcase_add_test (tests, state_survives_frames_that_are_dropped);
  tcase_add_test (tests, state_is_updated_in_the_order_of_planning);
  tcase_add_test (tests, overdue_state_comes_before_younger_frames);
  tcase_add_test (tests, overdue_frame_takes_its_state_along);
  return suite;
}

GST_CHECK_MAIN (state);
