/* What a shader may ask about the frame. */
#include "framevalues.h"

#include "blockvalue.h"

enum value
{
  VALUE_WIDTH,
  VALUE_HEIGHT,
  VALUE_SIZE,
  VALUE_FRAME,
  VALUE_TIME,
  VALUE_OFFSET,
  VALUE_STRIDE,
  VALUE_SOURCE_OFFSET,
  VALUE_SOURCE_STRIDE,
  VALUE_TARGET_OFFSET,
  VALUE_TARGET_STRIDE,
};

static const struct
{
  const gchar *name;
  enum value value;
} names[] = {
  { "width", VALUE_WIDTH },
  { "height", VALUE_HEIGHT },
  { "size", VALUE_SIZE },
  { "resolution", VALUE_SIZE },
  { "iResolution", VALUE_SIZE },
  { "frame", VALUE_FRAME },
  { "iFrame", VALUE_FRAME },
  { "time", VALUE_TIME },
  { "iTime", VALUE_TIME },
  { "offset", VALUE_OFFSET },
  { "stride", VALUE_STRIDE },
  { "source_offset", VALUE_SOURCE_OFFSET },
  { "source_stride", VALUE_SOURCE_STRIDE },
  { "target_offset", VALUE_TARGET_OFFSET },
  { "target_stride", VALUE_TARGET_STRIDE },
};

static gboolean
find_value (const gchar *name, enum value *value)
{
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (names[i].name, name)) {
      *value = names[i].value;
      return TRUE;
    }
  return FALSE;
}

gboolean
frame_values_know (const struct reflected_member *member)
{
  enum value value;

  return member->type != REFLECTED_OTHER && find_value (member->name, &value);
}

static guint
copy_offsets (gdouble *out, const gsize *offsets)
{
  for (guint i = 0; i < GST_VIDEO_MAX_PLANES; i++)
    out[i] = offsets[i];
  return GST_VIDEO_MAX_PLANES;
}

static guint
copy_strides (gdouble *out, const guint *strides)
{
  for (guint i = 0; i < GST_VIDEO_MAX_PLANES; i++)
    out[i] = strides[i];
  return GST_VIDEO_MAX_PLANES;
}

/* The numbers of @value; returns how many. */
static guint
get_value (const struct frame_values *values, enum value value,
           gdouble out[GST_VIDEO_MAX_PLANES])
{
  out[0] = 0;
  switch (value) {
  case VALUE_WIDTH:
    out[0] = values->width;
    return 1;
  case VALUE_HEIGHT:
    out[0] = values->height;
    return 1;
  case VALUE_SIZE:
    out[0] = values->width;
    out[1] = values->height;
    out[2] = 1; /* the third of iResolution: the pixels' shape */
    return 3;
  case VALUE_FRAME:
    out[0] = values->frame;
    return 1;
  case VALUE_TIME:
    out[0] = values->time;
    return 1;
  case VALUE_OFFSET:
    return copy_offsets (out, values->offset);
  case VALUE_STRIDE:
    return copy_strides (out, values->stride);
  case VALUE_SOURCE_OFFSET:
    return copy_offsets (out, values->source_offset);
  case VALUE_SOURCE_STRIDE:
    return copy_strides (out, values->source_stride);
  case VALUE_TARGET_OFFSET:
    return copy_offsets (out, values->target_offset);
  case VALUE_TARGET_STRIDE:
    return copy_strides (out, values->target_stride);
  }
  return 0;
}

void
frame_values_write (const struct frame_values *values,
                    const struct reflected_block *block, guint8 *data)
{
  memset (data, 0, block->size);
  for (guint i = 0; i < block->n_members; i++) {
    gdouble numbers[GST_VIDEO_MAX_PLANES];
    enum value value;

    if (!find_value (block->members[i].name, &value))
      continue;
    block_value_set (&block->members[i], data, block->size, numbers,
                     get_value (values, value, numbers));
  }
}

static gboolean
asks_for (const struct reflection *reflection, const gchar *name)
{
  if (reflected_block_find (&reflection->push_constants, name) != NULL)
    return TRUE;
  for (guint i = 0; i < reflection->n_bindings; i++)
    if (reflection->bindings[i].type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER
        && reflected_block_find (&reflection->bindings[i].block, name) != NULL)
      return TRUE;
  return FALSE;
}

gboolean
frame_values_has_source_layout (const struct reflection *reflection)
{
  return asks_for (reflection, "source_offset")
         && asks_for (reflection, "source_stride");
}

gboolean
frame_values_has_target_layout (const struct reflection *reflection)
{
  return asks_for (reflection, "target_offset")
         && asks_for (reflection, "target_stride");
}
