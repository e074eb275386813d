/* GLSL in a build without shaderc. */
#include "glsl.h"

guint32 *
glsl_compile (const struct glsl_source *source, gsize *n_words, GError **error)
{
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
               "%s: this build of vkcompute has no GLSL compiler (shaderc); "
               "compile the shader with `glslc -o shader.spv` and give that",
               source->name);
  return NULL;
}
