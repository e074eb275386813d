/* Memfds as dmabufs; the model of ownership and layouts. */
#include "tests/gpu/dmabufs.h"

#include <sys/mman.h>
#include <unistd.h>

static guint
word_at (guint i)
{
  return adder_is_image () ? i / ADDER_WIDTH * (DMABUF_STRIDE / 4)
                                 + i % ADDER_WIDTH
                           : i;
}

static uint32_t *
map (int fd)
{
  uint32_t *words = mmap (NULL, DMABUF_SIZE, PROT_READ | PROT_WRITE,
                          MAP_SHARED, fd, 0);

  fail_unless (words != MAP_FAILED);
  return words;
}

void
dmabuf_fill (int fd, uint32_t first)
{
  uint32_t *words = map (fd);

  for (guint i = 0; i < ADDER_WORDS; i++)
    words[word_at (i)] = i + first;
  munmap (words, DMABUF_SIZE);
}

int
dmabuf_filled (uint32_t first)
{
  const int fd = memfd_create ("frame", MFD_CLOEXEC);

  fail_unless (fd >= 0 && ftruncate (fd, DMABUF_SIZE) == 0);
  dmabuf_fill (fd, first);
  return fd;
}

bool
dmabuf_holds (int fd, uint32_t first)
{
  uint32_t *words = map (fd);
  bool holds = true;

  for (guint i = 0; i < ADDER_WORDS; i++)
    holds &= words[word_at (i)] == i + first;
  munmap (words, DMABUF_SIZE);
  return holds;
}

struct vkc_dmabuf
dmabuf_view (int fd)
{
  return (struct vkc_dmabuf){
    .storage = adder_is_image () ? VKC_STORAGE_IMAGE : VKC_STORAGE_BUFFER,
    .n_planes = 1,
    .planes = { { .fd = fd,
                  .stride = DMABUF_STRIDE,
                  .width = ADDER_WIDTH,
                  .height = ADDER_HEIGHT,
                  .format = VK_FORMAT_R32_UINT } },
  };
}

struct vkc_image *
dmabuf_import (struct adder *adder, int fd, bool keep)
{
  const struct vkc_dmabuf view = dmabuf_view (fd);
  g_autoptr (GError) error = NULL;
  struct vkc_image *image
      = vkc_dmabuf_import (adder->device, &view, keep, &error);

  fail_unless (image != NULL, "%s", error ? error->message : "");
  return image;
}

/* What the model knows of the object. */
struct model
{
  VkImageLayout layout;
  bool ours;
  uint64_t submit; /* the last one that named it */
  unsigned acquired, released, submissions;
};

static void
enter_submission (struct model *model, uint64_t submit)
{
  if (model->submit == submit)
    return;
  fail_unless (!model->ours, "kept from submission %u on",
               (unsigned) model->submit);
  model->submit = submit;
  model->acquired = model->released = 0;
  model->submissions++;
}

static void
take_barrier (struct model *model, const struct vkc_device *device,
              const struct test_barrier *barrier)
{
  const uint32_t foreign = device->foreign_family;

  enter_submission (model, barrier->submit);
  fail_unless_equals_int (barrier->old_layout, model->layout);
  model->layout = barrier->new_layout;
  if (barrier->src_family == foreign) {
    fail_unless_equals_int (barrier->dst_family, device->queue_family);
    fail_unless (!model->ours && model->acquired++ == 0, "acquired twice");
    model->ours = true;
  } else if (barrier->dst_family == foreign) {
    fail_unless_equals_int (barrier->src_family, device->queue_family);
    fail_unless (model->ours && model->released++ == 0, "released twice");
    if (barrier->image)
      fail_unless_equals_int (barrier->new_layout, VK_IMAGE_LAYOUT_GENERAL);
    model->ours = false;
  } else {
    fail_unless (model->ours, "used while others had it");
  }
}

unsigned
assert_foreign_protocol (struct vkc_device *device, VkImage image,
                         VkBuffer buffer)
{
  struct model model = { .layout = VK_IMAGE_LAYOUT_UNDEFINED };
  unsigned n;
  g_autofree struct test_barrier *barriers = test_wrap_barriers (&n);

  for (unsigned i = 0; i < n; i++)
    if (barriers[i].submit > 0 && barriers[i].image == image
        && barriers[i].buffer == buffer)
      take_barrier (&model, device, &barriers[i]);
  fail_unless (!model.ours, "never given back");
  return model.submissions;
}

struct test_barrier
dmabuf_first_acquired (struct adder *adder)
{
  struct test_barrier found = { 0 };
  unsigned n;
  g_autofree struct test_barrier *barriers = test_wrap_barriers (&n);

  for (unsigned i = 0; i < n && !found.submit; i++)
    if (barriers[i].src_family == adder->device->foreign_family
        && barriers[i].src_family != barriers[i].dst_family)
      found = barriers[i];
  fail_unless (found.image || found.buffer, "nothing was acquired");
  return found;
}

void
dmabuf_assert_protocol (struct adder *adder, unsigned submissions)
{
  const struct test_barrier acquired = dmabuf_first_acquired (adder);

  assert_equals_int (assert_foreign_protocol (adder->device, acquired.image,
                                              acquired.buffer),
                     submissions);
}
