"""VK_LAYER_VKC_fault, with a program that is none of this project's.

usage: layer_test.py CALLS; the layer is the one of this build."""
import json
import os
import subprocess
import sys
import tempfile

import tap

LAYER = "VK_LAYER_VKC_fault"
HOST, DEVICE, LOST = -1, -2, -4


def run(script, *calls, validated=True):
    """(what the program printed, what the layer counted); None where it wrote
    nothing."""
    layers = [LAYER] + os.environ.get("VK_INSTANCE_LAYERS", "").split(":")
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(
            os.environ, VKC_FAULT=script,
            VKC_FAULT_COUNTS=os.path.join(folder, "%p.json"),
            VK_ADD_LAYER_PATH=os.path.join(os.environ["VKC_BUILD_ROOT"], "tests/layer"),
            VK_INSTANCE_LAYERS=":".join(filter(None, layers if validated else layers[:1])))
        done = subprocess.run([sys.argv[1], *calls], env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, timeout=60)
        files = [os.path.join(folder, name) for name in os.listdir(folder)]
        assert len(files) <= 1, files
        counts = None
        for path in files:
            with open(path) as text:
                counts = json.load(text)
            assert os.path.basename(path) == f"{counts['pid']}.json"
    sys.stderr.write(done.stderr)
    return done.stdout.split("\n")[:-1], counts, done


def without_a_script_all_calls_are_counted_and_none_fails():
    lines, counts, _ = run("", "semaphore", "semaphore", "absent", "submit", "wait")
    assert lines == ["semaphore 0", "semaphore 0", "absent 0", "submit 0", "wait 0"]
    assert counts["program"] == os.path.basename(sys.argv[1])[:15]
    assert counts["failed"] == {} and counts["lost"] == 0
    for name, n in {"vkCreateInstance": 1, "vkCreateDevice": 1, "vkCreateSemaphore": 3,
                    "vkDestroySemaphore": 3, "vkQueueSubmit2": 1, "vkGetDeviceQueue": 1,
                    "vkWaitSemaphores": 1, "vkDestroyInstance": 1}.items():
        assert counts["calls"][name] == n, (name, counts)


def the_nth_call_fails_and_no_other():
    lines, counts, _ = run("vkCreateSemaphore:3:-1", *["semaphore"] * 3)
    assert lines == ["semaphore 0", "semaphore -1", "semaphore 0"]
    assert counts["failed"] == {"vkCreateSemaphore": 1}


def plus_means_all_later_calls():
    lines, counts, _ = run("vkAllocateMemory:2+:-2", *["memory"] * 4)
    assert lines == ["memory 0"] + ["memory -2"] * 3
    assert counts["failed"] == {"vkAllocateMemory": 3}


def rules_add_up_and_results_have_names():
    lines, _, _ = run("vkAllocateMemory:1:VK_ERROR_OUT_OF_DEVICE_MEMORY;"
                      "vkWaitSemaphores:1:VK_TIMEOUT;", "memory", "wait", "memory", "wait")
    assert lines == ["memory -2", "wait 2", "memory 0", "wait 0"]


def an_alias_is_the_same_entry_point():
    lines, counts, _ = run("vkQueueSubmit2KHR:2:-1", "submit", "submitKHR", "submit")
    assert lines == ["submit 0", "submitKHR -1", "submit 0"]
    assert counts["calls"]["vkQueueSubmit2"] == 3


def a_failed_call_is_not_made_unless_told_to():
    assert run("vkQueueSubmit2:1:-1", "submit", "value")[0] == ["submit -1", "value 0", "value 0"]
    lines, _, _ = run("vkQueueSubmit2:1:-1:call", "submit", "idle", "value")
    assert lines == ["submit -1", "idle 0", "value 1", "value 0"]


def failed_arrays_of_handles_are_null():
    assert run("vkAllocateCommandBuffers:1:-1", "commands")[0] == ["null 2", "commands -1"]


def a_lost_device_stays_lost_and_a_new_one_is_not():
    lines, counts, _ = run("vkQueueSubmit2:2:-4", "submit", "submit", "submit", "wait", "idle",
                           "semaphore", "device", "submit", "wait")
    assert lines == ["submit 0", "submit -4", "submit -4", "wait -4", "idle -4",
                     "semaphore 0", "device 0", "submit 0", "wait 0"]
    assert counts["lost"] == 1
    # One of the program's own when it lets the lost device go.
    assert counts["failed"] == {"vkQueueSubmit2": 2, "vkWaitSemaphores": 1,
                                "vkDeviceWaitIdle": 2}


def loss_after_the_call_waits_for_its_work():
    lines, _, _ = run("vkQueueSubmit2:1:-4:call", "submit", "wait", "value")
    assert lines[:2] == ["submit -4", "wait -4"]


def making_instance_and_device_can_fail():
    assert run("vkCreateInstance:1:-1")[0] == ["no device -1"]
    assert run("vkCreateDevice:1:-3")[0] == ["no device -3"]
    assert run("vkEnumeratePhysicalDevices:1:-1")[0] == ["no device -1"]


def a_script_that_is_wrong_stops_the_program():
    for script, why in {
            "vkQueueSubmit3:1:-4": "vkQueueSubmit3",
            "vkQueueSubmit2:0:-4": "0",
            "vkQueueSubmit2:x:-4": "x",
            "vkQueueSubmit2:1": "VkResult",
            "vkQueueSubmit2:1:VK_ERROR_NOSUCH": "VK_ERROR_NOSUCH",
            "vkQueueSubmit2:1:-4:maybe": "maybe",
            "vkDestroyDevice:1:-4": "returns no VkResult"}.items():
        lines, _, done = run(script, "submit")
        assert lines == ["no device -3"], (script, lines)
        assert f"{LAYER}: VKC_FAULT: " in done.stderr and why in done.stderr, done.stderr


def it_works_without_the_validation_layer():
    lines, counts, _ = run("vkCreateSemaphore:2:-1", "semaphore", "absent", validated=False)
    assert lines == ["semaphore -1", "absent 0"] and counts["failed"] == {"vkCreateSemaphore": 1}


if __name__ == "__main__":
    tap.run(without_a_script_all_calls_are_counted_and_none_fails,
            the_nth_call_fails_and_no_other, plus_means_all_later_calls,
            rules_add_up_and_results_have_names, an_alias_is_the_same_entry_point,
            a_failed_call_is_not_made_unless_told_to, failed_arrays_of_handles_are_null,
            a_lost_device_stays_lost_and_a_new_one_is_not,
            loss_after_the_call_waits_for_its_work, making_instance_and_device_can_fail,
            a_script_that_is_wrong_stops_the_program, it_works_without_the_validation_layer)
