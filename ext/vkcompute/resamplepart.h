/* One plane of a target: which kernel makes it, and what that needs. */
#pragma once

#include "gst/vk/device.h"
#include "gst/vk/image.h"
#include "gst/vk/pipeline.h"
#include "shaders/include/resample_ids.h"
#include "shapefilter.h"

G_BEGIN_DECLS

/* What rows of frames begin with, whole. */
enum resample_alignment
{
  RESAMPLE_BYTES,
  RESAMPLE_WORDS,
  RESAMPLE_PAIRS, /* of words */
  RESAMPLE_ALIGNMENTS,
};

struct resample_part
{
  struct vkc_pipeline *pipelines[RESAMPLE_ALIGNMENTS]; /* when asked for */
  struct vkc_image *table;
  guint32 constants[RESAMPLE_ID_COUNT];
  guint32 groups[2];
  gboolean polyphase;           /* polyphase.comp makes it */
  enum resample_alignment most; /* that makes a difference */
  gboolean keeps_rest;          /* other planes or rows are there already */
  enum vkc_storage source_storage, target_storage;
  guint n_components;
  guint32 column, row;           /* where its part of a source's plane begins */
  struct resample_params params; /* all but what a frame changes */
};

/* Components of @plane; their number. */
guint resample_part_components (const struct color_format *format, guint plane,
                                guint components[4]);

/* Colours are scaled with the alpha that they are in one plane with. */
gboolean resample_part_weighs (const struct shape_job *job);

/* FALSE without @error: more than the kernels are made for. */
gboolean resample_part_set (struct resample_part *part,
                            struct vkc_device *device,
                            const struct shape_job *job, guint plane,
                            GError **error);

/* Accepts a zeroed one. */
void resample_part_clear (struct resample_part *part);

/* Borrowed, made if need be. */
struct vkc_pipeline *resample_part_pipeline (struct resample_part *part,
                                             struct vkc_device *device,
                                             enum resample_alignment alignment,
                                             GError **error);

G_END_DECLS
