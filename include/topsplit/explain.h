// What a call would do, told without running it: see explain_topk and explain_split.

#ifndef TOPSPLIT_EXPLAIN_H
#define TOPSPLIT_EXPLAIN_H

#include <cstddef>
#include <cstdint>

#include "topsplit/isa.h"

namespace topsplit {

struct explanation {
  const char* algorithm;  // the kernel's name, a static string
  topsplit::isa isa;      // the table it comes from
  std::int32_t tasks;     // how many tasks the call starts; 1 is serial
  std::int64_t units;     // how much there is to share among them ...
  std::int64_t grain;     // ... and the least that one task takes at a time
  const char* unit;  // TopK: "slices", or "elements" of each slice where tasks share it; Split: "bytes" or "strings"
  std::size_t stack_bytes;  // bound on the stack of one task
  std::size_t heap_bytes;   // heap memory that the library takes: 0; SIZE_MAX for strings, whose data alone could tell
};

}  // namespace topsplit

#endif
