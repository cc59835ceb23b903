// Runs an ONNX model whose nodes are TopK, Split and Constant, each through the library's prepared operators.

#ifndef TOPSPLIT_CLI_ONNX_GRAPH_H
#define TOPSPLIT_CLI_ONNX_GRAPH_H

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/cli/array.h"
#include "src/cli/tensor_proto.h"
#include "topsplit/execution.h"

namespace topsplit::cli {

// Where an output comes straight from a TopK with sorted = 0, whose order ONNX leaves undefined.
struct unordered_origin {
  int node;          // outputs of one node belong together
  std::size_t axis;  // the order along it is free
};

struct graph_output {
  std::string name;
  std::shared_ptr<const array> value;
  std::optional<unordered_origin> unordered;
};

struct graph_run {
  std::vector<graph_output> outputs;   // as the graph lists them
  std::vector<std::string> operators;  // "TopK-11": what ran, each once
};

class onnx_model {
 public:
  // A failed_check names an operator, domain or attribute that the command does not run.
  explicit onnx_model(const std::string& path);
  ~onnx_model();

  // Each input goes to the initialiser of its name when the graph lets it be overridden, else to the next graph input.
  graph_run run(std::vector<named_array> inputs, const execution& how) const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace topsplit::cli

#endif
