# shellcheck shell=bash disable=SC2034
# Debian packages for docs/demo and tests/run; sourced, not run.
#
#   need_packages build demo    the groups that are wanted; also test, vm
#
# Installs what is missing, as root or through sudo. With everything there, apt
# is not called at all. Software Vulkan comes from the backports of Debian 12,
# whose source is added here if need be; a machine with a GPU keeps its Mesa.

packages_build="gcc libc6-dev meson ninja-build pkg-config python3 glslc
  libglib2.0-dev libvulkan-dev libgstreamer1.0-dev
  libgstreamer-plugins-base1.0-dev libshaderc-dev
  libspirv-cross-c-shared-dev spirv-tools"
packages_demo="gstreamer1.0-tools gstreamer1.0-plugins-base
  gstreamer1.0-plugins-good gstreamer1.0-plugins-bad
  gstreamer1.0-plugins-ugly gstreamer1.0-libav ffmpeg"
packages_test="vulkan-validationlayers"
packages_vm="bc debootstrap make weston xz-utils"

say () { echo "==> $*"; }

as_root () {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo > /dev/null; then
    sudo "$@"
  else
    say "root or sudo is needed for: $*"
    return 1
  fi
}

installed_version () {
  dpkg-query -W -f '${db:Status-Status} ${Version}\n' "$1" 2> /dev/null \
    | sed -n 's/^installed //p' | head -n 1
}

has_gpu () {
  for node in /dev/dri/renderD* /dev/nvidia0; do
    [ -e "$node" ] && return 0
  done
  return 1
}

# Mesa is wanted where it is missing, and newer where software has to do.
mesa_is_good () {
  version=$(installed_version mesa-vulkan-drivers)
  [ -n "$version" ] || return 1
  has_gpu || dpkg --compare-versions "$version" ge 25
}

apt_install () {
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends "$@"
}

# The backports of the mirror that this machine uses already.
add_backports () {
  suite=bookworm-backports
  if grep -rqs "$suite" /etc/apt/sources.list /etc/apt/sources.list.d; then
    return 0
  fi
  mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2> /dev/null \
    | grep -E '^(deb |URIs:)' | grep -oE '[a-z+]+:/[^] ]+/debian/?( |$)' \
    | head -n 1 | tr -d ' ')
  [ -n "$mirror" ] || return 1
  list=/etc/apt/sources.list.d/$suite.list
  keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  [ -e $keyring ] || keyring=
  say "adding the apt source $suite in $list"
  echo "deb ${keyring:+[signed-by=$keyring] }$mirror $suite main" | as_root tee "$list" > /dev/null
}

install_mesa () {
  if grep -qs bookworm /etc/os-release && add_backports; then
    say "installing Mesa's Vulkan drivers from bookworm-backports"
    as_root apt-get update && apt_install -t bookworm-backports \
      mesa-vulkan-drivers && return 0
  fi
  if [ -n "$(installed_version mesa-vulkan-drivers)" ]; then
    say "staying with the installed Mesa"
  else
    apt_install mesa-vulkan-drivers
  fi
}

need_packages () {
  missing=
  for group in "$@"; do
    list=packages_$group
    for package in ${!list}; do
      [ -n "$(installed_version "$package")" ] || missing="$missing $package"
    done
  done
  if [ -n "$missing" ] || ! mesa_is_good; then
    command -v apt-get > /dev/null || {
      say "not a Debian system; please install:$missing mesa-vulkan-drivers"
      return 1
    }
  fi
  if [ -n "$missing" ]; then
    say "installing:$missing"
    as_root apt-get update || return 1
    # shellcheck disable=SC2086
    apt_install $missing || return 1
  fi
  mesa_is_good || install_mesa
}
