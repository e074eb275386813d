#include "tests/bench/meter.h"

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "gst/vk/trace.h"
#include "tests/support/wrap.h"

static const gchar *const counters[]
    = { "submits", "dispatches", "fused",   "barriers", "waits",
        "copies",  "imports",    "uploads", "downloads" };

struct mark
{
  gint64 wall, cpu; /* us */
  guint64 gpu;      /* ns */
};

struct meter
{
  GMutex lock;
  guint start, end, step, n;
  gboolean objects;
  GstElement *element; /* ours */
  gint64 created, first, first_cpu;
  struct mark from, to;
  GArray *memory, *live; /* gint64 */
};

static GMutex gpu_lock;
static guint64 gpu_ns;

static void
note_submission (const struct vkc_trace_submission *submission)
{
  g_mutex_lock (&gpu_lock);
  gpu_ns += submission->gpu_ns;
  g_mutex_unlock (&gpu_lock);
}

static gint64
cpu_time (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * G_USEC_PER_SEC
         + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

static gint64
peak_memory (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

static gint64
memory_now (void)
{
  FILE *file = fopen ("/proc/self/statm", "r");
  long all = 0, resident = 0;

  if (file == NULL || fscanf (file, "%ld %ld", &all, &resident) != 2)
    g_error ("no /proc/self/statm");
  fclose (file);
  return (gint64)resident * sysconf (_SC_PAGESIZE) / 1024;
}

static void
mark (struct meter *meter, struct mark *here)
{
  here->wall = g_get_monotonic_time ();
  here->cpu = cpu_time ();
  g_mutex_lock (&gpu_lock);
  here->gpu = gpu_ns;
  g_mutex_unlock (&gpu_lock);
}

struct meter *
meter_new (guint start, guint end, guint step, gboolean objects,
           gboolean gpu_time)
{
  struct meter *meter = g_new0 (struct meter, 1);

  g_mutex_init (&meter->lock);
  meter->start = start;
  meter->end = end;
  meter->step = step;
  meter->objects = objects;
  meter->memory = g_array_new (FALSE, FALSE, sizeof (gint64));
  meter->live = g_array_new (FALSE, FALSE, sizeof (gint64));
  if (objects)
    test_wrap_install ();
  if (gpu_time)
    vkc_trace_set (note_submission);
  meter->created = g_get_monotonic_time ();
  return meter;
}

void
meter_free (struct meter *meter)
{
  gst_clear_object (&meter->element);
  g_array_unref (meter->memory);
  g_array_unref (meter->live);
  g_mutex_clear (&meter->lock);
  g_free (meter);
}

void
meter_watch (struct meter *meter, GstElement *pipeline)
{
  GstIterator *elements = gst_bin_iterate_recurse (GST_BIN (pipeline));
  GValue item = G_VALUE_INIT;

  while (meter->element == NULL
         && gst_iterator_next (elements, &item) == GST_ITERATOR_OK) {
    GstElement *element = g_value_get_object (&item);

    if (g_str_has_prefix (G_OBJECT_TYPE_NAME (element), "GstVkc"))
      meter->element = gst_object_ref (element);
    g_value_reset (&item);
  }
  g_value_unset (&item);
  gst_iterator_free (elements);
}

static void
note_growth (struct meter *meter)
{
  const gint64 memory = memory_now ();

  g_array_append_val (meter->memory, memory);
  if (meter->objects) {
    const gint64 live = test_wrap_live (NULL);

    g_array_append_val (meter->live, live);
  }
}

void
meter_count (struct meter *meter)
{
  g_mutex_lock (&meter->lock);
  meter->n++;
  if (meter->n == 1) {
    meter->first = g_get_monotonic_time ();
    meter->first_cpu = cpu_time ();
  }
  if (meter->n == meter->start)
    mark (meter, &meter->from);
  if (meter->n == meter->end)
    mark (meter, &meter->to);
  if (meter->step > 0 && meter->n % meter->step == 0)
    note_growth (meter);
  g_mutex_unlock (&meter->lock);
}

static void
print_list (const gchar *name, const GArray *values)
{
  g_print (", \"%s\": [", name);
  for (guint i = 0; i < values->len; i++)
    g_print ("%s%" G_GINT64_FORMAT, i ? ", " : "",
             g_array_index (values, gint64, i));
  g_print ("]");
}

static void
print_counters (GstElement *element)
{
  g_autoptr (GstStructure) stats = NULL, recorder = NULL;
  guint64 count;

  g_object_get (element, "stats", &stats, NULL);
  gst_structure_get (stats, "recorder", GST_TYPE_STRUCTURE, &recorder, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (counters); i++) {
    gst_structure_get_uint64 (recorder, counters[i], &count);
    g_print (", \"%s\": %" G_GUINT64_FORMAT, counters[i], count);
  }
}

void
meter_print (struct meter *meter)
{
  const struct mark *from = &meter->from, *to = &meter->to;

  g_print ("{\"frames\": %u, \"all\": %u, \"wall\": %.3f, \"cpu\": %.3f, "
           "\"gpu\": %.6f, \"first\": %.3f, \"first_cpu\": %.3f, \"peak\": "
           "%" G_GINT64_FORMAT,
           meter->end - meter->start, meter->n,
           (double)(to->wall - from->wall) / 1e3,
           (double)(to->cpu - from->cpu) / 1e3,
           (double)(to->gpu - from->gpu) / 1e6,
           (double)(meter->first - meter->created) / 1e3,
           (double)meter->first_cpu / 1e3, peak_memory ());
  if (meter->element != NULL)
    print_counters (meter->element);
  print_list ("memory", meter->memory);
  print_list ("objects", meter->live);
  g_print ("}\n");
}
