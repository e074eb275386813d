/* The formats of the colour kernel, one row each. GStreamer's own description
 * does not do: it counts P010's offsets in samples and knows no shifts of
 * packed 10-bit RGB. */
#include "colorcaps.h"

/* {plane, step, offset, shift, bits, channel}: of one byte, of a 16-bit
 * little-endian word with its bits on top or at the bottom, of bits of a 16-bit
 * or a 32-bit word. */
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
#define SHORT(shift, bits)                                                     \
  {                                                                            \
    0, 2, 0, shift, bits, 0                                                    \
  }
#define WORD(shift, bits)                                                      \
  {                                                                            \
    0, 4, 0, shift, bits, 0                                                    \
  }
/* The @offset-th of every @step samples of 10 bits. */
#define TEN(plane, step, offset)                                               \
  {                                                                            \
    plane, step, offset, 0, 10, 0                                              \
  }
/* No bits, where samples of @step bytes are. */
#define ABSENT(step)                                                           \
  {                                                                            \
    0, step, 0, 0, 0, 0                                                        \
  }
#define NONE ABSENT (1)

/* Families. */
#define PLANAR_8(X, name, h, v)                                                \
  X (name, BYTES, 3, false, h, v, BYTE (0, 1, 0), BYTE (1, 1, 0),              \
     BYTE (2, 1, 0), NONE)
#define PLANAR_LE(X, name, h, v, bits)                                         \
  X (name, BYTES, 3, false, h, v, LOW (0, 2, 0, bits), LOW (1, 2, 0, bits),    \
     LOW (2, 2, 0, bits), NONE)
#define PLANAR_ALPHA_LE(X, name, h, v, bits)                                   \
  X (name, BYTES, 4, true, h, v, LOW (0, 2, 0, bits), LOW (1, 2, 0, bits),     \
     LOW (2, 2, 0, bits), LOW (3, 2, 0, bits))
#define TWO_PLANES_8(X, name, h, v, cb, cr)                                    \
  X (name, BYTES, 2, false, h, v, BYTE (0, 1, 0), BYTE (1, 2, cb),             \
     BYTE (1, 2, cr), NONE)
#define TWO_PLANES_LE(X, name, h, v, bits)                                     \
  X (name, BYTES, 2, false, h, v, HIGH (0, 2, 0, bits), HIGH (1, 4, 0, bits),  \
     HIGH (1, 4, 2, bits), NONE)
#define PACKED_422_8(X, name, y, cb, cr)                                       \
  X (name, BYTES, 1, false, 1, 0, BYTE (0, 2, y), BYTE (0, 4, cb),             \
     BYTE (0, 4, cr), NONE)
#define PACKED_422_LE(X, name, y, cb, cr, bits)                                \
  X (name, BYTES, 1, false, 1, 0, HIGH (0, 4, y, bits), HIGH (0, 8, cb, bits), \
     HIGH (0, 8, cr, bits), NONE)
#define PACKED_8(X, name, step, c0, c1, c2)                                    \
  X (name, BYTES, 1, false, 0, 0, BYTE (0, step, c0), BYTE (0, step, c1),      \
     BYTE (0, step, c2), NONE)
#define PACKED_ALPHA_8(X, name, c0, c1, c2, c3)                                \
  X (name, BYTES, 1, true, 0, 0, BYTE (0, 4, c0), BYTE (0, 4, c1),             \
     BYTE (0, 4, c2), BYTE (0, 4, c3))
#define PACKED_ALPHA_LE(X, name, c0, c1, c2, c3, bits)                         \
  X (name, BYTES, 1, true, 0, 0, HIGH (0, 8, c0, bits), HIGH (0, 8, c1, bits), \
     HIGH (0, 8, c2, bits), HIGH (0, 8, c3, bits))
#define PACKED_10(X, name, c0, c1, c2)                                         \
  X (name, BYTES, 1, true, 0, 0, WORD (c0, 10), WORD (c1, 10), WORD (c2, 10),  \
     WORD (30, 2))
#define PACKED_SHORT(X, name, c0, c1, c2, green)                               \
  X (name, BYTES, 1, false, 0, 0, SHORT (c0, 5), SHORT (c1, green),            \
     SHORT (c2, 5), NONE)
#define RGB_PLANES_8(X, name, r, g, b)                                         \
  X (name, BYTES, 3, false, 0, 0, BYTE (r, 1, 0), BYTE (g, 1, 0),              \
     BYTE (b, 1, 0), NONE)
#define GBR_LE(X, name, bits)                                                  \
  X (name, BYTES, 3, false, 0, 0, LOW (2, 2, 0, bits), LOW (0, 2, 0, bits),    \
     LOW (1, 2, 0, bits), NONE)
#define GBRA_LE(X, name, bits)                                                 \
  X (name, BYTES, 4, true, 0, 0, LOW (2, 2, 0, bits), LOW (0, 2, 0, bits),     \
     LOW (1, 2, 0, bits), LOW (3, 2, 0, bits))

/* name, packing, planes, alpha, hsub, vsub, Y or R, Cb or G, Cr or B, A. The
 * first that a peer takes is what tone mapping makes. */
#define FORMATS_8(X)                                                           \
  TWO_PLANES_8 (X, NV12, 1, 1, 0, 1)                                           \
  PLANAR_8 (X, I420, 1, 1)                                                     \
  TWO_PLANES_8 (X, NV21, 1, 1, 1, 0)                                           \
  X (YV12, BYTES, 3, false, 1, 1, BYTE (0, 1, 0), BYTE (2, 1, 0),              \
     BYTE (1, 1, 0), NONE)                                                     \
  PACKED_ALPHA_8 (X, RGBA, 0, 1, 2, 3)                                         \
  PACKED_ALPHA_8 (X, BGRA, 2, 1, 0, 3)                                         \
  PACKED_8 (X, RGBx, 4, 0, 1, 2)                                               \
  PACKED_8 (X, BGRx, 4, 2, 1, 0)                                               \
  PACKED_ALPHA_8 (X, ARGB, 1, 2, 3, 0)                                         \
  PACKED_ALPHA_8 (X, ABGR, 3, 2, 1, 0)                                         \
  PACKED_8 (X, xRGB, 4, 1, 2, 3)                                               \
  PACKED_8 (X, xBGR, 4, 3, 2, 1)                                               \
  PACKED_8 (X, RGB, 3, 0, 1, 2)                                                \
  PACKED_8 (X, BGR, 3, 2, 1, 0)                                                \
  PACKED_422_8 (X, YUY2, 0, 1, 3)                                              \
  PACKED_422_8 (X, UYVY, 1, 0, 2)                                              \
  PACKED_422_8 (X, YVYU, 0, 3, 1)                                              \
  PACKED_422_8 (X, VYUY, 1, 2, 0)                                              \
  TWO_PLANES_8 (X, NV16, 1, 0, 0, 1)                                           \
  TWO_PLANES_8 (X, NV61, 1, 0, 1, 0)                                           \
  PLANAR_8 (X, Y42B, 1, 0)                                                     \
  TWO_PLANES_8 (X, NV24, 0, 0, 0, 1)                                           \
  PLANAR_8 (X, Y444, 0, 0)                                                     \
  PACKED_ALPHA_8 (X, AYUV, 1, 2, 3, 0)                                         \
  PACKED_ALPHA_8 (X, VUYA, 2, 1, 0, 3)                                         \
  PACKED_8 (X, v308, 3, 0, 1, 2)                                               \
  PACKED_8 (X, IYU2, 3, 1, 0, 2)                                               \
  X (A420, BYTES, 4, true, 1, 1, BYTE (0, 1, 0), BYTE (1, 1, 0),               \
     BYTE (2, 1, 0), BYTE (3, 1, 0))                                           \
  X (A422, BYTES, 4, true, 1, 0, BYTE (0, 1, 0), BYTE (1, 1, 0),               \
     BYTE (2, 1, 0), BYTE (3, 1, 0))                                           \
  X (A444, BYTES, 4, true, 0, 0, BYTE (0, 1, 0), BYTE (1, 1, 0),               \
     BYTE (2, 1, 0), BYTE (3, 1, 0))                                           \
  X (AV12, BYTES, 3, true, 1, 1, BYTE (0, 1, 0), BYTE (1, 2, 0),               \
     BYTE (1, 2, 1), BYTE (2, 1, 0))                                           \
  RGB_PLANES_8 (X, GBR, 2, 0, 1)                                               \
  RGB_PLANES_8 (X, RGBP, 0, 1, 2)                                              \
  RGB_PLANES_8 (X, BGRP, 2, 1, 0)                                              \
  X (GBRA, BYTES, 4, true, 0, 0, BYTE (2, 1, 0), BYTE (0, 1, 0),               \
     BYTE (1, 1, 0), BYTE (3, 1, 0))

#define FORMATS_10(X)                                                          \
  TWO_PLANES_LE (X, P010_10LE, 1, 1, 10)                                       \
  PLANAR_LE (X, I420_10LE, 1, 1, 10)                                           \
  PACKED_10 (X, RGB10A2_LE, 0, 10, 20)                                         \
  PACKED_10 (X, BGR10A2_LE, 20, 10, 0)                                         \
  PLANAR_LE (X, I422_10LE, 1, 0, 10)                                           \
  PACKED_422_LE (X, Y210, 0, 2, 6, 10)                                         \
  PLANAR_LE (X, Y444_10LE, 0, 0, 10)                                           \
  PACKED_10 (X, Y410, 10, 0, 20)                                               \
  PLANAR_ALPHA_LE (X, A420_10LE, 1, 1, 10)                                     \
  PLANAR_ALPHA_LE (X, A422_10LE, 1, 0, 10)                                     \
  PLANAR_ALPHA_LE (X, A444_10LE, 0, 0, 10)                                     \
  GBR_LE (X, GBR_10LE, 10)                                                     \
  GBRA_LE (X, GBRA_10LE, 10)

#define FORMATS_12(X)                                                          \
  TWO_PLANES_LE (X, P012_LE, 1, 1, 12)                                         \
  PLANAR_LE (X, I420_12LE, 1, 1, 12)                                           \
  PLANAR_LE (X, I422_12LE, 1, 0, 12)                                           \
  PACKED_422_LE (X, Y212_LE, 0, 2, 6, 12)                                      \
  PLANAR_LE (X, Y444_12LE, 0, 0, 12)                                           \
  PACKED_ALPHA_LE (X, Y412_LE, 2, 0, 4, 6, 12)                                 \
  PLANAR_ALPHA_LE (X, A420_12LE, 1, 1, 12)                                     \
  PLANAR_ALPHA_LE (X, A422_12LE, 1, 0, 12)                                     \
  PLANAR_ALPHA_LE (X, A444_12LE, 0, 0, 12)                                     \
  GBR_LE (X, GBR_12LE, 12)                                                     \
  GBRA_LE (X, GBRA_12LE, 12)

#define FORMATS_16(X)                                                          \
  TWO_PLANES_LE (X, P016_LE, 1, 1, 16)                                         \
  PACKED_422_LE (X, v216, 2, 0, 4, 16)                                         \
  PLANAR_LE (X, Y444_16LE, 0, 0, 16)                                           \
  PACKED_ALPHA_LE (X, AYUV64, 2, 4, 6, 0, 16)                                  \
  PACKED_ALPHA_LE (X, RGBA64_LE, 0, 2, 4, 6, 16)                               \
  PACKED_ALPHA_LE (X, BGRA64_LE, 4, 2, 0, 6, 16)                               \
  PACKED_ALPHA_LE (X, ARGB64_LE, 2, 4, 6, 0, 16)                               \
  PACKED_ALPHA_LE (X, ABGR64_LE, 6, 4, 2, 0, 16)                               \
  PACKED_ALPHA_LE (X, ARGB64, 2, 4, 6, 0, 16)                                  \
  PLANAR_ALPHA_LE (X, A420_16LE, 1, 1, 16)                                     \
  PLANAR_ALPHA_LE (X, A422_16LE, 1, 0, 16)                                     \
  PLANAR_ALPHA_LE (X, A444_16LE, 0, 0, 16)                                     \
  GBR_LE (X, GBR_16LE, 16)

#define FORMATS_LAST(X)                                                        \
  X (v210, THREE, 1, false, 1, 0, TEN (0, 2, 1), TEN (0, 4, 0), TEN (0, 4, 2), \
     NONE)                                                                     \
  X (NV12_10LE32, THREE, 2, false, 1, 1, TEN (0, 1, 0), TEN (1, 2, 0),         \
     TEN (1, 2, 1), NONE)                                                      \
  X (NV16_10LE32, THREE, 2, false, 1, 0, TEN (0, 1, 0), TEN (1, 2, 0),         \
     TEN (1, 2, 1), NONE)                                                      \
  X (NV12_10LE40, TEN, 2, false, 1, 1, TEN (0, 1, 0), TEN (1, 2, 0),           \
     TEN (1, 2, 1), NONE)                                                      \
  X (GRAY10_LE32, THREE, 1, false, 0, 0, TEN (0, 1, 0), ABSENT (1),            \
     ABSENT (1), NONE)                                                         \
  PLANAR_8 (X, Y41B, 2, 0)                                                     \
  PACKED_SHORT (X, RGB16, 11, 5, 0, 6)                                         \
  PACKED_SHORT (X, BGR16, 0, 5, 11, 6)                                         \
  PACKED_SHORT (X, RGB15, 10, 5, 0, 5)                                         \
  PACKED_SHORT (X, BGR15, 0, 5, 10, 5)                                         \
  X (GRAY8, BYTES, 1, false, 0, 0, BYTE (0, 1, 0), ABSENT (1), ABSENT (1),     \
     NONE)                                                                     \
  X (GRAY16_LE, BYTES, 1, false, 0, 0, LOW (0, 2, 0, 16), ABSENT (2),          \
     ABSENT (2), NONE)

#define FORMATS(X)                                                             \
  FORMATS_8 (X) FORMATS_10 (X) FORMATS_12 (X) FORMATS_16 (X) FORMATS_LAST (X)

#define NAME(name, ...) #name,
const gchar *const color_formats[] = { FORMATS (NAME) NULL };
#undef NAME

#define ROW(name, packing, n, alpha, h, v, c0, c1, c2, c3)                     \
  { PACKING_##packing, n, alpha, h, v, { c0, c1, c2, c3 } },
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
