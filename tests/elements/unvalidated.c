/* vkcompute: modules of files, and the helper process that tries them first. */
#include <glib/gstdio.h>
#include <sys/stat.h>

#include "ext/vkcompute/kernelsource.h"
#include "tests/elements/compute_support.h"
#include "tests/support/support.h"

#define OP_SOURCE 3

/* A shader of the examples as a module; @language: what it says to be written
 * in, 0: what it is. */
static gchar *
write_module (const gchar *name, guint32 language)
{
  g_autofree gchar *shader = compute_shader_path (name);
  struct kernel_source source;
  gchar *path;

  fail_unless (kernel_source_load (
      &source, &(struct kernel_source_params){ .location = shader }, NULL));
  for (gsize i = 5; language != 0 && i < source.n_words;
       i += MAX (source.words[i] >> 16, 1))
    if ((source.words[i] & 0xffff) == OP_SOURCE)
      source.words[i + 1] = language;
  path = test_temporary_file (".spv", source.words,
                              (gssize)(4 * source.n_words));
  kernel_source_clear (&source);
  return path;
}

/* Of a language that nobody has heard of. */
static gchar *
write_newer_module (void)
{
  return write_module ("invert.comp", 99);
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

/* A helper that does what @script says; g_unlink() and g_free() it. */
static gchar *
use_helper (const gchar *script)
{
  gchar *path = compute_write_shader ("");
  g_autofree gchar *text = g_strdup_printf ("#!/bin/sh\n%s\n", script);

  g_file_set_contents (path, text, -1, NULL);
  g_chmod (path, 0700);
  g_setenv ("VKC_PROBE", path, TRUE);
  g_setenv ("VKC_TIMEOUT_MS", "2000", TRUE);
  return path;
}

/* What comes of a frame through the module at @path; NULL: the frame. */
static GError *
run_module (const gchar *path)
{
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=1 ! vkcompute location=%s ! fakesink", path);
  GError *error = test_pipeline_run_to_error (pipeline, 20);

  test_pipeline_free (pipeline);
  return error;
}

static void
assert_refused (GError *error, const gchar *words, const gchar *more)
{
  fail_unless (error != NULL);
  fail_unless (strstr (error->message, words) != NULL
                   && strstr (error->message, more) != NULL,
               "%s", error->message);
  fail_unless (
      g_error_matches (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS));
  g_error_free (error);
}

#define CRASHES "echo reflected; echo device Fast GPU; kill -SEGV $$"
#define HANGS   "echo reflected; echo device Fast GPU; exec sleep 30"
#define REFUSES "echo reflected; echo device Fast GPU; echo refused too large"

static const struct
{
  const gchar *helper; /* NULL: VKC_PROBE=0 */
  const gchar *words;
} bad_ends[] = {
  { NULL, "VKC_PROBE=0 does not let it be tried" },
  { "kill -SEGV $$", "SPIRV-Cross crashes on it" },
  { CRASHES, "Fast GPU crashes on it" },
  { HANGS, "Fast GPU does not come to an end with it" },
  { REFUSES, "Fast GPU refuses it: too large" },
};

GST_START_TEST (what_the_helper_does_not_survive_is_refused)
{
  g_autofree gchar *path = write_newer_module ();
  g_autofree gchar *helper = NULL;

  if (bad_ends[__i__].helper != NULL)
    helper = use_helper (bad_ends[__i__].helper);
  else
    g_setenv ("VKC_PROBE", "0", TRUE);
  assert_refused (run_module (path), "could not be validated (Invalid source",
                  bad_ends[__i__].words);
  if (helper != NULL)
    g_unlink (helper);
  g_unlink (path);
}
GST_END_TEST;

/* Of a valid module, only what would take the process with it; the rest is
 * said by who finds it, by name. */
static const struct
{
  const gchar *helper; /* NULL: VKC_PROBE=0 */
  const gchar *words;  /* NULL: it runs */
} valid_ends[] = {
  { CRASHES, "is valid, but Fast GPU crashes on it" },
  { HANGS, "is valid, but Fast GPU does not come to an end with it" },
  { REFUSES, NULL },
  { NULL, NULL },
};

GST_START_TEST (valid_module_of_a_file_is_tried_too)
{
  g_autofree gchar *path = write_module ("invert.comp", 0);
  g_autofree gchar *helper = NULL;
  GError *error;

  if (valid_ends[__i__].helper != NULL)
    helper = use_helper (valid_ends[__i__].helper);
  else
    g_setenv ("VKC_PROBE", "0", TRUE);
  error = run_module (path);
  if (valid_ends[__i__].words != NULL)
    assert_refused (error, valid_ends[__i__].words, "");
  else
    fail_unless (error == NULL, "%s", error != NULL ? error->message : "");
  if (helper != NULL)
    g_unlink (helper);
  g_unlink (path);
}
GST_END_TEST;

/* Without the helper, valid modules run as before. */
GST_START_TEST (helper_that_is_not_there_is_not_needed)
{
  g_autofree gchar *path = write_module ("invert.comp", 0);
  GError *error;

  g_setenv ("VKC_PROBE", "/no/such/helper", TRUE);
  error = run_module (path);
  fail_unless (error == NULL, "%s", error != NULL ? error->message : "");
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
  tcase_add_loop_test (cases, valid_module_of_a_file_is_tried_too, 0,
                       G_N_ELEMENTS (valid_ends));
  tcase_add_test (cases, helper_that_is_not_there_is_not_needed);
  return suite;
}

GST_CHECK_MAIN (unvalidated);
