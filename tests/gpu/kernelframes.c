/* The colour kernels on frames of any size and layout, in the storage that
 * $VKC_MEMORY names. */
#include <gst/check/gstcheck.h>
#include <string.h>

#include "gst/base/gstvkccaps.h"
#include "tests/gpu/kernel_check.h"
#include "tests/support/support.h"

GST_START_TEST (any_size_comes_out_whole)
{
  static const int sizes[][2]
      = { { 1, 1 }, { 2, 1 }, { 1, 2 }, { 3, 3 }, { 7, 18 }, { 65, 5 } };

  for (unsigned i = 0; i < G_N_ELEMENTS (sizes); i++) {
    struct run run = { 0 };
    g_autofree gchar *what
        = g_strdup_printf ("%dx%d", sizes[i][0], sizes[i][1]);

    kernel_describe_hdr (&run, GST_VIDEO_FORMAT_P010_10LE,
                         GST_VIDEO_FORMAT_NV12, COLOR_TRANSFER_PQ, sizes[i][0],
                         sizes[i][1], kernel_sites[2]);
    kernel_check_model (&run, false, 0, what);
  }
}
GST_END_TEST;

GST_START_TEST (planes_may_start_at_any_byte)
{
  for (unsigned offset = 1; offset < 4; offset++) {
    struct run run = { .offset = offset };

    kernel_describe_sdr (&run, GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_RGBA, 41,
                         6, kernel_sites[0], kernel_sites[0]);
    if (gst_vkc_storage_for (&run.source.info) == VKC_STORAGE_IMAGE)
      test_skip ("images have no bytes");
    kernel_check_model (&run, false, 0.999, "offset");
  }
}
GST_END_TEST;

/* Rows' padding may change; bytes before, between and behind may not. Images
 * have none, and of memory that the CPU does not see it is not copied. */
GST_START_TEST (padding_neither_shows_nor_spills)
{
  struct run run = { .pad = 64, .block = 8 };
  struct color_plan plan;
  uint8_t *first = NULL;

  kernel_describe_hdr (&run, GST_VIDEO_FORMAT_P010_10LE, GST_VIDEO_FORMAT_NV12,
                       COLOR_TRANSFER_PQ, 37, 5, kernel_sites[2]);
  color_plan_init (&plan, &run.source.color, &run.light, &run.target.color,
                   &run.settings);
  for (int i = 0; i < 2; i++) {
    run_allocate (&run.source, run.pad, 0, i == 0 ? 0xff : 0x00);
    run_allocate (&run.target, run.pad, 0, 0xee);
    run_fill_randomly (&run.source.frame, 2);
    kernel_check_run (&run, &plan);
    for (guint p = 0; p < 2; p++) {
      const size_t visible
          = GST_ROUND_UP_4 (gst_vkc_plane_row_bytes (&run.target.info, p));

      for (guint y = 0; y < gst_vkc_plane_rows (&run.target.info, p); y++) {
        const uint8_t *row
            = run.target.frame.plane[p] + y * run.target.info.stride[p];

        for (size_t x = visible; x < (size_t)run.target.info.stride[p]; x++)
          fail_unless (run.target.params.storage == VKC_STORAGE_IMAGE
                           || !kernel_check_device->has_direct_memory
                           || row[x] == 0xee,
                       "plane %u, row %u, byte %zu", p, y, x);
      }
    }
    if (first == NULL)
      first = g_memdup2 (run.target.bytes, run.target.params.size);
    else
      for (int y = 0; y < 5; y++)
        fail_unless (memcmp (run.target.bytes + y * run.target.info.stride[0],
                             first + y * run.target.info.stride[0], 37)
                     == 0);
    run_free_side (&run.source);
    run_free_side (&run.target);
  }
  g_free (first);
}
GST_END_TEST;

/* Low bits of P010 that hold junk are not seen, and none are written. */
GST_START_TEST (low_bits_are_ignored_and_zero)
{
  struct run run = { .block = 8 };
  struct color_plan plan;

  kernel_describe_sdr (&run, GST_VIDEO_FORMAT_P010_10LE,
                       GST_VIDEO_FORMAT_P010_10LE, 32, 4, kernel_sites[1],
                       kernel_sites[1]);
  run.target.color.description.matrix = COLOR_MATRIX_BT601;
  color_plan_init (&plan, &run.source.color, &run.light, &run.target.color,
                   &run.settings);
  run_allocate (&run.source, 0, 0, 0xff);
  run_allocate (&run.target, 0, 0, 0xee);
  run_fill_randomly (&run.source.frame, 3);
  kernel_check_run (&run, &plan);
  for (size_t i = 0; i < run.target.params.size; i++) {
    const uint8_t expected
        = i % 2 == 0 ? run.source.bytes[i] & 0xc0 : run.source.bytes[i];
    fail_unless (run.target.bytes[i] == expected, "byte %zu is %02x, not %02x",
                 i, run.target.bytes[i], expected);
  }
  run_free_side (&run.source);
  run_free_side (&run.target);
}
GST_END_TEST;

/* Luma columns of chroma 64 64 192 192, by site; and the way down. */
GST_START_TEST (chroma_sits_where_its_site_says)
{
  static const uint8_t left[8] = { 64, 64, 64, 128, 192, 192, 192, 192 };
  static const uint8_t centre[8] = { 64, 64, 64, 96, 160, 192, 192, 192 };

  for (int site = 0; site < 2; site++) {
    struct run run = { .block = 8 };
    struct color_plan plan;

    run_describe (&run.source, GST_VIDEO_FORMAT_I420, 8, 4, COLOR_MATRIX_BT709,
                  COLOR_PRIMARIES_BT709, COLOR_TRANSFER_BT1886,
                  kernel_sites[site]);
    run_describe (&run.target, GST_VIDEO_FORMAT_RGBA, 8, 4, COLOR_MATRIX_RGB,
                  COLOR_PRIMARIES_BT709, COLOR_TRANSFER_BT1886,
                  kernel_sites[site]);
    /* RGB out with an identity for a matrix shows Cb itself. */
    run.source.color.description.matrix = COLOR_MATRIX_RGB;
    run.source.color.description.range = COLOR_RANGE_FULL;
    color_plan_init (&plan, &run.source.color, &run.light, &run.target.color,
                     &run.settings);
    run_allocate (&run.source, 0, 0, 0);
    run_allocate (&run.target, 0, 0, 0);
    for (int i = 0; i < 8; i++)
      model_set (&run.source.frame, 1, i % 4, i / 4, i % 4 < 2 ? 64 : 192);
    kernel_check_run (&run, &plan);
    for (int x = 0; x < 8; x++)
      fail_unless (model_get (&run.target.frame, 1, x, 1)
                       == (site == 1 ? left[x] : centre[x]),
                   "site %d, column %d: %u", site, x,
                   model_get (&run.target.frame, 1, x, 1));
    run_free_side (&run.source);
    run_free_side (&run.target);
  }
}
GST_END_TEST;

static Suite *
kernelframes_suite (void)
{
  Suite *suite = suite_create ("kernelframes");
  TCase *cases = tcase_create ("colour");

  suite_add_tcase (suite, cases);
  tcase_set_timeout (cases, 240);
  tcase_add_checked_fixture (cases, kernel_check_setup, kernel_check_teardown);
  tcase_add_test (cases, any_size_comes_out_whole);
  tcase_add_test (cases, planes_may_start_at_any_byte);
  tcase_add_test (cases, padding_neither_shows_nor_spills);
  tcase_add_test (cases, low_bits_are_ignored_and_zero);
  tcase_add_test (cases, chroma_sits_where_its_site_says);
  return suite;
}

GST_CHECK_MAIN (kernelframes);
