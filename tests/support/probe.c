/* Says which device the tests get: exit 0, or 77 when there is none. */
#include <stdio.h>

#include "gst/vk/device.h"

int
main (void)
{
  g_autoptr (GError) error = NULL;
  struct vkc_device *device = vkc_device_new (NULL, &error);

  if (!device) {
    printf ("%s\n", error->message);
    return 77;
  }
  printf ("%s%s\n", device->name, device->is_cpu ? " (software)" : "");
  vkc_device_unref (device);
  return 0;
}
