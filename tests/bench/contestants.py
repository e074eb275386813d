"""Who is measured, and one measurement."""
import dataclasses
import functools
import json
import os
import subprocess
import tempfile
import time

CLIP = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
                    "data/hdr10_1920x1080.mp4")
WARM = 8
MOST_FRAMES = 2000


class Failed(Exception):
    """A contestant did not run; says why."""


@dataclasses.dataclass
class Place:
    """Where things are."""
    build: str
    folder: str
    noise: bool = False  # frames for elements need no ffmpeg, then

    @property
    def environment(self):
        return {"GST_PLUGIN_PATH_1_0": os.path.join(self.build, "ext/vkcompute")}


@dataclasses.dataclass
class Sample:
    """What a frame cost, in ms; kilobytes; @counts a frame."""
    cpu: float
    wall: float
    gpu: float = 0
    peak: int = 0
    counts: dict = dataclasses.field(default_factory=dict)
    first: float = 0
    first_cpu: float = 0


@dataclasses.dataclass(frozen=True)
class Frames:
    """Raw frames of the test clip, whatever their description says."""
    format: str
    raw: str  # its name in ffmpeg
    width: int
    height: int
    description: str

    @property
    def caps(self):
        return (f"video/x-raw,format={self.format},width={self.width},height={self.height},"
                f"framerate=24/1,{self.description}")

    @functools.lru_cache(maxsize=None)
    def path(self, folder):
        path = os.path.join(folder, f"{self.raw}-{self.width}x{self.height}.raw")
        number = max(2, min(8, 8 * 1920 * 1080 // (self.width * self.height)))
        run(["ffmpeg", "-v", "error", "-y", "-i", CLIP, "-frames:v", str(number),
             "-vf", f"scale={self.width}:{self.height}:flags=bilinear",
             "-f", "rawvideo", "-pix_fmt", self.raw, path])
        return path


def last_words(text, status):
    lines = [line for line in text.decode(errors="replace").splitlines() if line.strip()]
    if status < 0:
        return f"ended by signal {-status}"
    return lines[-1].strip() if lines else f"exit status {status}"


def run(command, environment=None):
    """What it printed, the seconds that it took, its resources; raises Failed."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        started = time.monotonic()
        try:
            child = subprocess.Popen(command, stdout=output, stderr=errors,
                                     env={**os.environ, **(environment or {})})
        except OSError as error:
            raise Failed(f"{command[0]}: {error.strerror}") from error
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.monotonic() - started
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        if child.returncode != 0:
            raise Failed(last_words(errors.read(), child.returncode))
        return output.read(), seconds, usage


@dataclasses.dataclass
class Feed:
    """Elements of GStreamer."""
    frames: Frames
    elements: str
    copy: bool = False
    environment: dict = None
    options: tuple = ()

    def run(self, place, number, warm=WARM):
        command = [os.path.join(place.build, "tests/bench/feed"), "--warm", str(warm),
                   "--gpu-time", *(["--copy"] if self.copy else []), *self.options,
                   "-" if place.noise else self.frames.path(place.folder),
                   self.frames.caps, str(number), self.elements]
        return json.loads(run(command, {**place.environment, **(self.environment or {})})[0])

    def measure(self, place, number):
        cost = self.run(place, number)
        n = cost["frames"]
        counts = {name: cost[name] / cost["all"] for name in ("submits", "dispatches", "waits")
                  if name in cost}
        return Sample(cpu=cost["cpu"] / n, wall=cost["wall"] / n, gpu=cost["gpu"] / n,
                      peak=cost["peak"], counts=counts, first=cost["first"],
                      first_cpu=cost["first_cpu"])


@dataclasses.dataclass
class Ffmpeg:
    """A filter of ffmpeg, behind its reader of raw frames. It does not say what single frames
    cost, so this is a long run less a short one."""
    frames: Frames
    filters: str = ""
    options: tuple = ()

    def run(self, place, number):
        return run(["ffmpeg", "-v", "error", "-threads", "2", "-filter_threads", "2",
                    *self.options, "-stream_loop", "-1", "-f", "rawvideo",
                    "-pix_fmt", self.frames.raw,
                    "-s", f"{self.frames.width}x{self.frames.height}",
                    "-i", self.frames.path(place.folder),
                    *(("-vf", self.filters) if self.filters else ()),
                    "-frames:v", str(number), "-f", "null", "-"])[1:]

    def measure(self, place, number):
        (less, short), (more, long) = (self.run(place, n) for n in (WARM, WARM + number))
        cpu = long.ru_utime + long.ru_stime - short.ru_utime - short.ru_stime
        return Sample(cpu=cpu * 1000 / number, wall=(more - less) * 1000 / number,
                      peak=long.ru_maxrss)


def frames_for(contestant, place, seconds):
    """As many as take about that long; the first run also fills caches on disk."""
    contestant.measure(place, 2)
    sample = contestant.measure(place, 6)
    return max(12, min(MOST_FRAMES, int(seconds * 1000 / max(sample.cpu, sample.wall, 0.01))))
