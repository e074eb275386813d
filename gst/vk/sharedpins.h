/* Pins that several jobs of one frame keep. */
#pragma once

#include "gst/vk/job-private.h"

/* @to, made of @from, keeps what that shares. */
void vkc_shared_pins_copy (const struct vkc_job *from, struct vkc_job *to);
