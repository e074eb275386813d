/* Conveniences for tests of vkcompute. */
#pragma once

#include <gst/check/gstharness.h>

#include "tests/elements/compute_cases.h"

/* A frame of noise that depends on @seed. */
GstBuffer *compute_make_frame (const GstVideoInfo *info, guint32 seed);

/* A shader of docs/examples/shaders, or of tests/data/shaders if @name starts
 * with "test/"; g_free() it. */
gchar *compute_shader_path (const gchar *name);

/* @text in a file of its own; g_unlink() and g_free() it. */
gchar *compute_write_shader (const gchar *text);

/* A vkcompute with properties of its own: all harnesses of a test run on one
 * device, which stays open, since opening one takes long. */
GstElement *compute_element_new (void);

/* Takes @element; its frames are @format, 10 a second. Fills @info. */
GstHarness *compute_start (GstElement *element, const gchar *format, gint width,
                           gint height, GstVideoInfo *info);

/* Takes @buffer. Compares samples, not padding. */
void compute_assert_frame (const gchar *shader, GstBuffer *buffer,
                           const GstVideoInfo *info,
                           const struct picture *expected, guint tolerance);

/* Pushes a frame of noise through @harness; it must come out. */
void compute_run (GstHarness *harness, const GstVideoInfo *info, guint32 seed);

/* Pushes a frame of noise through @harness and compares what comes out. */
void compute_check (GstHarness *harness, const GstVideoInfo *info, guint32 seed,
                    guint tolerance,
                    void (*expect) (const struct picture *in,
                                    struct picture *out));

/* A vkcompute with the file @shader, on RGBA frames of 20x12. */
GstHarness *compute_start_location (const gchar *shader, GstVideoInfo *info);

/* A bus to look at what @element posts. */
GstBus *compute_add_bus (GstElement *element);
void compute_drop_bus (GstElement *element, GstBus *bus);

/* The next warning on @bus contains @words. */
void compute_assert_warning (GstBus *bus, const gchar *words);

/* The RGBA frame that went in. */
void compute_expect_same (const struct picture *in, struct picture *out);
