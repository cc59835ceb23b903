// Runs topk of the public interface on one tensor in all its forms and compares every byte with the oracle's.

#ifndef TOPSPLIT_TESTS_TOPK_CHECK_H
#define TOPSPLIT_TESTS_TOPK_CHECK_H

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/inputs.h"
#include "tests/oracle.h"
#include "tests/red_zone.h"
#include "tests/runs.h"
#include "topsplit/topk.h"

// A tensor in memory of its own, with what the oracle says of it.
class topk_subject {
 public:
  // shift moves the buffers off their 64-byte boundary by whole elements.
  topk_subject(topsplit::data_type type, oracle::shape_t shape, std::int64_t axis, const oracle::bytes_t& bytes,
               std::size_t shift = 0)
      : type_(type),
        shape_(std::move(shape)),
        axis_(axis),
        bytes_(bytes),
        shift_(shift),
        input_(bytes.data(), bytes.size(), shift * oracle::element_bytes(type)),
        best_{oracle::rank(type, input_.data(), shape_, axis, true),
              oracle::rank(type, input_.data(), shape_, axis, false)} {}

  // Every choice of largest or smallest and of order, for each k. Stops at the first failure, having told all about it.
  bool check(const std::vector<std::int64_t>& ks, const topsplit::execution& run) {
    for (const std::int64_t k : ks) {
      const std::size_t count = oracle::elements(oracle::with_axis(shape_, axis_, k));
      const std::size_t size = oracle::element_bytes(type_);
      red_zone_buffer values(count * size, (shift_ + 1) * size);
      red_zone_buffer indices(count * sizeof(std::int64_t), (shift_ % 3) * sizeof(std::int64_t));
      for (const auto select : {topsplit::topk_select::largest, topsplit::topk_select::smallest}) {
        for (const auto order : {topsplit::topk_order::by_value, topsplit::topk_order::by_index}) {
          topsplit::topk_options options;
          options.axis = axis_;
          options.select = select;
          options.order = order;
          options.run = run;
          if (!check_one(k, options, values, indices, expected(k, options))) {
            return false;
          }
        }
      }
    }
    return true;
  }

  // Kept, since every ISA and way to run tasks must give the same.
  const oracle::topk_result& expected(std::int64_t k, const topsplit::topk_options& options) {
    const bool largest = options.select == topsplit::topk_select::largest;
    const bool by_value = options.order == topsplit::topk_order::by_value;
    oracle::topk_result& kept = expected_[{k, largest, by_value}];
    if (kept.indices.empty()) {
      kept = oracle::topk(best_[largest ? 0 : 1], type_, input_.data(), shape_, axis_, k, by_value);
    }
    return kept;
  }

  // One call. expected is made by the caller, who may have set a floating-point mode since.
  bool check_one(std::int64_t k, const topsplit::topk_options& options, red_zone_buffer& values,
                 red_zone_buffer& indices, const oracle::topk_result& expected) {
    const oracle::shape_t out = oracle::with_axis(shape_, axis_, k);
    values.refill();
    indices.refill();
    const topsplit::status done = topsplit::topk(
        {input_.data(), type_, shape_.data(), shape_.size()}, k, {values.data(), type_, out.data(), out.size()},
        {indices.data(), topsplit::data_type::i64, out.data(), out.size()}, options);
    const char* wrong = !done.ok()                                ? done.text()
                        : !indices.holds(expected.indices.data()) ? "indices differ from the oracle's"
                        : !values.holds(expected.values.data())   ? "values differ from the oracle's"
                        : !values.intact()                        ? "memory around values was written"
                        : !indices.intact()                       ? "memory around indices was written"
                        : !input_.holds(bytes_.data())            ? "the input was written"
                                                                  : nullptr;
    if (wrong != nullptr) {
      ADD_FAILURE() << wrong << ": " << topsplit::data_type_name(type_) << testing::PrintToString(shape_) << " axis "
                    << axis_ << " k " << k
                    << (options.select == topsplit::topk_select::largest ? " largest" : " smallest")
                    << (options.order == topsplit::topk_order::by_value ? " by value, " : " by index, ")
                    << describe(options.run) << ", shift " << shift_;
    }
    return wrong == nullptr;
  }

 private:
  topsplit::data_type type_;
  oracle::shape_t shape_;
  std::int64_t axis_;
  oracle::bytes_t bytes_;
  std::size_t shift_;
  red_zone_buffer input_;
  oracle::ranking best_[2];
  std::map<std::tuple<std::int64_t, bool, bool>, oracle::topk_result> expected_;
};

#endif
