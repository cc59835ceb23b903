#include "bench/perf_sides.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "bench/harness.h"
#include "bench/streaming.h"
#include "tests/cases_elements.h"
#include "topsplit/topsplit.h"

namespace topsplit::bench {
namespace {

using cases::fail;

using shape_type = std::vector<std::int64_t>;

json overlay(json fields, const json& by) {
  for (const auto& [name, value] : by.items()) {
    if (name != "op") fields[name] = value;
  }
  return fields;
}

const json& baseline_of(const json& row) { return row.at("expect").at("baseline"); }

// The whole numbers in a text after a word: "input shifted by 4 bytes".
std::vector<std::size_t> numbers_after(const std::string& text, const std::string& word) {
  std::vector<std::size_t> numbers;
  const std::size_t begin = text.find(word);
  for (std::size_t i = begin == std::string::npos ? text.size() : begin; i < text.size(); ++i) {
    if (text[i] < '0' || text[i] > '9') continue;
    std::size_t length = 0;
    numbers.push_back(std::stoul(text.substr(i), &length));
    i += length;
  }
  return numbers;
}

// The widest ISA of this machine whose name begins so; automatic where there is none.
isa isa_of(const std::string& family) {
  isa found = isa::automatic;
  for (std::size_t i = 0; i < isa_count(); ++i) {
    const isa_info info = isa_at(i);
    if (info.available && std::string(info.name).rfind(family, 0) == 0) found = info.id;
  }
  return found;
}

execution execution_of(const json& fields) {
  execution run;
  const json threads = fields.value("threads", json(1));
  if (threads.is_string() && threads != "all") fail("threads " + threads.dump());
  run.max_tasks = threads.is_string() ? 0 : threads.get<std::int32_t>();
  run.threads = run.max_tasks == 1 ? threading::serial : threading::arena;
  if (fields.contains("isa")) run.isa = isa_of(fields["isa"].get<std::string>());
  return run;
}

json input_of(const json& fields) {  // a generator, or one in words: "splitmix seed 206 map signed24"
  const json& spec = fields.at("input");
  if (!spec.is_string()) return spec;
  const auto text = spec.get<std::string>();
  const std::vector<std::size_t> seed = numbers_after(text, "seed ");
  const std::size_t map = text.find(" map ");
  if (text.rfind("splitmix ", 0) != 0 || seed.empty() || map == std::string::npos) fail("unknown input: " + text);
  return {{"gen", "splitmix"}, {"seed", seed[0]}, {"map", text.substr(map + 5)}};
}

// Elements at a distance from a cache line's boundary.
struct placed {
  placed(std::size_t size, std::size_t by) : memory(size + by), shift(by) {}
  std::byte* data() const { return memory.data() + shift; }

  buffer memory;
  std::size_t shift;
};

// A call of one of the operators, prepared, with its tensors. shifts: of the input and of each output; the last counts
// for the rest. With `times` it is that many calls, each on the next piece of an input as large as all of them take.
class operator_call {
 public:
  operator_call(const json& fields, const std::vector<std::size_t>& shifts)
      : type_(cases::type_of_name(fields.at("dtype").get<std::string>())),
        shape_(fields.at("shape").get<shape_type>()),
        shifts_(shifts),
        times_(fields.value("times", std::size_t{1})) {
    const cases::elements made = cases::make_elements(type_, input_of(fields), times_ * oracle::elements(shape_));
    if (made.bytes.empty()) fail("an input without bytes");
    input_ = std::make_unique<placed>(made.bytes.size(), shift(0));
    std::memcpy(input_->data(), made.bytes.data(), made.bytes.size());
    fields.at("op") == "TopK" ? make_topk(fields) : make_split(fields);
  }

  void run() const {
    const std::size_t step = oracle::elements(shape_) * data_type_bytes(type_);
    for (std::size_t i = 0; i < times_; ++i) {
      const const_tensor x = {input_->data() + i * step, type_, shape_.data(), shape_.size()};
      const const_tensor second = {numbers_.data(), data_type::i64, &numbers_count_, 1};
      const status done =
          is_topk_ ? topk_.run(x, second, views_[0], views_[1]) : split_.run(x, second, views_.data(), views_.size());
      if (!done.ok()) fail(done.text());
    }
  }

  const std::byte* input() const { return input_->data(); }
  const shape_type& shape() const { return shape_; }
  const std::vector<tensor>& views() const { return views_; }

 private:
  std::size_t shift(std::size_t i) const { return shifts_.empty() ? 0 : shifts_[std::min(i, shifts_.size() - 1)]; }

  std::int64_t axis_of(const json& fields) const {
    const auto axis = fields.at("axis").get<std::int64_t>();
    return axis < 0 ? axis + static_cast<std::int64_t>(shape_.size()) : axis;
  }

  void add_output(data_type type, std::int64_t axis, std::int64_t length) {
    output_shapes_.push_back(std::make_unique<shape_type>(oracle::with_axis(shape_, axis, length)));
    const shape_type& shape = *output_shapes_.back();
    const std::size_t by = data_type_bytes(type) == data_type_bytes(type_) ? shift(views_.size() + 1) : 0;
    outputs_.emplace_back(oracle::elements(shape) * data_type_bytes(type), by);
    views_.push_back({outputs_.back().data(), type, shape.data(), shape.size()});
  }

  void make_topk(const json& fields) {
    is_topk_ = true;
    numbers_ = {fields.at("k").get<std::int64_t>()};
    numbers_count_ = 1;
    topk_attributes attributes;
    attributes.axis = axis_of(fields);
    attributes.largest = fields.value("largest", 1);
    attributes.sorted = fields.value("sorted", 1);
    const status made =
        topk_operator::make(fields.at("opset").get<std::int64_t>(), attributes, type_, execution_of(fields), topk_);
    if (!made.ok()) fail(made.text());
    add_output(type_, *attributes.axis, numbers_[0]);
    add_output(data_type::i64, *attributes.axis, numbers_[0]);
  }

  void make_split(const json& fields) {
    is_topk_ = false;
    numbers_ = fields.at("split").get<shape_type>();
    numbers_count_ = static_cast<std::int64_t>(numbers_.size());
    split_attributes attributes;
    attributes.axis = axis_of(fields);
    const status made = split_operator::make(fields.at("opset").get<std::int64_t>(), attributes, type_, numbers_.size(),
                                             execution_of(fields), split_);
    if (!made.ok()) fail(made.text());
    for (const std::int64_t size : numbers_) add_output(type_, *attributes.axis, size);
  }

  data_type type_;
  shape_type shape_;
  std::vector<std::size_t> shifts_;
  std::size_t times_;
  bool is_topk_ = true;
  std::unique_ptr<placed> input_;
  std::vector<std::int64_t> numbers_;  // k, or the parts' sizes
  std::int64_t numbers_count_ = 0;
  std::vector<std::unique_ptr<shape_type>> output_shapes_;
  std::vector<placed> outputs_;
  std::vector<tensor> views_;
  topk_operator topk_;
  split_operator split_;
};

side side_of(const json& fields, const std::vector<std::size_t>& shifts = {}) {
  const auto call = std::make_shared<operator_call>(fields, shifts);
  return {call, [&c = *call](std::size_t) { c.run(); }};
}

// std::sort of (value, index) pairs of one slice; each time of a copy, which is within the time.
side sort_side(const json& fields, bool shuffled) {
  struct sorted {
    std::vector<std::pair<float, std::int64_t>> pairs, work;
  };
  if (fields.at("dtype") != "float32") fail("std::sort of another type than float32");
  const auto data = std::make_shared<sorted>();
  const auto count = oracle::elements(fields.at("shape").get<shape_type>());
  const cases::elements made = cases::make_elements(data_type::f32, input_of(fields), count);
  for (std::size_t i = 0; i < count; ++i) {
    float value;
    std::memcpy(&value, made.bytes.data() + i * sizeof value, sizeof value);
    data->pairs.emplace_back(value, static_cast<std::int64_t>(i));
  }
  if (shuffled) std::shuffle(data->pairs.begin(), data->pairs.end(), std::mt19937_64(1));
  return {data, [&d = *data](std::size_t) {
            d.work = d.pairs;
            std::sort(d.work.begin(), d.work.end(), [](const auto& a, const auto& b) {
              return a.first != b.first ? a.first > b.first : a.second < b.second;
            });
            keep(d.work.data());
          }};
}

side max_side(const json& fields) {
  if (fields.at("dtype") != "float32") fail("the greatest of another type than float32");
  const auto call = std::make_shared<operator_call>(overlay(fields, {{"k", 1}}), std::vector<std::size_t>{});
  return {call, [&c = *call](std::size_t) {
            const auto rows = static_cast<std::size_t>(c.shape()[0]), n = static_cast<std::size_t>(c.shape()[1]);
            max_of_rows(reinterpret_cast<const float*>(c.input()), rows, n, static_cast<float*>(c.views()[0].data));
          }};
}

// A memcpy for each part, one row, through a pointer that the compiler cannot look through.
side memcpy_side(const json& fields) {
  const auto call = std::make_shared<operator_call>(fields, std::vector<std::size_t>{});
  return {
      call, [&c = *call](std::size_t) {
        static void* (*const volatile copy)(void*, const void*, std::size_t) = std::memcpy;
        const std::byte* from = c.input();
        for (const tensor& part : c.views()) {
          const std::size_t bytes = oracle::elements({part.shape, part.shape + part.rank}) * data_type_bytes(part.type);
          copy(part.data, from, bytes);
          from += bytes;
        }
      }};
}

}  // namespace

json run_fields(const json& row) {
  json fields = row;
  fields.erase("expect");
  return overlay(fields, row.at("expect").at("run"));
}

std::string missing_for(const json& row) {
  const json run = run_fields(row);
  for (const json& fields : {run, overlay(run, baseline_of(row))}) {
    const json threads = fields.value("threads", json(1));
    const unsigned cores = std::thread::hardware_concurrency();
    if (threads.is_number() && threads.get<unsigned>() > cores) {
      return "needs " + threads.dump() + " cores, here are " + std::to_string(cores);
    }
    if (fields.contains("isa") && isa_of(fields["isa"].get<std::string>()) == isa::automatic) {
      return "needs " + fields["isa"].get<std::string>();
    }
  }
  return {};
}

side side_with_k(const json& row, const json& k) { return side_of(overlay(run_fields(row), {{"k", k}})); }

// Where the baseline has its pointers aligned, the run has them shifted, as the row's reason says.
side run_side(const json& row) {
  const bool shifted = baseline_of(row).contains("all pointers");
  const std::vector<std::size_t> shifts = numbers_after(row["expect"].value("why", ""), "shifted by");
  if (shifted && shifts.empty()) fail("by how much pointers are shifted is not said");
  const bool is_input_only = shifts.size() == 1;
  if (!shifted) return side_of(run_fields(row));
  return side_of(run_fields(row), is_input_only ? std::vector<std::size_t>{shifts[0], 0} : shifts);
}

side baseline_side(const json& row) {
  const json& baseline = baseline_of(row);
  const json run = run_fields(row);
  const auto text = baseline.at("op").get<std::string>();
  const auto begins = [&text](const char* with) { return text.rfind(with, 0) == 0; };
  if (text == row.at("op")) return side_of(overlay(run, baseline));
  if (begins("TopK on [")) {
    const json shape = json::parse(text.substr(8, text.find(']') - 7));
    if (text.find("last axis") == std::string::npos) fail("unknown baseline: " + text);
    return side_of(overlay(run, {{"shape", shape}, {"axis", -1}}));
  }
  if (begins("std::sort of ")) return sort_side(run, text.find("shuffled") != std::string::npos);
  if (begins("max of each row")) return max_side(run);
  if (text.find("memcpy") != std::string::npos && text.find("function pointer") != std::string::npos)
    return memcpy_side(run);
  fail("unknown baseline: " + text);
}

}  // namespace topsplit::bench
