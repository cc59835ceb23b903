#include "tests/cases_elements.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <utility>

#include "tests/cases_numbers.h"

namespace cases {
namespace {

void encode_element(data_type type, const json& value, std::byte* to) {
  const data_type part = component(type);
  if (part == type) {
    return encode_number(type, number_of(value), to);
  }
  const bool pair = value.is_array() && value.size() == 2;
  encode_number(part, number_of(pair ? value[0] : value), to);
  encode_number(part, number_of(pair ? value[1] : json(0)), to + oracle::element_bytes(part));
}

void set_element(elements& data, std::size_t i, const json& value) {
  if (data.type == data_type::string) {
    data.strings.at(i) = value.get<std::string>();
  } else {
    const std::size_t size = oracle::element_bytes(data.type);
    if (i >= data.count()) {
      fail("element " + std::to_string(i) + " is outside the tensor");
    }
    encode_element(data.type, value, data.bytes.data() + i * size);
  }
}

// The generators that only place elements, of any type and without a step per element where it can be spared.
void fill(elements& data, const json& spec);

void fill_tile(elements& data, const json& values) {
  const std::size_t period = values.size();
  const std::size_t count = data.count();
  if (period == 0 && count != 0) {
    fail("nothing to tile");
  }
  for (std::size_t i = 0; i < std::min(period, count); ++i) {
    set_element(data, i, values[i]);
  }
  const std::size_t size = data.type == data_type::string ? 0 : oracle::element_bytes(data.type);
  for (std::size_t done = period; done < count;) {
    const std::size_t more = std::min(done, count - done);  // a whole number of periods but the last time
    if (size == 0) {
      std::copy_n(data.strings.begin(), more, data.strings.begin() + static_cast<std::ptrdiff_t>(done));
    } else {
      std::memcpy(data.bytes.data() + done * size, data.bytes.data(), more * size);
    }
    done += more;
  }
}

void fill_formula(elements& data, const json& spec) {
  const data_type part = component(data.type);
  const std::size_t size = oracle::element_bytes(data.type);
  const formula x = formula_of(data.type, spec);
  for (std::size_t i = 0; i < data.count(); ++i) {
    encode_number(part, x(i), data.bytes.data() + i * size);  // an imaginary part stays 0
  }
}

void fill(elements& data, const json& spec) {
  if (spec.is_array()) {
    if (spec.size() != data.count()) {
      fail("a list of " + std::to_string(spec.size()) + " for " + std::to_string(data.count()) + " elements");
    }
    return fill_tile(data, spec);
  }
  const auto name = spec.at("gen").get<std::string>();
  if (name == "const") {
    fill_tile(data, json::array({spec.at("value")}));
  } else if (name == "tile") {
    fill_tile(data, spec.at("values"));
  } else if (name == "overlay") {
    fill(data, spec.at("base"));
    for (const json& entry : spec.at("set")) {
      set_element(data, entry.at(0).get<std::size_t>(), entry.at(1));
    }
  } else if (name == "every") {
    fill(data, spec.at("base"));
    const std::size_t step = count_of(spec, "every", 1);
    const std::size_t count = data.count();
    for (std::size_t i = count_of(spec, "phase", 0); i < count; i += std::min(step, count - i)) {
      set_element(data, i, spec.at("value"));
    }
  } else if (name == "str") {
    for (std::size_t i = 0; i < data.count(); ++i) {
      const std::int64_t number = spec.value("start", std::int64_t{0}) + static_cast<std::int64_t>(i);
      set_element(data, i, spec.at("prefix").get<std::string>() + std::to_string(number));
    }
  } else if (data.type == data_type::string) {
    fail("generator " + name + " makes no strings");
  } else {
    fill_formula(data, spec);
  }
}

bool is_nan(data_type type, const std::byte* element) {
  return oracle::with_type(type, [&](auto x) {
    using T = decltype(x);
    if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, topsplit::float16> ||
                  std::is_same_v<T, topsplit::bfloat16>) {
      std::memcpy(&x, element, sizeof x);
      return std::isnan(oracle::number(x));
    } else {
      return false;
    }
  });
}

}  // namespace

std::size_t elements::count() const {
  return type == data_type::string ? strings.size() : bytes.size() / oracle::element_bytes(type);
}

data_type type_of_name(const std::string& name) {
  const std::pair<const char*, data_type> names[] = {{"float16", data_type::f16},
                                                     {"bfloat16", data_type::bf16},
                                                     {"float32", data_type::f32},
                                                     {"float64", data_type::f64},
                                                     {"int8", data_type::i8},
                                                     {"int16", data_type::i16},
                                                     {"int32", data_type::i32},
                                                     {"int64", data_type::i64},
                                                     {"uint8", data_type::u8},
                                                     {"uint16", data_type::u16},
                                                     {"uint32", data_type::u32},
                                                     {"uint64", data_type::u64},
                                                     {"bool", data_type::boolean},
                                                     {"string", data_type::string},
                                                     {"complex64", data_type::complex64},
                                                     {"complex128", data_type::complex128}};
  for (const auto& [known, type] : names) {
    if (name == known) {
      return type;
    }
  }
  fail("unknown dtype " + name);
}

elements make_elements(data_type type, const json& spec, std::size_t count) {
  elements data;
  data.type = type;
  if (type == data_type::string) {
    data.strings.resize(count);
  } else {
    data.bytes.resize(count * oracle::element_bytes(type));
  }
  fill(data, spec);
  return data;
}

bool same_elements(const elements& actual, std::size_t begin, const json& list) {
  if (begin + list.size() > actual.count()) {
    return false;
  }
  const data_type part = actual.type == data_type::string ? data_type::string : component(actual.type);
  const std::size_t size = oracle::element_bytes(part);
  const std::size_t parts = part == actual.type ? 1 : 2;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (part == data_type::string) {
      if (actual.strings[begin + i] != list[i].get<std::string>()) return false;
      continue;
    }
    std::byte expected[16] = {};
    encode_element(actual.type, list[i], expected);
    for (std::size_t p = 0; p < parts; ++p) {
      const std::byte* const at = actual.bytes.data() + ((begin + i) * parts + p) * size;
      const bool any_nan = (parts == 1 ? list[i] : list[i].at(p)) == "nan";
      if (!(any_nan && is_nan(part, at)) && std::memcmp(at, expected + p * size, size) != 0) return false;
    }
  }
  return true;
}

std::uint64_t fnv1a64(const elements& data) {
  std::uint64_t hash = 0xCBF29CE484222325u;
  const auto eat = [&hash](std::uint8_t byte) { hash = (hash ^ byte) * 0x100000001B3u; };
  for (const std::byte byte : data.bytes) {
    eat(static_cast<std::uint8_t>(byte));
  }
  for (const std::string& text : data.strings) {
    for (const char c : text) {
      eat(static_cast<std::uint8_t>(c));
    }
  }
  return hash;
}

}  // namespace cases
