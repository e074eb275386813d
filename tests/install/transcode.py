"""docs/examples/transcode.c: makes a whole film, a playable one when it is
interrupted, and says what is wrong with a broken one.

usage: transcode.py PROGRAM"""
import functools
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

import tap

PROGRAM = sys.argv[1]
CLIP = os.path.join(os.environ["VKC_TEST_DATA"], "hdr10_640x360.mp4")


def in_folder(test):
    @functools.wraps(test)
    def run():
        with tempfile.TemporaryDirectory() as folder:
            test(folder)
    return run


def probe(path, entries):
    return subprocess.run(["ffprobe", "-v", "error", "-select_streams", "v:0", "-count_packets",
                           "-show_entries", entries, "-of", "csv=p=0", path],
                          check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def number(text, name):
    return float(re.search(rf"^{name}: ([0-9.]+)", text, re.M).group(1))


@in_folder
def whole_film_at_one_submission_a_frame(folder):
    out = os.path.join(folder, "sdr.mp4")
    done = subprocess.run([PROGRAM, CLIP, out], stdout=subprocess.PIPE, text=True, check=True)
    assert number(done.stdout, "frames") == 24, done.stdout
    assert number(done.stdout, "submissions per frame") == 1, done.stdout
    assert number(done.stdout, "waits per frame") <= 1.05, done.stdout
    found = probe(out, "stream=pix_fmt,color_space,color_transfer,color_primaries,nb_read_packets")
    assert found == "yuv420p,bt709,bt709,bt709,24", found


@in_folder
def interrupt_finishes_the_file(folder):
    long, out = os.path.join(folder, "long.mp4"), os.path.join(folder, "cut.mp4")
    subprocess.run(["ffmpeg", "-v", "error", "-stream_loop", "49", "-i", CLIP, "-c", "copy", long],
                   check=True)
    child = subprocess.Popen([PROGRAM, long, out], stdout=subprocess.PIPE, text=True)
    while not os.path.exists(out) or os.path.getsize(out) == 0:
        assert child.poll() is None, "ended too early"
        time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    said, _ = child.communicate(timeout=60)
    assert child.returncode == 0, child.returncode
    frames = number(said, "frames")
    assert 0 < frames < 1200, frames
    assert int(probe(out, "stream=nb_read_packets")) > 0


@in_folder
def broken_film_is_an_error(folder):
    broken = os.path.join(folder, "broken.mp4")
    with open(broken, "wb") as out:
        out.write(b"no film" * 100)
    done = subprocess.run([PROGRAM, broken, os.path.join(folder, "none.mp4")],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == 1 and done.stderr.strip(), done


if __name__ == "__main__":
    tap.run(whole_film_at_one_submission_a_frame, interrupt_finishes_the_file,
            broken_film_is_an_error)
