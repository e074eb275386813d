/* Pieces of shaders in GLSL. */
#pragma once

#define HEAD "#version 450\nlayout (local_size_x = 8, local_size_y = 4) in;\n"
#define TWO_IMAGES                                                             \
  "layout (binding = 0, rgba8) readonly uniform image2D source;\n"             \
  "layout (binding = 1, rgba8) writeonly uniform image2D target;\n"
#define COPY                                                                   \
  "void main () {\n"                                                           \
  "  ivec2 at = ivec2 (gl_GlobalInvocationID.xy);\n"                           \
  "  imageStore (target, at, imageLoad (source, at));\n"                       \
  "}\n"
