// How a call runs: on which threads, with which ISA, cut how finely. Nothing here changes a result by a byte.
//
// The default runs in the oneTBB arena that the calling thread is in, with as many tasks at once as the least of
// that arena's concurrency, tbb::global_control, the thread's CPU affinity and the cgroup's CPU quota allow. Small work is
// always serial and then never enters oneTBB. A call returns when all of its tasks have ended; while it waits, the
// calling thread runs none of the caller's other tasks. After fork, a child of a process that has already run a parallel call runs serially.

#ifndef TOPSPLIT_EXECUTION_H
#define TOPSPLIT_EXECUTION_H

#include <cstddef>
#include <cstdint>

#include "topsplit/isa.h"

namespace topsplit {

enum class threading : std::int32_t {
  arena = 0,     // the arena the calling thread is in, or the one lent through topsplit/tbb.h
  serial = 1,    // the calling thread alone; oneTBB is not entered
  callback = 2,  // the caller's own parallel-for
};

// The caller's own parallel-for: run task(task_context, i) once for each i in [0, count), on any threads, in any
// order, and return when all have ended. context is handed through unchanged. It must not throw.
using parallel_for_function = void (*)(void* context, std::int32_t count,
                                       void (*task)(void* task_context, std::int32_t i), void* task_context);

struct execution {
  threading threads = threading::arena;

  // At most this many tasks at once; 0: as many as the arena, or the callback's width, has. Negative is an error.
  std::int32_t max_tasks = 0;

  // threading::callback: the function, its context, and how many tasks it can run at once (at least 1).
  parallel_for_function parallel_for = nullptr;
  void* parallel_for_context = nullptr;
  std::int32_t parallel_for_width = 0;

  // threading::arena: a tbb::task_arena lent by the caller; null: the one the calling thread is in. Set it through
  // topsplit/tbb.h, which has the type. The arena must outlive the call (or the operator that holds these options).
  void* lent_arena = nullptr;

  topsplit::isa isa = topsplit::isa::automatic;

  // Tuning, in bytes of input; 0 is the plan's own value. A task takes at least grain_bytes, and
  // a call on fewer than parallel_from_bytes is serial.
  std::size_t grain_bytes = 0;
  std::size_t parallel_from_bytes = 0;

  // Split: outputs of at least so many bytes in all are written past the caches, which cannot keep them; 0: what the
  // caches of this machine keep. SIZE_MAX: never.
  std::size_t stream_from_bytes = 0;
};

}  // namespace topsplit

#endif
