/* Lookup tables in files of the format .cube (Adobe, Cube LUT Specification
 * 1.0, with the ranges that DaVinci Resolve writes). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define COLOR_CUBE_LARGEST_3D 129
#define COLOR_CUBE_LARGEST_1D 65536

struct color_cube
{
  bool is_3d;
  int size; /* entries of an axis */
  float min[3], max[3];
  float *values;   /* R, G, B; of 3-D tables red changes fastest */
  unsigned serial; /* the owner's: another content has another one */
};

/* Where parsing stopped. */
struct color_cube_error
{
  int line; /* from 1; 0: none in particular */
  const char *reason;
};

/* Accepts @length bytes of @text. On failure @cube is empty and *@error says
 * why. */
bool color_cube_parse (struct color_cube *cube, const char *text, size_t length,
                       struct color_cube_error *error);
void color_cube_clear (struct color_cube *cube);

/* How many values of three there are. */
size_t color_cube_entries (const struct color_cube *cube);

/* 1-D tables are interpolated linearly, 3-D ones in tetrahedra: greys of
 * a table whose diagonal is grey stay grey. What is outside the domain is what
 * the border is. */
void color_cube_apply (const struct color_cube *cube, const float in[3],
                       float out[3]);
