/* What each of a shader's bindings is: a part of the frame that comes in or
 * goes out, numbers, a sampler; and what frames both sides can take. Pure: no
 * device is asked. */
#pragma once

#include <gst/video/video.h>

#include "reflection.h"

enum frame_role
{
  FRAME_ROLE_SOURCE,   /* planes, or the bytes, of the frame that comes in */
  FRAME_ROLE_TARGET,   /* of the one that goes out */
  FRAME_ROLE_UNIFORMS, /* a block of numbers */
  FRAME_ROLE_SAMPLER,
  FRAME_ROLE_HISTORY,  /* the source of an earlier frame */
  FRAME_ROLE_PREVIOUS, /* what came out for the frame before */
  FRAME_ROLE_IMAGE,    /* between passes */
  FRAME_ROLE_BUFFER,   /* bytes that are kept from frame to frame */
};

#define FRAME_MAX_HISTORY 8

struct frame_binding
{
  const struct reflected_binding *declared;
  enum frame_role role;
  /* Images: the first plane, or the plane of that component (Y, U, V or R, G,
   * B, A) if that is not negative. An array takes the planes behind it too. */
  guint plane;
  gint component;
  gboolean is_explicit; /* the user said so: the frame may have more planes */
  /* HISTORY: how many frames back, from 1. IMAGE, BUFFER: its number among the
   * names, FRAME_UNNAMED for one that the shader alone knows. */
  guint index;
};

#define FRAME_UNNAMED G_MAXUINT

/* Images and buffers that bindings can be, by name. */
struct frame_names
{
  guint n_images, n_buffers;
  const gchar *const *images, *const *buffers;
};

struct frame_bindings
{
  guint n;
  struct frame_binding all[VKC_MAX_BINDINGS];
  gboolean in_place; /* the target is the source too, changed */
};

/* In bindingroles.c. @names may be NULL. @overrides: the user's "name=source",
 * "name=target.1", "name=source.u", "binding-3=source"; NULL: none. What it
 * does not name goes by what the shader does with it: images and buffers that
 * are only read are the source, in their order plane by plane; those that are
 * written the target. Variables that are called "previous", "history1", or as
 * one of @names are that. A storage buffer beside images that make the frame is
 * kept. Borrows from @reflection. Errors are GST_RESOURCE_ERROR_SETTINGS and
 * name the binding. */
gboolean frame_bindings_choose (struct frame_bindings *bindings,
                                const struct reflection *reflection,
                                const GstStructure *overrides,
                                const struct frame_names *names,
                                GError **error);

gboolean frame_bindings_have (const struct frame_bindings *bindings,
                              enum frame_role role);

/* Whether @role is bytes in a storage buffer, which can be any frame's. */
gboolean frame_bindings_want_buffer (const struct frame_bindings *bindings,
                                     enum frame_role role);

/* Whether frames of @info have the planes and texels that the shader declares
 * for @role. */
gboolean frame_bindings_accept (const struct frame_bindings *bindings,
                                enum frame_role role,
                                const GstVideoFormatInfo *info);

/* The plane of @info's frames where @binding starts. */
guint frame_binding_plane (const struct frame_binding *binding,
                           const GstVideoFormatInfo *info);

/* The format through which the shader sees plane @plane of an accepted frame.
 */
VkFormat frame_binding_view_format (const struct frame_binding *binding,
                                    const GstVideoFormatInfo *info,
                                    guint plane);

/* Whether it is texels, else bytes, numbers or a sampler. */
gboolean frame_binding_is_image (const struct reflected_binding *binding);

/* "binding `source` (an array of 3 r8 storage images)", for messages; of a role
 * with several bindings, all of them. g_free() it. */
gchar *frame_binding_describe (const struct reflected_binding *binding);
gchar *frame_bindings_describe (const struct frame_bindings *bindings,
                                enum frame_role role);
