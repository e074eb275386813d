/* The recorder's inside, shared by its sources: recorder.c (life, what others
 * ask), plan.c (the graph of pending jobs), flush.c (from a frame to a
 * submission), batch.c (collect, submit, publish), fuse.c (jobs that become
 * one), record*.c (commands), fence-*.c (of dmabufs), slot.c (command buffers in
 * flight), timing.c (how long they take), wait.c (the timeline, loss),
 * failures.c (whom they are told), release.c (what is over) and completion.c
 * (the thread). */
#pragma once

#include "gst/vk/job-private.h"
#include "gst/vk/recorder.h"
#include "gst/vk/settings.h"
#include "gst/vk/sync.h"

/* A command buffer and what its submission keeps alive. */
struct vkc_slot
{
  VkCommandPool pool;
  VkCommandBuffer commands;
  GArray *descriptor_pools; /* VkDescriptorPool; used up one after the other */
  guint descriptor_pool;    /* the one in use */
  bool in_flight;
  uint64_t value; /* on the timeline, while in flight */
  GPtrArray *jobs;   /* references */
  GPtrArray *images; /* references */

  /* For those who look on. */
  VkQueryPool queries; /* made when first needed */
  uint32_t n_times;    /* that the submission writes there */
  uint32_t dispatches;
  enum vkc_flush_reason reason;
  bool waited; /* a thread was blocked for it */
  int64_t planned_at, submitted_at; /* monotonic us */

  /* Fences of dmabufs. */
  GArray *waits; /* VkSemaphores that the submission waits for */
};

/* A fence on its way to the dmabufs that a submission has written. */
struct vkc_outgoing_fence
{
  VkSemaphore semaphore; /* that the submission signals */
  uint64_t value;        /* with which it reaches this */
  GPtrArray *images;     /* references; NULL when they have it */
  bool is_exported;      /* its signal was taken out of the semaphore */
};

/* What one flush gathers; scratch that is used again. */
struct vkc_batch
{
  uint64_t serial;
  struct vkc_slot *slot;
  GPtrArray *jobs;   /* borrowed, ancestors first */
  GPtrArray *images; /* borrowed, everything touched */
  bool writes_for_host;
  bool is_part; /* of a frame: another batch goes on with it */
  GArray *waits; /* VkSemaphoreSubmitInfo */
  GArray *fences; /* struct vkc_outgoing_fence; NULL: none */
  struct vkc_recorder_counters counted; /* added when the queue accepts */
};

/* Outlives the recorder, for whoever waits for the thread's end. */
struct vkc_thread_exit
{
  int ref_count;
  struct vkc_mutex lock;
  struct vkc_cond cond;
  bool done;
};

struct vkc_failures;

struct vkc_recorder
{
  struct vkc_device *device; /* owns the recorder */
  struct vkc_settings settings;
  VkSemaphore timeline;
  struct vkc_import_cache *imports; /* of dmabufs */
  /* Under the lock. */
  GArray *idle_semaphores;  /* VkSemaphores without payload, to wait for */
  GArray *idle_exportables; /* and to be signalled */
  GArray *delivered; /* struct vkc_outgoing_fence, until they are reached */

  struct vkc_mutex lock;
  uint64_t accepted;    /* last value that the queue has taken */
  uint64_t completed;   /* last value seen reached */
  GQueue pending;       /* jobs, in the order of their planning */
  struct vkc_slot *slots;
  uint32_t n_slots;
  struct vkc_batch batch;
  struct vkc_recorder_counters counters;
  unsigned timeouts; /* in a row */
  int compiling;       /* atomic: threads that make a kernel */
  int64_t compiled_at; /* when the last one was there; monotonic us */
  int64_t progress_at; /* when the timeline was last seen to move; monotonic us */
  bool put_off; /* what is overdue, until it moves */
  unsigned waiters; /* threads that wait for the timeline, but the completion's */
  uint64_t awaited; /* that one of them, or it, waits for in Vulkan; 0: none */
  struct vkc_cond moved; /* the timeline, or `awaited` */
  bool lost;         /* or hung: no call may reach the queue any more */
  bool hung;

  /* What the completion thread lets go of. */
  GPtrArray *finished_jobs;   /* over: their pins go */
  GPtrArray *spare_jobs;      /* references only */
  GPtrArray *finished_images;
  GPtrArray *finished_owners;
  GPtrArray *finished_traces; /* struct vkc_trace_submission */
  struct vkc_releases *idle_releases; /* such lists, empty; or NULL */
  unsigned releasing; /* threads that have taken some of it */
  bool thread_is_late; /* and was waited for in vain */
  struct vkc_cond released;

  /* For threads that found the recorder busy. */
  struct vkc_mutex disposals_lock;
  GPtrArray *disposals; /* images without references */
  GPtrArray *discards;  /* images whose content is not wanted; references */
  int any_left;         /* atomic: 0: both are empty */

  pthread_t thread;
  struct vkc_thread_exit *exit;
  bool closing;
  struct vkc_mutex wake_lock; /* innermost; guards what follows */
  struct vkc_cond work;
  VkSemaphore wake; /* a timeline that the host signals */
  uint64_t wake_value;
  bool watching; /* the thread waits in Vulkan, not on the condition */
  bool woken;    /* since it last looked */
  bool parking;  /* the process ends: the thread shall make no more calls */
  bool parked;   /* and makes none */
};

/* recorder.c. A thread makes a kernel, which may take seconds: frames that wait
 * for it are not overdue. */
void vkc_recorder_begin_compiling (struct vkc_recorder *recorder);
void vkc_recorder_end_compiling (struct vkc_recorder *recorder);

struct vkc_recorder *vkc_recorder_new (struct vkc_device *device,
                                       GError **error);

/* Nobody holds the device any more: finish and destroy both. */
void vkc_recorder_close (struct vkc_recorder *recorder);
void vkc_recorder_free (struct vkc_recorder *recorder);

/* @image has no references left. */
void vkc_recorder_dispose (struct vkc_recorder *recorder,
                           struct vkc_image *image);

/* Also takes in the images whose last reference went while the lock was held.
 * Those who only try for the lock leave them to the next who locks. */
void vkc_recorder_lock (struct vkc_recorder *recorder);
void vkc_recorder_unlock (struct vkc_recorder *recorder);

/* flush.c. Flushes the oldest frame that @owner has pending or, without one, the
 * oldest state; *@any says whether there was one. */
bool vkc_recorder_flush_oldest (struct vkc_recorder *recorder,
                                struct vkc_owner *owner,
                                enum vkc_flush_reason reason, bool *any,
                                GError **error);

/* Under the lock: when the oldest pending job, whoever's, has waited for long
 * enough; INT64_MAX if nothing could be done about it then. */
int64_t vkc_recorder_overdue_at (const struct vkc_recorder *recorder);

/* Submits that job if it is overdue. Waits for nothing: without a slot or
 * memory it is put off until the timeline moves. */
void vkc_recorder_flush_overdue (struct vkc_recorder *recorder);

/* wait.c. As vkc_recorder_wait(); @also: a counter for this kind of wait,
 * beside `waits`. */
bool vkc_recorder_wait_counted (struct vkc_recorder *recorder, uint64_t value,
                                uint64_t *also, GError **error);

/* Under the lock: the timeline has reached @value. */
void vkc_recorder_reached (struct vkc_recorder *recorder, uint64_t value);

/* Under the lock: the call that waited for `awaited` is back. */
void vkc_recorder_end_wait (struct vkc_recorder *recorder);

/* Under the lock: whether it has, asking the device if need be. */
bool vkc_recorder_is_reached (struct vkc_recorder *recorder, uint64_t value);

/* Under the lock: the device is gone, all submissions are over (or, if @hung,
 * never will be). */
void vkc_recorder_lose (struct vkc_recorder *recorder, bool hung,
                        const GError *error, struct vkc_failures *failures);

/* False, and why. */
bool vkc_recorder_refuse_lost (const struct vkc_recorder *recorder,
                               GError **error);

/* Under the lock: how long a wait for @value may take. */
uint64_t vkc_recorder_timeout_ns (const struct vkc_recorder *recorder,
                                  uint64_t value);

/* batch.c; all under the lock */
void vkc_batch_init (struct vkc_batch *batch);
void vkc_batch_clear (struct vkc_batch *batch);

/* Gathers @image's unsubmitted ancestors. False if one of them was lost. */
bool vkc_batch_collect (struct vkc_recorder *recorder, struct vkc_image *image,
                        GError **error);

/* Leaves to the next batch what would keep the device busy for longer than
 * $VKC_MAX_BATCH_MS; at least one job stays. */
void vkc_batch_split (struct vkc_recorder *recorder);

/* Leaves all but the first @n jobs pending, as if they had not been looked at. */
void vkc_batch_truncate (struct vkc_batch *batch, guint n);
bool vkc_batch_record (struct vkc_recorder *recorder, struct vkc_slot *slot,
                       struct vkc_image *download, GError **error);
bool vkc_batch_submit (struct vkc_recorder *recorder, GError **error);

/* slot.c; all under the lock. Each of these three may be NULL: one that is not in
 * flight, the oldest that is, the one that signals @value. */
struct vkc_slot *vkc_slot_idle (const struct vkc_recorder *recorder);
struct vkc_slot *vkc_slot_oldest (const struct vkc_recorder *recorder);
struct vkc_slot *vkc_slot_of (const struct vkc_recorder *recorder,
                              uint64_t value);
bool vkc_slot_open (struct vkc_recorder *recorder, struct vkc_slot *slot,
                    GError **error);
VkDescriptorSet vkc_slot_descriptor_set (struct vkc_recorder *recorder,
                                         struct vkc_slot *slot,
                                         VkDescriptorSetLayout layout,
                                         GError **error);
void vkc_slot_retire (struct vkc_recorder *recorder, struct vkc_slot *slot);
void vkc_slot_clear (struct vkc_recorder *recorder, struct vkc_slot *slot);

/* completion.c */
bool vkc_completion_start (struct vkc_recorder *recorder, GError **error);
/* There is something to let go of: ends the thread's wait, whatever it is. */
void vkc_completion_wake (struct vkc_recorder *recorder);

/* There is something to watch: ends its sleep, but not its watch of an earlier
 * submission. */
void vkc_completion_notify (struct vkc_recorder *recorder);

/* Under the lock: nothing runs, and nothing is to be let go of. */
bool vkc_completion_is_quiet (const struct vkc_recorder *recorder);

/* At the end of the process: stops the thread for good, before its next call of
 * Vulkan. Does not wait for that. */
void vkc_completion_park (struct vkc_recorder *recorder);
bool vkc_completion_is_parked (struct vkc_recorder *recorder);

void vkc_thread_exit_unref (struct vkc_thread_exit *thread_exit);
