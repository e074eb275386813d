/* What the files of GstVkcFilter share. */
#pragma once

#include "gst/vk/recorder.h"
#include "gstvkccontext.h"
#include "gstvkcfilter.h"
#include "gstvkcinput.h"
#include "gstvkcmemory.h"

G_BEGIN_DECLS

typedef struct
{
  /* Under the object's lock. */
  GstVkcContext *context;
  gchar *selector;
  GstStructure *last_recorder; /* `stats` after the device was closed */
  GHashTable *drm_names[2]; /* by enum vkc_dmabuf_way; NULL: no device */

  /* From start() until the element is NULL, so that a restart does not open
   * the device anew; replaced by start(). Pointers change under the object's
   * lock. */
  struct vkc_device *device;
  GstVkcContext *device_context; /* where to close it */
  struct vkc_owner *owner;       /* of the current or last run */
  GWeakRef *link; /* the owner's, to this element; to nothing after stop() */
  gint started;   /* atomic */

  /* Between start() and stop(), by the streaming thread. */
  struct gst_vkc_input *input;
  GstVkcAllocator *proposed; /* frames that upstream fills */
  GstVkcAllocator *produced;
  GstBufferPool *pool; /* of output frames */
  GstVideoInfo pool_info;
  guint64 pool_modifier;
  gboolean pool_is_dmabuf;
  gboolean pool_is_peers;
  gboolean pool_needs_wait; /* who reads its frames looks at no fences */
  GstBufferPool *input_pool; /* that the limit was taken from */
  guint max_pending;
  GstCaps *in_caps, *out_caps; /* as set_info() gets them */
  GstVideoInfo in_info, out_info;
  GstVideoInfo whole_info; /* of the last frame that was cropped */
  guint64 in_modifier, out_modifier; /* of dmabufs */
  gboolean configured;     /* set_info() ran */
  gboolean was_passthrough;
  gboolean refused_last; /* the last buffer held no frame */

  gint dirty;        /* atomic: set_info() must run before the next frame */
  gint peer_is_ours; /* atomic */
} GstVkcFilterPrivate;

GstVkcFilterPrivate *gst_vkc_filter_private (GstVkcFilter *self);

/* In gstvkcfilter.c. Lets the subclass settle on the current caps. FALSE after
 * an error was posted. */
gboolean gst_vkc_filter_apply_info (GstVkcFilter *self);

/* In gstvkcfilter-owner.c. An owner that posts its first error for @self as
 * long as *@link, which it owns, refers to it. */
struct vkc_owner *gst_vkc_filter_new_owner (GstVkcFilter *self,
                                            GWeakRef **link);

/* In gstvkcfilter-device.c. Opens the device that `device` and the pipeline's
 * context say, and closes the one of the last run. */
gboolean gst_vkc_filter_open_device (GstVkcFilter *self, GError **error);
void gst_vkc_filter_close_device (GstVkcFilter *self);

/* In gstvkcfilter-caps.c. Whether frames of @info with @modifier can be read; if
 * not, that is this run's error. */
gboolean gst_vkc_filter_check_modifier (GstVkcFilter *self,
                                        const GstVideoInfo *info,
                                        guint64 modifier);

/* In gstvkcfilter-allocation.c. Nobody of ours follows: flushed frames are for
 * the CPU. */
gboolean gst_vkc_filter_is_tail (GstVkcFilter *self);

/* stop(): drops what allocation made. */
void gst_vkc_filter_clear_allocation (GstVkcFilter *self);

/* In gstvkcfilter-metas.c. */
gboolean gst_vkc_filter_changes_size (const GstVkcFilterPrivate *priv);

/* Each file's functions. */
void gst_vkc_filter_class_init_device (GstElementClass *klass);
void gst_vkc_filter_class_init_caps (GstBaseTransformClass *klass);
void gst_vkc_filter_class_init_events (GstBaseTransformClass *klass);
void gst_vkc_filter_class_init_allocation (GstBaseTransformClass *klass);
void gst_vkc_filter_class_init_metas (GstBaseTransformClass *klass);
void gst_vkc_filter_class_init_transform (GstBaseTransformClass *klass);

G_END_DECLS
