/* The user's values by name. */
#include "parameters.h"

#include <math.h>

#include "blockvalue.h"

/* More than any block holds. */
#define MAX_NUMBERS 4096

static gboolean
get_number (const GValue *value, gdouble *number)
{
  GValue real = G_VALUE_INIT;
  gboolean ok;

  if (G_VALUE_HOLDS_BOOLEAN (value)) {
    *number = g_value_get_boolean (value);
    return TRUE;
  }
  if (GST_VALUE_HOLDS_FRACTION (value)) {
    gst_util_fraction_to_double (gst_value_get_fraction_numerator (value),
                                 gst_value_get_fraction_denominator (value),
                                 number);
    return TRUE;
  }
  if (G_VALUE_HOLDS_STRING (value))
    return FALSE;
  g_value_init (&real, G_TYPE_DOUBLE);
  ok = g_value_transform (value, &real);
  *number = g_value_get_double (&real);
  g_value_unset (&real);
  return ok;
}

/* All numbers in @value, arrays of arrays too, in order. FALSE if there is
 * something else. */
static gboolean
flatten (const GValue *value, GArray *numbers)
{
  const gboolean is_array = GST_VALUE_HOLDS_ARRAY (value);
  const gboolean is_list = GST_VALUE_HOLDS_LIST (value);
  guint n;
  gdouble number;

  if (!is_array && !is_list) {
    if (numbers->len >= MAX_NUMBERS || !get_number (value, &number))
      return FALSE;
    g_array_append_val (numbers, number);
    return TRUE;
  }
  n = is_array ? gst_value_array_get_size (value)
               : gst_value_list_get_size (value);
  for (guint i = 0; i < n; i++)
    if (!flatten (is_array ? gst_value_array_get_value (value, i)
                           : gst_value_list_get_value (value, i),
                  numbers))
      return FALSE;
  return TRUE;
}

static const struct reflected_constant *
find_constant (const struct reflection *reflection, const gchar *name)
{
  for (guint i = 0; i < reflection->n_constants; i++)
    if (g_str_equal (reflection->constants[i].name, name))
      return &reflection->constants[i];
  return NULL;
}

/* What @name is, and how many numbers it takes; 0: there is no such thing. */
static guint
room_for (const struct reflection *reflection, const gchar *name,
          enum reflected_type *type)
{
  const struct reflected_constant *constant = find_constant (reflection, name);
  const struct reflected_member *member
      = reflected_block_find (&reflection->push_constants, name);

  for (guint i = 0; member == NULL && i < reflection->n_bindings; i++)
    if (reflection->bindings[i].type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER)
      member = reflected_block_find (&reflection->bindings[i].block, name);
  *type = member != NULL     ? member->type
          : constant != NULL ? constant->type
                             : REFLECTED_OTHER;
  if (*type == REFLECTED_OTHER)
    return 0;
  return member != NULL ? block_value_count (member) : 1;
}

struct check
{
  const struct reflection *reflection;
  GError **error;
};

static gboolean refuse (const struct check *check, const gchar *name,
                        const gchar *format, ...) G_GNUC_PRINTF (3, 4);

static gboolean
refuse (const struct check *check, const gchar *name, const gchar *format, ...)
{
  g_autofree gchar *words = NULL;
  va_list arguments;

  va_start (arguments, format);
  words = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (check->error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
               "parameter `%s`%s", name, words);
  return FALSE;
}

/* What has no bits of that type. */
static gboolean
check_range (const struct check *check, const gchar *name,
             enum reflected_type type, GArray *numbers)
{
  const gdouble least = type == REFLECTED_INT ? G_MININT32 : 0;
  const gdouble most = type == REFLECTED_INT ? G_MAXINT32 : G_MAXUINT32;

  if (type != REFLECTED_INT && type != REFLECTED_UINT)
    return TRUE;
  for (guint i = 0; i < numbers->len; i++) {
    const gdouble number = g_array_index (numbers, gdouble, i);

    if (number != rint (number) || number < least || number > most)
      return refuse (check, name, ": %g; %s declares %s", number,
                     check->reflection->name,
                     type == REFLECTED_INT ? "an int" : "an uint");
  }
  return TRUE;
}

static void
add_names (GString *list, const struct reflected_block *block)
{
  for (guint i = 0; i < block->n_members; i++)
    g_string_append_printf (list, "%s`%s`", list->len > 0 ? ", " : "",
                            block->members[i].name);
}

static gboolean
refuse_unknown (const struct check *check, const gchar *name)
{
  const struct reflection *reflection = check->reflection;
  g_autoptr (GString) list = g_string_new (NULL);

  add_names (list, &reflection->push_constants);
  for (guint i = 0; i < reflection->n_bindings; i++)
    if (reflection->bindings[i].type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER)
      add_names (list, &reflection->bindings[i].block);
  for (guint i = 0; i < reflection->n_constants; i++)
    g_string_append_printf (list, "%s`%s`", list->len > 0 ? ", " : "",
                            reflection->constants[i].name);
  return refuse (check, name, ": %s declares no number of that name; it has %s",
                 reflection->name, list->len > 0 ? list->str : "none");
}

static gboolean
check_field (GQuark field, const GValue *value, gpointer data)
{
  const struct check *check = data;
  const gchar *name = g_quark_to_string (field);
  enum reflected_type type;
  const guint room = room_for (check->reflection, name, &type);
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (gdouble));

  if (room == 0)
    return refuse_unknown (check, name);
  if (!flatten (value, numbers) || numbers->len == 0)
    return refuse (check, name, " is no number and no array of numbers");
  if (numbers->len > room)
    return refuse (check, name, ": %u numbers; %s declares %u", numbers->len,
                   check->reflection->name, room);
  return check_range (check, name, type, numbers);
}

gboolean
parameters_check (const GstStructure *parameters,
                  const struct reflection *reflection, GError **error)
{
  struct check check = { .reflection = reflection, .error = error };

  return parameters == NULL
         || gst_structure_foreach (parameters, check_field, &check);
}

gboolean
parameters_have (const GstStructure *parameters, const gchar *name)
{
  return parameters != NULL && *name != '\0'
         && gst_structure_has_field (parameters, name);
}

/* The numbers of @name; NULL if it is not given. */
static GArray *
get_numbers (const GstStructure *parameters, const gchar *name)
{
  GArray *numbers;

  if (!parameters_have (parameters, name))
    return NULL;
  numbers = g_array_new (FALSE, FALSE, sizeof (gdouble));
  if (flatten (gst_structure_get_value (parameters, name), numbers))
    return numbers;
  g_array_unref (numbers);
  return NULL;
}

gboolean
parameters_get_number (const GstStructure *parameters, const gchar *name,
                       guint index, gdouble *number)
{
  GArray *numbers = get_numbers (parameters, name);
  const gboolean found = numbers != NULL && index < numbers->len;

  if (found)
    *number = g_array_index (numbers, gdouble, index);
  g_clear_pointer (&numbers, g_array_unref);
  return found;
}

static void
append_number (GValue *array, gdouble number)
{
  GValue value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_DOUBLE);
  g_value_set_double (&value, number);
  gst_value_array_append_and_take_value (array, &value);
}

void
parameters_set_number (GstStructure **parameters, const gchar *name,
                       guint index, guint count, gdouble number)
{
  GValue array = G_VALUE_INIT;

  if (*parameters == NULL)
    *parameters = gst_structure_new_empty ("parameters");
  if (count == 1) {
    gst_structure_set (*parameters, name, G_TYPE_DOUBLE, number, NULL);
    return;
  }
  g_value_init (&array, GST_TYPE_ARRAY);
  for (guint i = 0; i < count; i++) {
    gdouble before = 0;

    parameters_get_number (*parameters, name, i, &before);
    append_number (&array, i == index ? number : before);
  }
  gst_structure_take_value (*parameters, name, &array);
}

void
parameters_write_block (const GstStructure *parameters,
                        const struct reflected_block *block, guint8 *data)
{
  for (guint i = 0; i < block->n_members; i++) {
    GArray *numbers = get_numbers (parameters, block->members[i].name);

    if (numbers == NULL)
      continue;
    block_value_set (&block->members[i], data, block->size,
                     (const gdouble *)(gpointer)numbers->data, numbers->len);
    g_array_unref (numbers);
  }
}

void
parameters_get_constants (const GstStructure *parameters,
                          const struct reflection *reflection,
                          struct parameters_constants *constants)
{
  *constants = (struct parameters_constants){ 0 };
  for (guint i = 0; i < reflection->n_constants; i++) {
    const struct reflected_constant *constant = &reflection->constants[i];
    GArray *numbers = get_numbers (parameters, constant->name);

    if (numbers == NULL)
      continue;
    if (numbers->len > 0 && constants->n < PARAMETERS_MAX_CONSTANTS) {
      constants->ids[constants->n] = constant->id;
      constants->values[constants->n++] = block_value_bits (
          constant->type, g_array_index (numbers, gdouble, 0));
    }
    g_array_unref (numbers);
  }
}

void
parameters_get_local_size (const struct parameters_constants *constants,
                           const struct reflection *reflection,
                           guint local_size[3])
{
  for (guint i = 0; i < 3; i++) {
    local_size[i] = reflection->local_size[i];
    for (guint k = 0; k < constants->n; k++)
      if (constants->ids[k] == reflection->local_size_id[i])
        local_size[i] = constants->values[k];
  }
}
