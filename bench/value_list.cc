#include "bench/value_list.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <stdexcept>

namespace topsplit::bench {
namespace {

constexpr std::int64_t greatest = std::int64_t{1} << 53;
constexpr std::size_t most_values = 100'000;

[[noreturn]] void refuse(const std::string& option, const std::string& why) {
  throw std::invalid_argument(option + ": " + why);
}

// At most `greatest`, or -1.
std::int64_t product(std::int64_t a, std::int64_t b) { return a > 0 && b > greatest / a ? -1 : a * b; }

std::int64_t count_or_negative(const std::string& text) {
  std::size_t at = 0;
  std::int64_t value = 0;
  while (at < text.size() && text[at] >= '0' && text[at] <= '9') {
    value = product(value, 10);
    if (value < 0) return -1;
    value += text[at++] - '0';
  }
  if (at == 0 || value > greatest) return -1;
  if (at == text.size()) return value;
  const std::string rest = text.substr(at);
  if (rest == "K" || rest == "M" || rest == "G") {
    return product(value, std::int64_t{1} << (rest == "K" ? 10 : rest == "M" ? 20 : 30));
  }
  const bool power = rest.size() > 1 && rest.size() < 4 && rest[0] == 'e' &&
                     rest.find_first_not_of("0123456789", 1) == std::string::npos;
  if (!power) return -1;
  for (int i = std::stoi(rest.substr(1)); i > 0 && value > 0; --i) value = product(value, 10);
  return value;
}

}  // namespace

std::vector<std::string> split_list(const std::string& option, const std::string& text) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    if (parts.back().empty()) refuse(option, "\"" + text + "\" has an empty place in it");
    if (end == text.size()) return parts;
    begin = end + 1;
  }
}

std::int64_t read_count(const std::string& option, const std::string& text) {
  const std::int64_t value = count_or_negative(text);
  if (value < 0) refuse(option, "\"" + text + "\" is no whole number up to 2^53");
  return value;
}

std::vector<std::int64_t> read_counts(const std::string& option, const std::string& text,
                                      const std::function<std::int64_t(const std::string&)>& word) {
  std::set<std::int64_t> values;
  const auto read_one = [&](const std::string& part) {
    const std::int64_t value = word ? word(part) : -1;
    return value >= 0 ? value : read_count(option, part);
  };
  for (const std::string& part : split_list(option, text)) {
    const std::size_t dots = part.find("..");
    if (dots == std::string::npos) {
      values.insert(read_one(part));
      continue;
    }
    const std::string upper = part.substr(dots + 2);
    const std::size_t sign = upper.find_first_of("+*");
    const std::int64_t last = read_one(upper.substr(0, sign));
    const std::int64_t step = sign == std::string::npos ? 1 : read_count(option, upper.substr(sign + 1));
    const bool times = sign != std::string::npos && upper[sign] == '*';
    std::int64_t value = read_one(part.substr(0, dots));
    if (value > last) refuse(option, "\"" + part + "\" goes down");
    if (step < (times ? 2 : 1) || (times && value == 0)) refuse(option, "\"" + part + "\" never ends");
    for (; value >= 0 && value <= last; value = times ? product(value, step) : value + step) {
      values.insert(value);
      if (values.size() > most_values) refuse(option, "\"" + part + "\" is more than 100000 values");
    }
  }
  return {values.begin(), values.end()};
}

}  // namespace topsplit::bench
