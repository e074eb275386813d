#include "tests/elements/grey.h"

#include <gst/check/gstcheck.h>

GstHarness *
grey_harness_new (const gchar *line, const gchar *colorimetry)
{
  g_autofree gchar *caps = g_strconcat (GREY_CAPS, colorimetry, NULL);
  GstHarness *h = gst_harness_new_parse (line);

  gst_harness_set_sink_caps_str (h, "video/x-raw,format=NV12");
  gst_harness_set_src_caps_str (h, caps);
  return h;
}

GstBuffer *
grey_frame_new (guint n, guint y)
{
  GstBuffer *buffer = gst_buffer_new_and_alloc (GREY_WIDTH * GREY_HEIGHT * 3);
  GstMapInfo map;

  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  for (gsize i = 0; i < GREY_WIDTH * GREY_HEIGHT * 3 / 2; i++)
    GST_WRITE_UINT16_LE (map.data + 2 * i,
                         (i < GREY_WIDTH * GREY_HEIGHT ? y : 512) << 6);
  gst_buffer_unmap (buffer, &map);
  GST_BUFFER_PTS (buffer) = gst_util_uint64_scale (n, GST_SECOND, 24);
  GST_BUFFER_DURATION (buffer) = GST_SECOND / 24;
  return buffer;
}

GstBuffer *
grey_frame_paint (GstBuffer *buffer, guint x0, guint y0, guint width,
                  guint height, guint y)
{
  GstMapInfo map;

  gst_buffer_map (buffer, &map, GST_MAP_READWRITE);
  for (guint row = y0; row < y0 + height; row++)
    for (guint x = x0; x < x0 + width; x++)
      GST_WRITE_UINT16_LE (map.data + 2 * (row * GREY_WIDTH + x), y << 6);
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

guint
grey_luma_at (GstBuffer *out, guint x, guint y)
{
  GstMapInfo map;
  guint luma;

  gst_buffer_map (out, &map, GST_MAP_READ);
  luma = map.data[y * GREY_WIDTH + x];
  gst_buffer_unmap (out, &map);
  return luma;
}

guint
grey_field_of (GstHarness *h, GstBuffer *frame)
{
  GstBuffer *out = gst_harness_push_and_pull (h, frame);
  guint luma;

  fail_unless (out != NULL);
  luma = grey_luma_at (out, GREY_WIDTH / 2, GREY_HEIGHT / 2);
  gst_buffer_unref (out);
  return luma;
}

GstBuffer *
grey_scene (guint n, gboolean bright)
{
  return bright ? grey_frame_paint (grey_frame_new (n, PQ_100), 16, 16, 160, 90,
                                    PQ_1000)
                : grey_frame_paint (grey_frame_new (n, PQ_10), 16, 16, 160, 90,
                                    PQ_100);
}
