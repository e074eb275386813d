"""vktonemap and vkcolorconvert against zimg, ffmpeg's tonemap and libplacebo, where they
compute the same thing: 4096 colours without chroma subsampling or dither.

Where they do not, and why, is in docs/tonemapping.md. A build of ffmpeg that lacks a
filter skips its test.

usage: peers.py [--table]    --table: prints the one of docs/tonemapping.md, tests nothing;
                             needs tests/support in PYTHONPATH"""
import array
import functools
import math
import os
import random
import subprocess
import sys
import tempfile

import tap

SIDE = 64
PIXELS = SIDE * SIDE
PQ = {"gst": "bt2100-pq", "zimg": "color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc"}
HLG = {"gst": "bt2100-hlg",
       "zimg": "color_primaries=bt2020:color_trc=arib-std-b67:colorspace=bt2020nc"}
SDR2020 = {"gst": "bt2020-10",
           "zimg": "color_primaries=bt2020:color_trc=bt2020-10:colorspace=bt2020nc"}


def pq(light):
    """SMPTE ST 2084: cd/m2 to signal."""
    y = (light / 10000) ** (2610 / 16384)
    return ((3424 + 2413 * 32 * y) / (4096 + 2392 * 32 * y)) ** (2523 / 32)


def colours(top):
    """Y'CbCr codes of 10 bits, BT.2020: greys, the cube's edges, and any R'G'B' up to @top."""
    rng = random.Random(11)
    corners = [[n >> k & 1 for k in range(3)] for n in range(1, 8)]
    rgb = [[top * n / 255] * 3 for n in range(256)]
    rgb += [[top * n / 63 * c for c in corner] for corner in corners for n in range(64)]
    rgb += [[top * rng.random() for _ in range(3)] for _ in range(PIXELS - len(rgb))]
    codes = []
    for r, g, b in rgb:
        y = 0.2627 * r + 0.6780 * g + 0.0593 * b
        codes.append((round(64 + 876 * y), round(512 + 896 * (b - y) / 1.8814),
                      round(512 + 896 * (r - y) / 1.4746)))
    return codes


def write(path, codes):
    with open(path, "wb") as out:
        for k in range(3):
            array.array("H", [code[k] for code in codes]).tofile(out)


def read(path, kind):
    values = array.array(kind)
    with open(path, "rb") as source:
        values.frombytes(source.read())
    assert len(values) == 3 * PIXELS, len(values)
    return values


def run(command, environment=None):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=300, check=False, env=environment)
    if "Option" in done.stdout and "not found" in done.stdout:
        raise tap.Skip("this ffmpeg has other options")
    assert done.returncode == 0, " ".join(command) + "\n" + done.stdout[-2000:]


def ours(folder, codes, source, elements, out_format, colorimetry):
    write(f"{folder}/in.raw", codes)
    run(["gst-launch-1.0", "-q"]
        + (f"filesrc location={folder}/in.raw ! rawvideoparse format=y444-10le width={SIDE} "
           f"height={SIDE} ! capssetter caps=video/x-raw,colorimetry={source['gst']} ! {elements} "
           f"! video/x-raw,format={out_format},colorimetry={colorimetry} "
           f"! filesink location={folder}/ours.raw").split())
    return f"{folder}/ours.raw"


def peer(folder, codes, source, filters, pix_fmt, *options):
    write(f"{folder}/in.raw", codes)
    # The validation layer is for us.
    environment = {k: v for k, v in os.environ.items() if k != "VK_INSTANCE_LAYERS"}
    run(["ffmpeg", "-v", "error", "-y", *options, "-f", "rawvideo", "-pix_fmt", "yuv444p10le",
         "-s", f"{SIDE}x{SIDE}", "-i", f"{folder}/in.raw", "-vf",
         f"setparams={source['zimg']}:range=tv,{filters},format={pix_fmt}",
         "-f", "rawvideo", f"{folder}/peer.raw"], environment)
    return f"{folder}/peer.raw"


def compare(first, second, kind="B"):
    """Largest difference, and percent of codes that are equal."""
    a, b = read(first, kind), read(second, kind)
    differences = [abs(x - y) for x, y in zip(a, b)]
    return max(differences), 100 * differences.count(0) / len(differences)


@functools.cache
def has_filter(name):
    found = subprocess.run(["ffmpeg", "-v", "error", "-filters"], stdout=subprocess.PIPE,
                           text=True, check=True).stdout
    return any(line.split()[1:2] == [name] for line in found.splitlines())


def tonemap(folder, curve):
    """zimg and ffmpeg's tonemap; R'G'B' out, because zimg does not clip before Y'CbCr."""
    codes = colours(pq(1000))
    theirs = peer(folder, codes, PQ,
                  f"zscale=t=linear:npl=203:agamma=0,format=gbrpf32le,tonemap={curve}:desat=0:"
                  f"peak={1000 / 203},zscale=p=bt709:t=bt709:m=gbr:r=pc:agamma=0:d=none", "gbrp")
    return compare(ours(folder, codes, PQ,
                        f"vktonemap source-peak=1000 dither=none gamut-mapping=clip "
                        f"curve-mode=max curve={curve}", "GBR", "1:1:5:1"), theirs)


def zimg_hlg(folder):
    """HLG through zimg's OOTF; clipped at white."""
    codes = colours(1)
    theirs = peer(folder, codes, HLG,
                  "zscale=t=linear:npl=203:agamma=0,format=gbrpf32le,tonemap=clip:desat=0,"
                  "zscale=p=bt709:t=bt709:m=gbr:r=pc:agamma=0:d=none", "gbrp")
    return compare(ours(folder, codes, HLG,
                        "vktonemap dither=none gamut-mapping=clip curve-mode=max curve=clip",
                        "GBR", "1:1:5:1"), theirs)


def zimg_sdr(folder):
    """Primaries and transfer of SDR."""
    codes = colours(1)
    theirs = peer(folder, codes, SDR2020,
                  "zscale=p=bt709:t=bt709:m=gbr:r=pc:agamma=0:d=none", "gbrp")
    return compare(ours(folder, codes, SDR2020, "vkcolorconvert dither=none", "GBR", "1:1:5:1"),
                   theirs)


def zimg_to_hlg(folder):
    """PQ to HLG, 10 bits; R'G'B' out, as above."""
    codes = colours(pq(1000))
    theirs = peer(folder, codes, PQ,
                  "zscale=t=linear:npl=1000:agamma=0,format=gbrpf32le,"
                  "zscale=t=arib-std-b67:npl=1000:m=gbr:r=pc:agamma=0:d=none", "gbrp10le")
    return compare(ours(folder, codes, PQ,
                        "vktonemap dither=none gamut-mapping=clip curve=clip source-peak=1000",
                        "GBR_10LE", "1:1:15:7"), theirs, "H")


def libplacebo_clip(folder):
    """libplacebo's clip; its SDR display has a contrast of 1000."""
    codes = colours(pq(1000))
    theirs = peer(folder, codes, PQ,
                  "hwupload,libplacebo=colorspace=bt709:color_primaries=bt709:color_trc=bt709:"
                  "range=tv:format=yuv444p:peak_detect=0:dithering=none:disable_linear=1:"
                  "tonemapping=clip:tonemapping_mode=rgb:tonemapping_crosstalk=0:gamut_mode=clip:"
                  "intent=relative,hwdownload", "yuv444p",
                  "-init_hw_device", "vulkan=vk:0", "-filter_hw_device", "vk")
    return compare(ours(folder, codes, PQ,
                        "vktonemap dither=none gamut-mapping=clip curve-mode=rgb curve=clip "
                        "contrast=1000", "Y444", "bt709"), theirs)


CURVES = ("clip", "reinhard", "mobius", "hable", "linear", "gamma")

# What is compared, the filters that it needs, and percent of codes that have to be equal.
CASES = ([(f"zimg, tonemap={curve}", functools.partial(tonemap, curve=curve),
           ("zscale", "tonemap"), 99.5) for curve in CURVES]
         + [("zimg, HLG to SDR", zimg_hlg, ("zscale", "tonemap"), 99.5),
            ("zimg, BT.2020 to BT.709", zimg_sdr, ("zscale",), 99.5),
            ("zimg, PQ to HLG", zimg_to_hlg, ("zscale",), 99),
            ("libplacebo, clip", libplacebo_clip, ("libplacebo",), 95)])


def print_table():
    print("| | largest difference, codes | equal |\n|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, measure, filters, _ in CASES:
            if all(map(has_filter, filters)):
                most, equal = measure(folder)
                print(f"| {name} | {most} | {math.floor(10 * equal) / 10:.1f} % |", flush=True)


def as_test(name, measure, filters, least):
    def test():
        missing = [wanted for wanted in filters if not has_filter(wanted)]
        if missing:
            raise tap.Skip(f"ffmpeg has no {missing[0]}")
        with tempfile.TemporaryDirectory() as folder:
            most, equal = measure(folder)
        assert most <= 1 and equal >= least, f"{most} codes, {equal:.2f} % equal"
    test.__name__ = "agrees_with_" + "".join(c if c.isalnum() else "_" for c in name)
    return test


if __name__ == "__main__":
    if "--table" in sys.argv[1:]:
        print_table()
    else:
        tap.run(*(as_test(*case) for case in CASES))
