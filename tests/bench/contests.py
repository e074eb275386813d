"""What is measured against what."""
import dataclasses
import os

from contestants import Ffmpeg, Feed, Frames

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COPY = os.path.join(ROOT, "tests/bench/copy.comp")
PQ = "colorimetry=bt2100-pq,chroma-site=dv"
SDR = "colorimetry=bt709,chroma-site=mpeg2"
RGB = "colorimetry=sRGB"
ACCURATE = "vktonemap gamut-mapping=clip dither=none curve=bt2390"
ZSCALE = ("setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc:range=tv,"
          "zscale=transfer=linear:npl=203,format=gbrpf32le,tonemap=hable:desat=0:peak=4.926,"
          "zscale=transfer=bt709:matrix=bt709:primaries=bt709:range=tv,format=")
PLACEBO = ("setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc:range=tv,"
           "hwupload,libplacebo=colorspace=bt709:color_primaries=bt709:color_trc=bt709:range=tv:"
           "tonemapping=hable:peak_detect={}:format={},hwdownload,format={}")


@dataclasses.dataclass
class Contest:
    """The first of the contestants is what the others are told in terms of."""
    what: str
    contestants: dict


def to(fmt):
    return f" ! video/x-raw,format={fmt}"


def placebo(frames, fmt, detect=0):
    return Ffmpeg(frames, PLACEBO.format(detect, fmt, fmt),
                  ("-init_hw_device", "vulkan=vk:0", "-filter_hw_device", "vk"))


def copy_kernel(frames, fmt):
    """16-bit samples to 8 bits, 4:2:0."""
    groups = -(-frames.width * frames.height * 3 // 2 // (4 * 256))
    return Feed(frames, f"vkcompute location={COPY} groups={groups}x1x1 output-format={fmt}")


def tonemap(ours, width, height, planar=False, detect=0):
    source, raw, target, theirs = (("I420_10LE", "yuv420p10le", "I420", "yuv420p") if planar
                                   else ("P010_10LE", "p010le", "NV12", "nv12"))
    frames = Frames(source, raw, width, height, PQ)
    return {
        ours: Feed(frames, ours + to(target)),
        "ffmpeg zscale, tonemap=hable": Ffmpeg(frames, ZSCALE + theirs),
        "ffmpeg libplacebo": placebo(frames, theirs, detect),
        "ffmpeg, no filter": Ffmpeg(frames),
        "copy-only kernel": copy_kernel(frames, target),
        "memcpy of the input": Feed(frames, "identity", copy=True),
    }


def convert(source, target, ours="vkcolorconvert", peer="videoconvert n-threads=2", stock=False,
            description=SDR, size=""):
    raw = {"NV12": "nv12", "P010_10LE": "p010le", "RGBA": "rgba", "YUY2": "yuyv422",
           "GBR": "gbrp"}[source]
    frames = Frames(source, raw, 1920, 1080, description)
    all_of_them = {
        ours: Feed(frames, ours + to(target + size)),
        peer: Feed(frames, peer + to(target + size)),
        "memcpy of the input": Feed(frames, "identity", copy=True),
    }
    if stock:
        all_of_them["vulkanupload ! vulkancolorconvert ! vulkandownload"] = Feed(
            frames, "vulkanupload ! vulkancolorconvert ! vulkandownload" + to(target))
    return all_of_them


def fused():
    frames = Frames("P010_10LE", "p010le", 1920, 1080, PQ)
    chain = ("vkcolorconvert" + to("I420_10LE") + " ! vktonemap" + to("NV12")
             + " ! vkcolorconvert" + to("I420"))
    return {
        "vktonemap alone": Feed(frames, "vktonemap" + to("I420")),
        "chain of three": Feed(frames, chain),
        "chain of three, VKC_FUSE=0": Feed(frames, chain, environment={"VKC_FUSE": "0"}),
    }


CONTESTS = {
    "tonemap-1080p": Contest("PQ to SDR, 1080p, P010 to NV12, all defaults",
                             tonemap("vktonemap", 1920, 1080)),
    "tonemap-1080p-accurate": Contest(
        "the same as accurate as it is tested to be: 8-bit codes within 1, 99 % exact",
        tonemap(ACCURATE, 1920, 1080)),
    "tonemap-1080p-planar": Contest("the same, I420_10LE to I420",
                                    tonemap(ACCURATE, 1920, 1080, planar=True)),
    "tonemap-1080p-detect": Contest("peak detection on",
                                    tonemap("vktonemap peak-detection=on", 1920, 1080, detect=1)),
    "tonemap-4k": Contest("2160p, P010 to NV12, accurate", tonemap(ACCURATE, 3840, 2160)),
    "nv12-rgba": Contest("SDR, 1080p, NV12 to RGBA", convert("NV12", "RGBA", stock=True)),
    "p010-rgba64": Contest("SDR, 1080p, P010 to RGBA64_LE", convert("P010_10LE", "RGBA64_LE")),
    "nv12-i420": Contest("SDR, 1080p, NV12 to I420", convert("NV12", "I420")),
    "rgba-bgra": Contest("1080p, RGBA to BGRA", convert("RGBA", "BGRA", description=RGB)),
    "rgba-rgba64": Contest("1080p, RGBA to RGBA64_LE",
                           convert("RGBA", "RGBA64_LE", description=RGB)),
    "gbr-rgba": Contest("1080p, GBR to RGBA", convert("GBR", "RGBA", description=RGB)),
    "yuy2-uyvy": Contest("SDR, 1080p, YUY2 to UYVY", convert("YUY2", "UYVY")),
    "p010-v210": Contest("SDR, 1080p, P010 to v210", convert("P010_10LE", "v210")),
    "bicubic": Contest("SDR, NV12, 1080p to 720p, bicubic",
                       convert("NV12", "NV12", "vkcolorconvert scaling-method=bicubic",
                               "videoconvertscale n-threads=2 method=catrom",
                               size=",width=1280,height=720")),
    "fused": Contest("vkcolorconvert ! vktonemap ! vkcolorconvert, P010 to I420, 1080p", fused()),
}
