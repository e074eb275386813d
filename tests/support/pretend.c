/* Modifiers and exports that the driver does not have. */
#include "tests/support/pretend.h"

#include <glib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static uint64_t pretended;
static bool exports;
static __thread VkDeviceSize exported; /* bytes */

void
test_wrap_pretend_modifier (uint64_t modifier)
{
  pretended = modifier;
}

void
test_wrap_pretend_exports (bool on)
{
  exports = on;
}

const VkMemoryAllocateInfo *
pretend_allocation (const VkMemoryAllocateInfo *info,
                    struct pretended_allocation *copy)
{
  const VkBaseInStructure *next = info->pNext;
  const void **link = &copy->info.pNext;

  copy->info = *info;
  if (next && next->sType == VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO) {
    copy->flags = *(const VkMemoryAllocateFlagsInfo *)next;
    copy->info.pNext = &copy->flags;
    link = &copy->flags.pNext;
    next = next->pNext;
  }
  if (!exports || !next
      || next->sType != VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO)
    return info;
  exported = info->allocationSize;
  *link = next->pNext;
  return &copy->info;
}

bool
pretend_export (int *fd)
{
  if (!exports)
    return false;
  *fd = memfd_create ("pretended", MFD_CLOEXEC);
  return *fd >= 0 && ftruncate (*fd, (off_t) exported) == 0;
}

/* Copies the structures of @type out of a chain of which the code under test
 * makes nothing else. */
static bool
copy_link (const VkBaseInStructure *chain, VkStructureType type, void *copy,
           gsize size)
{
  while (chain && chain->sType != type)
    chain = chain->pNext;
  if (chain)
    memcpy (copy, chain, size);
  return chain != NULL;
}

static const uint64_t linear = 0;

/* The modifier of an image that comes from elsewhere, or of one to be laid out
 * here. Returns the changed copy, or NULL: it is another one. */
static const void *
pretend_choice (const VkImageCreateInfo *info, struct pretended_image *copy)
{
  if (copy_link (
          info->pNext,
          VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_EXPLICIT_CREATE_INFO_EXT,
          &copy->modifier, sizeof copy->modifier)
      && copy->modifier.drmFormatModifier == pretended) {
    copy->modifier.pNext = NULL;
    copy->modifier.drmFormatModifier = linear;
    return &copy->modifier;
  }
  if (copy_link (
          info->pNext,
          VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_LIST_CREATE_INFO_EXT,
          &copy->modifiers, sizeof copy->modifiers)
      && copy->modifiers.pDrmFormatModifiers[0] == pretended) {
    copy->modifiers.pNext = NULL;
    copy->modifiers.pDrmFormatModifiers = &linear;
    return &copy->modifiers;
  }
  return NULL;
}

const VkImageCreateInfo *
pretend_image (const VkImageCreateInfo *info, struct pretended_image *copy)
{
  const void *modifier = pretended ? pretend_choice (info, copy) : NULL;

  if (!modifier)
    return info;
  g_assert (copy_link (info->pNext,
                       VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO,
                       &copy->external, sizeof copy->external));
  g_assert (copy_link (info->pNext,
                       VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO,
                       &copy->list, sizeof copy->list));
  copy->info = *info;
  copy->info.pNext = &copy->external;
  copy->external.pNext = &copy->list;
  copy->list.pNext = modifier;
  return &copy->info;
}

const VkPhysicalDeviceImageFormatInfo2 *
pretend_format (const VkPhysicalDeviceImageFormatInfo2 *info,
                struct pretended_format *copy)
{
  if (!pretended
      || !copy_link (
          info->pNext,
          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_DRM_FORMAT_MODIFIER_INFO_EXT,
          &copy->modifier, sizeof copy->modifier)
      || copy->modifier.drmFormatModifier != pretended)
    return info;
  g_assert (copy_link (
      info->pNext,
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_IMAGE_FORMAT_INFO,
      &copy->external, sizeof copy->external));
  copy->info = *info;
  copy->info.pNext = &copy->external;
  copy->external.pNext = &copy->modifier;
  copy->modifier.pNext = NULL;
  copy->modifier.drmFormatModifier = 0;
  return &copy->info;
}

/* The caller's array must have room for one more: drivers are asked twice, and
 * the first answer had it. */
void
pretend_properties (VkFormatProperties2 *properties)
{
  VkDrmFormatModifierPropertiesListEXT *list = (void *) properties->pNext;

  if (!pretended || !list
      || list->sType
             != VK_STRUCTURE_TYPE_DRM_FORMAT_MODIFIER_PROPERTIES_LIST_EXT
      || list->drmFormatModifierCount == 0)
    return;
  for (uint32_t i = 0;
       list->pDrmFormatModifierProperties && i < list->drmFormatModifierCount;
       i++)
    if (list->pDrmFormatModifierProperties[i].drmFormatModifier == 0) {
      list->pDrmFormatModifierProperties[list->drmFormatModifierCount]
          = list->pDrmFormatModifierProperties[i];
      list->pDrmFormatModifierProperties[list->drmFormatModifierCount]
          .drmFormatModifier
          = pretended;
      break;
    }
  list->drmFormatModifierCount++;
}
