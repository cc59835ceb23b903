// Compares what a model gave with what it should give: type, shape and every byte.

#ifndef TOPSPLIT_CLI_COMPARE_H
#define TOPSPLIT_CLI_COMPARE_H

#include <string>
#include <vector>

#include "src/cli/array.h"
#include "src/cli/onnx_graph.h"

namespace topsplit::cli {

// Empty when they are equal, else the first difference as text. Where an output's order is free, each of its slices is
// compared as a set; values and indices of one TopK as a set of pairs, when the model gives both.
std::string find_difference(const std::vector<graph_output>& got, const std::vector<array>& expected);

}  // namespace topsplit::cli

#endif
