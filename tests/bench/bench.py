#!/usr/bin/env python3
"""Measures our elements against what else there is, interleaved: what a frame costs, and what
a pipeline needs. By hand only: figures depend on the machine (docs/performance.md).

usage: tests/bench/bench.py [--rounds N] [--seconds S] [--build FOLDER] [--only NAME...]
                            [--noise] [--list] [--markdown]

A round runs every contestant of a contest once; ratios are formed within rounds, and what is
told are medians. CPU time is the process' user and system time, drivers' threads included;
frames come from memory as a decoder gives them, and each is mapped in the end. ffmpeg's are
read from a file by its raw demuxer, whose own cost is shown."""
import argparse
import dataclasses
import os
import statistics
import sys
import tempfile

from contestants import CLIP, Failed, Place, frames_for, run
from contests import CONTESTS, ROOT


class Result:
    def __init__(self):
        self.samples = []
        self.ratios = []
        self.failure = ""
        self.number = 0

    def median(self, value):
        return statistics.median(value(sample) for sample in self.samples)


def attempt(name, result, what):
    """A contestant that fails once is out."""
    if result.failure:
        return None
    try:
        return what()
    except Failed as why:
        result.failure = str(why)
        print(f"  {name}: {why}", file=sys.stderr)
        return None


def compare(results, samples):
    """Ratios of one round, in terms of the contest's first."""
    first = samples.get(next(iter(results)))
    for name, sample in samples.items():
        if first:
            results[name].ratios.append(sample.cpu / first.cpu)


def hold(contest, place, options):
    results = {name: Result() for name in contest.contestants}
    for name, contestant in contest.contestants.items():
        results[name].number = attempt(
            name, results[name], lambda: frames_for(contestant, place, options.seconds))
    for i in range(options.rounds):
        samples = {}
        for name, contestant in contest.contestants.items():
            result = results[name]
            sample = attempt(name, result, lambda: contestant.measure(place, result.number))
            if sample is None:
                continue
            print(f"  round {i + 1}: {name}: {sample.cpu:.2f} CPU ms a frame",
                  file=sys.stderr, flush=True)
            result.samples.append(sample)
            samples[name] = sample
        compare(results, samples)
    return results


HEADER = ("", "CPU ms", "times the first", "frames/s", "GPU ms", "submissions", "waits",
          "peak MiB")


def ratio_text(ratios):
    if not ratios:
        return ""
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


def row(name, result):
    if not result.samples:
        return (name, f"not measured: {result.failure}")
    gpu = result.median(lambda s: s.gpu)
    wall = result.median(lambda s: s.wall)
    count = {key: result.median(lambda s: s.counts.get(key, 0)) for key in ("submits", "waits")}
    is_ours = result.samples[0].counts
    return (name, f"{result.median(lambda s: s.cpu):.2f}",
            ratio_text(result.ratios),
            f"{1000 / wall:.0f}" if wall > 0 else "",
            f"{gpu:.3f}" if gpu > 0 else "",
            f"{count['submits']:.2f}" if is_ours else "",
            f"{count['waits']:.2f}" if is_ours else "",
            f"{result.median(lambda s: s.peak) / 1024:.0f}")


def show(rows, markdown):
    if markdown:
        print("| " + " | ".join(HEADER) + " |\n|" + "---|" * len(HEADER))
        for one in rows:
            print("| " + " | ".join(one) + " |")
        return
    wide = max(len(one[0]) for one in rows)
    print("%-*s %9s %21s %9s %8s %12s %6s %9s" % (wide, *HEADER))
    for one in rows:
        if len(one) == 2:
            print("%-*s %s" % (wide, *one))
        else:
            print("%-*s %9s %21s %9s %8s %12s %6s %9s" % (wide, *one))


def memory(place):
    """What vktonemap adds to a film's pipeline."""
    decode = f"filesrc location={CLIP} ! qtdemux ! h265parse ! avdec_h265"
    peaks = []
    for line in (decode, decode + " ! vktonemap"):
        command = ["gst-launch-1.0", "-q"] + (line + " ! fakesink").split()
        peaks.append(run(command, place.environment)[2].ru_maxrss / 1024)
    print(f"peak RSS of decode {peaks[0]:.0f} MiB, decode ! vktonemap {peaks[1]:.0f} MiB: "
          f"{peaks[1] - peaks[0]:.0f} MiB more")


def start(place):
    """Until the first 1080p frame is there, with empty and with filled caches on disk."""
    contestant = next(iter(CONTESTS["tonemap-1080p"].contestants.values()))
    with tempfile.TemporaryDirectory() as cache:
        contestant = dataclasses.replace(contestant, environment={"XDG_CACHE_HOME": cache})
        cold, *warm = [contestant.measure(place, 1) for _ in range(4)]
    print(f"first frame of vktonemap after {cold.first:.0f} ms ({cold.first_cpu:.0f} of CPU "
          f"time), with warm caches {statistics.median(s.first for s in warm):.0f} "
          f"({statistics.median(s.first_cpu for s in warm):.0f})")


EXTRAS = {"memory": memory, "start": start}


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2, help="a contestant, a round")
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=[*CONTESTS, *EXTRAS],
                        default=[*CONTESTS, *EXTRAS])
    parser.add_argument("--noise", action="store_true",
                        help="not the test clip's frames, which ffmpeg makes")
    parser.add_argument("--list", action="store_true", help="what there is")
    parser.add_argument("--markdown", action="store_true")
    return parser.parse_args()


def main():
    options = parse()
    if options.list:
        for name, contest in CONTESTS.items():
            print(f"{name}: {contest.what}")
        for name, extra in EXTRAS.items():
            print(f"{name}: {extra.__doc__}")
        return
    with tempfile.TemporaryDirectory() as folder:
        place = Place(options.build, folder, options.noise)
        for name in options.only:
            if name in EXTRAS:
                try:
                    EXTRAS[name](place)
                except Failed as why:
                    print(f"{name}: not measured: {why}")
                continue
            contest = CONTESTS[name]
            print(f"{name}: {contest.what}", file=sys.stderr, flush=True)
            results = hold(contest, place, options)
            print(f"\n{name}: {contest.what}\n")
            show([row(who, result) for who, result in results.items()], options.markdown)
            print(flush=True)


main()
