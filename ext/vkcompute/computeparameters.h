/* The parameters of a vkcompute's shader as the properties of a child object:
 * "vkcompute0::parameters::gain", for gst_child_proxy_set() and GstController.
 */
#pragma once

#include "computeprogram.h"

G_BEGIN_DECLS

/* One number of the shader. */
struct parameter_slot
{
  gchar *property;    /* "gain", "tint-x", "curve-3", "outer-inner" */
  gchar *member;      /* the shader's name */
  guint index, count; /* of the member's numbers */
  enum reflected_type type;
  gdouble fallback; /* while nothing sets it */
  gboolean is_constant;
};

#define GST_TYPE_VKC_COMPUTE_PARAMETERS (gst_vkc_compute_parameters_get_type ())
G_DECLARE_DERIVABLE_TYPE (GstVkcComputeParameters, gst_vkc_compute_parameters,
                          GST, VKC_COMPUTE_PARAMETERS, GstObject)

struct _GstVkcComputeParametersClass
{
  GstObjectClass parent_class;
  const GArray *slots; /* struct parameter_slot; the type's, for ever */
};

/* Whoever owns the numbers; called on any thread. */
struct parameters_access
{
  gdouble (*get) (GstObject *owner, const struct parameter_slot *slot);
  void (*set) (GstObject *owner, const struct parameter_slot *slot,
               gdouble value);
};

/* A child of @owner for the numbers that @program declares and that are not
 * filled by themselves. Programs with the same ones share a type. Transfer
 * full. */
GstObject *
gst_vkc_compute_parameters_new (GstObject *owner,
                                const struct compute_program *program,
                                const struct parameters_access *access);

/* Whether @self serves @program as well. */
gboolean
gst_vkc_compute_parameters_serve (GstObject *self,
                                  const struct compute_program *program);

G_END_DECLS
