// Sizes come from files, so they are multiplied with overflow checks before anything is allocated.

#include "src/cli/array.h"

#include <algorithm>
#include <utility>

#include "src/cli/failure.h"

namespace topsplit::cli {

namespace {

std::string list_text(const std::vector<std::string>& items, std::size_t shown) {
  std::string text;
  for (std::size_t i = 0; i < items.size() && i < shown; ++i) text += (i == 0 ? "" : ", ") + items[i];
  return "[" + text + (items.size() > shown ? ", ...]" : "]");
}

}  // namespace

const_tensor array::view() const {
  const void* data = type == data_type::string ? static_cast<const void*>(strings.data()) : bytes.data();
  return {data, type, shape.data(), shape.size()};
}

tensor array::view() {
  void* data = type == data_type::string ? static_cast<void*>(strings.data()) : bytes.data();
  return {data, type, shape.data(), shape.size()};
}

std::size_t array::count() const {
  return type == data_type::string ? strings.size() : bytes.size() / data_type_bytes(type);
}

const std::byte* array::element(std::size_t position) const { return bytes.data() + position * data_type_bytes(type); }

std::size_t checked_count(const shape_vector& shape, std::size_t element_bytes, const std::string& what) {
  for (const std::int64_t dimension : shape) {
    if (dimension < 0) throw failure(what + ": dimension " + std::to_string(dimension) + " is negative");
  }
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  std::size_t count = 1;
  const std::size_t limit = static_cast<std::size_t>(INT64_MAX) / element_bytes;
  for (const std::int64_t dimension : shape) {
    if (static_cast<std::size_t>(dimension) > limit / count) {
      throw failure(what + ": shape " + shape_text(shape) + " has more bytes than 63 bits can count");
    }
    count *= static_cast<std::size_t>(dimension);
  }
  return count;
}

array make_array(data_type type, shape_vector shape, const std::string& what) {
  array result;
  const std::size_t count = checked_count(shape, data_type_bytes(type), what);
  result.type = type;
  result.shape = std::move(shape);
  if (type == data_type::string) {
    result.strings.resize(count);
  } else {
    result.bytes.resize(count * data_type_bytes(type));
  }
  return result;
}

folded_shape fold(const shape_vector& shape, std::size_t axis) {
  folded_shape folded;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const auto dimension = static_cast<std::size_t>(shape[i]);
    (i < axis ? folded.outer : i == axis ? folded.length : folded.inner) *= dimension;
  }
  return folded;
}

std::string shape_text(const shape_vector& shape, std::size_t shown) {
  std::vector<std::string> dimensions;
  for (const std::int64_t dimension : shape) dimensions.push_back(std::to_string(dimension));
  return list_text(dimensions, shown);
}

std::string position_text(const shape_vector& shape, std::size_t position, std::size_t axis) {
  std::vector<std::string> coordinates(shape.size());
  for (std::size_t i = shape.size(); i-- > 0;) {
    const auto dimension = static_cast<std::size_t>(shape[i]);
    coordinates[i] = i == axis ? ":" : std::to_string(position % dimension);
    position /= dimension;
  }
  return list_text(coordinates, dimensions_shown);
}

}  // namespace topsplit::cli
