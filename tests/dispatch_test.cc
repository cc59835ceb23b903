// Which table a call gets: detection on machines that are made up here, the list, the order of precedence, refusals,
// and the same bytes from every table.
//
// TOPSPLIT_ISA is read once a process, so its tests (suite environment) judge whatever value they find there;
// dispatch_checks.cmake runs them with each value worth trying, and the whole program on other CPUs under QEMU.
// TOPSPLIT_EXPECT_ISA (a comma list) and TOPSPLIT_EXPECT_SELECTED say what the machine at hand must offer.

#include "src/dispatch.h"

#include <gtest/gtest.h>

#if defined(__aarch64__)
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "topsplit/split.h"
#include "topsplit/topk.h"

namespace {

using topsplit::isa;
using topsplit::status;
using topsplit::status_code;
using topsplit::detail::select_table;
using topsplit::kernels::kernel_table;

// ---- The list

std::vector<topsplit::isa_info> built() {
  std::vector<topsplit::isa_info> all;
  for (std::size_t i = 0; i < topsplit::isa_count(); ++i) all.push_back(topsplit::isa_at(i));
  return all;
}

std::vector<isa> available() {
  std::vector<isa> ids;
  for (const topsplit::isa_info& info : built()) {
    if (info.available) ids.push_back(info.id);
  }
  return ids;
}

// What every refusal ends with.
std::string present() {
  std::string list;
  for (const isa id : available()) list += (list.empty() ? "" : ", ") + std::string(topsplit::isa_name(id));
  return "; present: " + list;
}

std::string text_of(const status& s) { return s.text(); }

// Takes back what a test has forced.
struct dispatch : testing::Test {
  void TearDown() override { EXPECT_TRUE(topsplit::force_isa(isa::automatic).ok()); }
};

TEST_F(dispatch, lists_the_built_tables) {
  const std::vector<topsplit::isa_info> all = built();
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all.front().id, isa::generic);
  EXPECT_TRUE(all.front().available);
  std::string names;
  for (std::size_t i = 0; i < all.size(); ++i) {
    SCOPED_TRACE(all[i].name);
    names += (i == 0 ? "" : ",") + std::string(all[i].name);
    const kernel_table& table = topsplit::detail::built_table(i);
    EXPECT_EQ(all[i].id, table.id);
    EXPECT_EQ(all[i].vector_bytes, table.vector_bytes);
    EXPECT_STREQ(all[i].name, topsplit::isa_name(all[i].id));
    EXPECT_GT(all[i].vector_bytes, 0u);
    if (i == 0) continue;
    EXPECT_LT(all[i - 1].id, all[i].id);
    EXPECT_LE(all[i - 1].vector_bytes, all[i].vector_bytes);
  }
  EXPECT_EQ(names, TOPSPLIT_BUILT_ISAS) << "what the build says it has";
}

TEST_F(dispatch, index_beyond_the_list) {
  const topsplit::isa_info none = topsplit::isa_at(topsplit::isa_count());
  EXPECT_FALSE(none.available || none.selected);
  EXPECT_STREQ(none.name, "unknown");
}

TEST_F(dispatch, names) {
  for (const char* name : {"generic", "sse2", "avx2", "avx512bw", "avx512vbmi2", "neon64", "sve", "automatic"}) {
    isa id = static_cast<isa>(99);
    ASSERT_TRUE(topsplit::isa_from_name(name, id).ok()) << name;
    EXPECT_STREQ(topsplit::isa_name(id), name);
  }
  for (const char* name : {static_cast<const char*>(nullptr), "", "auto"}) {
    isa id = isa::generic;
    ASSERT_TRUE(topsplit::isa_from_name(name, id).ok());
    EXPECT_EQ(id, isa::automatic);
  }
  EXPECT_STREQ(topsplit::isa_name(static_cast<isa>(99)), "unknown");
}

TEST_F(dispatch, garbage_is_no_name) {
  const std::string letters(1000, 'x');
  const std::pair<const char*, std::string> cases[] = {{"avx9", "avx9"},
                                                       {"AVX2", "AVX2"},
                                                       {" ", " "},
                                                       {"avx2 ", "avx2 "},
                                                       {"a\nb\x80", "a?b?"},
                                                       {"%s%n", "%s%n"},
                                                       {letters.c_str(), letters.substr(0, 32)}};
  for (const auto& [name, shown] : cases) {
    isa id = isa::sse2;
    const status s = topsplit::isa_from_name(name, id);
    EXPECT_EQ(s.code(), status_code::unavailable_isa);
    EXPECT_EQ(text_of(s), "isa_from_name: name = \"" + shown + "\" is no ISA" + present());
    EXPECT_EQ(id, isa::sse2) << "a refusal leaves the result alone";
  }
}

// ---- Precedence and refusals

isa explained(isa requested) {
  static const std::int64_t shape[] = {3, 100};
  topsplit::topk_options options;
  options.run.isa = requested;
  topsplit::explanation e{};
  const status s = topsplit::explain_topk({nullptr, topsplit::data_type::f32, shape, 2}, 5, options, e);
  EXPECT_TRUE(s.ok()) << s.text();
  return e.isa;
}

TEST_F(dispatch, forced_for_the_process) {
  for (const isa id : available()) {
    SCOPED_TRACE(topsplit::isa_name(id));
    ASSERT_TRUE(topsplit::force_isa(id).ok());
    isa now = isa::automatic;
    ASSERT_TRUE(topsplit::selected_isa(now).ok());
    EXPECT_EQ(now, id);
    EXPECT_EQ(explained(isa::automatic), id);
    const kernel_table* table = nullptr;
    ASSERT_TRUE(select_table("TopK", isa::automatic, table).ok());
    EXPECT_EQ(table->id, id);
    for (const topsplit::isa_info& info : built()) EXPECT_EQ(info.selected, info.id == id) << info.name;
  }
}

TEST_F(dispatch, the_call_goes_before_the_process) {
  for (const isa process : available()) {
    ASSERT_TRUE(topsplit::force_isa(process).ok());
    for (const isa call : available()) EXPECT_EQ(explained(call), call);
  }
}

TEST_F(dispatch, what_is_missing_is_refused_and_changes_nothing) {
  ASSERT_TRUE(topsplit::force_isa(isa::generic).ok());
  std::vector<std::pair<isa, std::string>> missing = {
    {static_cast<isa>(99), "99 is no ISA"},
    {static_cast<isa>(-1), "-1 is no ISA"},
#if defined(__aarch64__)
    {isa::avx2, "avx2 is not available"}
  };
#else
    {isa::sve, "sve is not available"}
  };
#endif
  for (const topsplit::isa_info& info : built()) {
    if (!info.available) missing.emplace_back(info.id, info.name + std::string(" is not available"));
  }
  for (const auto& [id, reason] : missing) {
    SCOPED_TRACE(reason);
    const status forced = topsplit::force_isa(id);
    EXPECT_EQ(forced.code(), status_code::unavailable_isa);
    EXPECT_EQ(text_of(forced), "force_isa: isa = " + reason + present());
    EXPECT_EQ(explained(isa::automatic), isa::generic);

    const kernel_table* table = nullptr;
    EXPECT_EQ(text_of(select_table("Split", id, table)), "Split: isa = " + reason + present());
    EXPECT_EQ(table, nullptr);

    const std::int64_t shape[] = {4};
    const std::int64_t half[] = {2};
    const float x[4] = {1, 2, 3, 4};
    float a[2] = {-1, -1};
    float b[2] = {-1, -1};
    std::int64_t indices[2] = {-1, -1};
    topsplit::topk_options topk;
    topk.run.isa = id;
    EXPECT_EQ(text_of(topsplit::topk({x, topsplit::data_type::f32, shape, 1}, 2, {a, topsplit::data_type::f32, half, 1},
                                     {indices, topsplit::data_type::i64, half, 1}, topk)),
              "TopK: isa = " + reason + present());
    topsplit::split_options split;
    split.run.isa = id;
    const topsplit::tensor parts[] = {{a, topsplit::data_type::f32, half, 1}, {b, topsplit::data_type::f32, half, 1}};
    EXPECT_EQ(text_of(topsplit::split({x, topsplit::data_type::f32, shape, 1}, nullptr, parts, 2, split)),
              "Split: isa = " + reason + present());
    for (const float written : {a[0], a[1], b[0], b[1]}) EXPECT_EQ(written, -1.0f);
    EXPECT_TRUE(indices[0] == -1 && indices[1] == -1);
  }
}

TEST_F(dispatch, threads_choose_and_force_at_once) {
  const std::vector<isa> ids = available();
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < 2000; ++i) {
        isa now = isa::automatic;
        wrong[t] += topsplit::force_isa(ids[(i + t) % ids.size()]).ok() ? 0 : 1;
        wrong[t] += topsplit::selected_isa(now).ok() && std::count(ids.begin(), ids.end(), now) == 1 ? 0 : 1;
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(std::count(wrong.begin(), wrong.end(), 0), static_cast<std::ptrdiff_t>(wrong.size()));
}

// ---- The same bytes from every table

struct results {
  std::vector<unsigned char> values, parts[3];
  std::vector<std::int64_t> indices;
  bool operator==(const results& other) const {
    return values == other.values && indices == other.indices && std::equal(parts, parts + 3, other.parts);
  }
};

// Few different bytes, so that there are ties, and all kinds of NaN and denormals among the floats.
std::vector<unsigned char> few_bytes(std::size_t count) {
  constexpr unsigned char choices[] = {0x00, 0x00, 0x7f, 0x80, 0xff, 0x3c, 0xc0, 0x01};
  std::vector<unsigned char> bytes(count);
  std::uint32_t state = 1;
  for (unsigned char& b : bytes) {
    state = state * 1664525u + 1013904223u;
    b = choices[state >> 29];
  }
  return bytes;
}

results run(topsplit::data_type type, std::int64_t inner, std::int64_t k, topsplit::topk_options options) {
  const std::size_t width = topsplit::data_type_bytes(type);
  const std::int64_t n = 203;
  const std::int64_t in[] = {2, n, inner};
  const std::int64_t out[] = {2, k, inner};
  const auto count = [&](std::int64_t axis) { return static_cast<std::size_t>(2 * axis * inner); };
  const std::vector<unsigned char> x = few_bytes(count(n) * width);
  results r;
  r.values.assign(count(k) * width, 0xA5);
  r.indices.assign(count(k), -7);
  options.axis = 1;
  const status topk = topsplit::topk({x.data(), type, in, 3}, k, {r.values.data(), type, out, 3},
                                     {r.indices.data(), topsplit::data_type::i64, out, 3}, options);
  EXPECT_TRUE(topk.ok()) << topk.text();

  const std::int64_t sizes[] = {1, 150, n - 151};
  std::int64_t shapes[3][3];
  topsplit::tensor parts[3];
  for (int p = 0; p < 3; ++p) {
    r.parts[p].assign(count(sizes[p]) * width, 0xA5);
    std::copy(in, in + 3, shapes[p]);
    shapes[p][1] = sizes[p];
    parts[p] = {r.parts[p].data(), type, shapes[p], 3};
  }
  topsplit::split_options split;
  split.axis = 1;
  split.run = options.run;
  const status cut = topsplit::split({x.data(), type, in, 3}, sizes, parts, 3, split);
  EXPECT_TRUE(cut.ok()) << cut.text();
  return r;
}

TEST_F(dispatch, every_table_gives_the_same_bytes) {
  using topsplit::data_type;
  for (const data_type type :
       {data_type::u8, data_type::i8, data_type::u16, data_type::i16, data_type::f16, data_type::bf16, data_type::u32,
        data_type::i32, data_type::f32, data_type::u64, data_type::i64, data_type::f64}) {
    for (const std::int64_t inner : {1, 37}) {
      for (const std::int64_t k : {1, 10, 203}) {
        for (int way = 0; way < 4; ++way) {
          topsplit::topk_options options;
          options.select = way % 2 == 0 ? topsplit::topk_select::largest : topsplit::topk_select::smallest;
          options.order = way < 2 ? topsplit::topk_order::by_value : topsplit::topk_order::by_index;
          options.run.isa = isa::generic;
          const results expected = run(type, inner, k, options);
          for (const isa id : available()) {
            options.run.isa = id;
            EXPECT_TRUE(run(type, inner, k, options) == expected)
                << topsplit::isa_name(id) << ", " << topsplit::data_type_name(type) << ", inner " << inner << ", k "
                << k << ", way " << way;
            options.run.isa = isa::automatic;
            ASSERT_TRUE(topsplit::force_isa(id).ok());
            EXPECT_TRUE(run(type, inner, k, options) == expected) << "forced: " << topsplit::isa_name(id);
          }
        }
      }
    }
  }
}

// ---- TOPSPLIT_ISA and the machine

// As a process finds it at its first call; setting it later must change nothing.
TEST(environment, decides_where_nothing_is_forced) {
  const char* variable = std::getenv("TOPSPLIT_ISA");
  const std::string value = variable == nullptr ? "" : variable;
  isa named = isa::automatic;
  const bool is_name = topsplit::isa_from_name(value.c_str(), named).ok();
  const std::vector<isa> ids = available();
  const bool works = is_name && (named == isa::automatic || std::count(ids.begin(), ids.end(), named) == 1);
  const isa expected = named == isa::automatic ? ids.back() : named;
  const std::string refusal =
      ": TOPSPLIT_ISA = \"" + value + (is_name ? "\" is not available" : "\" is no ISA") + present();

  for (int round = 0; round < 2; ++round) {
    isa now = isa::automatic;
    const status s = topsplit::selected_isa(now);
    EXPECT_EQ(s.ok(), works) << s.text();
    if (works) {
      EXPECT_EQ(now, expected) << topsplit::isa_name(now);
      EXPECT_EQ(explained(isa::automatic), expected);
    } else {
      EXPECT_EQ(text_of(s), "selected_isa" + refusal);
      const kernel_table* table = nullptr;
      EXPECT_EQ(text_of(select_table("TopK", isa::automatic, table)), "TopK" + refusal);
      for (const topsplit::isa_info& info : built()) EXPECT_FALSE(info.selected) << info.name;
    }
    ASSERT_EQ(setenv("TOPSPLIT_ISA", works ? "avx9" : "generic", 1), 0);
  }
  if (variable == nullptr) {
    unsetenv("TOPSPLIT_ISA");
  } else {
    setenv("TOPSPLIT_ISA", value.c_str(), 1);
  }
}

TEST(environment, goes_after_the_call_and_the_process) {
  for (const isa id : available()) {
    EXPECT_EQ(explained(id), id);
    ASSERT_TRUE(topsplit::force_isa(id).ok());
    EXPECT_EQ(explained(isa::automatic), id);
    ASSERT_TRUE(topsplit::force_isa(isa::automatic).ok());
  }
}

// The first calls of the process, where this test runs alone.
TEST(environment, is_the_same_for_threads_that_come_at_once) {
  std::vector<std::string> answers(4);
  std::vector<std::thread> threads;
  for (std::string& answer : answers) {
    threads.emplace_back([&answer] {
      isa now = isa::automatic;
      const status s = topsplit::selected_isa(now);
      answer = s.ok() ? topsplit::isa_name(now) : s.text();
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_FALSE(answers[0].empty());
  EXPECT_EQ(std::count(answers.begin(), answers.end(), answers[0]), 4);
}

#if defined(__aarch64__)
// A thread may change the length of its SVE vectors after the table was chosen; kernels of a fixed length would then be wrong.
TEST_F(dispatch, a_thread_with_vectors_of_another_length) {
  const std::vector<isa> ids = available();
  if (std::count(ids.begin(), ids.end(), isa::sve) == 0)
    GTEST_SKIP() << "no SVE of a length that has a table" << present();
  std::vector<float> x(3000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * 7919 % 3001);
  std::vector<std::vector<std::int64_t>> found;
  const auto find_best = [&](isa id) {
    topsplit::topk_options options;
    options.run.isa = id;
    options.run.threads = topsplit::threading::serial;
    std::vector<float> values(20);
    found.emplace_back(20);
    const status s = topsplit::topk_rows(x.data(), 1, 3000, 20, values.data(), found.back().data(), options);
    EXPECT_TRUE(s.ok()) << s.text();
  };
  find_best(isa::generic);
  find_best(isa::sve);
  std::thread([&] {
    EXPECT_EQ(prctl(PR_SVE_SET_VL, 16) & PR_SVE_VL_LEN_MASK, 16);
    find_best(isa::sve);
  }).join();
  EXPECT_EQ(found[1], found[0]);
  EXPECT_EQ(found[2], found[0]);
}
#endif

TEST(machine, offers_and_selects_what_is_expected) {
  std::vector<std::string> names;
  for (const isa id : available()) names.push_back(topsplit::isa_name(id));
  const char* variable = std::getenv("TOPSPLIT_EXPECT_ISA");
  std::istringstream expected(variable == nullptr ? "generic" : variable);
  for (std::string name; std::getline(expected, name, ',');) {
    EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name << " is expected" << present();
  }
  if (const char* selected = std::getenv("TOPSPLIT_EXPECT_SELECTED")) {
    isa now = isa::automatic;
    const status s = topsplit::selected_isa(now);
    EXPECT_TRUE(s.ok()) << s.text();
    EXPECT_STREQ(topsplit::isa_name(now), selected);
  }
}

}  // namespace
