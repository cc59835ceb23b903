#!/bin/sh
# Installs what is missing of the Debian packages (12 or 13) that a part of the project needs:
#   sh cmake/bootstrap.sh GROUP...      build command tests bench browser clang thread-sanitizer format arm chroot
# Only what is missing is installed, as root or through sudo; when nothing is missing apt is not called at all.
# TOPSPLIT_NO_INSTALL=1 makes a missing package an error instead.
set -eu

packages_of() {
  case $1 in
    build) echo g++ cmake ninja-build libtbb-dev libxsimd-dev ;;
    command) echo libcli11-dev libprotobuf-dev libonnx-dev ;;
    tests) echo libgtest-dev nlohmann-json3-dev libonnx-testdata pkg-config binutils qemu-user-static ;;
    bench) echo libbenchmark-dev libcli11-dev nlohmann-json3-dev libjs-chart.js ;;
    browser) echo chromium ;;
    clang) echo clang-14 ;;
    format) echo clang-format-14 ;;
    thread-sanitizer) echo dpkg-dev ;;
    arm) echo g++-aarch64-linux-gnu binutils-aarch64-linux-gnu qemu-user-static ;;
    chroot) echo debootstrap ;;
    *) echo "bootstrap: no group named $1 (build command tests bench browser clang thread-sanitizer format arm chroot)" >&2 && return 2 ;;
  esac
}

is_installed() {
  case $(dpkg-query -W -f '${db:Status-Abbrev}' "$1" 2>/dev/null) in
    *ii*) return 0 ;;
    *) return 1 ;;
  esac
}

[ $# -gt 0 ] || { sed -n '2,5s/^# //p' "$0" >&2; exit 2; }
wanted=
for group in "$@"; do
  names=$(packages_of "$group")
  wanted="$wanted $names"
done

if ! command -v dpkg-query >/dev/null 2>&1; then
  echo "bootstrap: not a Debian system, so nothing is installed; what is needed goes by these names there:$wanted"
  exit 0
fi
missing=
for package in $wanted; do
  is_installed "$package" || missing="$missing $package"
done
if [ -z "$missing" ]; then
  echo "bootstrap: nothing to install for: $*"
  exit 0
fi
if [ "${TOPSPLIT_NO_INSTALL:-0}" = 1 ]; then
  echo "bootstrap: missing:$missing" >&2
  exit 1
fi

if [ "$(id -u)" = 0 ]; then
  as_root=
elif command -v sudo >/dev/null 2>&1; then
  as_root=sudo
else
  echo "bootstrap: missing:$missing; run this as root, or install sudo" >&2
  exit 1
fi
apt() { $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@"; }

echo "bootstrap: installing$missing"
apt update </dev/null || echo "bootstrap: apt-get update failed; trying with the lists as they are" >&2
# apt's lines a package are of use only when it fails.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2086
if ! apt install -y --no-install-recommends $missing </dev/null >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
echo "bootstrap: installed"
