/* Kernel interfaces by hand. */
#include "tests/vm/drm.h"

#include <fcntl.h>
#include <gst/check/gstcheck.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

struct version
{
  int major, minor, patch;
  size_t name_length;
  char *name;
  size_t date_length;
  char *date;
  size_t description_length;
  char *description;
};
struct dumb
{
  uint32_t height, width, bits, flags, handle, pitch;
  uint64_t size;
};
struct prime
{
  uint32_t handle, flags;
  int32_t fd;
};
struct vgem_attach
{
  uint32_t handle, flags, fence, pad;
};
struct vgem_signal
{
  uint32_t fence, flags;
};
struct resources
{
  uint64_t fbs, crtcs, connectors, encoders;
  uint32_t n_fbs, n_crtcs, n_connectors, n_encoders;
  uint32_t min_width, max_width, min_height, max_height;
};
struct mode
{
  uint32_t clock;
  uint16_t hdisplay, hsync_start, hsync_end, htotal, hskew;
  uint16_t vdisplay, vsync_start, vsync_end, vtotal, vscan;
  uint32_t vrefresh, flags, type;
  char name[32];
};
struct connector
{
  uint64_t encoders, modes, props, prop_values;
  uint32_t n_modes, n_props, n_encoders;
  uint32_t encoder_id, connector_id, connector_type, connector_type_id;
  uint32_t connection, mm_width, mm_height, subpixel, pad;
};
struct crtc
{
  uint64_t connectors;
  uint32_t n_connectors, crtc_id, fb_id, x, y, gamma_size, mode_valid;
  struct mode mode;
};
struct frame_buffer
{
  uint32_t id, width, height, format, flags;
  uint32_t handles[4], pitches[4], offsets[4];
  uint64_t modifiers[4];
};
/* Newer than Debian 12's headers. */
struct sync_file_request
{
  uint32_t flags;
  int32_t fd;
};
#define GET_VERSION      _IOWR ('d', 0x00, struct version)
#define CREATE_DUMB      _IOWR ('d', 0xB2, struct dumb)
#define HANDLE_TO_FD     _IOWR ('d', 0x2d, struct prime)
#define FD_TO_HANDLE     _IOWR ('d', 0x2e, struct prime)
#define GET_RESOURCES    _IOWR ('d', 0xA0, struct resources)
#define GET_CONNECTOR    _IOWR ('d', 0xA7, struct connector)
#define SET_CRTC         _IOWR ('d', 0xA2, struct crtc)
#define ADD_FRAME_BUFFER _IOWR ('d', 0xB8, struct frame_buffer)
#define VGEM_ATTACH      _IOWR ('d', 0x41, struct vgem_attach)
#define VGEM_SIGNAL      _IOW ('d', 0x42, struct vgem_signal)
#define EXPORT_SYNC_FILE _IOWR ('b', 2, struct sync_file_request)
#define IMPORT_SYNC_FILE _IOW ('b', 3, struct sync_file_request)
#define FORMAT_XRGB      0x34325258

int
drm_open (const char *driver)
{
  for (int i = 0; i < 8; i++) {
    char path[32], name[32] = "";
    struct version version = { .name_length = 31, .name = name };
    int fd;

    snprintf (path, sizeof path, "/dev/dri/card%d", i);
    fd = open (path, O_RDWR | O_CLOEXEC);
    if (fd >= 0 && ioctl (fd, GET_VERSION, &version) == 0
        && strcmp (name, driver) == 0)
      return fd;
    if (fd >= 0)
      close (fd);
  }
  return -1;
}

uint32_t
drm_hold_fence (int vgem, int *sync_file)
{
  struct dumb dumb = { .height = 64, .width = 64, .bits = 32 };
  struct prime prime = { .flags = O_RDWR | O_CLOEXEC };
  struct vgem_attach attach = { .flags = 1 };
  struct sync_file_request export = { .flags = DMA_BUF_SYNC_RW };

  fail_unless (ioctl (vgem, CREATE_DUMB, &dumb) == 0);
  attach.handle = prime.handle = dumb.handle;
  fail_unless (ioctl (vgem, VGEM_ATTACH, &attach) == 0);
  fail_unless (ioctl (vgem, HANDLE_TO_FD, &prime) == 0);
  fail_unless (ioctl (prime.fd, EXPORT_SYNC_FILE, &export) == 0);
  close (prime.fd);
  *sync_file = export.fd;
  return attach.fence;
}

void
drm_signal_fence (int vgem, uint32_t fence)
{
  struct vgem_signal signal = { .fence = fence };

  fail_unless (ioctl (vgem, VGEM_SIGNAL, &signal) == 0);
}

void
drm_put_fence (int dmabuf, int sync_file)
{
  struct sync_file_request import
      = { .flags = DMA_BUF_SYNC_WRITE, .fd = sync_file };

  fail_unless (ioctl (dmabuf, IMPORT_SYNC_FILE, &import) == 0);
  close (sync_file);
}

int
drm_heap_new (size_t size)
{
  const int heap = open ("/dev/dma_heap/system", O_RDWR | O_CLOEXEC);
  struct dma_heap_allocation_data request
      = { .len = size, .fd_flags = O_RDWR | O_CLOEXEC };

  fail_unless (heap >= 0 && ioctl (heap, DMA_HEAP_IOCTL_ALLOC, &request) == 0);
  close (heap);
  return (int) request.fd;
}

static gboolean
read_mode (struct drm_display *display)
{
  struct mode modes[256];
  uint32_t encoders[8], props[64];
  uint64_t values[64];
  struct connector connector = { .connector_id = display->connector };

  if (ioctl (display->card, GET_CONNECTOR, &connector) != 0
      || connector.n_modes == 0 || connector.n_modes > 256
      || connector.n_encoders > 8 || connector.n_props > 64)
    return FALSE;
  connector.modes = (uintptr_t) modes;
  connector.encoders = (uintptr_t) encoders;
  connector.props = (uintptr_t) props;
  connector.prop_values = (uintptr_t) values;
  if (ioctl (display->card, GET_CONNECTOR, &connector) != 0)
    return FALSE;
  G_STATIC_ASSERT (sizeof modes[0] <= sizeof display->mode);
  memcpy (display->mode, &modes[0], sizeof modes[0]);
  display->width = modes[0].hdisplay;
  display->height = modes[0].vdisplay;
  return TRUE;
}

gboolean
drm_display_init (struct drm_display *display, int card)
{
  uint32_t crtcs[4], connectors[4];
  struct resources resources = { .crtcs = (uintptr_t) crtcs,
                                 .connectors = (uintptr_t) connectors,
                                 .n_crtcs = 4,
                                 .n_connectors = 4 };

  if (ioctl (card, GET_RESOURCES, &resources) != 0 || resources.n_crtcs == 0
      || resources.n_connectors == 0)
    return FALSE;
  display->card = card;
  display->crtc = crtcs[0];
  display->connector = connectors[0];
  return read_mode (display);
}

uint32_t
drm_display_add (struct drm_display *display, int dmabuf, uint32_t stride)
{
  struct prime prime = { .fd = dmabuf };
  struct frame_buffer fb = { .width = display->width,
                             .height = display->height,
                             .format = FORMAT_XRGB,
                             .pitches = { stride } };

  fail_unless (ioctl (display->card, FD_TO_HANDLE, &prime) == 0);
  fb.handles[0] = prime.handle;
  fail_unless (ioctl (display->card, ADD_FRAME_BUFFER, &fb) == 0);
  return fb.id;
}

gboolean
drm_display_show (struct drm_display *display, uint32_t frame_buffer)
{
  uint32_t connector = display->connector;
  struct crtc crtc = { .connectors = (uintptr_t) &connector,
                       .n_connectors = 1,
                       .crtc_id = display->crtc,
                       .fb_id = frame_buffer,
                       .mode_valid = 1 };

  memcpy (&crtc.mode, display->mode, sizeof crtc.mode);
  return ioctl (display->card, SET_CRTC, &crtc) == 0;
}
