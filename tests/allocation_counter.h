// Counts heap allocations of the whole process: the malloc family and operator new, on every thread.

#ifndef TOPSPLIT_TESTS_ALLOCATION_COUNTER_H
#define TOPSPLIT_TESTS_ALLOCATION_COUNTER_H

#include <cstddef>

struct allocation_count {
  std::size_t mallocs;  // calls of malloc, calloc, realloc and their aligned kin; operator new's own among them
  std::size_t news;     // calls of operator new
  std::size_t frees;    // of memory that was there
  std::size_t bytes;    // asked for in mallocs
};

// What happened since the process began.
allocation_count allocations() noexcept;

// What happens while it lives.
class allocation_window {
 public:
  allocation_window() noexcept : start_(allocations()) {}
  allocation_count seen() const noexcept {
    const allocation_count now = allocations();
    return {now.mallocs - start_.mallocs, now.news - start_.news, now.frees - start_.frees, now.bytes - start_.bytes};
  }
  // Allocations and releases by any way; a count of 0 says that the heap was not touched.
  std::size_t events() const noexcept {
    const allocation_count count = seen();
    return count.mallocs + count.news + count.frees;
  }

 private:
  allocation_count start_;
};

#endif
