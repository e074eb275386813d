/* Frames with a pattern. */
#include "tests/elements/frames.h"

#include "gst/base/gstvkccaps.h"
#include "gst/base/gstvkcmemory.h"
#include "gst/base/gstvkcpool.h"
#include "tests/support/support.h"

GstVideoInfo
test_info (GstVideoFormat format, guint width, guint height)
{
  GstVideoInfo info;

  fail_unless (gst_video_info_set_format (&info, format, width, height));
  info.fps_n = 30;
  return info;
}

guint8
test_pattern (guint seed, guint plane, guint x, guint y)
{
  return (guint8)(seed * 31 + plane * 89 + x * 3 + y * 7 + x * y);
}

GstBuffer *
test_frame_new (const GstVideoInfo *info, guint seed)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, info->size, NULL);
  GstMapInfo map;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  memset (map.data, 0xee, map.size);
  for (guint p = 0; p < GST_VIDEO_INFO_N_PLANES (info); p++)
    for (guint y = 0; y < gst_vkc_plane_rows (info, p); y++)
      for (guint x = 0; x < gst_vkc_plane_row_bytes (info, p); x++)
        map.data[info->offset[p] + y * info->stride[p] + x]
            = test_pattern (seed, p, x, y);
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

void
test_frame_assert_part (GstBuffer *buffer, const GstVideoInfo *info, guint seed,
                        guint added, guint left, guint top)
{
  const GstVideoFormatInfo *format = info->finfo;
  GstVideoFrame frame;

  fail_unless (
      gst_video_frame_map (&frame, (GstVideoInfo *)info, buffer, GST_MAP_READ));
  for (guint p = 0; p < GST_VIDEO_INFO_N_PLANES (info); p++) {
    const guint8 *data = GST_VIDEO_FRAME_PLANE_DATA (&frame, p);
    const gint stride = GST_VIDEO_FRAME_PLANE_STRIDE (&frame, p);
    /* A component's number is its plane's in all formats used here. */
    const guint x0 = (left >> GST_VIDEO_FORMAT_INFO_W_SUB (format, p))
                     * GST_VIDEO_FORMAT_INFO_PSTRIDE (format, p);
    const guint y0 = top >> GST_VIDEO_FORMAT_INFO_H_SUB (format, p);

    for (guint y = 0; y < gst_vkc_plane_rows (info, p); y++)
      for (guint x = 0; x < gst_vkc_plane_row_bytes (info, p); x++) {
        const guint8 want
            = (guint8)(test_pattern (seed, p, x + x0, y + y0) + added);
        const guint8 got = data[(gssize)y * stride + x];

        /* Each passed check costs a system call. */
        if (got != want)
          fail ("plane %u (%u, %u): %u instead of %u", p, x, y, got, want);
      }
  }
  gst_video_frame_unmap (&frame);
}

void
test_frame_assert (GstBuffer *buffer, const GstVideoInfo *info, guint seed,
                   guint added)
{
  test_frame_assert_part (buffer, info, seed, added, 0, 0);
}

GstHarness *
test_adder_harness (const GstVideoInfo *info, GstVkcContext *context,
                    gboolean peer_is_ours)
{
  GstElement *adder = gst_element_factory_make ("vkctestadd", NULL);
  GstHarness *harness;

  test_wrap_install ();
  if (context != NULL) {
    GstContext *wrapped = gst_vkc_context_wrap (context);

    gst_element_set_context (adder, wrapped);
    gst_context_unref (wrapped);
  }
  harness = gst_harness_new_with_element (adder, "sink", "src");
  gst_object_unref (adder);
  if (peer_is_ours)
    gst_harness_add_propose_allocation_meta (harness, GST_VKC_MARKER_API_TYPE,
                                             NULL);
  gst_harness_set_src_caps (harness,
                            gst_video_info_to_caps ((GstVideoInfo *)info));
  return harness;
}

guint64
test_harness_stat (GstHarness *harness, const char *part, const char *name)
{
  g_autoptr (GstStructure) stats = NULL, half = NULL;
  guint64 number = 0;

  g_object_get (harness->element, "stats", &stats, NULL);
  fail_unless (
      gst_structure_get (stats, part, GST_TYPE_STRUCTURE, &half, NULL));
  fail_unless (gst_structure_get_uint64 (half, name, &number), "no %s", name);
  return number;
}

gboolean
test_frame_is_pending (GstBuffer *buffer)
{
  struct vkc_image *image = gst_vkc_buffer_get_image (buffer);

  fail_unless (image != NULL);
  return vkc_image_is_pending (image);
}

GBytes *
test_harness_bytes (GstHarness *harness, GstBuffer *buffer)
{
  GstBuffer *out = gst_harness_push_and_pull (harness, buffer);
  GBytes *bytes;
  GstMapInfo map;

  fail_unless (out != NULL && gst_buffer_map (out, &map, GST_MAP_READ));
  bytes = g_bytes_new (map.data, map.size);
  gst_buffer_unmap (out, &map);
  gst_buffer_unref (out);
  return bytes;
}

GstBuffer *
test_frame_cut (GstBuffer *buffer, const gsize *cuts)
{
  const gsize size = gst_buffer_get_size (buffer);
  GstBuffer *result = gst_buffer_new ();
  gsize from = 0;

  while (from < size) {
    const gsize to = *cuts != 0 ? *cuts++ : size;
    GstMemory *part = gst_allocator_alloc (NULL, to - from, NULL);
    GstMapInfo map;

    fail_unless (gst_memory_map (part, &map, GST_MAP_WRITE));
    gst_buffer_extract (buffer, from, map.data, to - from);
    gst_memory_unmap (part, &map);
    gst_buffer_append_memory (result, part);
    from = to;
  }
  gst_buffer_unref (buffer);
  return result;
}
