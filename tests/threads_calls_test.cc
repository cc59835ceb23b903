// The public calls on threads: the same bytes whoever runs them, however many there are, and whatever the caller is
// doing besides. What a call must give is what the same call gives in serial; other tests hold that against the oracle.

#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <functional>
#include <mutex>
#include <string>

#include "tests/inputs.h"
#include "tests/threads_helpers.h"
#include "topsplit/tbb.h"
#include "topsplit/topsplit.h"

namespace {

using namespace threads_helpers;
using namespace topsplit;
using oracle::bytes_t;
using oracle::shape_t;

execution serial() {
  execution run;
  run.threads = threading::serial;
  return run;
}

shape_t with_axis(shape_t shape, std::int64_t axis, std::int64_t length) {
  shape[static_cast<std::size_t>(axis)] = length;
  return shape;
}

struct topk_case {
  data_type type;
  shape_t shape;
  std::int64_t axis;
  std::int64_t k;
  topk_options options = {};
  bytes_t x = {};

  topk_case(data_type t, shape_t s, std::int64_t a, std::int64_t wanted, topk_order order = topk_order::by_value)
      : type(t), shape(std::move(s)), axis(a), k(wanted) {
    options.axis = axis;
    options.order = order;
    x = inputs::make(inputs::distribution::few_values, type, shape, axis, 7);
  }
  const_tensor input() const { return {x.data(), type, shape.data(), shape.size()}; }
  int tasks(const execution& run) const {
    topk_options o = options;
    o.run = run;
    explanation plan;
    const status s = explain_topk(input(), k, o, plan);
    EXPECT_TRUE(s.ok()) << s.text();
    return plan.tasks;
  }
  // Values and indices, one behind the other.
  bytes_t result(const execution& run) const {
    const shape_t out = with_axis(shape, axis, k);
    const std::size_t count = oracle::elements(out);
    std::vector<std::int64_t> indices(count, -1);
    bytes_t bytes(count * oracle::element_bytes(type));
    topk_options o = options;
    o.run = run;
    const status s = topk(input(), k, {bytes.data(), type, out.data(), out.size()},
                          {indices.data(), data_type::i64, out.data(), out.size()}, o);
    EXPECT_TRUE(s.ok()) << s.text();
    const auto* begin = reinterpret_cast<const std::byte*>(indices.data());
    bytes.insert(bytes.end(), begin, begin + count * sizeof indices[0]);
    return bytes;
  }
};

struct split_case {
  shape_t shape;
  std::int64_t axis;
  shape_t sizes;
  bytes_t x = inputs::random_bytes(data_type::u16, oracle::elements(shape), 3);

  bytes_t result(const execution& run) const {
    std::vector<bytes_t> parts;
    std::vector<shape_t> shapes;
    std::vector<tensor> outputs;
    for (const std::int64_t size : sizes) {
      shapes.push_back(with_axis(shape, axis, size));
      parts.emplace_back(oracle::elements(shapes.back()) * 2);
    }
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      outputs.push_back({parts[i].data(), data_type::u16, shapes[i].data(), shape.size()});
    }
    split_options options;
    options.axis = axis;
    options.run = run;
    const status s = split({x.data(), data_type::u16, shape.data(), shape.size()}, sizes.data(), outputs.data(),
                           outputs.size(), options);
    EXPECT_TRUE(s.ok()) << s.text();
    bytes_t all;
    for (const bytes_t& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
  }
};

// Each way to run a call, at 1, 2, 3, 4 and 8 tasks.
void for_each_way(const std::function<void(const execution&)>& check) {
  tbb::global_control eight(tbb::global_control::max_allowed_parallelism, 8);
  tbb::task_arena one(1), arena(8);
  for (const int tasks : {1, 2, 3, 4, 8}) {
    SCOPED_TRACE(testing::Message() << tasks << " tasks");
    execution limit;
    limit.max_tasks = tasks;
    check(limit);
    check(finely_cut(limit));
    arena.execute([&] { check(finely_cut(limit)); });
    one.execute([&] { check(finely_cut(limit)); });
    check(finely_cut(in_arena(arena, limit)));
    for (const named_parallel_for& f : parallel_fors) {
      SCOPED_TRACE(f.name);
      check(finely_cut(with_callback(f.function, tasks)));
    }
  }
}

const topk_case topk_cases[] = {
    {data_type::f32, {33, 257}, 1, 9},
    {data_type::f32, {33, 257}, 1, 257, topk_order::by_index},
    {data_type::u8, {64, 100}, -1 + 2, 5},
    {data_type::f64, {5, 40, 37}, 1, 6},
    {data_type::f16, {1, 50, 301}, 1, 3, topk_order::by_index},
    {data_type::i16, {300, 9, 2}, 1, 4},
    {data_type::i64, {2, 3, 4, 5, 6}, 0, 1},
};

TEST(threaded_topk, same_bytes_in_every_way) {
  for (const topk_case& c : topk_cases) {
    SCOPED_TRACE(testing::Message() << data_type_name(c.type) << " rank " << c.shape.size() << ", k " << c.k);
    const bytes_t expected = c.result(serial());
    for_each_way([&](const execution& run) { EXPECT_EQ(c.result(run), expected); });
  }
}

TEST(threaded_split, same_bytes_in_every_way) {
  const split_case cases[] = {
      {{300, 50}, 1, {3, 0, 40, 7}}, {{40, 1000}, 0, {1, 38, 1}}, {{20, 30, 11}, 1, {10, 10, 10}},
      {{777}, 0, {700, 77}},         {{1001, 3}, 1, {1, 1, 1}},
  };
  for (const split_case& c : cases) {
    SCOPED_TRACE(testing::Message() << "rank " << c.shape.size() << ", parts " << c.sizes.size());
    const bytes_t expected = c.result(serial());
    for_each_way([&](const execution& run) { EXPECT_EQ(c.result(run), expected); });
  }
}

// The two tests above would hold for calls that are never parallel.
TEST(threaded_topk, as_many_tasks_as_the_width) {
  const topk_case& c = topk_cases[0];
  for (const int width : {1, 2, 3, 4, 8}) {
    EXPECT_EQ(c.tasks(finely_cut(with_callback(on_threads, width))), width);
    execution limit = with_callback(on_threads, 8);
    limit.max_tasks = width;
    EXPECT_EQ(c.tasks(finely_cut(limit)), width);
  }
  EXPECT_EQ(c.tasks(finely_cut(serial())), 1);
}

// The callback sees exactly the count it may run at once, and hands its own context through.
TEST(threaded_topk, callback_gets_its_count_and_context) {
  struct seen {
    std::int32_t count = 0;
    int calls = 0;
  } mine;
  execution run = finely_cut(with_callback(
      [](void* context, std::int32_t count, inner_task task, void* task_context) {
        *static_cast<seen*>(context) = {count, static_cast<seen*>(context)->calls + 1};
        on_threads(nullptr, count, task, task_context);
      },
      6));
  run.parallel_for_context = &mine;
  run.max_tasks = 4;
  const topk_case& c = topk_cases[0];
  EXPECT_EQ(c.result(run), c.result(serial()));
  EXPECT_EQ(mine.count, 4);
  EXPECT_EQ(mine.calls, 1);
}

TEST(threaded_topk, a_serial_call_starts_no_thread) {
  const std::ptrdiff_t before = settled_thread_count();
  const topk_case large(data_type::f32, {512, 2048}, 1, 8);
  large.result(serial());
  execution one;
  one.max_tasks = 1;
  large.result(one);
  large.result(with_callback(in_order, 1));
  topk_cases[0].result({});  // small work
  split_case{{1000, 500}, 1, {250, 250}}.result(serial());
  EXPECT_LE(thread_count(), before);
}

// One prepared operator shared by 8 threads, each with a k and an input of its own.
TEST(threaded_topk, concurrent_callers_share_one_operator) {
  constexpr std::int64_t rows = 4, n = 257;
  for (const bool threaded : {false, true}) {
    SCOPED_TRACE(threaded ? "parallel calls" : "default calls");
    topk_operator op;
    const status made = topk_operator::make(11, {}, data_type::f32, threaded ? finely_cut({}) : execution{}, op);
    ASSERT_TRUE(made.ok()) << made.text();
    std::atomic<int> wrong{0};
    const auto caller = [&](int t) {
      topk_case c(data_type::f32, {rows, n}, 1, 1 + 3 * t);
      for (std::size_t i = 0; i < rows * n; ++i) {  // splitmix of seed t in [-1, 1)
        const auto z = static_cast<std::int64_t>(inputs::splitmix(static_cast<std::uint64_t>(t), i) >> 40);
        const float v = static_cast<float>(z - (1 << 23)) / static_cast<float>(1 << 23);
        std::memcpy(c.x.data() + i * sizeof v, &v, sizeof v);
      }
      const bytes_t expected = c.result(serial());
      const shape_t out = {rows, c.k}, one = {1};
      std::vector<float> values(static_cast<std::size_t>(rows * c.k));
      std::vector<std::int64_t> indices(values.size());
      for (int round = 0; round < 1000; ++round) {
        std::fill(indices.begin(), indices.end(), -1);
        const status s =
            op.run(c.input(), {&c.k, data_type::i64, one.data(), 1}, {values.data(), data_type::f32, out.data(), 2},
                   {indices.data(), data_type::i64, out.data(), 2});
        const std::size_t value_bytes = values.size() * sizeof values[0];
        const bool same = std::memcmp(expected.data(), values.data(), value_bytes) == 0 &&
                          std::memcmp(expected.data() + value_bytes, indices.data(), indices.size() * 8) == 0;
        if (!s.ok() || !same) ++wrong;
      }
    };
    std::vector<std::thread> callers;
    for (int t = 0; t < 8; ++t) callers.emplace_back(caller, t);
    for (std::thread& t : callers) t.join();
    EXPECT_EQ(wrong.load(), 0);
  }
}

thread_local bool inside_call = false;

// Each of 64 outer tasks takes a mutex, calls, and releases it: a thread that ran another outer task while it waits in
// the call would lock against itself.
TEST(threaded_topk, nested_in_a_parallel_for_with_a_mutex_held) {
  tbb::global_control four(tbb::global_control::max_allowed_parallelism, 4);
  tbb::task_arena arena(4);
  const topk_case c(data_type::f32, {64, 4096}, 1, 8);
  const bytes_t expected = c.result(serial());
  std::mutex mutex;
  std::atomic<int> intruders{0}, wrong{0};
  arena.execute([&] {
    tbb::parallel_for(0, 64, [&](int i) {
      if (inside_call) {
        ++intruders;
        return;
      }
      std::lock_guard<std::mutex> lock(mutex);
      inside_call = true;
      const execution run = i % 3 == 0 ? in_arena(arena) : i % 3 == 1 ? with_callback(on_threads, 3) : execution{};
      if (c.result(finely_cut(run)) != expected) ++wrong;
      inside_call = false;
    });
  });
  EXPECT_EQ(intruders.load(), 0);
  EXPECT_EQ(wrong.load(), 0);
}

TEST(threaded_topk, works_in_a_cancelled_group) {
  const topk_case& c = topk_cases[0];
  const bytes_t expected = c.result(serial());
  tbb::task_group_context group;
  std::atomic<int> right{0}, begun{0};
  tbb::parallel_for(
      0, 16,
      [&](int) {
        ++begun;
        group.cancel_group_execution();
        if (c.result(finely_cut({})) == expected) ++right;
      },
      group);
  EXPECT_GE(begun.load(), 1);
  EXPECT_EQ(right.load(), begun.load());
}

// ---- options that no call can follow

struct refused {
  execution run;
  const char* text;  // behind "TopK: " and "Split: "
};

std::vector<refused> refusals() {
  execution negative, unknown;
  negative.max_tasks = -2;
  unknown.threads = static_cast<threading>(7);
  execution serial_negative = serial();
  serial_negative.max_tasks = INT32_MIN;
  return {{negative, "max_tasks = -2 is negative"},
          {serial_negative, "max_tasks = -2147483648 is negative"},
          {unknown, "threads = 7 is not one of 0 (arena), 1 (serial), 2 (callback)"},
          {with_callback(nullptr, 4), "threads = 2 (callback) with parallel_for = null"},
          {with_callback(in_order, 0), "parallel_for_width = 0 is below 1"},
          {with_callback(in_order, -3), "parallel_for_width = -3 is below 1"}};
}

TEST(execution_options, refused_before_anything_is_written) {
  const float x[] = {3, 1, 2, 4};
  const std::int64_t four = 4, two = 2;
  for (const refused& r : refusals()) {
    float values[2] = {-1, -1};
    std::int64_t indices[2] = {-1, -1};
    topk_options options;
    options.run = r.run;
    const const_tensor input = {x, data_type::f32, &four, 1};
    status s = topk(input, 2, {values, data_type::f32, &two, 1}, {indices, data_type::i64, &two, 1}, options);
    EXPECT_EQ(s.code(), status_code::invalid_argument);
    EXPECT_EQ(s.text(), std::string("TopK: ") + r.text);
    EXPECT_EQ(values[0], -1);
    EXPECT_EQ(indices[0], -1);

    explanation plan;
    EXPECT_EQ(std::string(explain_topk(input, 2, options, plan).text()), std::string("TopK: ") + r.text);

    float parts[2][2] = {{-1, -1}, {-1, -1}};
    const tensor outputs[] = {{parts[0], data_type::f32, &two, 1}, {parts[1], data_type::f32, &two, 1}};
    split_options cut;
    cut.run = r.run;
    s = split(input, nullptr, outputs, 2, cut);
    EXPECT_EQ(s.code(), status_code::invalid_argument);
    EXPECT_EQ(s.text(), std::string("Split: ") + r.text);
    EXPECT_EQ(parts[0][0], -1);
  }
}

}  // namespace
