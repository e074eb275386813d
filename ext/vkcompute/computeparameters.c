/* The parameters of a vkcompute's shader as the properties of a child object.
 */
#include "computeparameters.h"

#include "blockvalue.h"
#include "framevalues.h"

/* More numbers than these of one member are set by `parameters` only. */
#define MAX_NUMBERS 16

typedef struct
{
  const struct parameters_access *access;
} GstVkcComputeParametersPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (GstVkcComputeParameters,
                                     gst_vkc_compute_parameters,
                                     GST_TYPE_OBJECT)

static gboolean
is_taken (const GArray *slots, const gchar *property)
{
  for (guint i = 0; i < slots->len; i++)
    if (g_str_equal (g_array_index (slots, struct parameter_slot, i).property,
                     property))
      return TRUE;
  /* GstObject's own. */
  return g_str_equal (property, "name") || g_str_equal (property, "parent");
}

/* "tint-x" for vectors, "curve-3" for all else that has several numbers. */
static gchar *
property_name (const gchar *member, guint index, guint count,
               gboolean is_vector)
{
  gchar *base = g_strdelimit (g_strdup (member), "._", '-');
  gchar *full = base;

  if (count > 1 && is_vector)
    full = g_strdup_printf ("%s-%c", base, "xyzw"[index]);
  else if (count > 1)
    full = g_strdup_printf ("%s-%u", base, index);
  if (full != base)
    g_free (base);
  return full;
}

static void
add_slots (GArray *slots, const struct parameter_slot *one, gboolean is_vector)
{
  for (guint i = 0; i < one->count && one->count <= MAX_NUMBERS; i++) {
    struct parameter_slot slot = *one;

    slot.index = i;
    slot.property = property_name (one->member, i, one->count, is_vector);
    if (!g_param_spec_is_valid_name (slot.property)
        || is_taken (slots, slot.property)) {
      g_free (slot.property);
      continue;
    }
    slot.member = g_strdup (one->member);
    g_array_append_val (slots, slot);
  }
}

static void
add_block (GArray *slots, const struct reflected_block *block)
{
  for (guint i = 0; i < block->n_members; i++) {
    const struct reflected_member *member = &block->members[i];

    if (member->type == REFLECTED_OTHER || *member->name == '\0'
        || frame_values_know (member))
      continue;
    add_slots (slots,
               &(struct parameter_slot){ .member = member->name,
                                         .count = block_value_count (member),
                                         .type = member->type },
               member->columns == 1 && member->n_elements == 0
                   && member->rows <= 4);
  }
}

static gdouble
default_of (const struct reflected_constant *constant)
{
  gfloat real;

  switch (constant->type) {
  case REFLECTED_FLOAT:
    memcpy (&real, &constant->value, sizeof real);
    return real;
  case REFLECTED_INT:
    return (gint32)constant->value;
  default:
    return constant->value;
  }
}

static void
add_constants (GArray *slots, const struct reflection *reflection)
{
  for (guint i = 0; i < reflection->n_constants; i++) {
    const struct reflected_constant *constant = &reflection->constants[i];

    if (constant->type == REFLECTED_OTHER || *constant->name == '\0')
      continue;
    add_slots (slots,
               &(struct parameter_slot){ .member = constant->name,
                                         .count = 1,
                                         .type = constant->type,
                                         .fallback = default_of (constant),
                                         .is_constant = TRUE },
               FALSE);
  }
}

static void
clear_slot (gpointer data)
{
  struct parameter_slot *slot = data;

  g_free (slot->property);
  g_free (slot->member);
}

static GArray *
collect_slots (const struct compute_program *program)
{
  GArray *slots = g_array_new (FALSE, FALSE, sizeof (struct parameter_slot));

  g_array_set_clear_func (slots, clear_slot);
  for (guint i = 0; i < program->n_passes; i++) {
    const struct reflection *reflection = program->passes[i].kernel->reflection;

    add_block (slots, &reflection->push_constants);
    for (guint k = 0; k < reflection->n_bindings; k++)
      if (reflection->bindings[k].type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER)
        add_block (slots, &reflection->bindings[k].block);
    add_constants (slots, reflection);
  }
  return slots;
}

/* What tells one set of numbers from another. */
static gchar *
type_name (const GArray *slots)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree gchar *sum = NULL;

  for (guint i = 0; i < slots->len; i++) {
    const struct parameter_slot *slot
        = &g_array_index (slots, struct parameter_slot, i);

    g_string_append_printf (text, "%s %s %u %u %d %g;", slot->property,
                            slot->member, slot->index, slot->count, slot->type,
                            slot->fallback);
  }
  sum = g_compute_checksum_for_string (G_CHECKSUM_SHA1, text->str, text->len);
  return g_strdup_printf ("GstVkcComputeParameters-%s", sum);
}

static GParamSpec *
new_pspec (const struct parameter_slot *slot)
{
  const GParamFlags flags
      = G_PARAM_READWRITE | GST_PARAM_CONTROLLABLE | GST_PARAM_MUTABLE_PLAYING;
  const gchar *name = slot->property;
  g_autofree gchar *blurb
      = g_strdup_printf ("Number %u of %u of `%s` in the shader",
                         slot->index + 1, slot->count, slot->member);

  switch (slot->type) {
  case REFLECTED_FLOAT:
    return g_param_spec_double (name, name, blurb, -G_MAXFLOAT, G_MAXFLOAT,
                                slot->fallback, flags);
  case REFLECTED_INT:
    return g_param_spec_int (name, name, blurb, G_MININT32, G_MAXINT32,
                             slot->fallback, flags);
  case REFLECTED_UINT:
    return g_param_spec_uint (name, name, blurb, 0, G_MAXUINT32, slot->fallback,
                              flags);
  default:
    return g_param_spec_boolean (name, name, blurb, slot->fallback != 0, flags);
  }
}

static gdouble
number_of (const GValue *value)
{
  if (G_VALUE_HOLDS_DOUBLE (value))
    return g_value_get_double (value);
  if (G_VALUE_HOLDS_INT (value))
    return g_value_get_int (value);
  if (G_VALUE_HOLDS_UINT (value))
    return g_value_get_uint (value);
  return g_value_get_boolean (value);
}

static void
set_number (GValue *value, gdouble number)
{
  if (G_VALUE_HOLDS_DOUBLE (value))
    g_value_set_double (value, number);
  else if (G_VALUE_HOLDS_INT (value))
    g_value_set_int (value, CLAMP (number, G_MININT32, G_MAXINT32));
  else if (G_VALUE_HOLDS_UINT (value))
    g_value_set_uint (value, CLAMP (number, 0, G_MAXUINT32));
  else
    g_value_set_boolean (value, number != 0);
}

/* The slot of property @id, and who has the number; NULL once that is gone. */
static GstObject *
find_owner (GObject *object, guint id, const struct parameter_slot **slot,
            const struct parameters_access **access)
{
  GstVkcComputeParameters *self = GST_VKC_COMPUTE_PARAMETERS (object);
  const GstVkcComputeParametersPrivate *priv
      = gst_vkc_compute_parameters_get_instance_private (self);

  *slot = &g_array_index (GST_VKC_COMPUTE_PARAMETERS_GET_CLASS (self)->slots,
                          struct parameter_slot, id - 1);
  *access = priv->access;
  return gst_object_get_parent (GST_OBJECT (object));
}

static void
parameters_set_property (GObject *object, guint id, const GValue *value,
                         GParamSpec *pspec)
{
  const struct parameter_slot *slot;
  const struct parameters_access *access;
  GstObject *owner = find_owner (object, id, &slot, &access);

  if (owner != NULL)
    access->set (owner, slot, number_of (value));
  gst_clear_object (&owner);
}

static void
parameters_get_property (GObject *object, guint id, GValue *value,
                         GParamSpec *pspec)
{
  const struct parameter_slot *slot;
  const struct parameters_access *access;
  GstObject *owner = find_owner (object, id, &slot, &access);

  set_number (value, owner != NULL ? access->get (owner, slot) : 0);
  gst_clear_object (&owner);
}

static void
class_init (gpointer class, gpointer data)
{
  GstVkcComputeParametersClass *klass = class;
  GArray *slots = data;

  klass->slots = slots;
  G_OBJECT_CLASS (klass)->set_property = parameters_set_property;
  G_OBJECT_CLASS (klass)->get_property = parameters_get_property;
  for (guint i = 0; i < slots->len; i++)
    g_object_class_install_property (
        G_OBJECT_CLASS (klass), i + 1,
        new_pspec (&g_array_index (slots, struct parameter_slot, i)));
}

/* Takes @slots. */
static GType
get_type_for (GArray *slots)
{
  static GMutex lock;
  g_autofree gchar *name = type_name (slots);
  GTypeInfo info = {
    .class_size = sizeof (GstVkcComputeParametersClass),
    .class_init = class_init,
    .class_data = slots,
    .instance_size = sizeof (GstVkcComputeParameters),
  };
  GType type;

  g_mutex_lock (&lock);
  type = g_type_from_name (name);
  if (type != 0)
    g_array_unref (slots);
  else
    type = g_type_register_static (GST_TYPE_VKC_COMPUTE_PARAMETERS, name, &info,
                                   0);
  g_mutex_unlock (&lock);
  return type;
}

GstObject *
gst_vkc_compute_parameters_new (GstObject *owner,
                                const struct compute_program *program,
                                const struct parameters_access *access)
{
  GstObject *self = g_object_new (get_type_for (collect_slots (program)),
                                  "name", "parameters", NULL);
  GstVkcComputeParametersPrivate *priv
      = gst_vkc_compute_parameters_get_instance_private (
          GST_VKC_COMPUTE_PARAMETERS (self));

  priv->access = access;
  gst_object_ref_sink (self);
  gst_object_set_parent (self, owner);
  return self;
}

gboolean
gst_vkc_compute_parameters_serve (GstObject *self,
                                  const struct compute_program *program)
{
  return G_OBJECT_TYPE (self) == get_type_for (collect_slots (program));
}

static void
gst_vkc_compute_parameters_class_init (GstVkcComputeParametersClass *klass)
{
}

static void
gst_vkc_compute_parameters_init (GstVkcComputeParameters *self)
{
}
