/* What code values mean: the colorimetry of one side of a conversion. */
#pragma once

#include <stdbool.h>

enum color_matrix
{
  COLOR_MATRIX_RGB, /* no matrix: components are R, G, B */
  COLOR_MATRIX_BT601,
  COLOR_MATRIX_BT709,
  COLOR_MATRIX_SMPTE240M,
  COLOR_MATRIX_FCC,
  COLOR_MATRIX_BT2020, /* non-constant luminance */
  COLOR_MATRIX_YCGCO,
  COLOR_N_MATRICES
};

enum color_range
{
  COLOR_RANGE_LIMITED,
  COLOR_RANGE_FULL,
};

enum color_primaries
{
  COLOR_PRIMARIES_BT709,
  COLOR_PRIMARIES_BT470M,
  COLOR_PRIMARIES_BT470BG,
  COLOR_PRIMARIES_SMPTE170M,
  COLOR_PRIMARIES_SMPTE240M,
  COLOR_PRIMARIES_FILM,
  COLOR_PRIMARIES_BT2020,
  COLOR_PRIMARIES_ADOBERGB,
  COLOR_PRIMARIES_SMPTE428, /* CIE XYZ */
  COLOR_PRIMARIES_SMPTE431,
  COLOR_PRIMARIES_SMPTE432,
  COLOR_PRIMARIES_EBU3213,
  COLOR_N_PRIMARIES
};

enum color_transfer
{
  COLOR_TRANSFER_LINEAR,
  COLOR_TRANSFER_BT1886, /* display light of BT.601, 709 and 2020 video */
  COLOR_TRANSFER_GAMMA18,
  COLOR_TRANSFER_GAMMA20,
  COLOR_TRANSFER_GAMMA22,
  COLOR_TRANSFER_GAMMA28,
  COLOR_TRANSFER_ADOBERGB,
  COLOR_TRANSFER_BT709_SCENE, /* scene light: inverse of the camera's OETF */
  COLOR_TRANSFER_SMPTE240M_SCENE,
  COLOR_TRANSFER_SRGB,
  COLOR_TRANSFER_LOG100,
  COLOR_TRANSFER_LOG316,
  COLOR_TRANSFER_PQ,
  COLOR_TRANSFER_HLG,
  COLOR_TRANSFER_ST428,
  COLOR_N_TRANSFERS
};

/* Where chroma samples sit among the pixels that share them. */
struct color_site
{
  bool left; /* on the even column; otherwise between two columns */
  bool top;  /* on the even row; otherwise between two rows */
};

struct color_description
{
  enum color_matrix matrix;
  enum color_range range;
  enum color_primaries primaries;
  enum color_transfer transfer;
  struct color_site site;
};

/* What the stream says about its brightness, cd/m2; 0: unknown. */
struct color_light
{
  double max_cll;       /* brightest pixel */
  double mastering_max; /* of the mastering display */
};

/* Whether codes of @a mean the same colours in @b; chroma may sit elsewhere. */
static inline bool
color_description_same_codes (const struct color_description *a,
                              const struct color_description *b)
{
  return a->matrix == b->matrix && a->range == b->range
         && a->primaries == b->primaries && a->transfer == b->transfer;
}

/* PQ and HLG are high dynamic range. */
static inline bool
color_transfer_is_hdr (enum color_transfer transfer)
{
  return transfer == COLOR_TRANSFER_PQ || transfer == COLOR_TRANSFER_HLG;
}
