// How tests look at a refused call: its code, the words and numbers of its text, and memory that must be as it was.

#ifndef TOPSPLIT_TESTS_REFUSAL_H
#define TOPSPLIT_TESTS_REFUSAL_H

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "topsplit/status.h"

// Elements whose bytes are a pattern until someone writes to them.
template <class T>
class patterned {
 public:
  explicit patterned(std::size_t count) : elements_(count) {
    std::memset(static_cast<void*>(elements_.data()), pattern, count * sizeof(T));
  }
  // const like a pointer: what is seen through it is the caller's.
  T* data() const { return const_cast<T*>(elements_.data()); }
  bool is_untouched() const {
    const auto* bytes = reinterpret_cast<const unsigned char*>(elements_.data());
    return std::all_of(bytes, bytes + elements_.size() * sizeof(T), [](unsigned char b) { return b == pattern; });
  }

 private:
  static constexpr unsigned char pattern = 0x5a;
  std::vector<T> elements_;
};

inline void expect_refused(const topsplit::status& s, topsplit::status_code code, const std::string& opening,
                           const std::vector<std::string>& words) {
  const std::string text = s.text();
  EXPECT_EQ(topsplit::status_code_name(s.code()), std::string(topsplit::status_code_name(code))) << text;
  EXPECT_EQ(text.compare(0, opening.size(), opening), 0) << text;
  for (const std::string& word : words) EXPECT_NE(text.find(word), std::string::npos) << word << " is not in: " << text;
}

#endif
