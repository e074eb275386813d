/* The colour kernels on a device, in the storage that $VKC_MEMORY names,
 * against the model and the vectors. */
#include <gst/check/gstcheck.h>
#include <stdlib.h>
#include <string.h>

#include "gst/base/gstvkccaps.h"
#include "tests/gpu/kernel_run.h"
#include "tests/support/support.h"
#include "tests/unit/vectors.h"

static struct vkc_device *device;
static struct vkc_owner *owner;

static void
fail_on_error (const GError *error, void *data)
{
  ck_abort_msg ("%s", error->message);
}

static void
setup (void)
{
  device = test_device_new ();
  owner = vkc_owner_new ("kernels", fail_on_error, NULL, NULL);
}

static void
teardown (void)
{
  test_assert_counts_agree (device);
  vkc_owner_unref (owner);
  vkc_device_unref (device);
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

/* From random codes, in blocks of 8 and, with @both, of 4. */
static void
run_against_model (struct run *run, bool both, double share, const char *what)
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
    run_to_image (device, &run->source);
    run_to_image (device, &run->target);
    run_dispatch (run, device, owner, &plan);
    compare (run, &plan, share, what);
    run_free_side (&run->source);
    run_free_side (&run->target);
  }
}

static const struct color_site sites[]
    = { { false, false }, { true, false }, { true, true } };

static const GstVideoFormat all_formats[] = {
  GST_VIDEO_FORMAT_NV12,       GST_VIDEO_FORMAT_I420,
  GST_VIDEO_FORMAT_RGBA,       GST_VIDEO_FORMAT_BGRA,
  GST_VIDEO_FORMAT_P010_10LE,  GST_VIDEO_FORMAT_I420_10LE,
  GST_VIDEO_FORMAT_RGB10A2_LE,
};
#define N_FORMATS ((int)G_N_ELEMENTS (all_formats))

static void
describe_sdr (struct run *run, GstVideoFormat from, GstVideoFormat to,
              int width, int height, struct color_site from_site,
              struct color_site to_site)
{
  run_describe (&run->source, from, width, height, COLOR_MATRIX_BT601,
                COLOR_PRIMARIES_BT709, COLOR_TRANSFER_BT1886, from_site);
  run_describe (&run->target, to, width, height, COLOR_MATRIX_BT709,
                COLOR_PRIMARIES_BT709, COLOR_TRANSFER_BT1886, to_site);
}

/* The loop: which format to start from. Loads know nothing of stores, so three
 * targets for each are enough. */
GST_START_TEST (every_format_is_read_and_written)
{
  for (int i = 0; i < 3; i++) {
    const GstVideoFormat from = all_formats[__i__];
    const GstVideoFormat to = all_formats[(__i__ + 2 * i) % N_FORMATS];
    struct run run = { .pad = 4 };
    g_autofree gchar *what
        = g_strdup_printf ("%s to %s", gst_video_format_to_string (from),
                           gst_video_format_to_string (to));

    describe_sdr (&run, from, to, 43, 11, sites[1], sites[1]);
    run_against_model (&run, i == 1, 0.999, what);
  }
}
GST_END_TEST;

/* The loop: which target. */
GST_START_TEST (dither_follows_the_model)
{
  static const GstVideoFormat targets[]
      = { GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_BGRA, GST_VIDEO_FORMAT_I420 };
  struct run run = { .settings.dither = COLOR_DITHER_ORDERED };

  describe_sdr (&run, GST_VIDEO_FORMAT_P010_10LE, targets[__i__], 75, 70,
                sites[1], sites[2]);
  run_against_model (&run, true, 0.999, "dither");
}
GST_END_TEST;

static void
describe_hdr (struct run *run, GstVideoFormat from, GstVideoFormat to,
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

/* The loop: which site. */
GST_START_TEST (hdr_is_mapped_in_every_chroma_site)
{
  struct run run = { 0 };

  describe_hdr (&run, GST_VIDEO_FORMAT_P010_10LE, GST_VIDEO_FORMAT_NV12,
                COLOR_TRANSFER_PQ, 70, 22, sites[__i__]);
  run_against_model (&run, true, 0.99, "pq");
}
GST_END_TEST;

/* The loop: which site. Whole blocks and row pairs: on a CPU, lanes go along
 * their rows and give each other what is above and below. Two walks in a row
 * and several bands; the last ones start before those before them end. From the
 * same site, from another one, and from a source with all chroma. Mutations
 * that fail: what is left of a block, of the row above the band or of chroma
 * does not move along, the lane that stands for the row above does not change,
 * frames do not start or end with what they repeat, the last lane has the pair
 * below from another. */
GST_START_TEST (pixels_between_blocks_follow_the_model)
{
  static const struct
  {
    GstVideoFormat from, to;
    int site;
  } runs[] = {
    { GST_VIDEO_FORMAT_P010_10LE, GST_VIDEO_FORMAT_NV12, 0 },
    { GST_VIDEO_FORMAT_P010_10LE, GST_VIDEO_FORMAT_NV12, 2 },
    { GST_VIDEO_FORMAT_RGB10A2_LE, GST_VIDEO_FORMAT_I420, 0 },
  };

  for (unsigned i = 0; i < G_N_ELEMENTS (runs); i++) {
    struct run run = { 0 };

    describe_hdr (&run, runs[i].from, runs[i].to, COLOR_TRANSFER_PQ, 520, 46,
                  sites[__i__]);
    run.source.color.description.site = sites[(__i__ + runs[i].site) % 3];
    run.settings.gamut = COLOR_GAMUT_DESATURATE;
    run_against_model (&run, false, 0.99, "edges");
  }
}
GST_END_TEST;

/* The loop: which site of the source. The same walks where there is no light,
 * and no chroma or another site's to be made. */
GST_START_TEST (rows_without_light_follow_the_model)
{
  static const GstVideoFormat to[]
      = { GST_VIDEO_FORMAT_BGRA, GST_VIDEO_FORMAT_I420 };

  for (unsigned i = 0; i < G_N_ELEMENTS (to); i++) {
    struct run run = { 0 };

    describe_sdr (&run, GST_VIDEO_FORMAT_NV12, to[i], 520, 46, sites[__i__],
                  sites[(__i__ + 1) % 3]);
    run_against_model (&run, false, 0.999, "rows");
  }
}
GST_END_TEST;

/* The loop: which site. On a GPU the pixels come from the workgroup: three of
 * them side by side, the last one not full; an odd height. Mutations that fail:
 * invocations past the frame's edge store, those before it do, a workgroup is
 * not one block narrower than it has invocations, ends are not put by turns,
 * are not filtered between rows, have another share, or one left of the frame.
 */
GST_START_TEST (pixels_between_groups_follow_the_model)
{
  static const GstVideoFormat to[]
      = { GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_NV16, GST_VIDEO_FORMAT_YUY2 };

  for (unsigned i = 0; i < G_N_ELEMENTS (to); i++) {
    struct run run = { 0 };

    describe_hdr (&run, GST_VIDEO_FORMAT_P010_10LE, to[i], COLOR_TRANSFER_PQ,
                  1038, 11, sites[__i__]);
    run_against_model (&run, true, 0.99, gst_video_format_to_string (to[i]));
  }
}
GST_END_TEST;

GST_START_TEST (any_size_comes_out_whole)
{
  static const int sizes[][2]
      = { { 1, 1 }, { 2, 1 }, { 1, 2 }, { 3, 3 }, { 7, 18 }, { 65, 5 } };

  for (unsigned i = 0; i < G_N_ELEMENTS (sizes); i++) {
    struct run run = { 0 };
    g_autofree gchar *what
        = g_strdup_printf ("%dx%d", sizes[i][0], sizes[i][1]);

    describe_hdr (&run, GST_VIDEO_FORMAT_P010_10LE, GST_VIDEO_FORMAT_NV12,
                  COLOR_TRANSFER_PQ, sizes[i][0], sizes[i][1], sites[2]);
    run_against_model (&run, false, 0, what);
  }
}
GST_END_TEST;

GST_START_TEST (hlg_and_other_modes_follow_the_model)
{
  static const struct
  {
    enum color_transfer transfer;
    enum color_tone_mode mode;
    enum color_gamut gamut;
  } rows[] = {
    { COLOR_TRANSFER_HLG, COLOR_TONE_MAX, COLOR_GAMUT_CLIP },
    { COLOR_TRANSFER_PQ, COLOR_TONE_RGB, COLOR_GAMUT_DESATURATE },
    { COLOR_TRANSFER_PQ, COLOR_TONE_LUMA, COLOR_GAMUT_CLIP },
    { COLOR_TRANSFER_PQ, COLOR_TONE_ICTCP, COLOR_GAMUT_CLIP },
    { COLOR_TRANSFER_PQ, COLOR_TONE_MAX, COLOR_GAMUT_PERCEPTUAL },
    { COLOR_TRANSFER_PQ, COLOR_TONE_MAX, COLOR_GAMUT_RELATIVE },
    { COLOR_TRANSFER_PQ, COLOR_TONE_MAX, COLOR_GAMUT_SATURATION },
    { COLOR_TRANSFER_PQ, COLOR_TONE_MAX, COLOR_GAMUT_DARKEN },
  };

  for (unsigned i = 0; i < G_N_ELEMENTS (rows); i++) {
    struct run run = { 0 };
    g_autofree gchar *what = g_strdup_printf ("row %u", i);

    describe_hdr (&run, GST_VIDEO_FORMAT_P010_10LE, GST_VIDEO_FORMAT_RGBA,
                  rows[i].transfer, 64, 16, sites[2]);
    run.settings.mode = rows[i].mode;
    run.settings.gamut = rows[i].gamut;
    run_against_model (&run, false, 0.98, what);
  }
}
GST_END_TEST;

/* The loop: from which transfer. */
GST_START_TEST (sdr_transfers_follow_the_model)
{
  struct run run = { 0 };
  g_autofree gchar *what = g_strdup_printf ("transfer %d", __i__);

  run_describe (&run.source, GST_VIDEO_FORMAT_RGBA, 64, 16, COLOR_MATRIX_RGB,
                COLOR_PRIMARIES_BT2020, (enum color_transfer)__i__, sites[0]);
  run_describe (&run.target, GST_VIDEO_FORMAT_BGRA, 64, 16, COLOR_MATRIX_RGB,
                COLOR_PRIMARIES_SMPTE432,
                (enum color_transfer) ((__i__ + 1) % COLOR_N_TRANSFERS),
                sites[0]);
  run_against_model (&run, false, 0.98, what);
}
GST_END_TEST;

GST_START_TEST (planes_may_start_at_any_byte)
{
  for (unsigned offset = 1; offset < 4; offset++) {
    struct run run = { .offset = offset };

    describe_sdr (&run, GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_RGBA, 41, 6,
                  sites[0], sites[0]);
    if (gst_vkc_storage_for (&run.source.info) == VKC_STORAGE_IMAGE)
      test_skip ("images have no bytes");
    run_against_model (&run, false, 0.999, "offset");
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

  describe_hdr (&run, GST_VIDEO_FORMAT_P010_10LE, GST_VIDEO_FORMAT_NV12,
                COLOR_TRANSFER_PQ, 37, 5, sites[2]);
  color_plan_init (&plan, &run.source.color, &run.light, &run.target.color,
                   &run.settings);
  for (int i = 0; i < 2; i++) {
    run_allocate (&run.source, run.pad, 0, i == 0 ? 0xff : 0x00);
    run_allocate (&run.target, run.pad, 0, 0xee);
    run_fill_randomly (&run.source.frame, 2);
    run_to_image (device, &run.source);
    run_to_image (device, &run.target);
    run_dispatch (&run, device, owner, &plan);
    for (guint p = 0; p < 2; p++) {
      const size_t visible
          = GST_ROUND_UP_4 (gst_vkc_plane_row_bytes (&run.target.info, p));

      for (guint y = 0; y < gst_vkc_plane_rows (&run.target.info, p); y++) {
        const uint8_t *row
            = run.target.frame.plane[p] + y * run.target.info.stride[p];

        for (size_t x = visible; x < (size_t)run.target.info.stride[p]; x++)
          fail_unless (run.target.params.storage == VKC_STORAGE_IMAGE
                           || !device->has_direct_memory || row[x] == 0xee,
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

  describe_sdr (&run, GST_VIDEO_FORMAT_P010_10LE, GST_VIDEO_FORMAT_P010_10LE,
                32, 4, sites[1], sites[1]);
  run.target.color.description.matrix = COLOR_MATRIX_BT601;
  color_plan_init (&plan, &run.source.color, &run.light, &run.target.color,
                   &run.settings);
  run_allocate (&run.source, 0, 0, 0xff);
  run_allocate (&run.target, 0, 0, 0xee);
  run_fill_randomly (&run.source.frame, 3);
  run_to_image (device, &run.source);
  run_to_image (device, &run.target);
  run_dispatch (&run, device, owner, &plan);
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
                  COLOR_PRIMARIES_BT709, COLOR_TRANSFER_BT1886, sites[site]);
    run_describe (&run.target, GST_VIDEO_FORMAT_RGBA, 8, 4, COLOR_MATRIX_RGB,
                  COLOR_PRIMARIES_BT709, COLOR_TRANSFER_BT1886, sites[site]);
    /* RGB out with an identity for a matrix shows Cb itself. */
    run.source.color.description.matrix = COLOR_MATRIX_RGB;
    run.source.color.description.range = COLOR_RANGE_FULL;
    color_plan_init (&plan, &run.source.color, &run.light, &run.target.color,
                     &run.settings);
    run_allocate (&run.source, 0, 0, 0);
    run_allocate (&run.target, 0, 0, 0);
    for (int i = 0; i < 8; i++)
      model_set (&run.source.frame, 1, i % 4, i / 4, i % 4 < 2 ? 64 : 192);
    run_to_image (device, &run.source);
    run_to_image (device, &run.target);
    run_dispatch (&run, device, owner, &plan);
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

/* The vectors of one setting, a 16x16 field each, in P010 to NV12. */
static void
run_vectors (const struct vector *like, long *exact, long *all)
{
  const struct vector *list[64];
  struct run run = { .block = 8 };
  struct color_plan plan;
  int n = 0;

  for (const struct vector *v = like; v < vectors + N_VECTORS; v++) {
    if (strcmp (v->kind, like->kind) == 0 && v->src_peak == like->src_peak
        && v->ref_white == like->ref_white && v->contrast == like->contrast
        && g_strcmp0 (v->curve, like->curve) == 0
        && g_strcmp0 (v->mode, like->mode) == 0
        && g_strcmp0 (v->gamut, like->gamut) == 0)
      list[n++] = v;
  }
  describe_hdr (&run, GST_VIDEO_FORMAT_P010_10LE, GST_VIDEO_FORMAT_NV12,
                COLOR_TRANSFER_PQ, 16 * n, 16, sites[2]);
  run.settings.source_peak = like->src_peak;
  color_plan_init (&plan, &run.source.color, &run.light, &run.target.color,
                   &run.settings);
  run_allocate (&run.source, 0, 0, 0);
  run_allocate (&run.target, 0, 0, 0);
  for (int k = 0; k < 3; k++) {
    for (int y = 0; y < model_rows (&run.source.frame, k); y++) {
      for (int x = 0; x < model_columns (&run.source.frame, k); x++)
        model_set (&run.source.frame, k, x, y,
                   (uint32_t)list[x / (k == 0 ? 16 : 8)]->input[k]);
    }
  }
  run_to_image (device, &run.source);
  run_to_image (device, &run.target);
  run_dispatch (&run, device, owner, &plan);
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 3; k++) {
      const int at = k == 0 ? 8 : 4;
      const int got
          = (int)model_get (&run.target.frame, k, 2 * at * i + at, at);
      const int want = (int)list[i]->expected[k];

      fail_unless (abs (got - want) <= 1, "%s: component %d is %d, not %d",
                   list[i]->id, k, got, want);
      *exact += got == want;
      ++*all;
    }
  }
  run_free_side (&run.source);
  run_free_side (&run.target);
}

GST_START_TEST (hdr10_vectors_hold)
{
  long exact = 0, all = 0;

  /* Those that the default mode makes, by peak: one pipeline for all. */
  for (unsigned i = 0; i < N_VECTORS; i++) {
    const struct vector *v = &vectors[i];
    static const double peaks[] = { 400, 1000, 4000, 10000 };

    if (strcmp (v->kind, "hdr10_to_sdr8") != 0 || strcmp (v->curve, "bt2390")
        || strcmp (v->mode, "max") || strcmp (v->gamut, "clip")
        || v->ref_white != 203 || v->contrast != 0 || v->input[0] != 64)
      continue;
    for (unsigned k = 0; k < G_N_ELEMENTS (peaks); k++) {
      if (v->src_peak == peaks[k] && v->input[1] == 512)
        run_vectors (v, &exact, &all);
    }
  }
  fail_unless (all >= 300, "%ld codes", all);
  fail_unless (exact >= 0.99 * all, "%ld of %ld exact", exact, all);
}
GST_END_TEST;

static Suite *
kernels_suite (void)
{
  Suite *suite = suite_create ("kernels");
  TCase *cases = tcase_create ("colour");

  suite_add_tcase (suite, cases);
  tcase_set_timeout (cases, 240);
  tcase_add_checked_fixture (cases, setup, teardown);
  tcase_add_loop_test (cases, every_format_is_read_and_written, 0, N_FORMATS);
  tcase_add_loop_test (cases, dither_follows_the_model, 0, 3);
  tcase_add_loop_test (cases, pixels_between_blocks_follow_the_model, 0,
                       (int)G_N_ELEMENTS (sites));
  tcase_add_loop_test (cases, rows_without_light_follow_the_model, 0,
                       (int)G_N_ELEMENTS (sites));
  tcase_add_loop_test (cases, pixels_between_groups_follow_the_model, 0,
                       (int)G_N_ELEMENTS (sites));
  tcase_add_loop_test (cases, hdr_is_mapped_in_every_chroma_site, 0,
                       G_N_ELEMENTS (sites));
  tcase_add_test (cases, any_size_comes_out_whole);
  tcase_add_test (cases, hlg_and_other_modes_follow_the_model);
  tcase_add_loop_test (cases, sdr_transfers_follow_the_model, 0,
                       COLOR_TRANSFER_PQ);
  tcase_add_test (cases, planes_may_start_at_any_byte);
  tcase_add_test (cases, padding_neither_shows_nor_spills);
  tcase_add_test (cases, low_bits_are_ignored_and_zero);
  tcase_add_test (cases, chroma_sits_where_its_site_says);
  tcase_add_test (cases, hdr10_vectors_hold);
  return suite;
}

GST_CHECK_MAIN (kernels);
