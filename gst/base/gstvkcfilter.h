/* GstVkcFilter: the base class of our elements. It negotiates the device, finds
 * out whether the peer is one of ours, resolves buffers to frames, plans one
 * job a frame through its subclass, and flushes where DESIGN says so.
 *
 * A subclass never records and never waits: it fills a job. */
#pragma once

#include <gst/base/gstbasetransform.h>
#include <gst/video/video.h>

#include "gstvkcframe.h"

G_BEGIN_DECLS

#define GST_TYPE_VKC_FILTER (gst_vkc_filter_get_type ())
VKC_API
G_DECLARE_DERIVABLE_TYPE (GstVkcFilter, gst_vkc_filter, GST, VKC_FILTER,
                          GstBaseTransform)

/**
 * GstVkcFilterClass:
 * @transform_caps, @fixate_caps: those of #GstBaseTransform, with formats of
 *   GStreamer only: what DRM calls them in dmabufs, and their modifiers, the
 *   base class sees to. Use gstvkccaps.h.
 * @set_info: the caps are settled; a device is there. May compile, and may call
 *   gst_base_transform_set_passthrough(). Runs again after
 *   gst_vkc_filter_reconfigure() and gst_vkc_filter_refresh(), with the same
 *   caps perhaps. An error is
 *   posted by the base class (one of GStreamer's own error domains as it is,
 *   any other as RESOURCE or STREAM) and the caps are refused. Frames that are
 *   planned later have the storage that gst_vkc_storage_for_caps() says.
 * @plan: fills @job for one frame: pipeline, push constants, groups, bindings.
 *   The GPU has not run when this returns. An error is a refusal: it is posted
 *   by the base class and nothing was recorded.
 * @add_stats: puts the resolved settings into the element's part of `stats`.
 *   May be called in any state and from any thread.
 * @reset: the element stops, or its device is gone: drop what belongs to it
 *   (pipelines). set_info() runs before the next frame.
 *
 * @crops: the element honours GstVideoCropMeta. A frame of such a buffer is as
 *   large as its GstVideoMeta says, which may be more than the caps do.
 *
 * @fields: the element takes fields in buffers of their own
 *   (interlace-mode=alternate). The infos are as caps have them then, for whole
 *   frames: rows are GST_VIDEO_INFO_FIELD_HEIGHT().
 *
 * All but @transform_caps and @plan are optional. Subclasses leave the
 * functions of #GstBaseTransform alone; one that overrides accept_caps(),
 * start(), stop(), sink_event(), query() or change_state() calls the
 * parent's.
 */
struct _GstVkcFilterClass
{
  GstBaseTransformClass parent_class;

  GstCaps *(*transform_caps) (GstVkcFilter *filter, GstPadDirection direction,
                              GstCaps *caps, GstCaps *filter_caps);
  GstCaps *(*fixate_caps) (GstVkcFilter *filter, GstPadDirection direction,
                           GstCaps *caps, GstCaps *othercaps);
  gboolean (*set_info) (GstVkcFilter *filter, GstCaps *in_caps,
                        const GstVideoInfo *in, GstCaps *out_caps,
                        const GstVideoInfo *out, GError **error);
  gboolean (*plan) (GstVkcFilter *filter, const GstVkcFrame *in,
                    const GstVkcFrame *out, struct vkc_job *job,
                    GError **error);
  void (*add_stats) (GstVkcFilter *filter, GstStructure *element);
  void (*reset) (GstVkcFilter *filter);
  gboolean crops;
  gboolean fields;

  /*< private >*/
  gpointer _padding[8];
};

/* For class_init(): the pads of all of our elements, with @caps, which this
 * takes. */
VKC_API void gst_vkc_filter_class_add_pads (GstElementClass *klass,
                                            GstCaps *caps);

/* Borrowed; NULL before start() and after stop(). */
VKC_API struct vkc_device *gst_vkc_filter_get_device (GstVkcFilter *filter);

/* What a frame of @info is in a buffer with @meta, which may make it larger. */
VKC_API void gst_vkc_filter_whole_info (GstVideoInfo *whole,
                                        const GstVideoInfo *info,
                                        const GstVideoMeta *meta);

/* For properties that change what a frame becomes: caps are negotiated anew and
 * set_info() runs again before the next frame. Callable at any time, from any
 * thread, but not with the object's lock held. */
VKC_API void gst_vkc_filter_reconfigure (GstVkcFilter *filter);

/* The same for properties that change frames but can change no caps: only
 * set_info() runs again, which a GstController may afford at every frame. */
VKC_API void gst_vkc_filter_refresh (GstVkcFilter *filter);

/* Submits what @filter has planned and waits, bounded, until all of it is over
 * and what it pinned was released. FALSE if some of it failed, or a flush or a
 * state change ended the wait. For the streaming thread. */
VKC_API gboolean gst_vkc_filter_drain (GstVkcFilter *filter);

/* Brings @object's controlled properties to the time of @buffer, if the segment
 * knows one: in before_transform() of a subclass whose children are controlled.
 * Its own are the base class's. */
VKC_API void gst_vkc_filter_sync_values (GstVkcFilter *filter,
                                         GstObject *object, GstBuffer *buffer);

/* Posts @error, of any domain, as GStreamer's own. */
VKC_API void gst_vkc_filter_post (GstElement *element, GstMessageType type,
                                  const GError *error);

G_END_DECLS
