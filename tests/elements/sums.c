#include "tests/elements/sums.h"

#include <gst/check/gstcheck.h>

static GstPadProbeReturn
note_frame (GstPad *pad, GstPadProbeInfo *probe, gpointer data)
{
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (probe);
  GHashTable *sums = data;
  GstMapInfo map;
  gchar *sum;

  gst_buffer_map (buffer, &map, GST_MAP_READ);
  sum = g_compute_checksum_for_data (G_CHECKSUM_MD5, map.data, map.size);
  gst_buffer_unmap (buffer, &map);
  g_hash_table_insert (sums, GUINT_TO_POINTER (GST_BUFFER_OFFSET (buffer)),
                       sum);
  return GST_PAD_PROBE_OK;
}

GHashTable *
test_sums_of_frames (GstElement *pipeline, const gchar *sink)
{
  g_autoptr (GstElement) element
      = gst_bin_get_by_name (GST_BIN (pipeline), sink);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, "sink");
  GHashTable *sums = g_hash_table_new_full (NULL, NULL, NULL, g_free);

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, note_frame, sums, NULL);
  return sums;
}

void
test_sums_assert_among (GHashTable *some, GHashTable *all)
{
  GHashTableIter iter;
  gpointer number, sum;

  fail_unless (g_hash_table_size (some) > 0);
  g_hash_table_iter_init (&iter, some);
  while (g_hash_table_iter_next (&iter, &number, &sum))
    fail_unless (g_strcmp0 (sum, g_hash_table_lookup (all, number)) == 0,
                 "frame %u is not as it was", GPOINTER_TO_UINT (number));
}
