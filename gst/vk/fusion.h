/* Fusion: jobs that follow each other on a frame, as one dispatch.
 *
 * The layer above says what a job computes (a formula) and which dispatches do
 * the same as the job and those before it (fusions). The recorder knows whether
 * the frames in between are seen by nobody else: if so, they are not written.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "gst/vk/pipeline.h"

struct vkc_image;
struct vkc_job;

#define VKC_MAX_FUSED    8 /* jobs that one dispatch does */
#define VKC_FUSION_WORDS (VKC_MAX_PUSH_CONSTANTS / 4)

/* What a job computes. Constant, compared by its address. */
struct vkc_formula
{
  void *data; /* the other layer's */
  GDestroyNotify free_data;
  int ref_count;
};

/* Takes @data. */
VKC_API struct vkc_formula *vkc_formula_new (void *data,
                                             GDestroyNotify free_data);
VKC_API struct vkc_formula *vkc_formula_ref (struct vkc_formula *formula);

/* Accepts NULL. */
VKC_API void vkc_formula_unref (struct vkc_formula *formula);

/* One dispatch in place of several jobs: its bindings and push constants are
 * theirs. "From" counts jobs back from the last one, which is 0. */
struct vkc_fusion
{
  struct vkc_formula
      *formula; /* of the whole; NULL: there is no such dispatch */
  struct vkc_pipeline *pipeline; /* atomic; NULL: not made yet */
  int wanted; /* atomic: 1: the recorder looked for it; -1: it cannot be made */
  uint32_t groups[3];
  uint8_t binding_from[VKC_MAX_BINDINGS]; /* by the bindings' own numbers */
  uint8_t word_from[VKC_FUSION_WORDS];
};

/* For one formula that follows others, as they were in the input's pending
 * job. Constant but for the pipelines. */
struct vkc_fusions
{
  int ref_count;
  struct vkc_formula *before;         /* references to that job's two */
  struct vkc_fusions *before_fusions; /* may be NULL */

  /* A job reads what the one before it writes if these words of its constants,
   * from @read on, are the other's from @written on. */
  struct
  {
    uint8_t written, read, n;
  } same[2];

  uint32_t n;
  struct vkc_fusion all[VKC_MAX_FUSED - 1]; /* [k]: of k + 1 jobs before */
};

/* Without any fusion. Takes references. */
VKC_API struct vkc_fusions *
vkc_fusions_new (struct vkc_formula *before,
                 struct vkc_fusions *before_fusions);
VKC_API struct vkc_fusions *vkc_fusions_ref (struct vkc_fusions *fusions);

/* Accepts NULL. */
VKC_API void vkc_fusions_unref (struct vkc_fusions *fusions);

/* What the pending job that writes @image was given with vkc_job_set_formula(),
 * with references; NULL if there is none, or fusion is off ($VKC_FUSE is 0). */
VKC_API struct vkc_formula *
vkc_image_pending_formula (struct vkc_image *image,
                           struct vkc_fusions **fusions);

/* For a job that reads one frame and writes another one, and nothing else, with
 * the same kernel and constants whenever @formula is the same. @fusions may be
 * NULL. Before vkc_recorder_append(). */
VKC_API void vkc_job_set_formula (struct vkc_job *job,
                                  struct vkc_formula *formula,
                                  struct vkc_fusions *fusions);
