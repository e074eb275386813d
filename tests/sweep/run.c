/* Runs pipelines with one Vulkan call made to fail, each in a process of its
 * own, and prints what came of them; sweep.py judges.
 *
 * usage: run SECONDS; a case is a line on standard input:
 *   entry point TAB number of the call TAB VkResult TAB launch line
 * ("-" for the entry point: nothing fails). Its facts are lines on standard
 * output, key TAB value, up to "end TAB exit status" (negative: the signal; 
 * "hang": it was still there after SECONDS and was killed).
 *
 * The sink's name says what it gets looked at: counted, hashed (frames are
 * mapped on their way in), pulled (an appsink) or file (a filesink). */
#include <gst/app/gstappsink.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gst/vk/functions.h"
#include "tests/support/wrap.h"

/* Time for a second error of the same failure. */
#define ECHO_MS 20

struct test_case
{
  char *entry, *line;
  unsigned nth;
  int result;
};

static GChecksum *sum;
static gint frames;

static void
fact (const char *key, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* One write a line: threads do not mix, and a crash loses nothing. */
static void
fact (const char *key, const char *format, ...)
{
  g_autofree char *value = NULL, *line = NULL;
  va_list args;

  va_start (args, format);
  value = g_strdup_vprintf (format, args);
  va_end (args);
  g_strdelimit (value, "\n\t", ' ');
  line = g_strdup_printf ("%s\t%s\n", key, value);
  if (write (STDOUT_FILENO, line, strlen (line)) < 0)
    _exit (1);
}

static GLogWriterOutput
note_criticals (GLogLevelFlags level, const GLogField *fields, gsize n,
                gpointer data)
{
  if (level & (G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_ERROR)) {
    g_autofree char *text
        = g_log_writer_format_fields (level, fields, n, FALSE);

    fact ("critical", "%s", text);
  }
  return g_log_writer_standard_streams (level, fields, n, data);
}

/* Sees all messages, also those that nobody pops. */
static GstBusSyncReply
note_message (GstBus *bus, GstMessage *message, gpointer data)
{
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    g_autoptr (GError) error = NULL;
    g_autofree char *debug = NULL;

    gst_message_parse_error (message, &error, &debug);
    fact ("error", "%s: %s", GST_MESSAGE_SRC_NAME (message), error->message);
  } else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS) {
    fact ("eos", "1");
  }
  return GST_BUS_PASS;
}

static void
hash (GstBuffer *buffer)
{
  GstMapInfo map;

  if (!gst_buffer_map (buffer, &map, GST_MAP_READ)) {
    fact ("critical", "a frame cannot be mapped");
    return;
  }
  g_checksum_update (sum, map.data, map.size);
  gst_buffer_unmap (buffer, &map);
}

static GstPadProbeReturn
note_buffer (GstPad *pad, GstPadProbeInfo *info, gpointer hashed)
{
  g_atomic_int_inc (&frames);
  if (hashed)
    hash (GST_PAD_PROBE_INFO_BUFFER (info));
  return GST_PAD_PROBE_OK;
}

static GstFlowReturn
pull (GstAppSink *sink, gpointer data)
{
  g_autoptr (GstSample) sample = gst_app_sink_pull_sample (sink);

  if (sample)
    hash (gst_sample_get_buffer (sample));
  return GST_FLOW_OK;
}

static GstElement *
find_sink (GstElement *pipeline)
{
  static const char *const names[] = { "counted", "hashed", "pulled", "file" };
  GstElement *sink = NULL;

  for (unsigned i = 0; i < G_N_ELEMENTS (names) && !sink; i++)
    sink = gst_bin_get_by_name (GST_BIN (pipeline), names[i]);
  g_assert (sink);
  return sink;
}

static void
watch_sink (GstElement *sink)
{
  static GstAppSinkCallbacks callbacks = { .new_sample = pull };
  g_autoptr (GstPad) pad = gst_element_get_static_pad (sink, "sink");
  const gboolean hashed = g_str_equal (GST_OBJECT_NAME (sink), "hashed");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, note_buffer,
                     GINT_TO_POINTER (hashed), NULL);
  if (GST_IS_APP_SINK (sink))
    gst_app_sink_set_callbacks (GST_APP_SINK (sink), &callbacks, NULL, NULL);
}

static void
hash_file (GstElement *sink)
{
  g_autofree char *path = NULL, *data = NULL;
  gsize size;

  g_object_get (sink, "location", &path, NULL);
  if (g_file_get_contents (path, &data, &size, NULL))
    g_checksum_update (sum, (guchar *) data, size);
  unlink (path);
}

/* What was leaked on purpose, for work that may still run. */
static guint64
quarantined (GstElement *pipeline)
{
  g_autoptr (GstElement) ours
      = gst_bin_get_by_name (GST_BIN (pipeline), "first");
  g_autoptr (GstStructure) stats = NULL, recorder = NULL;
  guint64 n = 0;

  g_object_get (ours, "stats", &stats, NULL);
  if (gst_structure_get (stats, "recorder", GST_TYPE_STRUCTURE, &recorder,
                         NULL))
    gst_structure_get_uint64 (recorder, "quarantined", &n);
  return n;
}

/* Objects that exist once everything had its time to go. */
static gint64
settled_live (void)
{
  const gint64 end = g_get_monotonic_time () + 3 * G_TIME_SPAN_SECOND;

  while (test_wrap_live (NULL) != 0 && g_get_monotonic_time () < end)
    g_usleep (1000);
  return test_wrap_live (NULL);
}

static void
play (GstElement *pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = NULL;

  gst_bus_set_sync_handler (bus, note_message, NULL, NULL);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE,
                                        GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
    g_usleep (ECHO_MS * 1000);
}

static void
run_case (const struct test_case *test)
{
  const gboolean fails = !g_str_equal (test->entry, "-");
  GstElement *pipeline, *sink;
  gint64 stopping;

  g_log_set_writer_func (note_criticals, NULL, NULL);
  sum = g_checksum_new (G_CHECKSUM_MD5);
  test_wrap_install ();
  pipeline = gst_parse_launch (test->line, NULL);
  sink = find_sink (pipeline);
  watch_sink (sink);
  if (fails)
    test_wrap_fail (test->entry, test->nth, test->result, false);
  play (pipeline);
  fact ("quarantined", "%" G_GUINT64_FORMAT, quarantined (pipeline));
  stopping = g_get_monotonic_time ();
  gst_element_set_state (pipeline, GST_STATE_NULL);
  fact ("stopped", "%" G_GINT64_FORMAT,
        (g_get_monotonic_time () - stopping) / 1000);
  if (g_str_equal (GST_OBJECT_NAME (sink), "file"))
    hash_file (sink);
  gst_object_unref (sink);
  gst_object_unref (pipeline);
  fact ("live", "%" G_GINT64_FORMAT, settled_live ());
  fact ("frames", "%d", frames);
  fact ("hash", "%s", g_checksum_get_string (sum));
  if (fails)
    fact ("fired", "%d", test_wrap_count (test->entry) >= test->nth);
  g_checksum_free (sum);
}

static void
print_calls (void)
{
#define PRINT(name)                                                           \
  fact ("calls", "vk" #name " %" G_GUINT64_FORMAT,                            \
        test_wrap_count ("vk" #name));
  VKC_INSTANCE_FUNCTIONS (PRINT)
  VKC_DEVICE_FUNCTIONS (PRINT)
  VKC_OPTIONAL_DEVICE_FUNCTIONS (PRINT)
#undef PRINT
}

/* True once @child has ended; kills it at @end. */
static gboolean
wait_for (pid_t child, gint64 end, int *status)
{
  while (waitpid (child, status, WNOHANG) == 0) {
    if (g_get_monotonic_time () > end) {
      kill (child, SIGKILL);
      waitpid (child, status, 0);
      return FALSE;
    }
    g_usleep (2000);
  }
  return TRUE;
}

static void
fork_case (const struct test_case *test, int seconds)
{
  const gint64 end = g_get_monotonic_time () + seconds * G_TIME_SPAN_SECOND;
  const pid_t child = fork ();
  int status;

  if (child == 0) {
    close (STDIN_FILENO);
    run_case (test);
    if (g_str_equal (test->entry, "-"))
      print_calls ();
    exit (0);
  }
  if (!wait_for (child, end, &status))
    fact ("end", "hang");
  else
    fact ("end", "%d",
          WIFEXITED (status) ? WEXITSTATUS (status) : -WTERMSIG (status));
}

/* Plugins and drivers are loaded once, before the processes part. Nothing is made
 * here: threads of a driver do not survive a fork. */
static void
load_libraries (void)
{
  static const char *const names[]
      = { "videotestsrc", "capsfilter", "vkcompute",    "vkcolorconvert",
          "vktonemap",    "x264enc",    "jpegenc",      "videoconvert",
          "filesink",     "fakesink",   "appsink" };
  uint32_t n = 0;

  for (unsigned i = 0; i < G_N_ELEMENTS (names); i++) {
    GstElement *element = gst_element_factory_make (names[i], NULL);

    if (element)
      gst_object_unref (gst_object_ref_sink (element));
  }
  vkEnumerateInstanceExtensionProperties (NULL, &n, NULL);
}

int
main (int argc, char **argv)
{
  char line[4096];

  g_assert (argc == 2);
  gst_init (NULL, NULL);
  load_libraries ();
  while (fgets (line, sizeof line, stdin)) {
    g_auto (GStrv) parts = g_strsplit (g_strchomp (line), "\t", 4);
    const struct test_case test = {
      .entry = parts[0],
      .nth = (unsigned) atoi (parts[1]),
      .result = atoi (parts[2]),
      .line = parts[3],
    };

    fork_case (&test, atoi (argv[1]));
  }
  return 0;
}
