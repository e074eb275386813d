/* The smallest frame and the smallest kernel, in the kind of storage that
 * $VKC_MEMORY names: jobs that add a number to every word. */
#pragma once

#include "gst/vk/recorder.h"
#include "tests/support/support.h"

#define ADDER_WIDTH 24
#define ADDER_HEIGHT 10
#define ADDER_WORDS (ADDER_WIDTH * ADDER_HEIGHT)

struct adder
{
  struct vkc_device *device;
  struct vkc_pipeline *pipeline;
  struct vkc_owner *owner;
  int errors;   /* times that the owner was told */
  int released; /* pins that came back */
  char *message; /* of the first error */
};

/* A device behind the wrapper. Its environment must be set before. */
void adder_init (struct adder *adder);

/* Checks the counts, gives everything back, and that nothing is left. */
void adder_clear (struct adder *adder);

/* The same, after a fault: no counts are compared. */
void adder_clear_after_fault (struct adder *adder);

bool adder_is_image (void);
struct vkc_image *adder_image (struct adder *adder);

/* An image whose word i holds i + @first, written by the CPU. */
struct vkc_image *adder_filled (struct adder *adder, uint32_t first);

/* Whether word i holds i + @first. Maps, so submits and waits. */
bool adder_holds (struct vkc_image *image, uint32_t first);

/* A job of @owner (NULL: the adder's) for target = source + increment, with a
 * pin. Not appended. */
struct vkc_job *adder_job (struct adder *adder, struct vkc_owner *owner,
                           struct vkc_image *source, struct vkc_image *target,
                           uint32_t increment);

/* Appends such a job. */
bool adder_plan (struct adder *adder, struct vkc_image *source,
                 struct vkc_image *target, uint32_t increment,
                 GError **error);

/* Appends one for target = first + second, in one dispatch. */
bool adder_plan_sum (struct adder *adder, struct vkc_image *first,
                     struct vkc_image *second, struct vkc_image *target);

/* As an element at the tail does. */
bool adder_flush (struct adder *adder, struct vkc_image *image,
                  GError **error);

/* An owner that counts into @adder. */
struct vkc_owner *adder_owner (struct adder *adder, const char *name);

struct vkc_recorder_counters adder_counters (const struct adder *adder);

/* A frame of one job from fill to check: @n in a row. */
void adder_run (struct adder *adder, unsigned n);

/* adder_init() for tests of failures, which GLib may warn of: warm, and with
 * nothing in flight. */
void adder_start (struct adder *adder);
