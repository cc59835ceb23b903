// 16-bit floats in plain arithmetic, for the oracle and for making inputs: what the bits stand for, and the nearest bits to
// a number. Slow and readable on purpose; the library's own tricks on bit patterns are what it is there to check.

#ifndef TOPSPLIT_TESTS_SMALL_FLOAT_H
#define TOPSPLIT_TESTS_SMALL_FLOAT_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace small_float {

// Sign, then exponent_bits, then fraction_bits, as IEEE 754 lays them out.
struct format {
  int exponent_bits;
  int fraction_bits;
};
inline constexpr format f16{5, 10};
inline constexpr format bf16{8, 7};

inline double decode(format form, std::uint16_t bits) {
  const int bias = (1 << (form.exponent_bits - 1)) - 1;
  const int exponent = (bits >> form.fraction_bits) & ((1 << form.exponent_bits) - 1);
  const int fraction = bits & ((1 << form.fraction_bits) - 1);
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  if (exponent == (1 << form.exponent_bits) - 1) {
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
  }
  if (exponent == 0) {
    return sign * std::ldexp(fraction, 1 - bias - form.fraction_bits);
  }
  return sign * std::ldexp((1 << form.fraction_bits) + fraction, exponent - bias - form.fraction_bits);
}

// Rounds to nearest, ties to even; NaN becomes the positive quiet one.
inline std::uint16_t encode(format form, double value) {
  const int bias = (1 << (form.exponent_bits - 1)) - 1;
  const int infinity = ((1 << form.exponent_bits) - 1) << form.fraction_bits;
  if (std::isnan(value)) {
    return static_cast<std::uint16_t>(infinity | (1 << (form.fraction_bits - 1)));
  }
  const int sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isinf(value)) {
    return static_cast<std::uint16_t>(sign | infinity);
  }
  if (value == 0) {
    return static_cast<std::uint16_t>(sign);
  }
  // The unit of the last place; a fraction that rounds up to the next power of two carries into the exponent by itself.
  const int exponent = std::max(std::ilogb(value), 1 - bias);
  const double units = std::nearbyint(std::ldexp(std::fabs(value), form.fraction_bits - exponent));
  const double rest = units + std::ldexp(exponent + bias - 1, form.fraction_bits);
  return static_cast<std::uint16_t>(sign | (rest >= infinity ? infinity : static_cast<int>(rest)));
}

}  // namespace small_float

#endif
