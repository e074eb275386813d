/* Synchronisation decided, not emitted: what was done last and what comes next
 * give a barrier or none. Pure functions. */
#pragma once

#include <stdbool.h>
#include <vulkan/vulkan.h>

/* The last accesses to one buffer or image. An image that nobody touched yet
 * is {0}: layout UNDEFINED, no stages. */
struct vkc_access
{
  VkPipelineStageFlags2 stages;
  VkAccessFlags2 mask;
  VkImageLayout layout; /* UNDEFINED for buffers */
};

/* The first touch of something that was last used in an unknown way. */
extern const struct vkc_access vkc_access_none;

/* How a compute shader or a copy uses a resource. */
struct vkc_access vkc_access_storage (bool reads, bool writes);
struct vkc_access vkc_access_sampled (void);
struct vkc_access vkc_access_copy_source (void);
struct vkc_access vkc_access_copy_target (void);

/* Whether a dependency is needed between @last and @next: a write on either
 * side, or a change of layout. Fills the scopes and layouts of @barrier then.
 * With read after read nothing is needed; *@now becomes what to remember. */
bool vkc_access_barrier (const struct vkc_access *last,
                         const struct vkc_access *next,
                         VkImageMemoryBarrier2 *barrier,
                         struct vkc_access *now);
