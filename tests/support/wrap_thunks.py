"""Makes the thunks of tests/support/wrap.c: one a Vulkan entry point that
gst/vk/functions.h names, with its prototype from Vulkan's own registry.

usage: wrap_thunks.py functions.h vk.xml OUTPUT
"""
import re
import sys

from registry import Registry, arguments, parameters, prototype, returned

# Written by hand in wrap.c: it changes its arguments.
BY_HAND = {"QueueSubmit2"}


def table_names(header):
    return re.findall(r"^ *X \((\w+)\)", open(header).read(), re.M)


def has_pair(name, names):
    """Whether both the making and the destruction of an object are seen."""
    kind = name.replace("Create", "").replace("Destroy", "")
    return (name in ("CreateComputePipelines", "DestroyPipeline", "DestroyInstance")
            or f"Create{kind}" in names and f"Destroy{kind}" in names)


def after_call(name, params, result, names):
    """What the wrapper learns of a call: objects made and destroyed, and
    where wrap.c has a hook for it, all of it."""
    lines = [f"  WRAP_AFTER_{name} ({', '.join([result] + [p[1] for p in params])});"]
    if name.startswith("Create") and has_pair(name, names):
        made = "createInfoCount" if name == "CreateComputePipelines" else "1"
        lines.append(f"  wrap_made (WRAP_{name}, {result} == VK_SUCCESS ? {made} : 0);")
    elif name == "AllocateMemory":
        lines.append(f"  wrap_made (WRAP_{name}, {result} == VK_SUCCESS);")
    elif name.startswith("Destroy") and has_pair(name, names) or name == "FreeMemory":
        lines.append(f"  wrap_made (WRAP_{name}, {params[-2][1]} != VK_NULL_HANDLE);")
    return lines


def thunk(name, command, names):
    params = parameters(command)
    call = f"real.{name} ({arguments(command)});"
    text = prototype(command, "wrap_", name) + "{\n"
    lines = [f"  struct verdict verdict = wrap_before (WRAP_{name});",
             f"  WRAP_BEFORE_{name} ({', '.join(p[1] for p in params)});"]
    if returned(command) == "VkResult":
        lines += ["  VkResult result = verdict.result;", "",
                  "  if (verdict.call) {",
                  f"    result = {call}",
                  "    if (verdict.replace)",
                  "      result = verdict.result;", "  }"]
        lines += after_call(name, params, "result", names) + ["  return result;", "}"]
    elif returned(command) != "void":
        lines += ["", "  (void) verdict;", f"  return {call}", "}"]
    else:
        lines += ["", "  (void) verdict;", f"  {call}"]
        lines += after_call(name, params, "VK_SUCCESS", names) + ["}"]
    return text + "\n".join(lines) + "\n"


def main():
    header, registry, output = sys.argv[1:]
    registry = Registry(registry)
    names = table_names(header)
    with open(output, "w") as out:
        out.write("enum wrap_id\n{\n")
        out.write("".join(f"  WRAP_{name},\n" for name in names))
        out.write("  WRAP_N\n};\n\n")
        out.write("static struct entry entries[WRAP_N] = {\n")
        for name in names:
            # A lost device does not keep a test from making another.
            lost = (name != "CreateDevice"
                    and "VK_ERROR_DEVICE_LOST" in registry.errors("vk" + name))
            out.write(f"  [WRAP_{name}] = {{ .name = \"vk{name}\", "
                      f".can_lose = {str(lost).lower()} }},\n")
        out.write("};\n\n#define WRAP_NAMES(X) \\\n")
        out.write(" \\\n".join(f"  X ({name})" for name in names) + "\n\n")
        for name in names:
            for when in ("BEFORE", "AFTER"):
                out.write(f"#ifndef WRAP_{when}_{name}\n"
                          f"#define WRAP_{when}_{name}(...)\n#endif\n")
        out.write("\n#ifdef WRAP_THUNKS\n")
        for name in names:
            if name not in BY_HAND:
                out.write(thunk(name, registry.command("vk" + name), names) + "\n")
        out.write("#endif\n")


main()
