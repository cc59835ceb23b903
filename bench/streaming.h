// The limits that memory and vector units set: what looks at every element can be no faster than these. Each runs on
// the widest vectors that the machine has, whatever the library picks.

#ifndef TOPSPLIT_BENCH_STREAMING_H
#define TOPSPLIT_BENCH_STREAMING_H

#include <cstddef>
#include <cstdint>

namespace topsplit::bench {

// Reads all bytes once and returns something that depends on them.
std::uint64_t read_all(const void* data, std::size_t bytes);

// The greatest element of each of `rows` rows of n.
void max_of_rows(const float* x, std::size_t rows, std::size_t n, float* result);

// Makes the compiler compute a value that nobody wants.
template <class T>
void keep(const T& value) {
  asm volatile("" : : "r,m"(value) : "memory");
}

}  // namespace topsplit::bench

#endif
