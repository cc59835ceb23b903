// Lists as options take them: what a user writes for an axis of a grid. Every function throws std::invalid_argument with
// one line that names the option and the part of the text that it does not understand.

#ifndef TOPSPLIT_BENCH_VALUE_LIST_H
#define TOPSPLIT_BENCH_VALUE_LIST_H

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace topsplit::bench {

// "a,b,c" as its parts; an empty one is an error.
std::vector<std::string> split_list(const std::string& option, const std::string& text);

// A whole number from 0 to 2^53, as digits, with a power of ten (1e6), or with K, M or G for 2^10, 2^20, 2^30 after it.
std::int64_t read_count(const std::string& option, const std::string& text);

// Numbers and ranges, each taken once, in ascending order: "1000,2000", "1..8" (by 1), "0..64+16", "1e3..1e6*10". `word`
// reads what is none of these, or returns -1.
std::vector<std::int64_t> read_counts(const std::string& option, const std::string& text,
                                      const std::function<std::int64_t(const std::string&)>& word = nullptr);

}  // namespace topsplit::bench

#endif
