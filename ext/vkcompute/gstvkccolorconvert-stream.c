/* vkcolorconvert: what comes with frames: crops, tags, metas, and events about
 * places in them. */
#include "gstvkccolorconvert-private.h"
#include "navigation.h"
#include "placedmetas.h"

static GstBaseTransformClass *parent_class;

/* What of @buffer is its picture; nothing where that is all of it. */
static struct crop
crop_of (GstBuffer *buffer)
{
  const GstVideoCropMeta *crop = gst_buffer_get_video_crop_meta (buffer);
  const GstVideoMeta *video = gst_buffer_get_video_meta (buffer);
  struct crop c = { .is_there = crop != NULL && video != NULL };

  if (!c.is_there)
    return c;
  c.width = video->width;
  c.height = video->height;
  c.rect.x = MIN (crop->x, video->width - 1);
  c.rect.y = MIN (crop->y, video->height - 1);
  c.rect.width = CLAMP (crop->width, 1, video->width - c.rect.x);
  c.rect.height = CLAMP (crop->height, 1, video->height - c.rect.y);
  return c;
}

static gboolean
same_crop (const struct crop *a, const struct crop *b)
{
  return a->is_there == b->is_there && a->width == b->width
         && a->height == b->height && a->rect.x == b->rect.x
         && a->rect.y == b->rect.y && a->rect.width == b->rect.width
         && a->rect.height == b->rect.height;
}

/* Before the parent's, which negotiates and then applies what has changed. */
static GstFlowReturn
gst_vkc_color_convert_submit_input_buffer (GstBaseTransform *trans,
                                           gboolean is_discont,
                                           GstBuffer *input)
{
  GstVkcColorConvert *self = GST_VKC_COLOR_CONVERT (trans);
  struct crop crop = crop_of (input);

  if (self->peer_crops && gst_base_transform_is_passthrough (trans))
    crop = (struct crop){ .is_there = FALSE };
  if (!same_crop (&crop, &self->crop)) {
    self->crop = crop;
    gst_vkc_filter_refresh (GST_VKC_FILTER (self));
  }
  return parent_class->submit_input_buffer (trans, is_discont, input);
}

/* In passthrough the query was the peer's, and crops are for it. */
static gboolean
gst_vkc_color_convert_propose_allocation (GstBaseTransform *trans,
                                          GstQuery *decide_query,
                                          GstQuery *query)
{
  GstVkcColorConvert *self = GST_VKC_COLOR_CONVERT (trans);

  if (!parent_class->propose_allocation (trans, decide_query, query))
    return FALSE;
  self->peer_crops = gst_base_transform_is_passthrough (trans)
                     && gst_query_find_allocation_meta (
                         query, GST_VIDEO_CROP_META_API_TYPE, NULL);
  if (!self->peer_crops)
    gst_query_add_allocation_meta (query, GST_VIDEO_CROP_META_API_TYPE, NULL);
  return TRUE;
}

/* What was turned as the tag said needs no more turning. */
static GstEvent *
take_tags (GstVkcColorConvert *self, GstEvent *event)
{
  GstVideoOrientationMethod tagged;
  gboolean automatic;
  GstTagList *tags;

  gst_event_parse_tag (event, &tags);
  if (!gst_video_orientation_from_tag (tags, &tagged))
    return event;
  gst_vkc_color_convert_set_tagged (self, tagged);
  GST_OBJECT_LOCK (self);
  automatic = self->properties.direction == GST_VIDEO_ORIENTATION_AUTO;
  GST_OBJECT_UNLOCK (self);
  if (!automatic)
    return event;
  tags = gst_tag_list_copy (tags);
  gst_tag_list_add (tags, GST_TAG_MERGE_REPLACE, GST_TAG_IMAGE_ORIENTATION,
                    "rotate-0", NULL);
  gst_event_unref (event);
  return gst_event_new_tag (tags);
}

static gboolean
gst_vkc_color_convert_sink_event (GstBaseTransform *trans, GstEvent *event)
{
  GstVkcColorConvert *self = GST_VKC_COLOR_CONVERT (trans);

  switch (GST_EVENT_TYPE (event)) {
  case GST_EVENT_STREAM_START:
    gst_vkc_color_convert_set_tagged (self, GST_VIDEO_ORIENTATION_IDENTITY);
    break;
  case GST_EVENT_TAG:
    event = take_tags (self, event);
    break;
  default:
    break;
  }
  return parent_class->sink_event (trans, event);
}

/* FALSE: frames keep their shape. */
static gboolean
get_shape (GstVkcColorConvert *self, struct color_shape *shape)
{
  gboolean shapes;

  GST_OBJECT_LOCK (self);
  *shape = self->shape;
  shapes = self->shapes;
  GST_OBJECT_UNLOCK (self);
  return shapes;
}

/* A click is on what was there in the input. */
static gboolean
gst_vkc_color_convert_src_event (GstBaseTransform *trans, GstEvent *event)
{
  struct color_shape shape;

  if (get_shape (GST_VKC_COLOR_CONVERT (trans), &shape))
    event = navigation_to_source (event, &shape);
  return parent_class->src_event (trans, event);
}

static gboolean
has_tag (const GstMeta *meta, const gchar *tag)
{
  return gst_meta_api_type_has_tag (meta->info->api, g_quark_from_string (tag));
}

/* What is about places goes where its pixels go; what else depends on the shape
 * does not hold any more. A crop was done. */
static gboolean
gst_vkc_color_convert_transform_meta (GstBaseTransform *trans,
                                      GstBuffer *output, GstMeta *meta,
                                      GstBuffer *input)
{
  struct color_shape shape;

  if (meta->info->api == GST_VIDEO_CROP_META_API_TYPE)
    return FALSE;
  if (get_shape (GST_VKC_COLOR_CONVERT (trans), &shape)) {
    if (placed_meta_move (&shape, output, meta))
      return FALSE;
    if (has_tag (meta, GST_META_TAG_VIDEO_SIZE_STR)
        || has_tag (meta, GST_META_TAG_VIDEO_ORIENTATION_STR))
      return FALSE;
  }
  return parent_class->transform_meta (trans, output, meta, input);
}

void
gst_vkc_color_convert_class_init_stream (GstBaseTransformClass *klass)
{
  parent_class = g_type_class_peek_parent (klass);
  klass->submit_input_buffer = gst_vkc_color_convert_submit_input_buffer;
  klass->propose_allocation = gst_vkc_color_convert_propose_allocation;
  klass->sink_event = gst_vkc_color_convert_sink_event;
  klass->src_event = gst_vkc_color_convert_src_event;
  klass->transform_meta = gst_vkc_color_convert_transform_meta;
}
