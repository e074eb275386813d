/* What vkcompute's properties are called, and what they may be. */
#include "computesettings-private.h"

/* How textures are read. */
static GType
filter_get_type (void)
{
  static gsize type;
  static const GEnumValue values[]
      = { { VK_FILTER_NEAREST, "The nearest texel", "nearest" },
          { VK_FILTER_LINEAR, "Interpolated", "linear" },
          { 0 } };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
                       g_enum_register_static ("GstVkcComputeFilter", values));
  return type;
}

/* What they are beyond their border. */
static GType
wrap_get_type (void)
{
  static gsize type;
  static const GEnumValue values[]
      = { { VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, "The border's texels",
            "clamp" },
          { VK_SAMPLER_ADDRESS_MODE_REPEAT, "The picture again", "repeat" },
          { VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT, "The picture mirrored",
            "mirror" },
          { 0 } };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
                       g_enum_register_static ("GstVkcComputeWrap", values));
  return type;
}

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

static void
install_size (GObjectClass *klass, guint id, const gchar *name,
              const gchar *nick, const gchar *blurb)
{
  g_object_class_install_property (
      klass, id, g_param_spec_int (name, nick, blurb, 0, 32768, 0, FLAGS));
}

static void
install_output (GObjectClass *klass)
{
  install_string (klass, PROP_OUTPUT_FORMAT, "output-format", "Output format",
                  "The pixel format that comes out, like RGBA or NV12; unset: "
                  "what the shader makes, or what the peer wants");
  install_size (klass, PROP_OUTPUT_WIDTH, "output-width", "Output width",
                "Pixels of a row that comes out; 0: the input's times "
                "output-scale");
  install_size (klass, PROP_OUTPUT_HEIGHT, "output-height", "Output height",
                "Rows that come out; 0: the input's times output-scale");
  g_object_class_install_property (
      klass, PROP_OUTPUT_SCALE,
      g_param_spec_double ("output-scale", "Output scale",
                           "Size of what comes out as a multiple of what comes "
                           "in, rounded to pixels",
                           1.0 / 64, 64, 1, FLAGS));
}

void
compute_settings_install (GObjectClass *klass)
{
  install_string (klass, PROP_LOCATION, "location", "Location",
                  "The shader: a SPIR-V file (*.spv), GLSL (*.comp, *.glsl) or "
                  "a list of passes (*.vkc); takes the place of a shader text "
                  "and of passes");
  install_string (klass, PROP_SHADER, "shader", "Shader",
                  "The shader as GLSL text; takes the place of a location");
  install_string (klass, PROP_PASSES, "passes", "Passes",
                  "Several shaders as the text of a *.vkc file; takes the "
                  "place of a location and of a shader text");
  install_structure (klass, PROP_BUFFERS, "buffers", "Buffers",
                     "Storage buffers that are kept from frame to frame: bytes "
                     "or a file that they start with: \"buffers, bins=1024, "
                     "table=(string)file:table.bin\"");
  install_string (klass, PROP_GROUPS, "groups", "Groups",
                  "Workgroups to run, like 16x1x1; unset: one invocation a "
                  "pixel of what is written");
  install_string (klass, PROP_INCLUDE_PATH, "include-path", "Include path",
                  "One more folder whose tree GLSL may #include from");
  install_string (klass, PROP_ENTRY_POINT, "entry-point", "Entry point",
                  "The function of a SPIR-V module to run; unset: main");
  install_structure (klass, PROP_DEFINES, "defines", "Defines",
                     "Macros for GLSL: \"defines, RADIUS=3, FAST=true\"");
  install_structure (klass, PROP_BINDINGS, "bindings", "Bindings",
                     "What the shader's bindings are, where the default does "
                     "not do: \"map, image=source, luma=source.0, "
                     "binding-3=target\"");
  install_structure (klass, PROP_PARAMETERS, "parameters", "Parameters",
                     "Values of push constants, uniform blocks and "
                     "specialization constants by name: \"parameters, "
                     "gain=1.5, centre=<0.5,0.5>\"");
  g_object_class_install_property (
      klass, PROP_FILTER,
      g_param_spec_enum ("filter", "Filter", "How textures are sampled",
                         filter_get_type (), VK_FILTER_LINEAR, FLAGS));
  g_object_class_install_property (
      klass, PROP_WRAP,
      g_param_spec_enum ("wrap", "Wrap", "What textures are beyond the border",
                         wrap_get_type (),
                         VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, FLAGS));
  gst_type_mark_as_plugin_api (filter_get_type (), 0);
  gst_type_mark_as_plugin_api (wrap_get_type (), 0);
  g_object_class_install_property (
      klass, PROP_WATCH,
      g_param_spec_boolean ("watch", "Watch",
                            "Load the shader's files again when they change",
                            FALSE, FLAGS));
  g_object_class_install_property (
      klass, PROP_BUFFER_MESSAGES,
      g_param_spec_boolean (
          "buffer-messages", "Buffer messages",
          "Post what each frame leaves in the shader's buffers as an element "
          "message \"vkcompute-buffers\"",
          FALSE, FLAGS));
  install_output (klass);
}
