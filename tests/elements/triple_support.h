/* One colour in, one colour out. */
#pragma once

#include <gst/check/gstharness.h>

/* Codes of a frame's first three components: Y'CbCr or R'G'B'. */
struct triple
{
  const gchar *line, *in;
  guint codes[3];
  const gchar *out;
  guint expected[3], tolerance;
};

/* Each row on a device that all share; rows of one stream that follow each
 * other share it. */
void test_triples (const struct triple *triples, gsize n);

/* What @codes become on the way through @line. */
void test_triple (GstContext *context, const gchar *line, const gchar *in,
                  const guint codes[3], const gchar *out, guint found[3]);

/* The same through a harness that is there. */
void test_pass_colour (GstHarness *h, const guint codes[3], guint found[3]);
