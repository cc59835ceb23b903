// The memory law's first half: a call takes nothing from the heap, whichever the algorithm, type and ISA, on every error
// path, through a prepared operator, in the process's first call, and with tasks once the scheduler is warm.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "tests/allocation_counter.h"
#include "tests/inputs.h"
#include "tests/oracle.h"
#include "tests/runs.h"
#include "tests/seeds.h"
#include "topsplit/topsplit.h"

namespace {

using topsplit::data_type;
using topsplit::execution;
using topsplit::status;

// Counts what one call of f does to the heap; f returns a status.
template <class F>
void expect_untouched_heap(F f, const std::string& what, bool expect_ok = true) {
  const allocation_window window;
  const status done = f();
  const std::size_t events = window.events();
  EXPECT_EQ(events, 0U) << what;
  EXPECT_EQ(done.ok(), expect_ok) << what << ": " << done.text();
}

// Filled by main before anything else ran.
std::size_t first_topk_events = 0;
std::size_t first_split_events = 0;
bool first_calls_ok = false;

void make_first_calls() {
  static const std::array<float, 12> x{3, 1, 2, 9, 8, 7, 4, 4, 4, 0, 5, 6};
  static std::array<float, 12> values;
  static std::array<std::int64_t, 6> indices;
  const allocation_window topk_window;
  topsplit::topk_options options;
  options.run.threads = topsplit::threading::serial;
  const bool topk_ok = topsplit::topk_rows(x.data(), 3, 4, 2, values.data(), indices.data(), options).ok();
  first_topk_events = topk_window.events();

  const allocation_window split_window;
  const std::int64_t whole[1] = {12};
  const std::int64_t half[1] = {6};
  const topsplit::tensor parts[2] = {{values.data(), data_type::f32, half, 1},
                                     {values.data() + 6, data_type::f32, half, 1}};
  const bool split_ok = topsplit::split({x.data(), data_type::f32, whole, 1}, nullptr, parts, 2).ok();
  first_split_events = split_window.events();
  first_calls_ok = topk_ok && split_ok;
}

TEST(heap, first_call_of_the_process) {
  EXPECT_TRUE(first_calls_ok);
  EXPECT_EQ(first_topk_events, 0U);
  EXPECT_EQ(first_split_events, 0U);
}

TEST(heap, the_counter_counts) {
  const allocation_window window;
  void* volatile p = ::operator new(4000);  // volatile: an unused pair of new and delete may be optimized away
  void* volatile q = std::malloc(10);
  std::free(q);
  ::operator delete(p);
  const allocation_count seen = window.seen();
  EXPECT_EQ(seen.news, 1U);
  EXPECT_EQ(seen.mallocs, 2U);
  EXPECT_EQ(seen.frees, 2U);
  EXPECT_EQ(seen.bytes, 4010U);
}

struct topk_memory {
  topk_memory(data_type type, oracle::shape_t in, std::int64_t axis, std::int64_t k)
      : shape(std::move(in)),
        out(oracle::with_axis(shape, axis, k)),
        x(inputs::make(inputs::distribution::ascending, type, shape, axis, 1)),
        values(oracle::elements(out) * oracle::element_bytes(type)),
        indices(oracle::elements(out)),
        in_tensor{x.data(), type, shape.data(), shape.size()},
        values_tensor{values.data(), type, out.data(), out.size()},
        indices_tensor{indices.data(), data_type::i64, out.data(), out.size()} {
    options.axis = axis;
  }
  oracle::shape_t shape, out;
  oracle::bytes_t x, values;
  std::vector<std::int64_t> indices;
  topsplit::const_tensor in_tensor;
  topsplit::tensor values_tensor, indices_tensor;
  topsplit::topk_options options;
};

struct topk_size {
  oracle::shape_t shape;
  std::int64_t axis, k;
};
const topk_size topk_sizes[] = {
    {{3, 17}, 1, 1},   {{3, 17}, 1, 5},         {{3, 17}, 1, 17},     {{2, 5000}, 1, 1},    {{2, 5000}, 1, 100},
    {{5000}, 0, 2500}, {{5000}, 0, 5000},       {{2, 300, 40}, 1, 1}, {{2, 300, 40}, 1, 9}, {{2, 300, 40}, 1, 300},
    {{64, 3}, 0, 8},   {{1 << 15}, 0, 1 << 13}, {{0, 5}, 1, 2},       {{2, 5}, 1, 0},
};

TEST(heap, serial_topk_of_every_kind) {
  for (const data_type type : inputs::topk_types) {
    for (const topk_size& size : topk_sizes) {
      topk_memory memory(type, size.shape, size.axis, size.k);
      for (const topsplit::isa isa : available_isas()) {
        for (const auto select : {topsplit::topk_select::largest, topsplit::topk_select::smallest}) {
          for (const auto order : {topsplit::topk_order::by_value, topsplit::topk_order::by_index}) {
            memory.options.select = select;
            memory.options.order = order;
            memory.options.run = serial(isa);
            expect_untouched_heap(
                [&] {
                  return topsplit::topk(memory.in_tensor, size.k, memory.values_tensor, memory.indices_tensor,
                                        memory.options);
                },
                std::string(topsplit::data_type_name(type)) + testing::PrintToString(size.shape) +
                    describe(memory.options.run));
          }
        }
      }
    }
  }
}

// The input in two pieces whose labels are zeros, merged, and the first of them followed by the second.
struct pieces_memory : topk_memory {
  pieces_memory(data_type type, oracle::shape_t in, std::int64_t axis, std::int64_t k)
      : topk_memory(type, std::move(in), axis, k), labels(oracle::elements(shape)) {
    const topsplit::const_tensor labels_tensor{labels.data(), data_type::i64, shape.data(), shape.size()};
    parts = {{in_tensor, labels_tensor, 0}, {in_tensor, labels_tensor, 5}};
  }
  status merge() const {
    return topsplit::merge_topk(parts.data(), parts.size(), values_tensor.shape[options.axis], values_tensor,
                                indices_tensor, options);
  }
  status extend(std::int64_t held) const {
    return topsplit::extend_topk(in_tensor, 9, held, values_tensor, indices_tensor, options);
  }
  std::vector<std::int64_t> labels;
  std::vector<topsplit::topk_part> parts;
};

TEST(heap, topk_in_pieces) {
  for (const data_type type : inputs::topk_types) {
    for (const topk_size& size : topk_sizes) {
      pieces_memory memory(type, size.shape, size.axis, size.k);
      for (const topsplit::isa isa : available_isas()) {
        for (const auto order : {topsplit::topk_order::by_value, topsplit::topk_order::by_index}) {
          memory.options.order = order;
          memory.options.run = serial(isa);
          expect_untouched_heap([&] { return memory.merge(); }, "merge");
          expect_untouched_heap([&] { return memory.extend(0); }, "extend nothing");
          expect_untouched_heap([&] { return memory.extend(size.k); }, "extend");
        }
      }
    }
  }
  pieces_memory memory(data_type::f32, {3, 7}, 1, 2);
  expect_untouched_heap([&] { return memory.extend(3); }, "held", false);
  memory.labels[1] = -1;
  expect_untouched_heap([&] { return memory.merge(); }, "index", false);
  memory.parts[1].values.type = data_type::i32;
  expect_untouched_heap([&] { return memory.merge(); }, "type", false);
}

struct split_memory {
  split_memory(data_type type, oracle::shape_t in, std::int64_t split_axis, std::vector<std::int64_t> part_sizes)
      : shape(std::move(in)), sizes(std::move(part_sizes)), x(inputs::random_bytes(type, oracle::elements(shape), 1)) {
    options.axis = split_axis;
    for (const std::int64_t size : sizes) {
      shapes.push_back(oracle::with_axis(shape, split_axis, size));
      data.emplace_back(oracle::elements(shapes.back()) * oracle::element_bytes(type));
    }
    for (std::size_t p = 0; p < sizes.size(); ++p) {
      parts.push_back({data[p].data(), type, shapes[p].data(), shapes[p].size()});
    }
    in_tensor = {x.data(), type, shape.data(), shape.size()};
  }
  status run() const { return topsplit::split(in_tensor, sizes.data(), parts.data(), parts.size(), options); }

  oracle::shape_t shape;
  std::vector<std::int64_t> sizes;
  oracle::bytes_t x;
  std::vector<oracle::shape_t> shapes;
  std::vector<oracle::bytes_t> data;
  std::vector<topsplit::tensor> parts;
  topsplit::const_tensor in_tensor;
  topsplit::split_options options;
};

TEST(heap, serial_split_of_every_kind) {
  for (const data_type type : inputs::split_types) {
    if (type == data_type::string) {
      continue;  // copies of strings may allocate; see below
    }
    split_memory memories[] = {
        {type, {10}, 0, {3, 0, 7}},
        {type, {100, 3}, 1, {1, 1, 1}},
        {type, {7, 600}, 1, std::vector<std::int64_t>(300, 2)},
        {type, {4, 6, 5}, 1, {4, 2}},
        {type, {200000}, 0, {1, 199999}},
        {type, {0, 5}, 1, {2, 3}},
    };
    for (split_memory& memory : memories) {
      for (const topsplit::isa isa : available_isas()) {
        memory.options.run = serial(isa);
        expect_untouched_heap([&] { return memory.run(); },
                              std::string(topsplit::data_type_name(type)) + testing::PrintToString(memory.shape));
      }
    }
  }
}

TEST(heap, strings_take_only_what_their_copies_need) {
  const std::vector<std::string> x{"short", "", "a text that does not fit into the string object itself", "b"};
  const std::int64_t whole[1] = {4};
  const std::int64_t half[1] = {2};
  std::vector<std::string> first(2);
  std::vector<std::string> second(2);
  const topsplit::tensor parts[2] = {{first.data(), data_type::string, half, 1},
                                     {second.data(), data_type::string, half, 1}};
  const auto run = [&] { return topsplit::split({x.data(), data_type::string, whole, 1}, nullptr, parts, 2); };
  const allocation_window window;
  ASSERT_TRUE(run().ok());
  EXPECT_EQ(window.seen().news, 1U);
  EXPECT_EQ(second[0], x[2]);
  expect_untouched_heap(run, "the second time the long string has room");
}

execution bad_execution(int which) {
  execution run;
  run.isa = which == 0 ? static_cast<topsplit::isa>(99) : topsplit::isa::automatic;
  run.max_tasks = which == 1 ? -1 : 0;
  run.threads = which == 2 ? topsplit::threading::callback : topsplit::threading::arena;
  return run;
}

TEST(heap, refused_topk) {
  const std::int64_t n = 7;
  const std::int64_t huge[2] = {std::int64_t{1} << 62, 8};
  topk_memory memory(data_type::f32, {3, n}, 1, 2);
  const auto refuse = [&](const char* what, auto change, std::int64_t k = 2) {
    topk_memory changed(data_type::f32, {3, n}, 1, 2);
    change(changed);
    expect_untouched_heap(
        [&] {
          return topsplit::topk(changed.in_tensor, k, changed.values_tensor, changed.indices_tensor, changed.options);
        },
        what, false);
    topsplit::explanation explanation;
    const allocation_window window;
    (void)topsplit::explain_topk(changed.in_tensor, k, changed.options, explanation);
    EXPECT_EQ(window.events(), 0U) << "explain, " << what;
  };
  for (const std::int64_t k :
       {std::int64_t{-1}, n + 1, (std::int64_t{1} << 32) + 1, std::numeric_limits<std::int64_t>::min()}) {
    refuse(
        "k", [](topk_memory&) {}, k);
  }
  refuse("axis", [](topk_memory& m) { m.options.axis = 2; });
  refuse("rank 0", [](topk_memory& m) { m.in_tensor.rank = 0; });
  refuse("type", [](topk_memory& m) { m.in_tensor.type = data_type::boolean; });
  refuse("unknown type", [](topk_memory& m) { m.in_tensor.type = static_cast<data_type>(77); });
  refuse("type of values", [](topk_memory& m) { m.values_tensor.type = data_type::i32; });
  refuse("type of indices", [](topk_memory& m) { m.indices_tensor.type = data_type::i32; });
  refuse("rank of values", [](topk_memory& m) { m.values_tensor.rank = 1; });
  refuse("shape of indices", [](topk_memory& m) { m.indices_tensor.shape = m.shape.data(); });
  refuse("null input", [](topk_memory& m) { m.in_tensor.data = nullptr; });
  refuse("null values", [](topk_memory& m) { m.values_tensor.data = nullptr; });
  refuse("misaligned", [](topk_memory& m) { m.in_tensor.data = m.x.data() + 1; });
  refuse("overlap", [](topk_memory& m) { m.values_tensor.data = m.x.data(); });
  refuse("overflow", [&](topk_memory& m) { m.in_tensor.shape = huge; });
  for (int which = 0; which < 3; ++which) {
    refuse("execution", [which](topk_memory& m) { m.options.run = bad_execution(which); });
  }
}

TEST(heap, refused_split) {
  const auto refuse = [](const char* what, auto change) {
    split_memory changed(data_type::f32, {3, 4}, 1, {1, 3});
    change(changed);
    expect_untouched_heap([&] { return changed.run(); }, what, false);
  };
  refuse("negative size", [](split_memory& m) { m.sizes[0] = 6, m.sizes[1] = -2; });
  refuse("sum", [](split_memory& m) { m.sizes[0] = 2; });
  refuse("axis", [](split_memory& m) { m.options.axis = -3; });
  refuse("rank 0", [](split_memory& m) { m.in_tensor.rank = 0; });
  refuse("type", [](split_memory& m) { m.in_tensor.type = data_type::undefined; });
  refuse("type of a part", [](split_memory& m) { m.parts[1].type = data_type::i32; });
  refuse("shape of a part", [](split_memory& m) { m.parts[1].shape = m.shape.data(); });
  refuse("null part", [](split_memory& m) { m.parts[1].data = nullptr; });
  refuse("null input", [](split_memory& m) { m.in_tensor.data = nullptr; });
  refuse("overlap", [](split_memory& m) { m.parts[1].data = m.x.data() + 4; });
  refuse("parts overlap", [](split_memory& m) { m.parts[1].data = m.data[0].data(); });
  for (int which = 0; which < 3; ++which) {
    refuse("execution", [which](split_memory& m) { m.options.run = bad_execution(which); });
  }
}

TEST(heap, prepared_topk) {
  topk_memory memory(data_type::f32, {3, 70}, 1, 5);
  const std::int64_t one[1] = {1};
  std::int64_t k = 5;
  const topsplit::const_tensor k_tensor{&k, data_type::i64, one, 1};
  topsplit::topk_operator op;
  topsplit::topk_attributes attributes;
  std::int64_t shape[2];
  topsplit::explanation explanation;
  const auto run = [&] { return op.run(memory.in_tensor, k_tensor, memory.values_tensor, memory.indices_tensor); };
  expect_untouched_heap(run, "before make", false);
  expect_untouched_heap([&] { return topsplit::topk_operator::make(11, attributes, data_type::f32, {}, op); }, "make");
  expect_untouched_heap(run, "run");
  expect_untouched_heap([&] { return op.infer(memory.in_tensor, k_tensor, shape); }, "infer");
  expect_untouched_heap([&] { return op.explain(memory.in_tensor, k_tensor, explanation); }, "explain");
  k = 71;
  expect_untouched_heap(run, "k", false);
  expect_untouched_heap([&] { return op.infer(memory.in_tensor, k_tensor, shape); }, "infer k", false);
  attributes.largest = 2;
  expect_untouched_heap([&] { return topsplit::topk_operator::make(11, attributes, data_type::f32, {}, op); },
                        "attribute", false);
  expect_untouched_heap([&] { return topsplit::topk_operator::make(1, {}, data_type::u8, {}, op); }, "version", false);
}

TEST(heap, prepared_split) {
  split_memory memory(data_type::f32, {3, 70}, 1, {30, 40});
  const std::int64_t two[1] = {2};
  const topsplit::const_tensor sizes{memory.sizes.data(), data_type::i64, two, 1};
  topsplit::split_operator from_input;
  topsplit::split_operator from_attribute;
  topsplit::split_attributes attributes;
  std::int64_t inferred[2];
  topsplit::explanation explanation;
  attributes.axis = 1;
  ASSERT_TRUE(topsplit::split_operator::make(18, attributes, data_type::f32, 2, {}, from_input).ok());
  attributes.split = memory.sizes.data();
  attributes.split_count = 2;
  const allocation_window window;
  ASSERT_TRUE(topsplit::split_operator::make(11, attributes, data_type::f32, 2, {}, from_attribute).ok());
  EXPECT_LE(window.seen().mallocs, 1U) << "the attribute's copy";
  expect_untouched_heap([&] { return from_input.run(memory.in_tensor, sizes, memory.parts.data(), 2); }, "sizes given");
  expect_untouched_heap([&] { return from_attribute.run(memory.in_tensor, {}, memory.parts.data(), 2); }, "attribute");
  expect_untouched_heap([&] { return from_input.infer(memory.in_tensor, sizes, inferred); }, "infer");
  expect_untouched_heap([&] { return from_input.explain(memory.in_tensor, sizes, explanation); }, "explain");
  memory.sizes[0] = 31;
  expect_untouched_heap([&] { return from_input.run(memory.in_tensor, sizes, memory.parts.data(), 2); }, "sum", false);
  expect_untouched_heap([&] { return from_input.run(memory.in_tensor, {}, memory.parts.data(), 2); }, "no sizes",
                        false);
}

// The counter sees every thread. Warm: the scheduler has run such calls before.
template <class F>
void expect_warm_calls_untouched(F f, const char* what) {
  for (int i = 0; i < rounds_of(200); ++i) {
    ASSERT_TRUE(f().ok()) << what;
  }
  const allocation_window window;
  for (int i = 0; i < rounds_of(100); ++i) {
    ASSERT_TRUE(f().ok()) << what;
  }
  EXPECT_EQ(window.events(), 0U) << what;
}

TEST(heap, warm_calls_with_tasks) {
  topk_memory topk(data_type::f32, {64, 500}, 1, 20);
  pieces_memory pieces(data_type::f32, {64, 500}, 1, 20);
  split_memory split(data_type::f32, {64, 300}, 1, {100, 1, 199});
  for (const topsplit::isa isa : available_isas()) {
    for (const execution& run : {forced_parallel(isa, 0), forced_parallel(isa, 3), on_caller(isa, 5)}) {
      topk.options.run = pieces.options.run = run;
      split.options.run = run;
      expect_warm_calls_untouched(
          [&] { return topsplit::topk(topk.in_tensor, 20, topk.values_tensor, topk.indices_tensor, topk.options); },
          "TopK");
      expect_warm_calls_untouched([&] { return pieces.merge(); }, "merge");
      expect_warm_calls_untouched([&] { return pieces.extend(20); }, "extend");
      expect_warm_calls_untouched([&] { return split.run(); }, "Split");
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  make_first_calls();
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
