/* What the files of vkcolorconvert share. */
#pragma once

#include "gstvkccolorconvert.h"
#include "converter.h"

G_BEGIN_DECLS

/* What properties and tags say about shapes. */
struct shape_properties
{
  struct shape_settings settings;
  gboolean add_borders;
  GstVideoOrientationMethod direction; /* of the property; may be AUTO */
  GstVideoOrientationMethod tagged;    /* of the stream */
};

/* The part of an input frame that is its picture: what GstVideoCropMeta says.
 */
struct crop
{
  gboolean is_there;
  struct color_rect rect;
  gint width, height; /* of the whole frame */
};

struct _GstVkcColorConvert
{
  GstVkcFilter parent;
  struct converter *converters[COLOR_ROWS_KINDS];
  gboolean has_fields;  /* those of a frame's fields are ready */
  gint has_lone_fields; /* atomic: buffers hold one field each */

  /* Under the object's lock. */
  struct shape_properties properties;
  struct color_shape shape; /* of the last caps */
  gboolean shapes;          /* there is one */

  /* The streaming thread's. */
  struct crop crop;    /* of the current frame */
  gboolean peer_crops; /* in passthrough: somebody behind us does */
  gboolean decodes;    /* colours get another description */
  const gchar *warned; /* of what, in this stream */
};

/* In gstvkccolorconvert-shape.c. */
void gst_vkc_color_convert_init_shape (GstVkcColorConvert *self);
void gst_vkc_color_convert_class_init_shape (GObjectClass *klass);

/* The direction that counts. */
GstVideoOrientationMethod
gst_vkc_color_convert_get_direction (GstVkcColorConvert *self);

/* Whether width and height change places. */
gboolean gst_vkc_color_convert_turns (GstVkcColorConvert *self);

/* The direction that the stream's tags have from now on. */
void gst_vkc_color_convert_set_tagged (GstVkcColorConvert *self,
                                       GstVideoOrientationMethod tagged);

/* The shape of frames between these, @crop being the picture in @in. FALSE:
 * they keep theirs. */
gboolean gst_vkc_color_convert_find_shape (GstVkcColorConvert *self,
                                           const GstVideoInfo *in,
                                           const struct color_rect *crop,
                                           const GstVideoInfo *out,
                                           struct color_shape *shape,
                                           struct shape_settings *settings);

/* In gstvkccolorconvert-stream.c. */
void gst_vkc_color_convert_class_init_stream (GstBaseTransformClass *klass);

G_END_DECLS
