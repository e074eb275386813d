/* What the user set on a vkcompute. */
#include "computesettings-private.h"

static void
set_string (gchar **string, const GValue *value)
{
  g_free (*string);
  *string = g_value_dup_string (value);
}

static void
set_structure (GstStructure **structure, const GValue *value)
{
  g_clear_pointer (structure, gst_structure_free);
  *structure = g_value_dup_boxed (value);
}

static gboolean
set_output (struct compute_settings *settings, guint id, const GValue *value)
{
  switch (id) {
  case PROP_OUTPUT_FORMAT:
    set_string (&settings->output_format, value);
    return TRUE;
  case PROP_OUTPUT_WIDTH:
    settings->output_width = g_value_get_int (value);
    return TRUE;
  case PROP_OUTPUT_HEIGHT:
    settings->output_height = g_value_get_int (value);
    return TRUE;
  case PROP_OUTPUT_SCALE:
    settings->output_scale = g_value_get_double (value);
    return TRUE;
  default:
    return FALSE;
  }
}

gboolean
compute_settings_set (struct compute_settings *settings, guint id,
                      const GValue *value, enum compute_change *change)
{
  *change = COMPUTE_CHANGE_SOURCE;
  switch (id) {
  case PROP_LOCATION:
    set_string (&settings->location, value);
    if (settings->location != NULL) {
      g_clear_pointer (&settings->shader, g_free);
      g_clear_pointer (&settings->passes, g_free);
    }
    return TRUE;
  case PROP_SHADER:
    set_string (&settings->shader, value);
    if (settings->shader != NULL) {
      g_clear_pointer (&settings->location, g_free);
      g_clear_pointer (&settings->passes, g_free);
    }
    return TRUE;
  case PROP_PASSES:
    set_string (&settings->passes, value);
    if (settings->passes != NULL) {
      g_clear_pointer (&settings->location, g_free);
      g_clear_pointer (&settings->shader, g_free);
    }
    return TRUE;
  case PROP_BUFFER_MESSAGES:
    settings->buffer_messages = g_value_get_boolean (value);
    *change = COMPUTE_CHANGE_NONE;
    return TRUE;
  case PROP_BUFFERS:
    set_structure (&settings->buffers, value);
    return TRUE;
  case PROP_GROUPS:
    set_string (&settings->groups, value);
    return TRUE;
  case PROP_INCLUDE_PATH:
    set_string (&settings->include_path, value);
    return TRUE;
  case PROP_ENTRY_POINT:
    set_string (&settings->entry_point, value);
    return TRUE;
  case PROP_DEFINES:
    set_structure (&settings->defines, value);
    return TRUE;
  case PROP_BINDINGS:
    set_structure (&settings->bindings, value);
    return TRUE;
  case PROP_FILTER:
    settings->filter = g_value_get_enum (value);
    *change = COMPUTE_CHANGE_PIPELINE;
    return TRUE;
  case PROP_WRAP:
    settings->wrap = g_value_get_enum (value);
    *change = COMPUTE_CHANGE_PIPELINE;
    return TRUE;
  case PROP_PARAMETERS:
    set_structure (&settings->parameters, value);
    *change = COMPUTE_CHANGE_VALUES;
    return TRUE;
  case PROP_WATCH:
    settings->watch = g_value_get_boolean (value);
    *change = COMPUTE_CHANGE_NONE;
    return TRUE;
  default:
    *change = COMPUTE_CHANGE_PIPELINE;
    return set_output (settings, id, value);
  }
}

gboolean
compute_settings_get (const struct compute_settings *settings, guint id,
                      GValue *value)
{
  switch (id) {
  case PROP_LOCATION:
    g_value_set_string (value, settings->location);
    return TRUE;
  case PROP_SHADER:
    g_value_set_string (value, settings->shader);
    return TRUE;
  case PROP_PASSES:
    g_value_set_string (value, settings->passes);
    return TRUE;
  case PROP_BUFFER_MESSAGES:
    g_value_set_boolean (value, settings->buffer_messages);
    return TRUE;
  case PROP_BUFFERS:
    g_value_set_boxed (value, settings->buffers);
    return TRUE;
  case PROP_GROUPS:
    g_value_set_string (value, settings->groups);
    return TRUE;
  case PROP_INCLUDE_PATH:
    g_value_set_string (value, settings->include_path);
    return TRUE;
  case PROP_ENTRY_POINT:
    g_value_set_string (value, settings->entry_point);
    return TRUE;
  case PROP_DEFINES:
    g_value_set_boxed (value, settings->defines);
    return TRUE;
  case PROP_BINDINGS:
    g_value_set_boxed (value, settings->bindings);
    return TRUE;
  case PROP_FILTER:
    g_value_set_enum (value, settings->filter);
    return TRUE;
  case PROP_WRAP:
    g_value_set_enum (value, settings->wrap);
    return TRUE;
  case PROP_PARAMETERS:
    g_value_set_boxed (value, settings->parameters);
    return TRUE;
  case PROP_WATCH:
    g_value_set_boolean (value, settings->watch);
    return TRUE;
  case PROP_OUTPUT_FORMAT:
    g_value_set_string (value, settings->output_format);
    return TRUE;
  case PROP_OUTPUT_WIDTH:
    g_value_set_int (value, settings->output_width);
    return TRUE;
  case PROP_OUTPUT_HEIGHT:
    g_value_set_int (value, settings->output_height);
    return TRUE;
  case PROP_OUTPUT_SCALE:
    g_value_set_double (value, settings->output_scale);
    return TRUE;
  default:
    return FALSE;
  }
}

void
compute_settings_init (struct compute_settings *settings)
{
  *settings = (struct compute_settings){
    .filter = VK_FILTER_LINEAR,
    .wrap = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
    .output_scale = 1,
  };
}

static GstStructure *
copy_structure (const GstStructure *structure)
{
  return structure != NULL ? gst_structure_copy (structure) : NULL;
}

void
compute_settings_copy (struct compute_settings *copy,
                       const struct compute_settings *settings)
{
  *copy = (struct compute_settings){
    .location = g_strdup (settings->location),
    .shader = g_strdup (settings->shader),
    .include_path = g_strdup (settings->include_path),
    .entry_point = g_strdup (settings->entry_point),
    .defines = copy_structure (settings->defines),
    .bindings = copy_structure (settings->bindings),
    .parameters = copy_structure (settings->parameters),
    .buffers = copy_structure (settings->buffers),
    .passes = g_strdup (settings->passes),
    .groups = g_strdup (settings->groups),
    .filter = settings->filter,
    .wrap = settings->wrap,
    .watch = settings->watch,
    .buffer_messages = settings->buffer_messages,
    .output_format = g_strdup (settings->output_format),
    .output_width = settings->output_width,
    .output_height = settings->output_height,
    .output_scale = settings->output_scale,
  };
}

void
compute_settings_clear (struct compute_settings *settings)
{
  g_free (settings->location);
  g_free (settings->shader);
  g_free (settings->include_path);
  g_free (settings->entry_point);
  g_free (settings->output_format);
  g_free (settings->passes);
  g_free (settings->groups);
  g_clear_pointer (&settings->buffers, gst_structure_free);
  g_clear_pointer (&settings->defines, gst_structure_free);
  g_clear_pointer (&settings->bindings, gst_structure_free);
  g_clear_pointer (&settings->parameters, gst_structure_free);
  *settings = (struct compute_settings){ 0 };
}

gboolean
compute_settings_groups (const struct compute_settings *settings,
                         guint groups[3], GError **error)
{
  g_auto (GStrv) parts
      = g_strsplit (settings->groups != NULL ? settings->groups : "", "x", 3);

  for (guint i = 0; i < 3; i++)
    groups[i] = parts[0] != NULL ? 1 : 0;
  for (guint i = 0; parts[i] != NULL; i++) {
    guint64 number;

    if (!g_ascii_string_to_unsigned (parts[i], 10, 1, G_MAXINT32, &number,
                                     NULL)) {
      g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
                   "groups \"%s\": one to three numbers with an x between them",
                   settings->groups);
      return FALSE;
    }
    groups[i] = number;
  }
  return TRUE;
}

struct kernel_source_params
compute_settings_source (const struct compute_settings *settings)
{
  return (struct kernel_source_params){
    .location = settings->location,
    .shader = settings->shader,
    .include_path = settings->include_path,
    .entry_point = settings->entry_point,
    .defines = settings->defines,
  };
}
