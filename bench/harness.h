// What all benchmarks share: the options, data that rotates, and how one case is measured.
//
// A case is a workload done in one way (public call, one ISA, the standard library). Its name is WORKLOAD/WAY. All ways
// of a workload run on the same inputs and (limits apart) must leave the bytes that the baseline leaves, else the case
// and the program fail. Times are wall-clock times, CPU times those of the whole process. Beside them stand these counters:
//   first_us      the case's first call, which is not among the measured ones
//   extra_peak    bytes that a call adds to the process's peak memory, as the kernel tells it of a forked child; 0 but
//   for noise
//                 of some pages is what the library promises
//   input         bytes of one input
//   rotation      bytes of all inputs that the calls go round; more than `llc` where one input is 16 MiB and more
//   llc           bytes of last-level cache, as the operating system has it or the user says
//   evicted       where data is to be cold: bytes of other data that go through the caches before each call

#ifndef TOPSPLIT_BENCH_HARNESS_H
#define TOPSPLIT_BENCH_HARNESS_H

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "topsplit/execution.h"
#include "topsplit/isa.h"
#include "topsplit/status.h"
#include "topsplit/tensor.h"

namespace topsplit::bench {

// Memory at a cache line's boundary, or so many bytes after one, that is there (touched), not merely promised.
class buffer {
 public:
  explicit buffer(std::size_t bytes, std::size_t offset = 0);
  std::byte* data() const { return data_.get() + offset_; }
  std::size_t size() const { return bytes_; }

 private:
  struct release {
    void operator()(std::byte* data) const { std::free(data); }
  };
  std::size_t bytes_, offset_;
  std::unique_ptr<std::byte, release> data_;
};

// One input in several copies of different content, and the outputs that every call writes.
struct tensors {
  std::vector<buffer> inputs;
  std::vector<buffer> outputs;
  std::vector<tensor> views;  // of the outputs, where the way takes them so
  std::size_t elements = 0;   // of one input
};

// Where a call finds its data.
enum class cache_state {
  rotating,  // inputs go round as bench/README.md's method says, outputs stay
  hot,       // one input, again and again
  memory,    // inputs and outputs go round over more than twice the last-level cache
  cold,      // one of each, thrown out of the caches before each call by reading as much as these hold
};

// How cases are measured that are registered from now on.
struct measuring {
  double min_time = 0;  // seconds for each repetition; 0: Google Benchmark's
  int repetitions = 0;  // 0: Google Benchmark's
  cache_state cache = cache_state::rotating;
  std::size_t cache_bytes = 0;  // what counts as the last level; 0: as the operating system has it
  bool extra_peak = true;       // false where a forked child cannot run a case: threads of its own stay behind
};
void set_measuring(const measuring& how);

// From a signal handler: the case at work ends with an error at its next call, as do all after it.
void stop_measuring() noexcept;
bool is_stopped() noexcept;

// Makes as many inputs of this size as the rotation takes; fill_input(seed, data) fills each. They start `offset` bytes after
// a cache line's boundary.
std::vector<buffer> rotating_inputs(std::size_t bytes, const std::function<void(std::uint64_t, void*)>& fill_input,
                                    std::size_t offset = 0);

// Computes the outputs of t from the input at `input`.
using way = std::function<status(const std::byte* input, const tensors& t)>;

// Registers WORKLOAD/name for each way. make_tensors is called when the first case of the workload runs; only one
// workload's tensors are held at a time. `baseline` is the way whose outputs are right.
struct named_way {
  std::string name;
  way run;
  bool same_outputs = true;  // false for a limit such as a bare read, which leaves no outputs
  // Where it is set it judges the outputs, which may then differ from the baseline's.
  std::function<void(const std::vector<buffer>& expected, const std::vector<buffer>& got)> judge = nullptr;
};
void register_workload(const std::string& workload, std::function<tensors()> make_tensors, way baseline,
                       std::vector<named_way> ways);

// Google Benchmark filters what is registered; to register a whole grid for that would take minutes and gigabytes, so a
// grid leaves out before what its filter cannot match. Without a filter (or with one of what to leave out) all is wanted.
bool filter_is_given();
std::vector<named_way> wanted_of(const std::string& workload, std::vector<named_way> ways);

// The options of a call on this ISA, after --threads.
execution execution_on(isa id);

// The ISAs to measure: those that this machine runs, or the one of --isa.
std::vector<isa_info> measured_isas();

// Reads --isa, --threads and --min-time, hands the rest to Google Benchmark, calls register_all, runs. Returns main's result: 0, 1
// where a case failed, or 2 for an argument that is none.
int run_benchmarks(int argc, char** argv, const std::function<void()>& register_all);

}  // namespace topsplit::bench

#endif
