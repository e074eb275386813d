/* Compiled pipelines on disk. */
#include <glib/gstdio.h>
#include <gst/check/gstcheck.h>

#include "tests/unit/fake_vulkan.h"

/* Runs a device from beginning to end. */
static void
run_device (void)
{
  vkc_device_unref (fake_device_new ());
}

/* The file of a driver whose UUID is zero: no real one. */
static char *
stored_file (void)
{
  return g_build_filename (g_get_user_cache_dir (), "gst-vkcompute",
                           "00000000000000000000000000000000.pipelines", NULL);
}

GST_START_TEST (next_device_gets_what_was_compiled)
{
  g_autofree char *path = stored_file ();

  g_remove (path);
  run_device ();
  assert_equals_uint64 (fake_cache_given_size, 0);
  run_device ();
  assert_equals_uint64 (fake_cache_given_size, FAKE_CACHE_SIZE);
  assert_equals_int (fake_cache_given[FAKE_CACHE_SIZE - 1], 'x');
  g_remove (path);
}
GST_END_TEST;

/* No driver sees a file that was cut off, or one in which a bit has changed.
 * Mutation seen to fail this: no comparison of the checksum. */
GST_START_TEST (damaged_files_are_left_alone)
{
  g_autofree char *path = stored_file (), *good = NULL;
  gsize size;

  run_device ();
  fail_unless (g_file_get_contents (path, &good, &size, NULL));
  for (gsize i = 0; i < size; i += 7) {
    g_autofree char *bad = g_memdup2 (good, size);

    bad[i] ^= 4;
    fail_unless (g_file_set_contents (path, bad, (gssize) size, NULL));
    run_device ();
    assert_equals_uint64 (fake_cache_given_size, 0);
    fail_unless (g_file_set_contents (path, good, (gssize) i, NULL));
    run_device ();
    assert_equals_uint64 (fake_cache_given_size, 0);
  }
  g_remove (path);
}
GST_END_TEST;

GST_START_TEST (file_that_cannot_be_written_does_not_matter)
{
  g_autofree char *path = stored_file ();

  g_remove (path);
  assert_equals_int (g_mkdir_with_parents (path, 0700), 0);
  run_device ();
  run_device ();
  assert_equals_uint64 (fake_cache_given_size, 0);
  g_rmdir (path);
}
GST_END_TEST;

static Suite *
store_suite (void)
{
  Suite *suite = suite_create ("store");
  TCase *tests = tcase_create ("store");
  g_autofree char *cache
      = g_build_filename (g_getenv ("VKC_BUILD_ROOT"), "tests/cache", NULL);

  /* Other tests with the same device run at the same time. */
  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  suite_add_tcase (suite, tests);
  tcase_add_test (tests, next_device_gets_what_was_compiled);
  tcase_add_test (tests, damaged_files_are_left_alone);
  tcase_add_test (tests, file_that_cannot_be_written_does_not_matter);
  return suite;
}

GST_CHECK_MAIN (store);
