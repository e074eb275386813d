/* Shaders' sources: files, what they include, and what is wrong with them. */
#include <gst/check/gstcheck.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "ext/vkcompute/kernelsource.h"
#include "ext/vkcompute/reflection.h"
#include "tests/unit/shader_texts.h"

/* A folder for sources that goes with all that is in it. */
static gchar *
make_folder (void)
{
  return g_dir_make_tmp ("vkcompute-XXXXXX", NULL);
}

static void
put_bytes (const gchar *folder, const gchar *name, gconstpointer data,
           gssize size)
{
  g_autofree gchar *path = g_build_filename (folder, name, NULL);
  g_autofree gchar *parent = g_path_get_dirname (path);

  g_mkdir_with_parents (parent, 0700);
  fail_unless (g_file_set_contents (path, data, size, NULL));
}

static void
put_text (const gchar *folder, const gchar *name, const gchar *text)
{
  put_bytes (folder, name, text, -1);
}

static void
remove_tree (const gchar *folder)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const gchar *name;

  while ((name = g_dir_read_name (dir)) != NULL) {
    g_autofree gchar *path = g_build_filename (folder, name, NULL);

    if (!g_file_test (path, G_FILE_TEST_IS_SYMLINK)
        && g_file_test (path, G_FILE_TEST_IS_DIR))
      remove_tree (path);
    else
      g_unlink (path);
  }
  g_dir_close (dir);
  g_rmdir (folder);
}

static gboolean
load_from (const gchar *folder, const gchar *name, const gchar *include_path,
           struct kernel_source *source, GError **error)
{
  g_autofree gchar *path = g_build_filename (folder, name, NULL);

  return kernel_source_load (
      source,
      &(struct kernel_source_params){ .location = path,
                                      .include_path = include_path },
      error);
}

/* Loads and, if that works, reflects; returns what went wrong. */
static gchar *
complaint (const gchar *folder, const gchar *name, gint *code)
{
  struct kernel_source source;
  g_autoptr (GError) error = NULL;
  struct reflection *reflection = NULL;

  if (load_from (folder, name, NULL, &source, &error))
    reflection = reflection_new (source.name, source.words, source.n_words,
                                 NULL, &error);
  fail_unless (reflection == NULL && error != NULL);
  fail_unless (error->domain == GST_RESOURCE_ERROR);
  *code = error->code;
  kernel_source_clear (&source);
  return g_strdup (error->message);
}

static void
assert_complaint (const gchar *folder, const gchar *name, gint wanted_code,
                  const gchar *wanted)
{
  gint code;
  g_autofree gchar *words = complaint (folder, name, &code);

  fail_unless (strstr (words, wanted) != NULL, "%s: %s", name, words);
  assert_equals_int (code, wanted_code);
}

GST_START_TEST (broken_files_get_clear_errors)
{
  g_autofree gchar *folder = make_folder ();
  g_autofree gchar *fifo = g_build_filename (folder, "fifo.comp", NULL);
  struct kernel_source source;

  assert_complaint (folder, "missing.comp", GST_RESOURCE_ERROR_NOT_FOUND,
                    "missing.comp");
  assert_complaint (folder, ".", GST_RESOURCE_ERROR_OPEN_READ,
                    "not a regular file");
  fail_unless (mkfifo (fifo, 0600) == 0);
  assert_complaint (folder, "fifo.comp", GST_RESOURCE_ERROR_OPEN_READ,
                    "not a regular file");
  put_bytes (folder, "empty.spv", "", 0);
  assert_complaint (folder, "empty.spv", GST_RESOURCE_ERROR_SETTINGS,
                    "no SPIR-V module");
  put_bytes (folder, "garbage.spv", "this is no shader at all", 24);
  assert_complaint (folder, "garbage.spv", GST_RESOURCE_ERROR_SETTINGS,
                    "no valid SPIR-V module");
  put_bytes (folder, "swapped.spv", "\x07\x23\x02\x03", 4);
  assert_complaint (folder, "swapped.spv", GST_RESOURCE_ERROR_SETTINGS,
                    "other byte order");
  put_text (folder, "empty.comp", "");
  assert_complaint (folder, "empty.comp", GST_RESOURCE_ERROR_SETTINGS,
                    "does not compile");
  put_text (folder, "wrong.comp", HEAD "void main () {\n  nothing ();\n}\n");
  assert_complaint (folder, "wrong.comp", GST_RESOURCE_ERROR_SETTINGS,
                    "wrong.comp:4: error: 'nothing'");

  put_text (folder, "good.comp", HEAD TWO_IMAGES COPY);
  fail_unless (load_from (folder, "good.comp", NULL, &source, NULL));
  put_bytes (folder, "cut.spv", source.words, 4 * (source.n_words / 2));
  assert_complaint (folder, "cut.spv", GST_RESOURCE_ERROR_SETTINGS,
                    "no valid SPIR-V module");
  put_bytes (folder, "odd.spv", source.words, 4 * source.n_words - 1);
  assert_complaint (folder, "odd.spv", GST_RESOURCE_ERROR_SETTINGS,
                    "not whole words");
  kernel_source_clear (&source);
  remove_tree (folder);
}
GST_END_TEST;

GST_START_TEST (missing_entry_point_lists_what_there_is)
{
  g_autoptr (GError) error = NULL;
  struct kernel_source source;

  fail_unless (kernel_source_load (
      &source, &(struct kernel_source_params){ .shader = HEAD TWO_IMAGES COPY },
      NULL));
  fail_if (reflection_new ("it", source.words, source.n_words, "blur", &error));
  assert_equals_string (error->message,
                        "it has no entry point `blur`; it has `main`");
  kernel_source_clear (&source);
}
GST_END_TEST;

/* The smallest valid vertex shader: void main () {}. */
static const guint32 vertex_module[] = {
  0x07230203, 0x00010000, 0, 5,          0,
  0x00020011, 1,                            /* OpCapability Shader */
  0x0003000e, 0,          1,                /* OpMemoryModel Logical GLSL450 */
  0x0005000f, 0,          3, 0x6e69616d, 0, /* OpEntryPoint Vertex %3 "main" */
  0x00020013, 1,                            /* %1 = OpTypeVoid */
  0x00030021, 2,          1,                /* %2 = OpTypeFunction %1 */
  0x00050036, 1,          3, 0,          2, /* %3 = OpFunction */
  0x000200f8, 4,                            /* %4 = OpLabel */
  0x000100fd,                               /* OpReturn */
  0x00010038,                               /* OpFunctionEnd */
};

GST_START_TEST (module_of_another_stage_is_refused)
{
  g_autoptr (GError) error = NULL;

  fail_if (reflection_new ("it", vertex_module, G_N_ELEMENTS (vertex_module),
                           NULL, &error));
  fail_unless (strstr (error->message, "not a compute module") != NULL, "%s",
               error->message);
}
GST_END_TEST;

GST_START_TEST (includes_stay_in_the_tree)
{
  g_autofree gchar *folder = make_folder ();
  g_autofree gchar *tree = g_build_filename (folder, "tree", NULL);
  g_autofree gchar *other = g_build_filename (folder, "other", NULL);
  g_autofree gchar *link = g_build_filename (tree, "link.glsl", NULL);
  struct kernel_source source;
  g_autoptr (GError) error = NULL;

  put_text (folder, "secret.glsl", "#define SECRET 1\n");
  put_text (tree, "lib/a.glsl", "#include \"b.glsl\"\n");
  put_text (tree, "lib/b.glsl", "#include \"../c.glsl\"\n");
  put_text (tree, "c.glsl", TWO_IMAGES);
  put_text (tree, "good.comp", HEAD "#include \"lib/a.glsl\"\n" COPY);
  fail_unless (load_from (tree, "good.comp", NULL, &source, &error));
  g_assert_no_error (error);
  kernel_source_clear (&source);

  put_text (tree, "up.comp", HEAD "#include \"../secret.glsl\"\n" COPY);
  assert_complaint (tree, "up.comp", GST_RESOURCE_ERROR_SETTINGS,
                    "outside the shader's folder");
  put_text (tree, "absolute.comp", HEAD "#include \"/etc/passwd\"\n" COPY);
  assert_complaint (tree, "absolute.comp", GST_RESOURCE_ERROR_SETTINGS,
                    "outside the shader's folder");
  fail_unless (symlink ("../secret.glsl", link) == 0);
  put_text (tree, "link.comp", HEAD "#include \"link.glsl\"\n" COPY);
  assert_complaint (tree, "link.comp", GST_RESOURCE_ERROR_SETTINGS,
                    "outside the shader's folder");
  put_text (tree, "none.comp", HEAD "#include \"none.glsl\"\n" COPY);
  assert_complaint (tree, "none.comp", GST_RESOURCE_ERROR_SETTINGS,
                    "\"none.glsl\" was not found");
  put_text (tree, "loop.comp", "#include \"loop.comp\"\n");
  assert_complaint (tree, "loop.comp", GST_RESOURCE_ERROR_SETTINGS,
                    "nested too deeply");

  put_text (other, "d.glsl", "#include \"e.glsl\"\n");
  put_text (other, "e.glsl", TWO_IMAGES);
  put_text (tree, "path.comp", HEAD "#include \"d.glsl\"\n" COPY);
  assert_complaint (tree, "path.comp", GST_RESOURCE_ERROR_SETTINGS,
                    "\"d.glsl\" was not found");
  fail_unless (load_from (tree, "path.comp", other, &source, &error));
  kernel_source_clear (&source);
  remove_tree (folder);
}
GST_END_TEST;

GST_START_TEST (defines_reach_the_compiler)
{
  g_autoptr (GstStructure) defines = gst_structure_new (
      "defines", "FORMAT", G_TYPE_STRING, "rgba16", "N", G_TYPE_INT, 1, NULL);
  struct kernel_source source;
  struct reflection *reflection;

  fail_unless (kernel_source_load (
      &source,
      &(struct kernel_source_params){
          .shader = HEAD
          "layout (binding = N, FORMAT) writeonly uniform image2D target;\n"
          "void main () { imageStore (target, ivec2 (0), vec4 (0)); }\n",
          .defines = defines },
      NULL));
  reflection = reflection_new ("it", source.words, source.n_words, NULL, NULL);
  assert_equals_int (reflection->bindings[0].binding, 1);
  assert_equals_string (reflection->bindings[0].format_name, "rgba16");
  reflection_unref (reflection);
  kernel_source_clear (&source);
}
GST_END_TEST;

static Suite *
sources_suite (void)
{
  Suite *suite = suite_create ("sources");
  TCase *cases = tcase_create ("shaders");

  suite_add_tcase (suite, cases);
  tcase_add_test (cases, broken_files_get_clear_errors);
  tcase_add_test (cases, missing_entry_point_lists_what_there_is);
  tcase_add_test (cases, module_of_another_stage_is_refused);
  tcase_add_test (cases, includes_stay_in_the_tree);
  tcase_add_test (cases, defines_reach_the_compiler);
  return suite;
}

GST_CHECK_MAIN (sources);
