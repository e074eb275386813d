/* Memfds as dmabufs that hold the adder's frame, and an independent model of
 * who owns an image in which layout. */
#pragma once

#include "gst/vk/dmabuf.h"
#include "tests/gpu/adder.h"

/* The pitch that software drivers give to images of the adder's width. */
#define DMABUF_STRIDE 128
#define DMABUF_SIZE 4096

#define HAS_DMABUFS(adder)                                                    \
  if (!(adder)->device->can_import_dmabuf) {                                  \
    adder_clear (adder);                                                      \
    test_skip ("the driver cannot import dmabufs");                           \
  }

/* A new one whose word i holds i + @first. */
int dmabuf_filled (uint32_t first);
/* Writes that, as the CPU does. */
void dmabuf_fill (int fd, uint32_t first);
bool dmabuf_holds (int fd, uint32_t first);

/* The adder's frame in @fd, in the kind of storage under test. */
struct vkc_dmabuf dmabuf_view (int fd);
struct vkc_image *dmabuf_import (struct adder *adder, int fd, bool keep);

/* Goes through the accepted barriers in the order of submission and asserts for
 * @image, or @buffer, alone: each submission that names it acquires it from the
 * foreign family once, first of all, and gives it back once, last of all; every
 * barrier starts from the layout that the one before left, the first of all
 * from UNDEFINED; others get it in GENERAL. Returns in how many submissions it
 * was. */
unsigned assert_foreign_protocol (struct vkc_device *device, VkImage image,
                                  VkBuffer buffer);

/* The first barrier that took something from others: its image or buffer is an
 * import. */
struct test_barrier dmabuf_first_acquired (struct adder *adder);

/* assert_foreign_protocol() for that one. */
void dmabuf_assert_protocol (struct adder *adder, unsigned submissions);
