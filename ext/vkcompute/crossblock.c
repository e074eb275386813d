/* The layout of a block, as SPIRV-Cross tells it. */
#include "crossreflection.h"

/* Deeper nesting, or more values, than any parameter block has. */
#define MAX_DEPTH   8
#define MAX_MEMBERS 1024

enum reflected_type
cross_reflect_type (spvc_type type)
{
  if (spvc_type_get_basetype (type) == SPVC_BASETYPE_BOOLEAN)
    return REFLECTED_BOOL;
  if (spvc_type_get_bit_width (type) != 32)
    return REFLECTED_OTHER;
  switch (spvc_type_get_basetype (type)) {
  case SPVC_BASETYPE_FP32:
    return REFLECTED_FLOAT;
  case SPVC_BASETYPE_INT32:
    return REFLECTED_INT;
  case SPVC_BASETYPE_UINT32:
    return REFLECTED_UINT;
  default:
    return REFLECTED_OTHER;
  }
}

/* The array's shape: the dimensions are counted from the innermost. One
 * dimension of known size is all that values are given for. */
static void
read_array (spvc_compiler compiler, spvc_type parent, guint index,
            spvc_type type, struct reflected_member *member)
{
  unsigned stride = 0;

  if (spvc_type_get_num_array_dimensions (type) != 1
      || !spvc_type_array_dimension_is_literal (type, 0)) {
    member->type = REFLECTED_OTHER;
    return;
  }
  member->n_elements = spvc_type_get_array_dimension (type, 0);
  spvc_compiler_type_struct_member_array_stride (compiler, parent, index,
                                                 &stride);
  member->stride = stride;
}

static void
read_matrix (spvc_compiler compiler, spvc_type parent, spvc_type_id parent_id,
             guint index, struct reflected_member *member)
{
  unsigned stride = 0;

  spvc_compiler_type_struct_member_matrix_stride (compiler, parent, index,
                                                  &stride);
  member->column_stride = stride;
  member->row_major = spvc_compiler_has_member_decoration (
      compiler, parent_id, index, SpvDecorationRowMajor);
}

static gboolean read_members (spvc_compiler compiler, spvc_type_id type_id,
                              const gchar *prefix, const gchar *unnamed,
                              guint base, guint depth, GArray *members);

/* @prefix: the names of what it is in; @unnamed: what stands before those that
 * were stripped. */
static gchar *
member_name (const char *name, guint index, const gchar *prefix,
             const gchar *unnamed)
{
  return name != NULL && *name != '\0'
             ? g_strconcat (prefix, name, NULL)
             : g_strdup_printf ("%smember-%u",
                                *prefix != '\0' ? prefix : unnamed, index);
}

static gboolean
read_member (spvc_compiler compiler, spvc_type parent, spvc_type_id parent_id,
             guint index, const gchar *prefix, const gchar *unnamed, guint base,
             guint depth, GArray *members)
{
  const spvc_type_id id = spvc_type_get_member_type (parent, index);
  const spvc_type type = spvc_compiler_get_type_handle (compiler, id);
  const char *name = spvc_compiler_get_member_name (compiler, parent_id, index);
  g_autofree gchar *full = member_name (name, index, prefix, unnamed);
  struct reflected_member member = { 0 };
  unsigned offset = 0;

  if (type == NULL || members->len >= MAX_MEMBERS
      || spvc_compiler_type_struct_member_offset (compiler, parent, index,
                                                  &offset)
             != SPVC_SUCCESS)
    return FALSE;
  offset += base;
  if (spvc_type_get_basetype (type) == SPVC_BASETYPE_STRUCT
      && spvc_type_get_num_array_dimensions (type) == 0) {
    g_autofree gchar *inner = g_strconcat (full, ".", NULL);

    return read_members (compiler, spvc_type_get_base_type_id (type), inner,
                         unnamed, offset, depth + 1, members);
  }
  member.name = g_steal_pointer (&full);
  member.offset = offset;
  member.type = cross_reflect_type (type);
  member.rows = spvc_type_get_vector_size (type);
  member.columns = spvc_type_get_columns (type);
  if (spvc_type_get_num_array_dimensions (type) > 0)
    read_array (compiler, parent, index, type, &member);
  if (member.columns > 1)
    read_matrix (compiler, parent, parent_id, index, &member);
  g_array_append_val (members, member);
  return TRUE;
}

static gboolean
read_members (spvc_compiler compiler, spvc_type_id type_id, const gchar *prefix,
              const gchar *unnamed, guint base, guint depth, GArray *members)
{
  const spvc_type type = spvc_compiler_get_type_handle (compiler, type_id);

  if (type == NULL || depth > MAX_DEPTH)
    return FALSE;
  for (guint i = 0; i < spvc_type_get_num_member_types (type); i++)
    if (!read_member (compiler, type, type_id, i, prefix, unnamed, base, depth,
                      members))
      return FALSE;
  return TRUE;
}

/* Whether the last member is an array of any length. */
static gboolean
is_open (spvc_compiler compiler, spvc_type type)
{
  const guint n = spvc_type_get_num_member_types (type);
  spvc_type last = n > 0 ? spvc_compiler_get_type_handle (
                       compiler, spvc_type_get_member_type (type, n - 1))
                         : NULL;
  const guint dimensions
      = last != NULL ? spvc_type_get_num_array_dimensions (last) : 0;

  return dimensions > 0
         && spvc_type_array_dimension_is_literal (last, dimensions - 1)
         && spvc_type_get_array_dimension (last, dimensions - 1) == 0;
}

gboolean
cross_reflect_block (spvc_compiler compiler, spvc_type_id type_id,
                     const gchar *prefix, struct reflected_block *block)
{
  const spvc_type type = spvc_compiler_get_type_handle (compiler, type_id);
  GArray *members = g_array_new (FALSE, TRUE, sizeof (struct reflected_member));
  size_t size = 0;
  gboolean ok
      = type != NULL
        && spvc_compiler_get_declared_struct_size (compiler, type, &size)
               == SPVC_SUCCESS
        && read_members (compiler, type_id, "", prefix, 0, 0, members);

  block->size = size;
  block->is_open = ok && is_open (compiler, type);
  block->n_members = members->len;
  block->members
      = (struct reflected_member *)(gpointer)g_array_free (members, FALSE);
  return ok;
}
