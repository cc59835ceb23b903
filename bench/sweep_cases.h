// One shape's points as Google Benchmark takes them.

#ifndef TOPSPLIT_BENCH_SWEEP_CASES_H
#define TOPSPLIT_BENCH_SWEEP_CASES_H

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/peers.h"
#include "bench/sweep_grid.h"

namespace topsplit::bench {

struct sweep_point {
  std::string name;  // SHAPE/WAY
  sweep_way by;
  std::shared_ptr<std::string> check = std::make_shared<std::string>();  // how the outputs compare
};

// Pools by "own3", "pinned8": made when first asked for, and kept.
class pool_keeper {
 public:
  std::shared_ptr<thread_pool> get(const std::string& kind, int threads);

 private:
  std::map<std::string, std::shared_ptr<thread_pool>> pools_;
};

using open_peers = std::map<std::string, std::unique_ptr<peer>>;

// Registers the points that can be done; those that cannot (a peer without this call) are taken out of the list.
void register_points(const sweep_shape& shape, std::vector<sweep_point>& points, const open_peers& peers,
                     pool_keeper& pools);

// What the result says of a point: its shape, its way, and for ours the plan.
nlohmann::ordered_json describe(const sweep_shape& shape, const sweep_point& point, const std::string& cache);

// The plan's choice over n and k for some types, on the ISA that runs: {"isa", "n", "k", "types": {"float": ["rows rows - -",
// ...]}}, a text for each k.
nlohmann::ordered_json plan_map();

}  // namespace topsplit::bench

#endif
