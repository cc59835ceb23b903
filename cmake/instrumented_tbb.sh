#!/bin/sh
# Builds oneTBB with ThreadSanitizer inside, from the distribution's own source package:
#   sh cmake/instrumented_tbb.sh DIR
# and run the tests of a build with -DTOPSPLIT_SANITIZE=thread under LD_LIBRARY_PATH=DIR. Without it the sanitizer
# cannot see how oneTBB orders its threads and reports dozens of races that are none; suppressing those would hide ours.
# When DIR has the library nothing is done. Needs g++, cmake, dpkg-dev and a mirror that apt knows; no root, and the
# system's apt is left as it is: lists and downloads go to a private state below DIR.
set -eu

[ $# -eq 1 ] || { sed -n '2,8s/^# //p' "$0" >&2; exit 2; }
mkdir -p "$1"
target=$(cd "$1" && pwd)
if [ -e "$target/libtbb.so.12" ]; then
  echo "instrumented_tbb: $target has it already"
  exit 0
fi
for tool in apt-get dpkg-source cmake c++; do
  command -v "$tool" >/dev/null 2>&1 ||
    { echo "instrumented_tbb: $tool is missing (dpkg-dev, cmake, g++)" >&2; exit 1; }
done
work=$target/work
rm -rf "$work"
mkdir -p "$work/source"
trap 'rm -rf "$work"' EXIT

. "$(dirname "$0")/private_apt.sh"
private_apt_state "$work" deb-src
# The version that is installed, so that headers and library fit; where the mirror has moved on, its own one.
version=$(dpkg-query -W -f '${source:Version}' libtbb-dev)
private_apt apt-get -qq update
cd "$work/source"
private_apt apt-get -qq source --download-only "onetbb=$version" || private_apt apt-get -qq source --download-only onetbb
cd "$target"
dpkg-source --no-check -x "$work"/source/*.dsc "$work/onetbb" >/dev/null

log=$work/log
if ! { cmake -S "$work/onetbb" -B "$work/build" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DTBB_SANITIZE=thread -DTBB_TEST=OFF \
         -DTBB_STRICT=OFF -DTBBMALLOC_BUILD=OFF -DCMAKE_LIBRARY_OUTPUT_DIRECTORY="$work/lib" &&
       cmake --build "$work/build" --target tbb -j "$(nproc)"; } >"$log" 2>&1; then
  tail -n 40 "$log" >&2
  exit 1
fi
library=$(find "$work/build" "$work/lib" -name 'libtbb.so.12.*' -type f 2>/dev/null | head -n 1)
[ -n "$library" ] || { echo "instrumented_tbb: the build made no libtbb.so.12" >&2; exit 1; }
cp "$library" "$target/libtbb.so.12.part"
mv "$target/libtbb.so.12.part" "$target/libtbb.so.12"
echo "instrumented_tbb: made $target/libtbb.so.12"
