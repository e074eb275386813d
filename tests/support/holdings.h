/* What this process holds, to see that it comes back to it. */
#pragma once

#include <glib.h>

struct test_holdings
{
  guint fds, threads;
  gint64 objects; /* of Vulkan */
};

struct test_holdings test_holdings (void);

/* Waits, bounded, until the process holds no more than @before: threads of
 * GStreamer and of the device may take a moment to let go. Else the test
 * fails. */
void test_assert_back_to (const struct test_holdings *before);
