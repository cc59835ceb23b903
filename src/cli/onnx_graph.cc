// One pass over the nodes, which a model lists in topological order. Every tensor has one name in the graph; a map
// holds those made so far.

#include "src/cli/onnx_graph.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "src/cli/failure.h"
#include "topsplit/operator.h"

namespace topsplit::cli {
namespace {

bool is_onnx_domain(const std::string& domain) { return domain.empty() || domain == "ai.onnx"; }

std::int64_t find_opset(const onnx::ModelProto& model) {
  std::optional<std::int64_t> opset;
  for (const auto& import : model.opset_import()) {
    if (!is_onnx_domain(import.domain())) continue;
    if (opset && *opset != import.version()) throw failure("two opsets of ONNX's own domain are imported");
    opset = import.version();
  }
  // Before IR version 3 a model had no imports and meant opset 1.
  if (!opset && model.has_ir_version() && model.ir_version() < 3) opset = 1;
  if (!opset) throw failure("no opset of ONNX's own domain is imported");
  return *opset;
}

std::string node_text(const onnx::NodeProto& node, int number) {
  return "node " + std::to_string(number) + " (" + node.op_type() + ")";
}

// What the command cannot run is found before anything else is asked of the model.
void check_operators(const onnx::GraphProto& graph) {
  for (const auto& node : graph.node()) {
    const std::string& name = node.op_type();
    const bool known = name == "TopK" || name == "Split" || name == "Constant";
    if (known && is_onnx_domain(node.domain())) continue;
    const std::string domain = is_onnx_domain(node.domain()) ? "" : node.domain() + "::";
    throw failed_check("operator " + domain + name + " is not supported");
  }
  if (graph.sparse_initializer_size() != 0) throw failed_check("sparse initialisers are not supported");
}

// A node's attributes: each is taken by the name and type that the operator has, and none may be left over.
class attribute_reader {
 public:
  attribute_reader(const onnx::NodeProto& node, const std::string& what) : what_(what) {
    for (const auto& attribute : node.attribute()) {
      if (!rest_.emplace(attribute.name(), &attribute).second) {
        throw failure(what + ": attribute '" + attribute.name() + "' is there twice");
      }
    }
  }

  const onnx::AttributeProto* take(const std::string& name, onnx::AttributeProto::AttributeType type) {
    const auto found = rest_.find(name);
    if (found == rest_.end()) return nullptr;
    const onnx::AttributeProto* attribute = found->second;
    rest_.erase(found);
    if (attribute->type() != type || attribute->has_ref_attr_name()) {
      throw failure(what_ + ": attribute '" + name + "' is not of the type " +
                    onnx::AttributeProto_AttributeType_Name(type));
    }
    return attribute;
  }

  std::optional<std::int64_t> take_int(const std::string& name) {
    const auto* attribute = take(name, onnx::AttributeProto::INT);
    return attribute != nullptr ? std::optional<std::int64_t>(attribute->i()) : std::nullopt;
  }

  void expect_end() const {
    if (!rest_.empty()) throw failed_check(what_ + ": unknown attribute '" + rest_.begin()->first + "'");
  }

 private:
  const std::string& what_;
  std::map<std::string, const onnx::AttributeProto*> rest_;
};

struct tensor_entry {
  std::shared_ptr<const array> value;
  std::optional<unordered_origin> unordered;
};

template <class T, class Values>
array list_array(data_type type, shape_vector shape, const Values& values) {
  array result = make_array(type, std::move(shape), "Constant");
  std::vector<T> copy(values.begin(), values.end());
  const auto* bytes = reinterpret_cast<const std::byte*>(copy.data());
  result.bytes.assign(bytes, bytes + copy.size() * sizeof(T));
  return result;
}

// The value of a Constant: whichever of its attributes is there.
array constant_value(attribute_reader& attributes, const std::string& what) {
  using attribute = onnx::AttributeProto;
  if (const auto* a = attributes.take("value", attribute::TENSOR)) return to_array(a->t(), what);
  if (const auto a = attributes.take_int("value_int")) {
    return list_array<std::int64_t>(data_type::i64, {}, std::vector<std::int64_t>{*a});
  }
  if (const auto* a = attributes.take("value_ints", attribute::INTS)) {
    return list_array<std::int64_t>(data_type::i64, {a->ints_size()}, a->ints());
  }
  if (const auto* a = attributes.take("value_float", attribute::FLOAT)) {
    return list_array<float>(data_type::f32, {}, std::vector<float>{a->f()});
  }
  if (const auto* a = attributes.take("value_floats", attribute::FLOATS)) {
    return list_array<float>(data_type::f32, {a->floats_size()}, a->floats());
  }
  array result;
  result.type = data_type::string;
  if (const auto* a = attributes.take("value_string", attribute::STRING)) {
    result.strings = {a->s()};
    return result;
  }
  if (const auto* a = attributes.take("value_strings", attribute::STRINGS)) {
    result.strings.assign(a->strings().begin(), a->strings().end());
    result.shape = {a->strings_size()};
    return result;
  }
  attributes.expect_end();
  throw failure(what + ": Constant has no value");
}

class graph_runner {
 public:
  graph_runner(const onnx::GraphProto& graph, std::int64_t opset, const execution& how)
      : graph_(graph), opset_(opset), how_(how) {}

  graph_run run(std::vector<named_array> inputs) {
    bind_inputs(std::move(inputs));
    for (int i = 0; i < graph_.node_size(); ++i) run_node(graph_.node(i), i);
    for (const auto& output : graph_.output()) {
      const auto found = tensors_.find(output.name());
      if (found == tensors_.end()) throw failure("nothing makes output '" + output.name() + "'");
      result_.outputs.push_back({output.name(), found->second.value, found->second.unordered});
    }
    return std::move(result_);
  }

 private:
  void bind_inputs(std::vector<named_array> inputs) {
    std::set<std::string> initialised, overridable;
    for (const auto& initialiser : graph_.initializer()) {
      define(initialiser.name(), to_array(initialiser, "initialiser '" + initialiser.name() + "'"));
      initialised.insert(initialiser.name());
    }
    std::vector<std::string> required;
    for (const auto& input : graph_.input()) {
      if (initialised.count(input.name()) != 0) {
        overridable.insert(input.name());
      } else {
        required.push_back(input.name());
      }
    }
    std::size_t next = 0;
    for (named_array& input : inputs) {
      if (overridable.erase(input.name) != 0) {
        tensors_.erase(input.name);
        define(input.name, std::move(input.value));
      } else if (next < required.size()) {
        define(required[next++], std::move(input.value));
      } else {
        throw failure(std::to_string(inputs.size()) + " inputs given, the graph has " +
                      std::to_string(required.size()));
      }
    }
    if (next < required.size()) throw failure("no data for graph input '" + required[next] + "'");
  }

  void define(const std::string& name, array value, std::optional<unordered_origin> unordered = std::nullopt) {
    if (name.empty()) return;
    tensor_entry entry{std::make_shared<const array>(std::move(value)), unordered};
    if (!tensors_.emplace(name, std::move(entry)).second) throw failure("'" + name + "' is made twice");
  }

  void run_node(const onnx::NodeProto& node, int number) {
    const std::string what = node_text(node, number);
    attribute_reader attributes(node, what);
    if (node.op_type() == "TopK") return run_topk(node, number, attributes, what);
    if (node.op_type() == "Split") return run_split(node, attributes, what);
    array value = constant_value(attributes, what);
    attributes.expect_end();
    if (node.input_size() != 0 || node.output_size() != 1) throw failure(what + ": one output and no input expected");
    define(node.output(0), std::move(value));
    ran("Constant");
  }

  void ran(const std::string& name) {
    if (std::find(result_.operators.begin(), result_.operators.end(), name) == result_.operators.end()) {
      result_.operators.push_back(name);
    }
  }

  // An input of a node; null where the node leaves it out.
  std::shared_ptr<const array> input(const onnx::NodeProto& node, int i, const std::string& what) const {
    if (i >= node.input_size() || node.input(i).empty()) return nullptr;
    const auto found = tensors_.find(node.input(i));
    if (found == tensors_.end()) throw failure(what + ": nothing before it makes its input '" + node.input(i) + "'");
    return found->second.value;
  }

  std::shared_ptr<const array> first_input(const onnx::NodeProto& node, const std::string& what) const {
    if (node.input_size() > 2)
      throw failure(what + ": " + std::to_string(node.input_size()) + " inputs, at most 2 expected");
    std::shared_ptr<const array> value = input(node, 0, what);
    if (value == nullptr) throw failure(what + ": no input");
    return value;
  }

  void run_topk(const onnx::NodeProto& node, int number, attribute_reader& attributes, const std::string& what) {
    const topk_attributes given{attributes.take_int("axis"), attributes.take_int("k"), attributes.take_int("largest"),
                                attributes.take_int("sorted")};
    attributes.expect_end();
    if (node.output_size() != 2) {
      throw failure(what + ": " + std::to_string(node.output_size()) + " outputs, 2 expected");
    }
    const std::shared_ptr<const array> x = first_input(node, what), k = input(node, 1, what);
    const const_tensor k_view = k != nullptr ? k->view() : const_tensor{};
    topk_operator prepared;
    require(topk_operator::make(opset_, given, x->type, how_, prepared));
    shape_vector shape(x->shape.size());
    require(prepared.infer(x->view(), k_view, shape.data()));
    array values = make_array(x->type, shape, what), indices = make_array(data_type::i64, shape, what);
    require(prepared.run(x->view(), k_view, values.view(), indices.view()));
    std::optional<unordered_origin> unordered;
    if (given.sorted.value_or(1) == 0) {
      const std::int64_t axis = given.axis.value_or(-1);
      const auto rank = static_cast<std::int64_t>(shape.size());
      unordered = unordered_origin{number, static_cast<std::size_t>(axis < 0 ? axis + rank : axis)};
    }
    define(node.output(0), std::move(values), unordered);
    define(node.output(1), std::move(indices), unordered);
    ran("TopK-" + std::to_string(prepared.version()));
  }

  void run_split(const onnx::NodeProto& node, attribute_reader& attributes, const std::string& what) {
    static constexpr std::int64_t no_sizes = 0;  // an attribute that is there but empty is not one that is absent
    split_attributes given;
    given.axis = attributes.take_int("axis");
    std::vector<std::int64_t> split;
    if (const auto* a = attributes.take("split", onnx::AttributeProto::INTS)) {
      split.assign(a->ints().begin(), a->ints().end());
      given.split = split.empty() ? &no_sizes : split.data();
      given.split_count = split.size();
    }
    given.num_outputs = attributes.take_int("num_outputs");
    attributes.expect_end();
    const std::shared_ptr<const array> x = first_input(node, what), sizes = input(node, 1, what);
    const const_tensor sizes_view = sizes != nullptr ? sizes->view() : const_tensor{};
    const auto count = static_cast<std::size_t>(node.output_size());
    split_operator prepared;
    require(split_operator::make(opset_, given, x->type, count, how_, prepared));
    shape_vector part_sizes(count);
    require(prepared.infer(x->view(), sizes_view, part_sizes.data()));
    const std::int64_t axis =
        prepared.axis() < 0 ? prepared.axis() + static_cast<std::int64_t>(x->shape.size()) : prepared.axis();
    std::vector<array> parts;
    std::vector<tensor> views;
    for (const std::int64_t size : part_sizes) {
      shape_vector shape = x->shape;
      shape[static_cast<std::size_t>(axis)] = size;
      parts.push_back(make_array(x->type, std::move(shape), what));
    }
    for (array& part : parts) views.push_back(part.view());
    require(prepared.run(x->view(), sizes_view, views.data(), count));
    for (std::size_t i = 0; i < count; ++i) define(node.output(static_cast<int>(i)), std::move(parts[i]));
    ran("Split-" + std::to_string(prepared.version()));
  }

  const onnx::GraphProto& graph_;
  const std::int64_t opset_;
  const execution& how_;
  std::map<std::string, tensor_entry> tensors_;
  graph_run result_;
};

}  // namespace

struct onnx_model::state {
  onnx::ModelProto model;
  std::int64_t opset = 0;
};

onnx_model::onnx_model(const std::string& path) : state_(std::make_unique<state>()) {
  read_message(path, state_->model);
  if (!state_->model.has_graph()) throw failure(path + ": the model has no graph");
  check_operators(state_->model.graph());
  state_->opset = find_opset(state_->model);
}

onnx_model::~onnx_model() = default;

graph_run onnx_model::run(std::vector<named_array> inputs, const execution& how) const {
  return graph_runner(state_->model.graph(), state_->opset, how).run(std::move(inputs));
}

}  // namespace topsplit::cli
