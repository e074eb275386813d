"""What the sweep tries: pipelines, calls and results."""
import collections
import os
import random
import re

from registry import Registry, parameters, returned

RESULTS = {"VK_ERROR_OUT_OF_HOST_MEMORY": -1, "VK_ERROR_OUT_OF_DEVICE_MEMORY": -2,
           "VK_ERROR_DEVICE_LOST": -4}
LAST_CALL = 20
# The function table's entries, and what only the layer sees.
TABLE = r"^ *X \((\w+)\)"
LAYER_ONLY = ["vkCreateInstance"]

SOURCE = ("videotestsrc num-buffers=6 ! video/x-raw,format=I420_10LE,width=64,height=48,"
          "framerate=30/1,colorimetry=bt2100-pq")
CHAIN = ("vktonemap name=first ! video/x-raw,format=RGBA ! vkcompute name=second location={shader} "
         "! vkcolorconvert name=third ! video/x-raw,format=I420")
OURS = ("first", "second", "third")
# The sink's name says what run.c looks at.
CONSUMERS = {
    "fakesink": "fakesink name=counted",
    "filesink": "filesink name=file location={file}",
    "appsink": "appsink name=pulled sync=false wait-on-eos=false",
    "videoconvert": "videoconvert ! video/x-raw,format=BGRx ! fakesink name=hashed",
    "jpegenc": "jpegenc ! fakesink name=hashed",
    "x264enc": "x264enc speed-preset=ultrafast threads=1 ! fakesink name=hashed",
    # Frames that come in system memory: imported or copied.
    "foreign": "fakesink name=hashed",
}
FOREIGN = "identity drop-allocation=true"

Case = collections.namedtuple("Case", "consumer entry nth result")


def launch_line(consumer, folder):
    shader = os.path.join(os.environ["VKC_BUILD_ROOT"], "tests/sweep/swap.spv")
    before = [SOURCE, FOREIGN] if consumer == "foreign" else [SOURCE]
    text = " ! ".join((*before, CHAIN, CONSUMERS[consumer]))
    return text.format(shader=shader, file=os.path.join(folder, "frames"))


def faults(functions, registry_path):
    """[(entry point, result)] that Vulkan allows, of all that we call."""
    registry = Registry(registry_path)
    with open(functions) as header:
        names = ["vk" + name for name in re.findall(TABLE, header.read(), re.M)]
    rows = []
    for name in LAYER_ONLY + names:
        if returned(registry.command(name)) != "VkResult":
            continue
        rows += [(name, value) for result, value in RESULTS.items()
                 if result in registry.errors(name)]
        if name == "vkWaitSemaphores":
            rows.append((name, 2))
    return rows


def all_cases(rows):
    return [Case(consumer, entry, nth, result) for consumer in CONSUMERS
            for entry, result in rows for nth in range(1, LAST_CALL + 1)]


def reachable(case, calls, more):
    """By how often a run without faults made the call, and some @more: how often
    one waits or asks differs from run to run."""
    return case.nth <= calls.get(case.entry, 0) + more


def of_device(name, registry_path):
    """Whether a layer sees the call only where the program makes it: the loader
    asks instances on its own account."""
    command = Registry(registry_path).command(name)
    return parameters(command)[0][2] in ("VkDevice", "VkQueue", "VkCommandBuffer")


def in_sampling_order(cases):
    """Every fault once, with changing consumers, before any comes again."""
    shuffled = list(cases)
    random.Random(1).shuffle(shuffled)
    rank, seen = {}, collections.Counter()
    for case in sorted(shuffled, key=lambda case: case.nth > 2):
        rank[case] = seen[case.entry, case.result]
        seen[case.entry, case.result] += 1
    return sorted(shuffled, key=rank.get)
