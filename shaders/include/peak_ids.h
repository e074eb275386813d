/* Numbers shared by C and GLSL for peak.comp: its constants beside those of the
 * colour kernel, its push constants, and the state that it carries. */
#ifndef PEAK_IDS_H
#define PEAK_IDS_H

/* Descriptors, set 0; BINDING_SOURCE is the frame. */
#define BINDING_STATE  1
#define BINDING_RESULT 2

/* Where the colour kernel finds the state. */
#define BINDING_GAIN 3
#define BINDING_LUT  4

#define PEAK_BINS  1024 /* of the histogram, over the PQ signal */
#define PEAK_BLACK 8    /* bins below are black bars, and do not count */
#define GAIN_STEPS 1024 /* of the table */

/* Specialization constants, floats unless said otherwise. */
#define ID_PEAK_FIRST      200
#define ID_PEAK_ROWS       200 /* int: sampled rows that an invocation takes */
#define ID_PEAK_CURVE      201 /* int: enum color_curve */
#define ID_PEAK_FALLBACK   202 /* cd/m2, until something was seen */
#define ID_PEAK_TARGET     203 /* cd/m2 */
#define ID_PEAK_BLACK      204 /* of the target, cd/m2 */
#define ID_PEAK_EXPOSURE   205 /* factor */
#define ID_PEAK_PARAM      206 /* of the curve; spline: 0: the average */
#define ID_PEAK_DOMAIN     207 /* int: DOMAIN_... of the table */
#define ID_PEAK_UNIT       208 /* cd/m2 of the root domain's 1 */
#define ID_PEAK_LENGTH     209 /* of the root domain: the table's last entry */
#define ID_PEAK_SCALE      210 /* of the gain */
#define ID_PEAK_PERCENTILE 211 /* 0 to 1 */
#define ID_PEAK_LIGHT      212 /* cd/m2 of the source's light 1 */
#define ID_PEAK_COLUMNS    213 /* int: of a workgroup's histogram: 1, or lanes */
#define ID_PEAK_COUNT      14

/* Of the mean distance between two frames' histograms, in PQ: a new scene. */
#define PEAK_SCENE_CHANGE 0.03

#ifdef GL_core_profile
#ifdef PEAK_PARAMS
layout (push_constant, std430) uniform PeakParams
{
  uvec2 source[MAX_PLANES];
  uint width, height;
  uint source_last;
  uint groups;
  float rise, fall, follow;
} params;
#endif
#else
#include <assert.h>
#include <stdint.h>

/* groups: workgroups of the dispatch. rise, fall: how much of the way to the
 * frame's values the first stage goes, up and down; follow: the second stage
 * to the first. */
struct peak_params
{
  uint32_t source[4][2];
  uint32_t width, height;
  uint32_t source_last;
  uint32_t groups;
  float rise, fall, follow;
};
static_assert (sizeof (struct peak_params) == 60, "as in GLSL");

/* struct PeakState of peak_state.glsl, bytes; where its table begins. */
#define PEAK_STATE_GAIN 32
#define PEAK_STATE_SIZE (PEAK_STATE_GAIN + 8 * GAIN_STEPS + 4 * PEAK_BINS + 4 * PEAK_BINS)

/* What the CPU gets to see of a frame. */
struct peak_result
{
  float peak, average; /* cd/m2, as the curve uses them */
  uint32_t frames, scenes;
  float frame_peak, frame_average; /* cd/m2 of this frame alone; 0: black */
  float moved;  /* how far the histogram is from the frame's before, PQ */
  uint32_t pad;
};
static_assert (sizeof (struct peak_result) == 32, "as in GLSL");
#endif

#endif
