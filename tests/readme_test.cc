// README.md says what is so: its example prints what its comment says, and each example in its contract table, such as
//   `topk([1, 3, 2], k=2)` = `[3, 2]` at `[1, 2]`      or      `topk([1, 3], k=5)` = `TopK: ...`, an error's text
//   `split([1, 2, 3], parts=[1, 2])` = `[1] [2, 3]`    parts=2 asks for so many equal parts
// is calculated here as float tensors of rank 1.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "topsplit/topsplit.h"

#include "readme_example.inc"

namespace {

using topsplit::data_type;

std::string readme() {
  std::ostringstream text;
  text << std::ifstream(TOPSPLIT_README).rdbuf();
  return text.str();
}

std::vector<double> numbers_of(const std::string& list) {
  std::vector<double> result;
  const char* text = list.c_str();
  char* end = nullptr;
  for (double value = std::strtod(text, &end); end != text; value = std::strtod(text, &end)) {
    result.push_back(value);
    text = *end == ',' ? end + 1 : end;
  }
  return result;
}

template <class T>
std::string print(const std::vector<T>& list) {
  std::string text;
  for (const T value : list) {
    char number[32];
    std::snprintf(number, sizeof number, "%g", static_cast<double>(value));
    text += (text.empty() ? "" : ", ") + std::string(number);
  }
  return "[" + text + "]";
}

// `options` is "k=2, smallest, sorted=0" or a part of it.
std::string calculate_topk(const std::vector<float>& x, const std::string& options) {
  topsplit::topk_options how;
  if (options.find("smallest") != std::string::npos) how.select = topsplit::topk_select::smallest;
  if (options.find("sorted=0") != std::string::npos) how.order = topsplit::topk_order::by_index;
  const std::int64_t k = std::strtoll(options.c_str() + std::string("k=").size(), nullptr, 10);
  const std::size_t room = k < 0 ? 0 : std::min(static_cast<std::size_t>(k), x.size());  // more is an error
  std::vector<float> values(room);
  std::vector<std::int64_t> indices(room);
  const std::int64_t n = static_cast<std::int64_t>(x.size());
  const topsplit::status s =
      topsplit::topk({x.data(), data_type::f32, &n, 1}, k, {values.data(), data_type::f32, &k, 1},
                     {indices.data(), data_type::i64, &k, 1}, how);
  return s.ok() ? "`" + print(values) + "` at `" + print(indices) + "`" : "`" + std::string(s.text()) + "`";
}

std::string calculate_split(const std::vector<float>& x, const std::string& parts) {
  const std::vector<double> given = numbers_of(parts.substr(parts[0] == '[' ? 1 : 0));
  const std::int64_t n = static_cast<std::int64_t>(x.size());
  const std::size_t count = parts[0] == '[' ? given.size() : static_cast<std::size_t>(given.at(0));
  std::vector<std::int64_t> sizes(count);
  for (std::size_t i = 0; parts[0] == '[' && i < count; ++i) sizes[i] = static_cast<std::int64_t>(given[i]);
  const topsplit::const_tensor input = {x.data(), data_type::f32, &n, 1};
  const topsplit::status inferred =
      topsplit::infer_split(input, parts[0] == '[' ? sizes.data() : nullptr, count, 0, sizes.data());
  if (!inferred.ok()) return "`" + std::string(inferred.text()) + "`";
  std::vector<std::vector<float>> results(count);
  std::vector<topsplit::tensor> outputs;
  for (std::size_t i = 0; i < count; ++i) {
    results[i].resize(static_cast<std::size_t>(sizes[i]));
    outputs.push_back({results[i].data(), data_type::f32, &sizes[i], 1});
  }
  const topsplit::status s = topsplit::split(input, sizes.data(), outputs.data(), count);
  if (!s.ok()) return "`" + std::string(s.text()) + "`";
  std::string text;
  for (const auto& part : results) text += (text.empty() ? "" : " ") + print(part);
  return "`" + text + "`";
}

TEST(readme, example_prints_what_it_says) {
  const std::string text = readme();
  const std::regex line("// prints: (.*)\n");
  std::string promised;
  for (std::sregex_iterator i(text.begin(), text.end(), line), end; i != end; ++i) promised += (*i)[1].str() + "\n";
  ASSERT_NE(promised, "");
  testing::internal::CaptureStdout();
  EXPECT_EQ(readme_main(), 0);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), promised);
}

TEST(readme, contract_table_is_so) {
  const std::string text = readme();
  const std::regex example(R"(`(topk|split)\(\[(.*?)\], (?:parts=)?(.*?)\)` = (`[^`]*`(?: at `[^`]*`)?))");
  int topk = 0, split = 0;
  for (std::sregex_iterator i(text.begin(), text.end(), example), end; i != end; ++i) {
    const std::smatch& row = *i;
    SCOPED_TRACE(row.str());
    std::vector<float> x;
    for (const double value : numbers_of(row[2])) x.push_back(static_cast<float>(value));
    const bool is_topk = row[1] == "topk";
    ++(is_topk ? topk : split);
    EXPECT_EQ(is_topk ? calculate_topk(x, row[3]) : calculate_split(x, row[3]), row[4]);
  }
  EXPECT_GE(topk, 10);
  EXPECT_GE(split, 5);
}

}  // namespace
