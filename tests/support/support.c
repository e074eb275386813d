/* Conveniences for tests on a device. */
#include "tests/support/support.h"

#include <dirent.h>
#include <glib/gstdio.h>
#include <stdarg.h>
#include <stdio.h>

#include "gst/base/gstvkcfilter.h"
#include "gst/vk/recorder.h"

void
test_skip_named (const char *test, const char *format, ...)
{
  const char *path = g_getenv ("VKC_SKIPS");
  va_list args;

  va_start (args, format);
  g_autofree char *why = g_strdup_vprintf (format, args);
  va_end (args);

  g_print ("%s: skipped: %s\n", test, why);
  if (path) {
    FILE *file = fopen (path, "a");

    fprintf (file, "%s\t%s\n", test, why);
    fclose (file);
  }
}

struct vkc_device *
test_device_new (void)
{
  g_autoptr (GError) error = NULL;
  struct vkc_device *device;

  test_wrap_install ();
  device = vkc_device_new (NULL, &error);
  fail_unless (device != NULL, "%s", error ? error->message : "no error");
  return device;
}

/* Work ends on the completion thread, which counts its waits before they start
 * while the wrapper counts them when they are over. */
static struct vkc_recorder_counters
settled_counters (struct vkc_device *device)
{
  const gint64 end = g_get_monotonic_time () + 5 * G_TIME_SPAN_SECOND;
  struct vkc_recorder_counters counters;

  do {
    counters = vkc_recorder_counters (device->recorder);
    if (counters.in_flight == 0
        && counters.watches == test_wrap_counts (device->handle).watches)
      break;
    g_usleep (1000);
  } while (g_get_monotonic_time () < end);
  return counters;
}

void
test_assert_counts_agree (struct vkc_device *device)
{
  const struct vkc_recorder_counters own = settled_counters (device);
  const struct test_counts seen = test_wrap_counts (device->handle);

  assert_equals_uint64 (own.submits, seen.submits);
  assert_equals_uint64 (own.submit_fails, seen.submit_fails);
  assert_equals_uint64 (own.dispatches, seen.dispatches);
  assert_equals_uint64 (own.copies, seen.copies);
  assert_equals_uint64 (own.barriers, seen.barrier_calls);
  assert_equals_uint64 (own.waits, seen.waits);
  assert_equals_uint64 (own.watches, seen.watches);
  assert_equals_uint64 (own.in_flight, 0);
  assert_equals_uint64 (own.pending, 0);
  assert_equals_uint64 (test_wrap_begins_on_recording (), 0);
}

void
test_assert_all_gone (void)
{
  const gint64 end = g_get_monotonic_time () + 5 * G_TIME_SPAN_SECOND;

  while (test_wrap_live (NULL) != 0 && g_get_monotonic_time () < end)
    g_usleep (1000);
  assert_equals_int64 (test_wrap_live (NULL), 0);
}

unsigned
open_descriptors (void)
{
  DIR *folder = opendir ("/proc/self/fd");
  unsigned n = 0;

  while (readdir (folder))
    n++;
  closedir (folder);
  return n;
}

char *
test_data_path (const char *name)
{
  return g_build_filename (g_getenv ("VKC_TEST_DATA"), name, NULL);
}

char *
test_temporary_file (const char *suffix, const void *data, gssize size)
{
  g_autofree char *pattern = g_strconcat ("vkc-XXXXXX", suffix, NULL);
  char *path = NULL;
  const int fd = g_file_open_tmp (pattern, &path, NULL);

  fail_unless (fd >= 0 && g_file_set_contents (path, data, size, NULL));
  g_close (fd, NULL);
  return path;
}

GstElement *
test_pipeline_new (const char *format, ...)
{
  g_autoptr (GError) error = NULL;
  GstElement *pipeline;
  va_list args;

  test_wrap_install ();
  va_start (args, format);
  g_autofree char *line = g_strdup_vprintf (format, args);
  va_end (args);
  pipeline = gst_parse_launch (line, &error);
  fail_unless (pipeline != NULL && error == NULL, "%s: %s", line,
               error ? error->message : "no pipeline");
  return pipeline;
}

GError *
test_pipeline_run_to_error (GstElement *pipeline, guint seconds)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = NULL;
  GError *error = NULL;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, seconds * GST_SECOND,
                                        GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless (message != NULL, "no EOS after %u s", seconds);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
    gst_message_parse_error (message, &error, NULL);
  return error;
}

void
test_pipeline_run (GstElement *pipeline, guint seconds)
{
  g_autoptr (GError) error = test_pipeline_run_to_error (pipeline, seconds);

  fail_unless (error == NULL, "%s", error ? error->message : "");
}

guint
test_take_warnings (GstBus *bus, const char *word)
{
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING)) != NULL) {
    g_autoptr (GError) error = NULL;

    gst_message_parse_warning (message, &error, NULL);
    fail_unless (word != NULL && strstr (error->message, word) != NULL, "%s",
                 error->message);
    gst_message_unref (message);
    n++;
  }
  return n;
}

void
test_pipeline_free (GstElement *pipeline)
{
  fail_unless_equals_int (gst_element_set_state (pipeline, GST_STATE_NULL),
                          GST_STATE_CHANGE_SUCCESS);
  gst_object_unref (pipeline);
}

static GstElement *
find_element (GstElement *pipeline, const char *name)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (pipeline), name);

  fail_unless (element != NULL, "no element %s", name);
  return element;
}

guint64
test_stat (GstElement *pipeline, const char *element, const char *part,
           const char *name)
{
  g_autoptr (GstElement) found = find_element (pipeline, element);
  g_autoptr (GstStructure) stats = NULL;
  g_autoptr (GstStructure) half = NULL;
  guint64 number = 0;

  g_object_get (found, "stats", &stats, NULL);
  fail_unless (stats != NULL, "%s has no stats", element);
  fail_unless (gst_structure_get (stats, part, GST_TYPE_STRUCTURE, &half, NULL),
               "%s has no stats/%s", element, part);
  fail_unless (gst_structure_get_uint64 (half, name, &number),
               "%s has no stats/%s/%s", element, part, name);
  return number;
}

void
test_assert_stats_agree (GstElement *pipeline, const char *element)
{
  g_autoptr (GstElement) found = find_element (pipeline, element);
  struct vkc_device *device
      = gst_vkc_filter_get_device (GST_VKC_FILTER (found));
  struct test_counts seen;

  fail_unless (device != NULL, "%s has not started", element);
  test_assert_counts_agree (device);
  seen = test_wrap_counts (device->handle);
#define AGREE(name, count)                                                     \
  assert_equals_uint64 (test_stat (pipeline, element, "recorder", name),       \
                        seen.count)
  AGREE ("submits", submits);
  AGREE ("submit-fails", submit_fails);
  AGREE ("dispatches", dispatches);
  AGREE ("copies", copies);
  AGREE ("barriers", barrier_calls);
  AGREE ("waits", waits);
#undef AGREE
}
