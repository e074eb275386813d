/* Work frames. */
#include "workform.h"

#include "gst/color/kernel.h"

/* Formats that lie in memory as work frames do, samples of fewer bits: by alpha
 * and subsampling. */
static const GstVideoFormat carriers[2][3] = {
  { GST_VIDEO_FORMAT_Y444_10LE, GST_VIDEO_FORMAT_I422_10LE,
    GST_VIDEO_FORMAT_I420_10LE },
  { GST_VIDEO_FORMAT_A444_10LE, GST_VIDEO_FORMAT_A422_10LE,
    GST_VIDEO_FORMAT_A420_10LE },
};

gboolean
workform_can_subsample (gint hsub, gint vsub)
{
  return (hsub == 0 || hsub == 1) && vsub >= 0 && vsub <= hsub;
}

void
workform_init (struct colorside *form,
               const struct color_description *description, gboolean alpha,
               gint hsub, gint vsub, gint width, gint height)
{
  const guint n = alpha ? 4 : 3;

  if (!workform_can_subsample (hsub, vsub))
    hsub = vsub = 0;
  *form = (struct colorside){
    .color = { .description = *description,
               .format = { .n_planes = (int)n,
                           .has_alpha = alpha,
                           .hsub = hsub,
                           .vsub = vsub } },
    .storage = VKC_STORAGE_BUFFER,
  };
  for (guint i = 0; i < 4; i++)
    form->color.format.component[i] = (struct color_component){
      .plane = i < n ? (int)i : 0, .step = 2, .bits = 16
    };
  gst_video_info_set_format (&form->info, carriers[!!alpha][hsub + vsub], width,
                             height);
}

void
workform_init_packed (struct colorside *form,
                      const struct color_description *description, gint width,
                      gint height)
{
  *form = (struct colorside){
    .color = { .description = *description,
               .format = { .n_planes = 1, .has_alpha = true } },
    .storage = VKC_STORAGE_BUFFER,
  };
  for (guint i = 0; i < 4; i++)
    form->color.format.component[i] = (struct color_component){
      .offset = (int)i * 2, .step = 8, .bits = 16
    };
  gst_video_info_set_format (&form->info, GST_VIDEO_FORMAT_ARGB64, width,
                             height);
}

static gint
sub_of (gint sub, guint plane)
{
  return plane == 1 || plane == 2 ? sub : 0;
}

gint
workform_hsub (const struct colorside *form, guint plane)
{
  return sub_of (form->color.format.hsub, plane);
}

gint
workform_vsub (const struct colorside *form, guint plane)
{
  return sub_of (form->color.format.vsub, plane);
}

guint
workform_code (const struct colorside *form, const struct colorside *like,
               const struct color_settings *settings, guint32 argb, guint plane)
{
  const struct color_light light = { 0 };
  struct color_side rgb = {
    .description = { .matrix = COLOR_MATRIX_RGB,
                     .range = COLOR_RANGE_FULL,
                     .primaries = like->color.description.primaries,
                     .transfer = like->color.description.transfer },
    .format = { .n_planes = 1, .has_alpha = true },
  };
  const float codes[3]
      = { (argb >> 16) & 0xff, (argb >> 8) & 0xff, argb & 0xff };
  struct color_plan plan;
  float signal[3];

  for (guint i = 0; i < 4; i++)
    rgb.format.component[i] = (struct color_component){ .step = 1, .bits = 8 };
  color_plan_init (&plan, &rgb, &light, &form->color, settings);
  if (plane == 3)
    return color_kernel_alpha (&plan, argb >> 24);
  color_kernel_signal (&plan, codes, signal);
  return color_kernel_code (&plan, (int)plane, signal);
}
