#!/usr/bin/env python3
"""Runs one test program and decides whether it passed.

usage: harness.py [--memory KIND] [--probe PROGRAM] PROGRAM [ARGUMENT...]

Single tests are counted: a gst-check program's own, and those of any program
that writes TAP to the file $CK_TAP_LOG_FILE_NAME (tap.py does); else the program is one test.

With --memory (and not with VKC_SANITIZED=1, for the layer has leaks and races
of its own) the program and all that it starts run with the Vulkan validation
layer and its synchronization validation, and any message of it fails the test,
from whichever process it came: the layer of each writes into one named pipe
that is read here. PROGRAM of --probe says (77) that there is no Vulkan device:
then the test is skipped, or, with VKC_REQUIRE_GPU=1, fails.

A line per single test, "passed|failed|skipped TAB program TAB test TAB why",
is appended to $VKC_RESULTS where that is set. Exit: 0, 1, or 77 when all of it
was skipped.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import threading

LAYER = "VK_LAYER_KHRONOS_validation"
LAYER_FILES = ("VkLayer_khronos_validation.json",)
# The layer waits 10 s for a thread of its own after a semaphore was reached; on
# a machine that is busy enough it is late, and the layer says itself that this
# is most likely a bug of its own. Nothing else is left out.
IGNORED_MESSAGES = ("UNASSIGNED-VkSemaphore-state-timeout",)
LAYER_SETTINGS = """\
khronos_validation.debug_action = VK_DBG_LAYER_ACTION_LOG_MSG
khronos_validation.report_flags = error,warn
khronos_validation.log_filename = {pipe}
khronos_validation.duplicate_message_limit = 3
khronos_validation.enables = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT
khronos_validation.message_id_filter = {ignored}
"""
# What tests count and see depends neither on how busy the machine is nor on how
# slowly a driver makes kernels: with cold caches and six times as much work as
# cores a minute was not enough for one. What hangs runs into the test's own limit.
# A test that is about such a limit sets its own.
PATIENCE = {"VKC_MAX_PENDING_MS": "30000", "VKC_TIMEOUT_MS": "600000"}
SKIP = 77
TAP = re.compile(r"(not ok|ok)\s+\d+\s*(?:-\s*)?(.*?)(?:\s+#\s*skip\b\s*(.*))?$", re.I)


class Validation:
    """The layer's settings for child processes, and what they made it say."""

    def __init__(self, folder):
        self.pipe = os.path.join(folder, "messages")
        os.mkfifo(self.pipe)
        with open(os.path.join(folder, "vk_layer_settings.txt"), "w") as out:
            out.write(LAYER_SETTINGS.format(pipe=self.pipe,
                                            ignored=",".join(IGNORED_MESSAGES)))
        self.environment = {"VK_INSTANCE_LAYERS": LAYER,
                            "VK_LAYER_SETTINGS_PATH": folder}
        # Open for both: readers and writers may come and go without an end.
        self.end = os.open(self.pipe, os.O_RDWR)
        self.text = b""
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        while not self.text.endswith(b"\0"):
            self.text += os.read(self.end, 65536)

    def messages(self):
        os.write(self.end, b"\0")
        self.thread.join()
        os.close(self.end)
        return self.text[:-1].decode(errors="replace").strip()


def layer_is_installed():
    folders = [os.path.join(p, "vulkan/explicit_layer.d") for p in
               ["/etc", "/usr/local/share", "/usr/share"]
               + os.environ.get("XDG_DATA_DIRS", "").split(":")]
    folders += os.environ.get("VK_LAYER_PATH", "").split(":")
    return any(os.path.exists(os.path.join(folder, name))
               for folder in folders for name in LAYER_FILES)


def no_device(probe):
    """Why GPU tests cannot run, or None."""
    if os.environ.get("VKC_SANITIZED") != "1" and not layer_is_installed():
        return f"{LAYER} is not installed"
    done = subprocess.run([probe], stdout=subprocess.PIPE, text=True)
    print("device:", done.stdout.strip(), flush=True)
    return done.stdout.strip() if done.returncode == SKIP else None


def read_lines(path):
    if not os.path.exists(path):
        return []
    with open(path, errors="replace") as lines:
        return lines.read().splitlines()


def single_tests(tap, skips):
    """[(outcome, test, why)] of a TAP file; @skips: {test: why}."""
    rows = []
    for line in read_lines(tap):
        match = TAP.match(line)
        if not match:
            continue
        ok, text, skip = match.groups()
        # gst-check: file:case:test: message
        parts = text.split(":", 3)
        name, why = (parts[2], parts[3].strip()) if len(parts) == 4 else (text, "")
        if ok != "ok":
            rows.append(("failed", name, why))
        elif skip is not None or name in skips:
            rows.append(("skipped", name, skip or skips.get(name, "")))
        else:
            rows.append(("passed", name, ""))
    return rows


def run(options, folder):
    script = [part for part in options.program if part.endswith(".py")]
    label = os.path.basename((script or options.program)[0])
    tap, skips = os.path.join(folder, "tap"), os.path.join(folder, "skips")
    here = os.path.dirname(os.path.abspath(__file__))
    environment = dict(os.environ, CK_TAP_LOG_FILE_NAME=tap, VKC_SKIPS=skips, PYTHONPATH=here,
                       **PATIENCE)
    validation = None

    if options.memory:
        label += "-" + options.memory
        why = no_device(options.probe)
        if why:
            needed = os.environ.get("VKC_REQUIRE_GPU") == "1"
            return label, [("failed" if needed else "skipped", "device", why)]
        environment["VKC_MEMORY"] = options.memory
        if os.environ.get("VKC_SANITIZED") != "1":
            validation = Validation(folder)
            environment.update(validation.environment)

    code = subprocess.run(options.program, env=environment).returncode
    said = dict(line.split("\t", 1) for line in read_lines(skips))
    rows = single_tests(tap, said)
    failed = any(row[0] == "failed" for row in rows)
    if not rows and code in (0, SKIP):
        rows.append(("skipped" if code == SKIP else "passed", "whole", ""))
    elif code not in (0, SKIP) and not failed:
        rows.append(("failed", "whole", f"exit status {code}"))
    messages = validation.messages() if validation else ""
    if messages:
        print(messages)
        rows.append(("failed", "validation", messages.splitlines()[0][:200]))
    return label, rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--memory", choices=["buffer", "image"])
    parser.add_argument("--probe")
    parser.add_argument("program", nargs=argparse.REMAINDER)
    with tempfile.TemporaryDirectory() as folder:
        label, rows = run(parser.parse_args(), folder)

    lines = "".join(f"{what}\t{label}\t{test}\t{why}\n" for what, test, why in rows)
    if "VKC_RESULTS" in os.environ:
        with open(os.environ["VKC_RESULTS"], "a") as out:
            out.write(lines)
    print("".join(line for line in lines.splitlines(True)
                  if not line.startswith("passed")), end="")
    outcomes = {row[0] for row in rows}
    sys.exit(1 if "failed" in outcomes else SKIP if outcomes == {"skipped"} else 0)


if __name__ == "__main__":
    main()
