/* For builds with AddressSanitizer. GLib forgets its table of quarks, on
 * purpose, each time that it outgrows it, and allocations from within GLib have
 * no stack by which they could be suppressed. So the table is made large enough
 * before leaks count. */
#include <glib.h>
#include <sanitizer/lsan_interface.h>

#define ENOUGH 4100 /* the table grows in steps of 2048 */

/* Before the constructors of the libraries, of which GLib's makes the first
 * table. */
static void
start (void)
{
  __lsan_disable ();
}
static void (*const before_libraries) (void)
    __attribute__ ((section (".preinit_array"), used)) = start;

static void __attribute__ ((constructor))
grow_quarks (void)
{
  char name[32];

  for (int i = 0; i < ENOUGH; i++) {
    g_snprintf (name, sizeof name, "test-quark-%d", i);
    g_quark_from_string (name);
  }
  __lsan_enable ();
}
