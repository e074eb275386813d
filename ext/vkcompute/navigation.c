/* Events about places in frames. */
#include "navigation.h"

#include <gst/video/video.h>

/* From a pixel to a pixel: coordinates are those of pixels' centres. */
static void
move_pointer (const struct color_shape *shape, gdouble *x, gdouble *y)
{
  *x += 0.5;
  *y += 0.5;
  color_shape_to_source (shape, x, y);
  /* The sender counts from the picture's corner, not from the frame's. */
  *x = CLAMP (*x - 0.5 - shape->crop.x, 0, shape->crop.width - 1);
  *y = CLAMP (*y - 0.5 - shape->crop.y, 0, shape->crop.height - 1);
}

GstEvent *
navigation_to_source (GstEvent *event, const struct color_shape *shape)
{
  gdouble x, y;

  if (GST_EVENT_TYPE (event) != GST_EVENT_NAVIGATION
      || !gst_navigation_event_get_coordinates (event, &x, &y))
    return event;
  move_pointer (shape, &x, &y);
  event = gst_event_make_writable (event);
  gst_navigation_event_set_coordinates (event, x, y);
  return event;
}
