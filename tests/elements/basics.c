/* The base class: what a frame is and costs. */
#include "tests/elements/adder.h"
#include "tests/support/support.h"

GST_START_TEST (chain_of_three_is_one_submission_a_frame)
{
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=100 ! "
      "video/x-raw,format=NV12,width=64,height=48 ! "
      "vkctestadd name=a ! queue ! vkctestadd ! identity ! vkctestadd name=c ! "
      "fakesink");

  test_pipeline_run (pipeline, 20);
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "submits"), 100);
  test_pipeline_free (pipeline);
}
GST_END_TEST;

static Suite *
basics_suite (void)
{
  Suite *suite = suite_create ("basics");
  TCase *tc = tcase_create ("all");

  test_adder_register ();
  suite_add_tcase (suite, tc);
  tcase_add_test (tc, chain_of_three_is_one_submission_a_frame);
  return suite;
}

GST_CHECK_MAIN (basics);
