/* The counters and the file with them. */
#include "counts.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_uint_fast64_t calls[FAULT_N_IDS], failed[FAULT_N_IDS], lost;

uint64_t
counts_call (enum fault_id id)
{
  return atomic_fetch_add (&calls[id], 1) + 1;
}

void
counts_failed (enum fault_id id)
{
  atomic_fetch_add (&failed[id], 1);
}

void
counts_lost (void)
{
  atomic_fetch_add (&lost, 1);
}

/* Those that are not 0. */
static void
write_object (FILE *file, const char *name, atomic_uint_fast64_t *counters)
{
  const char *comma = "";

  fprintf (file, "  \"%s\": {", name);
  for (unsigned id = 0; id < FAULT_N_IDS; id++) {
    const uint64_t n = atomic_load (&counters[id]);

    if (n == 0)
      continue;
    fprintf (file, "%s\n    \"%s\": %llu", comma, fault_entries[id].name,
             (unsigned long long) n);
    comma = ",";
  }
  fprintf (file, "%s}", *comma ? "\n  " : "");
}

/* "counts-%p.json" with the process' id in it. */
static void
file_name (char *name, size_t size, const char *pattern)
{
  const char *id = strstr (pattern, "%p");

  if (!id)
    snprintf (name, size, "%s", pattern);
  else
    snprintf (name, size, "%.*s%ld%s", (int) (id - pattern), pattern,
              (long) getpid (), id + 2);
}

void
counts_write (void)
{
  const char *pattern = getenv ("VKC_FAULT_COUNTS");
  char name[4096];
  FILE *file;

  if (!pattern || !*pattern)
    return;
  file_name (name, sizeof name, pattern);
  file = fopen (name, "w");
  if (!file) {
    fprintf (stderr, "VK_LAYER_VKC_fault: %s: %s\n", name, strerror (errno));
    return;
  }
  fprintf (file, "{\n  \"program\": \"%s\",\n  \"pid\": %ld,\n",
           program_invocation_short_name, (long) getpid ());
  write_object (file, "calls", calls);
  fprintf (file, ",\n");
  write_object (file, "failed", failed);
  fprintf (file, ",\n  \"lost\": %llu\n}\n",
           (unsigned long long) atomic_load (&lost));
  fclose (file);
}

/* The library stays loaded until then: it is linked with nodelete. */
__attribute__ ((destructor)) static void
at_exit (void)
{
  counts_write ();
}
