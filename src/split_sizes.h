// The sizes of Split's parts along the axis, read from wherever they stand.
//
// Sizes come as an i64 array or tensor, in Split-1 as a tensor of floats, or are made from the number of parts. Reading
// them one at a time from their source spares a buffer, whose length would be the caller's to choose.

#ifndef TOPSPLIT_SRC_SPLIT_SIZES_H
#define TOPSPLIT_SRC_SPLIT_SIZES_H

#include <cstddef>
#include <cstdint>

#include "src/shape.h"
#include "topsplit/status.h"
#include "topsplit/tensor.h"

namespace topsplit::detail {

struct part_sizes {
  std::size_t count;
  const void* data;       // count sizes at any address; null: equal parts
  data_type type;         // of data: i64, f16, f32 or f64
  bool must_divide;       // equal parts: the axis has to be a multiple of count (versions to 17)
  std::int64_t part = 0;  // equal parts, once checked: all but the last ...
  std::int64_t last = 0;  // ... and the last

  // The size of part i, after check_sizes has passed.
  std::int64_t operator[](std::size_t i) const noexcept;
};

inline part_sizes given_sizes(const void* data, std::size_t count, data_type type = data_type::i64) noexcept {
  return {count, data, type, false};
}
inline part_sizes equal_sizes(std::size_t count, bool must_divide = false) noexcept {
  return {count, nullptr, data_type::undefined, must_divide};
}

// At least one part; each size whole and not negative; the sum exactly the axis. Works out the equal parts.
status check_sizes(const folded_shape& folded, part_sizes& sizes) noexcept;

}  // namespace topsplit::detail

#endif
