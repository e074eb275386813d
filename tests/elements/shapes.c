/* vkcolorconvert: frames of another shape. */
#include <gst/check/gstharness.h>
#include <gst/video/video.h>
#include <math.h>

#include "gst/color/filter.h"
#include "tests/elements/frames.h"
#include "tests/support/support.h"

static const gchar *const methods[]
    = { "nearest", "bilinear", "bicubic", "mitchell", "lanczos", "area" };

/* A harness around @line for frames of @caps; @peer: what is taken. */
static GstHarness *
start (const gchar *line, const gchar *caps, const gchar *peer)
{
  GstHarness *h;

  test_wrap_install ();
  h = gst_harness_new_parse (line);
  if (peer != NULL)
    gst_harness_set_sink_caps_str (h, peer);
  gst_harness_set_src_caps_str (h, caps);
  return h;
}

static GstVideoInfo
pad_info (GstPad *pad)
{
  GstCaps *caps = gst_pad_get_current_caps (pad);
  GstVideoInfo info;

  fail_unless (caps != NULL && gst_video_info_from_caps (&info, caps));
  gst_caps_unref (caps);
  return info;
}

/* What comes out for @in, which is taken. */
static GstBuffer *
pass (GstHarness *h, GstBuffer *in)
{
  GstBuffer *out = gst_harness_push_and_pull (h, in);

  fail_unless (out != NULL);
  return out;
}

/* One component in double, in its own resolution. */
struct plane
{
  gint width, height;
  gdouble *at;
};

static struct plane
plane_new (gint width, gint height)
{
  return (struct plane){ width, height, g_new0 (gdouble, width * height) };
}

static gdouble
code_at (GstVideoFrame *frame, gint c, gint x, gint y)
{
  return ((guint8 *)GST_VIDEO_FRAME_COMP_DATA (
      frame, c))[y * GST_VIDEO_FRAME_COMP_STRIDE (frame, c)
                 + x * GST_VIDEO_FRAME_COMP_PSTRIDE (frame, c)];
}

/* The components of an 8-bit frame. */
static void
read_planes (GstBuffer *buffer, GstVideoInfo *info, struct plane planes[4])
{
  GstVideoFrame frame;

  fail_unless (gst_video_frame_map (&frame, info, buffer, GST_MAP_READ));
  for (guint c = 0; c < GST_VIDEO_INFO_N_COMPONENTS (info); c++) {
    planes[c] = plane_new (GST_VIDEO_FRAME_COMP_WIDTH (&frame, c),
                           GST_VIDEO_FRAME_COMP_HEIGHT (&frame, c));
    for (gint y = 0; y < planes[c].height; y++)
      for (gint x = 0; x < planes[c].width; x++)
        planes[c].at[y * planes[c].width + x] = code_at (&frame, c, x, y);
  }
  gst_video_frame_unmap (&frame);
}

static void
free_planes (struct plane planes[4])
{
  for (gint c = 0; c < 4; c++)
    g_clear_pointer (&planes[c].at, g_free);
}

/* Where sample @i of a component is in the source's. */
static gdouble
position (gint i, gint from, gint to, gint sub, gboolean cosited)
{
  const gdouble site = cosited || sub == 0 ? 0 : 0.5;

  return (((i << sub) + site + 0.5) * from / to - 0.5 - site) / (1 << sub);
}

static gdouble
weight (gint method, gdouble distance, gdouble scale)
{
  if (method == COLOR_FILTER_NEAREST)
    return distance >= -0.5 && distance < 0.5;
  if (method == COLOR_FILTER_AREA)
    return MAX (0, MIN (distance + scale / 2, 0.5)
                       - MAX (distance - scale / 2, -0.5));
  return color_filter_kernel (method, distance / MAX (scale, 1));
}

/* One sample of the scaled plane, by the definition. */
static gdouble
reference (const struct plane *in, gint method, gdouble cx, gdouble cy,
           gdouble scale_x, gdouble scale_y)
{
  const gint rx = ceil (3 * MAX (scale_x, 1)), ry = ceil (3 * MAX (scale_y, 1));
  gdouble sum = 0, weights = 0;

  for (gint y = floor (cy) - ry; y <= cy + ry + 1; y++) {
    const gdouble wy = weight (method, cy - y, scale_y);

    if (wy == 0)
      continue;
    for (gint x = floor (cx) - rx; x <= cx + rx + 1; x++) {
      const gdouble w = wy * weight (method, cx - x, scale_x);

      weights += w;
      sum += w
             * in->at[CLAMP (y, 0, in->height - 1) * in->width
                      + CLAMP (x, 0, in->width - 1)];
    }
  }
  return sum / weights;
}

struct scaling
{
  gint method;
  gint from_width, from_height, to_width, to_height;
  gint hsub, vsub;
  gboolean left, top;
};

static gdouble
scaled (const struct scaling *s, const struct plane *in, gint x, gint y)
{
  return reference (in, s->method,
                    position (x, s->from_width, s->to_width, s->hsub, s->left),
                    position (y, s->from_height, s->to_height, s->vsub, s->top),
                    (gdouble)s->from_width / s->to_width,
                    (gdouble)s->from_height / s->to_height);
}

static void
assert_near (gdouble got, gdouble want, gint c, gint x, gint y,
             const gchar *what)
{
  want = CLAMP (want, 0, 255);
  if (fabs (got - want) > 1)
    fail ("%s: component %d (%d, %d): %g, not %g", what, c, x, y, got, want);
}

/* From odd and even sizes to smaller and larger ones. */
static const gint scalings[][4]
    = { { 32, 18, 64, 36 }, { 33, 17, 20, 31 }, { 64, 48, 16, 12 },
        { 5, 7, 3, 9 },     { 1, 1, 4, 4 },     { 40, 30, 13, 7 } };

static const struct
{
  const gchar *name;
  gboolean left, top;
} sites[] = { { "mpeg2", TRUE, FALSE },
              { "jpeg", FALSE, FALSE },
              { "cosited", TRUE, TRUE } };

static void
check_scaling (const gchar *format, guint method, const gint size[4],
               guint site)
{
  g_autofree gchar *line = g_strdup_printf (
      "vkcolorconvert add-borders=false scaling-method=%s", methods[method]);
  g_autofree gchar *caps = g_strdup_printf (
      "video/x-raw,format=%s,width=%d,height=%d,framerate=25/1,"
      "colorimetry=bt709%s%s",
      format, size[0], size[1], sites[site].name ? ",chroma-site=" : "",
      sites[site].name);
  g_autofree gchar *peer = g_strdup_printf (
      "video/x-raw,format=%s,width=%d,height=%d", format, size[2], size[3]);
  GstHarness *h = start (line, caps, peer);
  GstVideoInfo in = pad_info (h->srcpad), out;
  struct plane from[4] = { { 0 } }, to[4] = { { 0 } };
  GstBuffer *buffer = test_frame_new (&in, 3);

  read_planes (buffer, &in, from);
  buffer = pass (h, buffer);
  out = pad_info (h->sinkpad);
  read_planes (buffer, &out, to);
  for (guint c = 0; c < GST_VIDEO_INFO_N_COMPONENTS (&in); c++) {
    const struct scaling s
        = { .method = method,
            .from_width = size[0],
            .from_height = size[1],
            .to_width = size[2],
            .to_height = size[3],
            .hsub = GST_VIDEO_FORMAT_INFO_W_SUB (in.finfo, c),
            .vsub = GST_VIDEO_FORMAT_INFO_H_SUB (in.finfo, c),
            .left = sites[site].left,
            .top = sites[site].top };

    for (gint y = 0; y < to[c].height; y++)
      for (gint x = 0; x < to[c].width; x++)
        assert_near (to[c].at[y * to[c].width + x], scaled (&s, &from[c], x, y),
                     c, x, y, line);
  }
  free_planes (from);
  free_planes (to);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
}

/* Luma and chroma each where it belongs. Mutation seen to fail this: chroma
 * scaled as if it were between two columns. */
GST_START_TEST (scaling_is_the_definition_within_one_code)
{
  for (guint i = 0; i < G_N_ELEMENTS (scalings); i++)
    check_scaling ("NV12", __i__, scalings[i], i % G_N_ELEMENTS (sites));
  check_scaling ("I420", __i__, scalings[1], 1);
}
GST_END_TEST;

static void
paint (GstBuffer *buffer, const GstVideoInfo *info, guint seed)
{
  GstMapInfo map;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (guint i = 0; i < map.size; i++)
    map.data[i] = i % 4 == 3 && i % 12 != 3
                      ? (i / 4 % 3 == 0 ? 0 : 255)
                      : test_pattern (seed, 0, i % info->stride[0],
                                      i / info->stride[0]);
  gst_buffer_unmap (buffer, &map);
}

/* Colours weigh as much as they are opaque. */
GST_START_TEST (transparent_pixels_do_not_colour_their_neighbours)
{
  GstHarness *h
      = start ("vkcolorconvert add-borders=false scaling-method=bilinear",
               "video/x-raw,format=RGBA,width=23,height=11,framerate=25/1",
               "video/x-raw,format=RGBA,width=9,height=17");
  const struct scaling s = { COLOR_FILTER_BILINEAR, 23, 11, 9, 17 };
  GstVideoInfo in = pad_info (h->srcpad), out;
  struct plane from[4] = { { 0 } }, to[4] = { { 0 } };
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, in.size, NULL);

  paint (buffer, &in, 5);
  read_planes (buffer, &in, from);
  for (gint c = 0; c < 3; c++)
    for (gint i = 0; i < 23 * 11; i++)
      from[c].at[i] *= from[3].at[i];
  buffer = pass (h, buffer);
  out = pad_info (h->sinkpad);
  read_planes (buffer, &out, to);
  for (gint y = 0; y < 17; y++)
    for (gint x = 0; x < 9; x++) {
      const gdouble alpha = scaled (&s, &from[3], x, y);

      assert_near (to[3].at[y * 9 + x], alpha, 3, x, y, "alpha");
      for (gint c = 0; c < 3 && alpha > 0.5; c++)
        assert_near (to[c].at[y * 9 + x], scaled (&s, &from[c], x, y) / alpha,
                     c, x, y, "colour");
    }
  free_planes (from);
  free_planes (to);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
}
GST_END_TEST;

static gdouble
srgb_eotf (gdouble v)
{
  return v <= 0.04045 ? v / 12.92 : pow ((v + 0.055) / 1.055, 2.4);
}

static gdouble
srgb_inverse (gdouble l)
{
  return l <= 0.0031308 ? l * 12.92 : 1.055 * pow (l, 1 / 2.4) - 0.055;
}

GST_START_TEST (light_is_mixed_in_linear_light)
{
  GstHarness *h
      = start ("vkcolorconvert add-borders=false scaling-method=mitchell "
               "linear-light=true",
               "video/x-raw,format=RGBA,width=21,height=34,framerate=25/1,"
               "colorimetry=sRGB",
               "video/x-raw,format=RGBA,width=40,height=13");
  const struct scaling s = { COLOR_FILTER_MITCHELL, 21, 34, 40, 13 };
  GstVideoInfo in = pad_info (h->srcpad), out;
  struct plane from[4] = { { 0 } }, to[4] = { { 0 } };
  GstBuffer *buffer = test_frame_new (&in, 9);
  GstMapInfo map;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (guint i = 3; i < map.size; i += 4)
    map.data[i] = 255;
  gst_buffer_unmap (buffer, &map);
  read_planes (buffer, &in, from);
  for (gint c = 0; c < 3; c++)
    for (gint i = 0; i < 21 * 34; i++)
      from[c].at[i] = srgb_eotf (from[c].at[i] / 255);
  buffer = pass (h, buffer);
  out = pad_info (h->sinkpad);
  read_planes (buffer, &out, to);
  for (gint c = 0; c < 3; c++)
    for (gint y = 0; y < 13; y++)
      for (gint x = 0; x < 40; x++)
        assert_near (to[c].at[y * 40 + x],
                     255 * srgb_inverse (scaled (&s, &from[c], x, y)), c, x, y,
                     "linear");
  free_planes (from);
  free_planes (to);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* Every sample of what comes out is @codes of its component. */
static void
assert_flat (GstHarness *h, GstBuffer *buffer, const guint8 codes[4],
             const gchar *what)
{
  GstVideoInfo out = pad_info (h->sinkpad);
  struct plane planes[4] = { { 0 } };

  read_planes (buffer, &out, planes);
  for (guint c = 0; c < GST_VIDEO_INFO_N_COMPONENTS (&out); c++)
    for (gint i = 0; i < planes[c].width * planes[c].height; i++)
      if (planes[c].at[i] != codes[c])
        fail ("%s: component %u, sample %d: %g, not %u", what, c, i,
              planes[c].at[i], codes[c]);
  free_planes (planes);
  gst_buffer_unref (buffer);
}

static GstBuffer *
flat_frame (const GstVideoInfo *info, const guint8 codes[4])
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, info->size, NULL);
  GstVideoFrame frame;

  fail_unless (gst_video_frame_map (&frame, info, buffer, GST_MAP_WRITE));
  for (guint c = 0; c < GST_VIDEO_INFO_N_COMPONENTS (info); c++)
    for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&frame, c); y++)
      for (gint x = 0; x < GST_VIDEO_FRAME_COMP_WIDTH (&frame, c); x++)
        ((guint8 *)GST_VIDEO_FRAME_COMP_DATA (
            &frame, c))[y * GST_VIDEO_FRAME_COMP_STRIDE (&frame, c)
                        + x * GST_VIDEO_FRAME_COMP_PSTRIDE (&frame, c)]
            = codes[c];
  gst_video_frame_unmap (&frame);
  return buffer;
}

/* Also colours that no R'G'B' has. */
GST_START_TEST (flat_colours_stay_flat)
{
  static const guint8 colours[][4] = { { 63, 102, 240, 200 },
                                       { 255, 0, 255, 0 },
                                       { 1, 254, 3, 255 },
                                       { 235, 128, 128, 7 } };
  static const gchar *const formats[] = { "NV12", "I420", "RGBA" };
  static const gint sizes[][4] = {
    { 31, 9, 62, 17 }, { 31, 9, 8, 5 }, { 1, 1, 3, 3 }, { 70, 70, 1, 1 }
  };

  for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
    for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
      g_autofree gchar *line = g_strdup_printf (
          "vkcolorconvert add-borders=false scaling-method=%s", methods[__i__]);
      g_autofree gchar *caps = g_strdup_printf (
          "video/x-raw,format=%s,width=%d,height=%d,framerate=25/1", formats[f],
          sizes[i][0], sizes[i][1]);
      g_autofree gchar *peer
          = g_strdup_printf ("video/x-raw,format=%s,width=%d,height=%d",
                             formats[f], sizes[i][2], sizes[i][3]);
      GstHarness *h = start (line, caps, peer);
      GstVideoInfo in = pad_info (h->srcpad);

      for (guint k = 0; k < G_N_ELEMENTS (colours); k++)
        assert_flat (h, pass (h, flat_frame (&in, colours[k])), colours[k],
                     formats[f]);
      gst_harness_teardown (h);
    }
}
GST_END_TEST;

/* A pattern of single pixels, four times smaller. */
GST_START_TEST (checkerboard_becomes_grey)
{
  static const gint size[4] = { 64, 64, 16, 16 };
  g_autofree gchar *line
      = g_strdup_printf ("vkcolorconvert scaling-method=%s", methods[__i__]);
  GstHarness *h = start (
      line, "video/x-raw,format=RGBA,width=64,height=64,framerate=25/1",
      "video/x-raw,format=RGBA,width=16,height=16");
  GstVideoInfo in = pad_info (h->srcpad), out;
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, in.size, NULL);
  struct plane to[4] = { { 0 } };
  GstMapInfo map;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (gint i = 0; i < size[0] * size[1]; i++) {
    const guint8 v = ((i % 64) + (i / 64)) % 2 ? 255 : 0;

    memset (map.data + i * 4, v, 3);
    map.data[i * 4 + 3] = 255;
  }
  gst_buffer_unmap (buffer, &map);
  buffer = pass (h, buffer);
  out = pad_info (h->sinkpad);
  read_planes (buffer, &out, to);
  /* At the edges pixels are repeated, which is no checkerboard any more. */
  for (gint y = 3; y < 13; y++)
    for (gint x = 3; x < 13; x++)
      if (fabs (to[0].at[y * 16 + x] - 127.5) > 1)
        fail ("%s: (%d, %d) is %g", line, x, y, to[0].at[y * 16 + x]);
  free_planes (to);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
}
GST_END_TEST;

static const gchar *const turns[] = {
  "vkcolorconvert video-direction=horiz ! vkcolorconvert video-direction=horiz",
  "vkcolorconvert video-direction=vert ! vkcolorconvert video-direction=vert",
  "vkcolorconvert video-direction=180 ! vkcolorconvert video-direction=180",
  "vkcolorconvert video-direction=90r ! vkcolorconvert video-direction=90l",
  "vkcolorconvert video-direction=ul-lr ! vkcolorconvert video-direction=ul-lr",
  "vkcolorconvert video-direction=ur-ll ! vkcolorconvert video-direction=ur-ll",
  "vkcolorconvert video-direction=90r ! vkcolorconvert video-direction=90r ! "
  "vkcolorconvert video-direction=90r ! vkcolorconvert video-direction=90r",
  "vkcolorconvert video-direction=horiz ! "
  "vkcolorconvert video-direction=vert ! vkcolorconvert video-direction=180",
};

static guint64
chain_stat (GstHarness *h, const gchar *name)
{
  GstIterator *elements = gst_bin_iterate_elements (GST_BIN (h->element));
  g_autoptr (GstStructure) stats = NULL, recorder = NULL;
  GValue item = G_VALUE_INIT;
  guint64 value = 0;

  fail_unless_equals_int (gst_iterator_next (elements, &item), GST_ITERATOR_OK);
  g_object_get (g_value_get_object (&item), "stats", &stats, NULL);
  fail_unless (
      gst_structure_get (stats, "recorder", GST_TYPE_STRUCTURE, &recorder, NULL)
      && gst_structure_get_uint64 (recorder, name, &value));
  g_value_unset (&item);
  gst_iterator_free (elements);
  return value;
}

/* All of it in one submission a frame. */
GST_START_TEST (turns_that_cancel_out_are_the_identity)
{
  static const gchar *const formats[] = { "NV12", "I420", "RGBA", "BGRA" };

  for (guint f = 0; f < G_N_ELEMENTS (formats); f++) {
    g_autofree gchar *caps = g_strdup_printf (
        "video/x-raw,format=%s,width=%d,height=%d,framerate=25/1", formats[f],
        f % 2 ? 33 : 40, f % 2 ? 17 : 22);
    GstHarness *h = start (turns[__i__], caps, NULL);
    GstVideoInfo in = pad_info (h->srcpad);

    for (guint i = 0; i < 3; i++) {
      GstBuffer *buffer = pass (h, test_frame_new (&in, i));

      test_frame_assert (buffer, &in, i, 0);
      gst_buffer_unref (buffer);
    }
    fail_unless_equals_uint64 (chain_stat (h, "submits"), 3);
    fail_unless_equals_uint64 (chain_stat (h, "flush-limit"), 0);
    gst_harness_teardown (h);
  }
}
GST_END_TEST;

/* Rows: a direction, and where the pixel (0, 0) of 8x4 goes. */
static const struct
{
  const gchar *direction;
  gint width, height, x, y;
} corners[] = {
  { "identity", 8, 4, 0, 0 }, { "90r", 4, 8, 3, 0 },   { "180", 8, 4, 7, 3 },
  { "90l", 4, 8, 0, 7 },      { "horiz", 8, 4, 7, 0 }, { "vert", 8, 4, 0, 3 },
  { "ul-lr", 4, 8, 0, 0 },    { "ur-ll", 4, 8, 3, 7 },
};

GST_START_TEST (directions_turn_the_way_they_say)
{
  g_autofree gchar *line = g_strdup_printf ("vkcolorconvert video-direction=%s",
                                            corners[__i__].direction);
  GstHarness *h = start (
      line, "video/x-raw,format=RGBA,width=8,height=4,framerate=25/1", NULL);
  GstVideoInfo in = pad_info (h->srcpad), out;
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, in.size, NULL);
  struct plane to[4] = { { 0 } };

  gst_buffer_memset (buffer, 0, 0, in.size);
  gst_buffer_memset (buffer, 0, 255, 4);
  buffer = pass (h, buffer);
  out = pad_info (h->sinkpad);
  fail_unless (out.width == corners[__i__].width
               && out.height == corners[__i__].height);
  read_planes (buffer, &out, to);
  for (gint i = 0; i < 32; i++)
    fail_unless_equals_int (
        to[0].at[i],
        i == corners[__i__].y * out.width + corners[__i__].x ? 255 : 0);
  free_planes (to);
  gst_buffer_unref (buffer);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* Conversion, scaling, turn and borders. Mutation seen to fail this: a step
 * that is no intermediate one. */
GST_START_TEST (a_frame_is_one_submission)
{
  GstHarness *h = start (
      "vkcolorconvert video-direction=90r",
      "video/x-raw,format=NV12,width=64,height=48,framerate=25/1",
      "video/x-raw,format=RGBA,width=100,height=50,pixel-aspect-ratio=1/1");
  GstVideoInfo in = pad_info (h->srcpad);

  for (guint i = 0; i < 5; i++)
    gst_buffer_unref (pass (h, test_frame_new (&in, i)));
  fail_unless_equals_uint64 (chain_stat (h, "submits"), 5);
  fail_unless_equals_uint64 (chain_stat (h, "dispatches"), 20);
  fail_unless_equals_uint64 (chain_stat (h, "flush-limit"), 0);
  fail_unless_equals_uint64 (chain_stat (h, "splits"), 0);
  gst_harness_teardown (h);
}
GST_END_TEST;

/* Who asks for no shape pays for none. */
GST_START_TEST (same_shape_is_one_dispatch)
{
  GstHarness *h
      = start ("vkcolorconvert scaling-method=lanczos linear-light=true "
               "border-color=4294967295",
               "video/x-raw,format=NV12,width=64,height=48,framerate=25/1",
               "video/x-raw,format=RGBA");
  GstVideoInfo in = pad_info (h->srcpad);

  for (guint i = 0; i < 3; i++)
    gst_buffer_unref (pass (h, test_frame_new (&in, i)));
  fail_unless_equals_uint64 (chain_stat (h, "dispatches"), 3);
  fail_unless_equals_uint64 (chain_stat (h, "submits"), 3);
  gst_harness_teardown (h);
}
GST_END_TEST;

static Suite *
shapes_suite (void)
{
  Suite *suite = suite_create ("shapes");
  TCase *cases = tcase_create ("elements");

  suite_add_tcase (suite, cases);
  tcase_set_timeout (cases, 240);
  tcase_add_loop_test (cases, scaling_is_the_definition_within_one_code, 0,
                       G_N_ELEMENTS (methods));
  tcase_add_test (cases, transparent_pixels_do_not_colour_their_neighbours);
  tcase_add_test (cases, light_is_mixed_in_linear_light);
  tcase_add_loop_test (cases, flat_colours_stay_flat, 0,
                       G_N_ELEMENTS (methods));
  tcase_add_loop_test (cases, checkerboard_becomes_grey, 1,
                       G_N_ELEMENTS (methods));
  tcase_add_loop_test (cases, turns_that_cancel_out_are_the_identity, 0,
                       G_N_ELEMENTS (turns));
  tcase_add_loop_test (cases, directions_turn_the_way_they_say, 0,
                       G_N_ELEMENTS (corners));
  tcase_add_test (cases, a_frame_is_one_submission);
  tcase_add_test (cases, same_shape_is_one_dispatch);
  return suite;
}

GST_CHECK_MAIN (shapes);
