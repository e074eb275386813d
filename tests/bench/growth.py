#!/usr/bin/env python3
"""How cost grows: with the length of a chain, the size of frames, the pipelines on a device, the
submissions in flight, and with time. By hand, like bench.py; one picture a question.

usage: tests/bench/growth.py [--only NAME...] [--rounds N] [--seconds S] [--build FOLDER]
                             [--pictures FOLDER] [--noise]"""
import argparse
import dataclasses
import os
import statistics
import sys
import tempfile

from contestants import Failed, Feed, Frames, Place, frames_for
from contests import ACCURATE, PQ, ROOT, SDR, copy_kernel, to
from plot import plot

SIZES = ((426, 240), (854, 480), (1280, 720), (1920, 1080), (3840, 2160), (7680, 4320))
MANY = 100000


@dataclasses.dataclass
class Question:
    """@points: for each line of the picture, contestants by what changes."""
    title: str
    across: str
    points: dict
    up: str = "CPU ms a frame"
    value: callable = lambda sample: sample.cpu
    logarithmic: bool = False


def chain():
    """Repacks, each of which needs the frame before it."""
    frames = Frames("NV12", "nv12", 1280, 720, SDR)

    def feed(n, environment):
        return Feed(frames, " ! ".join("vkcolorconvert" + to(("I420", "NV12")[i % 2])
                                       for i in range(n)), environment=environment)
    return Question("Elements in a chain, 720p", "vkcolorconvert in a row", {
        "one by one (VKC_FUSE=0)": {n: feed(n, {"VKC_FUSE": "0"}) for n in range(1, 9)},
        "fused": {n: feed(n, None) for n in range(1, 9)}})


def size():
    def frames(width, height):
        return Frames("P010_10LE", "p010le", width, height, PQ)
    return Question("Size of frames, P010 to NV12", "pixels", {
        "vktonemap": {w * h: Feed(frames(w, h), ACCURATE + to("NV12")) for w, h in SIZES},
        "copy-only kernel": {w * h: copy_kernel(frames(w, h), "NV12") for w, h in SIZES},
        "memcpy of the input": {w * h: Feed(frames(w, h), "identity", copy=True)
                                for w, h in SIZES}}, logarithmic=True)


def pipelines():
    frames = Frames("P010_10LE", "p010le", 640, 360, PQ)
    return Question("Pipelines that share a device, 360p, vktonemap", "pipelines", {
        "": {n: Feed(frames, ACCURATE + to("NV12"), options=("--pipelines", str(n)))
             for n in (1, 2, 4, 8, 12, 16)}})


def flight():
    frames = Frames("P010_10LE", "p010le", 1280, 720, PQ)
    return Question("Submissions in flight, 720p, vktonemap", "VKC_MAX_IN_FLIGHT", {
        "": {n: Feed(frames, ACCURATE + to("NV12"), environment={"VKC_MAX_IN_FLIGHT": str(n)})
             for n in range(1, 5)}}, "frames a second", lambda sample: 1000 / sample.wall)


QUESTIONS = {"chain": chain, "size": size, "pipelines": pipelines, "in-flight": flight}


def ask(question, place, options):
    """Medians over rounds, each of which runs every point once; a point that fails is out."""
    points = {(name, x): contestant for name, contestants in question.points.items()
              for x, contestant in contestants.items()}
    numbers, values = {}, {}
    for _ in range(options.rounds):
        for key, contestant in list(points.items()):
            try:
                if key not in numbers:
                    numbers[key] = frames_for(contestant, place, options.seconds)
                value = question.value(contestant.measure(place, numbers[key]))
            except Failed as why:
                print(f"  {key}: {why}", file=sys.stderr)
                del points[key]
                continue
            values.setdefault(key, []).append(value)
            print(f"  {key}: {value:.3f}", file=sys.stderr, flush=True)
    return {name: [(x, statistics.median(values[name, x])) for x in contestants
                   if (name, x) in points]
            for name, contestants in question.points.items()}


def show(name, question, lines, pictures):
    print(f"{name}: {question.title}: {question.up}, by {question.across}")
    for line, points in lines.items():
        print("  %-24s %s" % (line, "  ".join(f"{x:g}: {y:.3g}" for x, y in points)))
    plot(os.path.join(pictures, f"growth-{name}.svg"), question.title, question.across,
         question.up, lines, question.logarithmic)


def over_time(place, pictures):
    """Memory and, in a run of its own because counting needs memory, Vulkan objects."""
    def small(*options):
        return Feed(Frames("P010_10LE", "p010le", 64, 36, PQ),
                    "vkcolorconvert" + to("I420_10LE") + " ! vktonemap peak-detection=on"
                    + to("NV12") + " ! vkcolorconvert" + to("I420"), options=options)
    cost = small("--step", str(MANY // 50)).run(place, MANY)
    memory = [(MANY // 50 * (i + 1), kib / 1024) for i, kib in enumerate(cost["memory"])]
    print(f"time: frames of 64x36 through three elements: RSS {memory[0][1]:.1f} MiB at the "
          f"{memory[0][0]}th, {memory[-1][1]:.1f} MiB at the {memory[-1][0]}th")
    plot(os.path.join(pictures, "growth-time.svg"), "Memory", "frames of 64x36", "RSS, MiB",
         {"": memory})
    objects = small("--step", "500", "--objects").run(place, 5000)["objects"]
    print(f"time: {min(objects)} to {max(objects)} live Vulkan objects from the 500th to the "
          "5000th")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    names = [*QUESTIONS, "time"]
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=names, default=names)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1, help="a point, a round")
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--pictures", default=os.path.join(ROOT, "docs/images"))
    parser.add_argument("--noise", action="store_true",
                        help="not the test clip's frames, which ffmpeg makes")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Place(options.build, folder, options.noise)
        for name in options.only:
            if name == "time":
                try:
                    over_time(place, options.pictures)
                except Failed as why:
                    print(f"time: not measured: {why}")
            else:
                question = QUESTIONS[name]()
                show(name, question, ask(question, place, options), options.pictures)


main()
