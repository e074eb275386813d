/* What the user set on a vkcompute: its properties as plain data. */
#pragma once

#include <gst/gst.h>

#include <vulkan/vulkan.h>

#include "kernelsource.h"

struct compute_settings
{
  gchar *location;
  gchar *shader;
  gchar *include_path;
  gchar *entry_point;
  GstStructure *defines;
  GstStructure *bindings;
  GstStructure *parameters;
  GstStructure *buffers;
  gchar *passes; /* a key file's text */
  gchar *groups; /* "40x1x1" */
  VkFilter filter;
  VkSamplerAddressMode wrap;
  gboolean watch;
  gboolean buffer_messages;

  /* What comes out. */
  gchar *output_format; /* NULL: what the shader makes, or the peer wants */
  gint output_width, output_height; /* pixels; 0: by @output_scale */
  gdouble output_scale;
};

/* What a new value means for a running element. */
enum compute_change
{
  COMPUTE_CHANGE_NONE,
  COMPUTE_CHANGE_SOURCE,   /* the shader is another one */
  COMPUTE_CHANGE_PIPELINE, /* how it is compiled */
  COMPUTE_CHANGE_VALUES,   /* its parameters are */
};

/* In computeproperties.c. Installs the properties; their ids start at 1. */
void compute_settings_install (GObjectClass *klass);

/* FALSE: no such property. */
gboolean compute_settings_set (struct compute_settings *settings, guint id,
                               const GValue *value,
                               enum compute_change *change);
gboolean compute_settings_get (const struct compute_settings *settings,
                               guint id, GValue *value);

/* The defaults. */
void compute_settings_init (struct compute_settings *settings);

void compute_settings_copy (struct compute_settings *copy,
                            const struct compute_settings *settings);
void compute_settings_clear (struct compute_settings *settings);

/* @groups: zeros where nothing is set. Refuses what are no numbers. */
gboolean compute_settings_groups (const struct compute_settings *settings,
                                  guint groups[3], GError **error);

/* Borrows from @settings. */
struct kernel_source_params
compute_settings_source (const struct compute_settings *settings);
