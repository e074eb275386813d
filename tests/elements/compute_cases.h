/* Shaders, and what they do, computed by the CPU from their definition. */
#pragma once

#include <gst/video/video.h>

/* Planes without padding. */
struct picture
{
  guint width, height; /* pixels */
  guint n_planes;
  guint row_bytes[GST_VIDEO_MAX_PLANES];
  guint rows[GST_VIDEO_MAX_PLANES];
  guint8 *data[GST_VIDEO_MAX_PLANES];
};

void picture_init (struct picture *picture, const GstVideoInfo *info);
void picture_from_buffer (struct picture *picture, const GstVideoInfo *info,
                          GstBuffer *buffer);
void picture_clear (struct picture *picture);

struct compute_case
{
  const gchar *shader; /* in docs/examples/shaders; "test/": in tests/data */
  const gchar *in_format, *out_format;
  guint tolerance; /* codes */
  void (*expect) (const struct picture *in, struct picture *out);
};

extern const struct compute_case compute_cases[];
extern const guint n_compute_cases;

/* The first case of @shader. */
const struct compute_case *compute_case_find (const gchar *shader);
