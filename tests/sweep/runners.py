"""The two ways to run a case: in process, through the function-table wrapper,
and gst-launch-1.0 under VK_LAYER_VKC_fault."""
import hashlib
import json
import os
import re
import signal
import subprocess
import tempfile
import time

from cases import launch_line
from verdict import Facts

# Before gst-launch-1.0 is asked to stop after an error.
PATIENCE = 2
# The shell's view of an error message of gst-launch-1.0.
ERROR = re.compile(r"^ERROR: from element \S*:([\w-]+): (.*)$", re.M)
CRITICAL = re.compile(r"^.*(?:-CRITICAL \*\*|\bCRITICAL \*\*).*$", re.M)


def read(path):
    with open(path, "rb") as data:
        return data.read()


def layer_environment(case, folder, layer_folder):
    """The layer is nearest to the program: validation sees what the driver does."""
    script = f"{case.entry}:{case.nth}:{case.result}" if case.entry else ""
    layers = ["VK_LAYER_VKC_fault"] + os.environ.get("VK_INSTANCE_LAYERS", "").split(":")
    return dict(os.environ, VKC_FAULT=script,
                VKC_FAULT_COUNTS=os.path.join(folder, "counts.json"),
                VK_ADD_LAYER_PATH=layer_folder,
                VK_INSTANCE_LAYERS=":".join(filter(None, layers)))


def layer_counts(folder):
    path = os.path.join(folder, "counts.json")
    return json.loads(read(path)) if os.path.exists(path) else {"calls": {}, "failed": {}}


class InProcess:
    """One tests/sweep/run, which forks for every case."""

    def __init__(self, program, seconds, environment=None):
        self.folder = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen(
            [program, str(seconds)], text=True, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.folder.cleanup()

    def run(self, case):
        line = launch_line(case.consumer, self.folder.name)
        self.process.stdin.write(
            f"{case.entry or '-'}\t{case.nth}\t{case.result}\t{line}\n")
        self.process.stdin.flush()
        rows = []
        while not rows or rows[-1][0] != "end":
            row = self.process.stdout.readline().rstrip("\n").partition("\t")
            assert row[0], "the program is gone"
            rows.append((row[0], row[2]))
        return self.facts(case, rows)

    @staticmethod
    def facts(case, rows):
        one = dict(rows)
        calls = [value.split(" ") for key, value in rows if key == "calls"]
        return Facts(
            end=one["end"] if one["end"] == "hang" else int(one["end"]),
            eos="eos" in one,
            errors=[tuple(value.split(": ", 1)) for key, value in rows if key == "error"],
            criticals=[value for key, value in rows if key == "critical"],
            frames=one.get("frames"), hash=one.get("hash"),
            live=int(one.get("live", 0)), quarantined=int(one.get("quarantined", 0)),
            stopped=int(one.get("stopped", 0)),
            fired=not case.entry or one.get("fired", "1") == "1",
            calls={name: int(n) for name, n in calls})


class UnderTheLayer:
    def __init__(self, layer_folder, seconds):
        self.layer_folder = layer_folder
        self.seconds = seconds

    def close(self):
        pass

    def run(self, case):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "said")
            line = launch_line(case.consumer, folder)
            with open(path, "wb") as out:
                process = subprocess.Popen(
                    ["gst-launch-1.0", "--no-fault", *line.split(" ")], stdout=out,
                    stderr=out, env=layer_environment(case, folder, self.layer_folder))
                end = self.wait(process, path)
            with open(path, errors="replace") as out:
                return self.facts(case, end, out.read(), folder)

    def wait(self, process, path):
        """gst-launch-1.0 forgets an error that comes before its main loop runs:
        then it is asked to stop, as a user would. If the elements hang, that is
        of no use."""
        end, told = time.monotonic() + self.seconds, None
        while process.poll() is None and time.monotonic() < end:
            time.sleep(0.02)
            if told is None and b"ERROR: from element" in read(path):
                told = time.monotonic()
            elif told and time.monotonic() > told + PATIENCE:
                process.send_signal(signal.SIGINT)
                told = end
        if process.poll() is not None:
            return process.returncode
        process.kill()
        process.wait()
        return "hang"

    @staticmethod
    def facts(case, end, said, folder):
        counts = layer_counts(folder)
        frames = os.path.join(folder, "frames")
        digest = hashlib.md5(read(frames)).hexdigest() if os.path.exists(frames) else None
        return Facts(
            end=end, eos="Got EOS from element" in said, errors=ERROR.findall(said),
            criticals=CRITICAL.findall(said), frames=None, hash=digest, live=None,
            quarantined=0, stopped=0, fired=not case.entry or bool(counts["failed"]),
            calls=counts["calls"])
