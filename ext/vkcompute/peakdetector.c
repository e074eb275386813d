/* Plans peak.comp. */
#include "peakdetector.h"

#include <math.h>
#include <string.h>

#include "databuffer.h"
#include "gst/color/peak.h"
#include "gst/vk/job.h"
#include "gst/vk/pipeline.h"
#include "jobstep.h"
#include "kernelframe.h"
#include "peakresults.h"
#include "shaders/embedded.h"

#define N_CONSTANTS (ID_COUNT + ID_PEAK_COUNT)

#define PEAK_CPU_LANES 8
/* Bytes of peak.comp's shared variables, if each lane has a histogram. */
#define PEAK_CPU_SHARED_SIZE (PEAK_CPU_LANES * (PEAK_BINS * 2 + 12) + 16)

struct peakdetector
{
  struct vkc_device *device; /* borrowed */
  struct vkc_image *state;
  struct peakresults *results;

  GstVideoInfo info;
  enum vkc_storage storage;
  uint32_t ids[N_CONSTANTS], values[N_CONSTANTS];
  /* By the source's alignment; made when a frame asks for it. */
  struct vkc_pipeline *pipelines[KERNEL_ALIGNMENTS];
  guint32 groups[2];
  gdouble smoothing;
  GstClockTime last; /* of the frame before */
};

/* A buffer of zeros that jobs carry from frame to frame. */
static struct vkc_image *
new_state (struct vkc_device *device, GError **error)
{
  struct vkc_image *image
      = data_buffer_new (device, NULL, PEAK_STATE_SIZE, error);

  if (image != NULL)
    vkc_image_set_persistent (image);
  return image;
}

struct peakdetector *
peakdetector_new (struct vkc_device *device, GError **error)
{
  struct peakdetector *self = g_new0 (struct peakdetector, 1);

  self->device = device;
  self->last = GST_CLOCK_TIME_NONE;
  self->results = peakresults_new (device);
  self->state = new_state (device, error);
  if (self->state != NULL)
    return self;
  peakdetector_free (self);
  return NULL;
}

static void
unref_pipelines (struct vkc_pipeline *pipelines[KERNEL_ALIGNMENTS])
{
  for (guint i = 0; i < KERNEL_ALIGNMENTS; i++)
    vkc_pipeline_unref (pipelines[i]);
}

void
peakdetector_free (struct peakdetector *self)
{
  if (self == NULL)
    return;
  unref_pipelines (self->pipelines);
  vkc_image_unref (self->state);
  peakresults_unref (self->results);
  g_free (self);
}

static struct vkc_pipeline *
make_pipeline (struct peakdetector *self, guint alignment, GError **error)
{
  const struct embedded_code *code
      = &embedded_peak[self->storage == VKC_STORAGE_IMAGE];
  const struct vkc_specialization specialization
      = { .n = N_CONSTANTS, .ids = self->ids, .values = self->values };
  struct vkc_kernel kernel = {
    .name = "peak",
    .code = code->words,
    .code_size = code->size,
    .n_bindings = 3,
    .push_constants_size = sizeof (struct peak_params),
  };

  kernel_frame_describe (&kernel.bindings[0], "source", BINDING_SOURCE,
                         self->storage, FALSE);
  kernel_frame_describe (&kernel.bindings[1], "state", BINDING_STATE,
                         VKC_STORAGE_BUFFER, TRUE);
  kernel.bindings[1].reads = TRUE;
  kernel_frame_describe (&kernel.bindings[2], "result", BINDING_RESULT,
                         VKC_STORAGE_BUFFER, TRUE);
  self->values[ID_ALIGNED] = alignment;
  return vkc_pipeline_get (self->device, &kernel, &specialization, error);
}

static struct vkc_pipeline *
get_pipeline (struct peakdetector *self, guint alignment, GError **error)
{
  struct vkc_pipeline **pipeline
      = &self->pipelines[kernel_alignment_index (alignment)];

  if (*pipeline == NULL)
    *pipeline = make_pipeline (self, alignment, error);
  return *pipeline;
}

static void
put_float (struct peakdetector *self, guint id, gdouble value)
{
  const gfloat f = (gfloat)value;

  memcpy (&self->values[ID_COUNT + id - ID_PEAK_FIRST], &f, sizeof f);
}

static void
put_int (struct peakdetector *self, guint id, gint value)
{
  self->values[ID_COUNT + id - ID_PEAK_FIRST] = (guint32)value;
}

/* The one parameter that the curve has, its default filled in. */
static gdouble
curve_param (const struct color_tone *tone)
{
  const struct color_curve_params *p = &tone->params;

  switch (tone->curve) {
  case COLOR_CURVE_BT2390:
    return p->bt2390_knee_offset > 0 ? p->bt2390_knee_offset : 0.5;
  case COLOR_CURVE_MOBIUS:
    return p->mobius_knee > 0 ? p->mobius_knee : 0.3;
  case COLOR_CURVE_REINHARD:
    return p->reinhard_contrast > 0 ? p->reinhard_contrast : 0.5;
  case COLOR_CURVE_GAMMA:
    return p->gamma_exponent > 0 ? p->gamma_exponent : 1.8;
  default:
    return p->spline_pivot;
  }
}

static void
put_constants (struct peakdetector *self, const struct color_plan *plan,
               const struct peak_settings *settings)
{
  const struct color_tone *tone = &plan->tone;
  const struct color_gain_units *units = &plan->units;

  for (guint i = 0; i < N_CONSTANTS; i++)
    self->ids[i] = i < ID_COUNT ? i : ID_PEAK_FIRST + i - ID_COUNT;
  memcpy (self->values, plan->constants, sizeof plan->constants);
  put_int (self, ID_PEAK_CURVE, (gint)tone->curve);
  put_float (self, ID_PEAK_FALLBACK, plan->source_peak);
  put_float (self, ID_PEAK_TARGET, tone->target_peak);
  put_float (self, ID_PEAK_BLACK, tone->target_black);
  put_float (self, ID_PEAK_EXPOSURE, units->exposure);
  put_float (self, ID_PEAK_PARAM, curve_param (tone));
  put_int (self, ID_PEAK_DOMAIN, (gint)plan->domain);
  put_float (self, ID_PEAK_UNIT, units->source);
  put_float (self, ID_PEAK_LENGTH, plan->domain_length);
  put_float (self, ID_PEAK_SCALE, sqrt (units->source / units->target));
  put_float (self, ID_PEAK_PERCENTILE, settings->percentile / 100);
  put_float (self, ID_PEAK_LIGHT, plan->source_unit);
}

/* A CPU wants few workgroups that do much, each along whole rows, and lanes
 * that count by themselves; a GPU many of both, and adds atomically. */
static void
put_geometry (struct peakdetector *self)
{
  const gboolean is_cpu = self->device->is_cpu;
  const guint lanes = is_cpu ? PEAK_CPU_LANES : 64;
  const guint width = GST_VIDEO_INFO_WIDTH (&self->info);
  const guint blocks = (width + 7) / 8;
  const guint rows = (GST_VIDEO_INFO_HEIGHT (&self->info) + 1) / 2;
  const guint columns = is_cpu ? 1 : (blocks + lanes - 1) / lanes;
  const guint wanted = is_cpu ? 32 : 512;
  const guint groups = CLAMP (wanted / columns, 1, rows);
  /* No lane counts more pixels than 16 bits hold. */
  const guint most = 0xffff / ((blocks + lanes - 1) / lanes * 8);
  const guint each = MIN ((rows + groups - 1) / groups, MAX (most, 1));
  const gboolean own = is_cpu
                       && self->device->limits.maxComputeSharedMemorySize
                              >= PEAK_CPU_SHARED_SIZE;

  self->groups[0] = columns;
  self->groups[1] = (rows + each - 1) / each;
  self->values[ID_LOCAL_SIZE_X] = lanes;
  self->values[ID_WHOLE_BLOCKS] = width % 8 == 0;
  put_int (self, ID_PEAK_ROWS, (gint)each);
  put_int (self, ID_PEAK_COLUMNS, own ? (gint)lanes : 1);
}

gboolean
peakdetector_configure (struct peakdetector *self,
                        const struct color_plan *plan, const GstVideoInfo *info,
                        enum vkc_storage storage,
                        const struct peak_settings *settings, GError **error)
{
  struct vkc_pipeline *old[KERNEL_ALIGNMENTS];
  gboolean ok;

  /* Until the new one is there: it may be the same, and is not made anew. */
  memcpy (old, self->pipelines, sizeof old);
  memset (self->pipelines, 0, sizeof old);
  self->info = *info;
  self->storage = storage;
  self->smoothing = settings->smoothing;
  put_constants (self, plan, settings);
  put_geometry (self);
  ok = get_pipeline (self, kernel_frame_usual_alignment (info, storage), error)
       != NULL;
  unref_pipelines (old);
  return ok;
}

struct vkc_image *
peakdetector_table (struct peakdetector *self)
{
  return self->state;
}

/* Seconds since the frame before. */
static gdouble
step_of (struct peakdetector *self, const GstVkcFrame *in)
{
  const GstClockTime now = GST_BUFFER_PTS (in->buffer);
  const GstClockTime last = self->last;
  const gint n = GST_VIDEO_INFO_FPS_N (&self->info);
  const gint d = GST_VIDEO_INFO_FPS_D (&self->info);

  self->last = now;
  if (GST_CLOCK_TIME_IS_VALID (now) && GST_CLOCK_TIME_IS_VALID (last)
      && now > last && now - last < GST_SECOND)
    return (gdouble)(now - last) / GST_SECOND;
  return n > 0 && d > 0 ? CLAMP ((gdouble)d / n, 0.001, 1) : 1 / 24.0;
}

static gboolean
fill (struct peakdetector *self, const GstVkcFrame *in, struct vkc_job *state,
      GError **error)
{
  struct vkc_pipeline *pipeline
      = get_pipeline (self, kernel_frame_alignment (in), error);
  struct vkc_image *result
      = pipeline != NULL ? peakresults_pin (self->results, state, error) : NULL;
  const struct color_peak_rates rates
      = color_peak_rates_of (step_of (self, in), self->smoothing);
  struct peak_params params = { .width = GST_VIDEO_INFO_WIDTH (&self->info),
                                .height = GST_VIDEO_INFO_HEIGHT (&self->info),
                                .groups = self->groups[0] * self->groups[1],
                                .rise = (gfloat)rates.rise,
                                .fall = (gfloat)rates.fall,
                                .follow = (gfloat)rates.follow };

  if (result == NULL
      || !kernel_frame_place (in, "source", params.source, &params.source_last,
                              error))
    return FALSE;
  vkc_job_set_pipeline (state, pipeline);
  vkc_job_set_groups (state, self->groups[0], self->groups[1], 1);
  return vkc_job_set_push_constants (state, &params, sizeof params, error)
         && gst_vkc_frame_bind (in, state, BINDING_SOURCE, error)
         && vkc_job_bind (state, BINDING_STATE, self->state, 0, 1, error)
         && vkc_job_bind (state, BINDING_RESULT, result, 0, 1, error);
}

gboolean
peakdetector_plan (struct peakdetector *self, const GstVkcFrame *in,
                   struct vkc_job *job, GError **error)
{
  struct vkc_job *state;

  /* The frame's own job may be dropped before this one runs. */
  vkc_job_share_pins (job);
  state = vkc_job_new_state (job);
  return job_step_append (self->device, state, fill (self, in, state, error),
                          error);
}

gboolean
peakdetector_look (const struct peakdetector *self, struct peak_result *result)
{
  return peakresults_get (self->results, result);
}
