/* Between GStreamer's words for colour and gst/color's. */
#pragma once

#include <gst/video/video.h>

#include "gst/color/plan.h"

G_BEGIN_DECLS

/* Names of the formats that the colour kernel reads and writes, the most wanted
 * ones first. NULL-terminated. One more is one more row in colorformats.c, as
 * long as its samples are bits of little-endian words. */
extern const gchar *const color_formats[];

/* Where the samples of a format are. FALSE: not in the table. */
gboolean color_format_from_gst (struct color_format *format,
                                GstVideoFormat from);

/* Both sides of a conversion. What a side does not say is what the other one
 * is, so that no change is made that nobody asked for; what neither says is
 * guessed from the size and the transfer. @in_caps, @out_caps: whether a
 * colorimetry is there at all. */
void color_sides_from_caps (struct color_side *in_side, GstCaps *in_caps,
                            const GstVideoInfo *in, struct color_side *out_side,
                            GstCaps *out_caps, const GstVideoInfo *out);

/* mastering-display-info and content-light-level. */
void color_light_from_caps (struct color_light *light, GstCaps *caps);

/* Whether the structure's colorimetry is PQ or HLG. */
gboolean color_structure_is_hdr (const GstStructure *structure);

/* Whether @caps leave room for any other. */
gboolean color_caps_take_sdr (const GstCaps *caps);

/* Fixates colorimetry and chroma-site of @out, whose format is fixed and which
 * is made from @in. @wanted: the colorimetry to have if the peer leaves the
 * choice; NULL: as little of a change as the format allows. */
void color_fixate (GstStructure *out, const GstStructure *in,
                   const GstVideoColorimetry *wanted);

/* Copies the HDR metadata of @in, where they are true of @out as well: it has the
 * same transfer. Nothing must have been mapped. */
void color_keep_hdr_metadata (GstStructure *out, const GstStructure *in);

G_END_DECLS
