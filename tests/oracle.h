// What TopK and Split must answer, in the plainest C++: a stable sort of each slice over decoded values, and copies by
// coordinates. It shares no code with src/ or arch/ and is written to be believed on reading, not to be fast.

#ifndef TOPSPLIT_TESTS_ORACLE_H
#define TOPSPLIT_TESTS_ORACLE_H

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "tests/small_float.h"
#include "topsplit/tensor.h"

namespace oracle {

using topsplit::data_type;
using shape_t = std::vector<std::int64_t>;
using bytes_t = std::vector<std::byte>;

// Calls f with a value of the C++ type that carries one element.
template <class F>
auto with_type(data_type type, F f) {
  switch (type) {
    case data_type::f32:
      return f(float{});
    case data_type::u8:
      return f(std::uint8_t{});
    case data_type::i8:
      return f(std::int8_t{});
    case data_type::u16:
      return f(std::uint16_t{});
    case data_type::i16:
      return f(std::int16_t{});
    case data_type::i32:
      return f(std::int32_t{});
    case data_type::i64:
      return f(std::int64_t{});
    case data_type::string:
      return f(std::string{});
    case data_type::boolean:
      return f(bool{});
    case data_type::f16:
      return f(topsplit::float16{});
    case data_type::f64:
      return f(double{});
    case data_type::u32:
      return f(std::uint32_t{});
    case data_type::u64:
      return f(std::uint64_t{});
    case data_type::complex64:
      return f(std::complex<float>{});
    case data_type::complex128:
      return f(std::complex<double>{});
    case data_type::bf16:
      return f(topsplit::bfloat16{});
    case data_type::undefined:
      break;
  }
  throw std::invalid_argument("no element type");
}

inline std::size_t element_bytes(data_type type) {
  return with_type(type, [](auto element) { return sizeof(element); });
}

inline std::size_t product(const shape_t& shape, std::size_t begin, std::size_t end) {
  std::size_t result = 1;
  for (std::size_t d = begin; d < end; ++d) {
    result *= static_cast<std::size_t>(shape[d]);
  }
  return result;
}

inline std::size_t elements(const shape_t& shape) { return product(shape, 0, shape.size()); }

// A shape seen from one axis: element i of slice s lies at position(s, i) of the row-major tensor.
struct slices {
  slices(const shape_t& shape, std::int64_t axis)
      : dimension(static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(shape.size()) : axis)),
        outer(product(shape, 0, dimension)),
        length(static_cast<std::size_t>(shape.at(dimension))),
        inner(product(shape, dimension + 1, shape.size())) {}

  std::size_t count() const { return outer * inner; }
  std::size_t position(std::size_t s, std::size_t i) const { return (s / inner * length + i) * inner + s % inner; }

  std::size_t dimension, outer, length, inner;
};

inline shape_t with_axis(shape_t shape, std::int64_t axis, std::int64_t length) {
  shape[slices(shape, axis).dimension] = length;
  return shape;
}

// A number that can be compared: 16-bit floats as double, everything else as it is.
template <small_float::format const& form>
double number_of_bits(std::uint16_t bits) {
  static const std::vector<double> all = [] {
    std::vector<double> decoded;
    for (std::uint32_t b = 0; b < 1U << 16; ++b)
      decoded.push_back(small_float::decode(form, static_cast<std::uint16_t>(b)));
    return decoded;
  }();
  return all[bits];
}
inline double number(topsplit::float16 x) { return number_of_bits<small_float::f16>(x.bits); }
inline double number(topsplit::bfloat16 x) { return number_of_bits<small_float::bf16>(x.bits); }
template <class T>
T number(T x) {
  return x;
}

// NaN is greater than every number, all NaN are equal, and so are both zeros.
template <class N>
bool less(N a, N b) {
  const bool a_nan = a != a;
  const bool b_nan = b != b;
  return a_nan || b_nan ? !a_nan && b_nan : a < b;
}

// For each slice all of its indices, best first; any k takes a prefix.
using ranking = std::vector<std::vector<std::int64_t>>;

template <class T>
ranking rank_elements(const T* x, const slices& view, bool largest) {
  ranking result(view.count());
  for (std::size_t s = 0; s < view.count(); ++s) {
    std::vector<decltype(number(*x))> value;
    for (std::size_t i = 0; i < view.length; ++i) {
      value.push_back(number(x[view.position(s, i)]));
    }
    result[s].resize(view.length);
    std::iota(result[s].begin(), result[s].end(), std::int64_t{0});
    std::stable_sort(result[s].begin(), result[s].end(), [&](std::int64_t i, std::int64_t j) {
      const auto a = value[static_cast<std::size_t>(i)];
      const auto b = value[static_cast<std::size_t>(j)];
      return largest ? less(b, a) : less(a, b);
    });
  }
  return result;
}

// x is aligned to its element.
inline ranking rank(data_type type, const void* x, const shape_t& shape, std::int64_t axis, bool largest) {
  const slices view(shape, axis);
  return with_type(type, [&](auto element) -> ranking {
    using T = decltype(element);
    if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, std::complex<float>> ||
                  std::is_same_v<T, std::complex<double>>) {
      throw std::invalid_argument("no order");
    } else {
      return rank_elements(static_cast<const T*>(x), view, largest);
    }
  });
}

struct topk_result {
  bytes_t values;
  std::vector<std::int64_t> indices;
};

inline topk_result topk(const ranking& order, data_type type, const void* x, const shape_t& shape, std::int64_t axis,
                        std::int64_t k, bool sorted) {
  const slices in(shape, axis);
  const slices out(with_axis(shape, axis, k), axis);
  const std::size_t size = element_bytes(type);
  topk_result result{bytes_t(out.count() * out.length * size), std::vector<std::int64_t>(out.count() * out.length)};
  for (std::size_t s = 0; s < out.count(); ++s) {
    std::vector<std::int64_t> best(order[s].begin(), order[s].begin() + k);
    if (!sorted) {
      std::sort(best.begin(), best.end());
    }
    for (std::size_t i = 0; i < best.size(); ++i) {
      const std::size_t from = in.position(s, static_cast<std::size_t>(best[i]));
      const std::size_t to = out.position(s, i);
      result.indices[to] = best[i];
      std::memcpy(result.values.data() + to * size, static_cast<const std::byte*>(x) + from * size, size);
    }
  }
  return result;
}

// Calls copy(part, to, from) for every element: the element at `from` of the input is the one at `to` of that part.
template <class Copy>
void split(const shape_t& shape, std::int64_t axis, const std::vector<std::int64_t>& sizes, Copy copy) {
  const slices in(shape, axis);
  std::size_t offset = 0;
  for (std::size_t p = 0; p < sizes.size(); ++p) {
    const slices out(with_axis(shape, axis, sizes[p]), axis);
    for (std::size_t s = 0; s < out.count(); ++s) {
      for (std::size_t i = 0; i < out.length; ++i) {
        copy(p, out.position(s, i), in.position(s, offset + i));
      }
    }
    offset += out.length;
  }
}

inline std::vector<bytes_t> split_bytes(data_type type, const void* input, const shape_t& shape, std::int64_t axis,
                                        const std::vector<std::int64_t>& sizes) {
  const std::size_t size = element_bytes(type);
  std::vector<bytes_t> parts;
  for (const std::int64_t length : sizes) {
    parts.emplace_back(elements(with_axis(shape, axis, length)) * size);
  }
  split(shape, axis, sizes, [&](std::size_t part, std::size_t to, std::size_t from) {
    std::memcpy(parts[part].data() + to * size, static_cast<const std::byte*>(input) + from * size, size);
  });
  return parts;
}

// The sizes of `parts` equal parts of an axis as version 18 wants them; the last may come out negative.
inline std::vector<std::int64_t> equal_parts(std::int64_t length, std::int64_t parts) {
  const std::int64_t part = length % parts == 0 ? length / parts : length / parts + 1;
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(parts), part);
  sizes.back() = length - part * (parts - 1);
  return sizes;
}

}  // namespace oracle

#endif
