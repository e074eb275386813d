/* A tracer of submissions. A frame of our elements is one of them, so this is
 * what each frame cost, read with GST_DEBUG=GST_TRACER:7. */
#define GST_USE_UNSTABLE_API /* GstTracer's */
#include "gstvkctracer.h"

#include "gst/vk/trace.h"

typedef GstTracer GstVkcTracer;
typedef GstTracerClass GstVkcTracerClass;

G_DEFINE_TYPE (GstVkcTracer, gst_vkc_tracer, GST_TYPE_TRACER)

/* Tracers are made at gst_init() and live until gst_deinit(). */
static GstTracerRecord *record;

static const gchar *const reasons[VKC_N_FLUSH_REASONS] = {
  [VKC_FLUSH_TAIL] = "tail",
  [VKC_FLUSH_MAP] = "map",
  [VKC_FLUSH_LIMIT] = "limit",
  [VKC_FLUSH_DRAIN] = "drain",
};

static void
trace (const struct vkc_trace_submission *s)
{
  gst_tracer_record_log (
      record, s->recorder, s->value, s->owners, s->jobs, s->dispatches,
      reasons[s->reason], (gboolean)s->waited,
      (guint64)(s->submitted_at - s->planned_at) * GST_USECOND,
      (guint64)(s->over_at - s->submitted_at) * GST_USECOND, s->gpu_ns);
}

static GstStructure *
field (GType type, const gchar *description)
{
  return gst_structure_new ("value", "type", G_TYPE_GTYPE, type, "description",
                            G_TYPE_STRING, description, NULL);
}

#define FIELD(name, type, description)                                         \
  name, GST_TYPE_STRUCTURE, field (type, description)

static void
gst_vkc_tracer_class_init (GstVkcTracerClass *klass)
{
  record = gst_tracer_record_new (
      "vkc-submission.class",
      FIELD ("recorder", G_TYPE_UINT64, "recorder-id of stats"),
      FIELD ("value", G_TYPE_UINT64, "its value on the recorder's timeline"),
      FIELD ("jobs-of", G_TYPE_STRING,
             "whose jobs, joined by + or, done by one kernel, by :"),
      FIELD ("jobs", G_TYPE_UINT, "how many"),
      FIELD ("dispatches", G_TYPE_UINT, "and how many of them are kernels"),
      FIELD ("reason", G_TYPE_STRING, "tail, map, limit or drain"),
      FIELD ("waited", G_TYPE_BOOLEAN, "a thread was blocked for it"),
      FIELD ("pending-time", G_TYPE_UINT64,
             "ns from the first job's planning to the submission"),
      FIELD ("flight-time", G_TYPE_UINT64,
             "ns from there until it was seen to be over"),
      FIELD ("gpu-time", G_TYPE_UINT64,
             "ns by the device's clock, 0 if it has none"),
      NULL);
  GST_OBJECT_FLAG_SET (record, GST_OBJECT_FLAG_MAY_BE_LEAKED);
}

static void
gst_vkc_tracer_init (GstVkcTracer *self)
{
  vkc_trace_set (trace);
}
