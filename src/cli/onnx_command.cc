// `topsplit onnx`: ONNX's node-test folders, checked or run.
//   DIR/model.onnx, DIR/test_data_set_N/input_M.pb, DIR/test_data_set_N/output_M.pb

#include <algorithm>
#include <exception>
#include <filesystem>
#include <iostream>
#include <map>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

#include "src/cli/commands.h"
#include "src/cli/compare.h"
#include "src/cli/failure.h"
#include "src/cli/onnx_graph.h"
#include "src/cli/tensor_proto.h"

namespace topsplit::cli {
namespace {

namespace fs = std::filesystem;

// The entries of a folder that are called prefix + number + suffix, by number.
std::map<std::int64_t, fs::path> numbered(const fs::path& folder, const std::string& prefix,
                                          const std::string& suffix) {
  std::map<std::int64_t, fs::path> found;
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  if (error) throw failure(folder.string() + ": " + error.message());
  for (const auto& entry : entries) {
    const std::string name = entry.path().filename().string();
    if (name.size() <= prefix.size() + suffix.size() || name.rfind(prefix, 0) != 0) continue;
    const std::string number = name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
    const bool digits = number.find_first_not_of("0123456789") == std::string::npos && number.size() < 10;
    if (digits && name == prefix + number + suffix) found.emplace(std::stoll(number), entry.path());
  }
  return found;
}

// The tensors 0, 1, 2, ... of a test data set; a number that is left out is a failure.
std::vector<named_array> read_tensors(const fs::path& set, const std::string& prefix) {
  std::vector<named_array> tensors;
  for (const auto& [number, path] : numbered(set, prefix, ".pb")) {
    if (number != static_cast<std::int64_t>(tensors.size())) {
      throw failure(set.string() + ": " + prefix + std::to_string(tensors.size()) + ".pb is missing");
    }
    tensors.push_back(read_tensor(path.string()));
  }
  return tensors;
}

std::map<std::int64_t, fs::path> data_sets(const fs::path& folder) {
  auto sets = numbered(folder, "test_data_set_", "");
  if (sets.empty()) throw failure(folder.string() + ": there is no test_data_set_N in it");
  return sets;
}

std::string folder_name(const std::string& folder) {
  const fs::path path = fs::path(folder).lexically_normal();
  return path.has_filename() ? path.filename().string() : path.parent_path().filename().string();
}

// Also where a shell's pattern matched nothing and came through as it is.
void expect_folder(const std::string& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) throw failure(folder + ": " + (error ? error.message() : "Not a directory"));
}

// A text that opens with a folder's path, from after it on: a line that names the folder need not name it twice.
std::string without_path(const std::string& text, std::string folder) {
  folder.erase(folder.find_last_not_of('/') + 1);
  if (folder.empty() || text.rfind(folder, 0) != 0) return text;
  const std::size_t rest = text.find_first_not_of('/', folder.size());
  if (text.compare(rest, 2, ": ") == 0) return text.substr(rest + 2);
  return rest == folder.size() ? text : text.substr(rest);
}

// Runs every set of a folder and compares; returns what ran: "Split-13, TopK-11".
std::string check_folder(const std::string& folder, const execution& how) {
  expect_folder(folder);
  const onnx_model model((fs::path(folder) / "model.onnx").string());
  std::vector<std::string> operators;
  for (const auto& [number, set] : data_sets(folder)) {
    const graph_run result = model.run(read_tensors(set, "input_"), how);
    std::vector<array> expected;
    for (named_array& tensor : read_tensors(set, "output_")) expected.push_back(std::move(tensor.value));
    const std::string difference = find_difference(result.outputs, expected);
    if (!difference.empty()) throw failed_check("test_data_set_" + std::to_string(number) + ": " + difference);
    operators = result.operators;
  }
  std::string text;
  for (const std::string& name : operators) text += (text.empty() ? "" : ", ") + name;
  return text;
}

void check_folders(const std::vector<std::string>& folders, const execution& how) {
  std::size_t passed = 0, failed = 0;
  std::optional<std::string> bad_input;  // the first
  for (const std::string& folder : folders) {
    const std::string name = one_line(folder_name(folder));
    const auto fail = [&](const std::string& why) {
      std::cout << "FAIL " << name << ": " << one_line(why) << '\n';
      ++failed;
    };
    const auto fail_for_input = [&](const std::string& text) {
      const std::string why = without_path(text, folder);
      fail(why);
      if (!bad_input) bad_input = name + ": " + why;
    };
    try {
      const std::string operators = check_folder(folder, how);
      std::cout << "PASS " << name << " (" << operators << ")\n";
      ++passed;
    } catch (const failed_check& error) {
      fail(error.what());
    } catch (const std::bad_alloc&) {
      fail_for_input("out of memory");
    } catch (const std::exception& error) {
      fail_for_input(error.what());
    }
  }
  std::cout << passed << " passed, " << failed << " failed\n";
  if (bad_input) throw failure(*bad_input);
  if (failed != 0) throw failed_check("");
}

// OUTDIR gets the same layout as DIR: test_data_set_N/output_M.pb.
void run_folder(const std::string& folder, const std::string& output_folder, const execution& how) {
  const onnx_model model((fs::path(folder) / "model.onnx").string());
  output_files files;
  files.add_folder(output_folder);
  for (const auto& [number, set] : data_sets(folder)) {
    const graph_run result = model.run(read_tensors(set, "input_"), how);
    const fs::path target = fs::path(output_folder) / set.filename();
    files.add_folder(target.string());
    for (std::size_t i = 0; i < result.outputs.size(); ++i) {
      const graph_output& output = result.outputs[i];
      const fs::path path = target / ("output_" + std::to_string(i) + ".pb");
      files.add(path.string(), tensor_file(output.name, *output.value), {});
    }
  }
  files.commit();
}

}  // namespace

void run_onnx(const onnx_arguments& arguments, const execution& how) {
  if (arguments.run == arguments.output_folder.empty()) throw failure("onnx: --run and -o OUTDIR need each other");
  if (!arguments.run) return check_folders(arguments.folders, how);
  if (arguments.folders.size() != 1) throw failure("onnx: --run takes one DIR");
  expect_folder(arguments.folders[0]);
  try {
    run_folder(arguments.folders[0], arguments.output_folder, how);
  } catch (const failed_check& error) {
    throw failure(folder_name(arguments.folders[0]) + ": " + error.what());
  }
}

}  // namespace topsplit::cli
