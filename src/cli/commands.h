// The subcommands. Each does its work or throws a failure; main reads the arguments and turns both into an exit status.

#ifndef TOPSPLIT_CLI_COMMANDS_H
#define TOPSPLIT_CLI_COMMANDS_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "src/cli/npy.h"
#include "topsplit/execution.h"

namespace topsplit::cli {

struct topk_arguments {
  std::string input;
  std::int64_t k = 0;
  std::int64_t axis = -1;
  bool smallest = false;
  bool unsorted = false;
  std::vector<std::string> outputs;  // values and indices; empty: a table
};

// Files, views and tables for so many parts would fill the memory; a tensor with an empty axis can be cut into any
// number.
inline constexpr std::int64_t parts_limit = 1 << 20;

struct split_arguments {
  std::string input;
  std::int64_t axis = 0;
  std::optional<std::string> parts;  // "a,b,c"
  std::optional<std::int64_t> num_outputs;
  std::optional<std::string> prefix;  // absent: a table
};

struct onnx_arguments {
  std::vector<std::string> folders;
  bool run = false;
  std::string output_folder;
};

struct sweep_arguments {
  std::vector<std::string> sets, against;
  std::map<std::string, std::string> axes;  // by option, as written
  std::string filter, output;
  bool list = false, restart = false;
};

struct report_arguments {
  std::vector<std::string> results;
  std::string html, csv, markdown;
  double threshold = 3;  // per cent
  bool fail_on_regression = false;
};

void run_info(const execution& how);
void run_knobs(const execution& how);  // info --knobs
void run_topk(const topk_arguments& arguments, sixteen_bits reading, const execution& how);
void run_split(const split_arguments& arguments, sixteen_bits reading, const execution& how);

// Throws failed_check when folders failed by comparison alone, failure when one could not be read or run.
void run_onnx(const onnx_arguments& arguments, const execution& how);

// Throws failed_check when a result was wrong.
void run_sweep(const sweep_arguments& arguments, const execution& how);

// Throws failed_check where the arguments ask for it and there is a regression.
void run_report(const report_arguments& arguments);

struct tune_arguments {
  std::string output;  // empty: user_profile()
  bool quick = false;
};
void run_tune(const tune_arguments& arguments);

// The profile in the user's configuration; "" without a home.
std::string user_profile();

// Loads user_profile() where it is there and TOPSPLIT_PROFILE names none; `info` tells what came of it.
void load_user_profile();
std::string profile_text();

// A whole decimal number, or a failure that opens with `what`.
std::int64_t parse_integer(const std::string& what, const std::string& text);

}  // namespace topsplit::cli

#endif
