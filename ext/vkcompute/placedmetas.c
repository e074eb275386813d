/* Regions of interest and overlays. */
#include "placedmetas.h"

#include <math.h>

/* A rectangle, in pixels of a frame. */
struct place
{
  gdouble left, top, right, bottom;
};

static struct place
move_place (const struct color_shape *shape, struct place from)
{
  color_shape_to_target (shape, &from.left, &from.top);
  color_shape_to_target (shape, &from.right, &from.bottom);
  return (struct place){
    MIN (from.left, from.right),
    MIN (from.top, from.bottom),
    MAX (from.left, from.right),
    MAX (from.top, from.bottom),
  };
}

static gint
nearest (gdouble value)
{
  return floor (value + 0.5);
}

static void
copy_region (const struct color_shape *shape, GstBuffer *output,
             const GstVideoRegionOfInterestMeta *from)
{
  const struct place to = move_place (
      shape, (struct place){ from->x, from->y, from->x + (gdouble)from->w,
                             from->y + (gdouble)from->h });
  const gdouble x = CLAMP (to.left, 0, G_MAXINT);
  const gdouble y = CLAMP (to.top, 0, G_MAXINT);
  GstVideoRegionOfInterestMeta *region
      = gst_buffer_add_video_region_of_interest_meta_id (
          output, from->roi_type, nearest (x), nearest (y),
          nearest (MAX (to.right - x, 0)), nearest (MAX (to.bottom - y, 0)));

  region->id = from->id;
  region->parent_id = from->parent_id;
  for (GList *l = from->params; l != NULL; l = l->next)
    gst_video_region_of_interest_meta_add_param (region,
                                                 gst_structure_copy (l->data));
}

static gboolean
turns (const struct color_shape *shape)
{
  return shape->transpose || shape->flip_x || shape->flip_y;
}

/* Pixels of overlays are words. */
static guint32 *
row_of (const GstVideoFrame *frame, gint y)
{
  return (guint32 *)((guint8 *)GST_VIDEO_FRAME_PLANE_DATA (frame, 0)
                     + (gsize)y * GST_VIDEO_FRAME_PLANE_STRIDE (frame, 0));
}

static void
turn_pixels (const struct color_shape *shape, const GstVideoFrame *from,
             GstVideoFrame *to)
{
  const gint right = GST_VIDEO_FRAME_WIDTH (from) - 1;
  const gint bottom = GST_VIDEO_FRAME_HEIGHT (from) - 1;

  for (gint y = 0; y < GST_VIDEO_FRAME_HEIGHT (to); y++) {
    guint32 *row = row_of (to, y);

    for (gint x = 0; x < GST_VIDEO_FRAME_WIDTH (to); x++) {
      const gint u = shape->transpose ? y : x;
      const gint v = shape->transpose ? x : y;

      row[x] = row_of (from, shape->flip_y ? bottom - v
                                           : v)[shape->flip_x ? right - u : u];
    }
  }
}

/* A new buffer; NULL if @pixels cannot be read. */
static GstBuffer *
turn_buffer (const struct color_shape *shape, GstBuffer *pixels)
{
  const GstVideoMeta *meta = gst_buffer_get_video_meta (pixels);
  GstVideoInfo info, turned;
  GstVideoFrame from, to;
  GstBuffer *buffer;

  if (meta == NULL)
    return NULL;
  gst_video_info_set_format (&info, meta->format, meta->width, meta->height);
  if (shape->transpose)
    gst_video_info_set_format (&turned, meta->format, meta->height,
                               meta->width);
  else
    turned = info;
  if (!gst_video_frame_map (&from, &info, pixels, GST_MAP_READ))
    return NULL;
  buffer = gst_buffer_new_allocate (NULL, turned.size, NULL);
  gst_buffer_add_video_meta (buffer, GST_VIDEO_FRAME_FLAG_NONE, meta->format,
                             turned.width, turned.height);
  if (gst_video_frame_map (&to, &turned, buffer, GST_MAP_WRITE)) {
    turn_pixels (shape, &from, &to);
    gst_video_frame_unmap (&to);
  }
  gst_video_frame_unmap (&from);
  return buffer;
}

/* The same picture at another place. */
static GstVideoOverlayRectangle *
copy_rectangle (const struct color_shape *shape, GstVideoOverlayRectangle *from,
                gint x, gint y, guint width, guint height)
{
  const GstVideoOverlayFormatFlags flags
      = gst_video_overlay_rectangle_get_flags (from);
  GstVideoOverlayRectangle *to;
  GstBuffer *pixels = NULL;

  if (turns (shape))
    pixels = turn_buffer (
        shape,
        gst_video_overlay_rectangle_get_pixels_unscaled_raw (from, flags));
  if (pixels == NULL) {
    to = gst_video_overlay_rectangle_copy (from);
    gst_video_overlay_rectangle_set_render_rectangle (to, x, y, width, height);
    return to;
  }
  to = gst_video_overlay_rectangle_new_raw (pixels, x, y, width, height, flags);
  gst_video_overlay_rectangle_set_global_alpha (
      to, gst_video_overlay_rectangle_get_global_alpha (from));
  gst_buffer_unref (pixels);
  return to;
}

/* Overlays beside the crop are left out. */
static void
move_rectangle (const struct color_shape *shape,
                GstVideoOverlayComposition *target,
                GstVideoOverlayRectangle *from)
{
  const struct color_rect *picture = &shape->picture;
  guint width, height;
  struct place to;
  GstVideoOverlayRectangle *moved;
  gint x, y;

  gst_video_overlay_rectangle_get_render_rectangle (from, &x, &y, &width,
                                                    &height);
  to = move_place (
      shape, (struct place){ x, y, x + (gdouble)width, y + (gdouble)height });
  if (to.right <= picture->x || to.bottom <= picture->y
      || to.left >= picture->x + picture->width
      || to.top >= picture->y + picture->height)
    return;
  x = nearest (to.left);
  y = nearest (to.top);
  moved = copy_rectangle (shape, from, x, y, MAX (nearest (to.right) - x, 1),
                          MAX (nearest (to.bottom) - y, 1));
  gst_video_overlay_composition_add_rectangle (target, moved);
  gst_video_overlay_rectangle_unref (moved);
}

static void
copy_overlays (const struct color_shape *shape, GstBuffer *output,
               GstVideoOverlayComposition *from)
{
  GstVideoOverlayComposition *to = gst_video_overlay_composition_new (NULL);

  for (guint i = 0; i < gst_video_overlay_composition_n_rectangles (from); i++)
    move_rectangle (shape, to,
                    gst_video_overlay_composition_get_rectangle (from, i));
  gst_buffer_add_video_overlay_composition_meta (output, to);
  gst_video_overlay_composition_unref (to);
}

gboolean
placed_meta_move (const struct color_shape *shape, GstBuffer *output,
                  const GstMeta *meta)
{
  const GType api = meta->info->api;

  if (api == GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)
    copy_region (shape, output, (const GstVideoRegionOfInterestMeta *)meta);
  else if (api == GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE)
    copy_overlays (shape, output,
                   ((const GstVideoOverlayCompositionMeta *)meta)->overlay);
  else
    return FALSE;
  return TRUE;
}
