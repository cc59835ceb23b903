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
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/packages"
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

# The mirrors are those of the package lists that apt has; so is the release.
signed_by=
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ ! -e "$keyring" ] || signed_by=" signed-by=$keyring"
apt-get indextargets --format "deb [arch=arm64$signed_by] \$(REPO_URI) \$(RELEASE) \$(COMPONENT)" 'Created-By: Packages' |
  sort -u >"$work/sources.list"
if [ ! -s "$work/sources.list" ]; then
  echo "arm_sysroot: apt has no package lists; run apt-get update first" >&2
  exit 1
fi
: >"$work/status"
private() {
  "$@" -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State="$work" -o Dir::State::status="$work/status" \
    -o Dir::State::lists="$work/lists" -o Dir::Cache="$work/cache" -o Dir::Etc::sourcelist="$work/sources.list" \
    -o Dir::Etc::sourceparts=- -o APT::Sandbox::User="$(id -un)" -o Acquire::Retries=3 </dev/null
}
private apt-get -qq update

# With all that they depend on, but for what the cross compiler brings and for programs and data.
# shellcheck disable=SC2086
packages=$(private apt-cache depends --recurse --important $wanted | grep -E '^(lib|nlohmann|zlib1g)' | sed 's/:arm64$//' |
  sort -u | grep -Ev '^lib(c6|c-|c-dev|stdc\+\+|gcc|crypt|nsl|tirpc|python|perl|asan|tsan|ubsan|lsan|hwasan|gomp|itm|atomic)')
(
  cd "$work/packages"
  # shellcheck disable=SC2086
  private apt-get -qq download $packages
)
for package in "$work"/packages/*.deb; do
  dpkg-deb -x "$package" "$target"
done
for folder in lib; do  # where a package has not moved below usr
  [ ! -d "$target/$folder" ] || cp -R "$target/$folder/." "$target/usr/$folder" && rm -rf "${target:?}/$folder"
done
rm -rf "$target/usr/share/doc"
echo "$wanted" >"$target/complete"
echo "arm_sysroot: unpacked $(ls "$work/packages" | wc -l) packages into $target"
