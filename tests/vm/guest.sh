#!/usr/bin/env bash
# In the machine: guest.sh FOLDER PROGRAM... runs the tests, and leaves of each
# its TAP, its skips, what the validation layer said and its status in
# FOLDER/NAME.*.
set -u
to=$1
shift
export LD_LIBRARY_PATH=$VKC_BUILD_ROOT/gst
export GST_PLUGIN_PATH_1_0=$VKC_BUILD_ROOT/ext/vkcompute
export GST_REGISTRY_1_0=/tmp/registry.bin
export VKC_PROBE=$VKC_BUILD_ROOT/ext/vkcompute/vkc-probe
# Emulated and busy: everything takes longer.
export VKC_TIMEOUT_MS=600000 VKC_MAX_PENDING_MS=30000
export CK_DEFAULT_TIMEOUT=${CK_DEFAULT_TIMEOUT:-120}
for icd in /usr/share/vulkan/icd.d/lvp_icd*.json; do
  export VK_DRIVER_FILES=$icd VK_ICD_FILENAMES=$icd
done
gst-inspect-1.0 > /dev/null 2>&1

# A display server that takes dmabufs, where there is one.
if command -v weston > /dev/null; then
  options=(--backend=headless --renderer=gl)
  # Weston 10.
  weston --help | grep -q -e --use-gl \
    && options=(--backend=headless-backend.so --use-gl)
  export WAYLAND_DISPLAY=vkc-test
  weston "${options[@]}" --socket=$WAYLAND_DISPLAY --idle-time=0 \
    > "$to/weston.log" 2>&1 &
  for _ in $(seq 100); do
    [ -S "$XDG_RUNTIME_DIR/$WAYLAND_DISPLAY" ] && break
    sleep 0.1
  done
fi

# The validation layer of every process writes into one pipe. Left out is what
# is known to be wrong: lavapipe up to at least 25.0 does not answer
# VkDrmFormatModifierPropertiesList2EXT, from which the layer takes what images
# with modifiers can do; and the layers of 1.3.239 and 1.4.309 (not that of sid)
# do not always know that the export of a sync file takes the signal out of its
# semaphore.
ignored=VUID-VkImageViewCreateInfo-None-02273,VUID-vkCmdDispatch-OpTypeImage-07027
ignored=$ignored,UNASSIGNED-CoreValidation-DrawState-QueueForwardProgress
ignored=$ignored,VUID-vkQueueSubmit2-semaphore-03868
# That of 1.3.239 does not count the layout transition of a release to another
# owner either, and complains where the next owner's first use needs none. Only
# these pipelines read a dmabuf of ours as a texture and write it again; what
# they record is judged by the model of layouts and by the newer layers.
pipelines=UNASSIGNED-CoreValidation-DrawState-InvalidImageLayout
mkdir /tmp/layer
layer_settings () { # ids
  cat > /tmp/layer/vk_layer_settings.txt << END
khronos_validation.debug_action = VK_DBG_LAYER_ACTION_LOG_MSG
khronos_validation.report_flags = error
khronos_validation.log_filename = /tmp/messages
khronos_validation.duplicate_message_limit = 3
khronos_validation.message_id_filter = $1
END
}
mkfifo /tmp/messages
for program; do
  name=$(basename "$program")
  case $name in
    vm-pipelines) layer_settings "$ignored,$pipelines" ;;
    *) layer_settings "$ignored" ;;
  esac
  exec 3<> /tmp/messages
  cat /tmp/messages 3>&- > "$to/$name.messages" &
  reader=$!
  VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation VK_LAYER_SETTINGS_PATH=/tmp/layer \
    CK_TAP_LOG_FILE_NAME=/tmp/tap VKC_SKIPS=/tmp/skips \
    timeout 500 "$program"
  echo $? > /tmp/status
  exec 3>&-
  wait $reader
  for what in tap skips status; do
    [ ! -e /tmp/$what ] || mv /tmp/$what "$to/$name.$what"
  done
done
