/* Counters as GstStructures. */
#include "gstvkcstats.h"

#include "gst/vk/recorder.h"

static void
put (GstStructure *structure, const gchar *name, guint64 value)
{
  gst_structure_set (structure, name, G_TYPE_UINT64, value, NULL);
}

GstStructure *
gst_vkc_stats_recorder (struct vkc_device *device)
{
  GstStructure *s = gst_structure_new ("recorder", "device", G_TYPE_STRING,
                                       device ? device->name : "", NULL);
  struct vkc_recorder_counters c = { 0 };

  if (device != NULL)
    c = vkc_recorder_counters (device->recorder);
  put (s, "id", c.id);
  put (s, "buffers", c.buffers);
  put (s, "submits", c.submits);
  put (s, "submit-fails", c.submit_fails);
  put (s, "dispatches", c.dispatches);
  put (s, "fused", c.fused);
  put (s, "barriers", c.barriers);
  put (s, "waits", c.waits);
  put (s, "waits-eos", c.waits_eos);
  put (s, "waits-release", c.waits_release);
  put (s, "watches", c.watches);
  put (s, "wait-timeouts", c.wait_timeouts);
  put (s, "flush-tail", c.flush[VKC_FLUSH_TAIL]);
  put (s, "flush-map", c.flush[VKC_FLUSH_MAP]);
  put (s, "flush-limit", c.flush[VKC_FLUSH_LIMIT]);
  put (s, "flush-drain", c.flush[VKC_FLUSH_DRAIN]);
  put (s, "discarded", c.discarded);
  put (s, "state-only", c.state_only);
  put (s, "imports", c.imports);
  put (s, "import-hits", c.import_hits);
  put (s, "copies", c.copies);
  put (s, "uploads", c.uploads);
  put (s, "downloads", c.downloads);
  put (s, "in-flight", c.in_flight);
  put (s, "pending", c.pending);
  put (s, "splits", c.splits);
  put (s, "quarantined", c.quarantined);
  return s;
}

GstStructure *
gst_vkc_stats_element (struct vkc_owner *owner)
{
  GstStructure *s = gst_structure_new_empty ("element");
  struct vkc_owner_counters c = { 0 };

  if (owner != NULL)
    c = vkc_owner_counters (owner);
  put (s, "planned", c.planned);
  put (s, "refused", c.refused);
  put (s, "discarded", c.discarded);
  put (s, "fused", c.fused);
  put (s, "flush-tail", c.flushes[VKC_FLUSH_TAIL]);
  put (s, "flush-map", c.flushes[VKC_FLUSH_MAP]);
  put (s, "flush-limit", c.flushes[VKC_FLUSH_LIMIT]);
  put (s, "flush-drain", c.flushes[VKC_FLUSH_DRAIN]);
  return s;
}
