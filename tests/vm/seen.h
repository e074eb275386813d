/* The dmabufs that went through a pad. */
#pragma once

#include "tests/support/support.h"

struct seen
{
  GHashTable *inodes;
  guint buffers, dmabufs;
};

/* Looks at @pad_name of @element from now on. */
void seen_watch (GstElement *pipeline, const char *element,
                 const char *pad_name, struct seen *seen);

/* Each of them was imported once by the element called "c", whose pads they
 * were seen at; all frames were dmabufs, none was copied. @out may be NULL.
 * Clears both. */
void seen_assert_imported_once (GstElement *pipeline, struct seen *in,
                                struct seen *out);
