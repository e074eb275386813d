/* vkc-probe FILE.spv ENTRY-POINT: reflects a module, which may not be valid,
 * and compiles it, in a process that may crash. Says on its output how far it
 * came: "reflected", "device NAME", "compiled", or "refused WHY". */
#include <stdio.h>
#include <stdlib.h>

#include "devicecheck.h"
#include "gst/vk/device.h"
#include "gst/vk/pipeline.h"
#include "reflection.h"

static int
refused (const GError *error)
{
  g_autofree gchar *line = g_strdelimit (g_strdup (error->message), "\n", ' ');

  printf ("refused %s\n", line);
  return EXIT_FAILURE;
}

static int
compile (const struct reflection *reflection, const struct vkc_kernel *kernel)
{
  g_autoptr (GError) error = NULL;
  struct vkc_device *device = vkc_device_new (g_getenv ("VKC_DEVICE"), &error);
  struct vkc_pipeline *pipeline;

  if (device == NULL)
    return refused (error);
  printf ("device %s\n", device->name);
  if (!device_check_capabilities (reflection, device, &error)
      || !device_check_bindings (reflection, device, &error)
      || !device_check_workgroup (reflection, reflection->local_size, device,
                                  &error))
    return refused (error);
  pipeline = vkc_pipeline_get (device, kernel, NULL, &error);
  if (pipeline == NULL)
    return refused (error);
  puts ("compiled");
  vkc_pipeline_unref (pipeline);
  vkc_device_unref (device);
  return EXIT_SUCCESS;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *code = NULL;
  struct reflection *reflection;
  struct vkc_kernel kernel;
  gsize size = 0;

  if (argc != 3)
    return EXIT_FAILURE;
  setvbuf (stdout, NULL, _IOLBF, 0);
  gst_init (NULL, NULL);
  if (!g_file_get_contents (argv[1], &code, &size, &error))
    return refused (error);
  reflection = reflection_new_unchecked (
      "the module", (guint32 *)code, size / sizeof (guint32), argv[2], &error);
  if (reflection == NULL
      || !reflection_fill_kernel (reflection, &kernel, &error))
    return refused (error);
  puts ("reflected");
  return compile (reflection, &kernel);
}
