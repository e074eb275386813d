/* Conveniences for tests on a device: devices, pipelines, statistics, and the
 * check that the recorder counts what really happened. */
#pragma once

#include <gst/check/gstcheck.h>

#include "gst/vk/device.h"
#include "tests/support/wrap.h"

/* Ends the running test as skipped, with its reason. */
#define test_skip(...)                                                         \
  do {                                                                         \
    test_skip_named (__func__, __VA_ARGS__);                                   \
    return;                                                                    \
  } while (0)
void test_skip_named (const char *test, const char *format, ...)
    G_GNUC_PRINTF (2, 3);

/* A device behind the wrapper; fails the test if there is none. */
struct vkc_device *test_device_new (void);

/* Waits, bounded, until nothing is in flight, then: what the recorder counted
 * is what the queue of @device took, nothing is pending, and no command buffer
 * was begun twice. */
void test_assert_counts_agree (struct vkc_device *device);

/* Waits, bounded, until no Vulkan object exists: the last reference to a device
 * may have gone on its completion thread. */
void test_assert_all_gone (void);

/* Descriptors that this process has open. */
unsigned open_descriptors (void);

/* tests/data/@name; g_free() it. */
char *test_data_path (const char *name);

/* A temporary file whose name ends with @suffix and that holds @size bytes of
 * @data (-1: a string); g_remove() it, and g_free() its path. */
char *test_temporary_file (const char *suffix, const void *data, gssize size);

/* A pipeline from a launch line in printf style. A parse error fails the
 * test. Installs the wrapper. */
GstElement *test_pipeline_new (const char *format, ...) G_GNUC_PRINTF (1, 2);

/* Sets @pipeline to PLAYING and waits for EOS, at most @seconds: an error or
 * the time limit fails the test. The pipeline stays in PLAYING. */
void test_pipeline_run (GstElement *pipeline, guint seconds);

/* The same, but returns the first error message (NULL at EOS); free it. */
GError *test_pipeline_run_to_error (GstElement *pipeline, guint seconds);

/* Takes the warnings from @bus, and counts them; one without @word (NULL: any)
 * fails the test. */
guint test_take_warnings (GstBus *bus, const char *word);

/* To NULL, and the last reference. */
void test_pipeline_free (GstElement *pipeline);

/* Field @name of @part ("recorder" or "element") of `stats` of the element
 * called @element in @pipeline; one that is not there fails the test. */
guint64 test_stat (GstElement *pipeline, const char *element, const char *part,
                   const char *name);

/* test_assert_counts_agree() for the device that the element called @element
 * runs on, and: its `stats` says the same as the wrapper. */
void test_assert_stats_agree (GstElement *pipeline, const char *element);
