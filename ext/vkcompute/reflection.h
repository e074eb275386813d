/* What a compute shader declares. Plain data, made once from its SPIR-V and
 * constant from there on.
 *
 * The module is validated and its entry point looked up before SPIRV-Cross
 * sees it. Errors are GST_RESOURCE_ERROR_SETTINGS and name what the shader
 * declares. */
#pragma once

#include <gst/gst.h>

#include "gst/vk/pipeline.h"

enum reflected_type
{
  REFLECTED_FLOAT,
  REFLECTED_INT,
  REFLECTED_UINT,
  REFLECTED_BOOL,
  REFLECTED_OTHER, /* a structure that was not flattened, 64 bits... */
};

/* One value of a block. Members of nested structures are named "outer.inner".
 */
struct reflected_member
{
  gchar *name; /* "" where the compiler stripped names */
  enum reflected_type type;
  guint offset;        /* bytes */
  guint rows, columns; /* a vector has one column, a scalar one row too */
  guint column_stride; /* bytes; 0 but for matrices */
  gboolean row_major;
  guint n_elements; /* 0: no array, or one whose end is open */
  guint stride;     /* bytes from element to element */
};

struct reflected_block
{
  gchar *name;
  guint size;       /* bytes, without an open array at the end */
  gboolean is_open; /* there is one */
  guint n_members;
  struct reflected_member *members;
};

struct reflected_binding
{
  gchar *name; /* the variable, or its block; "binding 3" if stripped */
  guint set, binding;
  VkDescriptorType type;
  guint count; /* array size, 1 for a single descriptor */
  gboolean reads, writes;

  /* Images. */
  VkFormat format;          /* UNDEFINED: the shader declares none */
  const gchar *format_name; /* as GLSL spells it; "" without one */
  enum reflected_type sampled_type;
  gboolean is_plain_2d; /* neither arrayed nor multisampled */

  struct reflected_block block; /* buffers */
};

struct reflected_constant
{
  gchar *name;
  guint id;
  enum reflected_type type;
  guint32 value; /* the default, as bits */
};

struct reflection
{
  gchar *name; /* the kernel's, for messages */
  gchar *entry_point;
  guint32 *code;
  gsize n_words;

  guint local_size[3];    /* with the constants' defaults */
  guint local_size_id[3]; /* the constant that sets it; G_MAXUINT: none */
  guint64 shared_memory;  /* bytes a workgroup */
  guint n_bindings; /* those that the entry point uses, by set and number */
  struct reflected_binding *bindings;
  struct reflected_block push_constants; /* size 0: none */
  guint n_constants;
  struct reflected_constant *constants;
  guint n_capabilities; /* SpvCapability */
  guint32 *capabilities;
  gboolean was_tried; /* a helper process compiled it */

  gint ref_count;
};

/* Copies @words. @entry_point: NULL for "main". */
struct reflection *reflection_new (const gchar *name, const guint32 *words,
                                   gsize n_words, const gchar *entry_point,
                                   GError **error);

/* The same of a module that nobody validated: only in a process that may crash.
 */
struct reflection *reflection_new_unchecked (const gchar *name,
                                             const guint32 *words,
                                             gsize n_words,
                                             const gchar *entry_point,
                                             GError **error);
struct reflection *reflection_ref (struct reflection *reflection);

/* Accepts NULL. */
void reflection_unref (struct reflection *reflection);

/* FALSE, and @error in the shader's name. */
gboolean reflection_refuse (const struct reflection *reflection, GError **error,
                            const gchar *format, ...) G_GNUC_PRINTF (3, 4);

/* @kernel borrows from @reflection. Refuses what our pipelines cannot hold. */
gboolean reflection_fill_kernel (const struct reflection *reflection,
                                 struct vkc_kernel *kernel, GError **error);

/* What a binding goes by where names were stripped: "binding-3", or
 * "set-1-binding-3". g_free() it. */
gchar *reflected_number_name (guint set, guint binding);

/* "a storage image" ... */
const gchar *reflected_kind_name (VkDescriptorType type);

const struct reflected_member *
reflected_block_find (const struct reflected_block *block, const gchar *name);
