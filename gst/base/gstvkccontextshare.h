/* How elements find the context of their pipeline. */
#pragma once

#include "gstvkccontext.h"

G_BEGIN_DECLS

/* A context that keeps devices only while they are open. Transfer full. */
GstVkcContext *gst_vkc_context_new_for_pipeline (void);

/* True once a context has more than one device open and nobody was told. */
gboolean gst_vkc_context_take_second_device (GstVkcContext *self);

/* The context in @context if that is one of ours, else NULL. Transfer full. */
GstVkcContext *gst_vkc_context_from_wrapped (GstContext *context);

/* Makes sure that *@slot, which @element's set_context() sets under its object
 * lock, has a context: asks the neighbours, then the bins and the application,
 * and if nobody has one makes it and tells them. Elements of one pipeline that
 * start at the same time get the same one. */
void gst_vkc_context_ensure (GstElement *element, GstVkcContext **slot);

/* Answers a GST_QUERY_CONTEXT for our type out of *@slot. */
gboolean gst_vkc_context_answer_query (GstElement *element, GstQuery *query,
                                       GstVkcContext **slot);

G_END_DECLS
