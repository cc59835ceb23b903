// `topsplit info`: what this build and this machine have, as a bug report needs it.

#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "src/cli/commands.h"
#include "src/cli/failure.h"
#include "src/cli/machine.h"
#include "src/cli/table.h"
#include "topsplit/topsplit.h"

namespace topsplit::cli {
namespace {

// How many tasks a call may use is asked of the plan, for a call that is large enough for any number of them.
explanation explain_large_call(const execution& how) {
  const std::int64_t shape[] = {std::int64_t{1} << 24, 1024};
  topk_options options;
  options.run = how;
  explanation answer{};
  require(explain_topk({nullptr, data_type::f32, shape, 2}, 1, options, answer));
  return answer;
}

void print_isas(isa selected) {
  text_table table({"ISA", "built", "available", "selected", "vector bytes"});
  for (const isa id : {isa::generic, isa::sse2, isa::avx2, isa::avx512bw, isa::avx512vbmi2, isa::neon64, isa::sve}) {
    std::vector<std::string> row{isa_name(id), "no", "-", "-", "-"};
    for (std::size_t i = 0; i < isa_count(); ++i) {
      const isa_info info = isa_at(i);
      if (info.id != id) continue;
      row = {info.name, "yes", info.available ? "yes" : "no", id == selected ? "yes" : "no",
             std::to_string(info.vector_bytes)};
    }
    table.add(std::move(row));
  }
  table.print(std::cout);
}

}  // namespace

void run_info(const execution& how) {
  isa selected;
  if (const status known = selected_isa(selected); !known.ok()) {
    const std::string text = known.text();  // opens with the library's function: "selected_isa: TOPSPLIT_ISA = ..."
    const std::size_t variable = text.find("TOPSPLIT_ISA");
    throw failure(variable == std::string::npos ? text : text.substr(variable));
  }
  const explanation large = explain_large_call(how);
  std::cout << "topsplit " << version() << '\n';
  for (const auto& [name, value] : machine_facts()) std::cout << name << ": " << one_line(value) << '\n';
  std::cout << '\n';
  print_isas(selected);
  std::cout << "\nthreads: a call may use " << large.tasks << " of " << std::thread::hardware_concurrency()
            << " (--threads " << how.max_tasks << (how.max_tasks == 0 ? ": no limit of its own" : "") << ")\n";
  std::cout << "profile: " << one_line(profile_text()) << '\n';
  const char* forced = std::getenv("TOPSPLIT_ISA");
  std::cout << "TOPSPLIT_ISA: " << (forced != nullptr ? one_line(forced) : "not set, the widest available ISA runs")
            << '\n';
}

}  // namespace topsplit::cli
