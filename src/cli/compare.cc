// Neither operator computes anything, so equal means equal bytes: a NaN's payload and the sign of a zero count.

#include "src/cli/compare.h"

#include <algorithm>
#include <cstring>

#include "src/cli/table.h"

namespace topsplit::cli {
namespace {

bool same_element(const array& a, const array& b, std::size_t position) {
  if (a.type == data_type::string) return a.strings[position] == b.strings[position];
  return std::memcmp(a.element(position), b.element(position), data_type_bytes(a.type)) == 0;
}

std::string ordered_difference(const array& got, const array& expected) {
  for (std::size_t i = 0; i < got.count(); ++i) {
    if (same_element(got, expected, i)) continue;
    return "differs at " + position_text(got.shape, i) + ": " + element_text(got, i) + ", expected " +
           element_text(expected, i);
  }
  return {};
}

// One slice's elements, each the bytes of all tensors at that place, in an order of their own.
std::vector<std::string> slice_set(const std::vector<const array*>& tensors, const folded_shape& folded,
                                   std::size_t first) {
  std::vector<std::string> elements(folded.length);
  for (std::size_t i = 0; i < folded.length; ++i) {
    for (const array* tensor : tensors) {
      const auto* bytes = reinterpret_cast<const char*>(tensor->element(first + i * folded.inner));
      elements[i].append(bytes, data_type_bytes(tensor->type));
    }
  }
  std::sort(elements.begin(), elements.end());
  return elements;
}

std::string unordered_difference(const std::vector<const array*>& got, const std::vector<const array*>& expected,
                                 std::size_t axis) {
  if (got[0]->count() == 0) return {};
  const folded_shape folded = fold(got[0]->shape, axis);
  for (std::size_t slice = 0; slice < folded.outer * folded.inner; ++slice) {
    const std::size_t first = slice / folded.inner * folded.length * folded.inner + slice % folded.inner;
    if (slice_set(got, folded, first) != slice_set(expected, folded, first)) {
      return "differs as a set in slice " + position_text(got[0]->shape, first, axis);
    }
  }
  return {};
}

}  // namespace

std::string find_difference(const std::vector<graph_output>& got, const std::vector<array>& expected) {
  if (got.size() != expected.size()) {
    return std::to_string(got.size()) + " outputs, expected " + std::to_string(expected.size());
  }
  const auto name = [&](std::size_t i) { return "output " + std::to_string(i) + " '" + got[i].name + "' "; };
  for (std::size_t i = 0; i < got.size(); ++i) {
    const array& value = *got[i].value;
    if (value.type == expected[i].type && value.shape == expected[i].shape) continue;
    return name(i) + "is " + type_and_shape(value) + ", expected " + type_and_shape(expected[i]);
  }
  for (std::size_t i = 0; i < got.size(); ++i) {
    std::string difference;
    if (got[i].unordered) {
      std::vector<const array*> got_set, expected_set;
      for (std::size_t j = 0; j < got.size(); ++j) {
        if (!got[j].unordered || got[j].unordered->node != got[i].unordered->node) continue;
        got_set.push_back(got[j].value.get());
        expected_set.push_back(&expected[j]);
      }
      difference = unordered_difference(got_set, expected_set, got[i].unordered->axis);
    } else {
      difference = ordered_difference(*got[i].value, expected[i]);
    }
    if (!difference.empty()) return name(i) + difference;
  }
  return {};
}

}  // namespace topsplit::cli
