/* The filter that adds. */
#include "tests/elements/adder.h"

#include "gst/base/gstvkccaps.h"
#include "gst/base/gstvkcfilter.h"

static const uint32_t buffer_code[] = {
#include "add_buffer.inc"
};
static const uint32_t image_code[] = {
#include "add_image.inc"
};

static const gchar *const formats[] = { "GRAY8", "NV12", "I420", "RGBA", NULL };

struct params
{
  guint32 from[3][4];
  guint32 to[3][2];
  guint32 amount;
};

#define TEST_TYPE_ADDER (test_adder_get_type ())
G_DECLARE_FINAL_TYPE (TestAdder, test_adder, TEST, ADDER, GstVkcFilter)

struct _TestAdder
{
  GstVkcFilter parent;

  guint amount;
  gboolean through;
  struct vkc_pipeline *pipeline;
};

G_DEFINE_FINAL_TYPE (TestAdder, test_adder, GST_TYPE_VKC_FILTER)

enum
{
  PROP_0,
  PROP_AMOUNT,
  PROP_THROUGH,
};

static const struct vkc_kernel *
kernel_for (enum vkc_storage storage)
{
  static const struct vkc_kernel in_buffers = {
    .name = "add_buffer",
    .code = buffer_code,
    .code_size = sizeof buffer_code,
    .n_bindings = 2,
    .bindings
    = { { "source", 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, true, false },
        { "target", 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, false, true } },
    .push_constants_size = sizeof (struct params),
  };
  static const struct vkc_kernel in_images = {
    .name = "add_image",
    .code = image_code,
    .code_size = sizeof image_code,
    .n_bindings = 2,
    .bindings
    = { { "source", 0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 3, true, false },
        { "target", 1, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 3, false, true } },
    .push_constants_size = sizeof (struct params),
  };

  return storage == VKC_STORAGE_IMAGE ? &in_images : &in_buffers;
}

static gboolean
test_adder_set_info (GstVkcFilter *filter, GstCaps *in_caps,
                     const GstVideoInfo *in, GstCaps *out_caps,
                     const GstVideoInfo *out, GError **error)
{
  TestAdder *self = TEST_ADDER (filter);

  g_clear_pointer (&self->pipeline, vkc_pipeline_unref);
  self->pipeline
      = vkc_pipeline_get (gst_vkc_filter_get_device (filter),
                          kernel_for (gst_vkc_storage_for_caps (in_caps, in)), NULL, error);
  gst_base_transform_set_passthrough (GST_BASE_TRANSFORM (self), self->through);
  return self->pipeline != NULL;
}

static guint
fill_plane (struct params *params, const GstVkcFrame *in,
            const GstVkcFrame *out, guint plane)
{
  const gboolean image = in->storage == VKC_STORAGE_IMAGE;
  const guint bytes = gst_vkc_plane_row_bytes (in->info, plane);
  const guint texel = GST_VIDEO_INFO_COMP_PSTRIDE (in->info, plane);

  params->from[plane][0] = image ? in->origin_x[plane] : in->offset[plane];
  params->from[plane][1] = image ? in->origin_y[plane] : in->stride[plane];
  params->from[plane][2] = image ? bytes / texel : bytes;
  params->from[plane][3] = gst_vkc_plane_rows (in->info, plane);
  params->to[plane][0] = out->offset[plane];
  params->to[plane][1] = out->stride[plane];
  return params->from[plane][2];
}

static gboolean
test_adder_plan (GstVkcFilter *filter, const GstVkcFrame *in,
                 const GstVkcFrame *out, struct vkc_job *job, GError **error)
{
  TestAdder *self = TEST_ADDER (filter);
  const guint n_planes = GST_VIDEO_INFO_N_PLANES (in->info);
  struct params params = { .amount = self->amount };
  guint widest = 0;

  for (guint i = 0; i < n_planes; i++)
    widest = MAX (widest, fill_plane (&params, in, out, i));
  vkc_job_set_pipeline (job, self->pipeline);
  vkc_job_set_groups (job, (widest + 63) / 64, GST_VIDEO_INFO_HEIGHT (in->info),
                      n_planes);
  return vkc_job_set_push_constants (job, &params, sizeof params, error)
         && gst_vkc_frame_bind (in, job, 0, error)
         && gst_vkc_frame_bind (out, job, 1, error);
}

static void
test_adder_reset (GstVkcFilter *filter)
{
  g_clear_pointer (&TEST_ADDER (filter)->pipeline, vkc_pipeline_unref);
}

static void
test_adder_add_stats (GstVkcFilter *filter, GstStructure *element)
{
  gst_structure_set (element, "amount", G_TYPE_UINT,
                     TEST_ADDER (filter)->amount, NULL);
}

static GstCaps *
test_adder_transform_caps (GstVkcFilter *self, GstPadDirection direction,
                           GstCaps *caps, GstCaps *filter)
{
  return gst_vkc_caps_transform (caps, 0, NULL, filter);
}

static void
test_adder_set_property (GObject *object, guint id, const GValue *value,
                         GParamSpec *pspec)
{
  TestAdder *self = TEST_ADDER (object);

  if (id == PROP_AMOUNT)
    self->amount = g_value_get_uint (value);
  else
    self->through = g_value_get_boolean (value);
  /* Passthrough may change without new caps, too. */
  gst_vkc_filter_refresh (GST_VKC_FILTER (self));
}

static void
test_adder_get_property (GObject *object, guint id, GValue *value,
                         GParamSpec *pspec)
{
  TestAdder *self = TEST_ADDER (object);

  if (id == PROP_AMOUNT)
    g_value_set_uint (value, self->amount);
  else
    g_value_set_boolean (value, self->through);
}

static void
test_adder_class_init (TestAdderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstVkcFilterClass *filter_class = GST_VKC_FILTER_CLASS (klass);

  object_class->set_property = test_adder_set_property;
  object_class->get_property = test_adder_get_property;
  g_object_class_install_property (
      object_class, PROP_AMOUNT,
      g_param_spec_uint ("amount", "Amount", "What is added", 0, 255, 1,
                         G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
                             | GST_PARAM_CONTROLLABLE));
  g_object_class_install_property (
      object_class, PROP_THROUGH,
      g_param_spec_boolean ("through", "Through", "Be in passthrough", FALSE,
                            G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
  gst_vkc_filter_class_add_pads (element_class,
                                 gst_vkc_caps_template (formats));
  gst_element_class_set_static_metadata (element_class, "Adder", "Filter/Video",
                                         "Adds to bytes", "gst-vkcompute");
  filter_class->transform_caps = test_adder_transform_caps;
  filter_class->set_info = test_adder_set_info;
  filter_class->plan = test_adder_plan;
  filter_class->reset = test_adder_reset;
  filter_class->add_stats = test_adder_add_stats;
}

static void
test_adder_init (TestAdder *self)
{
  self->amount = 1;
}

void
test_adder_register (void)
{
  gst_element_register (NULL, "vkctestadd", GST_RANK_NONE, TEST_TYPE_ADDER);
}
