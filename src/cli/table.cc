// What is shown is bounded whatever the tensors' sizes are, so a dimension of zero beside a huge one costs nothing.

#include "src/cli/table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ostream>

namespace topsplit::cli {
namespace {

constexpr std::size_t lines_shown = 20;    // of a table
constexpr std::size_t results_shown = 10;  // of one TopK slice
constexpr std::size_t elements_shown = 6;  // of one part of a Split
constexpr std::size_t column_gap = 2;

template <class T>
T load(const std::byte* element) {
  T value;
  std::memcpy(&value, element, sizeof value);
  return value;
}

template <class T>
std::string float_text(const std::byte* element) {
  char text[40];
  return {text, std::to_chars(text, text + sizeof text, load<T>(element)).ptr};
}

template <class T>
std::string complex_text(const std::byte* element) {
  const std::string imaginary = float_text<T>(element + sizeof(T));
  return float_text<T>(element) + (imaginary.front() == '-' ? "" : "+") + imaginary + "i";
}

// `digits` significant digits tell all values of the type apart.
std::string short_float_text(double value, int digits) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

double decode_float16(std::uint16_t bits) {
  const double sign = bits >> 15 != 0 ? -1 : 1;
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  if (exponent == 31) return std::copysign(fraction != 0 ? NAN : INFINITY, sign);
  return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

double decode_bfloat16(std::uint16_t bits) {
  const std::uint32_t wide = std::uint32_t{bits} << 16;
  float value;
  std::memcpy(&value, &wide, sizeof value);
  return static_cast<double>(value);
}

}  // namespace

std::string element_text(const array& tensor, std::size_t position) {
  if (tensor.type == data_type::string) return "\"" + tensor.strings[position] + "\"";
  const std::byte* element = tensor.element(position);
  switch (tensor.type) {
    case data_type::f16:
      return short_float_text(decode_float16(load<std::uint16_t>(element)), 5);
    case data_type::bf16:
      return short_float_text(decode_bfloat16(load<std::uint16_t>(element)), 4);
    case data_type::f32:
      return float_text<float>(element);
    case data_type::f64:
      return float_text<double>(element);
    case data_type::complex64:
      return complex_text<float>(element);
    case data_type::complex128:
      return complex_text<double>(element);
    case data_type::boolean:
      return load<std::uint8_t>(element) != 0 ? "true" : "false";
    case data_type::i8:
      return std::to_string(load<std::int8_t>(element));
    case data_type::i16:
      return std::to_string(load<std::int16_t>(element));
    case data_type::i32:
      return std::to_string(load<std::int32_t>(element));
    case data_type::i64:
      return std::to_string(load<std::int64_t>(element));
    case data_type::u8:
      return std::to_string(load<std::uint8_t>(element));
    case data_type::u16:
      return std::to_string(load<std::uint16_t>(element));
    case data_type::u32:
      return std::to_string(load<std::uint32_t>(element));
    case data_type::u64:
      return std::to_string(load<std::uint64_t>(element));
    default:
      return "?";
  }
}

std::string type_and_shape(const array& tensor) {
  return std::string(data_type_name(tensor.type)) + " " + shape_text(tensor.shape, dimensions_shown);
}

void text_table::print(std::ostream& out) const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 < row.size()) line.append(widths[i] + column_gap - row[i].size(), ' ');
    }
    out << line << '\n';
  }
}

void print_topk(std::ostream& out, const array& values, const array& indices, std::size_t axis) {
  const std::size_t total = values.count();
  text_table table({"slice", "rank", "index", "value"});
  std::size_t lines = 0;
  if (total != 0) {
    const folded_shape folded = fold(values.shape, axis);
    const std::size_t a_slice = std::min(folded.length, results_shown);
    for (std::size_t slice = 0; slice < folded.outer * folded.inner && lines < lines_shown; ++slice) {
      const std::size_t first = slice / folded.inner * folded.length * folded.inner + slice % folded.inner;
      for (std::size_t rank = 0; rank < a_slice && lines < lines_shown; ++rank, ++lines) {
        const std::size_t place = first + rank * folded.inner;
        table.add({position_text(values.shape, first, axis), std::to_string(rank), element_text(indices, place),
                   element_text(values, place)});
      }
    }
  }
  table.print(out);
  out << lines << " of " << total << " results shown\n";
}

void print_split(std::ostream& out, const std::vector<array>& parts, std::size_t axis) {
  text_table table({"part", "along axis " + std::to_string(axis), "shape", "first elements"});
  std::int64_t offset = 0;
  const std::size_t shown = std::min(parts.size(), lines_shown);
  for (std::size_t i = 0; i < shown; ++i) {
    const std::int64_t size = parts[i].shape[axis];
    std::string elements;
    const std::size_t count = std::min(parts[i].count(), elements_shown);
    for (std::size_t e = 0; e < count; ++e) elements += (e == 0 ? "" : " ") + element_text(parts[i], e);
    if (count < parts[i].count()) elements += " ...";
    const std::string range = "[" + std::to_string(offset) + ", " + std::to_string(offset + size) + ")";
    table.add({std::to_string(i), range, shape_text(parts[i].shape, dimensions_shown), elements});
    offset += size;
  }
  table.print(out);
  out << shown << " of " << parts.size() << " parts shown\n";
}

}  // namespace topsplit::cli
