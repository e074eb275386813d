/* Constants of the curves, shared by C and GLSL: those of the standards, and
 * fitted rational functions with monic numerator and denominator, whose errors
 * tests/unit/color_kernel.c proves. */
#ifndef CURVE_CONSTANTS_H
#define CURVE_CONSTANTS_H

/* PQ, signal in [0, 1] to the root of light:
 *   sqrt (L / 10000 cd/m2) = PQ_ROOT_SCALE x P(x) / Q(x)
 * Weighted for 8-bit SDR output: below 6e-6 of white, and below 1/600 of a
 * code above signal 0.03. Black stays exactly black. */
#define PQ_ROOT_SCALE 0.255328167
#define PQ_ROOT_P0    0.00581206481
#define PQ_ROOT_P1    0.723670578
#define PQ_ROOT_P2    2.35679634
#define PQ_ROOT_P3    1.0367064
#define PQ_ROOT_Q0    0.0247571011
#define PQ_ROOT_Q1    4.64989209
#define PQ_ROOT_Q2    -2.71354065
#define PQ_ROOT_Q3    -1.65306224

/* The inverse, of the fourth root of light: signal = s x P(s) / Q(s). Below
 * 6e-8 of white, and below 1/1000 of a code. */
#define PQ_SIGNAL_P0 1.28456086e-05
#define PQ_SIGNAL_P1 0.00520424805
#define PQ_SIGNAL_P2 2.63135432
#define PQ_SIGNAL_P3 6.16164871
#define PQ_SIGNAL_P4 1.87064052
#define PQ_SIGNAL_Q0 0.00125722487
#define PQ_SIGNAL_Q1 0.0646067695
#define PQ_SIGNAL_Q2 0.989522279
#define PQ_SIGNAL_Q3 4.05993946
#define PQ_SIGNAL_Q4 4.55353498

/* The inverse of BT.1886 with black at 0, light in [0, 1]: with u = sqrt (l) and
 * y about u^(-1/6), by its bits, t = u y^6 is about constant, and
 *   l^(1/2.4) = u^(5/6) = u y t^(-1/6) = BT1886_SCALE u y (C0 - C1 t + t^2)
 * No more than 0.009 of an 8-bit code off, 0.0017 on average: where y is best,
 * which is once in twelve octaves of light, it is brightest. White is above 1,
 * and clipped.
 * BT1886_GUESS: for a number in whose float the bits of y are 8 places lower. */
#define BT1886_SCALE 40.9124565933324
#define BT1886_GUESS 13219457.0
#define BT1886_C0    0.0492186982993321
#define BT1886_C1    0.229184094972452

/* SMPTE ST 2084. */
#define LN2   0.6931471805599453
#define PQ_M1 0.1593017578125
#define PQ_M2 78.84375
#define PQ_C1 0.8359375
#define PQ_C2 18.8515625
#define PQ_C3 18.6875

/* ITU-R BT.2100, HLG. */
#define HLG_A 0.17883277
#define HLG_B 0.28466892
#define HLG_C 0.559910729529562

/* From I, Ct, Cp of PQ to L, M, S: M has L's coefficients with other signs. */
#define ICTCP_L_CT 0.008609037037932756
#define ICTCP_L_CP 0.11102962500302596
#define ICTCP_S_CT 0.5600313357106791
#define ICTCP_S_CP -0.32062717498731885

/* How far outside of the gamut a colour has to be to be mapped, relative to its
 * largest component. */
#define GAMUT_SLACK 1e-4

/* Towards grey a colour goes by so much less, relative to its distance, that
 * what ends on the border is clipped to it: the root in the target's transfer
 * makes much of the last bits that a sum leaves of 0. */
#define GAMUT_SHORT 1e-6

/* Lines of constant hue in Oklab, fitted: how much of what the short-wave cone
 * sees less than the others bends them. */
#define HUE_BEND 0.5

/* The knee, as the root of the distance from the border, which is about what
 * the channel's signal shows of it. Colours on the border move by no more than
 * 2 codes of 8 bits. */
#define GAMUT_KNEE 0.028

/* ITU-R BT.2020 table 4, with all digits. */
#define BT709_ALPHA 1.09929682680944
#define BT709_BETA  0.018053968510807

#endif
