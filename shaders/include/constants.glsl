/* The specialization constants of the colour kernel, as kernel_ids.h numbers
 * them. The defaults only have to compile. */

layout (local_size_x_id = ID_LOCAL_SIZE_X) in;

layout (constant_id = ID_ROW_PAIRS) const int ROW_PAIRS = 1;
layout (constant_id = ID_WHOLE_BLOCKS) const bool WHOLE_BLOCKS = false;
layout (constant_id = ID_EVEN_HEIGHT) const bool EVEN_HEIGHT = false;
layout (constant_id = ID_ALIGNED) const int ALIGNED = 1;

layout (constant_id = ID_SOURCE_ROW_STEP) const int SOURCE_ROW_STEP = 1;
layout (constant_id = ID_TARGET_ROW_STEP) const int TARGET_ROW_STEP = 1;

layout (constant_id = ID_LEFT_OUT) const int LEFT_OUT = 0;

layout (constant_id = ID_PATH) const int PATH = PATH_AFFINE;
layout (constant_id = ID_MULTIPLE) const int MULTIPLE = 0;
layout (constant_id = ID_CHROMA_DIRECT) const bool CHROMA_DIRECT = false;
layout (constant_id = ID_SOURCE_TRANSFER) const int SOURCE_TRANSFER = 0;
layout (constant_id = ID_TARGET_TRANSFER) const int TARGET_TRANSFER = 0;
layout (constant_id = ID_TONE_MODE) const int TONE_MODE = TONE_NONE;
layout (constant_id = ID_TONE_DOMAIN) const int TONE_DOMAIN = DOMAIN_PQ;
layout (constant_id = ID_GAMUT) const int GAMUT = GAMUT_CLIP;
layout (constant_id = ID_NATIVE_LOG) const bool NATIVE_LOG = false;
layout (constant_id = ID_CLAMP_CODES) const bool CLAMP_CODES = true;
layout (constant_id = ID_ALPHA) const int ALPHA = ALPHA_NONE;
layout (constant_id = ID_ALPHA_SOURCE) const int ALPHA_SOURCE = 255;
layout (constant_id = ID_ALPHA_OPAQUE) const float ALPHA_OPAQUE = 255.0;

layout (constant_id = ID_SOURCE_PACKING) const int SOURCE_PACKING = 0;
layout (constant_id = ID_TARGET_PACKING) const int TARGET_PACKING = 0;
layout (constant_id = ID_SOURCE_HSUB) const int SOURCE_HSUB = 0;
layout (constant_id = ID_SOURCE_VSUB) const int SOURCE_VSUB = 0;
layout (constant_id = ID_TARGET_HSUB) const int TARGET_HSUB = 0;
layout (constant_id = ID_TARGET_VSUB) const int TARGET_VSUB = 0;
layout (constant_id = ID_UP_H_EVEN) const float UP_H_EVEN = 0.0;
layout (constant_id = ID_UP_H_ODD) const float UP_H_ODD = 0.0;
layout (constant_id = ID_UP_V_EVEN) const float UP_V_EVEN = 0.0;
layout (constant_id = ID_UP_V_ODD) const float UP_V_ODD = 0.0;
layout (constant_id = ID_DOWN_LEFT) const bool DOWN_LEFT = false;
layout (constant_id = ID_DOWN_TOP) const bool DOWN_TOP = false;

layout (constant_id = ID_SOURCE_PARAM0) const float SOURCE_PARAM0 = 1.0;
layout (constant_id = ID_SOURCE_PARAM1) const float SOURCE_PARAM1 = 1.0;
layout (constant_id = ID_SOURCE_PARAM2) const float SOURCE_PARAM2 = 0.0;
layout (constant_id = ID_TARGET_PARAM0) const float TARGET_PARAM0 = 1.0;
layout (constant_id = ID_TARGET_PARAM1) const float TARGET_PARAM1 = 1.0;
layout (constant_id = ID_TARGET_PARAM2) const float TARGET_PARAM2 = 0.0;

#define DECLARE_ROW(name, id)                                                 \
  layout (constant_id = (id)) const float name##X = 0.0;                      \
  layout (constant_id = (id) + 1) const float name##Y = 0.0;                  \
  layout (constant_id = (id) + 2) const float name##Z = 0.0;
#define DECLARE_AFFINE_ROW(name, id)                                          \
  DECLARE_ROW (name, id)                                                      \
  layout (constant_id = (id) + 3) const float name##W = 0.0;

DECLARE_AFFINE_ROW (IN_0, ID_IN_MATRIX)
DECLARE_AFFINE_ROW (IN_1, ID_IN_MATRIX + 4)
DECLARE_AFFINE_ROW (IN_2, ID_IN_MATRIX + 8)
DECLARE_ROW (LIGHT_0, ID_LIGHT_MATRIX)
DECLARE_ROW (LIGHT_1, ID_LIGHT_MATRIX + 3)
DECLARE_ROW (LIGHT_2, ID_LIGHT_MATRIX + 6)
DECLARE_AFFINE_ROW (OUT_0, ID_OUT_MATRIX)
DECLARE_AFFINE_ROW (OUT_1, ID_OUT_MATRIX + 4)
DECLARE_AFFINE_ROW (OUT_2, ID_OUT_MATRIX + 8)
DECLARE_ROW (LMS_0, ID_LMS_MATRIX)
DECLARE_ROW (LMS_1, ID_LMS_MATRIX + 3)
DECLARE_ROW (LMS_2, ID_LMS_MATRIX + 6)
DECLARE_ROW (HUE_GREY, ID_HUE_GREY)
DECLARE_ROW (HUE_APART, ID_HUE_APART)
DECLARE_ROW (HUE_BEND, ID_HUE_BEND)
layout (constant_id = ID_GAIN_TABLE) const bool FROM_TABLE = false;
layout (constant_id = ID_LUT) const int LUT = LUT_NONE;
layout (constant_id = ID_LUT_SIZE) const int LUT_SIZE = 2;
layout (constant_id = ID_LUT_INSTEAD) const bool LUT_INSTEAD = false;
layout (constant_id = ID_LUT_UNIT) const float LUT_UNIT = 1.0;
DECLARE_ROW (LUT_MIN, ID_LUT_MIN)
DECLARE_ROW (LUT_SCALE, ID_LUT_SCALE)
layout (constant_id = ID_VIEW) const int VIEW = VIEW_NORMAL;
DECLARE_ROW (VIEW_0, ID_VIEW_MATRIX)
DECLARE_ROW (VIEW_1, ID_VIEW_MATRIX + 3)
DECLARE_ROW (VIEW_2, ID_VIEW_MATRIX + 6)
layout (constant_id = ID_VIEW_WHITE) const float VIEW_WHITE = 1.0;
layout (constant_id = ID_VIEW_SOURCE_PEAK) const float VIEW_SOURCE_PEAK = 1.0;
layout (constant_id = ID_VIEW_TARGET_PEAK) const float VIEW_TARGET_PEAK = 1.0;
layout (constant_id = ID_VIEW_SOURCE_UNIT) const float VIEW_SOURCE_UNIT = 1.0;
layout (constant_id = ID_VIEW_TARGET_UNIT) const float VIEW_TARGET_UNIT = 1.0;
DECLARE_ROW (SOURCE_LUMA, ID_SOURCE_LUMA)
DECLARE_ROW (TARGET_LUMA, ID_TARGET_LUMA)

layout (constant_id = ID_WALK) const int WALK = 1;

layout (constant_id = ID_GROUP_EDGES) const bool GROUP_EDGES = false;

struct Component
{
  int plane, step, offset, shift, bits, channel;
};

#define DECLARE_COMPONENT(name, id)                                           \
  layout (constant_id = (id) + COMPONENT_PLANE) const int name##PLANE = 0;    \
  layout (constant_id = (id) + COMPONENT_STEP) const int name##STEP = 1;      \
  layout (constant_id = (id) + COMPONENT_OFFSET) const int name##OFFSET = 0;  \
  layout (constant_id = (id) + COMPONENT_SHIFT) const int name##SHIFT = 0;    \
  layout (constant_id = (id) + COMPONENT_BITS) const int name##BITS = 8;      \
  layout (constant_id = (id) + COMPONENT_CHANNEL) const int name##CHANNEL = 0;
#define COMPONENT_OF(name)                                                    \
  Component (name##PLANE, name##STEP, name##OFFSET, name##SHIFT, name##BITS,  \
             name##CHANNEL)

DECLARE_COMPONENT (SOURCE_0, ID_SOURCE_COMPONENT)
DECLARE_COMPONENT (SOURCE_1, ID_SOURCE_COMPONENT + COMPONENT_FIELDS)
DECLARE_COMPONENT (SOURCE_2, ID_SOURCE_COMPONENT + COMPONENT_FIELDS * 2)
DECLARE_COMPONENT (SOURCE_3, ID_SOURCE_COMPONENT + COMPONENT_FIELDS * 3)
DECLARE_COMPONENT (TARGET_0, ID_TARGET_COMPONENT)
DECLARE_COMPONENT (TARGET_1, ID_TARGET_COMPONENT + COMPONENT_FIELDS)
DECLARE_COMPONENT (TARGET_2, ID_TARGET_COMPONENT + COMPONENT_FIELDS * 2)
DECLARE_COMPONENT (TARGET_3, ID_TARGET_COMPONENT + COMPONENT_FIELDS * 3)

Component source_component (int c)
{
  if (c == 0)
    return COMPONENT_OF (SOURCE_0);
  if (c == 1)
    return COMPONENT_OF (SOURCE_1);
  if (c == 2)
    return COMPONENT_OF (SOURCE_2);
  return COMPONENT_OF (SOURCE_3);
}

Component target_component (int c)
{
  if (c == 0)
    return COMPONENT_OF (TARGET_0);
  if (c == 1)
    return COMPONENT_OF (TARGET_1);
  if (c == 2)
    return COMPONENT_OF (TARGET_2);
  return COMPONENT_OF (TARGET_3);
}

/* Of component @c. */
int source_hsub (int c)
{
  return c == 1 || c == 2 ? SOURCE_HSUB : 0;
}

int target_hsub (int c)
{
  return c == 1 || c == 2 ? TARGET_HSUB : 0;
}

/* Whether a pixel's chroma comes with its row of pixels. */
const bool SOURCE_FULL = SOURCE_HSUB == 0 && SOURCE_VSUB == 0;
const bool TARGET_FULL = TARGET_HSUB == 0 && TARGET_VSUB == 0;

/* Whether the source's alpha is wanted. */
const bool TAKES_ALPHA = ALPHA == ALPHA_COPY || ALPHA == ALPHA_RESCALE;

/* Whether the filter reaches over the block's left and upper edge. */
const bool HALO_LEFT = !CHROMA_DIRECT && TARGET_HSUB > 0 && DOWN_LEFT;
const bool HALO_TOP = !CHROMA_DIRECT && TARGET_VSUB == 1 && DOWN_TOP;

/* Whether the pixel left of the block is made, too: not where the invocation
 * that makes the block before has it. */
#ifdef ALONG_ROWS
const bool LOADS_LEFT = false;
#else
const bool LOADS_LEFT = HALO_LEFT && !GROUP_EDGES;
#endif

