/* The witness of the colour kernel: what shaders/colorconvert.comp computes for
 * one pixel, in the same order and in float, with functions of the same names.
 * Tests compare it with the reference on one side and with the device on the
 * other. */
#pragma once

#include "gst/color/plan.h"

/* @in: codes of the source's components, chroma already spread to the pixel,
 * so they may lie between two codes. @out: R'G'B' of the target, as the chroma
 * filter and OUT_MATRIX want it; the codes themselves where all is affine. */
void color_kernel_signal (const struct color_plan *plan, const float in[3],
                          float out[3]);

/* Component 0, 1 or 2 of the target out of that. @threshold: of the dither, 0
 * without. */
uint32_t color_kernel_dithered_code (const struct color_plan *plan,
                                     int component, const float signal[3],
                                     float threshold);
uint32_t color_kernel_code (const struct color_plan *plan, int component,
                            const float signal[3]);

/* @alpha: the source's code, if it has any. */
uint32_t color_kernel_alpha (const struct color_plan *plan, float alpha);

/* Scalar functions of transfer.glsl and tonecurve.glsl. */
float color_kernel_pq_root (float x);
float color_kernel_pq_signal (float s);
float color_kernel_pq_eotf (float x);
float color_kernel_pq_inverse_eotf (float l);
float color_kernel_bt1886_inverse_eotf (float l, bool native_log);
float color_kernel_bt709_eotf (float x);
float color_kernel_bt709_inverse_eotf (float l);
float color_kernel_smpte240m_eotf (float x);
float color_kernel_smpte240m_inverse_eotf (float l);
float color_kernel_srgb_eotf (float x);
float color_kernel_srgb_inverse_eotf (float l);
float color_kernel_log_eotf (float x, float decades);
float color_kernel_log_inverse_eotf (float l, float decades);
float color_kernel_hlg_inverse_oetf (float x);
float color_kernel_hlg_oetf (float e);
float color_kernel_tone_gain (const struct color_gain *gain, float m, float h);
