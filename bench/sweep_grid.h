// What a sweep measures: shapes, each done in several ways. Sets that have names, and grids of the user's own.

#ifndef TOPSPLIT_BENCH_SWEEP_GRID_H
#define TOPSPLIT_BENCH_SWEEP_GRID_H

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/split_shapes.h"
#include "bench/topk_shapes.h"

namespace topsplit::bench {

// The axes as the user wrote them, by option: "--n" -> "1e3..1e6*10". An option that is not there has its default.
using sweep_axes = std::map<std::string, std::string>;

// The options that name shapes, with what they are; all but --op ask for a grid of one's own.
struct axis_option {
  const char* name;
  const char* op;  // whose it is: "topk" or "split"
  const char* fallback;
  const char* text;
};
extern const std::vector<axis_option> shape_options;

struct sweep_shape {
  std::string name;
  std::string workload;  // "T01", or empty
  std::string what;      // in words
  std::string values;    // the distribution's name
  // One of the two, kept where it is: ways refer to it.
  std::shared_ptr<const topk_workload> topk;
  std::shared_ptr<const split_layout> split;
  std::size_t offset = 0;  // bytes from a cache line's boundary

  std::size_t input_bytes() const;
  std::size_t output_bytes() const;
};

struct sweep_way {
  std::string kind;  // "topsplit", "read", "copy", or a peer
  std::string isa_name;
  topsplit::isa isa = topsplit::isa::automatic;
  int threads = 1;
  std::string pool;  // who runs the tasks: "serial", "arena", "own", "pinned"

  std::string name() const;
};

// A named set: its shapes, and the axes of ways that it is made for.
struct sweep_set {
  std::vector<sweep_shape> shapes;
  sweep_axes ways;
};

// Throws std::invalid_argument for an unknown name; the text lists those there are.
sweep_set named_set(const std::string& name);
std::string set_names();

// The grid of the axes; `left_out` gets how many points had k above n, pieces that no element fits, or rows of more bytes
// than the input.
std::vector<sweep_shape> grid_of(const sweep_axes& axes, std::size_t& left_out);

// Ours for each ISA, thread count and pool, and the limits. `usable` is how many threads there may be.
std::vector<sweep_way> ways_of(const sweep_axes& axes, int usable);

// The number of threads of "--threads"; "all" is `usable`.
std::vector<int> thread_counts(const std::string& text, int usable);

}  // namespace topsplit::bench

#endif
