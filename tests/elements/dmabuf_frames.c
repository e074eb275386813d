/* Frames in memfds. */
#include "tests/elements/dmabuf_frames.h"

#include <gst/check/gstcheck.h>
#include <sys/mman.h>
#include <unistd.h>

GstAllocator *
test_dmabuf_allocator (void)
{
  static GstAllocator *allocator;

  if (allocator == NULL)
    allocator = gst_dmabuf_allocator_new ();
  return allocator;
}

gsize
test_dmabuf_size (const GstVideoInfo *info)
{
  return (info->size + 8191) / 4096 * 4096;
}

GstBuffer *
test_dmabuf_frame_new (const GstVideoInfo *info, guint seed, gsize size)
{
  GstBuffer *source = test_frame_new (info, seed);
  GstBuffer *buffer = gst_buffer_new ();
  const int fd = memfd_create ("frame", MFD_CLOEXEC);
  GstMapInfo map;

  fail_unless (fd >= 0 && ftruncate (fd, (off_t) size) == 0);
  fail_unless (gst_buffer_map (source, &map, GST_MAP_READ));
  fail_unless (pwrite (fd, map.data, MIN (map.size, size), 0) > 0);
  gst_buffer_unmap (source, &map);
  gst_buffer_unref (source);
  gst_buffer_append_memory (
      buffer,
      gst_dmabuf_allocator_alloc (test_dmabuf_allocator (), fd, info->size));
  gst_buffer_add_video_meta_full (
      buffer, 0, GST_VIDEO_INFO_FORMAT (info), GST_VIDEO_INFO_WIDTH (info),
      GST_VIDEO_INFO_HEIGHT (info), GST_VIDEO_INFO_N_PLANES (info),
      ((GstVideoInfo *) info)->offset, ((GstVideoInfo *) info)->stride);
  return buffer;
}
