/* Numbers shared by C and GLSL: the kernels that give frames another shape,
 * scale.comp and place.comp. They work on work frames: planes of 16-bit samples
 * in a buffer, in the order Y, Cb, Cr, A or R, G, B, A. */
#ifndef SHAPE_IDS_H
#define SHAPE_IDS_H

#define SHAPE_SOURCE 0
#define SHAPE_TARGET 1
#define SHAPE_TABLE  2

#define SHAPE_LOCAL_SIZE 64
#define SHAPE_ROWS       8 /* rows that an invocation of scale.comp makes */
#define SHAPE_SAMPLES    4 /* samples that one of place.comp makes */
#define SHAPE_ALPHA      3 /* the plane of alpha */

/* Specialization constants, all booleans. */
#define SHAPE_ID_PREMULTIPLY 0 /* colours weigh as much as their alpha */
#define SHAPE_ID_SQUARE      1 /* samples are square roots of what is summed */
#define SHAPE_ID_SCALED      2 /* the source of place.comp is scale.comp's */
#define SHAPE_ID_TRANSPOSE   3
#define SHAPE_ID_FLIP_X      4
#define SHAPE_ID_FLIP_Y      5
#define SHAPE_ID_COUNT       6

/* Alpha that a sample has at least when it weighs a colour: where all is
 * transparent, the colour stays. */
#define SHAPE_LEAST_ALPHA (1.0 / 16777216.0)

/* The table begins with SHAPE_WORDS words a plane. Places are in samples from
 * the buffer's start, and even; filters are words of the table: for each target
 * sample the first source sample, then its weights as floats. For scale.comp
 * filters along x begin at even samples and have an even number of taps. */
#define SHAPE_FROM          0 /* of the source frame's plane */
#define SHAPE_FROM_STRIDE   1
#define SHAPE_BETWEEN       2 /* of the plane of floats between both kernels */
#define SHAPE_BETWEEN_WIDTH 3 /* which is its stride as well */
#define SHAPE_BETWEEN_ROW   4 /* the source's row that its first one is of */
#define SHAPE_BETWEEN_ROWS  5
#define SHAPE_TO            6 /* of the target frame's plane */
#define SHAPE_TO_STRIDE     7
#define SHAPE_TO_WIDTH      8
#define SHAPE_TO_HEIGHT     9
#define SHAPE_X             10 /* of the picture in the target's plane */
#define SHAPE_Y             11
#define SHAPE_WIDTH         12
#define SHAPE_HEIGHT        13
#define SHAPE_BORDER        14 /* code around it */
#define SHAPE_ACROSS        15 /* the filter along x */
#define SHAPE_ACROSS_TAPS   16
#define SHAPE_DOWN          17 /* the filter along y */
#define SHAPE_DOWN_TAPS     18
#define SHAPE_WORDS         19

#endif
