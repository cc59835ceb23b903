// ONNX Runtime, from a library that the user names: loaded at run time through its C interface, one session a workload
// whose model is one node.
//
// The interface is a table of functions that only ever grows at its end (version 1 has all that is used here), so a
// function is known by its place in the table, and no header is needed.

#include <dlfcn.h>
#include <onnx/onnx_pb.h>

#include <map>
#include <stdexcept>

#include "bench/peers.h"

namespace topsplit::bench {
namespace {

struct api_base {
  const void* const* (*get_api)(std::uint32_t version);
  const char* (*version)();
};

enum place : std::size_t {
  get_error_message = 2,
  create_env = 3,
  create_session_from_array = 8,
  run_session = 9,
  create_session_options = 10,
  set_intra_op_num_threads = 24,
  set_inter_op_num_threads = 25,
  create_tensor_with_data = 49,
  create_cpu_memory_info = 69,
  release_env = 92,
  release_status = 93,
  release_memory_info = 94,
  release_session = 95,
  release_value = 96,
  release_session_options = 100,
};
constexpr std::uint32_t api_version = 8;
constexpr int log_errors = 3, arena_allocator = 1, default_memory = 0;

// The table, and what all sessions share. Never unloaded: its threads may outlive a session.
class runtime {
 public:
  explicit runtime(const std::string& path) {
    if (path.empty()) throw std::runtime_error("--against ort: the path of a libonnxruntime.so is missing");
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw std::runtime_error(std::string("--against ort: ") + dlerror());
    const auto base = reinterpret_cast<const api_base* (*)()>(dlsym(library, "OrtGetApiBase"));
    if (base == nullptr) throw std::runtime_error("--against ort: " + path + " is not ONNX Runtime: no OrtGetApiBase");
    version_ = base()->version();
    api_ = base()->get_api(api_version);
    if (api_ == nullptr) throw std::runtime_error("--against ort: " + path + " is too old: " + version_);
    check(call(create_env, log_errors, "topsplit", &env_));
    check(call(create_cpu_memory_info, arena_allocator, default_memory, &memory_));
  }

  // A call of a function that returns a status: null, or an error to be released.
  template <class... Arguments>
  void* call(place which, Arguments... arguments) const {
    return reinterpret_cast<void* (*)(Arguments...)>(const_cast<void*>(api_[which]))(arguments...);
  }

  void release(place which, void* object) const {
    if (object != nullptr) reinterpret_cast<void (*)(void*)>(const_cast<void*>(api_[which]))(object);
  }

  // Frees an error and returns its text.
  std::string text_of(void* error) const {
    const auto message = reinterpret_cast<const char* (*)(void*)>(const_cast<void*>(api_[get_error_message]));
    std::string text = message(error);
    release(release_status, error);
    return text;
  }

  void check(void* error) const {
    if (error != nullptr) throw std::runtime_error("ONNX Runtime: " + text_of(error));
  }

  const std::string& version() const { return version_; }
  const void* env() const { return env_; }
  const void* memory() const { return memory_; }

 private:
  std::string version_;
  const void* const* api_ = nullptr;
  void* env_ = nullptr;
  void* memory_ = nullptr;
};

struct named_shape {
  std::string name;
  data_type type;
  std::vector<std::int64_t> shape;
};

void set_value(onnx::ValueInfoProto& info, const named_shape& value) {
  info.set_name(value.name);
  auto* tensor_type = info.mutable_type()->mutable_tensor_type();
  tensor_type->set_elem_type(static_cast<int>(value.type));
  for (const std::int64_t length : value.shape) tensor_type->mutable_shape()->add_dim()->set_dim_value(length);
}

void add_attribute(onnx::NodeProto& node, const char* name, std::int64_t value) {
  onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(onnx::AttributeProto::INT);
  attribute.set_i(value);
}

// A model of one node whose second input is a constant of int64.
struct one_node {
  const char* op;
  int opset;
  named_shape input;
  std::vector<named_shape> outputs;
  std::vector<std::int64_t> constant;
  std::vector<std::pair<const char*, std::int64_t>> attributes;

  std::string model() const {
    onnx::ModelProto model;
    model.set_ir_version(opset >= 21 ? 10 : 8);
    model.add_opset_import()->set_version(opset);
    onnx::GraphProto& graph = *model.mutable_graph();
    graph.set_name("one_node");
    set_value(*graph.add_input(), input);
    onnx::TensorProto& numbers = *graph.add_initializer();
    numbers.set_name("numbers");
    numbers.set_data_type(onnx::TensorProto::INT64);
    numbers.add_dims(static_cast<std::int64_t>(constant.size()));
    for (const std::int64_t number : constant) numbers.add_int64_data(number);
    onnx::NodeProto& node = *graph.add_node();
    node.set_op_type(op);
    node.add_input(input.name);
    node.add_input("numbers");
    for (const named_shape& output : outputs) {
      node.add_output(output.name);
      set_value(*graph.add_output(), output);
    }
    for (const auto& [name, value] : attributes) add_attribute(node, name, value);
    return model.SerializeAsString();
  }
};

// A session and the values that were made of the buffers it has met: calls come back to the same ones.
class session {
 public:
  session(std::shared_ptr<const runtime> ort, one_node node, int threads)
      : ort_(std::move(ort)), node_(std::move(node)) {
    for (const named_shape& output : node_.outputs) output_names_.push_back(output.name.c_str());
    void* options = nullptr;
    ort_->check(ort_->call(create_session_options, &options));
    const std::string model = node_.model();
    void* error = ort_->call(set_intra_op_num_threads, options, threads);
    if (error == nullptr) error = ort_->call(set_inter_op_num_threads, options, 1);
    if (error == nullptr) {
      error = ort_->call(create_session_from_array, ort_->env(), static_cast<const void*>(model.data()), model.size(),
                         static_cast<const void*>(options), &session_);
    }
    ort_->release(release_session_options, options);
    ort_->check(error);
  }

  ~session() {
    for (const auto& [data, value] : values_) ort_->release(release_value, value);
    ort_->release(release_session, session_);
  }
  session(const session&) = delete;
  session& operator=(const session&) = delete;

  status run(const std::byte* input, const tensors& t) {
    void* in = value_of(const_cast<std::byte*>(input), t.inputs[0].size(), node_.input);
    out_.clear();
    for (std::size_t i = 0; i < node_.outputs.size(); ++i) {
      out_.push_back(value_of(t.outputs[i].data(), t.outputs[i].size(), node_.outputs[i]));
    }
    const char* name = node_.input.name.c_str();
    void* error = ort_->call(run_session, session_, static_cast<const void*>(nullptr), &name, &in, std::size_t{1},
                             output_names_.data(), output_names_.size(), out_.data());
    if (error == nullptr) return status();
    ort_->text_of(error);
    return status(status_code::unsupported_type);
  }

 private:
  void* value_of(std::byte* data, std::size_t bytes, const named_shape& as) {
    void*& value = values_[data];
    if (value == nullptr) {
      ort_->check(ort_->call(create_tensor_with_data, ort_->memory(), static_cast<void*>(data), bytes, as.shape.data(),
                             as.shape.size(), static_cast<int>(as.type), &value));
    }
    return value;
  }

  std::shared_ptr<const runtime> ort_;
  one_node node_;
  void* session_ = nullptr;
  std::vector<const char*> output_names_;
  std::map<const std::byte*, void*> values_;
  std::vector<void*> out_;
};

class ort_peer : public peer {
 public:
  explicit ort_peer(const std::string& path) : ort_(std::make_shared<runtime>(path)) {}

  std::string version() const override { return ort_->version(); }

  way topk_way(const baseline_problem& p, int threads) override {
    if (p.k == 0 || p.outer == 0) return {};
    const auto shape = [&](std::size_t length) {
      return std::vector<std::int64_t>{static_cast<std::int64_t>(p.outer), static_cast<std::int64_t>(length),
                                       static_cast<std::int64_t>(p.inner)};
    };
    return way_of(
        {"TopK",
         p.type == data_type::bf16 ? 24 : 11,
         {"X", p.type, shape(p.n)},
         {{"V", p.type, shape(p.k)}, {"I", data_type::i64, shape(p.k)}},
         {static_cast<std::int64_t>(p.k)},
         {{"axis", 1}, {"largest", p.select == topk_select::largest}, {"sorted", p.order == topk_order::by_value}}},
        threads);
  }

  way split_way(const split_layout& l, int threads) override {
    one_node node = {"Split", 13, {"X", l.type, l.shape}, {}, l.sizes, {{"axis", l.axis}}};
    const std::size_t rank = l.shape.size();
    for (std::size_t i = 0; i < l.sizes.size(); ++i) {
      const auto from = l.shapes.begin() + static_cast<std::ptrdiff_t>(i * rank);
      node.outputs.push_back({"Y" + std::to_string(i), l.type, {from, from + static_cast<std::ptrdiff_t>(rank)}});
    }
    return way_of(std::move(node), threads);
  }

 private:
  // A type for which this library has no kernel shows when the session is made.
  way way_of(one_node node, int threads) {
    try {
      const auto made = std::make_shared<session>(ort_, std::move(node), threads);
      return [made](const std::byte* input, const tensors& t) { return made->run(input, t); };
    } catch (const std::runtime_error&) {
      return {};
    }
  }

  std::shared_ptr<const runtime> ort_;
};

}  // namespace

std::unique_ptr<peer> open_ort_peer(const std::string& library) { return std::make_unique<ort_peer>(library); }

}  // namespace topsplit::bench
