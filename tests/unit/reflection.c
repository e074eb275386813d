/* What reflection says of shaders. */
#include <gst/check/gstcheck.h>

#include "ext/vkcompute/kernelsource.h"
#include "ext/vkcompute/parameters.h"
#include "ext/vkcompute/reflection.h"
#include "tests/unit/shader_texts.h"

static struct reflection *
reflect_text (const gchar *text, GError **error)
{
  struct kernel_source source;
  struct reflection *reflection;

  if (!kernel_source_load (
          &source, &(struct kernel_source_params){ .shader = text }, error))
    return NULL;
  reflection
      = reflection_new (source.name, source.words, source.n_words, NULL, error);
  kernel_source_clear (&source);
  return reflection;
}

static const gchar *const type_names[]
    = { "float", "int", "uint", "bool", "other" };

static void
describe_block (GString *out, const struct reflected_block *block)
{
  g_string_append_printf (out, " %u {", block->size);
  for (guint i = 0; i < block->n_members; i++) {
    const struct reflected_member *m = &block->members[i];

    g_string_append_printf (out, " %s:%s@%u", m->name, type_names[m->type],
                            m->offset);
    if (m->rows > 1 || m->columns > 1)
      g_string_append_printf (out, ",%ux%u/%u%s", m->rows, m->columns,
                              m->column_stride, m->row_major ? "r" : "");
    if (m->stride > 0)
      g_string_append_printf (out, "[%u/%u]", m->n_elements, m->stride);
  }
  g_string_append (out, " }");
}

/* All that a test compares, as one line. */
static gchar *
describe (const struct reflection *r)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < r->n_bindings; i++) {
    const struct reflected_binding *b = &r->bindings[i];

    g_string_append_printf (out, "%u.%u %s: %s", b->set, b->binding, b->name,
                            reflected_kind_name (b->type));
    if (b->count != 1)
      g_string_append_printf (out, " x%u", b->count);
    if (*b->format_name != '\0')
      g_string_append_printf (out, " %s", b->format_name);
    g_string_append_printf (out, " %s%s", b->reads ? "r" : "",
                            b->writes ? "w" : "");
    if (b->block.n_members > 0)
      describe_block (out, &b->block);
    g_string_append (out, "; ");
  }
  if (r->push_constants.size > 0) {
    g_string_append_printf (out, "push %s", r->push_constants.name);
    describe_block (out, &r->push_constants);
    g_string_append (out, "; ");
  }
  for (guint i = 0; i < r->n_constants; i++)
    g_string_append_printf (
        out, "const %u %s:%s=%u; ", r->constants[i].id, r->constants[i].name,
        type_names[r->constants[i].type], r->constants[i].value);
  g_string_append_printf (out, "%ux%ux%u", r->local_size[0], r->local_size[1],
                          r->local_size[2]);
  return g_string_free (out, FALSE);
}

static const struct
{
  const gchar *text;
  const gchar *expected;
} table[] = {
  { HEAD TWO_IMAGES COPY, "0.0 source: a storage image rgba8 r; "
                          "0.1 target: a storage image rgba8 w; 8x4x1" },
  /* Nothing is said of access: what is done counts. */
  { HEAD "layout (binding = 0, rgba16) uniform image2D source;\n"
         "layout (binding = 3, r16ui) uniform uimage2D target;\n"
         "vec4 get (ivec2 at) { return imageLoad (source, at); }\n"
         "void main () {\n"
         "  ivec2 at = ivec2 (gl_GlobalInvocationID.xy);\n"
         "  imageStore (target, at, uvec4 (get (at))); }\n",
    "0.0 source: a storage image rgba16 r; "
    "0.3 target: a storage image r16ui w; 8x4x1" },
  { HEAD "layout (binding = 0, r8) uniform image2D planes[3];\n"
         "void main () {\n"
         "  ivec2 at = ivec2 (gl_GlobalInvocationID.xy);\n"
         "  for (int i = 0; i < 3; i++)\n"
         "    imageStore (planes[i], at, 1 - imageLoad (planes[i], at)); }\n",
    "0.0 planes: a storage image x3 r8 rw; 8x4x1" },
  { HEAD "layout (binding = 0) readonly buffer In { uint a[]; } source;\n"
         "layout (binding = 1) buffer Out { uint n; uint b[]; } target;\n"
         "void main () {\n"
         "  uint i = gl_GlobalInvocationID.x;\n"
         "  atomicAdd (target.n, 1);\n"
         "  target.b[i] = source.a[i]; }\n",
    "0.0 source: a storage buffer r 0 { a:uint@0[0/4] }; "
    "0.1 target: a storage buffer rw 4 { n:uint@0 b:uint@4[0/4] }; 8x4x1" },
  /* What is not used is not there. */
  { HEAD TWO_IMAGES "layout (binding = 2) uniform sampler2D lut;\n" COPY,
    "0.0 source: a storage image rgba8 r; "
    "0.1 target: a storage image rgba8 w; 8x4x1" },
  { HEAD "layout (binding = 1, rgba8) writeonly uniform image2D target;\n"
         "layout (set = 1, binding = 0) uniform sampler2D tex;\n"
         "layout (binding = 2) uniform texture2D flat_tex;\n"
         "layout (binding = 4) uniform sampler taps;\n"
         "layout (binding = 3) uniform Block { mat3 m; float g[2]; } block;\n"
         "void main () {\n"
         "  vec3 c = block.m * textureLod (tex, vec2 (0), 0).rgb;\n"
         "  c *= textureLod (sampler2D (flat_tex, taps), vec2 (0), 0).r;\n"
         "  imageStore (target, ivec2 (0), vec4 (c * block.g[1], 1)); }\n",
    "0.1 target: a storage image rgba8 w; 0.2 flat_tex: a sampled image r; "
    "0.3 block: a uniform buffer r 80 { m:float@0,3x3/16 "
    "g:float@48[2/16] }; 0.4 taps: a sampler ; "
    "1.0 tex: a texture with its sampler r; 8x4x1" },
  { "#version 450\n"
    "layout (local_size_x_id = 7, local_size_y = 2) in;\n"
    "layout (constant_id = 3) const float GAIN = 1.0;\n"
    "layout (constant_id = 4) const bool FLIP = true;\n"
    "layout (binding = 1, rgba8) writeonly uniform image2D target;\n"
    "struct Size { uint w; uint h; };\n"
    "layout (push_constant) uniform Params {\n"
    "  vec2 center; ivec3 step_by; Size size; float k[3]; bool on;\n"
    "} p;\n"
    "void main () {\n"
    "  if (gl_GlobalInvocationID.x < p.size.w && FLIP && p.on)\n"
    "    imageStore (target, p.step_by.xy, vec4 (GAIN * p.k[2])); }\n",
    "0.1 target: a storage image rgba8 w; "
    "push Params 52 { center:float@0,2x1/0 step_by:int@16,3x1/0 "
    "size.w:uint@28 size.h:uint@32 k:float@36[3/4] on:uint@48 }; "
    "const 3 GAIN:float=1065353216; const 4 FLIP:bool=1; const 7 "
    "constant-7:uint=1; "
    "1x2x1" },
};

GST_START_TEST (declarations_are_reflected)
{
  g_autoptr (GError) error = NULL;
  struct reflection *reflection = reflect_text (table[__i__].text, &error);
  g_autofree gchar *found = NULL;

  g_assert_no_error (error);
  found = describe (reflection);
  assert_equals_string (found, table[__i__].expected);
  reflection_unref (reflection);
}
GST_END_TEST;

#define OP_NAME        5
#define OP_MEMBER_NAME 6

/* What optimizers do. */
static void
strip_names (struct kernel_source *source)
{
  gsize to = 5, size;

  for (gsize from = 5; from < source->n_words; from += size) {
    const guint op = source->words[from] & 0xffff;

    size = MAX (source->words[from] >> 16, 1);
    if (op == OP_NAME || op == OP_MEMBER_NAME)
      continue;
    memmove (source->words + to, source->words + from,
             size * sizeof *source->words);
    to += size;
  }
  source->n_words = to;
}

GST_START_TEST (stripped_names_go_by_number)
{
  static const gchar text[]
      = HEAD "layout (set = 1, binding = 0) uniform sampler2D source;\n"
             "layout (binding = 1, rgba8) writeonly uniform image2D target;\n"
             "struct In { float a; vec2 b; };\n"
             "layout (binding = 2) uniform U { vec4 lift; In inner; } u;\n"
             "layout (push_constant) uniform P { float gain; vec3 tint; } p;\n"
             "layout (constant_id = 3) const uint MODE = 1;\n"
             "void main () { imageStore (target, ivec2 (MODE), p.gain *\n"
             "  vec4 (p.tint, u.inner.a) + u.lift.x * u.inner.b.x *\n"
             "  textureLod (source, vec2 (0), 0)); }\n";
  g_autoptr (GError) error = NULL;
  g_autoptr (GstStructure) all = gst_structure_from_string (
      "p, member-0=2.0, member-1=<1.0,1.0,1.0>, binding-2.member-1.member-1="
      "<0.5,0.5>, constant-3=2",
      NULL);
  struct kernel_source source;
  struct reflection *reflection;
  g_autofree gchar *found = NULL;

  fail_unless (kernel_source_load (
      &source, &(struct kernel_source_params){ .shader = text }, &error));
  strip_names (&source);
  reflection
      = reflection_new ("it", source.words, source.n_words, NULL, &error);
  kernel_source_clear (&source);
  g_assert_no_error (error);
  found = describe (reflection);
  assert_equals_string (
      found,
      "0.1 binding-1: a storage image rgba8 w; 0.2 binding-2: a uniform buffer "
      "r 32 { binding-2.member-0:float@0,4x1/0 "
      "binding-2.member-1.member-0:float@16 "
      "binding-2.member-1.member-1:float@24,2x1/0 }; "
      "1.0 set-1-binding-0: a texture with its sampler r; "
      "push  28 { member-0:float@0 member-1:float@16,3x1/0 }; "
      "const 3 constant-3:uint=1; 8x4x1");
  fail_unless (parameters_check (all, reflection, &error));
  reflection_unref (reflection);
}
GST_END_TEST;

#define OP_CONSTANT 43

/* Compilers of GLSL refuse it by themselves; SPIR-V may have it. */
GST_START_TEST (element_that_is_not_there_is_refused)
{
  static const gchar text[]
      = HEAD "layout (binding = 1, r8) writeonly uniform image2D planes[3];\n"
             "void main () { imageStore (planes[2], ivec2 (7), vec4 (1)); }\n";
  g_autoptr (GError) error = NULL;
  struct kernel_source source;

  fail_unless (kernel_source_load (
      &source, &(struct kernel_source_params){ .shader = text }, &error));
  for (gsize i = 5; i < source.n_words; i += MAX (source.words[i] >> 16, 1))
    if ((source.words[i] & 0xffff) == OP_CONSTANT && source.words[i + 3] == 2)
      source.words[i + 3] = 1025;
  fail_unless (reflection_new ("it", source.words, source.n_words, NULL, &error)
               == NULL);
  assert_equals_string (error->message,
                        "it: it uses element 1025 of `planes`, an array of 3");
  kernel_source_clear (&source);
}
GST_END_TEST;

GST_START_TEST (kernel_borrows_what_was_reflected)
{
  struct reflection *reflection = reflect_text (HEAD TWO_IMAGES COPY, NULL);
  struct vkc_kernel kernel;

  fail_unless (reflection_fill_kernel (reflection, &kernel, NULL));
  assert_equals_string (kernel.entry_point, "main");
  assert_equals_int (kernel.n_bindings, 2);
  fail_unless (kernel.bindings[0].reads && !kernel.bindings[0].writes);
  fail_unless (kernel.bindings[1].writes && !kernel.bindings[1].reads);
  assert_equals_int (kernel.bindings[1].type, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE);
  fail_unless (kernel.code_size % 4 == 0 && kernel.code[0] == 0x07230203);
  reflection_unref (reflection);
}
GST_END_TEST;

static const struct
{
  const gchar *text;
  const gchar *words; /* that the refusal must contain */
} refused[] = {
  { HEAD "layout (set = 4, binding = 1, rgba8) writeonly uniform image2D away;"
         "void main () { imageStore (away, ivec2 (0), vec4 (0)); }\n",
    "`away` is in descriptor set 4; sets below 4" },
  { HEAD "layout (binding = 1, rgba8) writeonly uniform image2D target;\n"
         "layout (binding = 0) uniform sampler2D tex[5];\n"
         "void main () { imageStore (target, ivec2 (0), "
         "textureLod (tex[3], vec2 (0), 0)); }\n",
    "`tex` is an array of 5 samplers" },
  { HEAD "layout (binding = 1, rgba8) writeonly uniform image2D target;\n"
         "layout (push_constant) uniform Big { vec4 v[9]; } big;\n"
         "void main () { imageStore (target, ivec2 (0), big.v[8]); }\n",
    "`Big` have 144 bytes; at most 128" },
  { HEAD "layout (binding = 1, rgba8) writeonly uniform image2D one;\n"
         "layout (binding = 1, rgba8) writeonly uniform image2D two;\n"
         "void main () { imageStore (one, ivec2 (0), vec4 (0)); "
         "imageStore (two, ivec2 (0), vec4 (0)); }\n",
    "share binding 1" },
};

GST_START_TEST (kernel_refusals_name_the_binding)
{
  struct reflection *reflection = reflect_text (refused[__i__].text, NULL);
  g_autoptr (GError) error = NULL;
  struct vkc_kernel kernel;

  fail_if (reflection_fill_kernel (reflection, &kernel, &error));
  fail_unless (strstr (error->message, refused[__i__].words) != NULL, "%s",
               error->message);
  fail_unless (
      g_error_matches (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS));
  reflection_unref (reflection);
}
GST_END_TEST;

static Suite *
reflection_suite (void)
{
  Suite *suite = suite_create ("reflection");
  TCase *cases = tcase_create ("shaders");

  suite_add_tcase (suite, cases);
  tcase_add_loop_test (cases, declarations_are_reflected, 0,
                       G_N_ELEMENTS (table));
  tcase_add_test (cases, stripped_names_go_by_number);
  tcase_add_test (cases, element_that_is_not_there_is_refused);
  tcase_add_test (cases, kernel_borrows_what_was_reflected);
  tcase_add_loop_test (cases, kernel_refusals_name_the_binding, 0,
                       G_N_ELEMENTS (refused));
  return suite;
}

GST_CHECK_MAIN (reflection);
