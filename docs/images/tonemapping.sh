#!/usr/bin/env bash
# Makes the pictures of docs/tonemapping.md from our own clip; run in a shell in
# which GStreamer finds the plugin (meson devenv).
set -euo pipefail
cd "$(dirname "$0")/../.."
clip=tests/data/hdr10_640x360.mp4
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

# picture NAME SETTINGS...: the tenth frame.
picture () {
  local name=$1
  shift
  gst-launch-1.0 -q filesrc location="$clip" ! decodebin ! vktonemap "$@" \
    ! video/x-raw,format=NV12,colorimetry=bt709 ! filesink location="$work/$name.raw"
  ffmpeg -v error -y -f rawvideo -pix_fmt nv12 -s 640x360 -colorspace bt709 \
    -i "$work/$name.raw" -vf "select=eq(n\,10),scale=320:180:in_color_matrix=bt709" \
    -frames:v 1 "$work/$name.png"
}

# tile OUT COLUMNS ROWS NAME...
tile () {
  local out=$1 layout=$2x$3 inputs=() name i=0
  shift 3
  for name; do
    cp "$work/$name.png" "$work/tile-$i.png"
    i=$((i + 1))
  done
  ffmpeg -v error -y -i "$work/tile-%d.png" -vf "tile=$layout" -frames:v 1 "$out"
  rm "$work"/tile-*.png
}

for curve in clip spline bt2390 hable reinhard mobius; do
  picture "$curve" curve="$curve"
done
tile docs/images/tonemapping-curves.png 3 2 clip spline bt2390 hable reinhard mobius
for gamut in clip desaturate perceptual; do
  picture "gamut-$gamut" gamut-mapping="$gamut"
done
tile docs/images/tonemapping-gamut.png 3 1 gamut-clip gamut-desaturate gamut-perceptual
picture split view=split
picture marks view=gamut
picture diagram view=curve peak-detection=on
tile docs/images/tonemapping-view.png 3 1 split marks diagram
