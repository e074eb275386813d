/* The property `dither`. */
#include "ditherproperty.h"

#include <gst/gst.h>

GType
gst_vkc_dither_get_type (void)
{
  static const GEnumValue values[] = {
    { COLOR_DITHER_NONE, "Round half up", "none" },
    { COLOR_DITHER_ORDERED, "Blue noise of half a code, the same in each frame",
      "ordered" },
    { 0, NULL, NULL },
  };
  static gsize type;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstVkcDither", values));
  return type;
}

void
dither_property_install (GObjectClass *klass, guint id)
{
  g_object_class_install_property (
      klass, id,
      g_param_spec_enum ("dither", DITHER_NICK, DITHER_BLURB,
                         gst_vkc_dither_get_type (), DEFAULT_DITHER,
                         G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
                             | GST_PARAM_MUTABLE_PLAYING));
  gst_type_mark_as_plugin_api (gst_vkc_dither_get_type (), 0);
}
