/* From runs to verdicts. */
#include "tests/gpu/kernel_check.h"

#include <gst/check/gstcheck.h>
#include <stdlib.h>

#include "tests/support/support.h"

struct vkc_device *kernel_check_device;
static struct vkc_owner *owner;

static void
fail_on_error (const GError *error, void *data)
{
  ck_abort_msg ("%s", error->message);
}

void
kernel_check_setup (void)
{
  kernel_check_device = test_device_new ();
  owner = vkc_owner_new ("kernels", fail_on_error, NULL, NULL);
}

void
kernel_check_teardown (void)
{
  test_assert_counts_agree (kernel_check_device);
  vkc_owner_unref (owner);
  vkc_device_unref (kernel_check_device);
  test_assert_all_gone ();
}

/* Compares the device's frame with the model's: nothing off by more than one
 * code, and at least @share of it exact. */
static void
compare (const struct run *run, const struct color_plan *plan, double share,
         const char *what)
{
  const struct side *target = &run->target;
  struct side expected = *target;
  long exact = 0, all = 0;

  expected.bytes = g_malloc0 (target->params.size);
  for (guint i = 0; i < target->params.n_planes; i++)
    expected.frame.plane[i] = expected.bytes + target->info.offset[i];
  model_convert (plan, &run->source.frame, &run->source.color.description.site,
                 &expected.frame, &target->color.description.site);
  for (int k = 0; k < (target->color.format.has_alpha ? 4 : 3); k++) {
    for (int y = 0; y < model_rows (&target->frame, k); y++) {
      for (int x = 0; x < model_columns (&target->frame, k); x++) {
        const int got = (int)model_get (&target->frame, k, x, y);
        const int want = (int)model_get (&expected.frame, k, x, y);

        fail_unless (abs (got - want) <= (k == 3 ? 0 : 1),
                     "%s: component %d at %d,%d is %d, not %d", what, k, x, y,
                     got, want);
        exact += got == want;
        all++;
      }
    }
  }
  g_free (expected.bytes);
  fail_unless (exact >= share * all, "%s: %ld of %ld exact", what, exact, all);
}

void
kernel_check_run (struct run *run, struct color_plan *plan)
{
  run_to_image (kernel_check_device, &run->source);
  run_to_image (kernel_check_device, &run->target);
  run_dispatch (run, kernel_check_device, owner, plan);
}

/* From random codes, in blocks of 8 and, with @both, of 4. */
void
kernel_check_model (struct run *run, bool both, double share, const char *what)
{
  for (run->block = 8; run->block >= (both ? 4 : 8); run->block -= 4) {
    struct color_plan plan;

    if (run->block == 4 && run->target.color.format.n_planes == 3)
      continue; /* chroma of such a block is no whole word */
    color_plan_init (&plan, &run->source.color, &run->light, &run->target.color,
                     &run->settings);
    run_allocate (&run->source, run->pad, run->offset, 0xff);
    run_allocate (&run->target, run->pad, 0, 0xee);
    run_fill_randomly (&run->source.frame, 1);
    kernel_check_run (run, &plan);
    compare (run, &plan, share, what);
    run_free_side (&run->source);
    run_free_side (&run->target);
  }
}

const struct color_site kernel_sites[KERNEL_SITES]
    = { { false, false }, { true, false }, { true, true } };

void
kernel_describe_sdr (struct run *run, GstVideoFormat from, GstVideoFormat to,
                     int width, int height, struct color_site from_site,
                     struct color_site to_site)
{
  run_describe (&run->source, from, width, height, COLOR_MATRIX_BT601,
                COLOR_PRIMARIES_BT709, COLOR_TRANSFER_BT1886, from_site);
  run_describe (&run->target, to, width, height, COLOR_MATRIX_BT709,
                COLOR_PRIMARIES_BT709, COLOR_TRANSFER_BT1886, to_site);
}

void
kernel_describe_hdr (struct run *run, GstVideoFormat from, GstVideoFormat to,
                     enum color_transfer transfer, int width, int height,
                     struct color_site site)
{
  run_describe (&run->source, from, width, height, COLOR_MATRIX_BT2020,
                COLOR_PRIMARIES_BT2020, transfer, site);
  run_describe (&run->target, to, width, height, COLOR_MATRIX_BT709,
                COLOR_PRIMARIES_BT709, COLOR_TRANSFER_BT1886, site);
  run->settings = (struct color_settings){ .tone_map = true,
                                           .curve = COLOR_CURVE_BT2390,
                                           .mode = COLOR_TONE_MAX };
  run->light.max_cll = 1000;
}
