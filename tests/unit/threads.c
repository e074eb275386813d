/* The recorder under many threads, for ThreadSanitizer: no driver, no GLib
 * thread, only pthreads. */
#include <gst/check/gstcheck.h>

#include "gst/vk/failures.h"
#include "gst/vk/recorder-private.h"
#include "gst/vk/result.h"
#include "gst/vk/sync.h"
#include "tests/unit/fake_vulkan.h"

#define PAIRS 6
#define FRAMES 200
#define CHAIN 3
#define FOREVER (g_get_monotonic_time () + 60 * G_USEC_PER_SEC)

static struct vkc_device *device;
static struct vkc_pipeline *pipeline;
static struct vkc_image *shared; /* that all pairs read */

/* Two threads: one plans chains, one takes their ends and looks. */
struct pair
{
  struct vkc_owner *owner;
  struct vkc_mutex lock;
  struct vkc_cond changed;
  struct vkc_image *ready; /* NULL: taken */
  uint32_t expected;
  int wrong;  /* words; the looking thread's */
  int failed; /* calls; the planning thread's */
};

static struct vkc_image *
image_new (void)
{
  const struct vkc_image_params params = {
    .storage = VKC_STORAGE_BUFFER,
    .n_planes = 1,
    .planes = { { .width = FAKE_WORDS, .height = 1, .stride = FAKE_WORDS * 4 } },
    .size = FAKE_WORDS * 4,
  };

  return vkc_image_new (device, &params, NULL);
}

static bool
plan (struct pair *pair, struct vkc_image *source, struct vkc_image *target,
      uint32_t increment)
{
  struct vkc_job *job = vkc_job_new (pair->owner);

  vkc_job_set_pipeline (job, pipeline);
  vkc_job_set_groups (job, 1, 1, 1);
  return vkc_job_set_push_constants (job, &increment, 4, NULL)
         && vkc_job_bind (job, 0, source, 0, 1, NULL)
         && vkc_job_bind (job, 1, target, 0, 1, NULL)
         && vkc_recorder_append (device->recorder, job, NULL);
}

static void
hand_over (struct pair *pair, struct vkc_image *image, uint32_t expected)
{
  vkc_mutex_lock (&pair->lock);
  while (pair->ready)
    vkc_cond_wait_until (&pair->changed, &pair->lock, FOREVER);
  pair->ready = image;
  pair->expected = expected;
  vkc_cond_broadcast (&pair->changed);
  vkc_mutex_unlock (&pair->lock);
}

static void *
plan_frames (void *data)
{
  struct pair *pair = data;

  for (uint32_t n = 0; n < FRAMES; n++) {
    struct vkc_image *from = vkc_image_ref (shared), *to = NULL;

    for (int i = 0; i < CHAIN; i++) {
      to = image_new ();
      pair->failed += !plan (pair, from, to, n);
      vkc_image_unref (from);
      from = to;
    }
    /* Some frames are flushed here, some by whoever maps them, and some are
     * wanted by nobody. */
    if (n % 3 == 0)
      pair->failed += !vkc_recorder_flush (device->recorder, to,
                                           VKC_FLUSH_TAIL, true, pair->owner,
                                           NULL, NULL);
    if (n % 5 == 4)
      vkc_image_unref (to);
    else
      hand_over (pair, to, n * CHAIN);
  }
  hand_over (pair, NULL, 0);
  return NULL;
}

static int
count_wrong (struct vkc_image *image, uint32_t expected)
{
  const uint32_t *words = vkc_image_map (image, VKC_MAP_READ, NULL);
  int wrong = 0;

  for (uint32_t i = 0; i < FAKE_WORDS; i++)
    wrong += words[i] != i + expected;
  vkc_image_unmap (image, VKC_MAP_READ);
  return wrong;
}

static void *
look_at_frames (void *data)
{
  struct pair *pair = data;

  for (uint32_t n = 0; n < FRAMES; n++) {
    struct vkc_image *image;
    uint32_t expected;

    if (n % 5 == 4)
      continue;
    vkc_mutex_lock (&pair->lock);
    while (!pair->ready)
      vkc_cond_wait_until (&pair->changed, &pair->lock, FOREVER);
    image = pair->ready;
    expected = pair->expected;
    pair->ready = NULL;
    vkc_cond_broadcast (&pair->changed);
    vkc_mutex_unlock (&pair->lock);

    pair->wrong += count_wrong (image, expected);
    vkc_image_unref (image);
  }
  return NULL;
}

static void
fill_shared (void)
{
  uint32_t *words;

  shared = image_new ();
  words = vkc_image_map (shared, VKC_MAP_WRITE, NULL);
  for (uint32_t i = 0; i < FAKE_WORDS; i++)
    words[i] = i;
  vkc_image_unmap (shared, VKC_MAP_WRITE);
}

static void
pair_init (struct pair *pair)
{
  *pair = (struct pair){ .owner = vkc_owner_new ("pair", NULL, NULL, NULL) };
  vkc_mutex_init (&pair->lock);
  vkc_cond_init (&pair->changed);
}

/* Mutation that ThreadSanitizer reported here: vkc_release_run() that takes the
 * lists without the lock. */
GST_START_TEST (twelve_threads_share_a_recorder)
{
  struct pair pairs[PAIRS];
  pthread_t planners[PAIRS], lookers[PAIRS];

  device = fake_device_new ();
  pipeline = fake_pipeline_new (device);
  fill_shared ();
  for (int i = 0; i < PAIRS; i++) {
    pair_init (&pairs[i]);
    pthread_create (&planners[i], NULL, plan_frames, &pairs[i]);
    pthread_create (&lookers[i], NULL, look_at_frames, &pairs[i]);
  }
  for (int i = 0; i < PAIRS; i++) {
    pthread_join (planners[i], NULL);
    pthread_join (lookers[i], NULL);
    assert_equals_int (pairs[i].wrong, 0);
    assert_equals_int (pairs[i].failed, 0);
    fail_unless (vkc_recorder_drain_owner (device->recorder, pairs[i].owner,
                                           false, NULL));
    assert_equals_int (vkc_owner_pending (pairs[i].owner), 0);
    vkc_owner_unref (pairs[i].owner);
  }
  assert_equals_uint64 (vkc_recorder_counters (device->recorder).pending, 0);
  vkc_image_unref (shared);
  vkc_pipeline_unref (pipeline);
  vkc_device_unref (device);
}
GST_END_TEST;

static void *
free_image (void *image)
{
  vkc_image_unref (image);
  return NULL;
}

/* The lock stands for a flush that takes long: a thread that frees does not
 * wait for it. Discarded jobs go with their images.
 * Mutation seen to fail this: vkc_recorder_dispose() that takes the lock. */
GST_START_TEST (free_does_not_wait_for_the_recorder)
{
  struct pair pair;
  struct vkc_image *target;
  pthread_t thread;

  device = fake_device_new ();
  pipeline = fake_pipeline_new (device);
  fill_shared ();
  pair_init (&pair);
  target = image_new ();
  fail_unless (plan (&pair, shared, target, 1));
  vkc_recorder_lock (device->recorder);
  pthread_create (&thread, NULL, free_image, target);
  pthread_join (thread, NULL);
  vkc_recorder_unlock (device->recorder);
  while (vkc_recorder_counters (device->recorder).pending > 0)
    g_usleep (1000);
  assert_equals_uint64 (vkc_recorder_counters (device->recorder).discarded, 1);
  vkc_owner_unref (pair.owner);
  vkc_image_unref (shared);
  vkc_pipeline_unref (pipeline);
  vkc_device_unref (device);
}
GST_END_TEST;

static void
count_call (const GError *error, void *data)
{
  ++*(int *) data;
}

GST_START_TEST (first_error_of_an_owner_wins)
{
  g_autoptr (GError) one = g_error_new_literal (VKC_ERROR, 1, "first");
  g_autoptr (GError) other = g_error_new_literal (VKC_ERROR, 2, "second");
  g_autoptr (GError) kept = NULL;
  struct vkc_owner *owner;
  int calls = 0;

  owner = vkc_owner_new ("owner", count_call, &calls, NULL);
  fail_unless (vkc_owner_fail (owner, one));
  fail_if (vkc_owner_fail (owner, other));
  kept = vkc_owner_error (owner);
  fail_unless_equals_string (kept->message, "first");
  assert_equals_int (calls, 1);
  vkc_owner_unref (owner);
}
GST_END_TEST;

/* The thread that watches may learn of a loss by a submission that another has
 * seen over: what is lost is planned.
 * Mutation seen to fail this: only the kernels of that submission. */
GST_START_TEST (loss_names_what_is_planned)
{
  g_autoptr (GError) error = g_error_new_literal (VKC_ERROR, 1, "lost");
  struct pair pair;
  struct vkc_image *target;

  device = fake_device_new ();
  pipeline = fake_pipeline_new (device);
  fill_shared ();
  pair_init (&pair);
  target = image_new ();
  fail_unless (plan (&pair, shared, target, 1));
  vkc_recorder_lock (device->recorder);
  vkc_blame_submission (device->recorder, 1000, &error);
  vkc_recorder_unlock (device->recorder);
  fail_unless_equals_string (error->message, "pair (add): lost");
  vkc_image_unref (target);
  while (vkc_recorder_counters (device->recorder).pending > 0)
    g_usleep (1000);
  vkc_owner_unref (pair.owner);
  vkc_image_unref (shared);
  vkc_pipeline_unref (pipeline);
  vkc_device_unref (device);
}
GST_END_TEST;

struct telling
{
  struct vkc_owner *owner;
  struct vkc_mutex lock;
  struct vkc_cond changed;
  bool begun, ended, seen_before;
};

static void
tell_slowly (const GError *error, void *data)
{
  struct telling *telling = data;

  /* The teller itself does not wait for itself. */
  fail_unless (vkc_owner_has_failed (telling->owner));
  vkc_mutex_lock (&telling->lock);
  telling->begun = true;
  vkc_cond_broadcast (&telling->changed);
  vkc_mutex_unlock (&telling->lock);
  g_usleep (50000);
  vkc_mutex_lock (&telling->lock);
  telling->ended = true;
  vkc_mutex_unlock (&telling->lock);
}

static void *
see_failure (void *data)
{
  struct telling *telling = data;

  vkc_mutex_lock (&telling->lock);
  while (!telling->begun)
    vkc_cond_wait_until (&telling->changed, &telling->lock, FOREVER);
  vkc_mutex_unlock (&telling->lock);
  fail_unless (vkc_owner_has_failed (telling->owner));
  vkc_mutex_lock (&telling->lock);
  telling->seen_before = !telling->ended;
  vkc_mutex_unlock (&telling->lock);
  return NULL;
}

/* An element that returns a flow error as soon as another thread learnt of the
 * failure makes upstream speak first.
 * Mutation seen to fail this: vkc_owner_has_failed() that does not wait. */
GST_START_TEST (failure_is_seen_after_it_was_told)
{
  g_autoptr (GError) error = g_error_new_literal (VKC_ERROR, 1, "lost");
  struct telling telling = { 0 };
  pthread_t thread;

  vkc_mutex_init (&telling.lock);
  vkc_cond_init (&telling.changed);
  telling.owner = vkc_owner_new ("owner", tell_slowly, &telling, NULL);
  pthread_create (&thread, NULL, see_failure, &telling);
  fail_unless (vkc_owner_fail (telling.owner, error));
  pthread_join (thread, NULL);
  fail_if (telling.seen_before);
  vkc_owner_unref (telling.owner);
  vkc_cond_clear (&telling.changed);
  vkc_mutex_clear (&telling.lock);
}
GST_END_TEST;

static Suite *
threads_suite (void)
{
  Suite *suite = suite_create ("threads");
  TCase *tests = tcase_create ("threads");

  suite_add_tcase (suite, tests);
  tcase_add_test (tests, twelve_threads_share_a_recorder);
  tcase_add_test (tests, free_does_not_wait_for_the_recorder);
  tcase_add_test (tests, first_error_of_an_owner_wins);
  tcase_add_test (tests, loss_names_what_is_planned);
  tcase_add_test (tests, failure_is_seen_after_it_was_told);
  return suite;
}

GST_CHECK_MAIN (threads);
