#include "tests/cases_run.h"

#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>

#include "tests/red_zone.h"
#include "topsplit/operator.h"

namespace cases {
namespace {

bool given(const json& row, const char* name) { return row.contains(name) && !row[name].is_null(); }

// The int64 that is a number's exact value, that of 3.0 included; none where there is no such.
std::optional<std::int64_t> int64_of(const json& value) {
  const number x = number_of(value);
  const bool is_whole =
      x.kind == number::whole || (x.kind == number::real && std::fabs(x.r) <= 0x1p63 && std::trunc(x.r) == x.r);
  if (!is_whole) return std::nullopt;
  const wide whole = x.kind == number::whole ? x.i : static_cast<wide>(x.r);
  if (whole < INT64_MIN || whole > INT64_MAX) return std::nullopt;
  return static_cast<std::int64_t>(whole);
}

// What no node can carry: ONNX's integer attributes are int64, so a model with such a value is refused before the library.
struct no_attribute {
  std::string text;
};

std::int64_t attribute_of(const json& value, const char* name) {
  if (const auto held = int64_of(value)) return *held;
  throw no_attribute{std::string("attribute ") + name + " = " + value.dump() + " is no int64"};
}

std::optional<std::int64_t> optional_of(const json& row, const char* name) {
  return given(row, name) ? std::optional(attribute_of(row[name], name)) : std::nullopt;
}

// Elements of a shape; saturates, for shapes whose product has no 64-bit number.
double size_of(const oracle::shape_t& shape) {
  double size = 1;
  for (const std::int64_t dimension : shape) {
    size *= static_cast<double>(dimension);
  }
  return size;
}

// An address that traps whoever reads or writes there: for calls that must fail before they look at data.
void* forbidden_page() {
  static void* const page = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return page;
}

// The memory of one output: guarded bytes, or strings. Where its shape is too large to be real it is a small one: then the
// call must be refused, and may not write anyway.
class output_memory {
 public:
  output_memory(data_type type, oracle::shape_t shape, bool real)
      : type_(type),
        shape_(std::move(shape)),
        count_(real ? oracle::elements(shape_) : 64),
        bytes_(type == data_type::string ? 0 : count_ * oracle::element_bytes(type)),
        strings_(type == data_type::string ? count_ : 0, mark) {}

  topsplit::tensor view() {
    void* const data = type_ == data_type::string ? static_cast<void*>(strings_.data()) : bytes_.data();
    return {data, type_, shape_.data(), shape_.size()};
  }
  bool is_untouched() const {
    return bytes_.is_untouched() &&
           std::all_of(strings_.begin(), strings_.end(), [](const std::string& s) { return s == mark; });
  }
  bool intact() const { return bytes_.intact(); }
  output take() {
    elements data;
    data.type = type_;
    data.bytes.assign(bytes_.data(), bytes_.data() + bytes_.size());
    data.strings = std::move(strings_);
    return {shape_, std::move(data)};
  }

 private:
  static constexpr const char* mark = "not written";
  data_type type_;
  oracle::shape_t shape_;
  std::size_t count_;
  red_zone_buffer bytes_;
  std::vector<std::string> strings_;
};

constexpr double real_limit = 0x1p34;  // elements; no larger tensor is made

const oracle::shape_t any_shape{4};  // for a row that says that the shape does not matter

// The input's shape with another length on the axis, or as it is where the axis does not exist.
oracle::shape_t with_length(const oracle::shape_t& shape, std::int64_t axis, std::int64_t length) {
  const auto rank = static_cast<std::int64_t>(shape.size());
  return -rank <= axis && axis < rank && length >= 0 ? oracle::with_axis(shape, axis, length) : shape;
}

// Runs call(outputs) on fresh memory for outputs of these types and shapes, and looks at what it left. inferred: the
// operator named these shapes; a call that it refused to infer must be refused too.
template <class Call>
outcome run_on(const problem& p, const std::vector<data_type>& types, const std::vector<oracle::shape_t>& shapes,
               bool inferred, Call call) {
  std::vector<std::unique_ptr<output_memory>> memory;
  std::vector<topsplit::tensor> views;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const bool real = p.has_data && inferred && size_of(shapes[i]) < real_limit;
    memory.push_back(std::make_unique<output_memory>(types[i], shapes[i], real));
    views.push_back(memory.back()->view());
  }
  const elements before = p.input;
  const topsplit::status done = call(views);
  outcome result;
  result.refused = !done.ok();
  result.text = done.text();
  for (std::size_t i = 0; i < memory.size(); ++i) {
    if (!memory[i]->intact()) result.damage = "memory around output " + std::to_string(i) + " was written";
    if (result.refused && !memory[i]->is_untouched())
      result.damage = "a refused call wrote to output " + std::to_string(i);
  }
  if (!(p.input == before)) result.damage = "the input was written";
  if (result.refused && std::string(done.text()).empty()) result.damage = "a refusal without a text";
  if (!result.refused && !inferred) result.damage = "a call ran whose shapes infer refuses";
  for (std::size_t i = 0; i < memory.size() && !result.refused && inferred; ++i) {
    result.outputs.push_back(memory[i]->take());
  }
  return result;
}

outcome refusal(const std::string& text) {
  outcome result;
  result.refused = true;
  result.text = text;
  if (result.text.empty()) result.damage = "a refusal without a text";
  return result;
}

topsplit::const_tensor input_view(const problem& p) {
  return {p.has_data ? p.input.data() : forbidden_page(), p.type, p.shape.data(), p.shape.size()};
}

// The K tensor as the row has it; opset 1 has none. Values that no int64 holds come as a tensor of a type that does, which
// is for the library to refuse.
struct k_input {
  explicit k_input(const json& row) {
    json list = json::array();
    if (given(row, "k_data")) {
      list = row["k_data"].is_array() ? row["k_data"] : json::array({row["k_data"]});
    } else if (given(row, "k")) {
      list = json::array({row["k"]});
    }
    const auto all = [&list](auto test) { return std::all_of(list.begin(), list.end(), test); };
    const bool is_int64 = all([](const json& x) { return int64_of(x).has_value(); });
    const bool is_uint64 = all([](const json& x) { return x.is_number_unsigned(); });
    data = make_elements(is_int64 ? data_type::i64 : is_uint64 ? data_type::u64 : data_type::f64, list, list.size());
    if (is_int64 && !list.empty()) first = *int64_of(list[0]);
    shape = given(row, "k_shape") ? row["k_shape"].get<oracle::shape_t>()
                                  : oracle::shape_t{static_cast<std::int64_t>(list.size())};
    present = given(row, "k_shape") || given(row, "k_data") || given(row, "k");
  }
  topsplit::const_tensor view() const {
    return present ? topsplit::const_tensor{data.data(), data.type, shape.data(), shape.size()}
                   : topsplit::const_tensor{};
  }
  elements data;
  std::int64_t first = 0;
  oracle::shape_t shape;
  bool present;
};

outcome run_topk(const problem& p, const topsplit::execution& how) {
  const json& row = p.row;
  const auto opset = row.at("opset").get<std::int64_t>();
  topsplit::topk_attributes attributes;
  attributes.axis = optional_of(row, "axis");
  attributes.largest = optional_of(row, "largest");
  attributes.sorted = optional_of(row, "sorted");
  if (opset < 11) {  // the file says 1 where the version has no such attribute
    if (attributes.largest == 1) attributes.largest.reset();
    if (attributes.sorted == 1) attributes.sorted.reset();
  }
  const k_input k(row);
  const bool k_is_attribute = opset < 10 && !given(row, "k_data") && !given(row, "k_shape");
  if (k_is_attribute) attributes.k = optional_of(row, "k");
  const topsplit::const_tensor k_tensor = k_is_attribute ? topsplit::const_tensor{} : k.view();

  topsplit::topk_operator op;
  if (const auto s = topsplit::topk_operator::make(opset, attributes, p.type, how, op); !s.ok())
    return refusal(s.text());
  const topsplit::const_tensor x = input_view(p);
  oracle::shape_t out(p.shape.size());
  const topsplit::status inferred = op.infer(x, k_tensor, out.data());
  if (!inferred.ok()) out = with_length(p.shape, attributes.axis.value_or(-1), k.first);
  return run_on(
      p, {p.type, data_type::i64}, {out, out}, inferred.ok(),
      [&](const std::vector<topsplit::tensor>& outputs) { return op.run(x, k_tensor, outputs[0], outputs[1]); });
}

// Split's sizes: whole ones are an attribute to opset 12 and an int64 input after; Split-1 takes others as an input of
// its own type.
struct sizes_input {
  sizes_input(const json& row, std::int64_t opset, data_type type) {
    if (!given(row, "split")) return;
    const json& list = row["split"];
    const bool whole =
        std::all_of(list.begin(), list.end(), [](const json& x) { return x.is_number_integer() && int64_of(x); });
    is_attribute = opset < 13 && (whole || opset > 1);
    for (const json& size : list) {
      if (whole || is_attribute) whole_sizes.push_back(attribute_of(size, "split"));
    }
    if (is_attribute) return;
    shape = {static_cast<std::int64_t>(list.size())};
    data = make_elements(whole ? data_type::i64 : opset == 1 ? type : data_type::f32, list, list.size());
  }
  topsplit::const_tensor view() const {
    return shape.empty() ? topsplit::const_tensor{} : topsplit::const_tensor{data.data(), data.type, shape.data(), 1};
  }
  bool is_attribute = false;
  std::vector<std::int64_t> whole_sizes;
  elements data;
  oracle::shape_t shape;
};

// The node's outputs: as many as the row says, or as it has sizes.
std::size_t output_count(const json& row) {
  for (const char* name : {"n_outputs", "num_outputs"}) {
    if (!given(row, name)) continue;
    const std::optional<std::int64_t> count = int64_of(row[name]);
    if (!count) fail(std::string(name) + " is no number of outputs");
    return *count < 0 ? 0 : static_cast<std::size_t>(*count);  // 0: the library refuses it
  }
  if (!given(row, "split")) fail("the row does not say how many outputs there are");
  return row["split"].size();
}

constexpr std::size_t outputs_limit = std::size_t{1} << 24;  // no more are made

outcome run_split(const problem& p, const topsplit::execution& how) {
  const json& row = p.row;
  const auto opset = row.at("opset").get<std::int64_t>();
  const sizes_input sizes(row, opset, p.type);
  topsplit::split_attributes attributes;
  attributes.axis = optional_of(row, "axis");
  attributes.num_outputs = optional_of(row, "num_outputs");
  static constexpr std::int64_t none[1] = {0};  // an attribute with no element is still there
  if (sizes.is_attribute) {
    attributes.split = sizes.whole_sizes.empty() ? none : sizes.whole_sizes.data();
    attributes.split_count = sizes.whole_sizes.size();
  }
  const std::size_t count = output_count(row);

  topsplit::split_operator op;
  if (const auto s = topsplit::split_operator::make(opset, attributes, p.type, count, how, op); !s.ok())
    return refusal(s.text());
  const topsplit::const_tensor input = input_view(p);
  if (count > outputs_limit) {  // explain refuses what infer does, and needs no place for each size
    topsplit::explanation plan;
    if (const auto s = op.explain(input, sizes.view(), plan); !s.ok()) return refusal(s.text());
    fail(std::to_string(count) + " outputs are more than the runner makes");
  }
  std::vector<std::int64_t> lengths(count);
  const topsplit::status inferred = op.infer(input, sizes.view(), lengths.data());
  if (!inferred.ok()) {
    lengths = sizes.whole_sizes;
    lengths.resize(count);
  }
  std::vector<oracle::shape_t> shapes;
  for (const std::int64_t length : lengths) {
    shapes.push_back(with_length(p.shape, attributes.axis.value_or(0), length));
  }
  return run_on(p, std::vector<data_type>(count, p.type), shapes, inferred.ok(),
                [&](const std::vector<topsplit::tensor>& outputs) {
                  return op.run(input, sizes.view(), outputs.data(), outputs.size());
                });
}

}  // namespace

std::size_t bytes_needed(const json& row) {
  if (!given(row, "input") || !given(row, "shape")) return 0;
  const double bytes = size_of(row["shape"].get<oracle::shape_t>()) *
                       static_cast<double>(oracle::element_bytes(type_of_name(row.at("dtype").get<std::string>())));
  const double largest = std::max(bytes, static_cast<double>(row.value("bytes", std::size_t{0})));
  // The input and its copy, the outputs with their indices, and the first run's outputs to compare with.
  return static_cast<std::size_t>(std::min(4 * largest, 0x1p62));
}

problem make_problem(const json& row) {
  problem p{row,
            type_of_name(row.at("dtype").get<std::string>()),
            given(row, "shape") ? row["shape"].get<oracle::shape_t>() : any_shape,
            given(row, "input"),
            {}};
  if (!given(row, "shape") && p.has_data && row["input"].is_array()) {
    p.shape = {static_cast<std::int64_t>(row["input"].size())};
  }
  if (p.has_data) {
    if (!(size_of(p.shape) >= 0 && size_of(p.shape) < real_limit)) fail("an input of that shape cannot be made");
    p.input = make_elements(p.type, row["input"], oracle::elements(p.shape));
  }
  return p;
}

outcome run(const problem& p, const topsplit::execution& how) {
  const auto op = p.row.at("op").get<std::string>();
  try {
    if (op == "TopK") return run_topk(p, how);
    if (op == "Split") return run_split(p, how);
  } catch (const no_attribute& e) {
    return refusal(e.text);
  }
  fail("unknown op " + op);
}

}  // namespace cases
