// Who does the rows that are procedures. A property is recognized by a word of its text, so that kin ("integration: quota"
// and "integration: cpu quota") find the same tests, in whatever case; one without any such word is a person's to do
// if it says how, else unknown.

#include <algorithm>

#include "tests/cases_expect.h"

namespace cases {
namespace {

struct entry {
  std::vector<const char*> words;  // in small letters
  std::vector<const char*> topk;   // ctests for a row of TopK ...
  std::vector<const char*> split;  // ... and of Split; empty: those of TopK, which try both operators or the library
};

// More telling words come first.
const std::vector<entry>& entries() {
  static const std::vector<entry> all = {
      {{"determinism", "reproducib"},
       {"topk_cases_test.topk_determinism.many_ties_at_the_threshold",
        "topk_cases_test.topk_determinism.few_of_a_long_row"},
       {"threads_calls_test.threaded_split.same_bytes_in_every_way"}},
      {{"alignment", "unaligned", "misaligned"},
       {"topk_cases_test.topk_alignment.every_shift_of_every_pointer"},
       {"split_cases_test.split_alignment.every_shift_of_every_pointer"}},
      {{"aliasing"},
       {"topk_cases_test.topk_aliasing.overlap_is_refused"},
       {"split_cases_test.split_aliasing.overlap_is_refused"}},
      {{"index type"}, {"topk_cases_test.topk_index_type.exactly_k_int64_a_slice_are_written"}, {}},
      {{"concurrency", "thread safety"},
       {"threads_calls_test.threaded_topk.concurrent_callers_share_one_operator",
        "dispatch_test.dispatch.threads_choose_and_force_at_once"},
       {}},
      {{"memory", "rss"},
       {"memory_peak_test.peak.heap_of_one_thread", "memory_peak_test.peak.heap_of_eight_tasks",
        "memory_peak_test.peak.resident_memory"},
       {"memory_allocation_test.heap.serial_split_of_every_kind", "memory_allocation_test.heap.warm_calls_with_tasks"}},
      {{"stack"}, {"memory_stack_test.each/stack_of.topk/float"}, {"memory_stack_test.each/stack_of.split/float"}},
      {{"fp environment"},
       {"float_environment_test.float_environment.loading_the_library_changes_nothing",
        "float_environment_test.float_environment.workers_keep_the_default_mode"},
       {}},
      {{"daz", "denormal", "subnormal"}, {"float_environment_test.float_environment.a_row_of_denormals_under_daz"}, {}},
      {{"oldest cpu"}, {"qemu.qemu64.cpu_features", "qemu.qemu64.dispatch", "qemu.qemu64.onnx_node_tests"}, {}},
      {{"odr"}, {"isa_symbols", "isa_symbols_other"}, {}},
      {{"xcr0"},
       {"cpu_features_test.x86_detection.without_osxsave_xcr0_is_never_read",
        "cpu_features_test.x86_detection.what_the_system_saves",
        "cpu_features_test.x86_detection.each_feature_by_its_own_bit"},
       {}},
      {{"force isa"},
       {"dispatch_test.environment.decides_where_nothing_is_forced",
        "dispatch_test.dispatch.what_is_missing_is_refused_and_changes_nothing",
        "dispatch_test.dispatch.every_table_gives_the_same_bytes"},
       {}},
      {{"quota"},
       {"threads_quota_test.cpu_quota_files.v2_rounds_down_and_is_at_least_one",
        "threads_quota_test.cpu_quota_files.v1", "threads_quota_test.cpu_quota.real_group",
        "threads_test.parallel_width.affinity_of_the_calling_thread_now"},
       {}},
      {{"affinity"}, {"threads_test.parallel_width.affinity_of_the_calling_thread_now"}, {}},
      {{"unload"},
       {"threads_unload_test.threads_unload.fifty_rounds", "threads_unload_test.threads_exit.from_main",
        "threads_unload_test.threads_exit.from_another_thread"},
       {}},
      {{"exit"},
       {"threads_unload_test.threads_exit.from_main", "threads_unload_test.threads_exit.from_another_thread"},
       {}},
      {{"fork"},
       {"threads_process_test.threads_fork.child_after_a_parallel_call",
        "threads_process_test.threads_fork.child_of_another_thread"},
       {}},
      {{"nested"}, {"threads_calls_test.threaded_topk.nested_in_a_parallel_for_with_a_mutex_held"}, {}},
      {{"idle"}, {"threads_process_test.threads_process.idle_between_calls"}, {}},
      {{"dlopen"}, {"threads_unload_test.threads_unload.fifty_rounds"}, {}},
      {{"dlclose"}, {"threads_unload_test.threads_unload.fifty_rounds"}, {}},
      {{"global_control"}, {"threads_test.parallel_width.global_control"}, {}},
      {{"arena"},
       {"threads_test.parallel_width.arenas", "threads_test.parallel_ranges.a_lent_arena_is_the_one_that_runs"},
       {}},
      {{"cancel"}, {"threads_calls_test.threaded_topk.works_in_a_cancelled_group"}, {}},
      {{"symbols"}, {"isa_symbols", "isa_symbols_other", "exports"}, {}},
      {{"install"}, {"install.shared.cpp_find_package", "install.static.cpp_find_package"}, {}},
      {{"alloc"},
       {"memory_allocation_test.heap.serial_topk_of_every_kind", "memory_allocation_test.heap.warm_calls_with_tasks"},
       {"memory_allocation_test.heap.serial_split_of_every_kind", "memory_allocation_test.heap.warm_calls_with_tasks"}},
      {{"benchmark method"}, {"benchmark_method"}, {}},
      {{"prefix"}, {"topk_contract_test.each/topk_contract.result_for_k_begins_that_for_more/float"}, {}},
      {{"red zone", "guard"},
       {"topk_cases_test.topk_alignment.every_shift_of_every_pointer", "topsplit_cases.own"},
       {"split_cases_test.split_alignment.every_shift_of_every_pointer", "topsplit_cases.own"}},
      {{"input unchanged"}, {"topsplit_cases.own"}, {}},
      {{"rounding"},
       {"float_environment_test.each/float_environment.topk_is_the_same_in_every_mode/float",
        "threads_test.parallel_ranges.workers_have_the_callers_rounding_and_it_stays"},
       {"float_environment_test.each/float_environment.split_is_the_same_in_every_mode/float",
        "threads_test.parallel_ranges.workers_have_the_callers_rounding_and_it_stays"}},
      {{"exception"},
       {"topk_errors_test.topk_errors.options", "threads_process_test.threads_process.no_thread_to_be_had"},
       {"split_errors_test.split_errors.options", "threads_process_test.threads_process.no_thread_to_be_had"}},
      {{"link"}, {"install.static.cpp_find_package"}, {}},
  };
  return all;
}

}  // namespace

procedure procedure_of(const json& row) {
  const json& expect = row.at("expect");
  const auto property = expect.at("property").get<std::string>();
  std::string small = property;
  std::transform(small.begin(), small.end(), small.begin(),
                 [](char c) { return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (small == "perf") return {true, "measured by bench/perf_cases"};
  for (const entry& e : entries()) {
    const auto named = [&small](const char* word) { return small.find(word) != std::string::npos; };
    if (std::none_of(e.words.begin(), e.words.end(), named)) continue;
    const bool own = row.at("op") == "Split" && !e.split.empty();
    std::string text = property + ", by ctest ";
    for (const char* name : own ? e.split : e.topk) {
      text += (text.back() == ' ' ? "" : ", ") + std::string(name);
    }
    return {true, text};
  }
  if (expect.contains("steps") && !expect["steps"].empty()) {
    return {true, "no ctest of this project does it: its steps are for a person"};
  }
  return {false, "unknown property \"" + property + "\""};
}

std::vector<std::string> procedure_ctests() {
  std::vector<std::string> names;
  for (const entry& e : entries()) {
    names.insert(names.end(), e.topk.begin(), e.topk.end());
    names.insert(names.end(), e.split.begin(), e.split.end());
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace cases
