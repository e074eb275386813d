/* Colorimetry, chroma sites and metadata of caps. */
#include "colorcaps.h"

#include <string.h>

#include "gst/base/gstvkccaps.h"

static gboolean
matrix_from_gst (GstVideoColorMatrix from, enum color_matrix *matrix)
{
  switch (from) {
  case GST_VIDEO_COLOR_MATRIX_RGB:
    *matrix = COLOR_MATRIX_RGB;
    return TRUE;
  case GST_VIDEO_COLOR_MATRIX_FCC:
    *matrix = COLOR_MATRIX_FCC;
    return TRUE;
  case GST_VIDEO_COLOR_MATRIX_BT709:
    *matrix = COLOR_MATRIX_BT709;
    return TRUE;
  case GST_VIDEO_COLOR_MATRIX_BT601:
    *matrix = COLOR_MATRIX_BT601;
    return TRUE;
  case GST_VIDEO_COLOR_MATRIX_SMPTE240M:
    *matrix = COLOR_MATRIX_SMPTE240M;
    return TRUE;
  case GST_VIDEO_COLOR_MATRIX_BT2020:
    *matrix = COLOR_MATRIX_BT2020;
    return TRUE;
  default:
    return FALSE;
  }
}

static gboolean
primaries_from_gst (GstVideoColorPrimaries from, enum color_primaries *to)
{
  static const enum color_primaries primaries[] = {
    [GST_VIDEO_COLOR_PRIMARIES_BT709] = COLOR_PRIMARIES_BT709,
    [GST_VIDEO_COLOR_PRIMARIES_BT470M] = COLOR_PRIMARIES_BT470M,
    [GST_VIDEO_COLOR_PRIMARIES_BT470BG] = COLOR_PRIMARIES_BT470BG,
    [GST_VIDEO_COLOR_PRIMARIES_SMPTE170M] = COLOR_PRIMARIES_SMPTE170M,
    [GST_VIDEO_COLOR_PRIMARIES_SMPTE240M] = COLOR_PRIMARIES_SMPTE240M,
    [GST_VIDEO_COLOR_PRIMARIES_FILM] = COLOR_PRIMARIES_FILM,
    [GST_VIDEO_COLOR_PRIMARIES_BT2020] = COLOR_PRIMARIES_BT2020,
    [GST_VIDEO_COLOR_PRIMARIES_ADOBERGB] = COLOR_PRIMARIES_ADOBERGB,
    [GST_VIDEO_COLOR_PRIMARIES_SMPTEST428] = COLOR_PRIMARIES_SMPTE428,
    [GST_VIDEO_COLOR_PRIMARIES_SMPTERP431] = COLOR_PRIMARIES_SMPTE431,
    [GST_VIDEO_COLOR_PRIMARIES_SMPTEEG432] = COLOR_PRIMARIES_SMPTE432,
    [GST_VIDEO_COLOR_PRIMARIES_EBU3213] = COLOR_PRIMARIES_EBU3213,
  };

  if (from == GST_VIDEO_COLOR_PRIMARIES_UNKNOWN
      || (guint)from >= G_N_ELEMENTS (primaries))
    return FALSE;
  *to = primaries[from];
  return TRUE;
}

/* Video that was made for a BT.1886 display is decoded as one shows it,
 * whichever camera curve its tag names. */
static gboolean
transfer_from_gst (GstVideoTransferFunction from, enum color_transfer *to)
{
  static const enum color_transfer transfers[] = {
    [GST_VIDEO_TRANSFER_GAMMA10] = COLOR_TRANSFER_LINEAR,
    [GST_VIDEO_TRANSFER_GAMMA18] = COLOR_TRANSFER_GAMMA18,
    [GST_VIDEO_TRANSFER_GAMMA20] = COLOR_TRANSFER_GAMMA20,
    [GST_VIDEO_TRANSFER_GAMMA22] = COLOR_TRANSFER_GAMMA22,
    [GST_VIDEO_TRANSFER_BT709] = COLOR_TRANSFER_BT1886,
    [GST_VIDEO_TRANSFER_SMPTE240M] = COLOR_TRANSFER_BT1886,
    [GST_VIDEO_TRANSFER_SRGB] = COLOR_TRANSFER_SRGB,
    [GST_VIDEO_TRANSFER_GAMMA28] = COLOR_TRANSFER_GAMMA28,
    [GST_VIDEO_TRANSFER_LOG100] = COLOR_TRANSFER_LOG100,
    [GST_VIDEO_TRANSFER_LOG316] = COLOR_TRANSFER_LOG316,
    [GST_VIDEO_TRANSFER_BT2020_12] = COLOR_TRANSFER_BT1886,
    [GST_VIDEO_TRANSFER_ADOBERGB] = COLOR_TRANSFER_ADOBERGB,
    [GST_VIDEO_TRANSFER_BT2020_10] = COLOR_TRANSFER_BT1886,
    [GST_VIDEO_TRANSFER_SMPTE2084] = COLOR_TRANSFER_PQ,
    [GST_VIDEO_TRANSFER_ARIB_STD_B67] = COLOR_TRANSFER_HLG,
    [GST_VIDEO_TRANSFER_BT601] = COLOR_TRANSFER_BT1886,
  };

  if (from == GST_VIDEO_TRANSFER_UNKNOWN
      || (guint)from >= G_N_ELEMENTS (transfers))
    return FALSE;
  *to = transfers[from];
  return TRUE;
}

/* A chroma site that is not said is MPEG-2's: on the even column, between two
 * rows. */
static struct color_site
site_from_gst (GstVideoChromaSite from)
{
  if (from == GST_VIDEO_CHROMA_SITE_UNKNOWN)
    return (struct color_site){ .left = true };
  return (struct color_site){
    .left = (from & GST_VIDEO_CHROMA_SITE_H_COSITED) != 0,
    .top = (from & GST_VIDEO_CHROMA_SITE_V_COSITED) != 0,
  };
}

/* What is known of one side. */
struct known
{
  gboolean matrix, primaries, transfer;
};

/* The colorimetry of a structure with a fixed one. */
static gboolean
get_colorimetry (const GstStructure *structure, GstVideoColorimetry *c)
{
  const gchar *name = gst_structure_get_string (structure, "colorimetry");

  return name != NULL && gst_video_colorimetry_from_string (c, name);
}

static gboolean
is_hdr (const GstVideoColorimetry *c)
{
  return c->transfer == GST_VIDEO_TRANSFER_SMPTE2084
         || c->transfer == GST_VIDEO_TRANSFER_ARIB_STD_B67;
}

/* GstVideoInfo forgets all of a colorimetry without a matrix, and the chroma
 * site where there is no colorimetry. What the caps do say counts; range and
 * matrix that they leave out are as the info has them, but for HDR's matrix:
 * the info would take it from the size. */
static gboolean
take_said (GstCaps *caps, const GstVideoInfo *info, GstVideoColorimetry *c,
           GstVideoChromaSite *site)
{
  const GstStructure *structure = gst_caps_get_structure (caps, 0);
  const gchar *name = gst_structure_get_string (structure, "chroma-site");
  const GstVideoColorimetry *usual = &info->colorimetry;
  const gboolean said = get_colorimetry (structure, c);

  if (!said)
    *c = *usual;
  if (c->range == GST_VIDEO_COLOR_RANGE_UNKNOWN)
    c->range = usual->range;
  if (c->matrix == GST_VIDEO_COLOR_MATRIX_UNKNOWN && !is_hdr (c))
    c->matrix = usual->matrix;
  *site = name != NULL ? gst_video_chroma_site_from_string (name)
                       : info->chroma_site;
  return said;
}

static struct known
take_known (struct color_side *side, GstCaps *caps, const GstVideoInfo *info)
{
  struct color_description *d = &side->description;
  GstVideoColorimetry c;
  GstVideoChromaSite site;
  const gboolean said = take_said (caps, info, &c, &site);
  struct known known;

  color_format_from_gst (&side->format, GST_VIDEO_INFO_FORMAT (info));
  d->range = c.range == GST_VIDEO_COLOR_RANGE_0_255 ? COLOR_RANGE_FULL
                                                    : COLOR_RANGE_LIMITED;
  if (c.range == GST_VIDEO_COLOR_RANGE_UNKNOWN && GST_VIDEO_INFO_IS_RGB (info))
    d->range = COLOR_RANGE_FULL;
  d->site = site_from_gst (site);
  known.matrix = matrix_from_gst (c.matrix, &d->matrix);
  known.primaries = primaries_from_gst (c.primaries, &d->primaries) && said;
  known.transfer = transfer_from_gst (c.transfer, &d->transfer) && said;
  if (GST_VIDEO_INFO_IS_RGB (info))
    d->matrix = COLOR_MATRIX_RGB;
  else if (d->matrix == COLOR_MATRIX_RGB)
    known.matrix = FALSE;
  known.matrix |= GST_VIDEO_INFO_IS_RGB (info);
  return known;
}

static void
guess (struct color_side *side, const struct known *known,
       const GstVideoInfo *info)
{
  struct color_description *d = &side->description;
  const gboolean sd = GST_VIDEO_INFO_HEIGHT (info) <= 576;
  const gboolean hdr = known->transfer && color_transfer_is_hdr (d->transfer);

  if (!known->transfer)
    d->transfer = COLOR_TRANSFER_BT1886;
  if (!known->primaries)
    d->primaries = hdr ? COLOR_PRIMARIES_BT2020 : COLOR_PRIMARIES_BT709;
  if (!known->matrix)
    d->matrix = hdr  ? COLOR_MATRIX_BT2020
                : sd ? COLOR_MATRIX_BT601
                     : COLOR_MATRIX_BT709;
}

/* Takes from @other what @side does not know; HDR is never assumed. */
static void
borrow (struct color_side *side, struct known *known,
        const struct color_side *other, const struct known *other_known)
{
  if (!other_known->transfer
      || color_transfer_is_hdr (other->description.transfer))
    return;
  if (!known->transfer) {
    side->description.transfer = other->description.transfer;
    known->transfer = TRUE;
  }
  if (!known->primaries && other_known->primaries
      && !color_transfer_is_hdr (side->description.transfer)) {
    side->description.primaries = other->description.primaries;
    known->primaries = TRUE;
  }
}

void
color_sides_from_caps (struct color_side *in_side, GstCaps *in_caps,
                       const GstVideoInfo *in, struct color_side *out_side,
                       GstCaps *out_caps, const GstVideoInfo *out)
{
  struct known in_known = take_known (in_side, in_caps, in);
  struct known out_known = take_known (out_side, out_caps, out);

  borrow (in_side, &in_known, out_side, &out_known);
  borrow (out_side, &out_known, in_side, &in_known);
  guess (in_side, &in_known, in);
  guess (out_side, &out_known, out);
}

void
color_light_from_caps (struct color_light *light, GstCaps *caps)
{
  GstVideoContentLightLevel level;
  GstVideoMasteringDisplayInfo display;

  memset (light, 0, sizeof *light);
  if (gst_video_content_light_level_from_caps (&level, caps))
    light->max_cll = level.max_content_light_level;
  if (gst_video_mastering_display_info_from_caps (&display, caps))
    light->mastering_max = display.max_display_mastering_luminance / 10000.0;
}

gboolean
color_structure_is_hdr (const GstStructure *structure)
{
  GstVideoColorimetry c;

  return get_colorimetry (structure, &c) && is_hdr (&c);
}

gboolean
color_caps_take_sdr (const GstCaps *caps)
{
  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    g_autoptr (GstStructure) structure
        = gst_structure_copy (gst_caps_get_structure (caps, i));

    if (!gst_structure_has_field (structure, "colorimetry"))
      return TRUE;
    gst_structure_fixate_field_string (structure, "colorimetry",
                                       GST_VIDEO_COLORIMETRY_BT709);
    if (!color_structure_is_hdr (structure))
      return TRUE;
  }
  return FALSE;
}

static const GstVideoFormatInfo *
format_of (const GstStructure *structure)
{
  const gchar *name = gst_structure_get_string (structure, "format");

  return gst_video_format_get_info (name != NULL
                                        ? gst_video_format_from_string (name)
                                        : GST_VIDEO_FORMAT_UNKNOWN);
}

static GstVideoColorMatrix
usual_matrix (const GstVideoColorimetry *c, gint height)
{
  if (c->primaries == GST_VIDEO_COLOR_PRIMARIES_BT2020)
    return GST_VIDEO_COLOR_MATRIX_BT2020;
  return height <= 576 ? GST_VIDEO_COLOR_MATRIX_BT601
                       : GST_VIDEO_COLOR_MATRIX_BT709;
}

/* @c of other formats as @format can have it: RGB has no matrix and is of full
 * range. */
static void
adapt_to_format (GstVideoColorimetry *c, const GstVideoFormatInfo *format,
                 gint height)
{
  if (GST_VIDEO_FORMAT_INFO_IS_RGB (format)) {
    c->matrix = GST_VIDEO_COLOR_MATRIX_RGB;
    c->range = GST_VIDEO_COLOR_RANGE_0_255;
  } else if (c->matrix == GST_VIDEO_COLOR_MATRIX_RGB) {
    c->matrix = usual_matrix (c, height);
    c->range = GST_VIDEO_COLOR_RANGE_16_235;
  }
}

static void
fixate_colorimetry (GstStructure *out, const GstStructure *in,
                    const GstVideoColorimetry *wanted)
{
  const GstVideoFormatInfo *format = format_of (out);
  GstVideoColorimetry c;
  g_autofree gchar *name = NULL;
  gint height = 0;

  if (wanted != NULL)
    c = *wanted;
  else if (!get_colorimetry (in, &c))
    return; /* what is not said stays so */
  gst_structure_get_int (out, "height", &height);
  /* From RGB to RGB, and so on, all stays: also what makes no sense. */
  if (wanted != NULL
      || GST_VIDEO_FORMAT_INFO_IS_RGB (format)
             != GST_VIDEO_FORMAT_INFO_IS_RGB (format_of (in)))
    adapt_to_format (&c, format, height);
  name = gst_video_colorimetry_to_string (&c);
  if (name == NULL)
    return;
  if (gst_structure_has_field (out, "colorimetry"))
    gst_structure_fixate_field_string (out, "colorimetry", name);
  else
    gst_structure_set (out, "colorimetry", G_TYPE_STRING, name, NULL);
}

static void
fixate_chroma_site (GstStructure *out, const GstStructure *in)
{
  const GstVideoFormatInfo *format = format_of (out);
  const gchar *site = gst_structure_get_string (in, "chroma-site");

  if (!GST_VIDEO_FORMAT_INFO_IS_YUV (format)
      || (format->w_sub[1] == 0 && format->h_sub[1] == 0) || site == NULL)
    return;
  if (gst_structure_has_field (out, "chroma-site"))
    gst_structure_fixate_field_string (out, "chroma-site", site);
  else
    gst_structure_set (out, "chroma-site", G_TYPE_STRING, site, NULL);
}

void
color_fixate (GstStructure *out, const GstStructure *in,
              const GstVideoColorimetry *wanted)
{
  fixate_colorimetry (out, in, wanted);
  fixate_chroma_site (out, in);
}

static GstVideoTransferFunction
transfer_of (const GstStructure *structure)
{
  GstVideoColorimetry c = { .transfer = GST_VIDEO_TRANSFER_UNKNOWN };

  get_colorimetry (structure, &c);
  return c.transfer;
}

static gboolean
keep_hdr_field (GQuark field, const GValue *value, gpointer out)
{
  const gchar *name = g_quark_to_string (field);

  if (gst_vkc_caps_is_hdr_field (name) && !gst_structure_has_field (out, name))
    gst_structure_set_value (out, name, value);
  return TRUE;
}

void
color_keep_hdr_metadata (GstStructure *out, const GstStructure *in)
{
  if (transfer_of (out) == transfer_of (in))
    gst_structure_foreach (in, keep_hdr_field, out);
}
