/* What the user set on a vkcompute. */
#include "computesettings.h"

enum
{
  PROP_0,
  PROP_LOCATION,
  PROP_SHADER,
  PROP_INCLUDE_PATH,
  PROP_ENTRY_POINT,
  PROP_DEFINES,
  PROP_PARAMETERS,
  PROP_WATCH,
};

#define FLAGS                                                                  \
  (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING)

static void
install_string (GObjectClass *klass, guint id, const gchar *name,
                const gchar *nick, const gchar *blurb)
{
  g_object_class_install_property (
      klass, id, g_param_spec_string (name, nick, blurb, NULL, FLAGS));
}

static void
install_structure (GObjectClass *klass, guint id, const gchar *name,
                   const gchar *nick, const gchar *blurb)
{
  g_object_class_install_property (
      klass, id,
      g_param_spec_boxed (name, nick, blurb, GST_TYPE_STRUCTURE, FLAGS));
}

void
compute_settings_install (GObjectClass *klass)
{
  install_string (klass, PROP_LOCATION, "location", "Location",
                  "The shader: a SPIR-V file (*.spv) or GLSL (*.comp, "
                  "*.glsl); takes the place of a shader text");
  install_string (klass, PROP_SHADER, "shader", "Shader",
                  "The shader as GLSL text; takes the place of a location");
  install_string (klass, PROP_INCLUDE_PATH, "include-path", "Include path",
                  "One more folder whose tree GLSL may #include from");
  install_string (klass, PROP_ENTRY_POINT, "entry-point", "Entry point",
                  "The function of a SPIR-V module to run; unset: main");
  install_structure (klass, PROP_DEFINES, "defines", "Defines",
                     "Macros for GLSL: \"defines, RADIUS=3, FAST=true\"");
  install_structure (klass, PROP_PARAMETERS, "parameters", "Parameters",
                     "Values of push constants and specialization constants "
                     "by name: \"parameters, gain=1.5, centre=<0.5,0.5>\"");
  g_object_class_install_property (
      klass, PROP_WATCH,
      g_param_spec_boolean ("watch", "Watch",
                            "Load the shader's files again when they change",
                            FALSE, FLAGS));
}

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

gboolean
compute_settings_set (struct compute_settings *settings, guint id,
                      const GValue *value, enum compute_change *change)
{
  *change = COMPUTE_CHANGE_SOURCE;
  switch (id) {
  case PROP_LOCATION:
    set_string (&settings->location, value);
    if (settings->location != NULL)
      g_clear_pointer (&settings->shader, g_free);
    return TRUE;
  case PROP_SHADER:
    set_string (&settings->shader, value);
    if (settings->shader != NULL)
      g_clear_pointer (&settings->location, g_free);
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
  case PROP_PARAMETERS:
    set_structure (&settings->parameters, value);
    *change = COMPUTE_CHANGE_VALUES;
    return TRUE;
  case PROP_WATCH:
    settings->watch = g_value_get_boolean (value);
    *change = COMPUTE_CHANGE_NONE;
    return TRUE;
  default:
    return FALSE;
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
  case PROP_INCLUDE_PATH:
    g_value_set_string (value, settings->include_path);
    return TRUE;
  case PROP_ENTRY_POINT:
    g_value_set_string (value, settings->entry_point);
    return TRUE;
  case PROP_DEFINES:
    g_value_set_boxed (value, settings->defines);
    return TRUE;
  case PROP_PARAMETERS:
    g_value_set_boxed (value, settings->parameters);
    return TRUE;
  case PROP_WATCH:
    g_value_set_boolean (value, settings->watch);
    return TRUE;
  default:
    return FALSE;
  }
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
    .parameters = copy_structure (settings->parameters),
    .watch = settings->watch,
  };
}

void
compute_settings_clear (struct compute_settings *settings)
{
  g_free (settings->location);
  g_free (settings->shader);
  g_free (settings->include_path);
  g_free (settings->entry_point);
  g_clear_pointer (&settings->defines, gst_structure_free);
  g_clear_pointer (&settings->parameters, gst_structure_free);
  *settings = (struct compute_settings){ 0 };
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
