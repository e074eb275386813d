/* Buffers as messages on the bus. */
#include "bufferreport.h"

#include "jobstep.h"
#include "keptimage.h"

struct report
{
  GWeakRef element;
  struct compute_state *state; /* a reference, for the names */
  guint64 frame;
  GstClockTime pts;
  struct vkc_image *copies[PROGRAM_MAX_RESOURCES];
  gint ref_count; /* one a copy that is planned */
};

static GstBuffer *
read_copy (struct vkc_image *image, gsize size)
{
  g_autoptr (GError) error = NULL;
  void *data = vkc_image_map (image, VKC_MAP_READ, &error);
  GstBuffer *buffer = NULL;

  if (data != NULL && error == NULL)
    buffer = gst_buffer_new_memdup (data, size);
  if (data != NULL)
    vkc_image_unmap (image, VKC_MAP_READ);
  return buffer;
}

/* Nothing is said of a frame that failed: that is an error of its own. */
static void
post (struct report *report, GstElement *element)
{
  const struct compute_program *program = report->state->program;
  GstStructure *structure = gst_structure_new (
      "vkcompute-buffers", "frame", G_TYPE_UINT64, report->frame, "pts",
      G_TYPE_UINT64, report->pts, NULL);
  gboolean all = TRUE;

  for (guint i = 0; all && i < report->state->n_buffers; i++) {
    GstBuffer *buffer = read_copy (report->copies[i], program->buffers[i].size);

    all = buffer != NULL;
    if (all)
      gst_structure_set (structure, program->buffers[i].name, GST_TYPE_BUFFER,
                         buffer, NULL);
    gst_clear_buffer (&buffer);
  }
  if (all)
    gst_element_post_message (
        element, gst_message_new_element (GST_OBJECT (element), structure));
  else
    gst_structure_free (structure);
}

static void
report_unref (gpointer data)
{
  struct report *report = data;
  GstElement *element;

  if (!g_atomic_int_dec_and_test (&report->ref_count))
    return;
  element = g_weak_ref_get (&report->element);
  if (element != NULL) {
    if (report->copies[report->state->n_buffers - 1] != NULL)
      post (report, element);
    gst_object_unref (element);
  }
  for (guint i = 0; i < report->state->n_buffers; i++)
    vkc_image_unref (report->copies[i]);
  g_weak_ref_clear (&report->element);
  compute_state_unref (report->state);
  g_free (report);
}

static gboolean
plan_copy (struct report *report, guint index, struct vkc_job *job,
           GError **error)
{
  struct vkc_image *source = report->state->buffers[index];
  /* Read on the completion thread, which must not have to download it. */
  struct vkc_image_params params = *vkc_image_params (source);
  const struct vkc_copy all
      = { .width = params.size, .height = 1, .texel_size = 1 };
  struct vkc_image *target;
  struct vkc_job *copy;

  params.for_host = true;
  target = vkc_image_new (vkc_image_device (source), &params, error);
  if (target == NULL)
    return FALSE;
  report->copies[index] = target;
  copy = vkc_job_new_state (job);
  g_atomic_int_inc (&report->ref_count);
  vkc_job_pin (copy, report, report_unref);
  vkc_job_take_along (job, copy);
  return job_step_append (
      vkc_image_device (source), copy,
      vkc_job_set_copy (copy, source, target, 1, &all, error), error);
}

gboolean
buffer_report_plan (const struct compute_state *state, GstElement *element,
                    struct vkc_job *job, guint64 frame, GstClockTime pts,
                    GError **error)
{
  struct report *report;
  gboolean ok = TRUE;

  if (state->n_buffers == 0)
    return TRUE;
  report = g_new0 (struct report, 1);
  report->ref_count = 1;
  report->state = compute_state_ref ((struct compute_state *)state);
  report->frame = frame;
  report->pts = pts;
  g_weak_ref_init (&report->element, element);
  for (guint i = 0; ok && i < state->n_buffers; i++)
    ok = plan_copy (report, i, job, error);
  report_unref (report);
  return ok;
}
