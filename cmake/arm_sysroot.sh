#!/bin/sh
# Unpacks what the project needs of Debian's arm64 packages into a folder, for a cross build:
#   sh cmake/arm_sysroot.sh DIR
# and configure with cmake/toolchains/aarch64-linux-gnu.cmake and -DTOPSPLIT_ARM_SYSROOT=DIR. The system is left as it is: apt's
# lists, architectures and downloads go to a private state below DIR, nothing is installed, no root is needed. The C and C++
# runtimes are the cross compiler's own. When DIR is complete already nothing is done.
set -eu

[ $# -eq 1 ] || { sed -n '2,7s/^# //p' "$0" >&2; exit 2; }
wanted="libtbb-dev libxsimd-dev libcli11-dev libprotobuf-dev libonnx-dev libgtest-dev nlohmann-json3-dev libbenchmark-dev"
mkdir -p "$1"
target=$(cd "$1" && pwd)
if [ "$(cat "$target/complete" 2>/dev/null)" = "$wanted" ]; then
  echo "arm_sysroot: $target is complete"
  exit 0
fi
for tool in apt-get apt-cache dpkg-deb; do
  command -v "$tool" >/dev/null 2>&1 || { echo "arm_sysroot: $tool is missing: this needs a Debian system" >&2; exit 1; }
done
work=$target/work
rm -rf "$work" "$target/usr" "$target/complete"
mkdir -p "$work/packages"
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

. "$(dirname "$0")/private_apt.sh"
private_apt_state "$work" deb arch=arm64
arm64_apt() { private_apt "$@" -o APT::Architecture=arm64 -o APT::Architectures=arm64; }
arm64_apt apt-get -qq update

# With all that they depend on, but for what the cross compiler brings and for programs and data.
# shellcheck disable=SC2086
packages=$(arm64_apt apt-cache depends --recurse --important $wanted | grep -E '^(lib|nlohmann|zlib1g)' | sed 's/:arm64$//' |
  sort -u | grep -Ev '^lib(c6|c-|c-dev|stdc\+\+|gcc|crypt|nsl|tirpc|python|perl|asan|tsan|ubsan|lsan|hwasan|gomp|itm|atomic)')
(
  cd "$work/packages"
  # shellcheck disable=SC2086
  arm64_apt apt-get -qq download $packages
)
for package in "$work"/packages/*.deb; do
  dpkg-deb -x "$package" "$target"
done
if [ -d "$target/lib" ]; then  # where a package has not moved below usr
  cp -R "$target/lib/." "$target/usr/lib"
  rm -rf "$target/lib"
fi
rm -rf "$target/usr/share/doc"
echo "$wanted" >"$target/complete"
echo "arm_sysroot: unpacked $(ls "$work/packages" | wc -l) packages into $target"
