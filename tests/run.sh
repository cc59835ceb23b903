#!/bin/sh
# Installs what is missing (Debian 12 or 13; as root or with sudo), builds everything and runs the whole test suite:
#   sh tests/run.sh [--compiler g++|clang++-14|...] [--sanitize address,undefined|thread] [--type Release|Debug|...]
#                   [--build DIR] [--label NAME] [--without LABEL] [-DNAME=VALUE ...] [--arm CPU]
# A sanitizer or another compiler gets a build folder of its own. `--sanitize thread` builds an instrumented oneTBB first and runs
# the tests labelled "threads". --arm cross-builds for 64-bit ARM and runs the suite under QEMU as that CPU (cortex-a57; max,sve256=on;
# ...). -D goes to CMake; data outside the repository is named by TOPSPLIT_ONNX_NODE_TESTS,
# TOPSPLIT_CASES and TOPSPLIT_REAL, given so or in the environment. Exit status 0: all tests that ran passed.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
compiler="" sanitize="" type=Release build="" label="" without="" arm="" target=all
usage() { sed -n '2,9s/^# //p' "$0" >&2; exit 2; }
# Each argument is taken off the front; a -D goes to the back, so that these are what is left.
left=$#
while [ "$left" -gt 0 ]; do
  case $1 in
    -D?*) set -- "$@" "$1" ;;
    --compiler | --sanitize | --type | --build | --label | --without | --arm)
      [ "$left" -ge 2 ] || usage
      case $1 in
        --compiler) compiler=$2 ;;
        --sanitize) sanitize=$2 ;;
        --type) type=$2 ;;
        --build) build=$2 ;;
        --label) label=$2 ;;
        --without) without=$2 ;;
        --arm) arm=$2 ;;
      esac
      shift
      left=$((left - 1)) ;;
    *) usage ;;
  esac
  shift
  left=$((left - 1))
done
[ -n "$build" ] || build=$root/build${arm:+-arm}${compiler:+-$compiler}${sanitize:+-$(echo "$sanitize" | tr , -)}

step() { printf '\n== %s\n' "$*"; }

step "packages"
groups="build command tests bench"
case $compiler in clang*) groups="$groups clang" ;; esac
[ "$sanitize" != thread ] || groups="$groups thread-sanitizer"
[ -z "$arm" ] || groups="build tests arm"
# shellcheck disable=SC2086
sh "$root/cmake/bootstrap.sh" $groups

if [ -n "$arm" ]; then
  step "arm64 packages"
  sh "$root/cmake/arm_sysroot.sh" "$build/sysroot"
  set -- -DCMAKE_TOOLCHAIN_FILE="$root/cmake/toolchains/aarch64-linux-gnu.cmake" \
    -DTOPSPLIT_ARM_SYSROOT="$(cd "$build/sysroot" && pwd)" "$@"
  QEMU_CPU=$arm
  export QEMU_CPU
fi

if [ "$sanitize" = thread ]; then
  step "oneTBB with the thread sanitizer"
  sh "$root/cmake/instrumented_tbb.sh" "$build/instrumented_tbb"
  LD_LIBRARY_PATH=$(cd "$build/instrumented_tbb" && pwd)${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  export LD_LIBRARY_PATH
  label=${label:-threads}
  [ "$label" != threads ] || target=threads_tests
fi

step "configure $build"
for name in TOPSPLIT_ONNX_NODE_TESTS TOPSPLIT_CASES TOPSPLIT_REAL; do
  eval "value=\${$name:-}"
  # shellcheck disable=SC2154
  [ -z "$value" ] || set -- "-D$name=$value" "$@"
done
if [ -n "$compiler" ]; then
  set -- -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_C_COMPILER="$(echo "$compiler" | sed 's/clang++/clang/; s/g++/gcc/')" "$@"
fi
if command -v ccache >/dev/null 2>&1; then
  set -- -DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache "$@"
fi
set -- -DCMAKE_BUILD_TYPE="$type" -DTOPSPLIT_SANITIZE="$sanitize" -DTOPSPLIT_BUILD_TESTS=ON \
  -DTOPSPLIT_BUILD_BENCH=ON "$@"
cmake -S "$root" -B "$build" -G Ninja "$@"

step "build"
jobs=$(nproc 2>/dev/null || echo 2)
cmake --build "$build" --parallel "$jobs" --target "$target"

step "test${label:+ (label $label)}${without:+ (without label $without)}"
report=$build/ctest.xml
rm -f "$report"
result=0
ctest --test-dir "$build" --output-on-failure --no-tests=error --parallel "$jobs" --output-junit "$report" \
  ${label:+-L "$label"} ${without:+-LE "$without"} </dev/null || result=$?

# ctest counts a skipped test among those that passed; this line does not.
count() { sed -n "/<testsuite /,/>/s/.*[[:space:]]$1=\"\([0-9]*\)\".*/\1/p" "$report" 2>/dev/null | head -n 1; }
total=$(count tests) failures=$(count failures) skipped=$(count skipped)
if [ -n "$total" ]; then
  echo "$((total - failures - skipped)) passed, $failures failed, $skipped skipped"
fi
exit "$result"
