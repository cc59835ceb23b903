// Written once on the compiler's own vectors of 64 bytes, which it cuts into what the target of the function has; the
// same body is compiled for three targets and picked at run time. Four accumulators hide the latency of one operation
// and, with 16 registers of 16 bytes, still stay in registers.

#include "bench/streaming.h"

#include <algorithm>
#include <cstring>

namespace topsplit::bench {
namespace {

constexpr std::size_t accumulators = 4;

template <class T>
struct wide {
  typedef T vector __attribute__((vector_size(64)));
  static constexpr std::size_t lanes = 64 / sizeof(T);
};

struct bit_or {
  template <class V>
  __attribute__((always_inline)) static void apply(V& into, const V& from) {
    into |= from;
  }
};

struct maximum {
  template <class V>
  __attribute__((always_inline)) static void apply(V& into, const V& from) {
    into = from > into ? from : into;
  }
};

// n is at least a block of accumulators; the last block overlaps the one before it, which neither operation minds.
template <class Operation, class T>
__attribute__((always_inline)) inline T reduce(const T* x, std::size_t n) {
  using vector = typename wide<T>::vector;
  constexpr std::size_t block = accumulators * wide<T>::lanes;
  vector sums[accumulators];
  std::memcpy(sums, x, sizeof sums);
  for (std::size_t i = block; i < n; i += block) {
    const T* from = x + std::min(i, n - block);
    for (std::size_t a = 0; a < accumulators; ++a) {
      vector next;
      std::memcpy(&next, from + a * wide<T>::lanes, sizeof next);
      Operation::apply(sums[a], next);
    }
  }
  for (std::size_t a = 1; a < accumulators; ++a) Operation::apply(sums[0], sums[a]);
  T result = sums[0][0];
  for (std::size_t lane = 1; lane < wide<T>::lanes; ++lane) Operation::apply(result, T{sums[0][lane]});
  return result;
}

#if defined(__x86_64__)
template <class Operation, class T>
__attribute__((target("avx512f"))) T reduce_avx512(const T* x, std::size_t n) {
  return reduce<Operation>(x, n);
}
template <class Operation, class T>
__attribute__((target("avx2"))) T reduce_avx2(const T* x, std::size_t n) {
  return reduce<Operation>(x, n);
}
#endif

template <class Operation, class T>
T reduce_widest(const T* x, std::size_t n) {
  if (n < accumulators * wide<T>::lanes) {
    T result = x[0];
    for (std::size_t i = 1; i < n; ++i) Operation::apply(result, x[i]);
    return result;
  }
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return reduce_avx512<Operation>(x, n);
  if (__builtin_cpu_supports("avx2")) return reduce_avx2<Operation>(x, n);
#endif
  return reduce<Operation>(x, n);
}

}  // namespace

std::uint64_t read_all(const void* data, std::size_t bytes) {
  const std::size_t words = bytes / sizeof(std::uint64_t);
  std::uint64_t result = 0;  // the last bytes, which make no whole word
  std::memcpy(&result, static_cast<const std::byte*>(data) + words * sizeof result, bytes % sizeof result);
  if (words > 0) result |= reduce_widest<bit_or>(static_cast<const std::uint64_t*>(data), words);
  return result;
}

void max_of_rows(const float* x, std::size_t rows, std::size_t n, float* result) {
  for (std::size_t row = 0; row < rows; ++row) result[row] = reduce_widest<maximum>(x + row * n, n);
}

}  // namespace topsplit::bench
