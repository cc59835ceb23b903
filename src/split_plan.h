// How a Split call is done: which algorithm, how many tasks, how many bytes each.
//
// A pure function of its arguments; every threshold of Split lives in split_plan.cc, or in split_thresholds.h those that profiles
// share. The bytes of the result are the same for every plan.

#ifndef TOPSPLIT_SRC_SPLIT_PLAN_H
#define TOPSPLIT_SRC_SPLIT_PLAN_H

#include <cstddef>

#include "arch/kernel_table.h"

namespace topsplit::detail {

// What the choice of an algorithm asks of a call.
struct split_form {
  std::size_t outer;          // rows
  std::size_t row_bytes;      // of the input
  std::size_t parts;          // those that have bytes
  std::size_t narrowest;      // bytes of the shortest of them in a row ...
  std::size_t widest;         // ... and of the longest
  std::size_t shuffle_bytes;  // of the kernel table ...
  bool streams;               // ... likewise

  std::size_t total_bytes() const noexcept { return outer * row_bytes; }
};

struct split_tuning {
  std::size_t grain_bytes;          // execution::grain_bytes, 0: the plan's own
  std::size_t parallel_from_bytes;  // execution::parallel_from_bytes, 0: the plan's own
  std::size_t stream_from_bytes;    // outputs of so many bytes go past the cache; see kept_bytes
};

struct split_plan {
  kernels::split_algorithm algorithm;
  int tasks;                // at least 1
  std::size_t units;        // bytes to copy; 0: there is nothing to do
  std::size_t grain;        // bytes that a task takes at a time; units when serial
  std::size_t stack_bytes;  // bound on the stack of one task
};

// Parts that one kernel call takes: their array is on the stack of the task.
inline constexpr std::size_t split_batch_parts = 128;

// Whether more than one task could pay. Asked before the width is, which costs system calls.
bool is_worth_sharing(std::size_t total_bytes, const split_tuning& tuning) noexcept;

// width: how many tasks may run at once. It is not looked at where sharing does not pay.
split_plan plan_split(const split_form& form, const split_tuning& tuning, int width) noexcept;

}  // namespace topsplit::detail

#endif
