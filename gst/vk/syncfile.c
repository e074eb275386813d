/* What the kernel knows of a dmabuf's fences. */
#include "gst/vk/syncfile.h"

#include <errno.h>
#include <linux/dma-buf.h>
#include <string.h>
#include <sys/ioctl.h>

/* Older than the kernel's headers on Debian 12. */
#ifndef DMA_BUF_IOCTL_EXPORT_SYNC_FILE
struct dma_buf_export_sync_file
{
  __u32 flags;
  __s32 fd;
};
struct dma_buf_import_sync_file
{
  __u32 flags;
  __s32 fd;
};
#define DMA_BUF_IOCTL_EXPORT_SYNC_FILE                                         \
  _IOWR (DMA_BUF_BASE, 2, struct dma_buf_export_sync_file)
#define DMA_BUF_IOCTL_IMPORT_SYNC_FILE                                         \
  _IOW (DMA_BUF_BASE, 3, struct dma_buf_import_sync_file)
#endif

static int
system_ioctl (int fd, unsigned long request, void *argument)
{
  int result;

  do
    result = ioctl (fd, request, argument);
  while (result < 0 && errno == EINTR);
  return result;
}

static const struct vkc_dmabuf_calls system_calls = {
  .ioctl = system_ioctl,
  .poll = poll,
};
static const struct vkc_dmabuf_calls *calls = &system_calls;

void
vkc_dmabuf_set_calls (const struct vkc_dmabuf_calls *others)
{
  g_atomic_pointer_set (&calls, others ? others : &system_calls);
}

bool
vkc_poll_until (int fd, short events, int timeout_ms)
{
  const int64_t end = g_get_monotonic_time () + timeout_ms * INT64_C (1000);

  for (;;) {
    struct pollfd item = { .fd = fd, .events = events };
    const int64_t left = (end - g_get_monotonic_time () + 999) / 1000;
    const int n = calls->poll (&item, 1, (int)MAX (left, 0));

    if (n > 0)
      return true;
    if (n == 0 || (errno != EINTR && errno != EAGAIN))
      return false;
  }
}

int
vkc_sync_file_export (struct vkc_dmabuf_import *import, uint32_t plane,
                      bool writes)
{
  struct dma_buf_export_sync_file request = {
    .flags = writes ? DMA_BUF_SYNC_WRITE : DMA_BUF_SYNC_READ,
    .fd = -1,
  };

  if (calls->ioctl (import->fds[plane], DMA_BUF_IOCTL_EXPORT_SYNC_FILE,
                    &request)
      == 0)
    return request.fd;
  g_atomic_int_set (&import->has_no_fences, true);
  return -1;
}

bool
vkc_sync_file_is_shared (const struct vkc_dmabuf_import *import, uint32_t plane)
{
  for (uint32_t i = 0; i < plane; i++)
    if (memcmp (&import->key.objects[i], &import->key.objects[plane],
                sizeof import->key.objects[i])
        == 0)
      return true;
  return false;
}

bool
vkc_sync_file_attach (struct vkc_dmabuf_import *import, int sync_file)
{
  for (uint32_t i = 0; i < import->key.view.n_planes; i++) {
    struct dma_buf_import_sync_file request = {
      .flags = DMA_BUF_SYNC_WRITE,
      .fd = sync_file,
    };

    if (vkc_sync_file_is_shared (import, i)
        || calls->ioctl (import->fds[i], DMA_BUF_IOCTL_IMPORT_SYNC_FILE,
                         &request)
               == 0)
      continue;
    g_atomic_int_set (&import->has_no_fences, true);
    return false;
  }
  return true;
}
