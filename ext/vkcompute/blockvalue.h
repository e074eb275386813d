/* Values into a block of push constants, by the members' types. */
#pragma once

#include "reflection.h"

/* Writes @n numbers to @member of the block at @data (@size bytes): elements
 * outermost, then columns, then rows; numbers that are missing are 0, those
 * that are too many are left out. FALSE if the member's type takes none. */
gboolean block_value_set (const struct reflected_member *member, guint8 *data,
                          gsize size, const gdouble *values, guint n);

/* How many numbers @member holds. */
guint block_value_count (const struct reflected_member *member);

/* One number as the 32 bits of its type; whole numbers are rounded, and clamped
 * to what the type holds. */
guint32 block_value_bits (enum reflected_type type, gdouble value);
