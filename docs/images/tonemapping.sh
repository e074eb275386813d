#!/usr/bin/env bash
# Makes the pictures of docs/tonemapping.md from our own clip; run in a shell in
# which GStreamer finds the plugin (meson devenv).
set -euo pipefail
cd "$(dirname "$0")/../.."
clip=tests/data/hdr10_640x360.mp4
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

# picture NAME SETTINGS...: the tenth frame of $clip.
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
gamuts=(clip desaturate perceptual relative saturation darken)
for gamut in "${gamuts[@]}"; do
  picture "gamut-$gamut" gamut-mapping="$gamut"
done
tile docs/images/tonemapping-gamut.png 3 2 "${gamuts[@]/#/gamut-}"
modes=(max intensity luma rgb)
for mode in "${modes[@]}"; do
  picture "mode-$mode" curve-mode="$mode"
done
tile docs/images/tonemapping-modes.png 2 2 "${modes[@]/#/mode-}"
picture dark source-peak=4000
picture bright source-peak=400
picture detected peak-detection=on
tile docs/images/tonemapping-peak.png 3 1 bright dark detected

# The same colours warmer, as a look.
cat > "$work/warm.cube" <<END
LUT_3D_SIZE 2
0 0 0
1 0 0
0 .95 0
1 .95 0
0 0 .8
1 0 .8
0 .95 .8
1 .95 .8
END
picture less exposure=-1
picture more exposure=1
picture white reference-white=400
picture pale saturation=0.5
picture lively saturation=1.5
picture warm lut="$work/warm.cube"
tile docs/images/tonemapping-light.png 3 2 less more white pale lively warm
clip=tests/data/hlg_640x360.mp4
for peak in 400 1000 2000; do
  picture "hlg-$peak" hlg-peak="$peak" curve=clip
done
tile docs/images/tonemapping-hlg.png 3 1 hlg-400 hlg-1000 hlg-2000
clip=tests/data/hdr10_640x360.mp4
picture split view=split
picture marks view=gamut
picture diagram view=curve peak-detection=on
tile docs/images/tonemapping-view.png 3 1 split marks diagram
