/* GstVkcCompute: the shader's parameters as properties of a child object. */
#include "gstvkccompute-private.h"
#include "parameters.h"

#define CHILD "parameters"

static gdouble
get_number (GstObject *owner, const struct parameter_slot *slot)
{
  GstVkcCompute *self = GST_VKC_COMPUTE (owner);
  gdouble number = slot->fallback;

  GST_OBJECT_LOCK (self);
  parameters_get_number (self->settings.parameters, slot->member, slot->index,
                         &number);
  GST_OBJECT_UNLOCK (self);
  return number;
}

static void
set_number (GstObject *owner, const struct parameter_slot *slot, gdouble number)
{
  GstVkcCompute *self = GST_VKC_COMPUTE (owner);
  gdouble before = slot->fallback;
  gboolean started, is_new;

  GST_OBJECT_LOCK (self);
  is_new = !parameters_get_number (self->settings.parameters, slot->member,
                                   slot->index, &before)
           || before != number;
  parameters_set_number (&self->settings.parameters, slot->member, slot->index,
                         slot->count, number);
  started = self->started;
  GST_OBJECT_UNLOCK (self);
  g_atomic_int_set (&self->values_changed, TRUE);
  /* The shader is compiled for its constants. */
  if (started && is_new && slot->is_constant)
    gst_vkc_filter_refresh (GST_VKC_FILTER (self));
}

static const struct parameters_access numbers = { get_number, set_number };

/* Before the element starts there may be a shader already: it is looked at
 * without a word, start() will say what is wrong with it. */
static struct compute_program *
find_program (GstVkcCompute *self)
{
  struct compute_program *program = gst_vkc_compute_get_program (self);
  struct compute_settings settings;

  if (program != NULL)
    return program;
  gst_vkc_compute_get_settings (self, &settings);
  if (settings.location != NULL || settings.shader != NULL
      || settings.passes != NULL)
    program = compute_program_new (&settings, NULL, NULL);
  compute_settings_clear (&settings);
  return program;
}

/* A reference; NULL where no shader is named. */
static GstObject *
get_child (GstVkcCompute *self)
{
  struct compute_program *program;
  GstObject *child = NULL;

  GST_OBJECT_LOCK (self);
  if (self->parameters != NULL)
    child = gst_object_ref (self->parameters);
  GST_OBJECT_UNLOCK (self);
  if (child != NULL)
    return child;
  program = find_program (self);
  if (program == NULL)
    return NULL;
  child = gst_vkc_compute_parameters_new (GST_OBJECT (self), program, &numbers);
  compute_program_unref (program);
  GST_OBJECT_LOCK (self);
  if (self->parameters == NULL)
    self->parameters = gst_object_ref (child);
  GST_OBJECT_UNLOCK (self);
  return child;
}

void
gst_vkc_compute_drop_child (GstVkcCompute *self)
{
  GstObject *child;

  GST_OBJECT_LOCK (self);
  child = g_steal_pointer (&self->parameters);
  GST_OBJECT_UNLOCK (self);
  if (child == NULL)
    return;
  gst_object_unparent (child);
  gst_object_unref (child);
}

void
gst_vkc_compute_renew_child (GstVkcCompute *self)
{
  struct compute_program *program = gst_vkc_compute_get_program (self);
  GstObject *old = NULL, *child;

  GST_OBJECT_LOCK (self);
  if (self->parameters != NULL)
    old = gst_object_ref (self->parameters);
  GST_OBJECT_UNLOCK (self);
  if (old != NULL && !gst_vkc_compute_parameters_serve (old, program)) {
    gst_vkc_compute_drop_child (self);
    gst_child_proxy_child_removed (GST_CHILD_PROXY (self), G_OBJECT (old),
                                   CHILD);
    gst_clear_object (&old);
  }
  /* gst-launch waits for it to set what its line says. */
  if (old == NULL && (child = get_child (self)) != NULL) {
    gst_child_proxy_child_added (GST_CHILD_PROXY (self), G_OBJECT (child),
                                 CHILD);
    gst_object_unref (child);
  }
  gst_clear_object (&old);
  compute_program_unref (program);
}

static GObject *
get_by_name (GstChildProxy *proxy, const gchar *name)
{
  return g_str_equal (name, CHILD)
             ? (GObject *)get_child (GST_VKC_COMPUTE (proxy))
             : NULL;
}

static GObject *
get_by_index (GstChildProxy *proxy, guint index)
{
  return index == 0 ? (GObject *)get_child (GST_VKC_COMPUTE (proxy)) : NULL;
}

static guint
get_count (GstChildProxy *proxy)
{
  GstObject *child = get_child (GST_VKC_COMPUTE (proxy));
  const guint count = child != NULL;

  gst_clear_object (&child);
  return count;
}

void
gst_vkc_compute_child_proxy_init (gpointer interface, gpointer data)
{
  GstChildProxyInterface *iface = interface;

  iface->get_child_by_name = get_by_name;
  iface->get_child_by_index = get_by_index;
  iface->get_children_count = get_count;
}
