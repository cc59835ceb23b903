#!/bin/sh
# Compares the ABI of libtopsplit.so with that of the last release, the newest git tag v*, by libabigail's abidiff.
#
#   cmake/check_abi.sh SOURCE WORK [options for both builds' cmake...]
#
# Builds both versions with debugging information, which abidiff reads, under the folder WORK. Under one SONAME functions
# may be added; any other change of what the public headers declare fails, with abidiff's report. A new SONAME is free to
# change: the report is shown and nothing fails. Where there is no tag to compare with, it says so and succeeds; exit
# status 77 (a skipped test) means that abidiff or git is missing.
set -eu

source=$1
work=$2
shift 2

for tool in git abidiff; do
  if ! command -v "$tool" >/dev/null; then
    echo "check_abi: skipped, $tool is not installed"
    exit 77
  fi
done
if ! git -C "$source" rev-parse --git-dir >/dev/null; then
  echo "check_abi: $source is not a git repository, so there is no release to compare with"
  exit 0
fi
tag=$(git -C "$source" tag --list 'v*' --sort=-version:refname --merged HEAD | head -n 1)
if [ -z "$tag" ]; then
  echo "check_abi: no tag v* yet, so there is no release to compare with"
  exit 0
fi

build() {  # SOURCE NAME [options...]
  from=$1
  name=$2
  shift 2
  if ! { cmake -S "$from" -B "$work/$name" -D BUILD_SHARED_LIBS=ON -D CMAKE_BUILD_TYPE=RelWithDebInfo \
           -D TOPSPLIT_BUILD_CLI=OFF -D TOPSPLIT_BUILD_TESTS=OFF -D TOPSPLIT_BUILD_BENCH=OFF "$@" &&
         cmake --build "$work/$name" --target topsplit --parallel 2; } >"$work/$name.log" 2>&1; then
    tail -n 50 "$work/$name.log"
    echo "check_abi: $name does not build"
    exit 1
  fi
}

soname() {
  readelf --dynamic "$1" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p'
}

mkdir -p "$work"
if [ ! -e "$work/$tag/libtopsplit.so" ]; then  # a release does not change: it is built once
  rm -rf "$work/$tag" "$work/$tag.source"
  mkdir "$work/$tag.source"
  git -C "$source" archive "$tag" | tar -x -C "$work/$tag.source"
  build "$work/$tag.source" "$tag" "$@"
fi
build "$source" current "$@"
old=$work/$tag/libtopsplit.so
new=$work/current/libtopsplit.so

status=0
abidiff --no-added-syms --headers-dir1 "$work/$tag.source/include" --headers-dir2 "$source/include" "$old" "$new" ||
  status=$?
if [ "$status" -eq 0 ]; then
  echo "check_abi: the ABI of $tag is kept"
elif [ $((status & 3)) -ne 0 ]; then
  echo "check_abi: abidiff failed with exit status $status"
  exit 1
elif [ "$(soname "$old")" != "$(soname "$new")" ]; then
  echo "check_abi: the ABI differs from $tag, and so does the SONAME: $(soname "$old"), $(soname "$new")"
else
  echo "check_abi: the ABI differs from $tag under the same SONAME, $(soname "$new")"
  exit 1
fi
