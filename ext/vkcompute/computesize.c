/* vkcompute's caps: how large a frame comes out. */
#include "computesize.h"

#include <math.h>

#define LARGEST 32768

static gboolean
pass_is_free (const struct frame_bindings *bindings)
{
  for (guint i = 0; i < bindings->n; i++) {
    const VkDescriptorType type = bindings->all[i].declared->type;
    const enum frame_role role = bindings->all[i].role;

    if ((role == FRAME_ROLE_SOURCE || role == FRAME_ROLE_HISTORY)
        && type != VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
        && type != VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE)
      return FALSE;
    /* The bytes of a frame have the layout of one size. */
    if (role == FRAME_ROLE_TARGET && type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)
      return FALSE;
  }
  return TRUE;
}

gboolean
compute_size_is_free (const struct compute_program *program)
{
  if (compute_program_is_in_place (program))
    return FALSE;
  for (guint i = 0; i < program->n_passes; i++)
    if (!pass_is_free (&program->passes[i].kernel->bindings))
      return FALSE;
  return TRUE;
}

static gboolean
has_size (const struct compute_settings *settings)
{
  return settings->output_width > 0 || settings->output_height > 0
         || settings->output_scale != 1;
}

static void
set_any (GstStructure *structure, const gchar *field)
{
  gst_structure_set (structure, field, GST_TYPE_INT_RANGE, 1, LARGEST, NULL);
}

/* The other side of a scale, where one size follows from the other. */
static void
scale_field (GstStructure *structure, const gchar *field, gdouble scale)
{
  gint size;

  if (scale == 1)
    return;
  if (gst_structure_get_int (structure, field, &size))
    gst_structure_set (structure, field, G_TYPE_INT,
                       (gint)CLAMP (rint (size * scale), 1, LARGEST), NULL);
  else
    set_any (structure, field);
}

static gboolean
allows (const GstStructure *structure, const gchar *field, gint size)
{
  const GValue *have = gst_structure_get_value (structure, field);
  GValue wanted = G_VALUE_INIT;
  gboolean ok;

  if (have == NULL)
    return TRUE;
  g_value_init (&wanted, G_TYPE_INT);
  g_value_set_int (&wanted, size);
  ok = gst_value_can_intersect (have, &wanted);
  g_value_unset (&wanted);
  return ok;
}

/* FALSE: the src pad cannot have what is wanted. Towards the sink pad a scaled
 * size is not one size: several are rounded to it. */
static gboolean
transform_field (GstStructure *structure, const gchar *field, gint wanted,
                 gdouble scale, GstPadDirection direction)
{
  if (direction == GST_PAD_SRC) {
    if (wanted > 0 && !allows (structure, field, wanted))
      return FALSE;
    if (wanted > 0 || scale != 1)
      set_any (structure, field);
  } else if (wanted > 0) {
    gst_structure_set (structure, field, G_TYPE_INT, wanted, NULL);
  } else {
    scale_field (structure, field, scale);
  }
  return TRUE;
}

static GstCaps *
transform_wanted (GstCaps *caps, const struct compute_settings *settings,
                  GstPadDirection direction)
{
  GstCaps *result = gst_caps_new_empty ();

  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    GstStructure *structure
        = gst_structure_copy (gst_caps_get_structure (caps, i));

    if (!transform_field (structure, "width", settings->output_width,
                          settings->output_scale, direction)
        || !transform_field (structure, "height", settings->output_height,
                             settings->output_scale, direction)) {
      gst_structure_free (structure);
      continue;
    }
    gst_structure_remove_field (structure, "pixel-aspect-ratio");
    gst_caps_append_structure_full (
        result, structure,
        gst_caps_features_copy (gst_caps_get_features (caps, i)));
  }
  gst_caps_unref (caps);
  return result;
}

GstCaps *
compute_size_transform (GstCaps *caps, const struct compute_settings *settings,
                        gboolean is_free, GstPadDirection direction)
{
  GstCaps *other;

  if (has_size (settings))
    return transform_wanted (caps, settings, direction);
  if (!is_free)
    return caps;
  other = gst_caps_copy (caps);
  for (guint i = 0; i < gst_caps_get_size (other); i++) {
    GstStructure *structure = gst_caps_get_structure (other, i);

    set_any (structure, "width");
    set_any (structure, "height");
    gst_structure_remove_field (structure, "pixel-aspect-ratio");
  }
  return gst_caps_merge (caps, other);
}

static void
fixate_shape (GstStructure *other, const GstStructure *from, gint from_width,
              gint from_height)
{
  gint width = 0, height = 0, n = 1, d = 1;

  gst_structure_get_int (other, "width", &width);
  gst_structure_get_int (other, "height", &height);
  gst_structure_get_fraction (from, "pixel-aspect-ratio", &n, &d);
  if ((width == from_width && height == from_height)
      || !gst_util_fraction_multiply (n, d, from_width, from_height, &n, &d)
      || !gst_util_fraction_multiply (n, d, height, width, &n, &d))
    return;
  if (gst_structure_has_field (other, "pixel-aspect-ratio"))
    gst_structure_fixate_field_nearest_fraction (other, "pixel-aspect-ratio", n,
                                                 d);
  else if (n != d)
    gst_structure_set (other, "pixel-aspect-ratio", GST_TYPE_FRACTION, n, d,
                       NULL);
}

void
compute_size_fixate (GstStructure *other, const GstStructure *from)
{
  gint from_width, from_height, width, height;

  if (!gst_structure_get_int (from, "width", &from_width)
      || !gst_structure_get_int (from, "height", &from_height))
    return;
  /* Whoever says only one of both wants the shape kept. */
  width = from_width;
  height = from_height;
  if (gst_structure_get_int (other, "width", &width))
    height = MAX (
        1, (gint)gst_util_uint64_scale_round (width, from_height, from_width));
  else if (gst_structure_get_int (other, "height", &height))
    width = MAX (
        1, (gint)gst_util_uint64_scale_round (height, from_width, from_height));
  gst_structure_fixate_field_nearest_int (other, "width", width);
  gst_structure_fixate_field_nearest_int (other, "height", height);
  fixate_shape (other, from, from_width, from_height);
}
