/* The colour kernels on a device, in the storage that $VKC_MEMORY names,
 * against the model and the vectors. */
#include <gst/check/gstcheck.h>
#include <stdlib.h>
#include <string.h>

#include "tests/gpu/kernel_check.h"
#include "tests/unit/vectors.h"

static const GstVideoFormat all_formats[] = {
  GST_VIDEO_FORMAT_NV12,       GST_VIDEO_FORMAT_I420,
  GST_VIDEO_FORMAT_RGBA,       GST_VIDEO_FORMAT_BGRA,
  GST_VIDEO_FORMAT_P010_10LE,  GST_VIDEO_FORMAT_I420_10LE,
  GST_VIDEO_FORMAT_RGB10A2_LE,
};
#define N_FORMATS ((int)G_N_ELEMENTS (all_formats))

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

    kernel_describe_sdr (&run, from, to, 43, 11, kernel_sites[1],
                         kernel_sites[1]);
    kernel_check_model (&run, i == 1, 0.999, what);
  }
}
GST_END_TEST;

/* The loop: which target. */
GST_START_TEST (dither_follows_the_model)
{
  static const GstVideoFormat targets[]
      = { GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_BGRA, GST_VIDEO_FORMAT_I420 };
  struct run run = { .settings.dither = COLOR_DITHER_ORDERED };

  kernel_describe_sdr (&run, GST_VIDEO_FORMAT_P010_10LE, targets[__i__], 75, 70,
                       kernel_sites[1], kernel_sites[2]);
  kernel_check_model (&run, true, 0.999, "dither");
}
GST_END_TEST;

/* The loop: which site. */
GST_START_TEST (hdr_is_mapped_in_every_chroma_site)
{
  struct run run = { 0 };

  kernel_describe_hdr (&run, GST_VIDEO_FORMAT_P010_10LE, GST_VIDEO_FORMAT_NV12,
                       COLOR_TRANSFER_PQ, 70, 22, kernel_sites[__i__]);
  kernel_check_model (&run, true, 0.99, "pq");
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

    kernel_describe_hdr (&run, runs[i].from, runs[i].to, COLOR_TRANSFER_PQ, 520,
                         46, kernel_sites[__i__]);
    run.source.color.description.site
        = kernel_sites[(__i__ + runs[i].site) % 3];
    run.settings.gamut = COLOR_GAMUT_DESATURATE;
    kernel_check_model (&run, false, 0.99, "edges");
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

    kernel_describe_sdr (&run, GST_VIDEO_FORMAT_NV12, to[i], 520, 46,
                         kernel_sites[__i__], kernel_sites[(__i__ + 1) % 3]);
    kernel_check_model (&run, false, 0.999, "rows");
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

    kernel_describe_hdr (&run, GST_VIDEO_FORMAT_P010_10LE, to[i],
                         COLOR_TRANSFER_PQ, 1038, 11, kernel_sites[__i__]);
    kernel_check_model (&run, true, 0.99, gst_video_format_to_string (to[i]));
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

    kernel_describe_hdr (&run, GST_VIDEO_FORMAT_P010_10LE,
                         GST_VIDEO_FORMAT_RGBA, rows[i].transfer, 64, 16,
                         kernel_sites[2]);
    run.settings.mode = rows[i].mode;
    run.settings.gamut = rows[i].gamut;
    kernel_check_model (&run, false, 0.98, what);
  }
}
GST_END_TEST;

/* The loop: from which transfer. */
GST_START_TEST (sdr_transfers_follow_the_model)
{
  struct run run = { 0 };
  g_autofree gchar *what = g_strdup_printf ("transfer %d", __i__);

  run_describe (&run.source, GST_VIDEO_FORMAT_RGBA, 64, 16, COLOR_MATRIX_RGB,
                COLOR_PRIMARIES_BT2020, (enum color_transfer)__i__,
                kernel_sites[0]);
  run_describe (&run.target, GST_VIDEO_FORMAT_BGRA, 64, 16, COLOR_MATRIX_RGB,
                COLOR_PRIMARIES_SMPTE432,
                (enum color_transfer) ((__i__ + 1) % COLOR_N_TRANSFERS),
                kernel_sites[0]);
  kernel_check_model (&run, false, 0.98, what);
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
  kernel_describe_hdr (&run, GST_VIDEO_FORMAT_P010_10LE, GST_VIDEO_FORMAT_NV12,
                       COLOR_TRANSFER_PQ, 16 * n, 16, kernel_sites[2]);
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
  kernel_check_run (&run, &plan);
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
  tcase_add_checked_fixture (cases, kernel_check_setup, kernel_check_teardown);
  tcase_add_loop_test (cases, every_format_is_read_and_written, 0, N_FORMATS);
  tcase_add_loop_test (cases, dither_follows_the_model, 0, 3);
  tcase_add_loop_test (cases, pixels_between_blocks_follow_the_model, 0,
                       KERNEL_SITES);
  tcase_add_loop_test (cases, rows_without_light_follow_the_model, 0,
                       KERNEL_SITES);
  tcase_add_loop_test (cases, pixels_between_groups_follow_the_model, 0,
                       KERNEL_SITES);
  tcase_add_loop_test (cases, hdr_is_mapped_in_every_chroma_site, 0,
                       KERNEL_SITES);
  tcase_add_test (cases, hlg_and_other_modes_follow_the_model);
  tcase_add_loop_test (cases, sdr_transfers_follow_the_model, 0,
                       COLOR_TRANSFER_PQ);
  tcase_add_test (cases, hdr10_vectors_hold);
  return suite;
}

GST_CHECK_MAIN (kernels);
