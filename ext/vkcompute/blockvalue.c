/* Values into a block of push constants. */
#include "blockvalue.h"

#include <math.h>

guint
block_value_count (const struct reflected_member *member)
{
  return MAX (member->n_elements, 1) * member->columns * member->rows;
}

/* Where number @index of @member lies in the block. */
static gsize
place (const struct reflected_member *member, guint index)
{
  const guint row = index % member->rows;
  const guint column = index / member->rows % member->columns;
  const guint element = index / member->rows / member->columns;
  const gsize base = member->offset + (gsize)element * member->stride;

  if (member->columns == 1)
    return base + 4 * row;
  if (member->row_major)
    return base + (gsize)row * member->column_stride + 4 * column;
  return base + (gsize)column * member->column_stride + 4 * row;
}

guint32
block_value_bits (enum reflected_type type, gdouble value)
{
  const gfloat real = value;
  guint32 bits = 0;

  switch (type) {
  case REFLECTED_FLOAT:
    memcpy (&bits, &real, sizeof bits);
    return bits;
  case REFLECTED_INT:
    return (guint32)(gint32)CLAMP (rint (value), G_MININT32, G_MAXINT32);
  case REFLECTED_UINT:
    return (guint32)CLAMP (rint (value), 0, G_MAXUINT32);
  default:
    return value != 0;
  }
}

gboolean
block_value_set (const struct reflected_member *member, guint8 *data,
                 gsize size, const gdouble *values, guint n)
{
  const guint count = block_value_count (member);

  if (member->type == REFLECTED_OTHER)
    return FALSE;
  for (guint i = 0; i < count; i++) {
    const gsize at = place (member, i);
    const guint32 bits = block_value_bits (member->type, i < n ? values[i] : 0);

    if (at + sizeof bits <= size)
      memcpy (data + at, &bits, sizeof bits);
  }
  return TRUE;
}
