/* Feeds raw frames from memory to elements: what a decoder's pool would do, so
 * that reading files is not measured. Prints what NUMBER of them cost, as JSON
 * (meter.h). There are WARM more before and behind those: work that is ahead
 * of the first frame measured is made up for by what follows the last one.
 *
 *   feed [OPTIONS] FRAMES.raw CAPS NUMBER ELEMENTS
 *
 * Pushes frames of FRAMES.raw (over and over; "-": noise) of video CAPS into
 * `appsrc ! ELEMENTS ! queue ! fakesink`, behind which each is mapped.
 * Several pipelines share a device. */
#include <gst/app/gstappsrc.h>
#include <gst/video/video.h>
#include <stdlib.h>
#include <string.h>

#include "gst/base/gstvkccontext.h"
#include "tests/bench/meter.h"

static gint warm = 1, n_pipelines = 1, step;
static gboolean objects, copy, gpu_time;

static const GOptionEntry options[] = {
  { "warm", 0, 0, G_OPTION_ARG_INT, &warm,
    "Frames before and behind those measured", "N" },
  { "pipelines", 0, 0, G_OPTION_ARG_INT, &n_pipelines, "How many at a time",
    "N" },
  { "step", 0, 0, G_OPTION_ARG_INT, &step, "Frames between looks at memory",
    "N" },
  { "objects", 0, 0, G_OPTION_ARG_NONE, &objects,
    "Count live Vulkan objects, too", NULL },
  { "gpu-time", 0, 0, G_OPTION_ARG_NONE, &gpu_time,
    "Measure that, too: it takes a tracer", NULL },
  { "copy", 0, 0, G_OPTION_ARG_NONE, &copy, "Copy what comes out", NULL },
  { NULL },
};

struct stream
{
  GstElement *pipeline, *source;
  GPtrArray *frames;
  guint number;
  struct meter *meter;
  guint8 *copy; /* or NULL */
  GThread *thread;
};

static void
fail (const gchar *what, const gchar *why)
{
  g_printerr ("%s: %s\n", what, why);
  exit (1);
}

static GPtrArray *
split_frames (guint8 *data, gsize all, gsize size)
{
  GPtrArray *frames
      = g_ptr_array_new_with_free_func ((GDestroyNotify)gst_buffer_unref);

  for (gsize at = 0; at + size <= all; at += size) {
    GstBuffer *frame = gst_buffer_new_and_alloc (size);

    gst_buffer_fill (frame, 0, data + at, size);
    g_ptr_array_add (frames, frame);
  }
  g_free (data);
  return frames;
}

static GPtrArray *
load_frames (const char *path, const GstVideoInfo *info)
{
  guint8 *data;
  gsize size;

  if (g_str_equal (path, "-")) {
    guint32 seed = 1;

    size = 4 * info->size;
    data = g_malloc (size);
    for (gsize i = 0; i < size; i++)
      data[i] = (seed = seed * 1664525 + 1013904223) >> 24;
  } else if (!g_file_get_contents (path, (gchar **)&data, &size, NULL)) {
    fail (path, "cannot be read");
  }
  return split_frames (data, size, info->size);
}

/* What whoever takes the frame would do. */
static GstPadProbeReturn
take (GstPad *pad, GstPadProbeInfo *info, struct stream *stream)
{
  GstBuffer *frame = GST_PAD_PROBE_INFO_BUFFER (info);
  GstMapInfo map;

  if (!gst_buffer_map (frame, &map, GST_MAP_READ))
    fail ("a frame", "cannot be mapped");
  if (copy) {
    if (stream->copy == NULL)
      stream->copy = g_malloc (map.size);
    memcpy (stream->copy, map.data, map.size);
  }
  gst_buffer_unmap (frame, &map);
  meter_count (stream->meter);
  return GST_PAD_PROBE_OK;
}

static void
init_stream (struct stream *stream, const gchar *elements, const gchar *text,
             GstVkcContext *context)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *line = g_strdup_printf (
      "appsrc name=source block=true format=time max-buffers=2 max-bytes=0 "
      "max-time=0 ! %s ! queue max-size-buffers=2 max-size-bytes=0 "
      "max-size-time=0 ! fakesink name=sink sync=false async=false",
      elements);
  g_autoptr (GstCaps) caps = gst_caps_from_string (text);
  g_autoptr (GstContext) shared = gst_vkc_context_wrap (context);
  GstElement *sink;
  GstPad *pad;

  stream->pipeline = gst_parse_launch (line, &error);
  if (error != NULL)
    fail (elements, error->message);
  gst_element_set_context (stream->pipeline, shared);
  stream->source = gst_bin_get_by_name (GST_BIN (stream->pipeline), "source");
  gst_app_src_set_caps (GST_APP_SRC (stream->source), caps);
  sink = gst_bin_get_by_name (GST_BIN (stream->pipeline), "sink");
  pad = gst_element_get_static_pad (sink, "sink");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, (GstPadProbeCallback)take,
                     stream, NULL);
  gst_object_unref (pad);
  gst_object_unref (sink);
}

static gpointer
push (gpointer data)
{
  struct stream *stream = data;
  GstFlowReturn ret = GST_FLOW_OK;

  for (guint i = 0; i < stream->number && ret == GST_FLOW_OK; i++) {
    GstBuffer *frame = gst_buffer_copy (
        g_ptr_array_index (stream->frames, i % stream->frames->len));

    GST_BUFFER_PTS (frame) = i * GST_SECOND / 24;
    ret = gst_app_src_push_buffer (GST_APP_SRC (stream->source), frame);
  }
  gst_app_src_end_of_stream (GST_APP_SRC (stream->source));
  return NULL;
}

static void
wait (struct stream *stream)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (stream->pipeline);
  g_autoptr (GstMessage) message = gst_bus_timed_pop_filtered (
      bus, GST_CLOCK_TIME_NONE, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  g_autoptr (GError) error = NULL;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error (message, &error, NULL);
    fail (GST_MESSAGE_SRC_NAME (message), error->message);
  }
}

static void
clear_stream (struct stream *stream)
{
  gst_element_set_state (stream->pipeline, GST_STATE_NULL);
  g_thread_join (stream->thread);
  gst_object_unref (stream->source);
  gst_object_unref (stream->pipeline);
  g_free (stream->copy);
}

static void
run (GPtrArray *frames, char **argv)
{
  const guint number = (guint)g_ascii_strtoull (argv[3], NULL, 10);
  struct stream *streams = g_new0 (struct stream, n_pipelines);
  struct meter *meter
      = meter_new (warm * n_pipelines, (warm + number) * n_pipelines,
                   step * n_pipelines, objects, gpu_time);
  GstVkcContext *context = gst_vkc_context_new (NULL);

  for (gint i = 0; i < n_pipelines; i++) {
    streams[i].frames = frames;
    streams[i].number = number + 2 * warm;
    streams[i].meter = meter;
    init_stream (&streams[i], argv[4], argv[2], context);
  }
  meter_watch (meter, streams[0].pipeline);
  for (gint i = 0; i < n_pipelines; i++) {
    gst_element_set_state (streams[i].pipeline, GST_STATE_PLAYING);
    streams[i].thread = g_thread_new ("push", push, &streams[i]);
  }
  for (gint i = 0; i < n_pipelines; i++)
    wait (&streams[i]);
  meter_print (meter);
  for (gint i = 0; i < n_pipelines; i++)
    clear_stream (&streams[i]);
  gst_object_unref (context);
  meter_free (meter);
  g_free (streams);
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context
      = g_option_context_new ("FRAMES.raw CAPS NUMBER ELEMENTS");
  g_autoptr (GError) error = NULL;
  GPtrArray *frames;
  GstVideoInfo info;

  gst_init (NULL, NULL);
  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    fail (argv[0], error->message);

  g_autoptr (GstCaps) caps = argc == 5 ? gst_caps_from_string (argv[2]) : NULL;

  if (caps == NULL || !gst_video_info_from_caps (&info, caps)) {
    g_printerr ("%s", g_option_context_get_help (context, TRUE, NULL));
    return 2;
  }
  frames = load_frames (argv[1], &info);
  run (frames, argv);
  g_ptr_array_unref (frames);
  return 0;
}
