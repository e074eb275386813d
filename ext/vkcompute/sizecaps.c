/* Sizes in caps. */
#include "sizecaps.h"

#define PAR "pixel-aspect-ratio"

void
size_shape_from_structure (struct size_shape *shape,
                           const GstStructure *structure, gboolean turned)
{
  struct size_shape s = { .par_n = 1, .par_d = 1 };

  gst_structure_get_int (structure, "width", &s.width);
  gst_structure_get_int (structure, "height", &s.height);
  gst_structure_get_fraction (structure, PAR, &s.par_n, &s.par_d);
  *shape = s;
  if (turned)
    *shape = (struct size_shape){ s.height, s.width, s.par_d, s.par_n };
}

gdouble
size_shape_aspect (const struct size_shape *shape)
{
  return (gdouble)shape->width * shape->par_n
         / ((gdouble)shape->height * shape->par_d);
}

/* Display aspect ratio, as a fraction. */
struct ratio
{
  gint n, d;
};

static struct ratio
display_ratio (const struct size_shape *from)
{
  struct ratio r = { 1, 1 };

  gst_util_fraction_multiply (from->width, from->height, from->par_n,
                              from->par_d, &r.n, &r.d);
  return r;
}

static gboolean
is_fixed (const GstStructure *structure, const gchar *field)
{
  const GValue *value = gst_structure_get_value (structure, field);

  return value != NULL && gst_value_is_fixed (value);
}

static gint
get_int (const GstStructure *structure, const gchar *field)
{
  gint value = 1;

  gst_structure_get_int (structure, field, &value);
  return value;
}

/* The possible value of @field that is nearest to @wanted; it is set. */
static gint
take_int (GstStructure *structure, const gchar *field, gint wanted)
{
  gst_structure_fixate_field_nearest_int (structure, field, wanted);
  return get_int (structure, field);
}

/* The same for the ratio of pixels with which @width x @height is @dar. TRUE if
 * that is possible. */
static gboolean
take_par (GstStructure *structure, const struct ratio *dar, gint width,
          gint height, struct ratio *par)
{
  struct ratio wanted = { 1, 1 };

  *par = wanted;
  if (!gst_util_fraction_multiply (dar->n, dar->d, height, width, &wanted.n,
                                   &wanted.d))
    return FALSE;
  gst_structure_fixate_field_nearest_fraction (structure, PAR, wanted.n,
                                               wanted.d);
  gst_structure_get_fraction (structure, PAR, &par->n, &par->d);
  return gst_util_fraction_compare (par->n, par->d, wanted.n, wanted.d) == 0;
}

/* The width that is @dar at @height, and the other way round. */
static gint
width_for (const struct ratio *dar, const struct ratio *par, gint height)
{
  struct ratio r = { 1, 1 };

  gst_util_fraction_multiply (dar->n, dar->d, par->d, par->n, &r.n, &r.d);
  return MAX (gst_util_uint64_scale_int_round (height, r.n, r.d), 1);
}

static gint
height_for (const struct ratio *dar, const struct ratio *par, gint width)
{
  struct ratio r = { 1, 1 };

  gst_util_fraction_multiply (dar->n, dar->d, par->d, par->n, &r.n, &r.d);
  return MAX (gst_util_uint64_scale_int_round (width, r.d, r.n), 1);
}

/* Takes @found for the result. */
static void
accept (GstStructure *out, GstStructure *found)
{
  static const gchar *const fields[] = { "width", "height", PAR };

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++) {
    const GValue *value = gst_structure_get_value (found, fields[i]);

    if (value != NULL)
      gst_structure_set_value (out, fields[i], value);
  }
  gst_structure_free (found);
}

/* @fixed is the side that is given, @free_side the one that is chosen: the
 * source's @size if pixels can make up for it, else what fits best. */
static void
fixate_one_side (GstStructure *out, const struct ratio *dar,
                 gboolean width_is_free, gint size)
{
  const gchar *free_side = width_is_free ? "width" : "height";
  const gint given = get_int (out, width_is_free ? "height" : "width");
  GstStructure *found = gst_structure_copy (out);
  struct ratio par = { 1, 1 };
  gint wanted;

  if (is_fixed (out, PAR)) {
    gst_structure_get_fraction (out, PAR, &par.n, &par.d);
  } else {
    const gint kept = take_int (found, free_side, size);

    if (take_par (found, dar, width_is_free ? kept : given,
                  width_is_free ? given : kept, &par)) {
      accept (out, found);
      return;
    }
  }
  gst_structure_free (found);
  wanted = width_is_free ? width_for (dar, &par, given)
                         : height_for (dar, &par, given);
  take_int (out, free_side, wanted);
  if (!is_fixed (out, PAR))
    gst_structure_fixate_field_nearest_fraction (out, PAR, par.n, par.d);
}

/* Sizes for pixels of @par: that with the source's height, or its width. */
static gboolean
fixate_for_par (GstStructure *out, const struct ratio *dar,
                const struct ratio *par, const struct size_shape *from)
{
  GstStructure *found = gst_structure_copy (out);
  gint kept, wanted;

  kept = take_int (found, "height", from->height);
  wanted = width_for (dar, par, kept);
  if (take_int (found, "width", wanted) == wanted) {
    accept (out, found);
    return TRUE;
  }
  gst_structure_free (found);
  found = gst_structure_copy (out);
  kept = take_int (found, "width", from->width);
  wanted = height_for (dar, par, kept);
  if (take_int (found, "height", wanted) == wanted) {
    accept (out, found);
    return TRUE;
  }
  gst_structure_free (found);
  return FALSE;
}

/* Nothing keeps the aspect ratio: the source's height, and what fits best. */
static void
fixate_nearest (GstStructure *out, const struct ratio *dar,
                const struct ratio *par, const struct size_shape *from)
{
  const gint height = take_int (out, "height", from->height);

  take_int (out, "width", width_for (dar, par, height));
}

static void
fixate_all (GstStructure *out, const struct ratio *dar,
            const struct size_shape *from)
{
  GstStructure *found = gst_structure_copy (out);
  struct ratio par = { 1, 1 };
  const gint height = take_int (found, "height", from->height);
  const gint width = take_int (found, "width", from->width);

  if (take_par (found, dar, width, height, &par)) {
    accept (out, found);
    return;
  }
  gst_structure_free (found);
  gst_structure_fixate_field_nearest_fraction (out, PAR, par.n, par.d);
  if (!fixate_for_par (out, dar, &par, from))
    fixate_nearest (out, dar, &par, from);
}

static void
fixate (GstStructure *out, const struct size_shape *from)
{
  const struct ratio dar = display_ratio (from);
  const gboolean width = is_fixed (out, "width");
  const gboolean height = is_fixed (out, "height");
  struct ratio par = { 1, 1 };

  if (width && height) {
    if (!is_fixed (out, PAR))
      take_par (out, &dar, get_int (out, "width"), get_int (out, "height"),
                &par);
  } else if (width || height) {
    fixate_one_side (out, &dar, !width, width ? from->height : from->width);
  } else if (is_fixed (out, PAR)) {
    gst_structure_get_fraction (out, PAR, &par.n, &par.d);
    if (!fixate_for_par (out, &dar, &par, from))
      fixate_nearest (out, &dar, &par, from);
  } else {
    fixate_all (out, &dar, from);
  }
}

void
size_fixate (GstStructure *out, const struct size_shape *from)
{
  const gboolean silent = !gst_structure_has_field (out, PAR);
  gint par_n = 1, par_d = 1;

  if (silent)
    gst_structure_set (out, PAR, GST_TYPE_FRACTION_RANGE, 1, G_MAXINT, G_MAXINT,
                       1, NULL);
  fixate (out, from);
  /* Pixels are square where nobody says anything. */
  gst_structure_get_fraction (out, PAR, &par_n, &par_d);
  if (silent && par_n == par_d)
    gst_structure_remove_field (out, PAR);
}
