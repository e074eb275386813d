/* VKC_API marks what the plugin and the tests call across the shared library's
 * border. It says "visible", not "stable": only installed headers are API. */
#pragma once

#define VKC_API __attribute__ ((visibility ("default")))
