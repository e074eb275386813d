/* vkcompute's caps: formats. */
#include "computecaps.h"

#include "colorcaps.h"
#include "computesize.h"
#include "gst/base/gstvkccaps.h"

/* What shaders can be given; images take those of them that have texels. */
static const gchar *const formats[]
    = { "RGBA",       "RGBx",       "BGRA",      "BGRx",      "ARGB",
        "xRGB",       "ABGR",       "xBGR",      "RGB",       "BGR",
        "RGB10A2_LE", "BGR10A2_LE", "RGBA64_LE", "GRAY8",     "GRAY16_LE",
        "I420",       "YV12",       "NV12",      "NV21",      "NV16",
        "NV61",       "NV24",       "Y42B",      "Y444",      "P010_10LE",
        "P012_LE",    "P016_LE",    "I420_10LE", "I420_12LE", "I422_10LE",
        "I422_12LE",  "Y444_10LE",  "Y444_12LE", "Y444_16LE", "GBR",
        "GBR_10LE",   "GBR_12LE",   "GBRA",      "GBRA_10LE", "GBRA_12LE",
        "RGBP",       "BGRP",       "A420",      "A420_10LE", "A422_10LE",
        "A444_10LE",  "AYUV",       "VUYA",      "YUY2",      "UYVY",
        "YVYU",       "VYUY",       "Y210",      "Y410",      NULL };

#define COLOUR_CAPS                                                            \
  (GST_VKC_CAPS_FORMAT | GST_VKC_CAPS_COLORIMETRY | GST_VKC_CAPS_CHROMA_SITE)

/* How the formats of both sides of a shader go together. */
struct sides
{
  gchar **natives[2]; /* by side; NULL: any */
  gboolean same;      /* the shader sees one format on both */
};

static guint
side_of (GstPadDirection direction)
{
  return direction == GST_PAD_SRC;
}

static gboolean
has (gchar **names, const gchar *name)
{
  return g_strv_contains ((const gchar *const *)names, name);
}

static gboolean
is_color (const gchar *name)
{
  return g_strv_contains (color_formats, name);
}

GstCaps *
compute_caps_template (void)
{
  GPtrArray *all = g_ptr_array_new ();
  GstCaps *caps;

  for (guint i = 0; formats[i] != NULL; i++)
    g_ptr_array_add (all, (gpointer)formats[i]);
  for (guint i = 0; color_formats[i] != NULL; i++)
    if (!g_strv_contains (formats, color_formats[i]))
      g_ptr_array_add (all, (gpointer)color_formats[i]);
  g_ptr_array_add (all, NULL);
  caps = gst_vkc_caps_template ((const gchar *const *)all->pdata);
  g_ptr_array_unref (all);
  return caps;
}

gchar **
compute_caps_natives (const struct compute_program *program,
                      GstPadDirection direction)
{
  const enum frame_role role
      = direction == GST_PAD_SRC || compute_program_is_in_place (program)
            ? FRAME_ROLE_TARGET
            : FRAME_ROLE_SOURCE;
  GPtrArray *names;

  if (!compute_program_has (program, role)
      && !(role == FRAME_ROLE_SOURCE && program->history > 0))
    return NULL;
  names = g_ptr_array_new ();
  for (guint i = 0; formats[i] != NULL; i++) {
    const GstVideoFormat format = gst_video_format_from_string (formats[i]);

    if (format != GST_VIDEO_FORMAT_UNKNOWN
        && compute_program_accepts (program, role,
                                    gst_video_format_get_info (format)))
      g_ptr_array_add (names, g_strdup (formats[i]));
  }
  g_ptr_array_add (names, NULL);
  return (gchar **)g_ptr_array_free (names, FALSE);
}

static void
sides_init (struct sides *sides, const struct compute_program *program,
            const struct compute_settings *settings)
{
  gchar **in, **out;

  *sides = (struct sides){ 0 };
  if (program == NULL)
    return;
  in = sides->natives[0] = compute_caps_natives (program, GST_PAD_SINK);
  out = sides->natives[1] = compute_caps_natives (program, GST_PAD_SRC);
  sides->same
      = in != NULL && out != NULL
        && g_strv_equal ((const gchar *const *)in, (const gchar *const *)out);
  /* A buffer is bytes: which format they make is the user's word. */
  if (settings->output_format != NULL && !compute_program_is_in_place (program)
      && compute_program_wants_buffer (program, FRAME_ROLE_TARGET))
    sides->same = FALSE;
}

static void
sides_clear (struct sides *sides)
{
  g_strfreev (sides->natives[0]);
  g_strfreev (sides->natives[1]);
}

/* Those of @names that the colour kernel knows; g_free() the array only. */
static const gchar **
color_subset (gchar **names)
{
  GPtrArray *subset = g_ptr_array_new ();

  for (guint i = 0; names[i] != NULL; i++)
    if (is_color (names[i]))
      g_ptr_array_add (subset, names[i]);
  g_ptr_array_add (subset, NULL);
  return (const gchar **)g_ptr_array_free (subset, FALSE);
}

/* What has all formats as they are needs no conversion. */
static gboolean
is_convertible (gchar **natives)
{
  gboolean any = FALSE, all = TRUE;

  for (guint i = 0; natives != NULL && natives[i] != NULL; i++)
    any |= is_color (natives[i]);
  for (guint i = 0; any && color_formats[i] != NULL; i++)
    all &= has (natives, color_formats[i])
           || gst_video_format_from_string (color_formats[i])
                  == GST_VIDEO_FORMAT_UNKNOWN;
  return any && !all;
}

/* Of @caps, what has one of @names. One by one: what one structure says of
 * colours is not true of another one's formats. */
static GstCaps *
restrict_formats (GstCaps *caps, const gchar *const *names)
{
  GstCaps *restricted = gst_caps_new_empty ();

  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    GstCaps *one = gst_caps_copy_nth (caps, i);
    GstCaps *allowed
        = gst_vkc_caps_transform (one, GST_VKC_CAPS_FORMAT, names, NULL);

    restricted = gst_caps_merge (
        restricted,
        gst_caps_intersect_full (one, allowed, GST_CAPS_INTERSECT_FIRST));
    gst_caps_unref (allowed);
    gst_caps_unref (one);
  }
  return restricted;
}

/* What the other side has for those of @caps that have one of @here (NULL:
 * all): one of @there, or the same if that is NULL. Appended to @result. */
static GstCaps *
add (GstCaps *result, GstCaps *caps, const gchar *const *here,
     const gchar *const *there)
{
  GstCaps *possible
      = here != NULL ? restrict_formats (caps, here) : gst_caps_ref (caps);
  GstCaps *other = gst_vkc_caps_transform (
      possible, there != NULL ? COLOUR_CAPS : 0, there, NULL);

  gst_caps_unref (possible);
  return gst_caps_merge (result, other);
}

/* What needs no conversion on the other side comes first. */
static GstCaps *
add_for_natives (GstCaps *result, GstCaps *caps, gchar **here, gchar **there)
{
  const gchar *const *names = (const gchar *const *)here;

  result = add (result, caps, names,
                there != NULL ? (const gchar *const *)there : formats);
  if (is_convertible (there))
    result = add (result, caps, names, color_formats);
  return result;
}

static GstCaps *
transform_formats (const struct sides *sides, GstPadDirection direction,
                   GstCaps *caps)
{
  gchar **here = sides->natives[side_of (direction)];
  gchar **there = sides->natives[!side_of (direction)];
  GstCaps *result = gst_caps_new_empty ();

  if (!sides->same) {
    result = add_for_natives (result, caps, here, there);
    if (is_convertible (here)) {
      g_autofree const gchar **subset = there != NULL && is_convertible (there)
                                            ? color_subset (there)
                                            : NULL;

      result = add (result, caps, color_formats,
                    there != NULL ? (const gchar *const *)there : formats);
      if (subset != NULL)
        result = add (result, caps, color_formats, color_formats);
    }
    return result;
  }
  result = add (result, caps, (const gchar *const *)here, NULL);
  if (is_convertible (here)) {
    g_autofree const gchar **subset = color_subset (here);

    result = add (result, caps, color_formats, subset);
    result = add (result, caps, color_formats, color_formats);
  }
  return result;
}

gboolean
compute_caps_check_settings (const struct compute_settings *settings,
                             GError **error)
{
  const gchar *name = settings->output_format;

  if (name == NULL || g_strv_contains (formats, name) || is_color (name))
    return TRUE;
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
               "output-format \"%s\" is no format that comes out here", name);
  return FALSE;
}

/* `output-format` is a wish for the src pad. One that cannot be is refused at
 * the start, with a message that a link could not have. */
static GstCaps *
take_wanted (GstCaps *caps, const struct compute_settings *settings)
{
  const gchar *const wanted[] = { settings->output_format, NULL };
  GstCaps *restricted;

  if (settings->output_format == NULL
      || !compute_caps_check_settings (settings, NULL))
    return caps;
  restricted = restrict_formats (caps, wanted);
  gst_caps_unref (caps);
  return restricted;
}

GstCaps *
compute_caps_transform (const struct compute_program *program,
                        const struct compute_settings *settings,
                        GstPadDirection direction, GstCaps *caps,
                        GstCaps *filter)
{
  const gboolean any_size = program == NULL || compute_size_is_free (program);
  GstCaps *possible = gst_caps_ref (caps), *result;
  struct sides sides;

  if (gst_caps_is_any (caps))
    possible = gst_caps_make_writable (compute_caps_template ());
  sides_init (&sides, program, settings);
  if (direction == GST_PAD_SRC)
    possible = take_wanted (possible, settings);
  result = transform_formats (&sides, direction, possible);
  if (direction == GST_PAD_SINK)
    result = take_wanted (result, settings);
  result = compute_size_transform (result, settings, any_size, direction);
  sides_clear (&sides);
  gst_caps_unref (possible);
  if (filter != NULL) {
    possible = result;
    result
        = gst_caps_intersect_full (filter, possible, GST_CAPS_INTERSECT_FIRST);
    gst_caps_unref (possible);
  }
  return result;
}

/* Takes @caps; the structure of it with the best format, which is fixed. */
static GstCaps *
fixate_format (GstCaps *caps, const struct sides *sides,
               GstPadDirection direction, GstVideoFormat like)
{
  gchar **natives = sides->natives[!side_of (direction)];
  const gchar *name = gst_video_format_to_string (like);
  GstCaps *direct;

  /* As it is, if the shader need not be converted for. */
  if (natives == NULL || (sides->same && has (natives, name)))
    return gst_vkc_caps_fixate_format_like (caps, like);
  direct = restrict_formats (caps, (const gchar *const *)natives);
  if (gst_caps_is_empty (direct)) {
    gst_caps_unref (direct);
    return gst_vkc_caps_fixate_format_like (caps, like);
  }
  gst_caps_unref (caps);
  return gst_vkc_caps_fixate_format_like (direct, like);
}

static void
fixate_colours (GstStructure *out, const GstStructure *in)
{
  const gchar *from = gst_structure_get_string (in, "format");
  const gchar *to = gst_structure_get_string (out, "format");

  if (from != NULL && to != NULL && is_color (from) && is_color (to))
    color_fixate (out, in, NULL);
}

GstCaps *
compute_caps_fixate (const struct compute_program *program,
                     const struct compute_settings *settings,
                     GstPadDirection direction, GstCaps *caps,
                     GstCaps *othercaps)
{
  const GstStructure *in = gst_caps_get_structure (caps, 0);
  const gchar *format = gst_structure_get_string (in, "format");
  struct sides sides;

  if (gst_caps_is_empty (othercaps))
    return othercaps;
  if (format != NULL) {
    sides_init (&sides, program, settings);
    othercaps = fixate_format (othercaps, &sides, direction,
                               gst_video_format_from_string (format));
    sides_clear (&sides);
  }
  othercaps = gst_caps_make_writable (gst_caps_truncate (othercaps));
  compute_size_fixate (gst_caps_get_structure (othercaps, 0), in);
  if (direction == GST_PAD_SINK)
    fixate_colours (gst_caps_get_structure (othercaps, 0), in);
  return gst_caps_fixate (othercaps);
}

/* Of @names, which the colour kernel knows, the one that costs @format least;
 * UNKNOWN if there is none. */
static GstVideoFormat
closest (gchar **names, GstVideoFormat format)
{
  g_autofree const gchar **subset = color_subset (names);
  GstVideoFormat best;
  GstCaps *caps;

  if (subset[0] == NULL)
    return GST_VIDEO_FORMAT_UNKNOWN;
  caps = gst_vkc_caps_fixate_format_like (gst_vkc_caps_template (subset),
                                          format);
  best = gst_video_format_from_string (
      gst_structure_get_string (gst_caps_get_structure (caps, 0), "format"));
  gst_caps_unref (caps);
  return best;
}

static GstVideoFormat
work_format (gchar **natives, GstVideoFormat stream)
{
  if (natives == NULL || has (natives, gst_video_format_to_string (stream)))
    return stream;
  return closest (natives, stream);
}

void
compute_caps_work_formats (const struct compute_program *program,
                           const struct compute_settings *settings,
                           GstVideoFormat in, GstVideoFormat out,
                           GstVideoFormat *work_in, GstVideoFormat *work_out)
{
  struct sides sides;

  sides_init (&sides, program, settings);
  *work_in = work_format (sides.natives[0], in);
  *work_out = work_format (sides.natives[1], out);
  if (sides.same && *work_in != *work_out) {
    /* One of the two is converted: the one that the shader does not take, or
     * what comes out. */
    if (*work_in == in)
      *work_out = in;
    else
      *work_in = *work_out;
  }
  sides_clear (&sides);
}
