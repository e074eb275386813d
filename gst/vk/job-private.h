/* A job as the recorder sees it. */
#pragma once

#include "gst/vk/fusion.h"
#include "gst/vk/image-private.h"
#include "gst/vk/job.h"

enum vkc_job_state
{
  VKC_JOB_PLANNED,
  VKC_JOB_PENDING,
  VKC_JOB_SUBMITTED,
  VKC_JOB_DISCARDED,
  VKC_JOB_FAILED,
};

/* An image that the job touches, however many bindings name it. */
struct vkc_job_image
{
  struct vkc_image *image;
  bool reads, writes;
  bool sampled;             /* else storage, or a copy's side */
  bool uniform;             /* a buffer that is read as uniforms too */
  bool held;                /* a reference to the image is ours */
  struct vkc_job *producer; /* to run before; a reference, or NULL */
};

struct vkc_job_binding
{
  struct vkc_image *image;
  uint32_t first_plane, n_planes;
  VkImageView views[VKC_MAX_PLANES]; /* owned by the image */
};

struct vkc_pin
{
  void *object;
  GDestroyNotify release;

  /* Of what names a frame. */
  const struct vkc_image *image;
  vkc_is_sole is_sole;
};

struct vkc_job
{
  int ref_count;
  struct vkc_owner *owner;
  bool is_intermediate;
  bool is_state;

  /* A dispatch: bindings stand in the order of the kernel's declarations. */
  struct vkc_pipeline *pipeline;
  uint8_t push_constants[VKC_MAX_PUSH_CONSTANTS];
  bool has_push_constants;
  uint32_t groups[3];
  struct vkc_job_binding bindings[VKC_MAX_BINDINGS];

  /* From images[0] to images[1]: before the dispatch, or instead of one. */
  GArray *copies; /* struct vkc_copy */

  uint32_t n_images;
  struct vkc_job_image images[VKC_MAX_BINDINGS];
  GArray *pins; /* struct vkc_pin */
  struct vkc_shared_pins *shared; /* one of the pins, or NULL */

  /* VkSemaphores with others' fences in them, to wait for; or NULL. */
  GArray *waits;
  struct vkc_device *waits_device; /* a reference */

  /* References; both may be NULL. */
  struct vkc_formula *formula;
  struct vkc_fusions *fusions;

  /* Guarded by the recorder's lock from vkc_recorder_append() on. */
  enum vkc_job_state state;
  GPtrArray *before;     /* to run first, though it reads nothing of them:
                            readers of a state...; references, or NULL */
  GList link;            /* in the list of pending jobs, which owns a reference */
  int64_t planned_at;    /* monotonic us */
  uint32_t live_outputs; /* written images that still want it */
  uint64_t batch;        /* that collected it */
  bool is_lasting;       /* holds its outputs from the start: a dropped frame
                            does not drop it */
  bool has_let_go;

  /* By the batch that collected it; borrowed. */
  const struct vkc_fusion *fused; /* it does the work of those before it, too */
  struct vkc_job *fused_before;   /* the one before it in there */
  struct vkc_job *fused_into;     /* the last one, which does its work */
};

/* What it runs, for messages: the kernel that was planned, or "copy". */
const char *vkc_job_kernel_name (const struct vkc_job *job);

/* Its output is a frame of the stream, not a step or a state. */
bool vkc_job_is_frame (const struct vkc_job *job);

/* Of one that vkc_owner_keep_job() kept: nothing is left in it but room. */
void vkc_job_free_blank (struct vkc_job *job);

/* Everything that the kernel declares is there. Refused by name otherwise. */
bool vkc_job_check (const struct vkc_job *job, GError **error);

/* @before runs first if it is pending then. */
void vkc_job_come_after (struct vkc_job *job, struct vkc_job *before);

/* Takes references to the written images. False, and nothing is taken, if one
 * of them is about to end: then so is the job. */
bool vkc_job_hold_outputs (struct vkc_job *job);

/* Gives them back, unless the job is a lasting one. */
void vkc_job_unhold_outputs (struct vkc_job *job);

/* The job is over: drops its images, which are ours, on the thread that calls. */
void vkc_job_let_go_of_images (struct vkc_job *job);

/* The same, and its pins, which are foreign. */
void vkc_job_let_go (struct vkc_job *job);
