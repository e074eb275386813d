/* vkcompute: modules that the validator does not know, and the helper process
 * that looks at them first. */
#include <glib/gstdio.h>
#include <sys/stat.h>

#include "ext/vkcompute/kernelsource.h"
#include "tests/elements/compute_support.h"
#include "tests/support/support.h"

#define OP_SOURCE 3

/* invert.comp as SPIR-V of a language that nobody has heard of. */
static gchar *
write_newer_module (void)
{
  g_autofree gchar *shader = compute_shader_path ("invert.comp");
  struct kernel_source source;
  gchar *path;

  fail_unless (kernel_source_load (
      &source, &(struct kernel_source_params){ .location = shader }, NULL));
  for (gsize i = 5; i < source.n_words; i += MAX (source.words[i] >> 16, 1))
    if ((source.words[i] & 0xffff) == OP_SOURCE)
      source.words[i + 1] = 99;
  path = test_temporary_file (".spv", source.words,
                              (gssize)(4 * source.n_words));
  kernel_source_clear (&source);
  return path;
}

GST_START_TEST (newer_module_runs_after_a_helper_tried_it)
{
  g_autofree gchar *path = write_newer_module ();
  GstVideoInfo info;
  GstHarness *harness = compute_start_location (path, &info);

  compute_check (harness, &info, 1, 0,
                 compute_case_find ("invert.comp")->expect);
  gst_harness_teardown (harness);
  g_unlink (path);
}
GST_END_TEST;

static const struct
{
  const gchar *helper; /* its words as a shell script; NULL: VKC_PROBE=0 */
  const gchar *words;
} bad_ends[] = {
  { NULL, "VKC_PROBE=0 does not let it be tried" },
  { "kill -SEGV $$", "SPIRV-Cross crashes on it" },
  { "echo reflected; echo device Fast GPU; kill -SEGV $$",
    "Fast GPU crashes on it" },
  { "echo reflected; echo device Fast GPU; exec sleep 30",
    "Fast GPU does not come to an end with it" },
  { "echo reflected; echo device Fast GPU; echo refused too large",
    "Fast GPU refuses it: too large" },
};

GST_START_TEST (what_the_helper_does_not_survive_is_refused)
{
  g_autofree gchar *path = write_newer_module ();
  g_autofree gchar *helper = compute_write_shader ("");
  g_autofree gchar *script
      = g_strdup_printf ("#!/bin/sh\n%s\n", bad_ends[__i__].helper);
  GstElement *pipeline;
  GError *error;

  g_file_set_contents (helper, script, -1, NULL);
  g_chmod (helper, 0700);
  g_setenv ("VKC_PROBE", bad_ends[__i__].helper != NULL ? helper : "0", TRUE);
  g_setenv ("VKC_TIMEOUT_MS", "2000", TRUE);
  pipeline = test_pipeline_new (
      "videotestsrc num-buffers=1 ! vkcompute location=%s ! fakesink", path);
  error = test_pipeline_run_to_error (pipeline, 20);
  fail_unless (error != NULL);
  fail_unless (strstr (error->message, "could not be validated (Invalid source")
                       != NULL
                   && strstr (error->message, bad_ends[__i__].words) != NULL,
               "%s", error->message);
  fail_unless (
      g_error_matches (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS));
  g_error_free (error);
  test_pipeline_free (pipeline);
  g_unlink (helper);
  g_unlink (path);
}
GST_END_TEST;

static Suite *
unvalidated_suite (void)
{
  Suite *suite = suite_create ("unvalidated");
  TCase *cases = tcase_create ("all");

  suite_add_tcase (suite, cases);
  tcase_add_test (cases, newer_module_runs_after_a_helper_tried_it);
  tcase_add_loop_test (cases, what_the_helper_does_not_survive_is_refused, 0,
                       G_N_ELEMENTS (bad_ends));
  return suite;
}

GST_CHECK_MAIN (unvalidated);
