/* Numbers shared by C and GLSL: resample.comp and polyphase.comp, which scale
 * one plane of a frame in one pass. */
#ifndef RESAMPLE_IDS_H
#define RESAMPLE_IDS_H

#define RESAMPLE_SOURCE 0
#define RESAMPLE_TARGET 1
#define RESAMPLE_TABLE  2

#define RESAMPLE_LOCAL_SIZE  32
#define RESAMPLE_MOST_PLANES 4

/* Of a subgroup, in the module with LANES and in polyphase.comp. */
#define RESAMPLE_LANES 8

/* The most that a kernel is made for; beyond that scale.comp and place.comp do
 * it. */
#define RESAMPLE_MOST_PIXELS 8   /* in a block */
#define RESAMPLE_MOST_TAPS   32  /* along rows */
#define RESAMPLE_MOST_OPEN   16  /* rows of the target that a source row is in */
#define RESAMPLE_MOST_UNITS  512 /* that a block's filters reach */
#define RESAMPLE_MOST_SUMS   256 /* OPEN times samples of a block */
#define RESAMPLE_MOST_TERMS  128 /* TAPS times samples of a block: drivers take
                                  * long over more */

/* The same of polyphase.comp; beyond that resample.comp does it. */
#define POLYPHASE_SAMPLES     24  /* in a block */
#define POLYPHASE_MOST_PHASES 4   /* COLOR_PHASES_MOST */
#define POLYPHASE_MOST_TERMS  640 /* TAPS times samples that a round takes */

/* Specialization constants; integers unless said otherwise. */
#define RESAMPLE_ID_PIXELS      0 /* that a block has of the target's row */
#define RESAMPLE_ID_TAPS        1 /* along rows, of every sample */
#define RESAMPLE_ID_STEP        2 /* 1/65536 source samples to the next one */
#define RESAMPLE_ID_OPEN        3
#define RESAMPLE_ID_MOST_DONE   4 /* target rows that a source row completes */
#define RESAMPLE_ID_FLIP        5 /* 1: the first sample is the last one's */
#define RESAMPLE_ID_WHOLE       6 /* 1: rows are whole blocks */
#define RESAMPLE_ID_ALIGNED     7 /* 1: source rows begin with whole words */
#define RESAMPLE_ID_COMPONENTS  8 /* that the target's plane has */
#define RESAMPLE_ID_ONE_PLANE   9 /* 1: so has the source's */
#define RESAMPLE_ID_SOURCE_STEP 10 /* bytes from sample to sample; of images 4 */
#define RESAMPLE_ID_TARGET_STEP 11
#define RESAMPLE_ID_BORDERED    12 /* 1: not all of the target is picture */
#define RESAMPLE_ID_PREMULTIPLY 13 /* 1: colours weigh as much as their alpha */
#define RESAMPLE_ID_COMPONENT   14 /* the fields of each */

/* Of polyphase.comp, which has none of STEP, MOST_DONE, FLIP and BORDERED. Its
 * TAPS are as many in all phases; OPEN counts all rows of the target that are
 * touched in a round, in which DOWN_FROM source rows complete DOWN_TO. */
#define RESAMPLE_ID_PAIRS      46 /* 1: words come in twos, blocks in subgroups */
#define RESAMPLE_ID_LEFT       47 /* units that a block needs before its own */
#define RESAMPLE_ID_RIGHT      48 /* and behind them */
#define RESAMPLE_ID_FROM       49 /* struct color_phases, along rows */
#define RESAMPLE_ID_TO         50
#define RESAMPLE_ID_FIRST      51 /* of each phase */
#define RESAMPLE_ID_DOWN_FROM  55 /* and down columns */
#define RESAMPLE_ID_DOWN_TO    56
#define RESAMPLE_ID_DOWN_TAPS  57
#define RESAMPLE_ID_DOWN_FIRST 58
#define RESAMPLE_ID_START      62 /* the first source row of round 0 */
#define RESAMPLE_ID_LEAD       63 /* rounds before the first one of a strip */

/* Of sources in images: the plane of each component. */
#define RESAMPLE_ID_SOURCE_PLANE 64
#define RESAMPLE_ID_COUNT        68

/* Fields of a component. */
#define RESAMPLE_SOURCE_OFFSET 0 /* bytes; of images the channel */
#define RESAMPLE_SOURCE_SHIFT  1
#define RESAMPLE_SOURCE_BITS   2
#define RESAMPLE_TARGET_OFFSET 3
#define RESAMPLE_TARGET_SHIFT  4
#define RESAMPLE_TARGET_BITS   5
#define RESAMPLE_GAIN          6 /* float: source codes to target codes */
#define RESAMPLE_BIAS          7 /* float */
#define RESAMPLE_FIELDS        8

/* The table, in words; all parts begin at multiples of four.
 *
 * Strips, which are rows of the target that a workgroup makes: STRIP_... each.
 *
 * Rows: what is done with each source row of a strip, in order: its weights in
 * the OPEN target rows from the first one on that is not complete, then how
 * many of those it completes.
 *
 * Blocks: the first source unit (signed), then the weights of its samples. */
#define RESAMPLE_STRIP_FROM  0 /* the first source row */
#define RESAMPLE_STRIP_ROWS  1 /* source rows */
#define RESAMPLE_STRIP_TABLE 2 /* what is done with them, in fours of words */
#define RESAMPLE_STRIP_TO    3 /* the target row that is complete first */
#define RESAMPLE_STRIP_FILL  4 /* rows of border from there on, if no picture */
#define RESAMPLE_STRIP_WORDS 8

/* The table of polyphase.comp: the weights of each phase along rows, then of
 * each down columns. */

/* Push constants. Places are offset and stride in bytes; of images the corner,
 * and so many rows of the image are one of the frame. */
#ifdef VULKAN
layout (push_constant, std430) uniform Params
{
  uvec2 source[4]; /* of each component's plane */
  uvec2 target;
  uvec2 row_steps;  /* of images: source, target */
  uint source_last; /* the last word that may be read */
  uint width;       /* of the target's plane, in samples */
  uint left, right; /* of the picture in it: first column, last one + 1 */
  uint border[4];   /* codes around the picture */
  uint blocks;      /* where the table has them, in fours of words */
  int turn;         /* -1: the target's rows go up */
  /* Of polyphase.comp, and of images. */
  uint row_units; /* of a source row */
  uint last_row;  /* of the source */
  /* Of polyphase.comp. */
  uint strip;  /* rounds that a workgroup makes */
  uint rounds; /* of all */
} params;
#else
#include <assert.h>
#include <stdint.h>

struct resample_params
{
  uint32_t source[4][2];
  uint32_t target[2];
  uint32_t row_steps[2];
  uint32_t source_last;
  uint32_t width;
  uint32_t left, right;
  uint32_t border[4];
  uint32_t blocks;
  int32_t turn;
  uint32_t row_units;
  uint32_t last_row;
  uint32_t strip;
  uint32_t rounds;
};
static_assert (sizeof (struct resample_params) == 104, "as in GLSL");
#endif

#endif
