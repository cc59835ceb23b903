#!/bin/sh
# Installs what is missing (Debian 12 or 13; as root or with sudo), builds the command and the benchmarks and runs both
# operators on the real tensors of bench/data, then a short benchmark. The results lie in BUILD/demo.
#   sh src/cli/demo.sh [BUILD]        BUILD: build folder, `build` beside README.md if not given
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
build=${1:-$root/build}
data=$root/bench/data

step() { printf '\n== %s\n' "$*"; }

step "packages"
sh "$root/cmake/bootstrap.sh" build command bench
step "configure $build"
set -- -DCMAKE_BUILD_TYPE=Release -DTOPSPLIT_BUILD_TESTS=OFF -DTOPSPLIT_BUILD_BENCH=ON -DTOPSPLIT_BUILD_CLI=ON
if command -v ccache >/dev/null 2>&1; then
  set -- "$@" -DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache
fi
cmake -S "$root" -B "$build" -G Ninja "$@"
step "build"
cmake --build "$build" --parallel "$(nproc 2>/dev/null || echo 2)" --target topsplit_cli topk_bench split_bench

topsplit=$build/src/cli/topsplit
out=$build/demo
mkdir -p "$out"
run() {
  printf '\n$ topsplit %s\n' "$*"
  "$topsplit" "$@"
}

step "the machine"
run info
step "TopK: the 5 most probable next words after each of 12 words"
run topk "$data/next-word-logits.f32.npy" -k 5 |
  awk 'NR == FNR { word[n++] = $1; next } { print $0 ($3 ~ /^[0-9]+$/ ? "   " word[$4] : "") }' "$data/words.txt" -
step "TopK: the 3 texts that use each word most, along axis 0"
run topk "$data/word-counts.i32.npy" -k 3 --axis 0 -o "$out/values.npy" "$out/indices.npy"
step "Split: the colour planes of a picture"
run split "$data/astronaut.u8.npy" --axis 3 --parts 1,1,1 -o "$out/plane"
run topk "$out/plane.0.npy" -k 4 --axis 1
ls -l "$out"

step "a short benchmark, one thread: the standard library's way (std) beside the library"
for bench in "topk_bench --benchmark_filter=^T(01|07|16|21)/(std|public)" \
  "split_bench --benchmark_filter=^S(06|09|18)/(std|public|memcpy)"; do
  # shellcheck disable=SC2086
  "$build"/bench/$bench --min-time 0.2
done
step "done; the results are in $out"
