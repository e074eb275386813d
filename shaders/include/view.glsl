/* What `view` shows: the picture without a mapping beside the mapped one, the
 * colours that do not fit, or the tone curve. Modules with GAIN_TABLE only.
 * R'G'B' here is what OUT_MATRIX takes. */

/* Columns left of this one are not mapped: the middle, at a whole block. */
uint view_border ()
{
  return (params.width / 2 + 4) / 8 * 8;
}

vec3 view_matrix (vec3 l)
{
  return vec3 (VIEW_0X * l.x + VIEW_0Y * l.y + VIEW_0Z * l.z,
               VIEW_1X * l.x + VIEW_1Y * l.y + VIEW_1Z * l.z,
               VIEW_2X * l.x + VIEW_2Y * l.y + VIEW_2Z * l.z);
}

/* R'G'B' of the source to that of the target: each channel is clipped. */
vec3 view_clipped (vec3 x)
{
  vec3 l;
  if (SOURCE_TRANSFER == TRANSFER_PQ) {
    const vec3 h = pq_root (x);
    l = h * h;
  } else {
    l = source_light (x);
  }
  return target_signal (clamp (view_matrix (l), 0.0, 1.0));
}

/* Of a colour that does not fit before the gamut mapping. */
const vec3 VIEW_MARK = vec3 (1.0, 0.0, 1.0);

/* The curve as the kernel applies it: PQ signal to PQ signal. */
float view_curve (float x)
{
  if (TONE_MODE == TONE_NONE)
    return min (x, VIEW_TARGET_PEAK);
  const float h = sqrt (pq_eotf (vec3 (x)).x / VIEW_SOURCE_UNIT);
  const float root
      = h * tone_gain (TONE_DOMAIN == DOMAIN_PQ ? x : sqrt (h), h);
  return pq_inverse_eotf (vec3 (root * root * VIEW_TARGET_UNIT)).x;
}

/* Of the histogram. */
const int VIEW_BARS = 128;
const int VIEW_BAR = PEAK_BINS / VIEW_BARS;

/* The share of the pixels around @x, its root: 1 % is a tenth of the height. */
float view_histogram (float x)
{
  const int bin = int (x * float (VIEW_BARS)) * VIEW_BAR;
  const float before = bin > 0 ? peak_state.before[bin - 1] : 0.0;
  return sqrt (max (peak_state.before[bin + VIEW_BAR - 1] - before, 0.0));
}

/* Lines of 1, 10, 100, 1000 cd/m2. */
bool view_on_grid (ivec2 at, ivec2 size)
{
  const vec4 light = vec4 (0.14995, 0.30173, 0.50808, 0.75183);
  return any (equal (ivec4 (light * float (size.x)), ivec4 (at.x)))
         || any (equal (ivec4 (light * float (size.y)), ivec4 (at.y)));
}

/* A diagram over the picture: @at, from its lower left corner, of @size. To the
 * right the source's PQ signal, upwards the target's. */
vec3 view_diagram (vec3 picture, ivec2 at, ivec2 size)
{
  const float left = float (at.x) / float (size.x);
  const float right = float (at.x + 1) / float (size.x);
  const ivec2 reach = ivec2 (vec2 (view_curve (left), view_curve (right))
                             * float (size.y));
  const bool found = FROM_TABLE && peak_state.seen != 0;
  const float peak = found ? peak_state.second.x : VIEW_SOURCE_PEAK;

  if (at.y >= reach.x && at.y <= max (reach.y, reach.x + size.y / 200))
    return vec3 (VIEW_WHITE);
  if (at.x == int (peak * float (size.x)))
    return vec3 (VIEW_WHITE, VIEW_WHITE * 0.25, VIEW_WHITE * 0.25);
  if (found && at.x == int (peak_state.second.y * float (size.x)))
    return vec3 (VIEW_WHITE, VIEW_WHITE, 0.0);
  if (at.y == int (VIEW_TARGET_PEAK * float (size.y)))
    return vec3 (0.0, VIEW_WHITE, VIEW_WHITE);
  if (found
      && float (at.y) < view_histogram (left) * float (size.y))
    return vec3 (0.25, 0.35, 0.6) * VIEW_WHITE;
  if (view_on_grid (at, size) || at.x * size.y / size.x == at.y)
    return vec3 (0.35 * VIEW_WHITE);
  return picture * 0.25;
}

/* Half the picture's width and height, in its lower left corner. */
void view_draw (inout Pixels pixels, uint block, uint row)
{
  const ivec2 size = ivec2 (params.width, params.height) / 2;
  const ivec2 corner = ivec2 (params.width / 32,
                              params.height - 1 - params.height / 32);
  const int y = corner.y - int (row);

  if (y < 0 || y >= size.y)
    return;
  for (int i = 0; i <= BLOCK; i++) {
    const int x = int (block) * BLOCK + i - 1 - corner.x;
    if (x >= 0 && x < size.x)
      pixels.at[i].xyz = view_diagram (pixels.at[i].xyz, ivec2 (x, y), size);
  }
}
