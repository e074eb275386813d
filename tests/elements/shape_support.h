/* Harnesses and frames for the tests of shapes. */
#pragma once

#include <gst/check/gstharness.h>
#include <gst/video/video.h>

/* A harness around @line for frames of @caps; @peer: what is taken, NULL:
 * anything. */
GstHarness *test_shape_start (const gchar *line, const gchar *caps,
                              const gchar *peer);

/* The same on a device that is shared: devices take long to open. */
GstHarness *test_shape_start_on (GstContext *context, const gchar *line,
                                 const gchar *caps, const gchar *peer);

/* A device for many pipelines; @keeper keeps it open. */
GstContext *test_share_device (GstElement **keeper);
void test_unshare_device (GstContext *context, GstElement *keeper);

/* The caps of a pad. */
GstVideoInfo test_pad_info (GstPad *pad);

/* What comes out for @in, which is taken. */
GstBuffer *test_pass (GstHarness *h, GstBuffer *in);

/* One component in double, in its own resolution. */
struct plane
{
  gint width, height;
  gdouble *at;
};

/* The components of a frame whose samples are bytes or pairs of them. */
void test_read_planes (GstBuffer *buffer, GstVideoInfo *info,
                       struct plane planes[4]);
void test_free_planes (struct plane planes[4]);

/* Fails where samples differ. */
void test_assert_same_planes (GstBuffer *a, GstBuffer *b, GstVideoInfo *info,
                              const gchar *what);

/* @buffer's pixels, which is taken, in a layout where no row begins with a whole
 * word: @more bytes behind each, and 0 in all that is nobody's. */
GstBuffer *test_move_rows (GstBuffer *buffer, const GstVideoInfo *info,
                           gint more);

/* A counter of the recorder that the first element of a line uses. */
guint64 test_chain_stat (GstHarness *h, const gchar *name);
