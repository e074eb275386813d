/* Frames of 8-bit formats with a pattern that no shift, shear or mixing of
 * planes maps onto itself; and harnesses around "vkctestadd". */
#pragma once

#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include "gst/base/gstvkccontext.h"

/* Video info for @format of @width x @height. */
GstVideoInfo test_info (GstVideoFormat format, guint width, guint height);

/* What the pattern with @seed has at byte @x of row @y of a plane. */
guint8 test_pattern (guint seed, guint plane, guint x, guint y);

/* A frame in system memory in the layout of @info, without a meta. */
GstBuffer *test_frame_new (const GstVideoInfo *info, guint seed);

/* Asserts that @buffer holds the pattern with @seed after @added was added to
 * every byte. */
void test_frame_assert (GstBuffer *buffer, const GstVideoInfo *info, guint seed,
                        guint added);

/* The same for a part of a frame: byte (0,0) of each plane is that of the
 * pattern @left pixels and @top rows further. */
void test_frame_assert_part (GstBuffer *buffer, const GstVideoInfo *info,
                             guint seed, guint added, guint left, guint top);

/* A harness around "vkctestadd" for frames of @info, with the wrapper
 * installed. @context may be NULL. @peer_is_ours: what it pulls is pending. */
GstHarness *test_adder_harness (const GstVideoInfo *info,
                                GstVkcContext *context, gboolean peer_is_ours);

/* A number out of stats/@part of the harness' element. */
guint64 test_harness_stat (GstHarness *harness, const char *part,
                           const char *name);

/* Whether the frame has not been submitted. */
gboolean test_frame_is_pending (GstBuffer *buffer);

/* The bytes of what becomes of @buffer, which is taken, in @harness. */
GBytes *test_harness_bytes (GstHarness *harness, GstBuffer *buffer);

/* The bytes of @buffer, which is taken, in memories that are cut at @cuts:
 * bytes, ascending, 0 ends. */
GstBuffer *test_frame_cut (GstBuffer *buffer, const gsize *cuts);
