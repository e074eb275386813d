/* What the kernel knows of a dmabuf's fences, by way of sync files. All calls
 * may block for a moment: never under the recorder's lock. */
#pragma once

#include "gst/vk/dmabuf-private.h"

/* Whether an earlier plane lies in the dmabuf of @plane: such planes share its
 * fences. */
bool vkc_sync_file_is_shared (const struct vkc_dmabuf_import *import,
                              uint32_t plane);

/* What a reader, or with @writes a writer, of @plane has to wait for. -1: the
 * dmabuf has no fences to tell of. The caller closes it. */
int vkc_sync_file_export (struct vkc_dmabuf_import *import, uint32_t plane,
                          bool writes);

/* Others wait for @sync_file before they use any of the planes. False: not
 * all of the dmabufs take fences. */
bool vkc_sync_file_attach (struct vkc_dmabuf_import *import, int sync_file);

/* poll() of one descriptor, bounded, and not ended early by signals. */
bool vkc_poll_until (int fd, short events, int timeout_ms);
