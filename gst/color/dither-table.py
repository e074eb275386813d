#!/usr/bin/env python3
"""Makes dither-table.c: 64x64 thresholds of blue noise.

Void and cluster (R. Ulichney, 1993) on a torus. Every threshold from 0 to 255
occurs 16 times, so the mean over a tile is exact to 1/512 of a code; and as
there is nothing random but a fixed sequence, the table never changes.

  dither-table.py > dither-table.c
"""
import math

SIZE = 64
COUNT = SIZE * SIZE
SIGMA = 1.9
REACH = 9

KERNEL = [(dx, dy, math.exp(-(dx * dx + dy * dy) / (2 * SIGMA * SIGMA)))
          for dy in range(-REACH, REACH + 1) for dx in range(-REACH, REACH + 1)]


class Pattern:
    """Which pixels are set, and how crowded it is around each."""

    def __init__(self):
        self.set = [False] * COUNT
        self.energy = [0.0] * COUNT

    def toggle(self, at):
        sign = -1 if self.set[at] else 1
        self.set[at] = not self.set[at]
        x, y = at % SIZE, at // SIZE
        for dx, dy, weight in KERNEL:
            self.energy[(y + dy) % SIZE * SIZE + (x + dx) % SIZE] += sign * weight

    def tightest_cluster(self):
        return max((i for i in range(COUNT) if self.set[i]), key=lambda i: (self.energy[i], i))

    def largest_void(self):
        return min((i for i in range(COUNT) if not self.set[i]), key=lambda i: (self.energy[i], i))

    def copy(self):
        other = Pattern()
        other.set, other.energy = self.set[:], self.energy[:]
        return other


def first_pattern():
    """A tenth of the pixels, moved from clusters into voids until none moves."""
    pattern, state, left = Pattern(), 1, COUNT // 10
    while left > 0:
        state = (state * 1664525 + 1013904223) % 2 ** 32
        if not pattern.set[state >> 20]:
            pattern.toggle(state >> 20)
            left -= 1
    for _ in range(COUNT):
        cluster = pattern.tightest_cluster()
        pattern.toggle(cluster)
        void = pattern.largest_void()
        pattern.toggle(void)
        if void == cluster:
            break
    return pattern


def ranks():
    first = first_pattern()
    rank, ones = [0] * COUNT, sum(first.set)
    pattern = first.copy()
    for n in range(ones - 1, -1, -1):
        at = pattern.tightest_cluster()
        pattern.toggle(at)
        rank[at] = n
    pattern = first.copy()
    for n in range(ones, COUNT):
        at = pattern.largest_void()
        pattern.toggle(at)
        rank[at] = n
    return rank


def main():
    values = [n * 256 // COUNT for n in ranks()]
    print("/* Made by dither-table.py: blue noise. */")
    print('#include "gst/color/dither.h"\n')
    print("const uint8_t color_dither_table[COLOR_DITHER_SIZE * COLOR_DITHER_SIZE] = {")
    for i in range(0, COUNT, 16):
        print("  " + " ".join("%d," % v for v in values[i:i + 16]))
    print("};")


main()
