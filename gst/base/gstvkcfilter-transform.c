/* GstVkcFilter: from an input buffer to a planned output frame, and who submits
 * it. */
#include "gstvkcfilter-private.h"

#include <gst/allocators/gstdmabuf.h>
#include <string.h>

#include "gst/vk/dmabuf.h"
#include "gstvkccaps.h"
#include "gstvkcdmabuf.h"
#include "gstvkclog.h"

static GstBaseTransformClass *parent_class;

/* How many of its input's buffers the element may hold without starving
 * upstream. */
static guint
limit_for (GstVkcFilterPrivate *priv, GstBuffer *buffer)
{
  GstStructure *config;
  guint max = 0;

  if (buffer->pool == NULL)
    return gst_buffer_n_memory (buffer) > 0
                   && gst_is_dmabuf_memory (gst_buffer_peek_memory (buffer, 0))
               ? 1
               : priv->max_pending;

  config = gst_buffer_pool_get_config (buffer->pool);
  gst_buffer_pool_config_get_params (config, NULL, NULL, NULL, &max);
  gst_structure_free (config);
  return max == 0 ? priv->max_pending : CLAMP (max - 1, 1, priv->max_pending);
}

static void
update_limit (GstVkcFilterPrivate *priv, GstBuffer *buffer)
{
  if (buffer->pool != NULL && buffer->pool == priv->input_pool)
    return;
  gst_object_replace ((GstObject **)&priv->input_pool,
                      GST_OBJECT (buffer->pool));
  vkc_owner_set_limit (priv->owner, limit_for (priv, buffer));
}

/* A buffer that holds no frame costs that frame, anything else the stream. Of
 * such buffers in a row only the first is worth a message. */
static GstFlowReturn
refuse (GstVkcFilter *self, const GError *error)
{
  GstVkcFilterPrivate *priv = gst_vkc_filter_private (self);

  vkc_owner_count_refused (priv->owner);
  if (g_error_matches (error, GST_STREAM_ERROR, GST_STREAM_ERROR_DECODE)
      || g_error_matches (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ)) {
    GST_WARNING_OBJECT (self, "%s", error->message);
    if (!priv->refused_last)
      gst_vkc_filter_post (GST_ELEMENT (self), GST_MESSAGE_WARNING, error);
    priv->refused_last = TRUE;
    return GST_BASE_TRANSFORM_FLOW_DROPPED;
  }
  vkc_owner_fail (priv->owner, error);
  return GST_FLOW_ERROR;
}

/* The output is a frame of this element's pool: in memory of ours, or in a
 * dmabuf. */
static gboolean
place_output (GstVkcFilterPrivate *priv, GstVkcFrame *frame, GstBuffer *buffer,
              struct vkc_job *job, GError **error)
{
  gsize offset[GST_VIDEO_MAX_PLANES];
  gint stride[GST_VIDEO_MAX_PLANES];

  if (!gst_vkc_frame_layout (buffer, &priv->out_info, offset, stride, error))
    return FALSE;
  if (gst_vkc_frame_place (frame, &priv->out_info, buffer, priv->device, offset,
                           stride))
    return TRUE;
  *frame = (GstVkcFrame){ .info = &priv->out_info,
                          .buffer = buffer,
                          .storage = gst_vkc_storage_for_caps (
                              priv->out_caps, &priv->out_info) };
  switch (gst_vkc_dmabuf_place (frame, priv->device, offset, stride,
                                priv->out_modifier, TRUE, job, NULL, error)) {
  case GST_VKC_DMABUF_PLACED:
    return TRUE;
  case GST_VKC_DMABUF_NONE:
    g_set_error (error, GST_CORE_ERROR, GST_CORE_ERROR_FAILED,
                 "the output is no frame of this element's pool");
    return FALSE;
  default:
    return FALSE;
  }
}

void
gst_vkc_filter_whole_info (GstVideoInfo *whole, const GstVideoInfo *info,
                           const GstVideoMeta *meta)
{
  GstVideoInfo sized;

  *whole = *info;
  if (!gst_video_info_set_format (&sized, GST_VIDEO_INFO_FORMAT (info),
                                  meta->width, meta->height))
    return;
  whole->width = sized.width;
  whole->height = sized.height;
  whole->size = sized.size;
  memcpy (whole->offset, sized.offset, sizeof sized.offset);
  memcpy (whole->stride, sized.stride, sizeof sized.stride);
}

/* What the frame of @buffer is: for elements that crop, all that there is. */
static const GstVideoInfo *
input_info (GstVkcFilter *self, GstBuffer *buffer)
{
  GstVkcFilterPrivate *priv = gst_vkc_filter_private (self);
  const GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);

  if (!GST_VKC_FILTER_GET_CLASS (self)->crops || meta == NULL
      || gst_buffer_get_video_crop_meta (buffer) == NULL)
    return &priv->in_info;
  gst_vkc_filter_whole_info (&priv->whole_info, &priv->in_info, meta);
  return &priv->whole_info;
}

/* Planes in dmabufs of their own are no storage buffer, but images: kernels are
 * made for those, with the first such frame. */
static gboolean
adapt_to_input (GstVkcFilter *self, GstBuffer *input, GError **error)
{
  GstVkcFilterPrivate *priv = gst_vkc_filter_private (self);

  if (!gst_vkc_input_wants_images (priv->input, input_info (self, input),
                                   input))
    return TRUE;
  gst_vkc_input_use_images (priv->input);
  priv->in_caps = gst_caps_make_writable (priv->in_caps);
  gst_caps_set_simple (priv->in_caps, GST_VKC_CAPS_AS_IMAGES, G_TYPE_BOOLEAN,
                       TRUE, NULL);
  if (gst_vkc_filter_apply_info (self))
    return TRUE;
  g_set_error (error, GST_CORE_ERROR, GST_CORE_ERROR_FAILED,
               "frames whose planes are in several dmabufs cannot be read");
  return FALSE;
}

/* Resolves both sides and lets the subclass fill @job. */
static gboolean
plan (GstVkcFilter *self, GstBuffer *input, GstBuffer *output,
      struct vkc_job *job, GError **error)
{
  GstVkcFilterPrivate *priv = gst_vkc_filter_private (self);
  GstVkcFrame in, out;

  if (!adapt_to_input (self, input, error)
      || !gst_vkc_input_resolve (priv->input, &in, input_info (self, input),
                                 input, job, error))
    return FALSE;
  if (!place_output (priv, &out, output, job, error))
    return FALSE;
  /* Whoever maps the frame must not fail for want of memory. */
  out.is_final = gst_vkc_filter_is_tail (self);
  if (out.is_final && !vkc_image_reserve_host (out.image, error))
    return FALSE;
  return GST_VKC_FILTER_GET_CLASS (self)->plan (self, &in, &out, job, error);
}

static GstFlowReturn
gst_vkc_filter_transform (GstBaseTransform *trans, GstBuffer *input,
                          GstBuffer *output)
{
  GstVkcFilter *self = GST_VKC_FILTER (trans);
  GstVkcFilterPrivate *priv = gst_vkc_filter_private (self);
  g_autoptr (GError) error = NULL;
  struct vkc_job *job;

  if (vkc_owner_has_failed (priv->owner))
    return GST_FLOW_ERROR;

  update_limit (priv, input);
  job = vkc_job_new (priv->owner);
  if (!plan (self, input, output, job, &error)) {
    vkc_job_unref (job);
    return refuse (self, error);
  }
  priv->refused_last = FALSE;
  if (vkc_recorder_append (priv->device->recorder, job, &error))
    return GST_FLOW_OK;
  vkc_owner_fail (priv->owner, error);
  return GST_FLOW_ERROR;
}

/* Submits what a peer that is not ours gets. Others wait for the fence of a
 * dmabuf or, with @waits, have it when all is done. */
static GstFlowReturn
flush_image (GstVkcFilterPrivate *priv, struct vkc_image *image,
             enum vkc_flush_reason reason, struct vkc_owner *leader,
             gboolean waits)
{
  struct vkc_recorder *recorder = vkc_image_device (image)->recorder;
  g_autoptr (GError) error = NULL;
  uint64_t done;

  if (vkc_recorder_flush (recorder, image, reason, TRUE, leader, &done, &error)
      && (!vkc_image_is_dmabuf (image)
          || (waits ? vkc_recorder_wait (recorder, done, &error)
                    : vkc_dmabuf_publish (image, done, &error))))
    return GST_FLOW_OK;
  /* The owners of what failed are told, but perhaps on another thread and after
   * upstream has spoken of this flow error. */
  vkc_owner_fail (priv->owner, error);
  return GST_FLOW_ERROR;
}

/* The element made this frame and nobody of ours will plan on it. */
static GstFlowReturn
flush_as_tail (GstVkcFilter *self, GstBuffer *buffer)
{
  GstVkcFilterPrivate *priv = gst_vkc_filter_private (self);
  struct vkc_image *image = gst_vkc_buffer_get_image (buffer);

  if (image == NULL)
    image = gst_vkc_dmabuf_get_image (buffer, priv->device);
  g_assert (image != NULL);
  return flush_image (priv, image, VKC_FLUSH_TAIL, priv->owner,
                      priv->pool_needs_wait);
}

/* In passthrough: what comes from one of ours upstream, which took the peer for
 * one of ours as well. In whose pool a dmabuf is, nobody knows here. */
static GstFlowReturn
flush_foreign (GstVkcFilter *self, GstBuffer *buffer)
{
  GstVkcFilterPrivate *priv = gst_vkc_filter_private (self);
  GstFlowReturn ret = GST_FLOW_OK;

  for (guint i = 0; ret == GST_FLOW_OK && i < gst_buffer_n_memory (buffer);
       i++) {
    GstMemory *memory = gst_buffer_peek_memory (buffer, i);
    struct vkc_image *image
        = gst_is_vkc_memory (memory)
              ? ((GstVkcMemory *)memory)->image
              : gst_vkc_dmabuf_memory_image (memory, priv->device);

    if (image != NULL && vkc_image_is_pending (image))
      ret = flush_image (priv, image, VKC_FLUSH_DRAIN, NULL, TRUE);
  }
  return ret;
}

static GstFlowReturn
gst_vkc_filter_generate_output (GstBaseTransform *trans, GstBuffer **output)
{
  GstVkcFilter *self = GST_VKC_FILTER (trans);
  GstVkcFilterPrivate *priv = gst_vkc_filter_private (self);
  GstFlowReturn ret = parent_class->generate_output (trans, output);

  if (ret != GST_FLOW_OK || *output == NULL)
    return ret;
  /* The input is gone from here, so that the flush need not hold it. */
  if (!gst_base_transform_is_passthrough (trans))
    return gst_vkc_filter_is_tail (self) ? flush_as_tail (self, *output)
                                         : GST_FLOW_OK;
  return g_atomic_int_get (&priv->peer_is_ours) ? GST_FLOW_OK
                                                : flush_foreign (self, *output);
}

/* Settings that changed without new caps: passthrough may change with them. */
static gboolean
apply_settings (GstVkcFilter *self)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  const gboolean before = gst_base_transform_is_passthrough (trans);

  if (!gst_vkc_filter_apply_info (self))
    return FALSE;
  if (gst_base_transform_is_passthrough (trans) == before)
    return TRUE;
  gst_base_transform_reconfigure_src (trans);
  return gst_base_transform_reconfigure (trans);
}

static GstFlowReturn
gst_vkc_filter_submit_input_buffer (GstBaseTransform *trans,
                                    gboolean is_discont, GstBuffer *input)
{
  GstVkcFilter *self = GST_VKC_FILTER (trans);
  GstVkcFilterPrivate *priv = gst_vkc_filter_private (self);
  GstFlowReturn ret;

  ret = parent_class->submit_input_buffer (trans, is_discont, input);
  if (ret != GST_FLOW_OK || !g_atomic_int_get (&priv->dirty)
      || !priv->configured)
    return ret;
  if (apply_settings (self))
    return GST_FLOW_OK;
  gst_buffer_replace (&trans->queued_buf, NULL);
  return GST_FLOW_NOT_NEGOTIATED;
}

void
gst_vkc_filter_sync_values (GstVkcFilter *filter, GstObject *object,
                            GstBuffer *buffer)
{
  const GstSegment *segment = &GST_BASE_TRANSFORM (filter)->segment;
  GstClockTime time;

  if (segment->format != GST_FORMAT_TIME)
    return;
  time = gst_segment_to_stream_time (segment, GST_FORMAT_TIME,
                                     GST_BUFFER_TIMESTAMP (buffer));
  if (GST_CLOCK_TIME_IS_VALID (time))
    gst_object_sync_values (object, time);
}

static void
gst_vkc_filter_before_transform (GstBaseTransform *trans, GstBuffer *buffer)
{
  gst_vkc_filter_sync_values (GST_VKC_FILTER (trans), GST_OBJECT (trans),
                              buffer);
}

void
gst_vkc_filter_class_init_transform (GstBaseTransformClass *klass)
{
  parent_class = g_type_class_peek_parent (klass);
  klass->transform = gst_vkc_filter_transform;
  klass->generate_output = gst_vkc_filter_generate_output;
  klass->submit_input_buffer = gst_vkc_filter_submit_input_buffer;
  klass->before_transform = gst_vkc_filter_before_transform;
}
