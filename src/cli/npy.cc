// The header of a .npy file is a Python dict in plain text:
//   {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
// The parser below knows exactly that dict and no more of Python.

#include "src/cli/npy.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <utility>

#include "src/cli/failure.h"

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "elements are written as they lie in memory");

namespace topsplit::cli {
namespace {

// Longer than any header of a plain array, so that a hostile length is refused before it is read.
constexpr std::uint64_t header_limit = 1 << 20;

constexpr std::string_view magic("\x93NUMPY", 6);

struct element_format {
  std::string_view code;  // descr without its byte order
  data_type type;
  std::size_t swap_bytes;  // width of what a byte order applies to
};

constexpr element_format formats[] = {
    {"b1", data_type::boolean, 1},   {"i1", data_type::i8, 1},         {"u1", data_type::u8, 1},
    {"i2", data_type::i16, 2},       {"u2", data_type::u16, 2},        {"i4", data_type::i32, 4},
    {"u4", data_type::u32, 4},       {"i8", data_type::i64, 8},        {"u8", data_type::u64, 8},
    {"f2", data_type::f16, 2},       {"f4", data_type::f32, 4},        {"f8", data_type::f64, 8},
    {"c8", data_type::complex64, 4}, {"c16", data_type::complex128, 8}};

struct refused_kind {
  std::string_view code;
  const char* name;
};

constexpr refused_kind refused_kinds[] = {{"O", "objects"},       {"S", "byte strings"},  {"a", "byte strings"},
                                          {"U", "strings"},       {"V", "raw records"},   {"M", "datetime64"},
                                          {"m", "timedelta64"},   {"T", "strings"},       {"f16", "long double"},
                                          {"f12", "long double"}, {"c32", "long double"}, {"c24", "long double"}};

struct header {
  std::string descr;
  bool fortran_order = false;
  shape_vector shape;
};

class header_parser {
 public:
  header_parser(const std::string& path, std::string_view text) : path_(path), rest_(text) {}

  header parse() {
    expect('{');
    while (!accept('}')) {
      const std::string key = string();
      expect(':');
      if (key == "descr") {
        set(descr_, key, descr());
      } else if (key == "fortran_order") {
        set(fortran_order_, key, boolean());
      } else if (key == "shape") {
        set(shape_, key, shape());
      } else {
        fail("unknown key '" + key + "'");
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_space();
    if (!rest_.empty()) fail("text after the closing brace");
    if (!descr_ || !fortran_order_ || !shape_) fail("descr, fortran_order or shape is missing");
    return {*descr_, *fortran_order_, std::move(*shape_)};
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw failure(path_ + ": bad .npy header: " + what); }

  template <class T>
  void set(std::optional<T>& field, const std::string& key, T value) {
    if (field) fail("'" + key + "' is there twice");
    field = std::move(value);
  }

  void skip_space() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }

  bool accept(char c) {
    skip_space();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void expect(char c) {
    if (!accept(c)) fail(std::string("'") + c + "' expected");
  }

  std::string string() {
    const char quote = accept('\'') ? '\'' : '"';
    if (quote == '"') expect('"');
    const std::size_t end = rest_.find(quote);
    if (end == std::string_view::npos) fail("a string does not end");
    std::string value(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    return value;
  }

  std::string descr() {
    skip_space();
    if (!rest_.empty() && (rest_.front() == '[' || rest_.front() == '(')) {
      throw failure(path_ + ": structured types are not supported");
    }
    return string();
  }

  bool boolean() {
    skip_space();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (rest_.substr(0, word.size()) == word) {
        rest_.remove_prefix(word.size());
        return value;
      }
    }
    fail("fortran_order is neither True nor False");
  }

  shape_vector shape() {
    shape_vector result;
    expect('(');
    while (!accept(')')) {
      skip_space();
      std::int64_t dimension = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), dimension);
      if (error == std::errc::result_out_of_range) fail("a dimension has more than 63 bits");
      if (error != std::errc()) fail("a dimension is no whole number");
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      if (!rest_.empty() && rest_.front() == 'L') rest_.remove_prefix(1);  // Python 2 wrote long integers so
      result.push_back(dimension);
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return result;
  }

  const std::string& path_;
  std::string_view rest_;
  std::optional<std::string> descr_;
  std::optional<bool> fortran_order_;
  std::optional<shape_vector> shape_;
};

std::uint64_t little_endian(const std::vector<std::byte>& bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | std::to_integer<std::uint64_t>(bytes[i]);
  return value;
}

std::string_view text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

header read_header(input_file& file, const std::string& path) {
  if (text_of(file.read(magic.size())) != magic) throw failure(path + ": not a .npy file");
  const std::vector<std::byte> version = file.read(2);
  const auto major = std::to_integer<int>(version[0]), minor = std::to_integer<int>(version[1]);
  if (major < 1 || major > 3 || minor != 0) {
    throw failure(path + ": .npy format version " + std::to_string(major) + "." + std::to_string(minor) +
                  " is not supported");
  }
  const std::uint64_t length = little_endian(file.read(major == 1 ? 2 : 4));
  if (length > header_limit) {
    throw failure(path + ": bad .npy header: a length of " + std::to_string(length) + " bytes");
  }
  const std::vector<std::byte> text = file.read(length);
  return header_parser(path, text_of(text)).parse();
}

// Finds the format and whether its bytes must be swapped.
const element_format& find_format(const std::string& path, std::string_view descr, bool& swap) {
  std::string_view code = descr;
  char order = '|';
  if (!code.empty() && std::strchr("<>|=", code.front()) != nullptr) {
    order = code.front();
    code.remove_prefix(1);
  }
  for (const element_format& format : formats) {
    if (format.code != code) continue;
    if (order == '|' && format.swap_bytes != 1) break;
    swap = order == '>' && format.swap_bytes != 1;
    return format;
  }
  for (const refused_kind& kind : refused_kinds) {
    if (code.substr(0, kind.code.size()) == kind.code) {
      throw failure(path + ": " + kind.name + " (descr '" + std::string(descr) + "') are not supported");
    }
  }
  throw failure(path + ": unknown descr '" + std::string(descr) + "'");
}

void swap_bytes(std::vector<std::byte>& bytes, std::size_t width) {
  for (std::size_t i = 0; i < bytes.size(); i += width) {
    const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(i);
    std::reverse(first, first + static_cast<std::ptrdiff_t>(width));
  }
}

// Walks the elements in C order with one counter a dimension and keeps the element's place in Fortran order beside.
// Dimensions of 1 are left out, which bounds the counters by the number of elements.
std::vector<std::byte> from_fortran_order(const std::vector<std::byte>& source, const shape_vector& shape,
                                          std::size_t width) {
  struct dimension {
    std::size_t length, stride, counter;
  };
  std::vector<dimension> dimensions;
  std::size_t stride = width;
  for (const std::int64_t length : shape) {
    if (length != 1) dimensions.push_back({static_cast<std::size_t>(length), stride, 0});
    stride *= static_cast<std::size_t>(length);
  }
  std::vector<std::byte> result(source.size());
  std::size_t place = 0;
  for (std::size_t i = 0; i < result.size(); i += width) {
    std::memcpy(result.data() + i, source.data() + place, width);
    for (auto d = dimensions.rbegin(); d != dimensions.rend(); ++d) {
      place += d->stride;
      if (++d->counter < d->length) break;
      place -= d->length * d->stride;
      d->counter = 0;
    }
  }
  return result;
}

}  // namespace

array read_npy(const std::string& path, sixteen_bits reading) {
  input_file file(path);
  header described = read_header(file, path);
  bool swap = false;
  const element_format& format = find_format(path, described.descr, swap);
  array result;
  result.type = format.type;
  if (reading == sixteen_bits::as_bfloat16) {
    if (format.type != data_type::u16) {
      throw failure(path + ": --type bf16 reads uint16, but this file holds " + data_type_name(format.type));
    }
    result.type = data_type::bf16;
  }
  const std::size_t width = data_type_bytes(format.type);
  result.bytes = file.read(checked_count(described.shape, width, path) * width);
  file.expect_end();
  if (swap) swap_bytes(result.bytes, format.swap_bytes);
  if (described.fortran_order) result.bytes = from_fortran_order(result.bytes, described.shape, width);
  result.shape = std::move(described.shape);
  return result;
}

std::string npy_header(const array& tensor) {
  const data_type stored = tensor.type == data_type::bf16 ? data_type::u16 : tensor.type;
  const auto* format = std::find_if(std::begin(formats), std::end(formats),
                                    [&](const element_format& candidate) { return candidate.type == stored; });
  if (format == std::end(formats)) throw failure(std::string("no .npy type for ") + data_type_name(tensor.type));
  std::string shape = shape_text(tensor.shape);
  shape = "(" + shape.substr(1, shape.size() - 2) + (tensor.shape.size() == 1 ? ",)" : ")");
  std::string text = std::string("{'descr': '") + (format->swap_bytes == 1 ? "|" : "<") + std::string(format->code) +
                     "', 'fortran_order': False, 'shape': " + shape + ", }";
  // Magic, version, length, text and a line feed together fill whole 64 bytes, so that the data may be mapped aligned.
  const bool wide = text.size() > 65000;
  const std::size_t before = magic.size() + 2 + (wide ? 4 : 2);
  text.append(63 - (before + text.size()) % 64, ' ');
  text += '\n';
  std::string result(magic);
  result += wide ? '\2' : '\1';
  result += '\0';
  for (std::size_t i = 0; i < (wide ? 4U : 2U); ++i) result += static_cast<char>(text.size() >> (8 * i) & 255);
  return result + text;
}

void add_npy(output_files& outputs, const std::string& path, const array& tensor) {
  outputs.add(path, npy_header(tensor), text_of(tensor.bytes));
}

}  // namespace topsplit::cli
