// One template on the element type; 16-bit floats are compared as sign and magnitude, in which NaN is above all numbers
// of both signs.

#include "bench/baseline.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>
#include <vector>

namespace topsplit::bench {
namespace {

// 0x8001, the largest negative float16, becomes -1; both zeros become 0.
template <class T>
auto key_of(T value) {
  if constexpr (std::is_arithmetic_v<T>) {
    return value;
  } else {
    constexpr int infinity = std::is_same_v<T, float16> ? 0x7c00 : 0x7f80;
    const int magnitude = value.bits & 0x7fff;
    if (magnitude > infinity) return 0x8000;
    return (value.bits & 0x8000) != 0 ? -magnitude : magnitude;
  }
}

template <class Key>
bool is_nan(Key key) {
  if constexpr (std::is_floating_point_v<Key>) return std::isnan(key);
  return false;
}

template <class T, bool largest>
void one_slice(const baseline_problem& p, const T* x, std::vector<std::int64_t>& order, T* values,
               std::int64_t* indices) {
  const auto better = [&](std::int64_t a, std::int64_t b) {
    const auto ka = key_of(x[static_cast<std::size_t>(a) * p.inner]);
    const auto kb = key_of(x[static_cast<std::size_t>(b) * p.inner]);
    if (ka > kb) return largest;
    if (ka < kb) return !largest;
    if (is_nan(ka) != is_nan(kb)) return is_nan(ka) == largest;
    return a < b;
  };
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(p.k), order.end(), better);
  if (p.order == topk_order::by_index) std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(p.k));
  for (std::size_t i = 0; i < p.k; ++i) {
    indices[i * p.inner] = order[i];
    values[i * p.inner] = x[static_cast<std::size_t>(order[i]) * p.inner];
  }
}

template <class T>
bool all_slices(const baseline_problem& p, const void* x, void* values, std::int64_t* indices) {
  std::vector<std::int64_t> order(p.n);
  for (std::size_t o = 0; o < p.outer; ++o) {
    for (std::size_t j = 0; j < p.inner; ++j) {
      const T* in = static_cast<const T*>(x) + o * p.n * p.inner + j;
      const std::size_t out = o * p.k * p.inner + j;
      const auto slice = p.select == topk_select::largest ? one_slice<T, true> : one_slice<T, false>;
      slice(p, in, order, static_cast<T*>(values) + out, indices + out);
    }
  }
  return true;
}

}  // namespace

bool baseline_topk(const baseline_problem& problem, const void* x, void* values, std::int64_t* indices) {
  switch (problem.type) {
    case data_type::f16:
      return all_slices<float16>(problem, x, values, indices);
    case data_type::bf16:
      return all_slices<bfloat16>(problem, x, values, indices);
    case data_type::f32:
      return all_slices<float>(problem, x, values, indices);
    case data_type::f64:
      return all_slices<double>(problem, x, values, indices);
    case data_type::i8:
      return all_slices<std::int8_t>(problem, x, values, indices);
    case data_type::i16:
      return all_slices<std::int16_t>(problem, x, values, indices);
    case data_type::i32:
      return all_slices<std::int32_t>(problem, x, values, indices);
    case data_type::i64:
      return all_slices<std::int64_t>(problem, x, values, indices);
    case data_type::u8:
      return all_slices<std::uint8_t>(problem, x, values, indices);
    case data_type::u16:
      return all_slices<std::uint16_t>(problem, x, values, indices);
    case data_type::u32:
      return all_slices<std::uint32_t>(problem, x, values, indices);
    case data_type::u64:
      return all_slices<std::uint64_t>(problem, x, values, indices);
    default:
      return false;
  }
}

}  // namespace topsplit::bench
