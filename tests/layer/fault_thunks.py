"""Makes what the layer knows of each Vulkan entry point, out of Vulkan's own
registry: a table (OUTPUT.h) and a thunk (OUTPUT.c) that counts the call, asks
the script about it and passes it on.

usage: fault_thunks.py vk.xml OUTPUT.h OUTPUT.c
"""
import os
import sys

sys.path.append(os.path.join(os.path.dirname(__file__), "../support"))
from registry import Registry, arguments, parameters, prototype, returned  # noqa: E402

# Needed before there is anything to pass them on to, or about the layer itself.
NOT_OURS = {"vkGetInstanceProcAddr", "vkGetDeviceProcAddr",
            "vkEnumerateInstanceVersion", "vkEnumerateInstanceLayerProperties",
            "vkEnumerateInstanceExtensionProperties"}
# In layer.c: they make and destroy what thunks rely on.
BY_HAND = {"vkCreateInstance", "vkDestroyInstance", "vkCreateDevice", "vkDestroyDevice"}
OF_DEVICE = {"VkDevice", "VkQueue", "VkCommandBuffer"}


def handles_made(command, name):
    """(parameter, how many): what a call that fails has to set to null."""
    return [(param, element.get("len"))
            for text, param, kind, element in parameters(command)
            if name.startswith(("vkCreate", "vkAllocate")) and element.get("len")
            and "*" in text and not text.startswith("const ")]


def thunk(name, command):
    call = f"NEXT ({name}) ({arguments(command)})"
    subject = parameters(command)[0][1]
    lines = [f"  struct table *table = table_of ({subject});",
             f"  struct verdict verdict = call_begin (table, FAULT_{name});"]
    if returned(command) == "VkResult":
        lines += ["  VkResult result = verdict.result;", ""]
        for param, n in handles_made(command, name):
            lines += ["  if (!verdict.call)",
                      f"    memset ({param}, 0, sizeof *{param} * ({n}));"]
        lines += ["  if (verdict.call)", f"    result = {call};",
                  f"  call_end (table, FAULT_{name}, &verdict);",
                  "  return verdict.replace ? verdict.result : result;"]
    elif returned(command) == "void":
        lines += ["", f"  {call};", f"  call_end (table, FAULT_{name}, &verdict);"]
    else:
        lines += [f"  {returned(command)} value = {call};", "",
                  f"  call_end (table, FAULT_{name}, &verdict);", "  return value;"]
    return prototype(command, "fault_", name) + "{\n" + "\n".join(lines) + "\n}\n"


def entry(registry, name):
    command = registry.command(name)
    subject = parameters(command)[0][2]
    flags = {
        "of_device": subject in OF_DEVICE,
        "of_queue": subject == "VkQueue",
        "has_result": returned(command) == "VkResult",
        "can_lose": subject in OF_DEVICE and "VK_ERROR_DEVICE_LOST" in registry.errors(name),
    }
    values = "".join(f", .{flag} = true" for flag, on in flags.items() if on)
    return f"  [FAULT_{name}] = {{ .name = \"{name}\"{values} }},\n"


def main():
    registry = Registry(sys.argv[1])
    names = sorted(set(registry.names()) - NOT_OURS)
    ids = sorted({registry.canonical(name) for name in names})
    with open(sys.argv[2], "w") as out:
        out.write("/* Made by fault_thunks.py. */\n#pragma once\n\n"
                  "enum fault_id\n{\n" + "".join(f"  FAULT_{name},\n" for name in ids)
                  + "  FAULT_N_IDS\n};\n\n"
                  f"#define FAULT_N_NAMES {len(names)}\n"
                  f"#define FAULT_N_RESULTS {len(registry.results())}\n")
    with open(sys.argv[3], "w") as out:
        out.write("/* Made by fault_thunks.py. */\n\n")
        for name in ids:
            if name not in BY_HAND:
                out.write(thunk(name, registry.command(name)) + "\n")
        out.write("const struct fault_entry fault_entries[FAULT_N_IDS] = {\n")
        out.write("".join(entry(registry, name) for name in ids) + "};\n\n")
        out.write("const struct fault_name fault_names[FAULT_N_NAMES] = {\n")
        for name in names:
            one = registry.canonical(name)
            out.write(f"  {{ \"{name}\", FAULT_{one},\n"
                      f"    (PFN_vkVoidFunction) fault_{one} }},\n")
        out.write("};\n\nconst struct fault_result fault_results[FAULT_N_RESULTS] = {\n")
        out.write("".join(f"  {{ \"{name}\", {name} }},\n" for name in registry.results()))
        out.write("};\n")


main()
