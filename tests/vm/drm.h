/* Kernel interfaces by hand, the few that the tests need: vgem, whose fences are
 * signalled on demand, vkms, a display, and the heap of dmabufs. */
#pragma once

#include <glib.h>
#include <stdint.h>

/* The card of @driver, or -1. */
int drm_open (const char *driver);

/* A fence of @vgem's that nobody has signalled, as a sync file; returns its
 * handle. */
uint32_t drm_hold_fence (int vgem, int *sync_file);
void drm_signal_fence (int vgem, uint32_t fence);

/* Puts @sync_file, which is closed, on a dmabuf as a writer's. */
void drm_put_fence (int dmabuf, int sync_file);

/* A dmabuf of @size bytes. */
int drm_heap_new (size_t size);

/* A display with one picture. */
struct drm_display
{
  int card;
  uint32_t crtc, connector;
  uint32_t width, height; /* of its first mode */
  char mode[256];         /* struct drm_mode_modeinfo */
};
gboolean drm_display_init (struct drm_display *display, int card);

/* A frame buffer of XRGB of the display's size in @dmabuf. */
uint32_t drm_display_add (struct drm_display *display, int dmabuf,
                          uint32_t stride);

/* Returns when @frame_buffer is shown. */
gboolean drm_display_show (struct drm_display *display, uint32_t frame_buffer);
