/* Many threads, small pools, slow consumers, foreign locks: nothing hangs, and
 * what was borrowed is given back. Each test runs under the alarm of its suite.
 */
#include <gst/video/gstvideopool.h>

#include "gst/base/gstvkccontext.h"
#include "tests/elements/adder.h"
#include "tests/elements/frames.h"
#include "tests/support/support.h"

struct seen
{
  gint frames, wrong;
};

/* Black is 16, and the three elements add 1 + 2 + 3. */
static void
check_sum (GstElement *sink, GstBuffer *buffer, GstPad *pad, gpointer data)
{
  struct seen *seen = data;
  GstMapInfo map;
  gint wrong = 0;

  if (!gst_buffer_map (buffer, &map, GST_MAP_READ)) {
    g_atomic_int_inc (&seen->wrong);
    return;
  }
  for (gsize i = 0; i < map.size; i++)
    wrong += map.data[i] != 16 + 6;
  gst_buffer_unmap (buffer, &map);
  g_atomic_int_add (&seen->wrong, wrong);
  g_atomic_int_inc (&seen->frames);
}

static GstElement *
start_pipeline (GstContext *context, guint n, struct seen *seen)
{
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc num-buffers=%u pattern=black ! "
      "video/x-raw,format=GRAY8,width=16,height=16 ! vkctestadd amount=1 ! "
      "queue ! vkctestadd amount=2 ! queue ! vkctestadd amount=3 ! queue ! "
      "fakesink name=sink signal-handoffs=true",
      n);
  g_autoptr (GstElement) sink
      = gst_bin_get_by_name (GST_BIN (pipeline), "sink");

  g_signal_connect (sink, "handoff", G_CALLBACK (check_sum), seen);
  gst_element_set_context (pipeline, context);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  return pipeline;
}

/* 16 threads. With VKC_FULL 10 000 frames, else a fifth of them. */
GST_START_TEST (pipelines_share_a_device_under_load)
{
  const guint n = g_getenv ("VKC_FULL") != NULL ? 2500 : 500;
  g_autoptr (GstVkcContext) context = gst_vkc_context_new (NULL);
  g_autoptr (GstContext) wrapped = gst_vkc_context_wrap (context);
  g_autoptr (GstStructure) stats = NULL;
  struct seen seen = { 0 };
  GstElement *pipelines[4];
  guint64 dispatches;

  for (guint i = 0; i < G_N_ELEMENTS (pipelines); i++)
    pipelines[i] = start_pipeline (wrapped, n, &seen);
  for (guint i = 0; i < G_N_ELEMENTS (pipelines); i++) {
    test_pipeline_run (pipelines[i], 60);
    test_pipeline_free (pipelines[i]);
  }
  assert_equals_int (seen.frames, 4 * n);
  assert_equals_int (seen.wrong, 0);
  stats = gst_vkc_context_get_stats (context);
  fail_unless (gst_structure_get_uint64 (stats, "dispatches", &dispatches));
  assert_equals_uint64 (dispatches, 3 * 4 * n);
}
GST_END_TEST;

/* Buffers that a source has sent, and those of them that are no more. */
static GMutex sent_lock;
static GHashTable *sent;
static gint gone;

static void
count_gone (gpointer unused, GstMiniObject *object)
{
  g_atomic_int_inc (&gone);
}

static GstPadProbeReturn
count_sent (GstPad *pad, GstPadProbeInfo *info, gpointer unused)
{
  GstMiniObject *object = GST_MINI_OBJECT (info->data);

  g_mutex_lock (&sent_lock);
  if (g_hash_table_add (sent, object))
    gst_mini_object_weak_ref (object, count_gone, NULL);
  g_mutex_unlock (&sent_lock);
  return GST_PAD_PROBE_OK;
}

static void
add_probe (GstElement *pipeline, const char *name, const char *pad_name,
           GstPadProbeType type, GstPadProbeCallback callback)
{
  g_autoptr (GstElement) element
      = gst_bin_get_by_name (GST_BIN (pipeline), name);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, pad_name);

  gst_pad_add_probe (pad, type, callback, NULL, NULL);
}

/* Holds up whoever pushes until a flush. */
static GstPadProbeReturn
stay_blocked (GstPad *pad, GstPadProbeInfo *info, gpointer unused)
{
  return GST_PAD_PROBE_OK;
}

/* A branch that stands still holds up the tee and, behind it, the source, with
 * all that the queues and the recorder hold. @__i__: where a flush finds it. */
static const GstState flushed_in[]
    = { GST_STATE_PAUSED, GST_STATE_PLAYING, GST_STATE_READY };

GST_START_TEST (blocked_branch_gives_everything_back)
{
  GstElement *pipeline = test_pipeline_new (
      "videotestsrc name=source ! "
      "video/x-raw,format=NV12,width=64,height=48,framerate=30/1 ! "
      "vkctestadd ! tee name=t ! queue max-size-buffers=200 ! vkctestadd ! "
      "queue max-size-buffers=16 ! fakesink async=false "
      "t. ! queue max-size-buffers=3 ! vkctestadd name=stuck ! "
      "fakesink async=false");

  sent = g_hash_table_new (NULL, NULL);
  add_probe (pipeline, "source", "src", GST_PAD_PROBE_TYPE_BUFFER, count_sent);
  add_probe (pipeline, "stuck", "src",
             GST_PAD_PROBE_TYPE_BLOCK | GST_PAD_PROBE_TYPE_BUFFER,
             stay_blocked);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while (test_stat (pipeline, "stuck", "recorder", "submits") < 5)
    g_usleep (1000);
  gst_element_set_state (pipeline, flushed_in[__i__]);
  if (flushed_in[__i__] > GST_STATE_READY)
    for (guint i = 0; i < 3; i++)
      fail_unless (gst_element_seek_simple (
          pipeline, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, i * GST_SECOND));
  test_pipeline_free (pipeline);
  test_assert_all_gone ();
  assert_equals_int (g_atomic_int_get (&gone), g_hash_table_size (sent));
  fail_unless (gone > 0);
  g_hash_table_unref (sent);
}
GST_END_TEST;

/* A pool whose release takes a lock that its application holds while it looks
 * at our frames. */
typedef GstVideoBufferPool LockedPool;
typedef GstVideoBufferPoolClass LockedPoolClass;

GType locked_pool_get_type (void);
G_DEFINE_TYPE (LockedPool, locked_pool, GST_TYPE_VIDEO_BUFFER_POOL)

static GMutex applications_lock;
static gint releases;

static void
locked_pool_release (GstBufferPool *pool, GstBuffer *buffer)
{
  g_mutex_lock (&applications_lock);
  g_mutex_unlock (&applications_lock);
  g_atomic_int_inc (&releases);
  GST_BUFFER_POOL_CLASS (locked_pool_parent_class)
      ->release_buffer (pool, buffer);
}

static void
locked_pool_class_init (LockedPoolClass *klass)
{
  GST_BUFFER_POOL_CLASS (klass)->release_buffer = locked_pool_release;
}

static void
locked_pool_init (LockedPool *self)
{
}

static GstBufferPool *
start_locked_pool (const GstVideoInfo *info)
{
  GstBufferPool *pool = g_object_new (locked_pool_get_type (), NULL);
  GstStructure *config = gst_buffer_pool_get_config (pool);
  GstCaps *caps = gst_video_info_to_caps (info);

  gst_object_ref_sink (pool);
  gst_buffer_pool_config_set_params (config, caps, (guint)info->size, 4, 4);
  fail_unless (gst_buffer_pool_set_config (pool, config));
  fail_unless (gst_buffer_pool_set_active (pool, TRUE));
  gst_caps_unref (caps);
  return pool;
}

/* Pins are released by the completion thread, without our locks; who waits for
 * a frame does not wait for that.
 * Mutation seen to fail this: releases that run in vkc_image_map(). */
GST_START_TEST (release_may_need_a_lock_that_is_held_while_mapping)
{
  GstVideoInfo info = test_info (GST_VIDEO_FORMAT_NV12, 64, 48);
  GstHarness *harness = test_adder_harness (&info, NULL, TRUE);
  GstBufferPool *pool = start_locked_pool (&info);

  for (guint i = 0; i < 30; i++) {
    GstBuffer *buffer;
    GstMapInfo map;

    assert_equals_int (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL),
                       GST_FLOW_OK);
    gst_buffer_memset (buffer, 0, (guint8)i, info.size);
    buffer = gst_harness_push_and_pull (harness, buffer);
    g_mutex_lock (&applications_lock);
    fail_unless (gst_buffer_map (buffer, &map, GST_MAP_READ));
    assert_equals_int (map.data[0], i + 1);
    gst_buffer_unmap (buffer, &map);
    gst_buffer_unref (buffer);
    g_mutex_unlock (&applications_lock);
  }
  gst_harness_teardown (harness);
  while (g_atomic_int_get (&releases) < 30)
    g_usleep (1000);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
}
GST_END_TEST;

static Suite *
load_suite (void)
{
  Suite *suite = suite_create ("load");
  TCase *tests = tcase_create ("load");

  test_adder_register ();
  suite_add_tcase (suite, tests);
  tcase_add_test (tests, pipelines_share_a_device_under_load);
  tcase_add_loop_test (tests, blocked_branch_gives_everything_back, 0,
                       G_N_ELEMENTS (flushed_in));
  tcase_add_test (tests, release_may_need_a_lock_that_is_held_while_mapping);
  return suite;
}

GST_CHECK_MAIN (load);
