/* Numbers shared by C and GLSL: specialization constant ids, the values of the
 * enumerated ones, and the push constants of the colour kernel.
 *
 * What changes the code is a specialization constant, fixed at negotiation;
 * what changes from frame to frame is a push constant. */
#ifndef KERNEL_IDS_H
#define KERNEL_IDS_H

/* Descriptors, set 0. A buffer, or an array of MAX_PLANES images. */
#define BINDING_SOURCE 0
#define BINDING_TARGET 1
#define BINDING_DITHER 2 /* the table; modules with dither only */
#define MAX_PLANES     4

/* --- specialization constants; integers unless said otherwise --- */

/* Geometry. */
#define ID_LOCAL_SIZE_X   0
#define ID_ROW_PAIRS      1 /* row pairs that one invocation walks down */
#define ID_WHOLE_BLOCKS   2 /* 1: the width is a multiple of the block */
#define ID_EVEN_HEIGHT    3 /* 1: every row pair has two rows */
#define ID_ALIGNED        4 /* 16, 4 or 1: bytes that every row of source and
                             * target starts at a multiple of */

/* What happens to a pixel. */
#define ID_PATH            5  /* PATH_... */
#define ID_CHROMA_DIRECT   6  /* 1: chroma is mapped at its own resolution */
#define ID_SOURCE_TRANSFER 7  /* TRANSFER_... */
#define ID_TARGET_TRANSFER 8  /* TRANSFER_... */
#define ID_TONE_MODE       9  /* TONE_... */
#define ID_TONE_DOMAIN     10 /* DOMAIN_... */
#define ID_GAMUT           11 /* GAMUT_... */
#define ID_NATIVE_LOG      12 /* 1: log2 and exp2 are cheaper than the fits */
#define ID_CLAMP_CODES     13 /* 1: the matrix can leave the target's codes */
#define ID_ALPHA           14 /* ALPHA_... */
#define ID_ALPHA_SOURCE    15 /* the source's code of opaque */
#define ID_ALPHA_OPAQUE    16 /* float: the target's code of opaque */

/* Chroma. The weights are floats: of the neighbour before for even rows and
 * columns, of the neighbour behind for odd ones. */
#define ID_SOURCE_HSUB 17 /* log2 of the pixels that share a chroma sample */
#define ID_SOURCE_VSUB 18
#define ID_TARGET_HSUB 19
#define ID_TARGET_VSUB 20
#define ID_UP_H_EVEN   21
#define ID_UP_H_ODD    22
#define ID_UP_V_EVEN   23
#define ID_UP_V_ODD    24
#define ID_DOWN_LEFT   25 /* 1: cosited with even columns, 0: between two */
#define ID_DOWN_TOP    26 /* 1: cosited with even rows, 0: between two */

/* Parameters of the transfers, floats; transfer.glsl says which uses what. */
#define ID_SOURCE_PARAM0 27
#define ID_SOURCE_PARAM1 28
#define ID_SOURCE_PARAM2 29
#define ID_TARGET_PARAM0 30
#define ID_TARGET_PARAM1 31
#define ID_TARGET_PARAM2 32

/* Floats, row by row. */
#define ID_IN_MATRIX     33 /* 3x4: source codes -> R'G'B' */
#define ID_LIGHT_MATRIX  45 /* 3x3: source light -> target light */
#define ID_OUT_MATRIX    54 /* 3x4: R'G'B' (PATH_AFFINE: codes) -> codes */
#define ID_LMS_MATRIX    66 /* 3x3: source light -> LMS of BT.2100 */
#define ID_SOURCE_LUMA   75 /* 3: luminance of the source's R, G, B */
#define ID_TARGET_LUMA   78 /* 3: the same of the target */

/* Where a component lies: COMPONENT_... of component 0, then of 1... */
#define ID_SOURCE_COMPONENT 81
#define ID_TARGET_COMPONENT 105

/* 3 floats each, light of the target: grey that is as light as a colour in
 * Oklab, how far that is from what its short-wave cone sees, and what that cone
 * alone sees. */
#define ID_HUE_GREY  129
#define ID_HUE_APART 132
#define ID_HUE_BEND  135

/* How samples lie in rows: PACKING_... */
#define ID_SOURCE_PACKING 138
#define ID_TARGET_PACKING 139

/* Rows of the image from row to row of the frame: 2 for a field. Buffers have
 * strides for that. */
#define ID_SOURCE_ROW_STEP 140
#define ID_TARGET_ROW_STEP 141

/* Modules with GAIN_TABLE only. */
#define ID_GAIN_TABLE  142 /* 1: the gain is the table's, 0: params' */
#define ID_LUT         143 /* LUT_... */
#define ID_LUT_SIZE    144
#define ID_LUT_INSTEAD 145 /* 1: there is no other conversion */
#define ID_LUT_UNIT    146 /* float: signal of the target's 1 */
#define ID_LUT_MIN     147 /* 3 floats: the domain's start */
#define ID_LUT_SCALE   150 /* and 1 / its length */

/* The same modules. */
#define ID_VIEW             153 /* VIEW_... */
#define ID_VIEW_MATRIX      154 /* 3x3 floats: LIGHT_MATRIX without a mapping */
#define ID_VIEW_WHITE       163 /* float: target's signal of the drawn white */
#define ID_VIEW_SOURCE_PEAK 164 /* floats: PQ signals */
#define ID_VIEW_TARGET_PEAK 165
#define ID_VIEW_SOURCE_UNIT 166 /* floats: light 1 before and after the gain, */
#define ID_VIEW_TARGET_UNIT 167 /* in 10000 cd/m2 */

/* 1: the first invocation of a workgroup makes the block before the others' and
 * stores nothing: every other one has its left neighbour's last pixel from
 * there. Not in modules with ALONG_ROWS. */
#define ID_GROUP_EDGES 168

/* Planes of the target that others fill: 1 << the plane's number. Buffers of
 * whole words only. */
#define ID_LEFT_OUT 169

/* Blocks that an invocation walks along; modules with ALONG_ROWS, where it has
 * one row pair. */
#define ID_WALK 170

/* Samples are the source's, this many times as large, and stay integers: 1, 4,
 * 257... 0: there is more to do. PATH_AFFINE with all chroma where it was. */
#define ID_MULTIPLE 171
#define ID_COUNT    172

/* Fields of a component. Y, Cb, Cr, A or R, G, B, A. */
#define COMPONENT_PLANE   0
#define COMPONENT_STEP    1 /* bytes from sample to sample */
#define COMPONENT_OFFSET  2 /* bytes from the plane's start to the first */
#define COMPONENT_SHIFT   3 /* of its lowest bit in its container */
#define COMPONENT_BITS    4
#define COMPONENT_CHANNEL 5 /* in an image's texel */
#define COMPONENT_FIELDS  6

/* With packed samples, steps and offsets count samples. */
#define PACKING_BYTES 0
#define PACKING_THREE 1 /* three of 10 bits in a little-endian word of 32 */
#define PACKING_TEN   2 /* 10 bits each, without gaps, the lowest first */

/* Same transfer and primaries: one matrix from codes to codes. */
#define PATH_AFFINE 0
/* Through linear light. */
#define PATH_LIGHT 1

#define TRANSFER_LINEAR    0
#define TRANSFER_BT1886    1 /* display light of BT.601, 709, 2020 video */
#define TRANSFER_GAMMA     2 /* pure power */
#define TRANSFER_BT709     3 /* scene light; also BT.601 and 2020 */
#define TRANSFER_SMPTE240M 4 /* scene light */
#define TRANSFER_SRGB      5
#define TRANSFER_LOG100    6
#define TRANSFER_LOG316    7
#define TRANSFER_PQ        8
#define TRANSFER_HLG       9
#define TRANSFER_ST428     10

/* What the tone curve's gain is taken from. */
#define TONE_NONE  0
#define TONE_MAX   1 /* the largest of R, G, B: hue and saturation stay */
#define TONE_RGB   2 /* each channel by itself */
#define TONE_LUMA  3
#define TONE_ICTCP 4

/* What the gain is a function of. */
#define DOMAIN_PQ   0 /* the source's PQ signal */
#define DOMAIN_ROOT 1 /* fourth root of light */

#define GAMUT_CLIP       0
#define GAMUT_DESATURATE 1 /* to grey of the same luminance, to the border */
#define GAMUT_PERCEPTUAL 2 /* the same in Oklab, clipped where that costs much */
#define GAMUT_RELATIVE   3 /* to grey of the same luminance, then clipped */
#define GAMUT_SATURATION 4 /* brightness pays */
#define GAMUT_DARKEN     5 /* hue stays, brightness pays for what is too much */

#define LUT_NONE 0
#define LUT_1D   1
#define LUT_3D   2

#define VIEW_NORMAL 0
#define VIEW_SPLIT  1 /* the left half is clipped, not mapped */
#define VIEW_GAMUT  2 /* colours that do not fit are marked */
#define VIEW_CURVE  3 /* the tone curve over the picture */

#define ALPHA_NONE    0 /* the target has none */
#define ALPHA_COPY    1
#define ALPHA_MAKE    2 /* opaque */
#define ALPHA_RESCALE 3 /* to another depth */

/* --- push constants --- */

/* A plane's place is {byte of its first sample, bytes from row to row} in
 * a buffer, and {x, y} of its first texel in images.
 *
 * source_last: the last word of the source buffer that may be read.
 * scale ... cap: the gain, struct color_gain in gst/color/gain.h. */
#ifdef GL_core_profile
#ifndef PEAK_PARAMS
layout (push_constant, std430) uniform KernelParams
{
  uvec2 source[MAX_PLANES];
  uvec2 target[MAX_PLANES];
  uint width, height;
  uint source_last;
  float scale, shift;
  float p0, p1, p2, p3, p4;
  float q1, q2;
  float cap;
#ifdef ADDRESSES
  layout (offset = 128) uint64_t source_at; /* VKC_MAX_PUSH_CONSTANTS */
  uint64_t target_at;
#endif
} params;
#endif
#else
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

struct kernel_params
{
  uint32_t source[MAX_PLANES][2];
  uint32_t target[MAX_PLANES][2];
  uint32_t width, height;
  uint32_t source_last;
  float scale, shift;
  float p[5];
  float q[2];
  float cap;
};
static_assert (sizeof (struct kernel_params) == 116, "as in GLSL");
static_assert (sizeof (struct kernel_params) <= 128, "Vulkan's guarantee");
static_assert (offsetof (struct kernel_params, scale) == 76, "as in GLSL");
#endif

#endif
