// What merge_topk and extend_topk must answer, and runs of both in memory between red zones. The oracle sorts all that was
// given by value, then label, then bits; it knows nothing of heaps, parts or filters.

#ifndef TOPSPLIT_TESTS_TOPK_MERGE_CHECK_H
#define TOPSPLIT_TESTS_TOPK_MERGE_CHECK_H

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "tests/oracle.h"
#include "tests/red_zone.h"
#include "tests/runs.h"
#include "topsplit/merge.h"

namespace merging {

using topsplit::data_type;
using topsplit::topk_options;
using topsplit::topk_order;
using topsplit::topk_select;

// Elements with labels; offset is to be added to each.
struct part {
  std::int64_t length;  // along the axis
  oracle::bytes_t values;
  std::vector<std::int64_t> labels;
  std::int64_t offset;
};

template <class T>
std::int64_t signed_bits(T x) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof x);
  return static_cast<std::int64_t>(bits << (64 - 8 * sizeof x));  // in the order of the signed integers of T's size
}

template <class T>
struct candidate {
  T element;
  std::int64_t label;
};

template <class T>
bool before(const candidate<T>& a, const candidate<T>& b, bool largest) {
  const auto x = oracle::number(a.element), y = oracle::number(b.element);
  if (oracle::less(x, y) || oracle::less(y, x)) return largest ? oracle::less(y, x) : oracle::less(x, y);
  return a.label != b.label ? a.label < b.label : signed_bits(a.element) < signed_bits(b.element);
}

// The k best of the parts; shape's own length of the axis is not looked at.
template <class T>
oracle::topk_result best_of(const std::vector<part>& parts, const oracle::shape_t& shape, std::int64_t axis,
                            std::int64_t k, const topk_options& options) {
  const bool largest = options.select == topk_select::largest;
  const oracle::slices out(oracle::with_axis(shape, axis, k), axis);
  oracle::topk_result result{oracle::bytes_t(out.count() * out.length * sizeof(T)),
                             std::vector<std::int64_t>(out.count() * out.length)};
  for (std::size_t s = 0; s < out.count(); ++s) {
    std::vector<candidate<T>> all;
    for (const part& p : parts) {
      const oracle::slices in(oracle::with_axis(shape, axis, p.length), axis);
      for (std::size_t i = 0; i < in.length; ++i) {
        candidate<T> c{{}, p.labels[in.position(s, i)] + p.offset};
        std::memcpy(&c.element, p.values.data() + in.position(s, i) * sizeof(T), sizeof(T));
        all.push_back(c);
      }
    }
    std::sort(all.begin(), all.end(), [&](const auto& a, const auto& b) { return before(a, b, largest); });
    all.resize(out.length);
    if (options.order == topk_order::by_index) {
      std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.label < b.label; });
    }
    for (std::size_t i = 0; i < out.length; ++i) {
      std::memcpy(result.values.data() + out.position(s, i) * sizeof(T), &all[i].element, sizeof(T));
      result.indices[out.position(s, i)] = all[i].label;
    }
  }
  return result;
}

inline oracle::topk_result best_of(data_type type, const std::vector<part>& parts, const oracle::shape_t& shape,
                                   std::int64_t axis, std::int64_t k, const topk_options& options) {
  return oracle::with_type(type, [&](auto element) -> oracle::topk_result {
    using T = decltype(element);
    if constexpr (std::is_arithmetic_v<T> || sizeof(T) == 2) {
      return best_of<T>(parts, shape, axis, k, options);
    } else {
      return {};
    }
  });
}

inline std::string describe(data_type type, const oracle::shape_t& shape, std::int64_t k, const topk_options& options) {
  return std::string(topsplit::data_type_name(type)) + testing::PrintToString(shape) + " axis " +
         std::to_string(options.axis) + " k " + std::to_string(k) +
         (options.select == topk_select::largest ? " largest" : " smallest") +
         (options.order == topk_order::by_value ? " by value, " : " by index, ") + ::describe(options.run);
}

// The outputs of k elements a slice.
struct chosen {
  chosen(data_type element_type, const oracle::shape_t& shape, std::int64_t axis, std::int64_t k, std::size_t shift)
      : type(element_type),
        dims(oracle::with_axis(shape, axis, k)),
        values(oracle::elements(dims) * oracle::element_bytes(type), shift * oracle::element_bytes(type)),
        indices(oracle::elements(dims) * sizeof(std::int64_t), shift * sizeof(std::int64_t)) {}

  topsplit::tensor values_view() { return {values.data(), type, dims.data(), dims.size()}; }
  topsplit::tensor indices_view() { return {indices.data(), data_type::i64, dims.data(), dims.size()}; }
  bool intact() const { return values.intact() && indices.intact(); }

  data_type type;
  oracle::shape_t dims;
  red_zone_buffer values, indices;
};

// The parts as the call is given them, each in memory of its own.
struct given {
  given(data_type type, const oracle::shape_t& shape, std::int64_t axis, const std::vector<part>& all) : parts(all) {
    const std::size_t size = oracle::element_bytes(type);
    for (const part& p : parts) {
      dims.push_back(oracle::with_axis(shape, axis, p.length));
      values.emplace_back(p.values.data(), p.values.size(), dims.size() % 3 * size);
      indices.emplace_back(p.labels.data(), p.labels.size() * sizeof(std::int64_t), dims.size() % 2 * 8);
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
      views.push_back({{values[i].data(), type, dims[i].data(), dims[i].size()},
                       {indices[i].data(), data_type::i64, dims[i].data(), dims[i].size()},
                       parts[i].offset});
    }
  }
  bool unchanged() const {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (!values[i].holds(parts[i].values.data()) || !indices[i].holds(parts[i].labels.data())) return false;
    }
    return true;
  }

  const std::vector<part>& parts;
  std::vector<oracle::shape_t> dims;
  std::vector<red_zone_buffer> values, indices;
  std::vector<topsplit::topk_part> views;
};

// One merge against the oracle's answer.
inline bool check_merge(data_type type, const oracle::shape_t& shape, const std::vector<part>& parts, std::int64_t k,
                        const topk_options& options, const oracle::topk_result& expected) {
  given in(type, shape, options.axis, parts);
  chosen out(type, shape, options.axis, k, 1);
  const topsplit::status done =
      topsplit::merge_topk(in.views.data(), in.views.size(), k, out.values_view(), out.indices_view(), options);
  const char* wrong = !done.ok()                                    ? done.text()
                      : !out.indices.holds(expected.indices.data()) ? "indices differ from the oracle's"
                      : !out.values.holds(expected.values.data())   ? "values differ from the oracle's"
                      : !out.intact()                               ? "memory around the outputs was written"
                      : !in.unchanged()                             ? "a part was written"
                                                                    : nullptr;
  if (wrong != nullptr) ADD_FAILURE() << wrong << ": " << describe(type, shape, k, options);
  return wrong == nullptr;
}

// Both directions and both orders.
template <class Check>
bool for_each_choice(std::int64_t axis, const topsplit::execution& run, const Check& check) {
  topk_options options;
  options.axis = axis;
  options.run = run;
  for (const auto select : {topk_select::largest, topk_select::smallest}) {
    for (const auto order : {topk_order::by_value, topk_order::by_index}) {
      options.select = select;
      options.order = order;
      if (!check(options)) return false;
    }
  }
  return true;
}

}  // namespace merging

#endif
