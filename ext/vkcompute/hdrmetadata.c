/* Rewriting of HDR metadata in caps. */
#include "hdrmetadata.h"

#include <gst/video/video.h>

#define DISPLAY "mastering-display-info"
#define LEVEL   "content-light-level"

/* Display primaries in units of 0.00002, luminance in 0.0001 cd/m2. */
static const GstVideoMasteringDisplayInfo bt2020
    = { .display_primaries
        = { { 35400, 14600 }, { 8500, 39850 }, { 6550, 2300 } },
        .white_point = { 15635, 16450 },
        .min_display_mastering_luminance = 1 };

static void
rewrite_display (GstStructure *out, const GstStructure *in, gdouble peak)
{
  const gchar *text = gst_structure_get_string (in, DISPLAY);
  GstVideoMasteringDisplayInfo info;
  g_autofree gchar *now = NULL;

  if (text == NULL
      || !gst_video_mastering_display_info_from_string (&info, text))
    info = bt2020;
  info.max_display_mastering_luminance = (guint32)(peak * 10000 + 0.5);
  /* A display of that black does not have to be darker than its peak. */
  info.min_display_mastering_luminance
      = MIN (info.min_display_mastering_luminance,
             info.max_display_mastering_luminance / 2);
  now = gst_video_mastering_display_info_to_string (&info);
  gst_structure_set (out, DISPLAY, G_TYPE_STRING, now, NULL);
}

static void
rewrite_level (GstStructure *out, const GstStructure *in, gdouble peak)
{
  const gchar *text = gst_structure_get_string (in, LEVEL);
  const guint16 most = (guint16)MIN (peak + 0.5, G_MAXUINT16);
  GstVideoContentLightLevel level;
  g_autofree gchar *now = NULL;

  gst_structure_remove_field (out, LEVEL);
  if (text == NULL || !gst_video_content_light_level_from_string (&level, text)
      || level.max_content_light_level == 0)
    return;
  level.max_content_light_level = MIN (level.max_content_light_level, most);
  level.max_frame_average_light_level = MIN (
      level.max_frame_average_light_level, level.max_content_light_level);
  now = gst_video_content_light_level_to_string (&level);
  gst_structure_set (out, LEVEL, G_TYPE_STRING, now, NULL);
}

void
hdr_metadata_rewrite (GstStructure *out, const GstStructure *in, gdouble peak)
{
  rewrite_display (out, in, peak);
  rewrite_level (out, in, peak);
}
