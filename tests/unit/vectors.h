/* The colour vectors, tests/data/vectors.json: inputs and what a reference in
 * double precision makes of them. */
#pragma once

#include <stdbool.h>
#include <string.h>

struct vector
{
  const char *id, *kind;
  double input[6];
  double expected[9];
  int n_expected;
  double tol; /* absolute */

  /* What the kind has; the rest is 0. */
  const char *from, *to;
  const char *matrix, *transfer, *curve, *mode, *gamut;
  int bits;
  bool full;
  double peak, src_peak, dst_peak, ref_white, black, dst_black, contrast;
  double signal, l_hdr, l_sdr;
};

#include "vectors-table.h"

#define N_VECTORS (sizeof vectors / sizeof *vectors)

/* for (each vector of a kind) */
#define FOR_VECTORS(v, of_kind)                                                \
  for (const struct vector *v = vectors; v < vectors + N_VECTORS; v++)         \
    if (strcmp (v->kind, of_kind) == 0)
