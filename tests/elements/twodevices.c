/* Two devices in one pipeline. Where there is one software driver, a copy of it
 * is the second. */
#include <dlfcn.h>
#include <glib/gstdio.h>

#include "gst/vk/device.h"
#include "tests/elements/adder.h"
#include "tests/support/support.h"

#define ICD_FOLDER "/usr/share/vulkan/icd.d"

/* The description of the software driver, NULL if there is none. */
static char *
find_software_icd (void)
{
  GDir *dir = g_dir_open (ICD_FOLDER, 0, NULL);
  char *path = NULL;
  const char *name;

  while (dir != NULL && path == NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (name, "lvp_icd"))
      path = g_build_filename (ICD_FOLDER, name, NULL);
  g_clear_pointer (&dir, g_dir_close);
  return path;
}

/* The file behind the "library_path" in the description at @icd, which may be a
 * bare name. */
static char *
library_of (const char *icd)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) parts = NULL;
  char *path = NULL;

  if (!g_file_get_contents (icd, &text, NULL, NULL))
    return NULL;
  parts = g_strsplit (text, "\"", -1);
  for (guint i = 0; parts[i] && parts[i + 1] && parts[i + 2] && !path; i++) {
    void *driver, *symbol;
    Dl_info info;

    if (!g_str_equal (parts[i], "library_path"))
      continue;
    driver = dlopen (parts[i + 2], RTLD_LAZY);
    symbol = driver ? dlsym (driver, "vk_icdGetInstanceProcAddr") : NULL;
    if (symbol != NULL && dladdr (symbol, &info) != 0)
      path = g_strdup (info.dli_fname);
    if (driver != NULL)
      dlclose (driver);
  }
  return path;
}

/* Makes the loader see the software driver twice; the copy is in *@folder. */
static gboolean
double_the_driver (char **folder)
{
  g_autofree char *icd = find_software_icd ();
  g_autofree char *library = icd ? library_of (icd) : NULL;
  g_autofree char *copy = NULL, *copy_icd = NULL;
  g_autofree char *both = NULL, *text = NULL, *code = NULL;
  gsize size;

  if (library == NULL || !g_file_get_contents (library, &code, &size, NULL))
    return FALSE;
  *folder = g_dir_make_tmp ("vkc-XXXXXX", NULL);
  copy = g_build_filename (*folder, "copy.so", NULL);
  copy_icd = g_build_filename (*folder, "copy.json", NULL);
  fail_unless (g_file_set_contents (copy, code, size, NULL));
  text = g_strdup_printf ("{\"file_format_version\": \"1.0.0\", \"ICD\": "
                          "{\"library_path\": \"%s\", "
                          "\"api_version\": \"1.3.230\"}}",
                          copy);
  fail_unless (g_file_set_contents (copy_icd, text, -1, NULL));
  both = g_strdup_printf ("%s:%s", icd, copy_icd);
  g_setenv ("VK_ICD_FILENAMES", both, TRUE);
  g_setenv ("VK_DRIVER_FILES", both, TRUE);
  return TRUE;
}

static GstPadProbeReturn
check (GstPad *pad, GstPadProbeInfo *info, gpointer n)
{
  GstMapInfo map;

  fail_unless (
      gst_buffer_map (GST_PAD_PROBE_INFO_BUFFER (info), &map, GST_MAP_READ));
  for (guint i = 0; i < map.size; i++)
    if (map.data[i] != 16 + 3)
      fail ("byte %u is %u", i, map.data[i]);
  gst_buffer_unmap (GST_PAD_PROBE_INFO_BUFFER (info), &map);
  ++*(guint *)n;
  return GST_PAD_PROBE_OK;
}

static void
remove_copy (const char *folder)
{
  g_autofree char *copy = g_build_filename (folder, "copy.so", NULL);
  g_autofree char *copy_icd = g_build_filename (folder, "copy.json", NULL);

  g_remove (copy);
  g_remove (copy_icd);
  g_rmdir (folder);
}

/* Not behind the wrapper, which knows one driver. */
GST_START_TEST (second_device_costs_a_copy_and_one_warning)
{
  g_autofree char *folder = NULL;
  GstElement *pipeline;
  guint n = 0, warnings = 0;
  GstMessageType type;

  if (!double_the_driver (&folder))
    test_skip ("no software driver in " ICD_FOLDER);
  pipeline = gst_parse_launch (
      "videotestsrc num-buffers=20 pattern=black ! "
      "video/x-raw,format=GRAY8,width=64,height=48 ! "
      "vkctestadd name=a device=0 ! vkctestadd name=b device=1 ! queue ! "
      "vkctestadd name=c device=1 ! fakesink name=sink",
      NULL);
  g_autoptr (GstElement) sink
      = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (sink, "sink");
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, check, &n, NULL);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  do {
    g_autoptr (GstMessage) message = gst_bus_timed_pop_filtered (
        bus, 30 * GST_SECOND,
        GST_MESSAGE_EOS | GST_MESSAGE_ERROR | GST_MESSAGE_WARNING);
    fail_unless (message != NULL, "no EOS");
    fail_unless (GST_MESSAGE_TYPE (message) != GST_MESSAGE_ERROR);
    type = GST_MESSAGE_TYPE (message);
    warnings += type == GST_MESSAGE_WARNING;
  } while (type != GST_MESSAGE_EOS);

  assert_equals_int (n, 20);
  assert_equals_int (warnings, 1);
  fail_unless (test_stat (pipeline, "a", "recorder", "id")
               != test_stat (pipeline, "b", "recorder", "id"));
  assert_equals_uint64 (test_stat (pipeline, "b", "recorder", "id"),
                        test_stat (pipeline, "c", "recorder", "id"));
  assert_equals_uint64 (test_stat (pipeline, "b", "recorder", "uploads"), 20);
  assert_equals_uint64 (test_stat (pipeline, "b", "recorder", "submits"), 20);
  test_pipeline_free (pipeline);
  remove_copy (folder);
}
GST_END_TEST;

static Suite *
twodevices_suite (void)
{
  Suite *suite = suite_create ("twodevices");
  TCase *tests = tcase_create ("twodevices");

  test_adder_register ();
  suite_add_tcase (suite, tests);
  tcase_add_test (tests, second_device_costs_a_copy_and_one_warning);
  return suite;
}

GST_CHECK_MAIN (twodevices);
