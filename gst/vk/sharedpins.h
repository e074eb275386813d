/* Pins that several jobs of one frame keep. */
#pragma once

#include "gst/vk/job-private.h"

/* Constant, but for who keeps them. */
struct vkc_shared_pins
{
  GArray *pins; /* struct vkc_pin */
  int ref_count;
};

/* @to, made of @from, keeps what that shares. */
void vkc_shared_pins_copy (const struct vkc_job *from, struct vkc_job *to);
