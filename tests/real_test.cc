// Tensors from real models, pictures and sounds, as a folder with a manifest.json describes them: the result of every case is
// compared with its files and with their SHA-256, on every ISA, serially and on threads. The folder's models are the
// command's tests' affair.

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "src/cli/npy.h"
#include "tests/runs.h"
#include "tests/sha256.h"
#include "topsplit/topsplit.h"

namespace {

using nlohmann::json;
using topsplit::cli::array;
using shape_t = std::vector<std::int64_t>;

const std::string folder = TOPSPLIT_REAL;

std::string sum_of(const array& tensor) { return sha256::of(tensor.bytes.data(), tensor.bytes.size()); }

array read(const std::string& name) {
  return topsplit::cli::read_npy(folder + "/" + name, topsplit::cli::sixteen_bits::as_stored);
}

std::vector<topsplit::execution> all_runs() {
  std::vector<topsplit::execution> runs;
  for (const topsplit::isa isa : available_isas()) {
    runs.insert(runs.end(), {serial(isa), forced_parallel(isa, 4), on_threads(isa, 3)});
  }
  return runs;
}

// The result's sum, and its file where the manifest names one.
void expect_same(const array& actual, const json& test, const char* what) {
  EXPECT_EQ(sum_of(actual), test.at(std::string(what) + "_sha256").get<std::string>()) << what;
  if (test.contains(what) && test[what].is_string()) {
    const array expected = read(test[what].get<std::string>());
    EXPECT_EQ(actual.shape, expected.shape) << what;
    EXPECT_TRUE(actual.bytes == expected.bytes) << what << " differ from " << test[what];
  }
}

void run_topk(const array& x, const json& test) {
  const auto k = test.at("K").get<std::int64_t>();
  const auto shape = test.at("out_shape").get<shape_t>();
  topsplit::topk_options options;
  options.axis = test.at("axis").get<std::int64_t>();
  options.select = test.at("largest") == 1 ? topsplit::topk_select::largest : topsplit::topk_select::smallest;
  options.order = test.at("sorted") == 1 ? topsplit::topk_order::by_value : topsplit::topk_order::by_index;
  for (const topsplit::execution& run : all_runs()) {
    SCOPED_TRACE(describe(run));
    options.run = run;
    array values = topsplit::cli::make_array(x.type, shape, "values");
    array indices = topsplit::cli::make_array(topsplit::data_type::i64, shape, "indices");
    const topsplit::status done = topsplit::topk(x.view(), k, values.view(), indices.view(), options);
    ASSERT_TRUE(done.ok()) << done.text();
    expect_same(values, test, "values");
    expect_same(indices, test, "indices");
  }
}

void run_split(const array& x, const json& test) {
  const auto sizes = test.at("split").get<shape_t>();
  topsplit::split_options options;
  options.axis = test.at("axis").get<std::int64_t>();
  for (const topsplit::execution& run : all_runs()) {
    SCOPED_TRACE(describe(run));
    options.run = run;
    std::vector<array> parts;
    std::vector<topsplit::tensor> views;
    for (const json& part : test.at("parts")) {
      parts.push_back(topsplit::cli::make_array(x.type, part.at("shape").get<shape_t>(), "part"));
    }
    for (array& part : parts) {
      views.push_back(part.view());
    }
    const topsplit::status done = topsplit::split(x.view(), sizes.data(), views.data(), views.size(), options);
    ASSERT_TRUE(done.ok()) << done.text();
    for (std::size_t p = 0; p < parts.size(); ++p) {
      EXPECT_EQ(sum_of(parts[p]), test["parts"][p].at("sha256").get<std::string>()) << "part " << p;
    }
  }
}

// Every tensor of one operator; how many cases there were.
int run_manifest(const char* op, void (*run)(const array&, const json&)) {
  std::ifstream file(folder + "/manifest.json");
  int cases = 0;
  for (const json& entry : json::parse(file)) {
    if (entry.at("op") != op) continue;
    const auto name = entry.at("file").get<std::string>();
    SCOPED_TRACE(name);
    const array x = read(name);
    EXPECT_EQ(x.shape, entry.at("shape").get<shape_t>());
    EXPECT_EQ(sum_of(x), entry.at("sha256").get<std::string>()) << "the input itself";
    for (const json& test : entry.at("cases")) {
      SCOPED_TRACE(test.dump().substr(0, 100));
      run(x, test);
      ++cases;
    }
  }
  return cases;
}

class real : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::ifstream(folder + "/manifest.json")) {
      GTEST_SKIP() << "real_test.real." << testing::UnitTest::GetInstance()->current_test_info()->name()
                   << ": TOPSPLIT_REAL names no folder with a manifest.json";
    }
  }
};

TEST_F(real, topk) { EXPECT_GT(run_manifest("TopK", run_topk), 0); }
TEST_F(real, split) { EXPECT_GT(run_manifest("Split", run_split), 0); }

TEST(sha256_sum, of_known_texts) {
  const auto sum = [](const std::string& text) {
    return sha256::of(reinterpret_cast<const std::byte*>(text.data()), text.size());
  };
  EXPECT_EQ(sum(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sum("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sum(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

}  // namespace
