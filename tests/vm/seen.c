/* The dmabufs that went through a pad. */
#include "tests/vm/seen.h"

#include <gst/allocators/gstdmabuf.h>
#include <sys/stat.h>

static GstPadProbeReturn
look (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  struct seen *seen = data;
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);
  struct stat status;

  seen->buffers++;
  if (!gst_is_dmabuf_memory (memory)
      || fstat (gst_dmabuf_memory_get_fd (memory), &status) != 0)
    return GST_PAD_PROBE_OK;
  seen->dmabufs++;
  g_hash_table_add (seen->inodes, GSIZE_TO_POINTER (status.st_ino));
  return GST_PAD_PROBE_OK;
}

void
seen_watch (GstElement *pipeline, const char *element, const char *pad_name,
            struct seen *seen)
{
  g_autoptr (GstElement) found = gst_bin_get_by_name (GST_BIN (pipeline),
                                                      element);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (found, pad_name);

  *seen = (struct seen){ .inodes = g_hash_table_new (NULL, NULL) };
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, look, seen, NULL);
}

void
seen_assert_imported_once (GstElement *pipeline, struct seen *in,
                           struct seen *out)
{
  guint n = g_hash_table_size (in->inodes);

  fail_unless (in->buffers > 0);
  assert_equals_int (in->dmabufs, in->buffers);
  if (out != NULL) {
    fail_unless (out->buffers > 0);
    assert_equals_int (out->dmabufs, out->buffers);
    n += g_hash_table_size (out->inodes);
    g_hash_table_unref (out->inodes);
  }
  assert_equals_uint64 (test_stat (pipeline, "c", "recorder", "imports"), n);
  assert_equals_uint64 (test_stat (pipeline, "c", "recorder", "uploads"), 0);
  g_hash_table_unref (in->inodes);
}
