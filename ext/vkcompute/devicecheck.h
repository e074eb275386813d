/* What a shader needs against what the device has: refused by name before a
 * driver sees it. Errors are GST_RESOURCE_ERROR_SETTINGS. */
#pragma once

#include "reflection.h"

gboolean device_check_capabilities (const struct reflection *reflection,
                                    const struct vkc_device *device,
                                    GError **error);

/* How large blocks are, and how many bindings of each kind there are. */
gboolean device_check_bindings (const struct reflection *reflection,
                                const struct vkc_device *device,
                                GError **error);

/* The workgroup's size, as it is with the constants that are set, and its
 * shared memory. */
gboolean device_check_workgroup (const struct reflection *reflection,
                                 const guint local_size[3],
                                 const struct vkc_device *device,
                                 GError **error);
