// Calls both operators, and compares version and error text, through the installed headers and library.

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "topsplit/topsplit.h"

namespace {

int failures = 0;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "cpp_find_package: %s\n", what);
  ++failures;
}

void call_topk() {
  const float x[] = {3, 9, 1, 9, 4, 0, 7, 5};
  float values[4] = {};
  std::int64_t indices[4] = {};
  expect(topsplit::topk_rows(x, 2, 4, 2, values, indices).ok(), "topk_rows fails");
  const float best[] = {9, 9, 7, 5};
  const std::int64_t where[] = {1, 3, 2, 3};
  expect(std::memcmp(values, best, sizeof best) == 0 && std::memcmp(indices, where, sizeof where) == 0,
         "topk_rows is wrong");

  const topsplit::status s = topsplit::topk_rows(x, 2, 4, 5, values, indices);
  expect(s.code() == topsplit::status_code::invalid_argument && std::strstr(s.text(), "k = 5") != nullptr,
         "k = 5 of 4 is no error that names it");
}

void call_split() {
  const std::vector<std::string> words = {"one", "a word that is too long for the object itself", "three"};
  std::vector<std::string> first(1), rest(2);
  const std::int64_t shape[] = {3}, first_shape[] = {1}, rest_shape[] = {2};
  const topsplit::tensor outputs[] = {{first.data(), topsplit::data_type::string, first_shape, 1},
                                      {rest.data(), topsplit::data_type::string, rest_shape, 1}};
  const std::int64_t sizes[] = {1, 2};
  expect(topsplit::split({words.data(), topsplit::data_type::string, shape, 1}, sizes, outputs, 2).ok(), "split fails");
  expect(first[0] == words[0] && rest[0] == words[1] && rest[1] == words[2], "split is wrong");
}

}  // namespace

int main() {
  const std::string header = std::to_string(TOPSPLIT_VERSION_MAJOR) + "." + std::to_string(TOPSPLIT_VERSION_MINOR) +
                             "." + std::to_string(TOPSPLIT_VERSION_PATCH);
  expect(header == topsplit::version(), "header and library differ in version");
  call_topk();
  call_split();
  return failures == 0 ? 0 : 1;
}
