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

// Element types of TopK.
enum class element : std::uint8_t { u8, u16, u32, u64, i8, i16, i32, i64, f16, bf16, f32, f64 };
inline constexpr std::size_t element_count = 12;

// Kernels are made for fewer cases than there are types and directions: integers of one size order alike in either
// direction but for a constant, and so do the two 16-bit floats. The index into a kernel row.
inline constexpr std::size_t topk_order_count = 10;
constexpr std::size_t topk_order_of(element type, bool largest) {
  const std::size_t t = static_cast<std::size_t>(type);
  if (type < element::f16) return t % 4;
  const std::size_t first = type <= element::bf16 ? 4 : type == element::f32 ? 6 : 8;
  return largest ? first : first + 1;
}

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
  element type;
  bool largest;
};

// Does the slices [begin, end).
using topk_kernel = void (*)(const topk_call& call, std::size_t begin, std::size_t end) noexcept;

enum class topk_algorithm : std::uint8_t {
  // Along contiguous slices, inner = 1:
  rows,       // short ones, whole as records on the stack
  reservoir,  // small k: a reservoir of records on the stack behind a vector filter
  select,     // large k: the k-th best by bracketing, then the chosen ones in the output region
  count,      // 8-bit elements, large k: by counting
  heap,       // any: a heap in the output region behind a vector filter
  // Across neighbouring slices, inner > 1:
  lists,        // small k: a sorted list in each lane
  across,       // middling k: reservoirs on the stack behind one vector filter
  heap_across,  // any: heaps in the output regions behind one vector filter
};
inline constexpr std::size_t topk_algorithm_count = 8;
inline constexpr const char* topk_algorithm_names[topk_algorithm_count] = {
    "rows", "reservoir", "select", "count", "heap", "lists", "across", "heap_across"};

// Stack that records take, and how many there may be of each size of element. Packed records have 8 bytes, those of 8-byte
// elements 16. The index shares a packed record with the element, so 4-byte elements take slices below 2^32.
inline constexpr std::size_t topk_record_stack_bytes = 16 * 1024;
constexpr std::size_t topk_record_capacity(std::size_t element_bytes) {
  return topk_record_stack_bytes / (element_bytes == 8 ? 16 : 8);
}
constexpr std::size_t topk_packed_most(std::size_t element_bytes) {
  return element_bytes == 8 ? SIZE_MAX : (std::size_t{1} << (64 - 8 * element_bytes)) - 1;
}
inline constexpr std::size_t topk_lists_most = 8;
constexpr std::size_t topk_lists_longest(std::size_t element_bytes) {
  return std::size_t{1} << (8 * element_bytes - 1);
}

// The calls that an algorithm can do, fast or not.
constexpr bool topk_can_do(topk_algorithm algorithm, std::size_t n, std::size_t k, std::size_t inner,
                           std::size_t element_bytes) {
  const std::size_t capacity = topk_record_capacity(element_bytes);
  const bool packs = n <= topk_packed_most(element_bytes);
  switch (algorithm) {
    case topk_algorithm::rows:
      return inner == 1 && n <= capacity;
    case topk_algorithm::reservoir:
      return inner == 1 && packs && k <= capacity / 2;
    case topk_algorithm::select:
      return inner == 1 && packs;
    case topk_algorithm::count:
      return inner == 1 && element_bytes == 1;
    case topk_algorithm::heap:
      return inner == 1;
    case topk_algorithm::lists:
      return inner > 1 && k <= topk_lists_most && n <= topk_lists_longest(element_bytes);
    case topk_algorithm::across:
      return inner > 1 && packs && k <= capacity / 2;
    case topk_algorithm::heap_across:
      return inner > 1;
  }
  return false;
}

// One slice done by several tasks (inner = 1). A cut is the place in the order after which nothing is chosen: the k-th best.
struct topk_cut {
  std::int64_t rank;
  std::size_t index;
};

// What the tasks of one slice share. The region of the outputs holds `held` records of the best so far; whoever changes it
// is between enter and leave.
struct topk_slice {
  std::size_t slice;
  std::size_t held;
  void (*enter)(void* context) noexcept;
  void (*leave)(void* context) noexcept;
  void* context;
};

// The steps. Small k: `gather` for each range of elements, then `finish`. Large k: `find`; `count` for each range, which
// gives each its place in the region; `place`; ranges of the region until they are sorted: `split`, `sort`; then `write`.
struct topk_steps {
  // The best k of elements [begin, end) go to the region if they are among its best k.
  void (*gather)(const topk_call& call, topk_slice& shared, std::size_t begin, std::size_t end) noexcept;
  void (*finish)(const topk_call& call, std::size_t slice) noexcept;
  // False where it takes too long to find; the heap then does the slice.
  bool (*find)(const topk_call& call, std::size_t slice, topk_cut& cut) noexcept;
  // How many of the elements [begin, end) are chosen, and their records to so many of the region's places from `place` on.
  std::size_t (*count)(const topk_call& call, std::size_t slice, topk_cut cut, std::size_t begin,
                       std::size_t end) noexcept;
  void (*place)(const topk_call& call, std::size_t slice, topk_cut cut, std::size_t begin, std::size_t end,
                std::size_t place, std::size_t chosen) noexcept;
  // Moves the better of the records [begin, end) before the others; returns where these begin. In halves, roughly.
  std::size_t (*split)(const topk_call& call, std::size_t slice, std::size_t begin, std::size_t end) noexcept;
  void (*sort)(const topk_call& call, std::size_t slice, std::size_t begin, std::size_t end) noexcept;
  void (*write)(const topk_call& call, std::size_t slice, std::size_t begin, std::size_t end) noexcept;
};

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
  element type;
  bool largest;
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

// The streamed ones write whole cache lines past the cache, where the table's ISA can, and fence them; the bytes are
// the same.
enum class split_algorithm : std::uint8_t {
  blocks,        // long pieces, one after the other in the order of the input
  pieces,        // blocks of rows, part by part: as many vectors as the part's length takes
  deinterleave,  // likewise, narrow rows taken apart by byte shuffles
  streamed_blocks,
  streamed_deinterleave,
};
inline constexpr std::size_t split_algorithm_count = 5;
inline constexpr const char* split_algorithm_names[split_algorithm_count] = {
    "blocks", "pieces", "deinterleave", "streamed_blocks", "streamed_deinterleave"};

constexpr std::size_t index_of(topk_algorithm algorithm) { return static_cast<std::size_t>(algorithm); }

struct kernel_table {
  topsplit::isa id;
  std::size_t vector_bytes;
  std::size_t shuffle_bytes;  // that a byte shuffle chooses from; 0: the ISA has none
  bool streams;               // whether it has stores past the cache
  topk_kernel topk[topk_algorithm_count][topk_order_count];
  topk_steps steps[topk_order_count];
  topk_merge_kernel merge[topk_order_count];
  split_kernel split[split_algorithm_count];
};

// The tables built in, each defined by its own file; which of them exist is said by TOPSPLIT_HAVE_<ISA> of the build
// (cmake/isa.cmake), and only src/dispatch.cc and tests ask.
extern const kernel_table generic_table;
extern const kernel_table sse2_table;
extern const kernel_table avx2_table;
extern const kernel_table avx512bw_table;
extern const kernel_table avx512vbmi2_table;
extern const kernel_table neon64_table;
extern const kernel_table sve256_table;  // one ISA, a table for each length of its vectors
extern const kernel_table sve512_table;

}  // namespace topsplit::kernels

#endif
