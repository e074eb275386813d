/* The model of layouts. */
#include "tests/support/layouts.h"

#include <glib.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_SETS 4

struct image
{
  bool is_external; /* memory that others may own */
  bool is_ours;     /* always, unless it is external */
  VkImageLayout layout;
};

/* A descriptor of a set. */
struct slot
{
  uint64_t place; /* binding and array element */
  VkImageView view;
  VkImageLayout layout;
};

enum kind
{
  BARRIER,
  USE,
};

struct event
{
  enum kind kind;
  VkImage image;
  VkImageLayout layout, new_layout;
  uint32_t src_family, dst_family;
};

struct commands
{
  GArray *events; /* struct event */
  VkDescriptorSet sets[MAX_SETS];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static GHashTable *images; /* VkImage -> struct image */
static GHashTable *views;  /* VkImageView -> VkImage */
static GHashTable *sets;   /* VkDescriptorSet -> GArray of struct slot */
static GHashTable *all_commands;

#define KEY(handle) GSIZE_TO_POINTER ((gsize) (handle))

static void
free_commands (gpointer data)
{
  struct commands *commands = data;

  g_array_unref (commands->events);
  g_free (commands);
}

static void
enter (void)
{
  pthread_mutex_lock (&lock);
  if (images)
    return;
  images = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  views = g_hash_table_new (NULL, NULL);
  sets = g_hash_table_new_full (NULL, NULL, NULL,
                                (GDestroyNotify) g_array_unref);
  all_commands = g_hash_table_new_full (NULL, NULL, NULL, free_commands);
}

static void
leave (void)
{
  pthread_mutex_unlock (&lock);
}

static struct commands *
commands_of (VkCommandBuffer handle)
{
  struct commands *commands = g_hash_table_lookup (all_commands, handle);

  if (!commands) {
    commands = g_new0 (struct commands, 1);
    commands->events = g_array_new (FALSE, FALSE, sizeof (struct event));
    g_hash_table_insert (all_commands, handle, commands);
  }
  return commands;
}

static bool
is_external (const VkImageCreateInfo *info)
{
  for (const VkBaseInStructure *next = info->pNext; next; next = next->pNext)
    if (next->sType == VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO)
      return true;
  return false;
}

void
layouts_image_made (VkImage handle, const VkImageCreateInfo *info)
{
  struct image *image = g_new0 (struct image, 1);

  image->is_external = is_external (info);
  image->is_ours = !image->is_external;
  image->layout = info->initialLayout;
  enter ();
  g_hash_table_insert (images, KEY (handle), image);
  leave ();
}

void
layouts_image_gone (VkImage handle)
{
  enter ();
  g_hash_table_remove (images, KEY (handle));
  leave ();
}

void
layouts_view_made (VkImageView view, const VkImageViewCreateInfo *info)
{
  enter ();
  g_hash_table_insert (views, KEY (view), KEY (info->image));
  leave ();
}

void
layouts_view_gone (VkImageView view)
{
  enter ();
  g_hash_table_remove (views, KEY (view));
  leave ();
}

void
layouts_set_made (VkDescriptorSet set)
{
  enter ();
  g_hash_table_insert (sets, KEY (set),
                       g_array_new (FALSE, FALSE, sizeof (struct slot)));
  leave ();
}

static bool
names_images (VkDescriptorType type)
{
  return type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
         || type == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE
         || type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
}

static void
write_slot (GArray *slots, const struct slot *written)
{
  for (guint i = 0; i < slots->len; i++)
    if (g_array_index (slots, struct slot, i).place == written->place) {
      g_array_index (slots, struct slot, i) = *written;
      return;
    }
  g_array_append_val (slots, *written);
}

void
layouts_sets_written (uint32_t n, const VkWriteDescriptorSet *writes)
{
  enter ();
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; names_images (writes[i].descriptorType)
                         && k < writes[i].descriptorCount;
         k++)
      write_slot (g_hash_table_lookup (sets, KEY (writes[i].dstSet)),
                  &(struct slot){
                      .place = (uint64_t) writes[i].dstBinding << 32
                               | (writes[i].dstArrayElement + k),
                      .view = writes[i].pImageInfo[k].imageView,
                      .layout = writes[i].pImageInfo[k].imageLayout });
  leave ();
}

void
layouts_begin (VkCommandBuffer handle)
{
  enter ();
  struct commands *commands = commands_of (handle);

  g_array_set_size (commands->events, 0);
  for (int i = 0; i < MAX_SETS; i++)
    commands->sets[i] = VK_NULL_HANDLE;
  leave ();
}

void
layouts_barrier (VkCommandBuffer handle, const VkDependencyInfo *info)
{
  enter ();
  for (uint32_t i = 0; i < info->imageMemoryBarrierCount; i++) {
    const VkImageMemoryBarrier2 *from = &info->pImageMemoryBarriers[i];
    const struct event event = { BARRIER,
                                 from->image,
                                 from->oldLayout,
                                 from->newLayout,
                                 from->srcQueueFamilyIndex,
                                 from->dstQueueFamilyIndex };

    g_array_append_val (commands_of (handle)->events, event);
  }
  leave ();
}

void
layouts_bind (VkCommandBuffer handle, uint32_t first, uint32_t n,
              const VkDescriptorSet *bound)
{
  enter ();
  for (uint32_t i = 0; i < n && first + i < MAX_SETS; i++)
    commands_of (handle)->sets[first + i] = bound[i];
  leave ();
}

static void
add_use (VkCommandBuffer handle, VkImage image, VkImageLayout layout)
{
  const struct event event = { .kind = USE, .image = image, .layout = layout };

  g_array_append_val (commands_of (handle)->events, event);
}

void
layouts_dispatch (VkCommandBuffer handle)
{
  enter ();
  for (int i = 0; i < MAX_SETS; i++) {
    const GArray *slots = g_hash_table_lookup (
        sets, KEY (commands_of (handle)->sets[i]));

    for (guint k = 0; slots && k < slots->len; k++) {
      const struct slot *slot = &g_array_index (slots, struct slot, k);

      add_use (handle,
               (VkImage) (gsize) g_hash_table_lookup (views, KEY (slot->view)),
               slot->layout);
    }
  }
  leave ();
}

void
layouts_use (VkCommandBuffer handle, VkImage image, VkImageLayout layout)
{
  enter ();
  add_use (handle, image, layout);
  leave ();
}

static void
blame (const struct event *event, const struct image *image, const char *why)
{
  fprintf (stderr,
           "layouts: image %p (%s, %s, in layout %d): %s of layout %d, new "
           "layout %d, families %d to %d: %s\n",
           (void *) event->image, image->is_external ? "external" : "own",
           image->is_ours ? "ours" : "with others", image->layout,
           event->kind == BARRIER ? "barrier" : "use", event->layout,
           event->new_layout, (int) event->src_family,
           (int) event->dst_family, why);
  abort ();
}

static bool
is_foreign (uint32_t family)
{
  return family == VK_QUEUE_FAMILY_FOREIGN_EXT
         || family == VK_QUEUE_FAMILY_EXTERNAL;
}

static void
judge_transfer (const struct event *event, struct image *image)
{
  const bool acquires = is_foreign (event->src_family);

  if (!image->is_external)
    blame (event, image, "others have no part in it");
  if (acquires && image->is_ours)
    blame (event, image, "acquired twice");
  if (!acquires && !image->is_ours)
    blame (event, image, "released, but not acquired before");
  image->is_ours = acquires;
}

static void
judge_barrier (const struct event *event, struct image *image)
{
  if (event->src_family != event->dst_family)
    judge_transfer (event, image);
  else if (!image->is_ours)
    blame (event, image, "it is not ours");
  if (event->layout != image->layout)
    blame (event, image, "from a layout that it is not in");
  image->layout = event->new_layout;
}

static void
judge (const struct event *event)
{
  struct image *image = g_hash_table_lookup (images, KEY (event->image));

  if (!image)
    blame (event, &(struct image){ .is_ours = true }, "no such image");
  if (event->kind == BARRIER) {
    judge_barrier (event, image);
    return;
  }
  if (!image->is_ours)
    blame (event, image, "it is not ours");
  if (event->layout != image->layout)
    blame (event, image, "in another layout");
}

static void
judge_end (const GArray *events)
{
  for (guint i = 0; i < events->len; i++) {
    const struct event *event = &g_array_index (events, struct event, i);
    const struct image *image
        = g_hash_table_lookup (images, KEY (event->image));

    if (image->is_external && image->is_ours)
      blame (event, image, "not released at the end of its submission");
  }
}

void
layouts_submit (uint32_t n, const VkSubmitInfo2 *infos)
{
  enter ();
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < infos[i].commandBufferInfoCount; k++) {
      const GArray *events
          = commands_of (infos[i].pCommandBufferInfos[k].commandBuffer)
                ->events;

      for (guint e = 0; e < events->len; e++)
        judge (&g_array_index (events, struct event, e));
      judge_end (events);
    }
  leave ();
}
