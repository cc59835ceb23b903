// Where a contiguous slice lies (inner = 1), in the input and in the outputs.

#ifndef TOPSPLIT_ARCH_KERNELS_SLICES_INL_H
#define TOPSPLIT_ARCH_KERNELS_SLICES_INL_H

#include <cstddef>
#include <cstdint>

#include "arch/kernel_table.h"

namespace topsplit::TOPSPLIT_KERNELS {

// A slice's k places in the outputs. They are also where records may lie while the slice is worked on.
struct output_region {
  void* values;
  std::int64_t* indices;
};

template <class Lane>
inline const void* slice_of(const kernels::topk_call& call, std::size_t slice) {
  return static_cast<const char*>(call.x) + slice * call.n * sizeof(Lane);
}

// From place `begin` of the region on.
template <class Lane>
inline output_region region_of(const kernels::topk_call& call, std::size_t slice, std::size_t begin = 0) {
  const std::size_t at = slice * call.k + begin;
  return {static_cast<char*>(call.values) + at * sizeof(Lane), call.indices + at};
}

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
