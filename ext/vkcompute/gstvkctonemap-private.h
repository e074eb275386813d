/* What the files of GstVkcTonemap share. */
#pragma once

#include "converter.h"
#include "gstvkctonemap.h"
#include "peakdetector.h"
#include "tonemapsettings.h"

G_BEGIN_DECLS

struct _GstVkcTonemap
{
  GstVkcFilter parent;
  struct converter *converters[COLOR_ROWS_BOTTOM + 1];
  gboolean has_fields; /* those of a frame's fields are ready */

  /* Under the object's lock. */
  struct tonemap_settings settings;
  gchar *lut;                        /* path */
  const gchar *curve, *mode, *gamut; /* resolved; NULL: nothing is mapped */
  const gchar *view;                 /* resolved */
  struct peakdetector *detector; /* NULL: off; changed by the streaming thread
                                    only, which reads it without the lock */

  /* The streaming thread's. */
  gint64 posted;                     /* when the last message was */
  const gchar *warned;               /* of what, in this stream */
  const gchar *warned_of_black;      /* of what, for these settings */
  struct color_cube *cube;           /* of @cube_path */
  gchar *cube_path;
};

/* A copy. */
struct tonemap_settings gst_vkc_tonemap_get_settings (GstVkcTonemap *self);

/* In gstvkctonemap-report.c: what the element tells. */

/* What `auto` came to, from the kernel's plan. */
void gst_vkc_tonemap_take_resolved (GstVkcTonemap *self);

/* Of what cannot be used of @caps, or of the settings for them; once they are
 * planned. */
void gst_vkc_tonemap_warn_of_caps (GstVkcTonemap *self, GstCaps *caps);

/* Of what @buffer brings, if the caps did not say it. */
void gst_vkc_tonemap_warn (GstVkcTonemap *self, GstBuffer *buffer);

/* The message about the detected peak, where it is wanted, at most once a
 * second. */
void gst_vkc_tonemap_post_peak (GstVkcTonemap *self);

/* Of GstVkcFilterClass. */
void gst_vkc_tonemap_add_stats (GstVkcFilter *filter, GstStructure *element);

G_END_DECLS
