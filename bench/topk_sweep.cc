// TopK swept over n, k, type, inner size, distribution, direction and order, one tensor of [1, n, inner] a case, with
// the ways of topk_bench. Names are n=.../k=.../TYPE/inner=.../DISTRIBUTION/largest|smallest/by_value|by_index/WAY.
// Without a filter a case differs from a common shape in one thing; with one, it picks from the whole grid.

#include <algorithm>
#include <list>
#include <string>
#include <vector>

#include "bench/topk_shapes.h"

namespace topsplit::bench {
namespace {

constexpr std::int64_t lengths[] = {1000, 10000, 100000, 1000000, 10000000};
constexpr std::int64_t inner_sizes[] = {1, 3, 64, 1000};
constexpr data_type types[] = {data_type::f32, data_type::f64, data_type::f16, data_type::bf16,
                               data_type::i8,  data_type::i16, data_type::i32, data_type::i64,
                               data_type::u8,  data_type::u16, data_type::u32, data_type::u64};
constexpr std::int64_t most_elements = 40'000'000;   // no larger tensor is made
constexpr std::int64_t most_by_default = 1'000'000;  // nor one than this without a filter

// The shape that cases without a filter differ from in one thing.
constexpr std::int64_t common_n = 100'000, common_n_of_inner = 1000, common_k = 100;

std::vector<std::int64_t> ks_of(std::int64_t n) {
  std::vector<std::int64_t> ks = {1, 10, 100, 1000, n / 10, n / 2, n};
  std::sort(ks.begin(), ks.end());
  ks.erase(std::unique(ks.begin(), ks.end()), ks.end());
  return ks;
}

// One point of the grid: a workload and what of its name the workload does not hold.
struct point {
  topk_workload w;
  const char* values_name;

  std::int64_t n() const { return w.shape[1]; }
  std::int64_t inner() const { return w.shape[2]; }

  std::string name() const {
    return "n=" + std::to_string(n()) + "/k=" + std::to_string(w.k) + "/" + data_type_name(w.type) +
           "/inner=" + std::to_string(inner()) + "/" + values_name +
           (w.select == topk_select::largest ? "/largest" : "/smallest") +
           (w.order == topk_order::by_value ? "/by_value" : "/by_index");
  }

  // In how many things it differs from the common shape; n and k are one.
  int distance() const {
    return int{n() != (inner() == 1 ? common_n : common_n_of_inner) || w.k != common_k} + int{w.type != types[0]} +
           int{inner() != inner_sizes[0]} + int{w.values != named_distributions[0].values} +
           int{w.select != topk_select::largest} + int{w.order != topk_order::by_value};
  }
};

template <class F>
void for_each_point(F f) {
  for (const std::int64_t n : lengths) {
    for (const std::int64_t k : ks_of(n)) {
      for (const data_type type : types) {
        for (const std::int64_t inner : inner_sizes) {
          if (n * inner > most_elements) continue;
          for (const named_distribution& d : named_distributions) {
            for (const topk_select select : {topk_select::largest, topk_select::smallest}) {
              for (const topk_order order : {topk_order::by_value, topk_order::by_index}) {
                f(point{{"", "", {1, n, inner}, 3, 1, k, type, d.values, select, order}, d.name});
              }
            }
          }
        }
      }
    }
  }
}

void register_all() {
  static std::list<topk_workload> kept;
  for_each_point([&](const point& p) {
    if (!filter_is_given() && (p.distance() > 1 || p.n() * p.inner() > most_by_default)) return;
    const topk_workload& w = kept.emplace_back(p.w);
    std::vector<named_way> ways = wanted_of(p.name(), public_ways(w));
    if (!filter_is_given() && p.distance() > 0) ways.resize(3);  // std, read, public
    if (ways.empty()) return kept.pop_back();
    register_workload(
        p.name(), [&w] { return tensors_of(w); }, baseline_of(w), std::move(ways));
  });
}

}  // namespace
}  // namespace topsplit::bench

int main(int argc, char** argv) { return topsplit::bench::run_benchmarks(argc, argv, topsplit::bench::register_all); }
