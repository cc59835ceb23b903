// `topsplit tune`: what is measured is in bench/tune.cc; here are the table and the file.

#include <filesystem>
#include <iostream>

#include "bench/tune.h"
#include "src/cli/commands.h"
#include "src/cli/failure.h"
#include "src/cli/file_io.h"
#include "src/cli/machine.h"
#include "src/cli/table.h"
#include "topsplit/topsplit.h"

namespace topsplit::cli {
namespace {

std::string percent_text(double part) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", part * 100);
  return text;
}

}  // namespace

void run_tune(const tune_arguments& arguments) {
  const std::string path = arguments.output.empty() ? user_profile() : arguments.output;
  if (path.empty()) throw failure("tune: there is no home directory for the profile; give one by -o");
  output_files files;
  if (arguments.output.empty()) {
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    files.add_folder(folder.parent_path().string());
    files.add_folder(folder.string());
  }
  output_files().add(path, {}, {});  // a path that cannot be is told before it is measured
  const std::vector<bench::tuned_size> sizes =
      bench::tune(machine_facts()[0].second, usable_threads(), arguments.quick);
  const std::string profile = bench::profile_of(machine_facts()[0].second, sizes);
  text_table table({"threshold", "old", "new", "gain, %", "noise, %"});
  for (const bench::tuned_size& size : sizes) {
    table.add({size.name, std::to_string(size.own), std::to_string(size.value != 0 ? size.value : size.own),
               percent_text(size.gain), percent_text(size.noise)});
  }
  files.add(path, profile, {});
  files.commit(durability::synced);
  table.print(std::cout);
  std::cout
      << "old: the plan's own, which for topk_grain_bytes and topk_parallel_from_bytes count work, new ones input\n"
      << "written to " << path << '\n';
}

}  // namespace topsplit::cli
