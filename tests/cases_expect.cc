#include "tests/cases_expect.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace cases {
namespace {

constexpr const char* part_sizes = "part sizes";
constexpr const char* one_row = "one row differs from the rest";

std::int64_t axis_of(const problem& p, std::int64_t by_default) {
  return p.row.contains("axis") && !p.row["axis"].is_null() ? p.row["axis"].get<std::int64_t>() : by_default;
}

std::string at(const json& expect, const outcome& got) {
  if (got.refused) return "refused: " + got.text;
  if (expect.contains("out_shape") && got.outputs[0].shape != expect["out_shape"].get<oracle::shape_t>()) {
    return "shape of the outputs";
  }
  return "";
}

std::string compare_whole(const elements& actual, const json& list, const char* what) {
  return list.size() == actual.count() && same_elements(actual, 0, list) ? "" : what;
}

std::string compare_hash(const elements& actual, const json& hash, const char* what) {
  return fnv1a64(actual) == number_of_hex(hash.get<std::string>()) ? "" : std::string(what) + " (by hash)";
}

// Each slice is a set of pairs: its elements are sorted by index on both sides. expected is made into elements for that, so
// a NaN, which pairs with its index, is still compared as the list has it.
std::string compare_unordered(const problem& p, const json& expect, const outcome& got) {
  const elements& values = got.outputs[0].data;
  const elements& indices = got.outputs[1].data;
  const json& value_list = expect.at("values");
  const json& index_list = expect.at("indices");
  if (value_list.size() != values.count() || index_list.size() != indices.count()) return "number of elements";
  const oracle::slices view(got.outputs[0].shape, axis_of(p, -1));
  const auto* const index = static_cast<const std::int64_t*>(indices.data());
  for (std::size_t s = 0; s < view.count(); ++s) {
    std::vector<std::pair<std::int64_t, std::size_t>> actual;
    std::vector<std::pair<std::int64_t, std::size_t>> expected;
    for (std::size_t i = 0; i < view.length; ++i) {
      const std::size_t position = view.position(s, i);
      actual.emplace_back(index[position], position);
      expected.emplace_back(index_list[position].get<std::int64_t>(), position);
    }
    std::sort(actual.begin(), actual.end());
    std::sort(expected.begin(), expected.end());
    for (std::size_t i = 0; i < view.length; ++i) {
      if (actual[i].first != expected[i].first) return "the set of indices of slice " + std::to_string(s);
      if (!same_elements(values, actual[i].second, json::array({value_list[expected[i].second]}))) {
        return "the values of slice " + std::to_string(s);
      }
    }
  }
  return "";
}

// TopK's outputs with each slice in the order of its indices: the one order of a set that can be hashed.
std::vector<output> in_index_order(const problem& p, const outcome& got) {
  std::vector<output> sorted = got.outputs;
  const oracle::slices view(got.outputs.at(0).shape, axis_of(p, -1));
  const auto* const index = static_cast<const std::int64_t*>(got.outputs.at(1).data.data());
  for (std::size_t s = 0; s < view.count(); ++s) {
    std::vector<std::size_t> from(view.length);
    for (std::size_t i = 0; i < view.length; ++i) from[i] = view.position(s, i);
    std::sort(from.begin(), from.end(), [index](std::size_t a, std::size_t b) { return index[a] < index[b]; });
    for (std::size_t o = 0; o < sorted.size(); ++o) {
      const oracle::bytes_t& bytes = got.outputs[o].data.bytes;
      const std::size_t size = oracle::element_bytes(got.outputs[o].data.type);
      for (std::size_t i = 0; i < view.length; ++i) {
        std::memcpy(sorted[o].data.bytes.data() + view.position(s, i) * size, bytes.data() + from[i] * size, size);
      }
    }
  }
  return sorted;
}

std::string compare_topk(const problem& p, const json& expect, const outcome& got) {
  if (std::string s = at(expect, got); !s.empty()) return s;
  const bool unordered = expect.value("unordered", false);
  const std::vector<output> sorted = unordered ? in_index_order(p, got) : std::vector<output>{};
  const elements& values = (unordered ? sorted : got.outputs).at(0).data;
  const elements& indices = (unordered ? sorted : got.outputs).at(1).data;
  std::vector<std::string> answers;
  if (unordered && expect.contains("indices") != expect.contains("values")) return "a set of pairs needs both lists";
  if (unordered && expect.contains("values")) {
    answers.push_back(compare_unordered(p, expect, got));
  } else {
    if (expect.contains("indices")) answers.push_back(compare_whole(indices, expect["indices"], "indices"));
    if (expect.contains("values")) answers.push_back(compare_whole(values, expect["values"], "values"));
  }
  if (expect.contains("indices_fnv1a64"))
    answers.push_back(compare_hash(indices, expect["indices_fnv1a64"], "indices"));
  if (expect.contains("values_fnv1a64")) answers.push_back(compare_hash(values, expect["values_fnv1a64"], "values"));
  if (expect.contains("head")) {
    const json& head = expect["head"];
    answers.push_back(same_elements(indices, 0, head.at("indices")) ? "" : "the first indices");
    answers.push_back(same_elements(values, 0, head.at("values")) ? "" : "the first values");
  }
  if (answers.empty()) return "the row says nothing of values or indices";
  const auto wrong = std::find_if(answers.begin(), answers.end(), [](const std::string& s) { return !s.empty(); });
  return wrong == answers.end() ? "" : *wrong + " differ";
}

std::string compare_parts(const json& parts, const outcome& got) {
  if (got.refused) return "refused: " + got.text;
  if (parts.size() != got.outputs.size()) return "number of outputs";
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string who = "output " + std::to_string(i);
    const output& actual = got.outputs[i];
    if (actual.shape != parts[i].at("shape").get<oracle::shape_t>()) return who + ": shape";
    if (!parts[i].contains("data") && !parts[i].contains("fnv1a64")) return who + ": the row says nothing of its data";
    if (parts[i].contains("data") && !compare_whole(actual.data, parts[i]["data"], "data").empty())
      return who + ": data";
    if (parts[i].contains("fnv1a64") && !compare_hash(actual.data, parts[i]["fnv1a64"], "data").empty()) {
      return who + ": data (by hash)";
    }
  }
  return "";
}

// The sizes are the row's; what lies in the parts is the oracle's.
std::string compare_sizes(const problem& p, const json& sizes, const outcome& got) {
  if (got.refused) return "refused: " + got.text;
  const auto lengths = sizes.get<std::vector<std::int64_t>>();
  if (lengths.size() != got.outputs.size()) return "number of outputs";
  const std::int64_t axis = axis_of(p, 0);
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (got.outputs[i].shape != oracle::with_axis(p.shape, axis, lengths[i]))
      return "size of output " + std::to_string(i);
  }
  bool same = true;
  const std::size_t bytes = p.type == data_type::string ? 0 : oracle::element_bytes(p.type);
  oracle::split(p.shape, axis, lengths, [&](std::size_t part, std::size_t to, std::size_t from) {
    const elements& actual = got.outputs[part].data;
    same = same && (bytes == 0 ? actual.strings[to] == p.input.strings[from]
                               : std::equal(actual.bytes.data() + to * bytes, actual.bytes.data() + (to + 1) * bytes,
                                            p.input.bytes.data() + from * bytes));
  });
  return same ? "" : "data of the outputs";
}

// other_rows holds values and indices, by name or as a pair.
std::string compare_rows(const problem& p, const json& expect, const outcome& got) {
  if (std::string s = at(expect, got); !s.empty()) return s;
  const json& other = expect.at("other_rows");
  const json& other_values = other.is_array() ? other.at(0) : other.at("values");
  const json& other_indices = other.is_array() ? other.at(1) : other.at("indices");
  const auto row = expect.at("row").get<std::size_t>();
  const oracle::slices view(got.outputs.at(0).shape, axis_of(p, -1));
  if (row >= view.count()) return "the row says row " + std::to_string(row);
  for (std::size_t s = 0; s < view.count(); ++s) {
    const json& values = s == row ? expect.at("row_values") : other_values;
    const json& indices = s == row ? expect.at("row_indices") : other_indices;
    if (values.size() != view.length || indices.size() != view.length) return "length of a row";
    for (std::size_t i = 0; i < view.length; ++i) {
      const std::size_t position = view.position(s, i);
      if (!same_elements(got.outputs[0].data, position, json::array({values[i]})))
        return "values of row " + std::to_string(s);
      if (!same_elements(got.outputs[1].data, position, json::array({indices[i]})))
        return "indices of row " + std::to_string(s);
    }
  }
  return "";
}

std::string compare_one(const problem& p, const json& expect, const outcome& got) {
  if (expect.value("error", false)) return got.refused ? "" : "not refused";
  if (expect.contains("property")) {
    const auto property = expect["property"].get<std::string>();
    return property == part_sizes ? compare_sizes(p, expect.at("sizes"), got) : compare_rows(p, expect, got);
  }
  if (expect.contains("outputs")) return compare_parts(expect["outputs"], got);
  return compare_topk(p, expect, got);
}

}  // namespace

std::string difference(const problem& p, const outcome& got, int& choice) {
  choice = 0;
  if (!got.damage.empty()) return got.damage;
  const json& expect = p.row.at("expect");
  if (!expect.contains("any_of")) return compare_one(p, expect, got);
  std::string all;
  for (const json& alternative : expect["any_of"]) {
    ++choice;
    const std::string wrong = compare_one(p, alternative, got);
    if (wrong.empty()) return "";
    all += (all.empty() ? "none of any_of: " : "; ") + wrong;
  }
  return all.empty() ? "any_of is empty" : all;
}

bool is_procedure(const json& expect) {
  if (!expect.contains("property")) return false;
  const auto property = expect["property"].get<std::string>();
  return property != part_sizes && property != one_row;
}

}  // namespace cases
