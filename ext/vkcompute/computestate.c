/* What a program keeps from frame to frame, on the device. */
#include "computestate.h"

#include "keptimage.h"

/* The same pictures; how many of them there are a second does not matter. A
 * shader that works in place has one side only, the other is empty. */
static gboolean
is_same (const GstVideoInfo *a, const GstVideoInfo *b)
{
  GstVideoInfo like_b = *a;

  like_b.fps_n = b->fps_n;
  like_b.fps_d = b->fps_d;
  return a->finfo != NULL && b->finfo != NULL
         && gst_video_info_is_equal (&like_b, b);
}

/* @kept: one that goes on; NULL: a new one. */
static gboolean
init_frame (struct vkc_image **image, struct vkc_image *kept,
            const struct frame_side *side, GError **error)
{
  *image
      = kept != NULL ? vkc_image_ref (kept) : frame_side_new_kept (side, error);
  return *image != NULL;
}

static gboolean
init_frames (struct compute_state *state, const struct frame_side *source,
             const struct frame_side *target,
             const struct compute_state *before, GError **error)
{
  const gboolean same_source
      = before != NULL && is_same (&before->source, &source->info);
  const gboolean same_target
      = before != NULL && is_same (&before->target, &target->info);

  state->source = source->info;
  state->target = target->info;
  if (state->program->history > 0)
    state->n_history = state->program->history + 1;
  for (guint i = 0; i < state->n_history; i++)
    if (!init_frame (&state->history[i],
                     same_source ? before->history[i] : NULL, source, error))
      return FALSE;
  for (guint i = 0; state->program->feedback && i < 2; i++)
    if (!init_frame (&state->previous[i],
                     same_target ? before->previous[i] : NULL, target, error))
      return FALSE;
  return TRUE;
}

static struct vkc_image *
new_buffer (struct vkc_device *device, const struct program_buffer *buffer,
            GError **error)
{
  struct vkc_image_params params;

  if (buffer->size > device->limits.maxStorageBufferRange) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                 "buffer `%s`: %" G_GSIZE_FORMAT " bytes; %s allows %u",
                 buffer->name, buffer->size, device->name,
                 device->limits.maxStorageBufferRange);
    return NULL;
  }
  kept_image_buffer_params (&params, buffer->size);
  return kept_image_new (device, &params, buffer->content, error);
}

static gboolean
init_buffers (struct compute_state *state, struct vkc_device *device,
              const struct compute_state *before, GError **error)
{
  for (; state->n_buffers < state->program->n_buffers; state->n_buffers++) {
    const guint i = state->n_buffers;

    state->buffers[i]
        = before != NULL
              ? vkc_image_ref (before->buffers[i])
              : new_buffer (device, &state->program->buffers[i], error);
    if (state->buffers[i] == NULL)
      return FALSE;
  }
  return TRUE;
}

static gboolean
init_pictures (struct compute_state *state, struct vkc_device *device,
               const struct compute_state *before, GError **error)
{
  for (guint i = 0; i < state->program->n_images; i++) {
    const struct program_image *image = &state->program->images[i];
    struct vkc_image_params params;

    if (image->content == NULL)
      continue;
    kept_image_texel_params (&params, image->format, image->width,
                             image->height);
    state->pictures[i]
        = before != NULL
              ? vkc_image_ref (before->pictures[i])
              : kept_image_new (device, &params, image->content, error);
    if (state->pictures[i] == NULL)
      return FALSE;
  }
  return TRUE;
}

struct compute_state *
compute_state_new (struct vkc_device *device, struct compute_program *program,
                   const struct frame_side *source,
                   const struct frame_side *target,
                   const struct compute_state *before, GError **error)
{
  struct compute_state *state = g_new0 (struct compute_state, 1);

  state->ref_count = 1;
  state->program = compute_program_ref (program);
  if (before != NULL)
    state->n_frames = before->n_frames;
  if (init_frames (state, source, target, before, error)
      && init_buffers (state, device, before, error)
      && init_pictures (state, device, before, error))
    return state;
  compute_state_unref (state);
  return NULL;
}

struct compute_state *
compute_state_ref (struct compute_state *state)
{
  g_atomic_int_inc (&state->ref_count);
  return state;
}

void
compute_state_unref (struct compute_state *state)
{
  if (state == NULL || !g_atomic_int_dec_and_test (&state->ref_count))
    return;
  for (guint i = 0; i < state->n_history; i++)
    vkc_image_unref (state->history[i]);
  vkc_image_unref (state->previous[0]);
  vkc_image_unref (state->previous[1]);
  for (guint i = 0; i < state->n_buffers; i++)
    vkc_image_unref (state->buffers[i]);
  for (guint i = 0; i < state->program->n_images; i++)
    vkc_image_unref (state->pictures[i]);
  compute_program_unref (state->program);
  g_free (state);
}

struct vkc_image *
compute_state_history (const struct compute_state *state, guint back)
{
  const guint64 at = state->n_frames + state->n_history - back;

  return state->history[at % state->n_history];
}

struct vkc_image *
compute_state_output (const struct compute_state *state, gboolean before)
{
  return state->previous[(state->n_frames + before) % 2];
}

GBytes *
compute_state_read (const struct compute_state *state, const gchar *name,
                    GError **error)
{
  for (guint i = 0; i < state->n_buffers; i++) {
    GError *why = NULL;
    GBytes *bytes = NULL;
    void *data;

    if (!g_str_equal (state->program->buffers[i].name, name))
      continue;
    data = vkc_image_map (state->buffers[i], VKC_MAP_READ, &why);
    if (why == NULL)
      bytes = g_bytes_new (data, state->program->buffers[i].size);
    else
      g_propagate_error (error, why);
    if (data != NULL)
      vkc_image_unmap (state->buffers[i], VKC_MAP_READ);
    return bytes;
  }
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
               "%s has no buffer `%s`", state->program->name, name);
  return NULL;
}
