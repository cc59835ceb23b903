#include "bench/sweep_grid.h"

#include <algorithm>
#include <stdexcept>

#include "bench/value_list.h"

namespace topsplit::bench {
namespace {

[[noreturn]] void refuse(const std::string& text) { throw std::invalid_argument(text); }

std::string value_of(const sweep_axes& axes, const std::string& option, const std::string& fallback) {
  const auto found = axes.find(option);
  return found == axes.end() ? fallback : found->second;
}

constexpr data_type all_types[] = {data_type::f32, data_type::f64, data_type::f16, data_type::bf16,
                                   data_type::i8,  data_type::i16, data_type::i32, data_type::i64,
                                   data_type::u8,  data_type::u16, data_type::u32, data_type::u64};

// The choices of a list of names out of a table of them; "all" is all of it.
template <class Table, class Name>
auto choose(const std::string& option, const std::string& text, const Table& table, Name name) {
  std::vector<std::decay_t<decltype(*std::begin(table))>> chosen;
  std::string known;
  for (const auto& entry : table) known += std::string(known.empty() ? "" : ", ") + name(entry);
  for (const std::string& part : split_list(option, text)) {
    const std::size_t before = chosen.size();
    for (const auto& entry : table) {
      if (part == "all" || part == name(entry)) chosen.push_back(entry);
    }
    if (chosen.size() == before) refuse(option + ": \"" + part + "\" is none of " + known);
  }
  return chosen;
}

std::vector<data_type> types_of(const std::string& text) {
  return choose("--type", text, all_types, [](data_type type) { return data_type_name(type); });
}

template <class Enum>
struct named_choice {
  const char* name;
  Enum value;
};
constexpr named_choice<topk_select> selects[] = {{"largest", topk_select::largest},
                                                 {"smallest", topk_select::smallest}};
constexpr named_choice<topk_order> orders[] = {{"by_value", topk_order::by_value}, {"by_index", topk_order::by_index}};
constexpr auto name_of_choice = [](const auto& choice) { return choice.name; };

// k may be a part of n: "n", "n/10".
std::vector<std::int64_t> ks_of(const std::string& text, std::int64_t n) {
  return read_counts("--k", text, [n](const std::string& word) -> std::int64_t {
    if (word == "n") return n;
    if (word.rfind("n/", 0) != 0) return -1;
    const std::int64_t divisor = read_count("--k", word.substr(2));
    if (divisor == 0) refuse("--k: \"" + word + "\" divides by 0");
    return n / divisor;
  });
}

sweep_shape topk_shape(topk_workload w, const char* values_name) {
  sweep_shape shape;
  const auto text = [](std::int64_t number) { return std::to_string(number); };
  shape.name = "topk/rows=" + text(w.shape[0]) + "/n=" + text(w.shape[1]) + "/k=" + text(w.k) +
               "/inner=" + text(w.shape[2]) + "/" + data_type_name(w.type) + "/" + values_name +
               (w.select == topk_select::largest ? "/largest" : "/smallest") +
               (w.order == topk_order::by_value ? "/by_value" : "/by_index");
  shape.values = values_name;
  shape.topk = std::make_shared<topk_workload>(w);
  return shape;
}

void add_topk(const sweep_axes& axes, std::vector<sweep_shape>& shapes, std::size_t& left_out) {
  const auto text = [&](const char* option, const char* fallback) { return value_of(axes, option, fallback); };
  const auto dimension = [&](const char* option) { return read_counts(option, text(option, "1")); };
  const auto select_choices = choose("--select", text("--select", "largest"), selects, name_of_choice);
  const auto order_choices = choose("--order", text("--order", "by_value"), orders, name_of_choice);
  const auto values = choose("--dist", text("--dist", "uniform"), named_distributions, name_of_choice);
  for (const data_type type : types_of(text("--type", "float"))) {
    for (const std::int64_t rows : dimension("--rows")) {
      for (const std::int64_t inner : dimension("--inner")) {
        for (const std::int64_t n : read_counts("--n", text("--n", "1e3..1e6*10"))) {
          if (rows < 1 || inner < 1 || n < 1) refuse("--rows, --inner, --n: 0 leaves nothing to measure");
          for (const std::int64_t k : ks_of(text("--k", "10,100"), n)) {
            for (const named_distribution& d : values) {
              for (const auto& select : select_choices) {
                for (const auto& order : order_choices) {
                  if (k > n || k < 1) {
                    ++left_out;
                    continue;
                  }
                  shapes.push_back(topk_shape(
                      {"", "", {rows, n, inner}, 3, 1, k, type, d.values, select.value, order.value}, d.name));
                }
              }
            }
          }
        }
      }
    }
  }
}

data_type type_of_bytes(std::int64_t bytes) {
  switch (bytes) {
    case 1:
      return data_type::u8;
    case 2:
      return data_type::f16;
    case 4:
      return data_type::f32;
    case 8:
      return data_type::f64;
    case 16:
      return data_type::complex128;
    default:
      refuse("--element: " + std::to_string(bytes) + " bytes is none of 1, 2, 4, 8, 16");
  }
}

sweep_shape split_shape(std::int64_t bytes, std::int64_t piece, std::int64_t parts, std::int64_t element,
                        std::int64_t offset) {
  const std::int64_t rows = bytes / (piece * parts);
  const std::int64_t size = piece / element;
  sweep_shape shape;
  shape.name = "split/bytes=" + std::to_string(bytes) + "/piece=" + std::to_string(piece) +
               "/parts=" + std::to_string(parts) + "/element=" + std::to_string(element) +
               "/offset=" + std::to_string(offset);
  shape.values = "any_bits";
  shape.offset = static_cast<std::size_t>(offset);
  shape.split =
      std::make_shared<split_layout>(make_layout(type_of_bytes(element), {rows, parts * size}, 1,
                                                 std::vector<std::int64_t>(static_cast<std::size_t>(parts), size)));
  return shape;
}

void add_split(const sweep_axes& axes, std::vector<sweep_shape>& shapes, std::size_t& left_out) {
  const auto counts = [&](const char* option, const char* fallback) {
    return read_counts(option, value_of(axes, option, fallback));
  };
  for (const std::int64_t bytes : counts("--bytes", "1M")) {
    for (const std::int64_t piece : counts("--piece", "8..8K*4")) {
      for (const std::int64_t parts : counts("--parts", "4")) {
        if (piece < 1 || parts < 1 || parts > 1 << 20) refuse("--piece, --parts: 1 at least, and at most 2^20 parts");
        for (const std::int64_t element : counts("--element", "4")) {
          type_of_bytes(element);
          for (const std::int64_t offset : counts("--offset", "0")) {
            if (offset > 4096) refuse("--offset: more than 4096");
            if (piece % element != 0 || bytes / parts < piece) {
              ++left_out;
              continue;
            }
            shapes.push_back(split_shape(bytes, piece, parts, element, offset));
          }
        }
      }
    }
  }
}

}  // namespace

const std::vector<axis_option> shape_options = {
    {"--n", "topk", "1e3..1e6*10", "elements of a slice"},
    {"--k", "topk", "10,100", "how many are wanted; n, n/10, ... too"},
    {"--rows", "topk", "1", "slices before the axis"},
    {"--inner", "topk", "1", "elements after the axis"},
    {"--type", "topk", "float", "element types by ONNX's names, or all"},
    {"--dist", "topk", "uniform", "distributions of the values, or all"},
    {"--select", "topk", "largest", "largest, smallest"},
    {"--order", "topk", "by_value", "by_value, by_index"},
    {"--bytes", "split", "1M", "bytes of the input"},
    {"--piece", "split", "8..8K*4", "bytes of a part in one row"},
    {"--parts", "split", "4", "how many equal parts"},
    {"--element", "split", "4", "bytes of an element: 1, 2, 4, 8, 16"},
    {"--offset", "split", "0", "bytes from a cache line's boundary"},
};

std::size_t sweep_shape::input_bytes() const {
  if (split) return split->bytes();
  std::size_t elements = 1;
  for (std::size_t i = 0; i < topk->rank; ++i) elements *= static_cast<std::size_t>(topk->shape[i]);
  return elements * data_type_bytes(topk->type);
}

std::size_t sweep_shape::output_bytes() const {
  if (split) return split->bytes();
  const auto n = static_cast<std::size_t>(topk->shape[topk->axis]);
  const std::size_t element = data_type_bytes(topk->type);
  return input_bytes() / element / n * static_cast<std::size_t>(topk->k) * (element + sizeof(std::int64_t));
}

std::string sweep_way::name() const {
  const std::string isa_part = isa_name.empty() ? "" : "/" + isa_name;
  return kind + isa_part + "/threads=" + std::to_string(threads) + (threads > 1 ? "/" + pool : "");
}

std::vector<sweep_shape> grid_of(const sweep_axes& axes, std::size_t& left_out) {
  std::vector<sweep_shape> shapes;
  const std::vector<std::string> ops = split_list("--op", value_of(axes, "--op", "topk,split"));
  for (const std::string& op : ops) {
    if (op != "topk" && op != "split") refuse("--op: \"" + op + "\" is none of topk, split");
    op == "topk" ? add_topk(axes, shapes, left_out) : add_split(axes, shapes, left_out);
  }
  for (const axis_option& option : shape_options) {
    const bool is_used = std::find(ops.begin(), ops.end(), option.op) != ops.end();
    if (axes.count(option.name) != 0 && !is_used) {
      refuse(std::string(option.name) + ": an axis of " + option.op + ", which --op leaves out");
    }
  }
  return shapes;
}

std::vector<int> thread_counts(const std::string& text, int usable) {
  std::vector<int> counts;
  const auto all = [usable](const std::string& word) { return word == "all" ? usable : -1; };
  for (const std::int64_t count : read_counts("--threads", text, all)) {
    if (count < 1 || count > usable) {
      refuse("--threads: " + std::to_string(count) + " is not from 1 to the " + std::to_string(usable) +
             " that this process may use, which are \"all\"");
    }
    counts.push_back(static_cast<int>(count));
  }
  return counts;
}

std::vector<sweep_way> ways_of(const sweep_axes& axes, int usable) {
  std::vector<isa_info> isas = {{isa::automatic, "auto", true, true, 0}};
  for (const isa_info& info : measured_isas()) isas.push_back(info);
  const std::string isa_text = value_of(axes, "--isa", "auto");
  if (isa_text == "all") isas.erase(isas.begin());
  const auto chosen_isas = choose("--isa", isa_text, isas, name_of_choice);
  constexpr named_choice<int> pools[] = {{"arena", 0}, {"own", 1}, {"pinned", 2}};
  const auto chosen_pools = choose("--pool", value_of(axes, "--pool", "arena"), pools, name_of_choice);
  std::vector<sweep_way> ways;
  for (const int threads : thread_counts(value_of(axes, "--threads", "1"), usable)) {
    for (const std::string& limit : split_list("--limits", value_of(axes, "--limits", "auto"))) {
      if (limit != "auto" && limit != "read" && limit != "copy" && limit != "none") {
        refuse("--limits: \"" + limit + "\" is none of auto, read, copy, none");
      }
      if (limit != "none") ways.push_back({limit, "", isa::automatic, threads, "own"});
    }
    for (const isa_info& info : chosen_isas) {
      for (const auto& pool : chosen_pools) {
        if (threads == 1 && pool.value != chosen_pools[0].value) continue;
        ways.push_back({"topsplit", info.name, info.id, threads, threads == 1 ? "serial" : pool.name});
      }
    }
  }
  return ways;
}

}  // namespace topsplit::bench
