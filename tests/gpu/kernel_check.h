/* Runs of the colour kernel, compared with the model. */
#pragma once

#include "tests/gpu/kernel_run.h"

/* The fixture; each test has the device to itself. */
extern struct vkc_device *kernel_check_device;
void kernel_check_setup (void);
void kernel_check_teardown (void);

/* Runs the kernel of @plan on what @run has allocated and filled. */
void kernel_check_run (struct run *run, struct color_plan *plan);

/* From random codes, in blocks of 8 and, with @both, of 4: no code is off by
 * more than one, and at least @share of all are exact. */
void kernel_check_model (struct run *run, bool both, double share,
                         const char *what);

/* Chroma in the centre, at the left, and at the top left. */
#define KERNEL_SITES 3
extern const struct color_site kernel_sites[KERNEL_SITES];

/* BT.601 to BT.709, without light. */
void kernel_describe_sdr (struct run *run, GstVideoFormat from,
                          GstVideoFormat to, int width, int height,
                          struct color_site from_site,
                          struct color_site to_site);

/* BT.2020 of a peak of 1000 cd/m2 to BT.709, by the curve of BT.2390. */
void kernel_describe_hdr (struct run *run, GstVideoFormat from,
                          GstVideoFormat to, enum color_transfer transfer,
                          int width, int height, struct color_site site);
