/* Feeds raw frames from memory to elements: what a decoder's pool would do, so
 * that reading files is not measured.
 *
 *   feed FRAMES.raw CAPS NUMBER ELEMENTS
 *
 * Pushes NUMBER frames of FRAMES.raw (over and over) of video CAPS into
 * `appsrc ! ELEMENTS ! fakesink`. */
#include <gst/app/gstappsrc.h>
#include <gst/video/video.h>

static GPtrArray *
load_frames (const char *path, const GstVideoInfo *info)
{
  GPtrArray *frames = g_ptr_array_new ();
  char *data;
  gsize size;

  if (!g_file_get_contents (path, &data, &size, NULL))
    g_error ("cannot read %s", path);
  for (gsize at = 0; at + info->size <= size; at += info->size) {
    GstBuffer *frame = gst_buffer_new_and_alloc (info->size);

    gst_buffer_fill (frame, 0, data + at, info->size);
    g_ptr_array_add (frames, frame);
  }
  g_free (data);
  return frames;
}

static void
push (GstElement *source, GPtrArray *frames, guint number)
{
  for (guint i = 0; i < number; i++) {
    GstBuffer *frame
        = gst_buffer_copy (g_ptr_array_index (frames, i % frames->len));

    GST_BUFFER_PTS (frame) = i * GST_SECOND / 24;
    gst_app_src_push_buffer (GST_APP_SRC (source), frame);
  }
  gst_app_src_end_of_stream (GST_APP_SRC (source));
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  if (argc != 5)
    g_error ("usage: %s FRAMES.raw CAPS NUMBER ELEMENTS", argv[0]);

  g_autoptr (GError) error = NULL;
  g_autofree char *line = g_strdup_printf (
      "appsrc name=source block=true format=time max-buffers=2 max-bytes=0 "
      "max-time=0 ! %s ! fakesink", argv[4]);
  GstElement *pipeline = gst_parse_launch (line, &error);
  g_autoptr (GstCaps) caps = gst_caps_from_string (argv[2]);
  GstVideoInfo info;

  if (error != NULL || caps == NULL || !gst_video_info_from_caps (&info, caps))
    g_error ("%s: %s", line, error ? error->message : "bad caps");

  GstElement *source = gst_bin_get_by_name (GST_BIN (pipeline), "source");
  GPtrArray *frames = load_frames (argv[1], &info);

  gst_app_src_set_caps (GST_APP_SRC (source), caps);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  push (source, frames, g_ascii_strtoull (argv[3], NULL, 10));

  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = gst_bus_timed_pop_filtered (
      bus, GST_CLOCK_TIME_NONE, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  const gboolean done = GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS;

  gst_element_set_state (pipeline, GST_STATE_NULL);
  return done ? 0 : 1;
}
