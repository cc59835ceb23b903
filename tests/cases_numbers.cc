#include "tests/cases_numbers.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "tests/inputs.h"
#include "tests/oracle.h"
#include "tests/small_float.h"

namespace cases {
namespace {

number of_whole(wide i) { return {number::whole, i, 0, 0}; }
number of_real(double r) { return {number::real, 0, r, 0}; }
number of_bits(std::uint64_t bits) { return {number::pattern, 0, 0, bits}; }

double as_real(const number& x) {
  if (x.kind == number::pattern) {
    fail("arithmetic on a raw pattern");
  }
  return x.kind == number::whole ? static_cast<double>(x.i) : x.r;
}

template <class T>
void store(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof value);
}

void encode_pattern(std::size_t size, std::uint64_t bits, std::byte* to) {
  if (size < 8 && bits >> (8 * size) != 0) {
    fail("a raw pattern is wider than the element");
  }
  std::memcpy(to, &bits, size);  // little endian
}

formula arange(const json& spec) {
  const number start = number_of(spec.at("start"));
  const number step = number_of(spec.at("step"));
  if (start.kind == number::whole && step.kind == number::whole) {
    return [=](std::uint64_t i) { return of_whole(start.i + step.i * static_cast<wide>(i)); };
  }
  return [=](std::uint64_t i) {
    return of_real(static_cast<double>(static_cast<long double>(as_real(start)) +
                                       static_cast<long double>(as_real(step)) * static_cast<long double>(i)));
  };
}

number plus(wide value, const number& offset) {
  return offset.kind == number::whole ? of_whole(value + offset.i)
                                      : of_real(static_cast<double>(value) + as_real(offset));
}

wide whole_of(const json& spec, const char* name) {
  const number x = number_of(spec.at(name));
  if (x.kind != number::whole) {
    fail(std::string(name) + " must be a whole number");
  }
  return x.i;
}

formula iota_mod(const json& spec) {
  const wide mul = whole_of(spec, "mul");
  const wide add = whole_of(spec, "add");
  const wide mod = whole_of(spec, "mod");
  const number offset = number_of(spec.value("offset", json(0)));
  if (mod <= 0) {
    fail("mod is not positive");
  }
  return [=](std::uint64_t i) { return plus(((static_cast<wide>(i) * mul + add) % mod + mod) % mod, offset); };
}

bool is_integer(data_type type) {
  return type != data_type::boolean && oracle::with_type(type, [](auto x) { return std::is_integral_v<decltype(x)>; });
}

// The low bits as a number of that integer type.
wide low_bits(data_type type, std::uint64_t bits) {
  return oracle::with_type(type, [bits](auto x) {
    using T = decltype(x);
    if constexpr (std::is_integral_v<T>) {
      return static_cast<wide>(static_cast<T>(bits));
    } else {
      return wide{0};
    }
  });
}

formula splitmix(data_type type, const json& spec) {
  const auto seed = spec.at("seed").get<std::uint64_t>();
  const auto map = spec.at("map").get<std::string>();
  const auto z = [seed](std::uint64_t i) { return inputs::splitmix(seed, i); };
  if (map == "unit24") {
    return [z](std::uint64_t i) { return of_real(static_cast<double>(z(i) >> 40) / 0x1p24); };
  }
  if (map == "signed24") {
    return [z](std::uint64_t i) { return of_real((static_cast<double>(z(i) >> 40) - 0x1p23) / 0x1p23); };
  }
  if (map == "mod") {
    const std::uint64_t mod = count_of(spec, "mod", 1);
    const number offset = number_of(spec.value("offset", json(0)));
    return [=](std::uint64_t i) { return plus(static_cast<wide>(z(i) % mod), offset); };
  }
  if (map == "bits") {
    const std::size_t size = oracle::element_bytes(type);
    if (size > 8) {
      fail("map bits makes 64 bits, the element is wider");
    }
    if (is_integer(type)) return [=](std::uint64_t i) { return of_whole(low_bits(type, z(i))); };
    const std::uint64_t mask = type == data_type::boolean ? 1 : ~std::uint64_t{0} >> (64 - 8 * size);
    return [=](std::uint64_t i) { return of_bits(z(i) & mask); };
  }
  fail("unknown map " + map);
}

formula ldexp_of(data_type type, const json& spec) {
  const formula base = formula_of(type, spec.at("base"));
  const wide limit = 100000;  // beyond all types
  const int exponent = static_cast<int>(std::clamp(whole_of(spec, "exp"), -limit, limit));
  const bool integer = is_integer(component(type));
  return [=](std::uint64_t i) {
    const number x = base(i);
    if (x.kind == number::whole && exponent >= 0 && exponent < 62) return of_whole(x.i * (wide{1} << exponent));
    if (x.kind == number::whole && integer && exponent < 0) {
      return of_whole(exponent < -64 ? 0 : x.i / (wide{1} << -exponent));
    }
    return of_real(std::ldexp(as_real(x), exponent));
  };
}

formula overlay(data_type type, const json& spec) {
  const formula base = formula_of(type, spec.at("base"));
  std::vector<std::pair<std::uint64_t, number>> set;
  for (const json& entry : spec.at("set")) {
    set.emplace_back(entry.at(0).get<std::uint64_t>(), number_of(entry.at(1)));
  }
  return [=](std::uint64_t i) {
    const auto last = std::find_if(set.rbegin(), set.rend(), [i](const auto& entry) { return entry.first == i; });
    return last != set.rend() ? last->second : base(i);
  };
}

formula every(data_type type, const json& spec) {
  const formula base = formula_of(type, spec.at("base"));
  const std::uint64_t step = count_of(spec, "every", 1);
  const std::uint64_t phase = count_of(spec, "phase", 0);
  const number value = number_of(spec.at("value"));
  return [=](std::uint64_t i) { return i >= phase && (i - phase) % step == 0 ? value : base(i); };
}

formula tile(const json& values) {
  std::vector<number> list;
  for (const json& value : values) {
    list.push_back(number_of(value));
  }
  if (list.empty()) {
    fail("nothing to tile");
  }
  return [list](std::uint64_t i) { return list.at(i % list.size()); };
}

}  // namespace

std::uint64_t number_of_hex(const std::string& digits) {
  std::size_t used = 0;
  const bool hexadecimal = digits.rfind("0x", 0) == 0;
  const std::uint64_t value = hexadecimal ? std::stoull(digits, &used, 16) : 0;
  if (!hexadecimal || used != digits.size()) {
    fail("no hexadecimal number: " + digits);
  }
  return value;
}

number number_of(const json& value) {
  if (value.is_boolean()) {
    return of_whole(value.get<bool>() ? 1 : 0);
  }
  if (value.is_number_unsigned()) {
    return of_whole(static_cast<wide>(value.get<std::uint64_t>()));
  }
  if (value.is_number_integer()) {
    return of_whole(value.get<std::int64_t>());
  }
  if (value.is_number_float()) {
    return of_real(value.get<double>());
  }
  const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::pair<const char*, double> names[] = {
      {"nan", std::numeric_limits<double>::quiet_NaN()}, {"inf", infinity}, {"-inf", -infinity}, {"-0.0", -0.0}};
  for (const auto& [name, meaning] : names) {
    if (text == name) {
      return of_real(meaning);
    }
  }
  if (text.rfind("bits:0x", 0) == 0) {
    return of_bits(number_of_hex(text.substr(5)));
  }
  fail("no number: " + text);
}

std::uint64_t count_of(const json& spec, const char* name, std::uint64_t least) {
  const wide count = whole_of(spec, name);
  if (count < static_cast<wide>(least)) {
    fail(std::string(name) + " must be at least " + std::to_string(least));
  }
  return static_cast<std::uint64_t>(count);  // JSON's whole numbers have 64 bits
}

data_type component(data_type type) {
  return type == data_type::complex64 ? data_type::f32 : type == data_type::complex128 ? data_type::f64 : type;
}

void encode_number(data_type type, const number& x, std::byte* to) {
  if (x.kind == number::pattern) {
    return encode_pattern(oracle::element_bytes(type), x.bits, to);
  }
  oracle::with_type(type, [&](auto kind) {
    using T = decltype(kind);
    if constexpr (std::is_same_v<T, topsplit::float16>) {
      store(to, small_float::encode(small_float::f16, as_real(x)));
    } else if constexpr (std::is_same_v<T, topsplit::bfloat16>) {
      store(to, small_float::encode(small_float::bf16, as_real(x)));
    } else if constexpr (std::is_floating_point_v<T>) {
      store(to, x.kind == number::whole ? static_cast<T>(x.i) : static_cast<T>(x.r));
    } else if constexpr (std::is_integral_v<T>) {
      if (x.kind == number::real && !(std::fabs(x.r) < 0x1p100)) {
        fail("no whole number");
      }
      store(to, static_cast<T>(x.kind == number::whole ? x.i : static_cast<wide>(x.r)));
    } else {
      fail("no number type");
    }
  });
}

formula formula_of(data_type type, const json& spec) {
  if (spec.is_array()) {
    return tile(spec);
  }
  const auto name = spec.at("gen").get<std::string>();
  if (name == "arange") return arange(spec);
  if (name == "iota_mod") return iota_mod(spec);
  if (name == "splitmix") return splitmix(component(type), spec);
  if (name == "ldexp") return ldexp_of(type, spec);
  if (name == "const") return tile(json::array({spec.at("value")}));
  if (name == "tile") return tile(spec.at("values"));
  if (name == "overlay") return overlay(type, spec);
  if (name == "every") return every(type, spec);
  fail("unknown generator " + name);
}

}  // namespace cases
