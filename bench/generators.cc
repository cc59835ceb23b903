// Each element is drawn from its place and a stream of random numbers, in row-major order, as a double; then rounded.

#include "bench/generators.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace topsplit::bench {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// SplitMix64: a counter through a mixing function; fast enough to fill gigabytes.
class random_stream {
 public:
  explicit random_stream(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

  // Box and Muller: two uniforms make two normals, of which one is kept for the next call.
  double normal() {
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    const double angle = 6.283185307179586 * uniform();
    spare_ = radius * std::sin(angle);
    has_spare_ = true;
    return radius * std::cos(angle);
  }

 private:
  std::uint64_t state_;
  double spare_ = 0;
  bool has_spare_ = false;
};

struct place {
  std::size_t slice, slices;
  std::size_t i, n;
};

double draw(distribution values, const place& at, random_stream& random) {
  switch (values) {
    case distribution::uniform:
      return random.uniform();
    case distribution::normal:
      return random.normal();
    case distribution::positive:
      return std::exp(random.normal());
    case distribution::peaked:
      return random.uniform() < 0.002 ? -5 * random.uniform() : -16 + 2 * random.normal();
    case distribution::one_live_beam:
      return -12 + 3 * random.normal() - (at.i < at.n / 4 ? 0 : 1e9);
    case distribution::small_scores:
      return 1 / (1 + std::exp(8 - 1.5 * random.normal()));
    case distribution::mostly_zero:
      return random.uniform() < 0.98 ? 0 : random.uniform();
    case distribution::half_masked:
      return at.i * 8 / at.n % 2 == 0 ? random.normal() : -infinity;
    case distribution::tail_masked:
      return at.i * at.slices <= at.n * at.slice ? random.normal() : -infinity;
    case distribution::heavy_tail:
      return std::pow(std::max(0.0, random.normal()), 3);
    case distribution::minus_distance:
      return at.i == at.slice % at.n ? 0 : 2 * std::log(1 - random.uniform());
    case distribution::seen_items:
      return random.uniform() < 0.01 ? -1024 : random.normal();
    case distribution::few_levels:
      return random.uniform() < 0.667 ? 0 : std::floor(40 * random.uniform()) * 6;
    case distribution::padded:
      return at.i < at.n - at.n / 5 ? random.normal() : -infinity;
    case distribution::ascending:
      return static_cast<double>(at.i) / static_cast<double>(at.n);
    case distribution::descending:
      return static_cast<double>(at.n - at.i) / static_cast<double>(at.n);
    case distribution::constant:
      return 0.5;
    case distribution::few_values:
      return static_cast<double>(random.bits() >> 60) / 16;
    case distribution::nan_mix:
      return random.uniform() < 0.0625 ? std::numeric_limits<double>::quiet_NaN() : random.normal();
    case distribution::block_sorted:
      return static_cast<double>(at.i / 64 * 7919 % 1009) / 1009 + static_cast<double>(at.i % 64) * 1e-6;
    case distribution::any_bits:
      break;  // fill_bytes
  }
  return 0;
}

std::uint32_t bits_of(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

// Round to nearest by adding half of the last kept place (and its own bit, for ties to even) before the cut.
std::uint16_t to_bf16(float value) {
  if (std::isnan(value)) return 0x7fc0;
  const std::uint32_t bits = bits_of(value);
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

// The same with float16's 10 bits of mantissa; the exponent's bias falls from 127 to 15.
std::uint16_t to_f16(float value) {
  if (std::isnan(value)) return 0x7e00;
  const std::uint32_t bits = bits_of(value);
  const std::uint32_t sign = bits >> 16 & 0x8000;
  const std::uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude < 0x38800000) return static_cast<std::uint16_t>(sign);
  if (magnitude >= 0x477ff000) return static_cast<std::uint16_t>(sign | 0x7c00);
  return static_cast<std::uint16_t>(sign | ((magnitude + 0xfff + (magnitude >> 13 & 1) - 0x38000000) >> 13));
}

// The limits as doubles that convert back: 64-bit types have greatest values that no double is.
template <class T>
T to_integer(distribution values, double value) {
  using limits = std::numeric_limits<T>;
  const auto low = static_cast<double>(limits::min());
  const auto most = static_cast<double>(limits::max());
  const double high = limits::digits > 53 ? std::nextafter(most, 0.0) : most;
  if (std::isnan(value)) return 0;
  if (values != distribution::few_levels) value *= high / 4;
  return static_cast<T>(std::clamp(std::nearbyint(value), low, high));
}

template <class T, class Convert>
void fill_as(distribution values, std::size_t outer, std::size_t n, std::size_t inner, std::uint64_t seed, void* data,
             Convert convert) {
  random_stream random(seed);
  T* out = static_cast<T*>(data);
  for (std::size_t o = 0; o < outer; ++o) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < inner; ++j) {
        *out++ = convert(draw(values, {o * inner + j, outer * inner, i, n}, random));
      }
    }
  }
}

}  // namespace

void fill(distribution values, data_type type, std::size_t outer, std::size_t n, std::size_t inner, std::uint64_t seed,
          void* data) {
  const auto as = [&](auto zero, auto convert) {
    fill_as<decltype(zero)>(values, outer, n, inner, seed, data, convert);
  };
  const auto integer = [&](auto zero) {
    as(zero, [values](double v) { return to_integer<decltype(zero)>(values, v); });
  };
  if (values == distribution::any_bits) return fill_bytes(seed, outer * n * inner * data_type_bytes(type), data);
  switch (type) {
    case data_type::f32:
      return as(float{}, [](double v) { return static_cast<float>(v); });
    case data_type::f64:
      return as(double{}, [](double v) { return v; });
    case data_type::f16:
      return as(std::uint16_t{}, [](double v) { return to_f16(static_cast<float>(v)); });
    case data_type::bf16:
      return as(std::uint16_t{}, [](double v) { return to_bf16(static_cast<float>(v)); });
    case data_type::u8:
      return integer(std::uint8_t{});
    case data_type::u16:
      return integer(std::uint16_t{});
    case data_type::u32:
      return integer(std::uint32_t{});
    case data_type::u64:
      return integer(std::uint64_t{});
    case data_type::i8:
      return integer(std::int8_t{});
    case data_type::i16:
      return integer(std::int16_t{});
    case data_type::i32:
      return integer(std::int32_t{});
    case data_type::i64:
      return integer(std::int64_t{});
    default:
      return fill_bytes(seed, outer * n * inner * data_type_bytes(type), data);
  }
}

void fill_bytes(std::uint64_t seed, std::size_t bytes, void* data) {
  random_stream random(seed);
  auto* out = static_cast<unsigned char*>(data);
  while (bytes > 0) {
    const std::uint64_t word = random.bits();
    const std::size_t step = std::min(bytes, sizeof word);
    std::memcpy(out, &word, step);
    out += step;
    bytes -= step;
  }
}

}  // namespace topsplit::bench
