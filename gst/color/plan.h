/* The plan of a conversion: out of two descriptions, two formats and the
 * settings comes exactly what the colour kernel needs. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "gst/color/cube.h"
#include "gst/color/description.h"
#include "gst/color/dither.h"
#include "gst/color/gain.h"
#include "shaders/include/kernel_ids.h"

/* Where the samples of a component lie in a frame. */
struct color_component
{
  int plane;
  int step;   /* bytes from sample to sample */
  int offset; /* bytes from the plane's first byte to the first sample */
  int shift;  /* of the lowest bit in its little-endian container */
  int bits;    /* 0: there is none; the rest is as component 0 has it */
  int channel; /* where planes are images: channel of the texel */
};

/* Components are Y, Cb, Cr, A or R, G, B, A. Only Cb and Cr may be subsampled;
 * @hsub, @vsub: log2 of the columns and rows that share a sample. */
struct color_format
{
  int packing; /* PACKING_... of kernel_ids.h */
  int n_planes;
  bool has_alpha;
  int hsub, vsub;
  struct color_component component[4];
};

/* One side of a conversion. */
struct color_side
{
  struct color_description description;
  struct color_format format;
};

/* What the tone curve's gain is taken from: TONE_... of kernel_ids.h. */
enum color_tone_mode
{
  COLOR_TONE_AUTO, /* settings only: ICTCP on GPUs, else MAX */
  COLOR_TONE_MAX = TONE_MAX,
  COLOR_TONE_RGB = TONE_RGB,
  COLOR_TONE_LUMA = TONE_LUMA,
  COLOR_TONE_ICTCP = TONE_ICTCP,
};

/* Values as GAMUT_... of kernel_ids.h. */
enum color_gamut
{
  COLOR_GAMUT_CLIP = GAMUT_CLIP,
  COLOR_GAMUT_DESATURATE = GAMUT_DESATURATE,
  COLOR_GAMUT_PERCEPTUAL = GAMUT_PERCEPTUAL,
  COLOR_GAMUT_RELATIVE = GAMUT_RELATIVE,
  COLOR_GAMUT_SATURATION = GAMUT_SATURATION,
  COLOR_GAMUT_DARKEN = GAMUT_DARKEN,
  COLOR_GAMUT_AUTO, /* settings only: PERCEPTUAL */
};

/* What `view` shows: VIEW_... of kernel_ids.h. */
enum color_view
{
  COLOR_VIEW_NORMAL = VIEW_NORMAL,
  COLOR_VIEW_SPLIT = VIEW_SPLIT,
  COLOR_VIEW_GAMUT = VIEW_GAMUT,
  COLOR_VIEW_CURVE = VIEW_CURVE,
};

/* A display's black is at most this part of its white: further up the formulas
 * of BT.1886 and BT.2100 divide by nothing, or turn the picture around. */
#define COLOR_MOST_BLACK 0.25

/* Luminances in cd/m2; 0 has the effect named. */
struct color_settings
{
  bool tone_map; /* false: colorimetric, and clipped at the target's white */
  bool inverse;  /* SDR to HDR goes through the curve, turned around */
  enum color_curve curve;
  struct color_curve_params curve_params;
  enum color_tone_mode mode;
  enum color_gamut gamut;
  double source_peak;     /* 0: what the stream says */
  double target_peak;     /* 0: SDR: the reference white; HLG: 1000; PQ: no
                           * less than the source */
  double reference_white; /* what SDR white is; 0: 203, as in BT.2408 */
  double target_black;    /* of an SDR display */
  double contrast;        /* of an SDR display, white to black; 0: given by
                           * target_black */
  double exposure;        /* stops, before the curve */
  double saturation;      /* change of it: -1 grey, 0 none, 1 doubled */
  double hlg_peak;        /* that HLG is shown at; 0: source_peak, or 1000 */
  double hlg_black;       /* and that display's black */
  enum color_dither dither;
  enum color_view view;
  const struct color_cube *cube; /* a table on the target's R'G'B', or NULL */
  bool cube_instead;      /* on the source's, and there is no other mapping */
  bool native_log;        /* the device has cheap logarithms: a GPU */
};

struct color_plan
{
  /* What was resolved, cd/m2. */
  double source_peak, target_peak, reference_white, target_black, hlg_black;
  bool black_limited; /* one of the two was set too near to its white */
  bool affine; /* no light: codes to codes */
  bool tone_mapped;
  bool dithered;
  enum color_curve curve; /* where tone_mapped */
  enum color_tone_mode mode;
  enum color_gamut gamut;
  enum color_view view; /* NORMAL where there is nothing to show */

  /* By color_plan_set_size(): lanes are row pairs, not blocks; modules with
   * ALONG_ROWS. */
  bool along_rows;

  /* Values of all specialization constants, by id; floats as their bits. */
  uint32_t constants[ID_COUNT];
  struct color_gain gain;
  const struct color_cube *cube; /* the settings' */
  double gain_error; /* largest error of the fitted gain, in codes */
  bool needs_table;  /* which is too much: see color_plan_gain_step() */

  /* What the gain was made of: for a table of it. */
  struct color_tone tone;
  struct color_gain_units units;
  enum color_gain_domain domain;
  double source_unit;   /* cd/m2 of the source's light 1 */
  double domain_length; /* where light ends in the domain */
};

/* Source peak: property > MaxCLL > mastering display > 1000. @light may hold
 * nonsense; what cannot be counts as unknown. */
double color_source_peak (const struct color_settings *settings,
                          enum color_transfer transfer,
                          const struct color_light *light);

/* Whether there is a component @c. */
static inline bool
color_format_has (const struct color_format *format, int c)
{
  return c < 3 ? format->component[c].bits > 0 : format->has_alpha;
}

/* Whether any component of a colour has fewer bits than it had. */
bool color_format_loses_depth (const struct color_format *from,
                               const struct color_format *to);

/* Whether rows in a buffer are no whole words, wherever they begin: they have to
 * be stored sample by sample. */
bool color_format_needs_bits (const struct color_format *format);

/* Everything but the geometry. */
void color_plan_init (struct color_plan *plan, const struct color_side *source,
                      const struct color_light *light,
                      const struct color_side *target,
                      const struct color_settings *settings);

/* What blocks are made by. */
struct color_lanes
{
  unsigned block;    /* pixels */
  bool cpu;          /* the device is software */
  unsigned shuffled; /* lanes next to each other that can pass values; 0 */
};

/* Sets what depends on the size, and how many workgroups there are. */
void color_plan_set_size (struct color_plan *plan, unsigned width,
                          unsigned height, const struct color_lanes *lanes,
                          uint32_t groups[2]);

/* Entry @i of a table of GAIN_STEPS (peak_ids.h) over the domain: the exact gain
 * where it begins, and how far it is to the next one's. */
void color_plan_gain_step (const struct color_plan *plan, int i,
                           float step[2]);

/* Puts the gain into the push constants. */
void color_plan_fill_params (const struct color_plan *plan,
                             struct kernel_params *params);
