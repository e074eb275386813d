/* An element instance as the recorder knows it. */
#include "gst/vk/owner-private.h"

#include "gst/vk/job-private.h"
#include "gst/vk/settings.h"
#include "gst/vk/sync.h"

/* Jobs that are kept to be used again. A sanitizer finds none that is used too
 * late, then. */
#ifdef __SANITIZE_ADDRESS__
static const guint max_blank_jobs = 0;
#else
static const guint max_blank_jobs = 16;
#endif

/* Telling is posting a message. */
#define TELLING_US G_USEC_PER_SEC

struct vkc_owner
{
  int ref_count;
  char *name;
  vkc_owner_failed failed;
  void *data;
  GDestroyNotify free_data;

  struct vkc_mutex lock;
  struct vkc_cond changed;
  GError *error;
  pthread_t teller; /* who tells of the error; valid once there is one */
  bool told;
  struct vkc_owner_counters counters;
  unsigned pending;
  unsigned jobs;
  GPtrArray *blank_jobs;
  unsigned limit;
  uint64_t submitted;
  bool interrupted;
  bool starved;
  bool mapped;
};

struct vkc_owner *
vkc_owner_new (const char *name, vkc_owner_failed failed, void *data,
               GDestroyNotify free_data)
{
  struct vkc_owner *owner = g_new0 (struct vkc_owner, 1);

  owner->ref_count = 1;
  owner->name = g_strdup (name);
  owner->failed = failed;
  owner->data = data;
  owner->free_data = free_data;
  owner->limit = vkc_setting ("VKC_MAX_PENDING", VKC_DEFAULT_MAX_PENDING);
  owner->blank_jobs
      = g_ptr_array_new_with_free_func ((GDestroyNotify) vkc_job_free_blank);
  vkc_mutex_init (&owner->lock);
  vkc_cond_init (&owner->changed);
  return owner;
}

struct vkc_owner *
vkc_owner_ref (struct vkc_owner *owner)
{
  g_atomic_int_inc (&owner->ref_count);
  return owner;
}

void
vkc_owner_unref (struct vkc_owner *owner)
{
  if (!owner || !g_atomic_int_dec_and_test (&owner->ref_count))
    return;
  if (owner->free_data)
    owner->free_data (owner->data);
  g_clear_error (&owner->error);
  g_ptr_array_unref (owner->blank_jobs);
  vkc_cond_clear (&owner->changed);
  vkc_mutex_clear (&owner->lock);
  g_free (owner->name);
  g_free (owner);
}

const char *
vkc_owner_name (const struct vkc_owner *owner)
{
  return owner->name;
}

/* Changes one field under the lock and wakes whoever waits for it. */
#define UPDATE(owner, statement)                                              \
  do {                                                                        \
    vkc_mutex_lock (&(owner)->lock);                                          \
    statement;                                                                \
    vkc_cond_broadcast (&(owner)->changed);                                   \
    vkc_mutex_unlock (&(owner)->lock);                                        \
  } while (0)

/* Reads, or changes what nobody waits for. */
#define LOCKED(owner, statement)                                              \
  do {                                                                        \
    vkc_mutex_lock (&(owner)->lock);                                          \
    statement;                                                                \
    vkc_mutex_unlock (&(owner)->lock);                                        \
  } while (0)

/* Whoever sees the failure acts on it, and what others then say must not come
 * before the error itself. Under the lock. The bound is for a listener that
 * waits for this thread. */
static void
wait_until_told (struct vkc_owner *owner)
{
  const int64_t deadline = g_get_monotonic_time () + TELLING_US;

  while (!owner->told && !pthread_equal (owner->teller, pthread_self ())
         && vkc_cond_wait_until (&owner->changed, &owner->lock, deadline))
    ;
}

bool
vkc_owner_fail (struct vkc_owner *owner, const GError *error)
{
  vkc_mutex_lock (&owner->lock);
  if (owner->error) {
    wait_until_told (owner);
    vkc_mutex_unlock (&owner->lock);
    return false;
  }
  owner->error = g_error_copy (error);
  owner->teller = pthread_self ();
  vkc_mutex_unlock (&owner->lock);

  if (owner->failed)
    owner->failed (error, owner->data);
  UPDATE (owner, owner->told = true);
  return true;
}

GError *
vkc_owner_error (struct vkc_owner *owner)
{
  GError *error;

  vkc_mutex_lock (&owner->lock);
  error = owner->error ? g_error_copy (owner->error) : NULL;
  vkc_mutex_unlock (&owner->lock);
  return error;
}

bool
vkc_owner_has_failed (struct vkc_owner *owner)
{
  bool failed;

  vkc_mutex_lock (&owner->lock);
  failed = owner->error != NULL;
  if (failed)
    wait_until_told (owner);
  vkc_mutex_unlock (&owner->lock);
  return failed;
}

void
vkc_owner_count_refused (struct vkc_owner *owner)
{
  LOCKED (owner, owner->counters.refused++);
}

void
vkc_owner_count_discarded (struct vkc_owner *owner)
{
  LOCKED (owner, owner->counters.discarded++);
}

void
vkc_owner_count_fused (struct vkc_owner *owner)
{
  LOCKED (owner, owner->counters.fused++);
}

void
vkc_owner_count_flush (struct vkc_owner *owner, enum vkc_flush_reason reason)
{
  LOCKED (owner, {
    owner->counters.flushes[reason]++;
    if (reason == VKC_FLUSH_MAP)
      owner->mapped = true;
  });
}

struct vkc_owner_counters
vkc_owner_counters (struct vkc_owner *owner)
{
  struct vkc_owner_counters counters;

  LOCKED (owner, counters = owner->counters);
  return counters;
}

unsigned
vkc_owner_pending (struct vkc_owner *owner)
{
  unsigned pending;

  LOCKED (owner, pending = owner->pending);
  return pending;
}

void
vkc_owner_set_limit (struct vkc_owner *owner, unsigned limit)
{
  UPDATE (owner, owner->limit = MAX (limit, 1));
}

void
vkc_owner_set_interrupted (struct vkc_owner *owner, bool interrupted)
{
  UPDATE (owner, owner->interrupted = interrupted);
}

bool
vkc_owner_was_mapped (struct vkc_owner *owner)
{
  bool mapped;

  LOCKED (owner, mapped = owner->mapped);
  return mapped;
}

void
vkc_owner_clear_mapped (struct vkc_owner *owner)
{
  LOCKED (owner, owner->mapped = false);
}

void
vkc_owner_pending_up (struct vkc_owner *owner)
{
  LOCKED (owner, {
    owner->pending++;
    owner->counters.planned++;
  });
}

void
vkc_owner_pending_down (struct vkc_owner *owner)
{
  UPDATE (owner, owner->pending--);
}

struct vkc_job *
vkc_owner_job_born (struct vkc_owner *owner)
{
  struct vkc_job *blank = NULL;
  GPtrArray *blanks = owner->blank_jobs;

  LOCKED (owner, {
    owner->jobs++;
    if (blanks->len > 0)
      blank = g_ptr_array_steal_index_fast (blanks, blanks->len - 1);
  });
  return blank;
}

void
vkc_owner_keep_job (struct vkc_owner *owner, struct vkc_job *job)
{
  LOCKED (owner, {
    if (owner->blank_jobs->len < max_blank_jobs)
      g_ptr_array_add (owner->blank_jobs, g_steal_pointer (&job));
  });
  if (job)
    vkc_job_free_blank (job);
}

void
vkc_owner_job_gone (struct vkc_owner *owner)
{
  UPDATE (owner, owner->jobs--);
}

void
vkc_owner_set_submitted (struct vkc_owner *owner, uint64_t value)
{
  LOCKED (owner, owner->submitted = value);
}

uint64_t
vkc_owner_submitted (struct vkc_owner *owner)
{
  uint64_t value;

  LOCKED (owner, value = owner->submitted);
  return value;
}

bool
vkc_owner_wait_jobs_gone (struct vkc_owner *owner, int64_t deadline)
{
  bool gone = true;

  vkc_mutex_lock (&owner->lock);
  while (owner->jobs > 0 && !owner->interrupted && gone)
    gone = vkc_cond_wait_until (&owner->changed, &owner->lock, deadline);
  gone = owner->jobs == 0;
  vkc_mutex_unlock (&owner->lock);
  return gone;
}

bool
vkc_owner_wait_below_limit (struct vkc_owner *owner, uint32_t max_ms,
                            const int *held)
{
  const int64_t max_us = max_ms * INT64_C (1000);
  int64_t deadline = g_get_monotonic_time () + max_us;
  bool below;

  vkc_mutex_lock (&owner->lock);
  while (owner->pending >= owner->limit && !owner->interrupted
         && !owner->starved) {
    if (vkc_cond_wait_until (&owner->changed, &owner->lock, deadline))
      continue;
    if (g_atomic_int_get (held) == 0)
      break;
    deadline = g_get_monotonic_time () + max_us;
  }
  below = owner->pending < owner->limit;
  owner->starved = !below && !owner->interrupted;
  below |= owner->interrupted;
  vkc_mutex_unlock (&owner->lock);
  return below;
}
