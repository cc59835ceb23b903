// Runs one case through the prepared operator of its opset, so that the version's rules apply.

#ifndef TOPSPLIT_TESTS_CASES_RUN_H
#define TOPSPLIT_TESTS_CASES_RUN_H

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tests/cases_elements.h"
#include "tests/oracle.h"
#include "topsplit/execution.h"

namespace cases {

// A row of a file with its input made.
struct problem {
  json row;
  data_type type;
  oracle::shape_t shape;
  bool has_data;
  elements input;
};

// What a row's input and outputs take, at least; 0 where the row has no data.
std::size_t bytes_needed(const json& row);

// Throws std::runtime_error, or a json::exception, where the row does not have the form.
problem make_problem(const json& row);

struct output {
  oracle::shape_t shape;
  elements data;
  bool operator==(const output& other) const { return shape == other.shape && data == other.data; }
};

// Values and indices of TopK, or the parts of Split; none where the call was refused.
struct outcome {
  bool refused = false;
  std::string text;    // of the refusal
  std::string damage;  // what the call did that no call may: wrote on a refusal, or outside its outputs
  std::vector<output> outputs;
};

outcome run(const problem& p, const topsplit::execution& how);

}  // namespace cases

#endif
