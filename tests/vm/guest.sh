#!/usr/bin/env bash
# In the machine: guest.sh FILE runs the tests and leaves their TAP there.
set -u
export LD_LIBRARY_PATH=$VKC_BUILD_ROOT/gst
export GST_PLUGIN_PATH_1_0=$VKC_BUILD_ROOT/ext/vkcompute
export GST_REGISTRY_1_0=/tmp/registry.bin
# Emulated and busy: everything takes longer.
export VKC_TIMEOUT_MS=60000 CK_DEFAULT_TIMEOUT=120
for icd in /usr/share/vulkan/icd.d/lvp_icd*.json; do
  export VK_DRIVER_FILES=$icd
done
gst-inspect-1.0 > /dev/null 2>&1
CK_TAP_LOG_FILE_NAME=/tmp/tap "$VKC_BUILD_ROOT/tests/vm/vm-guest"
status=$?
cp /tmp/tap "$1"
exit $status
