/* Grey P010 frames of known light, and what vktonemap makes of them. */
#pragma once

#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#define GREY_WIDTH  640
#define GREY_HEIGHT 360
#define GREY_CAPS                                                              \
  "video/x-raw,format=P010_10LE,width=640,height=360,framerate=24/1,"          \
  "chroma-site=dv,colorimetry="
/* The element under test, called t, with nothing between light and code. */
#define GREY_DETECT                                                            \
  "vktonemap name=t gamut-mapping=clip dither=none peak-detection=on "

/* 10-bit PQ luma of grey in cd/m2. */
#define PQ_10    334
#define PQ_100   509
#define PQ_200   572
#define PQ_1000  723
#define PQ_10000 940

/* @line with GREY_CAPS and @colorimetry before it, NV12 behind it. */
GstHarness *grey_harness_new (const gchar *line, const gchar *colorimetry);

/* Frame number @n, all of luma @y. */
GstBuffer *grey_frame_new (guint n, guint y);
/* Gives a rectangle of @buffer the luma @y; returns @buffer. */
GstBuffer *grey_frame_paint (GstBuffer *buffer, guint x0, guint y0, guint width,
                             guint height, guint y);
/* Frame @n of a bright or a dark scene: a highlight on a field. */
GstBuffer *grey_scene (guint n, gboolean bright);

/* Luma of an NV12 result at a place. */
guint grey_luma_at (GstBuffer *out, guint x, guint y);
/* Pushes @frame; luma of the field at the middle of what comes back. */
guint grey_field_of (GstHarness *h, GstBuffer *frame);
