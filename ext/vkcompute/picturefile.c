/* Pictures from files. */
#include "picturefile.h"

#include <gst/video/video.h>

#define TIMEOUT (10 * GST_SECOND)

/* Why @pipeline came to no picture. */
static void
set_error (GstElement *pipeline, const gchar *path, GError **error)
{
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  g_autoptr (GError) why = NULL;

  if (message != NULL)
    gst_message_parse_error (message, &why, NULL);
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ,
               "cannot read the picture \"%s\": %s", path,
               why != NULL ? why->message : "there is none");
  gst_clear_message (&message);
  gst_object_unref (bus);
}

static GstElement *
make_pipeline (const gchar *path, GError **error)
{
  GError *why = NULL;
  GstElement *pipeline = gst_parse_launch (
      "filesrc name=file ! decodebin ! videoconvert ! video/x-raw,format=RGBA "
      "! fakesink name=sink enable-last-sample=true",
      &why);
  GstElement *file;

  if (why != NULL) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ,
                 "cannot read the picture \"%s\": %s", path, why->message);
    g_error_free (why);
    gst_clear_object (&pipeline);
    return NULL;
  }
  file = gst_bin_get_by_name (GST_BIN (pipeline), "file");
  g_object_set (file, "location", path, NULL);
  gst_object_unref (file);
  return pipeline;
}

static GstSample *
get_sample (GstElement *pipeline)
{
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  GstSample *sample = NULL;

  g_object_get (sink, "last-sample", &sample, NULL);
  gst_object_unref (sink);
  return sample;
}

/* NULL: it cannot be mapped. */
static GBytes *
copy_rows (GstSample *sample, guint *width, guint *height)
{
  GstVideoFrame frame;
  GstVideoInfo info;
  guint8 *rows;
  gsize size;

  if (!gst_video_info_from_caps (&info, gst_sample_get_caps (sample))
      || !gst_video_frame_map (&frame, &info, gst_sample_get_buffer (sample),
                               GST_MAP_READ))
    return NULL;
  *width = GST_VIDEO_INFO_WIDTH (&info);
  *height = GST_VIDEO_INFO_HEIGHT (&info);
  size = (gsize)*width * 4;
  rows = g_malloc (size * *height);
  for (guint y = 0; y < *height; y++)
    memcpy (rows + y * size,
            (const guint8 *)GST_VIDEO_FRAME_PLANE_DATA (&frame, 0)
                + (gsize)y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0),
            size);
  gst_video_frame_unmap (&frame);
  return g_bytes_new_take (rows, size * *height);
}

GBytes *
picture_file_read (const gchar *path, guint *width, guint *height,
                   GError **error)
{
  GstElement *pipeline = make_pipeline (path, error);
  GstSample *sample = NULL;
  GBytes *rows = NULL;

  if (pipeline == NULL)
    return NULL;
  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  if (gst_element_get_state (pipeline, NULL, NULL, TIMEOUT)
      == GST_STATE_CHANGE_SUCCESS)
    sample = get_sample (pipeline);
  if (sample != NULL)
    rows = copy_rows (sample, width, height);
  if (rows == NULL)
    set_error (pipeline, path, error);
  g_clear_pointer (&sample, gst_sample_unref);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  return rows;
}
