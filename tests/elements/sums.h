/* Checksums of a pipeline's frames, to compare runs. */
#pragma once

#include <gst/gst.h>

/* From now on a checksum of every frame that arrives at the sink called @sink,
 * by its offset. */
GHashTable *test_sums_of_frames (GstElement *pipeline, const gchar *sink);

/* Every frame of @some, of which there is one at least, is as in @all. */
void test_sums_assert_among (GHashTable *some, GHashTable *all);
