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
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/source"
trap 'rm -rf "$work"' EXIT

# The mirrors are those of the package lists that apt has; so is the release.
signed_by=
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ ! -e "$keyring" ] || signed_by="[signed-by=$keyring] "
apt-get indextargets --format "deb-src $signed_by\$(REPO_URI) \$(RELEASE) \$(COMPONENT)" 'Created-By: Packages' |
  sort -u >"$work/sources.list"
if [ ! -s "$work/sources.list" ]; then
  echo "instrumented_tbb: apt has no package lists; run apt-get update first" >&2
  exit 1
fi
: >"$work/status"
apt() {
  apt-get -qq -o Dir::State="$work" -o Dir::State::status="$work/status" -o Dir::State::lists="$work/lists" \
    -o Dir::Cache="$work/cache" -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=- \
    -o APT::Sandbox::User="$(id -un)" -o Acquire::Retries=3 "$@"
}
# The version that is installed, so that headers and library fit; where the mirror has moved on, its own one.
version=$(dpkg-query -W -f '${source:Version}' libtbb-dev)
apt update </dev/null
cd "$work/source"
apt source --download-only "onetbb=$version" </dev/null || apt source --download-only onetbb </dev/null
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
