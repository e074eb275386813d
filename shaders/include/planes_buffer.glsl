/* Frames in linear buffers: a row's part of a block is loaded and stored as
 * whole words, and its samples are cut out at places that are constant once
 * the kernel is specialized. */

/* Bytes of @n bytes or samples, whichever steps count. */
int bytes_of (int packing, int n)
{
  return packing == PACKING_THREE ? n / 3 * 4 : n;
}

/* The word and the bit in it of sample @i, counted from @words words before
 * sample 0 on. */
ivec2 place_of (Component c, int packing, int i, int words)
{
  if (packing == PACKING_THREE) {
    const int n = i * c.step + c.offset + 3 * words;
    return ivec2 (n / 3, n % 3 * 10);
  }
  const int at = i * c.step + c.offset + 4 * words;
  return ivec2 (at >> 2, (at & 3) * 8 + c.shift);
}

/* Enough for 8 bytes a pixel. */
const int MAX_WORDS = BLOCK * 2;

/* Words around the block that hold the samples next to it. */
const int BEFORE = 2;
const int BEHIND = 1;

/* Whether @n words, a row's part of a block, are pairs or quads of them. */
bool is_wide (int n)
{
  return ALIGNED == 16 && WHOLE_BLOCKS && (n == 2 || n % 4 == 0);
}

#ifdef SOURCE_BUFFER
struct Words
{
  uint at[BEFORE + MAX_WORDS + BEHIND];
};

/* Words @first to @first + @n of the row, and the @left and @right ones next to
 * them. */
Words load_wide (int first, int n, int left, int right)
{
  Words words;

  [[unroll]] for (int k = 0; k < MAX_WORDS; k += 4) {
    if (k + 2 < n) {
      const uvec4 quad = load_quad (uint (first + k) >> 2);
      [[unroll]] for (int i = 0; i < 4; i++)
        words.at[BEFORE + k + i] = quad[i];
    } else if (k < n) {
      const uvec2 pair = load_pair (uint (first + k) >> 1);
      words.at[BEFORE + k] = pair.x;
      words.at[BEFORE + k + 1] = pair.y;
    }
  }
  /* A neighbour takes two words at the most. */
  [[unroll]] for (int k = 0; k < BEFORE; k++) {
    if (k < left)
      words.at[BEFORE - 1 - k] = source_words[max (first - 1 - k, 0)];
    if (k < right && n + k < MAX_WORDS + BEHIND)
      words.at[BEFORE + n + k]
          = source_words[min (first + n + k, int (params.source_last))];
  }
  return words;
}

/* The words that hold the block of component @c, which takes @size bytes;
 * @left, @right: also the words next to it. */
Words load_words (uint block, uint row, Component c, int size, bool left,
                  bool right)
{
  const int n = (size + 3) / 4;
  const bool whole = ALIGNED >= 4 && size % 4 == 0;
  const uvec2 place = params.source[c.plane];
  const uint start = place.x + row * place.y + block * uint (size);
  const int first = int (start >> 2);
  const int last = int (params.source_last);
  const int one
      = SOURCE_PACKING == PACKING_THREE ? (c.step + 2) / 3 : (c.step + 3) / 4;
  const int from = left ? -one : 0;
  const int to = n + (right ? one : 0) + (whole ? 0 : 1);

  if (is_wide (n) && size % 4 == 0)
    return load_wide (first, n, left ? one : 0, right ? one : 0);

  Words words;
  uint next = 0;
  [[unroll]] for (int k = MAX_WORDS + BEHIND; k >= -BEFORE; k--) {
    uint word = 0;
    if (k >= from && k < to) {
      int index = first + k;
      if (k < 0)
        index = max (index, 0);
      if (k >= n || !WHOLE_BLOCKS)
        index = min (index, last);
      word = source_words[index];
    }
    if (k < MAX_WORDS + BEHIND) {
      /* Two shifts for the upper part: one by 32 bits is not defined. */
      const uint bits = (start & 3) * 8;
      words.at[k + BEFORE]
          = whole ? word : (word >> bits) | ((next << 1) << (31 - bits));
    }
    next = word;
  }
  return words;
}

float sample_of (Words words, Component c, int i)
{
  const ivec2 place = place_of (c, SOURCE_PACKING, i, BEFORE);
  const uint mask = c.bits == 32 ? ~0u : (1u << c.bits) - 1;
  return kept_code ((words.at[place.x] >> place.y) & mask);
}

/* Component @k of a row of pixels; @words and @loaded: the plane that was
 * loaded last. */
void take_component (inout Pixels pixels, int k, uint block, uint row,
                     inout Words words, inout int loaded)
{
  const Component c = source_component (k);
  if (c.plane != loaded)
    words = load_words (block, row, c,
                        bytes_of (SOURCE_PACKING, c.step * BLOCK), LOADS_LEFT,
                        false);
  loaded = c.plane;
  [[unroll]] for (int i = 0; i <= BLOCK; i++)
    pixels.at[i][k] = sample_of (words, c, i - 1);
}


Pixels source_pixels (uint block, uint row)
{
  if (!SOURCE_IN_WORDS)
    return lone_pixels (block, row);

  Pixels pixels;
  Words words;
  int loaded = -1;

  [[unroll]] for (int i = 0; i <= BLOCK; i++)
    pixels.at[i] = vec4 (0.0);
  take_component (pixels, 0, block, row, words, loaded);
  if (SOURCE_FULL) {
    take_component (pixels, 1, block, row, words, loaded);
    take_component (pixels, 2, block, row, words, loaded);
  }
  if (TAKES_ALPHA)
    take_component (pixels, 3, block, row, words, loaded);
  if (block == 0)
    pixels.at[0] = pixels.at[1];
  if (!WHOLE_BLOCKS) {
    [[unroll]] for (int i = 1; i < BLOCK; i++) {
      if (block * BLOCK + i >= params.width)
        pixels.at[i + 1] = pixels.at[i];
    }
  }
  return pixels;
}

void take_chroma (inout Chroma chroma, int k, uint block, uint row,
                  inout Words words, inout int loaded)
{
  const Component c = source_component (k);
  const bool left = LOADS_LEFT || UP_H_EVEN != 0.0 || SOURCE_HSUB == 2;
  if (c.plane != loaded)
    words = load_words (
        block, row, c,
        bytes_of (SOURCE_PACKING, c.step * (BLOCK >> SOURCE_HSUB)), left, true);
  loaded = c.plane;
  [[unroll]] for (int i = 0; i < SAMPLES + 2; i++)
    chroma.at[i][k - 1] = sample_of (words, c, i - 1);
}

Chroma source_chroma (uint block, uint row)
{
  if (!SOURCE_IN_WORDS)
    return lone_chroma (block, row);

  Chroma chroma;
  Words words;
  int loaded = -1;

  take_chroma (chroma, 1, block, row, words, loaded);
  take_chroma (chroma, 2, block, row, words, loaded);
  if (block == 0)
    chroma.at[0] = chroma.at[1];
  const uint width = plane_width (SOURCE_HSUB);
  [[unroll]] for (int i = 1; i <= SAMPLES; i++) {
    if ((i == SOURCE_SAMPLES || !WHOLE_BLOCKS)
        && block * SOURCE_SAMPLES + i >= width)
      chroma.at[i + 1] = chroma.at[i];
  }
  return chroma;
}
#endif

#ifdef TARGET_BUFFER
/* A row's part of a block in every plane: MAX_WORDS for each. */
struct Planes
{
  uint at[MAX_PLANES * MAX_WORDS];
};

/* Words of @plane from word @first of the buffer on. */
void store_wide (uint first, int n, int plane, Planes words)
{
  [[unroll]] for (int i = 0; i < MAX_WORDS; i += 4) {
    const int at = plane * MAX_WORDS + i;
    if (i + 2 < n)
      store_quad ((first + i) >> 2,
                  uvec4 (words.at[at], words.at[at + 1], words.at[at + 2],
                         words.at[at + 3]));
    else if (i < n)
      store_pair ((first + i) >> 1,
                  uvec2 (words.at[at], words.at[at + 1]));
  }
}

/* Words of a row that show something. */
uint visible_words (Component c, int hsub)
{
  if (TARGET_PACKING == PACKING_THREE)
    return last_of_plane (c.plane) / 3 + 1;
  return (plane_width (hsub) * uint (c.step) + 3) >> 2;
}

/* Stores the plane of component @k, unless that was done or is left out. */
void store_plane (uint block, uint row, int k, Planes words, inout int stored)
{
  const Component c = target_component (k);
  if (c.plane == stored || (LEFT_OUT >> c.plane & 1) != 0)
    return;
  stored = c.plane;

  const int n
      = bytes_of (TARGET_PACKING, c.step * (BLOCK >> target_hsub (k))) / 4;
  const uvec2 place = params.target[c.plane];
  const uint row_start = (place.x + row * place.y) >> 2;
  const uint visible = visible_words (c, target_hsub (k));
  if (is_wide (n)) {
    store_wide (row_start + block * uint (n), n, c.plane, words);
    return;
  }
  [[unroll]] for (int i = 0; i < MAX_WORDS; i++) {
    const uint at = block * uint (n) + i;
    if (i < n && (WHOLE_BLOCKS || at < visible))
      target_words[row_start + at] = words.at[c.plane * MAX_WORDS + i];
  }
}

void add_sample (inout Planes words, Component c, int i, uint code)
{
  const ivec2 place = place_of (c, TARGET_PACKING, i, 0);
  words.at[c.plane * MAX_WORDS + place.x] |= code << place.y;
}

/* Behind the last column other words' bits are left alone, and a word's are 0:
 * bytes may be anything there. */
bool is_seen (uint x, int hsub)
{
  return TARGET_PACKING == PACKING_BYTES || WHOLE_BLOCKS
         || x < plane_width (hsub);
}

void add_pixels (inout Planes words, uint block, int k, Codes codes)
{
  [[unroll]] for (int i = 0; i < BLOCK; i++) {
    if (is_seen (block * BLOCK + i, 0))
      add_sample (words, target_component (k), i, codes.at[i][k]);
  }
}

void add_chroma (inout Planes words, uint block, ChromaCodes codes)
{
  [[unroll]] for (int i = 0; i < TARGET_SAMPLES; i++) {
    if (is_seen (block * TARGET_SAMPLES + i, TARGET_HSUB)) {
      add_sample (words, target_component (1), i, codes.at[i].x);
      add_sample (words, target_component (2), i, codes.at[i].y);
    }
  }
}

Planes no_words ()
{
  Planes words;
  [[unroll]] for (int i = 0; i < MAX_PLANES * MAX_WORDS; i++)
    words.at[i] = 0;
  return words;
}

void target_pixels (uint block, uint row, Codes codes, ChromaCodes chroma)
{
  Planes words = no_words ();
  int stored = -1;

  add_pixels (words, block, 0, codes);
  if (TARGET_FULL) {
    add_pixels (words, block, 1, codes);
    add_pixels (words, block, 2, codes);
  } else if (TARGET_VSUB == 0) {
    add_chroma (words, block, chroma);
  }
  if (ALPHA != ALPHA_NONE) {
    add_pixels (words, block, 3, codes);
    store_plane (block, row, 3, words, stored);
  }
  if (TARGET_VSUB == 0) {
    store_plane (block, row, 2, words, stored);
    store_plane (block, row, 1, words, stored);
  }
  store_plane (block, row, 0, words, stored);
}

void target_chroma (uint block, uint row, ChromaCodes codes)
{
  Planes words = no_words ();
  int stored = -1;

  add_chroma (words, block, codes);
  store_plane (block, row, 2, words, stored);
  store_plane (block, row, 1, words, stored);
}
#endif
