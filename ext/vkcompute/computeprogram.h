/* What a vkcompute runs on a frame: one shader, or several passes with images
 * and buffers between them. Constant, shared by reference count. */
#pragma once

#include "computekernel.h"
#include "computesettings.h"

#define PROGRAM_MAX_PASSES    16
#define PROGRAM_MAX_RESOURCES 16

/* Texels between passes, or of a file. */
struct program_image
{
  gchar *name;
  VkFormat format;
  guint width, height; /* 0: the output's times @scale */
  gdouble scale;
  GBytes *content; /* a file's picture; NULL: passes write it */
};

/* Bytes that are kept from frame to frame. */
struct program_buffer
{
  gchar *name;
  gsize size;
  GBytes *content; /* at the start; NULL: zeros */
};

struct program_pass
{
  gchar *name;
  struct compute_kernel *kernel;
  guint groups[3]; /* workgroups; [0] is 0: as many as the output needs */
};

struct compute_program
{
  gchar *name; /* for messages */
  guint n_passes, n_images, n_buffers;
  struct program_pass passes[PROGRAM_MAX_PASSES];
  struct program_image images[PROGRAM_MAX_RESOURCES];
  struct program_buffer buffers[PROGRAM_MAX_RESOURCES];
  guint history;     /* earlier inputs that some pass reads */
  gboolean feedback; /* some pass reads the output before */
  gint ref_count;
};

/* What @settings name: a shader, or a list of passes (*.vkc, `passes`). @files
 * as of kernel_source_params. Errors are GST_RESOURCE_ERROR and name the pass
 * and the binding. */
struct compute_program *
compute_program_new (const struct compute_settings *settings, GPtrArray *files,
                     GError **error);
struct compute_program *compute_program_ref (struct compute_program *program);

/* Accepts NULL. */
void compute_program_unref (struct compute_program *program);

/* Over all passes, as of frame_bindings. */
gboolean compute_program_has (const struct compute_program *program,
                              enum frame_role role);
gboolean compute_program_wants_buffer (const struct compute_program *program,
                                       enum frame_role role);
gboolean compute_program_accepts (const struct compute_program *program,
                                  enum frame_role role,
                                  const GstVideoFormatInfo *info);
gchar *compute_program_describe (const struct compute_program *program,
                                 enum frame_role role);

/* The only pass changes the frame in place. */
gboolean compute_program_is_in_place (const struct compute_program *program);

/* What @parameters gives must be there, in one pass at least, and fit. */
gboolean
compute_program_check_parameters (const struct compute_program *program,
                                  const GstStructure *parameters,
                                  GError **error);

/* Whether the two differ in a specialization constant. */
gboolean
compute_program_constants_differ (const struct compute_program *program,
                                  const GstStructure *before,
                                  const GstStructure *after);

/* For programfile.c: adds what it takes. FALSE where there is no room. */
gboolean compute_program_add_image (struct compute_program *program,
                                    const struct program_image *image);
gboolean compute_program_add_picture (struct compute_program *program,
                                      const gchar *name, const gchar *file,
                                      GError **error);
gboolean compute_program_add_buffer (struct compute_program *program,
                                     const gchar *name, gsize size,
                                     const gchar *file, GError **error);
gboolean compute_program_add_pass (struct compute_program *program,
                                   const gchar *name,
                                   const struct kernel_source_params *source,
                                   const GstStructure *bindings,
                                   const guint groups[3], GError **error);
