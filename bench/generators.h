// Fills tensors with data that looks like what the workloads see: real inputs are masked, mostly zero, peaked or full
// of ties, and a kernel measured on uniform data alone is flattered.

#ifndef TOPSPLIT_BENCH_GENERATORS_H
#define TOPSPLIT_BENCH_GENERATORS_H

#include <cstddef>
#include <cstdint>

#include "topsplit/tensor.h"

namespace topsplit::bench {

enum class distribution {
  uniform,         // [0, 1)
  normal,          // logits
  positive,        // exp of a normal, as a softmax before it is scaled
  peaked,          // log-softmax of a sure model: almost all far below a few
  one_live_beam,   // log-probabilities; all but the first quarter of a slice lie 1e9 lower
  small_scores,    // sigmoid, almost all below 0.01
  mostly_zero,     // 98 % exact zeros, the rest uniform
  half_masked,     // every second of a slice's 8 groups is -inf
  tail_masked,     // causal: slice s of S is -inf after about s / S of its length
  heavy_tail,      // a cubed ReLU
  minus_distance,  // minus a squared distance in the plane; 0 on the diagonal
  seen_items,      // normal, one in 100 set to -1024
  few_levels,      // about 40 levels, two thirds of them the lowest
  padded,          // normal; the last fifth of a slice is -inf
  any_bits,        // random bits, for integers: the type's whole range
  ascending,       // along each slice
  descending,
  constant,
  few_values,    // 16 values, each as likely
  nan_mix,       // normal, one in 16 NaN
  block_sorted,  // rising runs of 64 at levels that jump
};

// A tensor of [outer, n, inner] elements whose slices run along n. Floats are rounded to the type, with float16's
// denormals made 0; integers take a quarter of their type's greatest value times the value, clamped, and 0 for NaN
// (few_levels is made for them and kept as it is).
void fill(distribution values, data_type type, std::size_t outer, std::size_t n, std::size_t inner, std::uint64_t seed,
          void* data);

// Those that programs sweep over, plain data first.
struct named_distribution {
  const char* name;
  distribution values;
};
inline constexpr named_distribution named_distributions[] = {
    {"uniform", distribution::uniform},       {"ascending", distribution::ascending},
    {"descending", distribution::descending}, {"constant", distribution::constant},
    {"few_values", distribution::few_values}, {"zeros", distribution::mostly_zero},
    {"masked", distribution::half_masked},    {"nan_mix", distribution::nan_mix},
    {"blocks", distribution::block_sorted}};

void fill_bytes(std::uint64_t seed, std::size_t bytes, void* data);

}  // namespace topsplit::bench

#endif
