/* Shaders, and what they do. */
#include "tests/elements/compute_cases.h"

#include <math.h>

void
picture_init (struct picture *picture, const GstVideoInfo *info)
{
  *picture = (struct picture){ .width = info->width,
                               .height = info->height,
                               .n_planes = GST_VIDEO_INFO_N_PLANES (info) };
  for (guint i = 0; i < picture->n_planes; i++) {
    gint components[GST_VIDEO_MAX_COMPONENTS];

    gst_video_format_info_component (info->finfo, i, components);
    picture->row_bytes[i] = GST_VIDEO_INFO_COMP_WIDTH (info, components[0])
                            * GST_VIDEO_INFO_COMP_PSTRIDE (info, components[0]);
    picture->rows[i] = GST_VIDEO_INFO_COMP_HEIGHT (info, components[0]);
    picture->data[i]
        = g_malloc0 ((gsize)picture->row_bytes[i] * picture->rows[i]);
  }
}

void
picture_from_buffer (struct picture *picture, const GstVideoInfo *info,
                     GstBuffer *buffer)
{
  GstVideoFrame frame;

  picture_init (picture, info);
  gst_video_frame_map (&frame, info, buffer, GST_MAP_READ);
  for (guint i = 0; i < picture->n_planes; i++)
    for (guint y = 0; y < picture->rows[i]; y++)
      memcpy (picture->data[i] + (gsize)y * picture->row_bytes[i],
              (guint8 *)frame.data[i] + (gsize)y * frame.info.stride[i],
              picture->row_bytes[i]);
  gst_video_frame_unmap (&frame);
}

void
picture_clear (struct picture *picture)
{
  for (guint i = 0; i < picture->n_planes; i++)
    g_free (picture->data[i]);
}

static gsize
plane_size (const struct picture *picture, guint plane)
{
  return (gsize)picture->row_bytes[plane] * picture->rows[plane];
}

static void
expect_invert_rgb (const struct picture *in, struct picture *out)
{
  for (gsize i = 0; i < plane_size (in, 0); i++)
    out->data[0][i] = i % 4 == 3 ? in->data[0][i] : 255 - in->data[0][i];
}

static void
expect_invert_all (const struct picture *in, struct picture *out)
{
  for (guint plane = 0; plane < in->n_planes; plane++)
    for (gsize i = 0; i < plane_size (in, plane); i++)
      out->data[plane][i] = ~in->data[plane][i];
}

static gdouble
luma_at (const struct picture *in, gint x, gint y)
{
  const guint8 *p;

  x = CLAMP (x, 0, (gint)in->width - 1);
  y = CLAMP (y, 0, (gint)in->height - 1);
  p = in->data[0] + (gsize)y * in->row_bytes[0] + 4 * x;
  return (0.2126 * p[0] + 0.7152 * p[1] + 0.0722 * p[2]) / 255;
}

/* The two kernels as matrices. */
static void
expect_sobel (const struct picture *in, struct picture *out)
{
  static const gint kernel[3][3] = { { -1, 0, 1 }, { -2, 0, 2 }, { -1, 0, 1 } };

  for (guint y = 0; y < in->height; y++)
    for (guint x = 0; x < in->width; x++) {
      guint8 *p = out->data[0] + (gsize)y * out->row_bytes[0] + 4 * x;
      gdouble gx = 0, gy = 0;

      for (gint j = 0; j < 3; j++)
        for (gint i = 0; i < 3; i++) {
          const gdouble luma = luma_at (in, (gint)x + i - 1, (gint)y + j - 1);

          gx += kernel[j][i] * luma;
          gy += kernel[i][j] * luma;
        }
      p[0] = p[1] = p[2] = lrint (255 * MIN (sqrt (gx * gx + gy * gy), 1));
      p[3] = 255;
    }
}

static void
expect_planes (const struct picture *in, struct picture *out)
{
  for (gsize i = 0; i < plane_size (in, 0); i++)
    out->data[0][i] = 255 - in->data[0][i];
  for (guint plane = 1; plane < 3; plane++)
    for (gsize i = 0; i < plane_size (in, plane); i++)
      out->data[plane][i] = lrint ((128 + in->data[plane][i]) / 2.0);
}

static void
expect_flip (const struct picture *in, struct picture *out)
{
  for (guint y = 0; y < in->rows[0]; y++)
    memcpy (out->data[0] + (gsize)y * out->row_bytes[0],
            in->data[0] + (gsize)(in->rows[0] - 1 - y) * in->row_bytes[0],
            in->row_bytes[0]);
}

static void
expect_swap_red_blue (const struct picture *in, struct picture *out)
{
  static const guint from[] = { 2, 1, 0, 3 };

  for (gsize i = 0; i < plane_size (in, 0); i++)
    out->data[0][i] = in->data[0][i / 4 * 4 + from[i % 4]];
}

static void
expect_luma (const struct picture *in, struct picture *out)
{
  for (guint y = 0; y < in->height; y++)
    for (guint x = 0; x < in->width; x++) {
      const guint8 *p = in->data[0] + (gsize)y * in->row_bytes[0] + 4 * x;

      out->data[0][(gsize)y * out->row_bytes[0] + x]
          = (p[0] + 2 * p[1] + p[2]) / 4;
    }
}

static void
expect_two_planes (const struct picture *in, struct picture *out)
{
  for (gsize i = 0; i < plane_size (in, 0); i++)
    out->data[0][i] = 255 - in->data[0][i];
  for (gsize i = 0; i < plane_size (in, 1); i++)
    out->data[1][i] = in->data[1][i ^ 1];
}

const struct compute_case compute_cases[] = {
  { "invert.comp", "RGBA", "RGBA", 0, expect_invert_rgb },
  { "invert.comp", "RGBx", "RGBx", 0, expect_invert_rgb },
  { "sobel.comp", "RGBA", "RGBA", 1, expect_sobel },
  { "planes.comp", "I420", "I420", 1, expect_planes },
  { "planes.comp", "Y42B", "Y42B", 1, expect_planes },
  { "planes.comp", "GBR", "GBR", 1, expect_planes },
  { "flip.comp", "RGBA", "RGBA", 0, expect_flip },
  { "flip.comp", "BGRx", "BGRx", 0, expect_flip },
  { "test/xor_words.comp", "I420", "I420", 0, expect_invert_all },
  { "test/xor_words.comp", "UYVY", "UYVY", 0, expect_invert_all },
  { "test/in_place.comp", "RGBA", "RGBA", 0, expect_swap_red_blue },
  { "test/invert_gray8.comp", "GRAY8", "GRAY8", 0, expect_invert_all },
  { "test/invert_gray16.comp", "GRAY16_LE", "GRAY16_LE", 0, expect_invert_all },
  { "test/invert_rgb10.comp", "RGB10A2_LE", "RGB10A2_LE", 0,
    expect_invert_all },
  { "test/invert_rgba16.comp", "RGBA64_LE", "RGBA64_LE", 0, expect_invert_all },
  { "test/formatless.comp", "NV12", "NV12", 0, expect_invert_all },
  { "test/formatless.comp", "P010_10LE", "P010_10LE", 0, expect_invert_all },
  { "test/luma.comp", "RGBA", "GRAY8", 0, expect_luma },
  { "test/two_planes.comp", "NV12", "NV12", 0, expect_two_planes },
  { "test/fetch.comp", "RGBA", "RGBA", 0, expect_swap_red_blue },
};
const guint n_compute_cases = G_N_ELEMENTS (compute_cases);

const struct compute_case *
compute_case_find (const gchar *shader)
{
  for (guint i = 0; i < n_compute_cases; i++)
    if (g_str_equal (compute_cases[i].shader, shader))
      return &compute_cases[i];
  g_assert_not_reached ();
}
