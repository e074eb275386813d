#!/usr/bin/env python3
"""Measures vktonemap against ffmpeg's zscale+tonemap, interleaved, and what it
adds to the memory of a pipeline. By hand only: figures depend on the machine.

usage: tests/bench/bench.py [--rounds N] [--build FOLDER]

Speed: 1080p P010 PQ to NV12 bt709, raw frames, ours from memory as a decoder
gives them, ffmpeg's through its raw demuxer (whose own cost is shown). Each figure
is CPU time (user and system, of the process and its children) of a long
run minus that of a short one, so that starting and compiling do not count; a
round runs every contestant once, and ratios are formed within rounds. Frames
per CPU second say what a core can do; wall time depends on how many there are.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CLIP = os.path.join(ROOT, "tests/data/hdr10_1920x1080.mp4")
SHORT, LONG = 24, 120
CAPS = ("video/x-raw,format=P010_10LE,width=1920,height=1080,framerate=24/1,"
        "colorimetry=bt2100-pq,chroma-site=dv")
ZSCALE = ("setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc:range=tv,"
          "zscale=transfer=linear:npl=203,format=gbrpf32le,tonemap=hable:desat=0:peak=4.926,"
          "zscale=transfer=bt709:matrix=bt709:primaries=bt709:range=tv,format=nv12")


def measure(command):
    """CPU seconds and peak resident kilobytes of one run."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = status
    if status != 0:
        sys.exit(f"failed: {' '.join(command)}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def ours(build, folder, frames, elements):
    return [os.path.join(build, "tests/bench/feed"), f"{folder}/all.raw", CAPS,
            str(frames), elements]


def ffmpeg(folder, frames, *filters):
    return (["ffmpeg", "-v", "error", "-threads", "2", "-filter_threads", "2",
             "-stream_loop", "-1", "-f", "rawvideo", "-pix_fmt", "p010le",
             "-s", "1920x1080", "-i", f"{folder}/all.raw"]
            + [part for text in filters for part in ("-vf", text)]
            + ["-frames:v", str(frames), "-f", "null", "-"])


def contestants(build, folder):
    return {
        "vktonemap": lambda n: ours(build, folder, n, "vktonemap ! video/x-raw,format=NV12"),
        "ffmpeg zscale+tonemap=hable": lambda n: ffmpeg(folder, n, ZSCALE),
        "no filter, GStreamer": lambda n: ours(build, folder, n, "identity"),
        "no filter, ffmpeg": lambda n: ffmpeg(folder, n),
    }


def make_frames(folder):
    raw = os.path.join(folder, "all.raw")
    subprocess.run(["ffmpeg", "-v", "error", "-i", CLIP, "-frames:v", "8",
                    "-f", "rawvideo", "-pix_fmt", "p010le", raw], check=True)


def speed(build, folder, rounds):
    times = {name: [] for name in contestants(build, folder)}
    for i in range(rounds):
        for name, command in contestants(build, folder).items():
            short, long = measure(command(SHORT))[0], measure(command(LONG))[0]
            times[name].append((long - short) / (LONG - SHORT))
            print(f"round {i + 1}: {name}: {1000 * times[name][-1]:.2f} CPU ms a frame", flush=True)
    first, second = list(times)[:2]
    print("\n%-30s %14s %18s" % ("", "CPU ms a frame", "frames a CPU s"))
    for name, values in times.items():
        middle = statistics.median(values)
        frames = "%18.1f" % (1 / middle) if name in (first, second) else ""
        print("%-30s %14.2f %s" % (name, 1000 * middle, frames))
    ratios = [b / a for a, b in zip(times[first], times[second])]
    print(f"\n{first}: {statistics.median(ratios):.2f} times the frames per CPU second of {second}"
          f" (rounds: {min(ratios):.2f} to {max(ratios):.2f})")


def memory():
    decode = f"filesrc location={CLIP} ! qtdemux ! h265parse ! avdec_h265"
    peaks = {}
    for name, line in (("decode", decode), ("decode ! vktonemap", decode + " ! vktonemap")):
        command = ["gst-launch-1.0", "-q"] + (line + " ! fakesink").split()
        peaks[name] = measure(command)[1] / 1024
        print("%-30s %14.0f MiB peak RSS" % (name, peaks[name]))
    print("vktonemap adds %.0f MiB" % (peaks["decode ! vktonemap"] - peaks["decode"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    options = parser.parse_args()
    os.environ["GST_PLUGIN_PATH_1_0"] = os.path.join(options.build, "ext/vkcompute")
    measure(["gst-inspect-1.0", "vktonemap"])
    with tempfile.TemporaryDirectory() as folder:
        make_frames(folder)
        speed(options.build, folder, options.rounds)
    print()
    memory()


main()
