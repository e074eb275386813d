/* The user's values by name: members of blocks and specialization constants. */
#pragma once

#include "reflection.h"

/* What @parameters (NULL: nothing) gives must be there, and fit: an unknown
 * name, numbers that are too many or none at all are refused by name. */
gboolean parameters_check (const GstStructure *parameters,
                           const struct reflection *reflection, GError **error);

/* Writes those members of @block that @parameters names to @data. */
void parameters_write_block (const GstStructure *parameters,
                             const struct reflected_block *block, guint8 *data);

/* Number @index of @name; FALSE where it is not given. */
gboolean parameters_get_number (const GstStructure *parameters,
                                const gchar *name, guint index,
                                gdouble *number);

/* Sets it, one of @count, and leaves the other numbers as they are: 0 where
 * they were not given. *@parameters may be NULL. */
void parameters_set_number (GstStructure **parameters, const gchar *name,
                            guint index, guint count, gdouble number);

gboolean parameters_have (const GstStructure *parameters, const gchar *name);

#define PARAMETERS_MAX_CONSTANTS 64

/* Specialization constants that @parameters sets. */
struct parameters_constants
{
  guint n;
  guint32 ids[PARAMETERS_MAX_CONSTANTS];
  guint32 values[PARAMETERS_MAX_CONSTANTS];
};
void parameters_get_constants (const GstStructure *parameters,
                               const struct reflection *reflection,
                               struct parameters_constants *constants);

/* The workgroup's size with these constants. */
void parameters_get_local_size (const struct parameters_constants *constants,
                                const struct reflection *reflection,
                                guint local_size[3]);
