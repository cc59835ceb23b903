// `topsplit info --knobs`: everything that affects threads, instruction set, grain and stores, with its default, what it
// does, and what is in force here and where that comes from. README.md has the same rows; a test compares the names.

#include <cstdlib>
#include <iostream>

#include "src/cli/commands.h"
#include "src/cli/failure.h"
#include "src/cli/machine.h"
#include "src/cli/table.h"
#include "src/cpu_quota.h"
#include "topsplit/topsplit.h"

namespace topsplit::cli {
namespace {

std::string isa_in_force(const execution&) {
  isa selected;
  require(selected_isa(selected));
  isa of_variable = isa::automatic;
  const char* variable = std::getenv("TOPSPLIT_ISA");
  const bool is_set = variable != nullptr && isa_from_name(variable, of_variable).ok() && of_variable != isa::automatic;
  const std::string name = isa_name(selected);
  if (is_set && of_variable == selected) return name + " (TOPSPLIT_ISA)";
  for (std::size_t i = isa_count(); i-- > 0;) {
    if (!isa_at(i).available) continue;
    return name + (isa_at(i).id == selected ? " (the widest available)" : " (--isa)");
  }
  return name;
}

std::string variable_in_force(const execution&) {
  const char* variable = std::getenv("TOPSPLIT_ISA");
  return variable == nullptr || variable[0] == '\0' ? "not set" : one_line(variable);
}

std::string profile_variable(const execution&) {
  const char* variable = std::getenv("TOPSPLIT_PROFILE");
  return variable == nullptr || variable[0] == '\0' ? "not set" : one_line(variable);
}

std::string tasks_in_force(const execution& how) {
  const int usable = usable_threads();
  if (how.max_tasks > 0 && how.max_tasks < usable) return std::to_string(how.max_tasks) + " (--threads)";
  return std::to_string(usable) + " (affinity and quota)";
}

std::string affinity_in_force(const execution&) { return machine_facts()[1].second; }

std::string quota_in_force(const execution&) {
  const int quota = detail::cpu_quota();
  return quota == detail::no_cpu_quota ? "none" : std::to_string(quota) + " processors";
}

std::string profile_state(const execution&) { return one_line(profile_text()); }

std::string of_the_call(const execution&) { return "the call's"; }
std::string of_the_thresholds(const execution&) { return "the call's, else as below"; }

struct knob {
  const char* name;
  const char* fallback;
  const char* effect;
  std::string (*in_force)(const execution& how);
};

constexpr knob knobs[] = {
    {"execution::isa", "automatic", "the instruction set of one call", of_the_call},
    {"force_isa", "automatic", "the instruction set of the process; --isa of the command", isa_in_force},
    {"TOPSPLIT_ISA", "not set", "the instruction set where neither call nor process names one", variable_in_force},
    {"execution::threads", "arena", "who runs tasks: arena (oneTBB), serial, callback", of_the_call},
    {"execution::max_tasks", "0: no limit", "at most so many tasks at once; --threads of the command", tasks_in_force},
    {"execution::parallel_for", "none", "the caller's own threads, for callback", of_the_call},
    {"in_arena", "the caller's arena", "lends a tbb::task_arena, whose width is then a limit", of_the_call},
    {"tbb::global_control", "not set", "oneTBB's own limit on threads of the process, which is kept to", of_the_call},
    {"affinity mask", "all processors", "taskset, numactl: at most as many tasks as processors in it",
     affinity_in_force},
    {"cgroup quota", "none", "cpu.max: at most as many tasks as whole processors in it", quota_in_force},
    {"load_profile", "none",
     "the thresholds that topsplit tune has measured; ~/.config/topsplit/profile for the command", profile_state},
    {"TOPSPLIT_PROFILE", "not set", "the path of a profile, read before the first plan", profile_variable},
    {"execution::grain_bytes", "0: the plan's", "the least input that a task takes at a time", of_the_thresholds},
    {"execution::parallel_from_bytes", "0: the plan's", "a call on less input is serial", of_the_thresholds},
    {"execution::stream_from_bytes", "0: the caches'", "Split: outputs of so many bytes go past the caches",
     of_the_thresholds},
};

}  // namespace

void run_knobs(const execution& how) {
  text_table table({"knob", "default", "effect", "in force"});
  for (const knob& row : knobs) table.add({row.name, row.fallback, row.effect, row.in_force(how)});
  for (std::size_t i = 0; i < threshold_count(); ++i) {
    const threshold t = threshold_at(i);
    const std::string own = std::to_string(t.own);
    const std::string in_force =
        t.profiled != 0 ? std::to_string(t.profiled) + " (the profile)" : own + " (the plan's own)";
    table.add({t.name, own, t.effect, in_force});
  }
  table.print(std::cout);
  std::cout << "\nNUMA nodes: " << one_line(machine_facts()[3].second)
            << "\nThe call goes before the process, the process before the environment.\n";
}

}  // namespace topsplit::cli
