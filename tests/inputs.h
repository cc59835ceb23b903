// Inputs with names. Each is a pure function of (distribution, type, row length, count, seed), so a failure that names them
// can be repeated anywhere. Types that lack what a name speaks of get its nearest kin: an integer's "infinities" are its
// extremes, its "denormals" the numbers next to zero.

#ifndef TOPSPLIT_TESTS_INPUTS_H
#define TOPSPLIT_TESTS_INPUTS_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "tests/oracle.h"
#include "tests/small_float.h"
#include "topsplit/tensor.h"

namespace inputs {

using topsplit::data_type;

enum class distribution {
  random,        // spread over the type's range; floats are finite, normal, of either sign
  bit_patterns,  // every bit random: all kinds of NaN, infinities and denormals among floats
  constant,      // one ordinary value
  ascending,     // along the row, as finely as the type can
  descending,    // likewise
  few_values,    // seven different ones
  all_ties,      // zeros of both signs
  max_last,      // random, but the largest is the last of its row
  nan_mix,       // NaN of both signs with payloads, infinities, a few numbers
  both_zeros,    // zeros of both signs between -1 and 1
  denormals,     // of both signs, with zeros
  masked_half,   // the second half of each row is -inf
  masked_tail,   // all but the first eighth of each row is -inf
  mostly_zeros,  // one in sixteen is not
};

struct named {
  distribution id;
  const char* name;
};
inline constexpr named all[] = {
    {distribution::random, "random"},           {distribution::bit_patterns, "bit_patterns"},
    {distribution::constant, "constant"},       {distribution::ascending, "ascending"},
    {distribution::descending, "descending"},   {distribution::few_values, "few_values"},
    {distribution::all_ties, "all_ties"},       {distribution::max_last, "max_last"},
    {distribution::nan_mix, "nan_mix"},         {distribution::both_zeros, "both_zeros"},
    {distribution::denormals, "denormals"},     {distribution::masked_half, "masked_half"},
    {distribution::masked_tail, "masked_tail"}, {distribution::mostly_zeros, "mostly_zeros"},
};

// The 12 types of TopK, narrow ones first, and the 16 of Split.
inline constexpr data_type topk_types[] = {
    data_type::u8,  data_type::i8,  data_type::u16, data_type::i16, data_type::f16, data_type::bf16,
    data_type::u32, data_type::i32, data_type::f32, data_type::u64, data_type::i64, data_type::f64,
};
inline constexpr data_type split_types[] = {
    data_type::u8,   data_type::i8,        data_type::boolean,    data_type::u16,    data_type::i16, data_type::f16,
    data_type::bf16, data_type::u32,       data_type::i32,        data_type::f32,    data_type::u64, data_type::i64,
    data_type::f64,  data_type::complex64, data_type::complex128, data_type::string,
};

// Steele, Lea and Flood's splitmix64: output i of a seed.
inline std::uint64_t splitmix(std::uint64_t seed, std::uint64_t i) {
  std::uint64_t z = seed + (i + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

// What the distributions need to know of an element type: its bits, and a few values by name.
template <class T>
struct element {
  static constexpr bool is_float = !std::is_integral_v<T>;
  using bits_t =
      std::conditional_t<sizeof(T) == 1, std::uint8_t,
                         std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                            std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

  static T from_bits(std::uint64_t bits) {
    const bits_t cut = static_cast<bits_t>(bits);
    T result;
    std::memcpy(&result, &cut, sizeof result);
    return result;
  }
  // A small whole number; a negative one wraps in an unsigned type.
  static T small(int value) {
    if constexpr (std::is_same_v<T, topsplit::float16>) {
      return {small_float::encode(small_float::f16, value)};
    } else if constexpr (std::is_same_v<T, topsplit::bfloat16>) {
      return {small_float::encode(small_float::bf16, value)};
    } else {
      return static_cast<T>(value);
    }
  }
  static constexpr int fraction_bits = std::is_same_v<T, topsplit::float16>    ? 10
                                       : std::is_same_v<T, topsplit::bfloat16> ? 7
                                       : sizeof(T) == 4                        ? 23
                                                                               : 52;
  static constexpr int width = 8 * static_cast<int>(sizeof(T));
  static constexpr std::uint64_t sign = std::uint64_t{1} << (width - 1);
  static constexpr std::uint64_t infinity_bits =
      (sign - 1) & ~((std::uint64_t{1} << fraction_bits) - 1);  // floats: the exponent field

  static T zero(bool negative) { return is_float && negative ? from_bits(sign) : from_bits(0); }
  static T infinity(bool negative) {
    if constexpr (is_float) {
      return from_bits(infinity_bits | (negative ? sign : 0));
    } else {
      return negative ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
    }
  }
  // Quiet and signalling, of either sign, with a payload; an integer's is its maximum.
  static T nan(std::uint64_t random) {
    if constexpr (is_float) {
      const std::uint64_t payload = (random >> 1) & ((std::uint64_t{1} << fraction_bits) - 1);
      return from_bits(infinity_bits | (payload == 0 ? 1 : payload) | ((random & 1) != 0 ? sign : 0));
    } else {
      return std::numeric_limits<T>::max();
    }
  }
  static T denormal(std::uint64_t random) {
    if constexpr (is_float) {
      const std::uint64_t fraction = (random >> 1) & ((std::uint64_t{1} << fraction_bits) - 1);
      return from_bits(fraction | ((random & 1) != 0 ? sign : 0));
    } else {
      return small(static_cast<int>(random % 5) - 2);
    }
  }
  // Integers: any. Floats: the exponent is kept within the normal, finite ones.
  static T random(std::uint64_t random) {
    if constexpr (is_float) {
      const std::uint64_t one = std::uint64_t{1} << fraction_bits;
      const std::uint64_t exponents = infinity_bits / one - 1;
      const std::uint64_t exponent = 1 + (random >> 40) % exponents;
      return from_bits((random & (sign | (one - 1))) | exponent * one);
    } else {
      return from_bits(random);
    }
  }
  // Value number `step` of `steps` ascending ones: neighbours where the type has that many values, else spread over them.
  static T ascending(std::uint64_t step, std::uint64_t steps) {
    const std::uint64_t all_bits = width == 64 ? ~std::uint64_t{0} : (sign << 1) - 1;
    const std::uint64_t top = is_float ? infinity_bits : all_bits;  // a float's patterns from 0 to infinity ascend
    const std::uint64_t rank = steps <= top ? top / 2 - steps / 2 + step : step * top / steps;
    if constexpr (is_float) {
      return from_bits(rank);
    } else {
      return from_bits(rank + static_cast<std::uint64_t>(std::numeric_limits<T>::min()));
    }
  }
};

// Element number i of a tensor, at position `at` of a row of n.
template <class T>
T value(distribution d, std::uint64_t seed, std::uint64_t i, std::uint64_t at, std::uint64_t n) {
  using e = element<T>;
  const std::uint64_t r = splitmix(seed, i);
  switch (d) {
    case distribution::random:
      return e::random(r);
    case distribution::bit_patterns:
      return e::from_bits(r);
    case distribution::constant:
      return e::small(3);
    case distribution::ascending:
      return e::ascending(at, n);
    case distribution::descending:
      return e::ascending(n - 1 - at, n);
    case distribution::few_values:
      return e::small(static_cast<int>(r % 7) - 3);
    case distribution::all_ties:
      return e::zero((r & 1) != 0);
    case distribution::max_last:
      return at == n - 1 ? e::infinity(false) : e::random(r);
    case distribution::nan_mix:
      return r % 8 < 4 ? e::nan(r >> 8) : r % 8 < 6 ? e::infinity(r % 8 == 4) : e::small(static_cast<int>(r >> 8) % 3);
    case distribution::both_zeros:
      return r % 4 < 2 ? e::zero(r % 4 == 1) : e::small(r % 4 == 2 ? 1 : -1);
    case distribution::denormals:
      return r % 8 == 0 ? e::zero(r % 16 == 0) : e::denormal(r >> 8);
    case distribution::masked_half:
      return at >= n / 2 ? e::infinity(true) : e::random(r);
    case distribution::masked_tail:
      return at >= (n + 7) / 8 ? e::infinity(true) : e::random(r);
    case distribution::mostly_zeros:
      return r % 16 == 0 ? e::random(splitmix(seed + 1, i)) : e::zero(false);
  }
  return T{};
}

// The bytes of a tensor for TopK along an axis; "row" in the names above is a slice along that axis.
inline oracle::bytes_t make(distribution d, data_type type, const oracle::shape_t& shape, std::int64_t axis,
                            std::uint64_t seed) {
  const oracle::slices view(shape, axis);
  const std::size_t count = oracle::elements(shape);
  return oracle::with_type(type, [&](auto kind) {
    using T = decltype(kind);
    oracle::bytes_t bytes(count * sizeof(T));
    if constexpr (std::is_arithmetic_v<T> || sizeof(T) == 2) {
      for (std::size_t i = 0; i < count; ++i) {
        const T x = value<T>(d, seed, i, i / view.inner % view.length, view.length);
        std::memcpy(bytes.data() + i * sizeof(T), &x, sizeof(T));
      }
    }
    return bytes;
  });
}

// For Split, which looks at no value: random bytes (0 and 1 for bool).
inline oracle::bytes_t random_bytes(data_type type, std::size_t count, std::uint64_t seed) {
  oracle::bytes_t bytes(count * oracle::element_bytes(type));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const std::uint64_t r = splitmix(seed, i);
    bytes[i] = static_cast<std::byte>(type == data_type::boolean ? r & 1 : r & 0xff);
  }
  return bytes;
}

// Short ones, which a std::string holds inside itself, and long ones, which it does not; some with a zero byte inside.
inline std::vector<std::string> random_strings(std::size_t count, std::uint64_t seed) {
  std::vector<std::string> result(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t r = splitmix(seed, i);
    result[i] = std::string(r % 5 == 0 ? 40 + r % 60 : r % 12, static_cast<char>('a' + r % 26)) + std::to_string(i);
    result[i].append(r % 3, '\0');
  }
  return result;
}

}  // namespace inputs

#endif
