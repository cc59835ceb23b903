// A dense row-major tensor that owns its elements: what the readers make and the operators fill.

#ifndef TOPSPLIT_CLI_ARRAY_H
#define TOPSPLIT_CLI_ARRAY_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "topsplit/tensor.h"

namespace topsplit::cli {

using shape_vector = std::vector<std::int64_t>;

struct array {
  data_type type = data_type::undefined;
  shape_vector shape;
  std::vector<std::byte> bytes;      // every type but string
  std::vector<std::string> strings;  // string

  const_tensor view() const;
  tensor view();
  std::size_t count() const;                             // number of elements
  const std::byte* element(std::size_t position) const;  // not for strings
};

// The number of elements of a shape. `what` opens the text of the failure that a negative dimension is, or a size in
// bytes of more than 63 bits; so a caller may multiply the result by element_bytes.
std::size_t checked_count(const shape_vector& shape, std::size_t element_bytes, const std::string& what);

// All elements zero, or empty strings.
array make_array(data_type type, shape_vector shape, const std::string& what);

// Splits a shape at an axis, which is in range: outer slices of `length`, `inner` elements apart.
struct folded_shape {
  std::size_t outer = 1, length = 1, inner = 1;
};
folded_shape fold(const shape_vector& shape, std::size_t axis);

// How many dimensions a line of text shows; a file may claim any number of them.
inline constexpr std::size_t dimensions_shown = 16;

// "[2, 3]"; "..." stands for the dimensions after `shown`.
std::string shape_text(const shape_vector& shape, std::size_t shown = SIZE_MAX);

// The coordinates of an element, "[0, 2]", as many as dimensions_shown. With an axis in range that one is written as a colon: "[0, :]".
std::string position_text(const shape_vector& shape, std::size_t position, std::size_t axis = SIZE_MAX);

}  // namespace topsplit::cli

#endif
