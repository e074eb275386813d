/* Conveniences for tests of vkcompute. */
#include "tests/elements/compute_support.h"


#include "gst/base/gstvkccontext.h"
#include "tests/support/support.h"

static void
share_device (GstElement *element)
{
  static GstVkcContext *context;
  GstContext *wrapped;

  if (context == NULL) {
    context = gst_vkc_context_new (NULL);
    fail_unless (gst_vkc_context_open_device (context, NULL, NULL) != NULL);
  }
  wrapped = gst_vkc_context_wrap (context);
  gst_element_set_context (element, wrapped);
  gst_context_unref (wrapped);
}

GstElement *
compute_element_new (void)
{
  GstElement *element = gst_element_factory_make ("vkcompute", NULL);

  share_device (element);
  return element;
}

GstBuffer *
compute_make_frame (const GstVideoInfo *info, guint32 seed)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, info->size, NULL);
  GRand *dice = g_rand_new_with_seed (seed);
  GstMapInfo map;

  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  for (gsize i = 0; i < map.size; i++)
    map.data[i] = g_rand_int (dice) >> 8;
  gst_buffer_unmap (buffer, &map);
  g_rand_free (dice);
  return buffer;
}

gchar *
compute_shader_path (const gchar *name)
{
  const gchar *folder = g_str_has_prefix (name, "test/")
                            ? g_getenv ("VKC_TEST_DATA")
                            : g_getenv ("VKC_SOURCE_ROOT");

  if (g_str_has_prefix (name, "test/"))
    return g_build_filename (folder, "shaders", name + 5, NULL);
  return g_build_filename (folder, "docs", "examples", "shaders", name, NULL);
}

gchar *
compute_write_shader (const gchar *text)
{
  return test_temporary_file (".comp", text, -1);
}

GstHarness *
compute_start (GstElement *element, const gchar *format, gint width,
               gint height, GstVideoInfo *info)
{
  g_autofree gchar *caps = g_strdup_printf (
      "video/x-raw,format=%s,width=%d,height=%d,framerate=10/1", format, width,
      height);
  GstHarness *harness = gst_harness_new_with_element (element, "sink", "src");

  gst_object_unref (element);
  gst_harness_set_src_caps_str (harness, caps);
  gst_video_info_set_format (info, gst_video_format_from_string (format), width,
                             height);
  return harness;
}

void
compute_assert_frame (const gchar *shader, GstBuffer *buffer,
                      const GstVideoInfo *info, const struct picture *expected,
                      guint tolerance)
{
  GstVideoFrame frame;

  fail_unless (buffer != NULL);
  fail_unless (gst_video_frame_map (&frame, info, buffer, GST_MAP_READ));
  for (guint i = 0; i < expected->n_planes; i++)
    for (guint y = 0; y < expected->rows[i]; y++) {
      const guint8 *have
          = (const guint8 *)frame.data[i] + (gsize)y * frame.info.stride[i];
      const guint8 *want
          = expected->data[i] + (gsize)y * expected->row_bytes[i];

      for (guint x = 0; x < expected->row_bytes[i]; x++)
        if (ABS (have[x] - want[x]) > (gint)tolerance)
          fail ("%s: plane %u, row %u, byte %u: %u, not %u", shader, i, y, x,
                have[x], want[x]);
    }
  gst_video_frame_unmap (&frame);
  gst_buffer_unref (buffer);
}

void
compute_run (GstHarness *harness, const GstVideoInfo *info, guint32 seed)
{
  GstBuffer *frame = compute_make_frame (info, seed);
  GstMapInfo map;

  fail_unless_equals_int (gst_harness_push (harness, frame), GST_FLOW_OK);
  frame = gst_harness_pull (harness);
  /* Waits: nothing may be in flight when a test's process ends. */
  fail_unless (gst_buffer_map (frame, &map, GST_MAP_READ));
  gst_buffer_unmap (frame, &map);
  gst_buffer_unref (frame);
}

void
compute_check (GstHarness *harness, const GstVideoInfo *info, guint32 seed,
               guint tolerance,
               void (*expect) (const struct picture *in, struct picture *out))
{
  GstBuffer *frame = compute_make_frame (info, seed);
  struct picture source, expected;

  picture_from_buffer (&source, info, frame);
  picture_init (&expected, info);
  expect (&source, &expected);
  fail_unless_equals_int (gst_harness_push (harness, frame), GST_FLOW_OK);
  compute_assert_frame ("", gst_harness_pull (harness), info, &expected,
                        tolerance);
  picture_clear (&source);
  picture_clear (&expected);
}

GstHarness *
compute_start_location (const gchar *shader, GstVideoInfo *info)
{
  GstElement *element = compute_element_new ();

  g_object_set (element, "location", shader, NULL);
  return compute_start (element, "RGBA", 20, 12, info);
}

static GstMessage *
pop_message (GstBus *bus, GstMessageType type)
{
  GstMessage *message = gst_bus_pop_filtered (bus, type);

  fail_unless (message != NULL, "no message");
  return message;
}

void
compute_assert_warning (GstBus *bus, const gchar *words)
{
  GstMessage *message = pop_message (bus, GST_MESSAGE_WARNING);
  GError *error;

  gst_message_parse_warning (message, &error, NULL);
  fail_unless (strstr (error->message, words) != NULL, "%s", error->message);
  g_error_free (error);
  gst_message_unref (message);
}

GstBus *
compute_add_bus (GstElement *element)
{
  GstBus *bus = gst_bus_new ();

  gst_element_set_bus (element, bus);
  return bus;
}

void
compute_drop_bus (GstElement *element, GstBus *bus)
{
  gst_element_set_bus (element, NULL);
  gst_object_unref (bus);
}

void
compute_expect_same (const struct picture *in, struct picture *out)
{
  memcpy (out->data[0], in->data[0], (gsize)in->row_bytes[0] * in->rows[0]);
}
