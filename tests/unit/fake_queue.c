/* Takes work and runs it. */
#include "tests/unit/fake_queue.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/fake_vulkan.h"

/* What the queue has taken: the commands stay the submitter's until the value
 * is signalled. */
struct submission
{
  struct submission *next;
  const struct fake_commands *commands;
  struct fake_semaphore *semaphore;
  uint64_t value;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct submission *first, **last = &first;
static bool ends;
static pthread_t gpu;

static void
run (const struct fake_commands *commands)
{
  for (unsigned i = 0; i < commands->n; i++)
    for (int k = 0; k < FAKE_WORDS; k++)
      commands->dispatches[i].target->words[k]
          = commands->dispatches[i].source->words[k]
            + commands->dispatches[i].increment;
}

static void *
run_queue (void *unused)
{
  pthread_mutex_lock (&lock);
  while (first || !ends) {
    struct submission *submission = first;

    if (!submission) {
      pthread_cond_wait (&changed, &lock);
      continue;
    }
    first = submission->next;
    if (!first)
      last = &first;
    pthread_mutex_unlock (&lock);
    run (submission->commands);
    pthread_mutex_lock (&lock);
    submission->semaphore->value = submission->value;
    pthread_cond_broadcast (&changed);
    free (submission);
  }
  pthread_mutex_unlock (&lock);
  return unused;
}

static VKAPI_ATTR VkResult VKAPI_CALL
queue_submit (VkQueue queue, uint32_t n, const VkSubmitInfo2 *infos,
              VkFence fence)
{
  struct submission *submission = calloc (1, sizeof *submission);

  g_assert (n == 1 && infos->commandBufferInfoCount == 1
            && infos->signalSemaphoreInfoCount == 1);
  submission->commands
      = (struct fake_commands *)infos->pCommandBufferInfos->commandBuffer;
  submission->semaphore
      = POINTER (fake_semaphore, infos->pSignalSemaphoreInfos->semaphore);
  submission->value = infos->pSignalSemaphoreInfos->value;
  pthread_mutex_lock (&lock);
  *last = submission;
  last = &submission->next;
  pthread_cond_broadcast (&changed);
  pthread_mutex_unlock (&lock);
  return VK_SUCCESS;
}

static bool
is_reached (const VkSemaphoreWaitInfo *info)
{
  const bool any = info->flags & VK_SEMAPHORE_WAIT_ANY_BIT;
  bool reached = !any;

  for (uint32_t i = 0; i < info->semaphoreCount; i++) {
    const bool one = POINTER (fake_semaphore, info->pSemaphores[i])->value
                     >= info->pValues[i];

    reached = any ? reached || one : reached && one;
  }
  return reached;
}

static VKAPI_ATTR VkResult VKAPI_CALL
wait_semaphores (VkDevice device, const VkSemaphoreWaitInfo *info,
                 uint64_t timeout)
{
  struct timespec end;
  bool reached;
  int late = 0;

  clock_gettime (CLOCK_REALTIME, &end);
  timeout = MIN (timeout, UINT64_C (60000000000)) + (uint64_t)end.tv_nsec;
  end.tv_sec += (time_t)(timeout / 1000000000);
  end.tv_nsec = (long)(timeout % 1000000000);
  pthread_mutex_lock (&lock);
  while (!(reached = is_reached (info)) && !late)
    late = pthread_cond_timedwait (&changed, &lock, &end);
  pthread_mutex_unlock (&lock);
  return reached ? VK_SUCCESS : VK_TIMEOUT;
}

static VKAPI_ATTR VkResult VKAPI_CALL
signal_semaphore (VkDevice device, const VkSemaphoreSignalInfo *info)
{
  pthread_mutex_lock (&lock);
  POINTER (fake_semaphore, info->semaphore)->value = info->value;
  pthread_cond_broadcast (&changed);
  pthread_mutex_unlock (&lock);
  return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL
semaphore_value (VkDevice device, VkSemaphore semaphore, uint64_t *value)
{
  pthread_mutex_lock (&lock);
  *value = POINTER (fake_semaphore, semaphore)->value;
  pthread_mutex_unlock (&lock);
  return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL
allocate_commands (VkDevice device, const VkCommandBufferAllocateInfo *info,
                   VkCommandBuffer *commands)
{
  /* The pool is what is freed: one command buffer each. */
  *commands = (VkCommandBuffer)POINTER (fake_commands, info->commandPool);
  return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL
begin_commands (VkCommandBuffer commands, const VkCommandBufferBeginInfo *info)
{
  ((struct fake_commands *)commands)->n = 0;
  return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL
end_commands (VkCommandBuffer commands)
{
  return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL
reset_commands (VkDevice device, VkCommandPool pool,
                VkCommandPoolResetFlags flags)
{
  return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL
bind_set (VkCommandBuffer commands, VkPipelineBindPoint point,
          VkPipelineLayout layout, uint32_t at, uint32_t n,
          const VkDescriptorSet *sets, uint32_t n_offsets,
          const uint32_t *offsets)
{
  ((struct fake_commands *)commands)->set = POINTER (fake_set, sets[0]);
}

static VKAPI_ATTR void VKAPI_CALL
push (VkCommandBuffer commands, VkPipelineLayout layout,
      VkShaderStageFlags stages, uint32_t offset, uint32_t size,
      const void *values)
{
  memcpy (&((struct fake_commands *)commands)->increment, values, 4);
}

static VKAPI_ATTR void VKAPI_CALL
dispatch (VkCommandBuffer handle, uint32_t x, uint32_t y, uint32_t z)
{
  struct fake_commands *commands = (struct fake_commands *)handle;

  g_assert (commands->n < G_N_ELEMENTS (commands->dispatches));
  commands->dispatches[commands->n++] = (struct fake_dispatch){
    commands->set->buffers[0], commands->set->buffers[1], commands->increment
  };
}

static VKAPI_ATTR void VKAPI_CALL
bind_pipeline (VkCommandBuffer commands, VkPipelineBindPoint point,
               VkPipeline pipeline)
{
}

static VKAPI_ATTR void VKAPI_CALL
barrier (VkCommandBuffer commands, const VkDependencyInfo *info)
{
}

void
fake_queue_fill (struct vkc_functions *functions)
{
  functions->QueueSubmit2 = queue_submit;
  functions->GetSemaphoreCounterValue = semaphore_value;
  functions->WaitSemaphores = wait_semaphores;
  functions->SignalSemaphore = signal_semaphore;
  functions->ResetCommandPool = reset_commands;
  functions->AllocateCommandBuffers = allocate_commands;
  functions->BeginCommandBuffer = begin_commands;
  functions->EndCommandBuffer = end_commands;
  functions->CmdPipelineBarrier2 = barrier;
  functions->CmdBindPipeline = bind_pipeline;
  functions->CmdBindDescriptorSets = bind_set;
  functions->CmdPushConstants = push;
  functions->CmdDispatch = dispatch;
}

void
fake_queue_start (void)
{
  g_assert (pthread_create (&gpu, NULL, run_queue, NULL) == 0);
}

void
fake_queue_stop (void)
{
  pthread_mutex_lock (&lock);
  ends = true;
  pthread_cond_broadcast (&changed);
  pthread_mutex_unlock (&lock);
  pthread_join (gpu, NULL);
  ends = false;
}
