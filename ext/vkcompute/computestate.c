/* What a program keeps from frame to frame, on the device. */
#include "computestate.h"

#include "keptimage.h"

static gboolean
init_frames (struct compute_state *state, const struct frame_side *source,
             const struct frame_side *target, GError **error)
{
  if (state->program->history > 0)
    state->n_history = state->program->history + 1;
  for (guint i = 0; i < state->n_history; i++) {
    state->history[i] = frame_side_new_kept (source, error);
    if (state->history[i] == NULL)
      return FALSE;
  }
  for (guint i = 0; state->program->feedback && i < 2; i++) {
    state->previous[i] = frame_side_new_kept (target, error);
    if (state->previous[i] == NULL)
      return FALSE;
  }
  return TRUE;
}

static gboolean
init_buffers (struct compute_state *state, struct vkc_device *device,
              GError **error)
{
  for (guint i = 0; i < state->program->n_buffers; i++) {
    const struct program_buffer *buffer = &state->program->buffers[i];
    struct vkc_image_params params;

    if (buffer->size > device->limits.maxStorageBufferRange) {
      g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                   "buffer `%s`: %" G_GSIZE_FORMAT " bytes; %s allows %u",
                   buffer->name, buffer->size, device->name,
                   device->limits.maxStorageBufferRange);
      return FALSE;
    }
    kept_image_buffer_params (&params, buffer->size);
    state->buffers[i]
        = kept_image_new (device, &params, buffer->content, error);
    if (state->buffers[i] == NULL)
      return FALSE;
    state->n_buffers++;
  }
  return TRUE;
}

struct compute_state *
compute_state_new (struct vkc_device *device, struct compute_program *program,
                   const struct frame_side *source,
                   const struct frame_side *target, GError **error)
{
  struct compute_state *state = g_new0 (struct compute_state, 1);

  state->ref_count = 1;
  state->program = compute_program_ref (program);
  if (init_frames (state, source, target, error)
      && init_buffers (state, device, error))
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
