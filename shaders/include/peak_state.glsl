/* What peak detection carries from frame to frame, and the colour kernel's
 * table of gains: value and step to the next one, for GAIN_STEPS entries. */
struct PeakState
{
  uint done;   /* workgroups of this dispatch that are through */
  uint seen;   /* 1: the levels below are of frames */
  uint frames, scenes;
  vec2 first;  /* peak and average, PQ: the first stage of smoothing */
  vec2 second; /* and the second, which is what the curve gets */
  vec2 gain[GAIN_STEPS];
  uint bins[PEAK_BINS];   /* of this dispatch; zero between two */
  float before[PEAK_BINS]; /* shares of the last frame, summed up */
};
