/* "vkctestadd": the least that a GstVkcFilter can be. Adds `amount` to every
 * byte of an 8-bit frame, modulo 256, so that a test sees how often and on what
 * it ran. With `through` it is in passthrough. */
#pragma once

#include <gst/gst.h>

/* Registers the element. */
void test_adder_register (void);
