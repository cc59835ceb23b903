#include "bench/sweep_cases.h"

#include <algorithm>
#include <cstring>

#include "topsplit/topsplit.h"

namespace topsplit::bench {
namespace {

using json = nlohmann::ordered_json;

void run_in_pool(void* pool, std::int32_t count, void (*task)(void*, std::int32_t), void* task_context) {
  static_cast<thread_pool*>(pool)->run(count, [&](std::int32_t i) { task(task_context, i); });
}

execution execution_of(const sweep_way& by, pool_keeper& pools) {
  execution run;
  run.isa = by.isa;
  run.max_tasks = by.threads;
  if (by.threads == 1) {
    run.threads = threading::serial;
  } else if (by.pool != "arena") {
    run.threads = threading::callback;
    run.parallel_for = run_in_pool;
    run.parallel_for_context = pools.get(by.pool, by.threads).get();
    run.parallel_for_width = by.threads;
  }
  return run;
}

topk_options options_of(const topk_workload& w, const execution& run) {
  topk_options options = options_of(w, isa::automatic);
  options.run = run;
  return options;
}

// Shares [0, bytes) among the pool's threads, cut at cache lines.
template <class F>
void in_shares(thread_pool& pool, std::size_t bytes, F work) {
  if (pool.width() == 1) return work(std::size_t{0}, bytes);
  const auto width = static_cast<std::size_t>(pool.width());
  const std::size_t share = (bytes / width + 63) / 64 * 64;
  pool.run(pool.width(), [&](std::int32_t i) {
    const std::size_t begin = std::min(bytes, static_cast<std::size_t>(i) * share);
    const std::size_t end = static_cast<std::size_t>(i) + 1 == width ? bytes : std::min(bytes, begin + share);
    if (begin < end) work(begin, end - begin);
  });
}

way read_way(std::shared_ptr<thread_pool> pool) {
  return [pool](const std::byte* input, const tensors& t) {
    in_shares(*pool, t.inputs[0].size(), [&](std::size_t at, std::size_t bytes) { keep(read_all(input + at, bytes)); });
    return status();
  };
}

// The block that is copied to is the last output, which copy_tensors has added.
way copy_way(std::shared_ptr<thread_pool> pool) {
  return [pool](const std::byte* input, const tensors& t) {
    std::byte* target = t.outputs[0].data();
    in_shares(*pool, t.inputs[0].size(),
              [&](std::size_t at, std::size_t bytes) { std::memcpy(target + at, input + at, bytes); });
    return status();
  };
}

tensors make_tensors(const sweep_shape& shape, bool one_block) {
  tensors t;
  if (shape.topk) {
    t = tensors_of(*shape.topk);
  } else {
    const std::size_t bytes = shape.split->bytes();
    t.elements = bytes / data_type_bytes(shape.split->type);
    t.inputs = rotating_inputs(
        bytes, [bytes](std::uint64_t seed, void* data) { fill_bytes(seed, bytes, data); }, shape.offset);
    if (!one_block) add_outputs(*shape.split, shape.offset, t);
  }
  if (one_block) {
    t.outputs.clear();
    t.outputs.emplace_back(t.inputs[0].size(), shape.offset);
  }
  return t;
}

// Also makes the check of a peer's outputs; an empty function where it has no such call.
way way_of(const sweep_shape& shape, const sweep_way& by, const open_peers& peers, pool_keeper& pools) {
  if (by.kind == "read") return read_way(pools.get("own", by.threads));
  if (by.kind == "copy") return copy_way(pools.get("own", by.threads));
  if (by.kind == "topsplit") {
    const execution run = execution_of(by, pools);
    return shape.topk ? call_of(*shape.topk, options_of(*shape.topk, run)) : call_of(*shape.split, run);
  }
  peer& other = *peers.at(by.kind);
  return shape.topk ? other.topk_way(problem_of(*shape.topk), by.threads) : other.split_way(*shape.split, by.threads);
}

named_way judged(const sweep_shape& shape, const sweep_point& point, way run) {
  named_way named = {point.by.name(), std::move(run)};
  if (point.by.kind == "read") {
    named.same_outputs = false;
  } else if (point.by.kind == "topsplit" || point.by.kind == "copy") {
    *point.check = "equal";  // else the case fails
  } else if (shape.topk) {
    named.judge = [p = problem_of(*shape.topk), check = point.check](const auto& expected, const auto& got) {
      *check = judge_topk(p, expected, got);
    };
  } else {
    named.judge = [check = point.check](const auto& expected, const auto& got) { *check = judge_split(expected, got); };
  }
  return named;
}

json explain(const sweep_shape& shape, const sweep_way& by) {
  pool_keeper pools;
  explanation plan{};
  execution run = execution_of({by.kind, by.isa_name, by.isa, by.threads, "arena"}, pools);
  const status known =
      shape.topk ? explain_topk({nullptr, shape.topk->type, shape.topk->shape, shape.topk->rank}, shape.topk->k,
                                options_of(*shape.topk, run), plan)
                 : explain_split({nullptr, shape.split->type, shape.split->shape.data(), shape.split->shape.size()},
                                 shape.split->sizes.data(), shape.split->sizes.size(), {shape.split->axis, run}, plan);
  if (!known.ok()) return known.text();
  return {{"algorithm", plan.algorithm}, {"isa", isa_name(plan.isa)}, {"tasks", plan.tasks},
          {"grain", plan.grain},         {"units", plan.units},       {"unit", plan.unit}};
}

json shape_json(const sweep_shape& shape) {
  json fields;
  if (shape.topk) {
    const baseline_problem p = problem_of(*shape.topk);
    fields = {{"op", "topk"},
              {"type", data_type_name(shape.topk->type)},
              {"rows", p.outer},
              {"n", p.n},
              {"k", p.k},
              {"inner", p.inner},
              {"select", p.select == topk_select::largest ? "largest" : "smallest"},
              {"order", p.order == topk_order::by_value ? "by_value" : "by_index"}};
  } else {
    const split_layout& l = *shape.split;
    fields = {{"op", "split"},           {"type", data_type_name(l.type)}, {"rows", l.outer},
              {"parts", l.sizes.size()}, {"piece", l.part_bytes(0)},       {"element", data_type_bytes(l.type)},
              {"offset", shape.offset}};
  }
  fields["values"] = shape.values;
  fields["input_bytes"] = shape.input_bytes();
  fields["output_bytes"] = shape.output_bytes();
  return fields;
}

}  // namespace

std::shared_ptr<thread_pool> pool_keeper::get(const std::string& kind, int threads) {
  std::shared_ptr<thread_pool>& pool = pools_[kind + std::to_string(threads)];
  if (!pool) pool = std::make_shared<thread_pool>(threads, kind == "pinned");
  return pool;
}

void register_points(const sweep_shape& shape, std::vector<sweep_point>& points, const open_peers& peers,
                     pool_keeper& pools) {
  std::vector<named_way> ways, copies;
  std::vector<sweep_point> kept;
  for (sweep_point& point : points) {
    way run = way_of(shape, point.by, peers, pools);
    if (!run) continue;
    (point.by.kind == "copy" ? copies : ways).push_back(judged(shape, point, std::move(run)));
    kept.push_back(std::move(point));
  }
  points = std::move(kept);
  const way baseline = shape.topk ? baseline_of(*shape.topk) : memcpy_each(*shape.split);
  if (!ways.empty()) {
    register_workload(
        shape.name, [shape] { return make_tensors(shape, false); }, baseline, std::move(ways));
  }
  if (!copies.empty()) {
    register_workload(
        shape.name, [shape] { return make_tensors(shape, true); }, memcpy_all(), std::move(copies));
  }
}

json describe(const sweep_shape& shape, const sweep_point& point, const std::string& cache) {
  json fields = {{"name", point.name}, {"shape", shape.name}, {"workload", shape.workload}, {"what", shape.what}};
  fields.update(shape_json(shape));
  fields["way"] = point.by.kind;
  fields["isa"] = point.by.isa_name;
  fields["threads"] = point.by.threads;
  fields["pool"] = point.by.threads == 1 ? "serial" : point.by.pool;
  fields["cache"] = cache;
  fields["check"] = *point.check;
  if (point.by.kind == "topsplit") fields["plan"] = explain(shape, point.by);
  return fields;
}

json plan_map() {
  std::vector<std::int64_t> ns, ks;
  for (std::int64_t n = 16; n <= std::int64_t{1} << 24; n *= 2) ns.push_back(n);
  for (std::int64_t k = 1; k <= std::int64_t{1} << 20; k *= 2) ks.push_back(k);
  json map = {{"isa", ""}, {"n", ns}, {"k", ks}, {"types", json::object()}};
  for (const data_type type : {data_type::f32, data_type::f16, data_type::u8, data_type::i64}) {
    json rows = json::array();
    for (const std::int64_t k : ks) {
      std::string row;  // names apart by blanks, "-" where k is above n
      for (const std::int64_t n : ns) {
        explanation plan{};
        const std::int64_t shape[] = {1, n};
        const bool known = k <= n && explain_topk({nullptr, type, shape, 2}, k, {}, plan).ok();
        row += std::string(row.empty() ? "" : " ") + (known ? plan.algorithm : "-");
        if (known) map["isa"] = isa_name(plan.isa);
      }
      rows.push_back(row);
    }
    map["types"][data_type_name(type)] = std::move(rows);
  }
  return map;
}

}  // namespace topsplit::bench
