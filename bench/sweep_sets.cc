// The sets that have names.

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "bench/sweep_grid.h"
#include "bench/value_list.h"

namespace topsplit::bench {
namespace {

sweep_shape shape_of(const topk_workload& w) {
  sweep_shape shape;
  shape.name = shape.workload = w.id;
  shape.what = w.what;
  shape.values = "workload";
  shape.topk = std::make_shared<topk_workload>(w);
  return shape;
}

sweep_shape shape_of(const split_workload& w) {
  sweep_shape shape;
  shape.name = shape.workload = w.id;
  shape.what = w.what;
  shape.values = "any_bits";
  shape.split = std::make_shared<split_layout>(layout_of(w));
  return shape;
}

// The rows of these ids, "" for all.
std::vector<sweep_shape> rows_of(const std::string& ids) {
  std::vector<sweep_shape> shapes;
  const auto is_wanted = [&](const std::string& id) { return ids.empty() || ids.find(id) != std::string::npos; };
  for (const topk_workload& w : topk_workloads) {
    if (is_wanted(w.id)) shapes.push_back(shape_of(w));
  }
  for (const split_workload& w : split_workloads) {
    if (is_wanted(w.id)) shapes.push_back(shape_of(w));
  }
  return shapes;
}

void add_grid(const sweep_axes& axes, std::vector<sweep_shape>& shapes) {
  std::size_t left_out = 0;
  std::vector<sweep_shape> more = grid_of(axes, left_out);
  std::move(more.begin(), more.end(), std::back_inserter(shapes));
}

// What a server's owner wants to see first: latency, reading, sorting, other axes, copies of each kind.
sweep_set quick() {
  sweep_set set = {rows_of("T01 T06 T15 T16 T21 T28 T29 T34 T39 S01 S06 S11 S19 S20"), {}};
  add_grid({{"--op", "topk"}, {"--n", "1e3..1e6*10"}, {"--k", "10,1000"}}, set.shapes);
  set.ways = {{"--min-time", "0.05"}, {"--repetitions", "5"}};
  return set;
}

// Many slices and one long one, blocks and narrow pieces, on ever more threads.
sweep_set scaling() {
  sweep_set set = {rows_of("T02 T06 T24 T28 S03 S11 S19 S22"), {}};
  add_grid({{"--op", "topk"}, {"--n", "1e6,1e7"}, {"--k", "100,1e5"}}, set.shapes);
  set.ways = {{"--threads", "scaling"}};
  return set;
}

sweep_set every_isa() {
  sweep_set set = {rows_of("T01 T03 T06 T07 T12 T16 T17 T20 T22 T28 T29 T32 T34 T35 T36 S01 S06 S11 S12 S19 S20 S26"),
                   {}};
  set.ways = {{"--isa", "all"}};
  return set;
}

// From the first cache to memory, reading beside copying.
sweep_set roofline() {
  sweep_set set;
  add_grid({{"--op", "topk"}, {"--n", "4K..64M*4"}, {"--k", "10"}}, set.shapes);
  add_grid({{"--op", "topk"}, {"--rows", "16K"}, {"--n", "1024"}, {"--k", "10"}}, set.shapes);
  add_grid({{"--op", "split"}, {"--bytes", "16K..256M*4"}, {"--piece", "8,4K"}}, set.shapes);
  set.ways = {{"--limits", "read,copy"}, {"--threads", "1,all"}, {"--cache", "hot"}};
  return set;
}

struct named_maker {
  const char* name;
  sweep_set (*make)();
};
constexpr named_maker makers[] = {{"workloads",
                                   [] {
                                     return sweep_set{rows_of(""), {}};
                                   }},
                                  {"quick", quick},
                                  {"scaling", scaling},
                                  {"isa", every_isa},
                                  {"roofline", roofline}};

}  // namespace

std::string set_names() {
  std::string names;
  for (const named_maker& maker : makers) names += std::string(names.empty() ? "" : ", ") + maker.name;
  return names;
}

sweep_set named_set(const std::string& name) {
  for (const named_maker& maker : makers) {
    if (name == maker.name) return maker.make();
  }
  throw std::invalid_argument("--set: \"" + name + "\" is none of " + set_names());
}

}  // namespace topsplit::bench
