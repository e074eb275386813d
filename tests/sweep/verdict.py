"""What a run came to, out of its facts."""
import collections
import os
import re

from cases import OURS

OUTCOMES = ("ok", "error", "critical", "crash", "hang", "not reached")

# Facts of one run. end: exit status, negative for a signal, "hang". errors:
# [(element, text)] in their order. stopped: ms that going to NULL took. frames,
# hash, live: None where that way of running does not know. fired: whether the
# call was reached.
Facts = collections.namedtuple(
    "Facts", "end eos errors criticals frames hash live quarantined stopped fired calls")

# A stage with its result, or what became of the device or a frame.
CLEAR = re.compile(r"vk[A-Z]\w+: VK_[A-Z_]+|is lost|hangs|was lost")
# These serve a whole batch: the message says whose.
OF_A_BATCH = {"vkQueueSubmit2", "vkBeginCommandBuffer", "vkEndCommandBuffer",
              "vkResetCommandPool", "vkAllocateDescriptorSets", "vkCreateDescriptorPool",
              "vkCreateCommandPool", "vkAllocateCommandBuffers", "vkWaitSemaphores"}


def unclear(case, errors):
    """What is wrong with the messages, or None. Elements that are not ours may
    add their own after ours."""
    element, text = errors[0]
    ours = [name for name, _ in errors if name in OURS]
    if element not in OURS:
        return f"the first error is not ours: {element}: {text}"
    if not CLEAR.search(text):
        return f"an error that says too little: {element}: {text}"
    if case.entry in OF_A_BATCH and ": VK_" in text and not any(name in text for name in OURS):
        return f"an error that names no kernel: {element}: {text}"
    if len(set(ours)) < len(ours):
        return f"an element says it twice: {errors}"
    return None


def lost_frames(facts, clean):
    if (facts.frames, facts.hash) == (clean.frames, clean.hash):
        return None
    return f"an end as if nothing had happened after {facts.frames} frames, other pixels or both"


def judge(case, facts, clean):
    """(outcome, why)"""
    if facts.end == "hang":
        return "hang", f"errors: {facts.errors}"
    if facts.end < 0:
        return "crash", f"signal {-facts.end}"
    if not facts.fired:
        return "not reached", ""
    why = "; ".join(facts.criticals[:3])
    if not why and facts.live and not facts.quarantined:
        why = f"{facts.live} Vulkan objects are left"
    if not why and facts.stopped > int(os.environ["VKC_TIMEOUT_MS"]) + 1000:
        why = f"stopping took {facts.stopped} ms"
    if not why and facts.errors:
        why = unclear(case, facts.errors)
    elif not why and not facts.eos:
        why = "neither an end nor an error"
    elif not why:
        why = lost_frames(facts, clean)
    if why:
        return "critical", why
    return ("error", f"{facts.errors[0][0]}: {facts.errors[0][1]}") if facts.errors else ("ok", "")


def summary(counts):
    runs = sum(counts[name] for name in OUTCOMES if name != "not reached")
    return f"{runs} runs: " + ", ".join(f"{name} {counts[name]}" for name in OUTCOMES)
