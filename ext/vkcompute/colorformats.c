/* The formats of the colour kernel, one row each. GStreamer's own description
 * does not do: it counts P010's offsets in samples and knows no shifts of
 * packed 10-bit RGB. */
#include "colorcaps.h"

/* {plane, step, offset, shift, bits, channel}: of one byte, of a 16-bit
 * little-endian word with its bits on top or at the bottom, of a 32-bit word.
 */
#define BYTE(plane, step, offset)                                              \
  {                                                                            \
    plane, step, offset, 0, 8, offset                                          \
  }
#define HIGH(plane, step, offset, bits)                                        \
  {                                                                            \
    plane, step, offset, 16 - (bits), bits, (offset) / 2                       \
  }
#define LOW(plane, step, offset, bits)                                         \
  {                                                                            \
    plane, step, offset, 0, bits, (offset) / 2                                 \
  }
#define WORD(shift, bits)                                                      \
  {                                                                            \
    0, 4, 0, shift, bits, 0                                                    \
  }
#define NONE                                                                   \
  {                                                                            \
    0, 1, 0, 0, 8, 0                                                           \
  }

/* name, planes, alpha, hsub, vsub, Y or R, Cb or G, Cr or B, A. */
#define FORMATS(X)                                                             \
  X (NV12, 2, false, 1, 1, BYTE (0, 1, 0), BYTE (1, 2, 0), BYTE (1, 2, 1),     \
     NONE)                                                                     \
  X (I420, 3, false, 1, 1, BYTE (0, 1, 0), BYTE (1, 1, 0), BYTE (2, 1, 0),     \
     NONE)                                                                     \
  X (RGBA, 1, true, 0, 0, BYTE (0, 4, 0), BYTE (0, 4, 1), BYTE (0, 4, 2),      \
     BYTE (0, 4, 3))                                                           \
  X (BGRA, 1, true, 0, 0, BYTE (0, 4, 2), BYTE (0, 4, 1), BYTE (0, 4, 0),      \
     BYTE (0, 4, 3))                                                           \
  X (P010_10LE, 2, false, 1, 1, HIGH (0, 2, 0, 10), HIGH (1, 4, 0, 10),        \
     HIGH (1, 4, 2, 10), NONE)                                                 \
  X (I420_10LE, 3, false, 1, 1, LOW (0, 2, 0, 10), LOW (1, 2, 0, 10),          \
     LOW (2, 2, 0, 10), NONE)                                                  \
  X (RGB10A2_LE, 1, true, 0, 0, WORD (0, 10), WORD (10, 10), WORD (20, 10),    \
     WORD (30, 2))

#define NAME(name, ...) #name,
const gchar *const color_formats[] = { FORMATS (NAME) NULL };
#undef NAME

#define ROW(name, n, alpha, h, v, c0, c1, c2, c3)                              \
  { n, alpha, h, v, { c0, c1, c2, c3 } },
static const struct color_format rows[] = { FORMATS (ROW) };
#undef ROW

gboolean
color_format_from_gst (struct color_format *format, GstVideoFormat from)
{
  const gchar *name = gst_video_format_to_string (from);

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    if (g_str_equal (color_formats[i], name)) {
      *format = rows[i];
      return TRUE;
    }
  }
  return FALSE;
}
