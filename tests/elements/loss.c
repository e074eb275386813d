/* A device that is lost or takes no work, as applications see it. */
#include "gst/base/gstvkccontext.h"
#include "tests/elements/adder.h"
#include "tests/support/support.h"

#define SOURCE                                                                 \
  "videotestsrc num-buffers=%d pattern=black ! "                               \
  "video/x-raw,format=GRAY8,width=64,height=48 ! "

static const char *const names[] = { "a", "b", "c" };

/* What an application has heard so far. */
struct heard
{
  guint errors[G_N_ELEMENTS (names)];
  guint losses[G_N_ELEMENTS (names)];
  guint others; /* errors of other elements */
};

static void
listen (GstElement *pipeline, struct heard *heard)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  GstMessage *message;

  while ((message = gst_bus_pop_filtered (
              bus, GST_MESSAGE_ERROR | GST_MESSAGE_ELEMENT))) {
    const gboolean is_error = GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR;
    guint found = G_N_ELEMENTS (names);

    for (guint i = 0; i < G_N_ELEMENTS (names); i++)
      if (g_str_equal (GST_OBJECT_NAME (GST_MESSAGE_SRC (message)), names[i]))
        found = i;
    if (found == G_N_ELEMENTS (names))
      heard->others += is_error;
    else if (is_error)
      heard->errors[found]++;
    else if (gst_message_has_name (message, "vkc-device-lost"))
      heard->losses[found]++;
    gst_message_unref (message);
  }
}

static guint64
recorder_of (GstElement *pipeline, const char *name)
{
  return test_stat (pipeline, name, "recorder", "id");
}

static void
cycle (GstElement *pipeline, const char *name)
{
  g_autoptr (GstElement) element
      = gst_bin_get_by_name (GST_BIN (pipeline), name);

  fail_unless (gst_element_set_state (element, GST_STATE_READY)
               != GST_STATE_CHANGE_FAILURE);
  fail_unless (gst_element_sync_state_with_parent (element));
}

/* The three share one device. Its loss is everybody's, once; one that is cycled
 * alone has a new device, and so have all after the whole was. */
GST_START_TEST (loss_is_told_once_each_and_a_cycle_brings_a_new_device)
{
  struct vkc_device *keeps_driver_loaded = test_device_new ();
  GstElement *pipeline = test_pipeline_new (
      SOURCE "bin.( vkctestadd name=a ) ! bin.( bin.( vkctestadd name=b ) ) ! "
             "vkctestadd name=c ! fakesink",
      1000000);
  struct heard heard = { 0 };
  guint64 lost_id, submits;

  test_wrap_fail ("vkQueueSubmit2", 5, VK_ERROR_DEVICE_LOST, FALSE);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (guint i = 0; i < 1000 && heard.losses[0] + heard.losses[1]
                                        + heard.losses[2]
                                    < 3;
       i++) {
    listen (pipeline, &heard);
    g_usleep (10000);
  }
  submits = test_wrap_count_real ("vkQueueSubmit2");
  lost_id = recorder_of (pipeline, "a");
  g_usleep (100000);
  listen (pipeline, &heard);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    assert_equals_int (heard.errors[i], 1);
    assert_equals_int (heard.losses[i], 1);
    assert_equals_uint64 (recorder_of (pipeline, names[i]), lost_id);
  }
  assert_equals_uint64 (test_wrap_count_real ("vkQueueSubmit2"), submits);

  test_wrap_reset ();
  cycle (pipeline, "b");
  fail_unless (recorder_of (pipeline, "b") != lost_id);
  gst_element_set_state (pipeline, GST_STATE_READY);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while (test_stat (pipeline, "c", "recorder", "submits") < 20)
    g_usleep (1000);
  for (guint i = 1; i < G_N_ELEMENTS (names); i++)
    assert_equals_uint64 (recorder_of (pipeline, names[i]),
                          recorder_of (pipeline, "a"));
  fail_unless (recorder_of (pipeline, "a") != lost_id);
  test_pipeline_free (pipeline);
  vkc_device_unref (keeps_driver_loaded);
  test_assert_all_gone ();
}
GST_END_TEST;

GST_START_TEST (application_whose_device_is_lost_sets_a_new_context)
{
  struct vkc_device *keeps_driver_loaded = test_device_new ();
  GstElement *pipeline
      = test_pipeline_new (SOURCE "vkctestadd name=a ! fakesink", 10);
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) again = NULL;

  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstVkcContext) context = gst_vkc_context_new (NULL);
    g_autoptr (GstContext) wrapped = gst_vkc_context_wrap (context);

    gst_element_set_context (pipeline, wrapped);
    if (i == 1)
      break;
    test_wrap_fail ("vkQueueSubmit2", 5, VK_ERROR_DEVICE_LOST, FALSE);
    error = test_pipeline_run_to_error (pipeline, 20);
    fail_unless (error != NULL);
    gst_element_set_state (pipeline, GST_STATE_NULL);
    test_wrap_reset ();
    again = test_pipeline_run_to_error (pipeline, 20);
    fail_unless (again != NULL && strstr (again->message, "new context"),
                 "%s", again ? again->message : "no error");
    gst_element_set_state (pipeline, GST_STATE_NULL);
  }
  test_pipeline_run (pipeline, 20);
  assert_equals_uint64 (test_stat (pipeline, "a", "recorder", "submits"), 10);
  test_pipeline_free (pipeline);
  vkc_device_unref (keeps_driver_loaded);
}
GST_END_TEST;

/* Mutation seen to fail this: messages that name elements only. */
GST_START_TEST (failure_names_elements_and_their_kernels)
{
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=10 ! video/x-raw,format=P010_10LE,width=64,"
      "height=48,colorimetry=bt2100-pq ! vktonemap name=a peak-detection=on ! "
      "video/x-raw,format=GRAY8 ! vkctestadd name=b ! fakesink");
  g_autoptr (GError) error = NULL;

  test_wrap_fail_from ("vkQueueSubmit2", 5, VK_ERROR_OUT_OF_DEVICE_MEMORY);
  error = test_pipeline_run_to_error (pipeline, 20);
  fail_unless (error != NULL);
  fail_unless (
      g_str_has_prefix (error->message, "a (peak, colorconvert), b (add_"),
      "%s", error->message);
  fail_unless (strstr (error->message, "vkQueueSubmit2") != NULL, "%s",
               error->message);
  test_pipeline_free (pipeline);
}
GST_END_TEST;

static Suite *
loss_suite (void)
{
  Suite *suite = suite_create ("loss");
  TCase *tests = tcase_create ("loss");

  test_adder_register ();
  suite_add_tcase (suite, tests);
  tcase_add_test (tests,
                  loss_is_told_once_each_and_a_cycle_brings_a_new_device);
  tcase_add_test (tests, application_whose_device_is_lost_sets_a_new_context);
  tcase_add_test (tests, failure_names_elements_and_their_kernels);
  return suite;
}

GST_CHECK_MAIN (loss);
