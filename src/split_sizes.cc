// Reading and checking the sizes of parts.
//
// Floats are taken apart by their bits: exact, and the same under flush-to-zero and any rounding mode. Example, float16
// 0x4600 = 6: exponent field 17, fraction 0x200, so 0x600 * 2^(17 - 25) = 1536 / 256.

#include "src/split_sizes.h"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstring>

#include "src/message.h"

namespace topsplit::detail {
namespace {

struct float_layout {
  int exponent_bits;
  int fraction_bits;
};

float_layout layout_of(data_type type) noexcept {
  return type == data_type::f16   ? float_layout{5, 10}
         : type == data_type::f32 ? float_layout{8, 23}
                                  : float_layout{11, 52};
}

template <class T>
T load(const void* data, std::size_t i) noexcept {
  T value;
  std::memcpy(&value, static_cast<const char*>(data) + i * sizeof(T), sizeof(T));
  return value;
}

std::uint64_t load_bits(const part_sizes& sizes, std::size_t i) noexcept {
  switch (data_type_bytes(sizes.type)) {
    case 2:
      return load<std::uint16_t>(sizes.data, i);
    case 4:
      return load<std::uint32_t>(sizes.data, i);
    default:
      return load<std::uint64_t>(sizes.data, i);
  }
}

// A finite float is sign * significand * 2^exponent.
struct float_parts {
  bool negative;
  bool finite;
  std::uint64_t significand;
  int exponent;
};

float_parts take_apart(std::uint64_t bits, float_layout layout) noexcept {
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << layout.fraction_bits) - 1);
  const int exponent_mask = (1 << layout.exponent_bits) - 1;
  const int field = static_cast<int>(bits >> layout.fraction_bits) & exponent_mask;
  const bool negative = (bits >> (layout.exponent_bits + layout.fraction_bits)) != 0;
  const int bias = exponent_mask / 2 + layout.fraction_bits;
  if (field == 0) return {negative, true, fraction, 1 - bias};
  return {negative, field != exponent_mask, fraction | (std::uint64_t{1} << layout.fraction_bits), field - bias};
}

// Whether the float is a whole number in [0, 2^63), and which.
bool to_size(const float_parts& f, std::int64_t& size) noexcept {
  if (!f.finite) return false;
  std::uint64_t whole = f.significand;
  if (whole != 0 && f.exponent < 0) {
    if (f.exponent <= -64 || (whole & ((std::uint64_t{1} << -f.exponent) - 1)) != 0) return false;
    whole >>= -f.exponent;
  } else if (whole != 0 && f.exponent > 0) {
    if (f.exponent >= 63 || whole > static_cast<std::uint64_t>(INT64_MAX) >> f.exponent) return false;
    whole <<= f.exponent;
  }
  size = static_cast<std::int64_t>(whole);
  return !f.negative || whole == 0;
}

// For the text of an error only.
double to_double(const float_parts& f, float_layout layout) noexcept {
  const bool is_nan = !f.finite && f.significand != std::uint64_t{1} << layout.fraction_bits;
  const double magnitude = f.finite ? std::ldexp(static_cast<double>(f.significand), f.exponent)
                           : is_nan ? NAN
                                    : HUGE_VAL;
  return f.negative ? -magnitude : magnitude;
}

// Size i, or an error that names it.
status read_size(const part_sizes& sizes, std::size_t i, std::int64_t& size) noexcept {
  if (sizes.type == data_type::i64) {
    size = load<std::int64_t>(sizes.data, i);
    if (size >= 0) return {};
    return error(status_code::invalid_argument, "Split: split[%zu] = %" PRId64 " is negative", i, size);
  }
  const float_layout layout = layout_of(sizes.type);
  const float_parts parts = take_apart(load_bits(sizes, i), layout);
  if (to_size(parts, size)) return {};
  return error(status_code::invalid_argument, "Split: split[%zu] = %g is not a whole number of 0 or more below 2^63", i,
               to_double(parts, layout));
}

// All sizes are read before the sum is judged, so that a negative one is named as such: 6, -2 over an axis of 4.
status check_given(const folded_shape& folded, const part_sizes& sizes) noexcept {
  constexpr std::uint64_t beyond = std::uint64_t{1}
                                   << 63;  // more than any axis; the sum stops there and cannot overflow
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < sizes.count; ++i) {
    std::int64_t size = 0;
    if (status s = read_size(sizes, i, size); !s.ok()) return s;
    sum = std::min(beyond, sum + static_cast<std::uint64_t>(size));
  }
  if (sum == folded.n) return {};
  return error(status_code::invalid_argument,
               "Split: the %zu sizes in split sum to %s%" PRIu64 ", but axis %zu has length %zu", sizes.count,
               sum == beyond ? "at least " : "", sum, folded.axis, folded.n);
}

status make_equal(const folded_shape& folded, part_sizes& sizes) noexcept {
  const std::size_t n = folded.n;
  if (sizes.must_divide && n % sizes.count != 0) {
    return error(status_code::invalid_argument,
                 "Split: axis %zu of length %zu does not divide into %zu equal parts, and this version has no others",
                 folded.axis, n, sizes.count);
  }
  const std::size_t part = divide_up(n, sizes.count);
  // part * (count - 1) <= n, asked without a product that could overflow
  if (part != 0 && sizes.count - 1 > n / part) {
    return error(status_code::invalid_argument,
                 "Split: %zu parts of axis %zu of length %zu would be of %zu each, which leaves less than nothing for "
                 "the last",
                 sizes.count, folded.axis, n, part);
  }
  sizes.part = static_cast<std::int64_t>(part);
  sizes.last = static_cast<std::int64_t>(n - part * (sizes.count - 1));
  return {};
}

}  // namespace

std::int64_t part_sizes::operator[](std::size_t i) const noexcept {
  if (data == nullptr) return i + 1 < count ? part : last;
  if (type == data_type::i64) return load<std::int64_t>(data, i);
  std::int64_t size = 0;
  to_size(take_apart(load_bits(*this, i), layout_of(type)), size);
  return size;
}

status check_sizes(const folded_shape& folded, part_sizes& sizes) noexcept {
  if (sizes.count == 0) return error(status_code::invalid_argument, "Split: 0 outputs; there must be at least 1");
  return sizes.data == nullptr ? make_equal(folded, sizes) : check_given(folded, sizes);
}

}  // namespace topsplit::detail
