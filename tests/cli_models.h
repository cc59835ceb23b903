// Makes ONNX models and test folders for the command's tests, with ONNX's own protobuf classes.

#ifndef TOPSPLIT_TESTS_CLI_MODELS_H
#define TOPSPLIT_TESTS_CLI_MODELS_H

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/cli_runner.h"

namespace cli_models {

using onnx::TensorProto;

inline TensorProto tensor(const std::string& name, int type, const std::vector<std::int64_t>& dims,
                          const std::string& raw) {
  TensorProto result;
  result.set_name(name);
  result.set_data_type(type);
  for (const std::int64_t dim : dims) result.add_dims(dim);
  result.set_raw_data(raw);
  return result;
}

inline TensorProto floats(const std::string& name, const std::vector<std::int64_t>& dims,
                          const std::vector<float>& values) {
  return tensor(name, TensorProto::FLOAT, dims, cli_runner::bytes_of(values));
}

inline TensorProto int64s(const std::string& name, const std::vector<std::int64_t>& dims,
                          const std::vector<std::int64_t>& values) {
  return tensor(name, TensorProto::INT64, dims, cli_runner::bytes_of(values));
}

class model {
 public:
  explicit model(std::int64_t opset, const std::string& domain = "") {
    proto_.set_ir_version(8);
    auto* import = proto_.add_opset_import();
    import->set_domain(domain);
    import->set_version(opset);
  }

  onnx::ModelProto& proto() { return proto_; }
  onnx::GraphProto& graph() { return *proto_.mutable_graph(); }

  model& input(const std::string& name) {
    graph().add_input()->set_name(name);
    return *this;
  }
  model& output(const std::string& name) {
    graph().add_output()->set_name(name);
    return *this;
  }
  model& initialiser(const TensorProto& value) {
    *graph().add_initializer() = value;
    return *this;
  }

  // The attributes that follow belong to this node.
  model& node(const std::string& op, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
              const std::string& domain = "") {
    auto* added = graph().add_node();
    added->set_op_type(op);
    added->set_domain(domain);
    for (const std::string& name : inputs) added->add_input(name);
    for (const std::string& name : outputs) added->add_output(name);
    return *this;
  }
  model& attribute(const std::string& name, std::int64_t value) {
    auto& added = attribute_of_type(name, onnx::AttributeProto::INT);
    added.set_i(value);
    return *this;
  }
  model& attribute(const std::string& name, const std::vector<std::int64_t>& values) {
    auto& added = attribute_of_type(name, onnx::AttributeProto::INTS);
    for (const std::int64_t value : values) added.add_ints(value);
    return *this;
  }
  model& attribute(const std::string& name, const TensorProto& value) {
    *attribute_of_type(name, onnx::AttributeProto::TENSOR).mutable_t() = value;
    return *this;
  }
  onnx::AttributeProto& attribute_of_type(const std::string& name, onnx::AttributeProto::AttributeType type) {
    auto* added = graph().mutable_node(graph().node_size() - 1)->add_attribute();
    added->set_name(name);
    added->set_type(type);
    return *added;
  }

 private:
  onnx::ModelProto proto_;
};

inline void write_set(const std::filesystem::path& set, const std::vector<TensorProto>& inputs,
                      const std::vector<TensorProto>& outputs) {
  std::filesystem::create_directories(set);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    cli_runner::write_file(set / ("input_" + std::to_string(i) + ".pb"), inputs[i].SerializeAsString());
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    cli_runner::write_file(set / ("output_" + std::to_string(i) + ".pb"), outputs[i].SerializeAsString());
  }
}

// A folder as `topsplit onnx` reads it, made anew.
inline void write_folder(const std::filesystem::path& folder, model& written, const std::vector<TensorProto>& inputs,
                         const std::vector<TensorProto>& outputs) {
  std::filesystem::remove_all(folder);
  write_set(folder / "test_data_set_0", inputs, outputs);
  cli_runner::write_file(folder / "model.onnx", written.proto().SerializeAsString());
}

}  // namespace cli_models

#endif
