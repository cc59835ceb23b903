// What a case expects: which kind of row it is, and whether an outcome is as expected.

#ifndef TOPSPLIT_TESTS_CASES_EXPECT_H
#define TOPSPLIT_TESTS_CASES_EXPECT_H

#include <string>
#include <vector>

#include "tests/cases_run.h"

namespace cases {

// "" when the outcome is as expected, else what differs. choice: which of `any_of` it is, from 1; 0 where there is none.
std::string difference(const problem& p, const outcome& got, int& choice);

// A property that is a procedure, done by ctests (or by the benchmarks) and not by the runner.
struct procedure {
  bool known;        // something does it
  std::string text;  // the ctests' names, or who else does it
};

// Whether the row is a procedure, and who does it.
bool is_procedure(const json& expect);
procedure procedure_of(const json& row);

// The names of all ctests that procedure_of mentions.
std::vector<std::string> procedure_ctests();

}  // namespace cases

#endif
