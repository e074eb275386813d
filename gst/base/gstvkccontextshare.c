/* The search for the pipeline's context. */
#include "gstvkccontextshare.h"

#include "gstvkclog.h"

GstContext *
gst_vkc_context_wrap (GstVkcContext *self)
{
  GstContext *context;

  g_return_val_if_fail (GST_IS_VKC_CONTEXT (self), NULL);

  context = gst_context_new (GST_VKC_CONTEXT_TYPE, TRUE);
  gst_structure_set (gst_context_writable_structure (context), "context",
                     GST_TYPE_VKC_CONTEXT, self, NULL);
  return context;
}

GstVkcContext *
gst_vkc_context_from_wrapped (GstContext *context)
{
  GstVkcContext *self = NULL;

  if (context != NULL
      && gst_context_has_context_type (context, GST_VKC_CONTEXT_TYPE))
    gst_structure_get (gst_context_get_structure (context), "context",
                       GST_TYPE_VKC_CONTEXT, &self, NULL);
  return self;
}

static GstVkcContext *
peek_slot (GstElement *element, GstVkcContext **slot)
{
  GstVkcContext *self;

  GST_OBJECT_LOCK (element);
  self = *slot != NULL ? gst_object_ref (*slot) : NULL;
  GST_OBJECT_UNLOCK (element);
  return self;
}

static gboolean
slot_is_filled (GstElement *element, GstVkcContext **slot)
{
  gboolean filled;

  GST_OBJECT_LOCK (element);
  filled = *slot != NULL;
  GST_OBJECT_UNLOCK (element);
  return filled;
}

gboolean
gst_vkc_context_answer_query (GstElement *element, GstQuery *query,
                              GstVkcContext **slot)
{
  const gchar *type;
  g_autoptr (GstVkcContext) self = NULL;
  GstContext *context;

  if (!gst_query_parse_context_type (query, &type)
      || !g_str_equal (type, GST_VKC_CONTEXT_TYPE))
    return FALSE;
  self = peek_slot (element, slot);
  if (self == NULL)
    return FALSE;

  context = gst_vkc_context_wrap (self);
  gst_query_set_context (query, context);
  gst_context_unref (context);
  return TRUE;
}

static gboolean
query_pad (GstElement *element, GstPad *pad, gpointer query)
{
  /* Returns whether to go on. */
  return !gst_pad_peer_query (pad, query);
}

/* Asks downstream, then upstream. */
static void
ask_neighbours (GstElement *element)
{
  GstQuery *query = gst_query_new_context (GST_VKC_CONTEXT_TYPE);
  GstContext *context;

  if (!gst_element_foreach_src_pad (element, query_pad, query)
      || !gst_element_foreach_sink_pad (element, query_pad, query)) {
    gst_query_parse_context (query, &context);
    if (context != NULL)
      gst_element_set_context (element, context);
  }
  gst_query_unref (query);
}

static void
free_lock (gpointer lock)
{
  g_rec_mutex_clear (lock);
  g_free (lock);
}

/* One lock a pipeline, so that an application which answers one pipeline from
 * within its message handler does not stop another. It lives as long as the
 * topmost bin, which the caller holds. */
static GRecMutex *
pipeline_lock (GstObject *top)
{
  static GMutex guard;
  const GQuark quark = g_quark_from_static_string ("gst-vkc-context-lock");
  GRecMutex *lock;

  g_mutex_lock (&guard);
  lock = g_object_get_qdata (G_OBJECT (top), quark);
  if (lock == NULL) {
    lock = g_new (GRecMutex, 1);
    g_rec_mutex_init (lock);
    g_object_set_qdata_full (G_OBJECT (top), quark, lock, free_lock);
  }
  g_mutex_unlock (&guard);
  return lock;
}

static GstObject *
topmost (GstElement *element)
{
  GstObject *top = gst_object_ref (GST_OBJECT (element)), *parent;

  while ((parent = gst_object_get_parent (top)) != NULL) {
    gst_object_unref (top);
    top = parent;
  }
  return top;
}

static void
make_and_tell (GstElement *element)
{
  GstVkcContext *self = gst_vkc_context_new_for_pipeline ();
  GstContext *context = gst_vkc_context_wrap (self);

  GST_DEBUG_OBJECT (element, "makes context %" GST_PTR_FORMAT, self);
  gst_element_set_context (element, context);
  gst_element_post_message (
      element, gst_message_new_have_context (GST_OBJECT (element), context));
  gst_object_unref (self);
}

void
gst_vkc_context_ensure (GstElement *element, GstVkcContext **slot)
{
  GstObject *top;
  GRecMutex *lock;

  if (slot_is_filled (element, slot))
    return;

  top = topmost (element);
  lock = pipeline_lock (top);
  g_rec_mutex_lock (lock);
  if (!slot_is_filled (element, slot))
    ask_neighbours (element);
  if (!slot_is_filled (element, slot))
    gst_element_post_message (
        element, gst_message_new_need_context (GST_OBJECT (element),
                                               GST_VKC_CONTEXT_TYPE));
  if (!slot_is_filled (element, slot))
    make_and_tell (element);
  g_rec_mutex_unlock (lock);
  gst_object_unref (top);
}
