/* The thunks, one an entry point. */
#include "thunks.h"

#include <stdlib.h>
#include <string.h>

#include "counts.h"
#include "script.h"

static const struct verdict is_lost
    = { .replace = true, .result = VK_ERROR_DEVICE_LOST };

/* What is lost runs no more: the driver is waited for once, with no other call
 * on its queues, and before anybody learns of the loss. */
static void
lose (struct table *table)
{
  pthread_rwlock_wrlock (&table->queues);
  if (!table->lost) {
    NEXT (vkDeviceWaitIdle) (table->device);
    counts_lost ();
    table->lost = true;
  }
  pthread_rwlock_unlock (&table->queues);
}

/* A call on a queue that may be made. The device may have been lost while it
 * was held up. */
static struct verdict
enter_queue (struct table *table, enum fault_id id, struct verdict verdict)
{
  pthread_rwlock_rdlock (&table->queues);
  if (!table->lost || !fault_entries[id].can_lose)
    return verdict;
  pthread_rwlock_unlock (&table->queues);
  return is_lost;
}

struct verdict
call_begin (struct table *table, enum fault_id id)
{
  const uint64_t nth = counts_call (id);
  struct verdict verdict = script_judge (id, nth);

  if (table && table->lost && fault_entries[id].can_lose)
    verdict = is_lost;
  return verdict.call && fault_entries[id].of_queue
             ? enter_queue (table, id, verdict)
             : verdict;
}

void
call_end (struct table *table, enum fault_id id, const struct verdict *verdict)
{
  if (verdict->call && fault_entries[id].of_queue)
    pthread_rwlock_unlock (&table->queues);
  if (!verdict->replace)
    return;
  counts_failed (id);
  if (table && table->device && verdict->result == VK_ERROR_DEVICE_LOST)
    lose (table);
}

#include "fault-thunks.c"

static int
compare_names (const void *name, const void *entry)
{
  return strcmp (name, ((const struct fault_name *) entry)->name);
}

const struct fault_name *
fault_find (const char *name)
{
  return bsearch (name, fault_names, FAULT_N_NAMES, sizeof *fault_names,
                  compare_names);
}
