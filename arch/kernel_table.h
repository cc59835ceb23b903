// The only door to the kernels: a table of function pointers, one value of it per ISA.
//
// A kernel is serial and allocates nothing; it trusts its arguments (src/ has checked them), takes a range of the work and
// fills exactly that range of the outputs. Which kernel runs and how the work is cut is the plan's business (src/).

#ifndef TOPSPLIT_ARCH_KERNEL_TABLE_H
#define TOPSPLIT_ARCH_KERNEL_TABLE_H

#include <cstddef>
#include <cstdint>

#include "topsplit/isa.h"

namespace topsplit::kernels {

// Element types of TopK, the index into a kernel row.
enum class element : std::uint8_t { u8, u16, u32, u64, i8, i16, i32, i64, f16, bf16, f32, f64 };
inline constexpr std::size_t element_count = 12;

// A tensor of [outer, n, inner] elements whose slices run along n. Slice s (outer position s / inner, inner position
// s % inner) has element i at ((s / inner) * n + i) * inner + s % inner, and likewise in the outputs with k for n.
struct topk_call {
  const void* x;
  void* values;
  std::int64_t* indices;
  std::size_t n;      // length of the axis
  std::size_t k;      // 1 <= k <= n
  std::size_t inner;  // >= 1
  bool by_index;      // ascending index instead of best first
};

// Does the slices [begin, end).
using topk_kernel = void (*)(const topk_call& call, std::size_t begin, std::size_t end) noexcept;

enum class topk_algorithm : std::uint8_t {
  heap,         // inner = 1: a heap in the slice's output region behind a vector threshold filter along the slice
  heap_across,  // inner > 1: the same heaps, one to a lane, the filter across neighbouring slices
};
inline constexpr std::size_t topk_algorithm_count = 2;
inline constexpr const char* topk_algorithm_names[topk_algorithm_count] = {"heap", "heap_across"};

// Elements to merge: of [outer, n, inner] like x above. Each has a label, its index in what the results speak of.
struct merge_part {
  const void* values;
  const std::int64_t* labels;  // of its shape, offset is added to each; null: offset + i for element i of every slice
  std::int64_t offset;
  std::size_t n;  // may be 0
};

enum class merge_finish : std::uint8_t { by_value, by_index, none };  // none: in any order, more parts follow

// The outputs hold what was chosen so far: the first `held` elements of each slice, in any order. Afterwards they hold the
// best min(k, held + all n) of these and of the parts' elements.
struct topk_merge_call {
  const merge_part* parts;
  std::size_t part_count;
  void* values;
  std::int64_t* labels;
  std::size_t k;      // >= 1, length of the outputs' axis
  std::size_t held;   // <= k
  std::size_t inner;  // >= 1
  merge_finish finish;
};

// Does the slices [begin, end). Elements of one rank go by label, and those of one label too by their bits.
using topk_merge_kernel = void (*)(const topk_merge_call& call, std::size_t begin, std::size_t end) noexcept;

struct split_part {
  std::byte* data;           // row r of the part begins at data + r * bytes
  std::size_t bytes;         // of the part in one row; may be 0
  std::size_t offset_bytes;  // of the part from the start of a row of the input
};

// Rows of row_bytes, of which the span that starts at parts[0].offset_bytes is taken apart into adjacent parts.
struct split_call {
  const std::byte* input;
  std::size_t row_bytes;
  const split_part* parts;  // adjacent: parts[i + 1].offset_bytes = parts[i].offset_bytes + parts[i].bytes
  std::size_t part_count;
  std::size_t span_bytes;  // sum of the parts' bytes, > 0
};

// Copies the bytes [begin, end) of the spans laid end to end: byte b is in row b / span_bytes.
using split_kernel = void (*)(const split_call& call, std::size_t begin, std::size_t end) noexcept;

enum class split_algorithm : std::uint8_t {
  pieces,  // each piece by vector copies with an overlapping last vector, in the order of the input
};
inline constexpr std::size_t split_algorithm_count = 1;
inline constexpr const char* split_algorithm_names[split_algorithm_count] = {"pieces"};

struct kernel_table {
  topsplit::isa id;
  std::size_t vector_bytes;
  topk_kernel largest[topk_algorithm_count][element_count];
  topk_kernel smallest[topk_algorithm_count][element_count];
  split_kernel split[split_algorithm_count];
  topk_merge_kernel merge_largest[element_count];
  topk_merge_kernel merge_smallest[element_count];
};

// The tables built in, each defined by its own file; which of them exist is said by TOPSPLIT_HAVE_<ISA> of the build
// (cmake/isa.cmake), and only src/dispatch.cc and tests ask.
extern const kernel_table generic_table;
extern const kernel_table sse2_table;
extern const kernel_table avx2_table;
extern const kernel_table avx512bw_table;
extern const kernel_table avx512vbmi2_table;
extern const kernel_table neon64_table;
extern const kernel_table sve_table;

}  // namespace topsplit::kernels

#endif
