/* Whether files changed since somebody last looked. Looks at most a few times a
 * second. Used by one thread. */
#pragma once

#include <gst/gst.h>

struct file_watch;

/* @paths: strings. Files that do not exist are watched too. */
struct file_watch *file_watch_new (const GPtrArray *paths);

/* Accepts NULL. */
void file_watch_free (struct file_watch *watch);

/* TRUE once for each change. */
gboolean file_watch_changed (struct file_watch *watch);
