// Runs ranges on the caller's threads. parallel.cc is the only file of the library that includes oneTBB.

#ifndef TOPSPLIT_SRC_PARALLEL_H
#define TOPSPLIT_SRC_PARALLEL_H

#include <cstddef>

#include "topsplit/execution.h"

namespace topsplit::detail {

// How many tasks may run at once under these options, at least 1: the least of max_tasks and of what execution.h
// lists. Asks the operating system; not for calls that will be serial anyway.
int parallel_width(const execution& run) noexcept;

// A piece of work: fill what [begin, end) of the units stand for.
using range_task = void (*)(const void* context, std::size_t begin, std::size_t end) noexcept;

// Calls task on ranges that cover [0, units) once, each of `grain` units but the last, at most `tasks` of them at once.
// Returns when all have ended. tasks <= 1 is one plain call with the whole range. Whatever goes wrong in the scheduler
// (no thread to be had, an exception), the rest is done by the calling thread.
void parallel_ranges(const execution& run, int tasks, std::size_t units, std::size_t grain, range_task task,
                     const void* context) noexcept;

}  // namespace topsplit::detail

#endif
