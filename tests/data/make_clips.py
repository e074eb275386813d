#!/usr/bin/env python3
"""Makes every clip beside this script: a chart in two halves of twelve frames,
first at a tenth of its light and then at all of it, as HEVC Main10.

Needs ffmpeg with libx265 and zscale. From top to bottom the chart holds a grey
ramp, steps, ramps of the six hues, and bars with three skin tones.
"""
import array
import math
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
STEPS = [0, .05, 1, 5, 10, 26, 50, 100, 203, 300, 400, 600, 800, 1000, 2000, 4000]
HUES = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 1, 1), (1, 0, 1), (1, 1, 0)]
BARS = [(1, 1, 1), (1, 1, 0), (0, 1, 1), (0, 1, 0), (1, 0, 1), (1, 0, 0), (0, 0, 1)]
SKIN = [(194, 150, 130), (115, 82, 68), (240, 200, 180)]
BT709_TO_BT2020 = ((0.627404, 0.329283, 0.043313),
                   (0.069097, 0.919540, 0.011362),
                   (0.016391, 0.088013, 0.895595))

# Mastering displays: BT.2020 up to 1000 cd/m2, P3 up to 4000.
WIDE = "G(8500,39850)B(6550,2300)R(35400,14600)WP(15635,16450)L(10000000,1)"
P3 = "G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(40000000,50)"
HDR10 = "hdr10=1:hdr10-opt=1:master-display={}:max-cll={}"
# name, width, height, peak in cd/m2, transfer as zscale and as x265 say it,
# further x265 parameters
CLIPS = [
    ("hdr10_640x360", 640, 360, 1000, "smpte2084", "smpte2084", HDR10.format(WIDE, "1000,400")),
    ("hdr10_1920x1080", 1920, 1080, 1000, "smpte2084", "smpte2084", HDR10.format(WIDE, "1000,400")),
    ("hdr10_p3_4000_640x360", 640, 360, 4000, "smpte2084", "smpte2084", HDR10.format(P3, "4000,600")),
    ("pq_nometa_640x360", 640, 360, 1000, "smpte2084", "smpte2084", ""),
    ("hlg_640x360", 640, 360, 1000, "arib-std-b67", "arib-std-b67", ""),
    ("hlg_1920x1080", 1920, 1080, 1000, "arib-std-b67", "arib-std-b67", ""),
    ("hlg_atc_640x360", 640, 360, 1000, "arib-std-b67", "bt2020-10", "atc-sei=18"),
]


def to_bt2020(rgb):
    return [sum(m * c for m, c in zip(row, rgb)) for row in BT709_TO_BT2020]


def pq_from_nits(nits):
    m1, m2 = 2610 / 16384, 2523 / 32
    y = (nits / 10000) ** m1
    return ((3424 / 4096 + 2413 / 128 * y) / (1 + 2392 / 128 * y)) ** m2


def nits_from_pq(signal):
    m1, m2 = 2610 / 16384, 2523 / 32
    p = signal ** (1 / m2)
    return 10000 * (max(p - 3424 / 4096, 0) / (2413 / 128 - 2392 / 128 * p)) ** (1 / m1)


def hlg_from_nits(rgb):
    """Display light of a 1000 cd/m2 display (gamma 1.2) to HLG signals."""
    luma = 0.2627 * rgb[0] + 0.6780 * rgb[1] + 0.0593 * rgb[2]
    if luma <= 0:
        return [0.0] * 3
    a = 0.17883277
    b, c = 1 - 4 * a, 0.5 - a * math.log(4 * a)
    scene = [(luma / 1000) ** (-0.2 / 1.2) * light / 1000 for light in rgb]
    return [math.sqrt(3 * e) if e <= 1 / 12 else a * math.log(12 * e - b) + c for e in scene]


def chart(width, height, peak, scale, hlg):
    """One frame: 16-bit planes G, B, R."""
    known = {}

    def encode(rgb):
        if tuple(rgb) not in known:
            light = [min(max(c, 0) * scale, peak) for c in rgb]
            signal = hlg_from_nits(light) if hlg else [pq_from_nits(c) for c in light]
            known[tuple(rgb)] = [min(65535, max(0, round(s * 65535))) for s in signal]
        return known[tuple(rgb)]

    top = pq_from_nits(peak)
    ramp = [nits_from_pq(top * x / (width - 1)) for x in range(width)]
    patches = [to_bt2020([203 * (.75 * c) ** 2.4 for c in bar]) for bar in BARS]
    patches += [to_bt2020([203 * ((c / 255 + .055) / 1.055) ** 2.4 for c in tone]) for tone in SKIN]
    rows = [[encode([light] * 3) for light in ramp],
            [encode([STEPS[min(15, x * 16 // width)]] * 3) for x in range(width)]]
    rows += [[encode([light * c for c in hue]) for light in ramp] for hue in HUES]
    rows += [[encode(patches[x * len(patches) // width]) for x in range(width)]]
    heights = [round(height * part) for part in [.2, .2] + [.06] * 6]
    heights.append(height - sum(heights))
    return b"".join(array.array("H", [pixel[plane] for pixel in row]).tobytes() * lines
                    for plane in (1, 2, 0) for row, lines in zip(rows, heights))


def make(name, width, height, peak, zscale_transfer, x265_transfer, more):
    hlg = zscale_transfer == "arib-std-b67"
    raw = b"".join(chart(width, height, peak, scale, hlg) * 12 for scale in (.1, 1))
    to_yuv = (f"zscale=matrixin=gbr:rangein=full:primariesin=2020:transferin={zscale_transfer}"
              f":matrix=2020_ncl:range=limited:primaries=2020:transfer={zscale_transfer}"
              ":chromal=topleft:filter=bicubic,format=yuv420p10le")
    x265 = ("log-level=error:pools=2:keyint=12:repeat-headers=1:range=limited:colorprim=bt2020"
            f":colormatrix=bt2020nc:chromaloc=2:transfer={x265_transfer}" + (":" + more if more else ""))
    mp4 = os.path.join(HERE, name + ".mp4")
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "gbrp16le",
                    "-s", f"{width}x{height}", "-r", "24", "-i", "-", "-vf", to_yuv,
                    "-c:v", "libx265", "-preset", "fast", "-crf", "8", "-x265-params", x265,
                    "-tag:v", "hvc1", mp4], input=raw, check=True)
    if "atc-sei" in more:
        # The message is lost in MP4.
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", mp4, "-c", "copy", "-bsf:v",
                        "hevc_mp4toannexb", "-f", "hevc", mp4[:-3] + "h265"], check=True)


if __name__ == "__main__":
    for clip in CLIPS:
        make(*clip)
