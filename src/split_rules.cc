// The checks of Split. That thousands of outputs do not overlap is found without memory of their number: outputs that
// lie in ascending order, as one allocator call after the other leaves them, pass in one sweep; others are
// sorted in blocks on the stack, and every later output is looked up in each block: count^2 / 512 * 9 steps.

#include "src/split_rules.h"

#include <algorithm>

#include "src/message.h"

namespace topsplit::detail {
namespace {

constexpr argument about_input = {"Split", "input"};
constexpr argument about_sizes = {"Split", "split"};

argument about_output(std::size_t i) noexcept { return {"Split", "output", static_cast<std::int64_t>(i)}; }

byte_range output_range(const tensor* outputs, const split_problem& problem, std::size_t i) noexcept {
  return range_of(outputs[i].data, problem.folded.outer * problem.part_bytes(i));
}

struct numbered_range {
  byte_range range;
  std::size_t output;
};

bool begins_before(const numbered_range& a, const numbered_range& b) noexcept { return a.range.begin < b.range.begin; }

status refuse_pair(const numbered_range& a, const numbered_range& b) noexcept {
  const bool in_order = a.output < b.output;
  const numbered_range& first = in_order ? a : b;
  const numbered_range& second = in_order ? b : a;
  return refuse_overlap(about_output(second.output), second.range, about_output(first.output), first.range);
}

// Ranges that are sorted and share no byte, so that a range can overlap only its neighbours in the order.
struct range_block {
  static constexpr std::size_t capacity = 512;  // 12 KiB of stack, gone before a task begins
  numbered_range ranges[capacity];
  std::size_t size = 0;

  // Takes outputs from `first` on until the block is full; returns the next one.
  std::size_t fill(const tensor* outputs, const split_problem& problem, std::size_t first) noexcept {
    std::size_t i = first;
    for (size = 0; i < problem.sizes.count && size < capacity; ++i) {
      const byte_range range = output_range(outputs, problem, i);
      if (range.bytes != 0) ranges[size++] = {range, i};
    }
    std::sort(ranges, ranges + size, begins_before);
    return i;
  }

  status check_within() const noexcept {
    for (std::size_t i = 1; i < size; ++i) {
      if (overlap(ranges[i - 1].range, ranges[i].range)) return refuse_pair(ranges[i - 1], ranges[i]);
    }
    return {};
  }

  status check_against(const numbered_range& other) const noexcept {
    const numbered_range* next = std::lower_bound(ranges, ranges + size, other, begins_before);
    if (next != ranges + size && overlap(next->range, other.range)) return refuse_pair(*next, other);
    if (next != ranges && overlap(next[-1].range, other.range)) return refuse_pair(next[-1], other);
    return {};
  }
};

bool ascends_without_overlap(const tensor* outputs, const split_problem& problem) noexcept {
  byte_range previous = {0, 0};
  for (std::size_t i = 0; i < problem.sizes.count; ++i) {
    const byte_range range = output_range(outputs, problem, i);
    if (range.bytes == 0) continue;
    if (range.begin < previous.begin || overlap(previous, range)) return false;
    previous = range;
  }
  return true;
}

status check_pairs(const tensor* outputs, const split_problem& problem) noexcept {
  if (ascends_without_overlap(outputs, problem)) return {};
  range_block block;
  for (std::size_t first = 0; first < problem.sizes.count;) {
    first = block.fill(outputs, problem, first);
    if (status s = block.check_within(); !s.ok()) return s;
    for (std::size_t i = first; i < problem.sizes.count; ++i) {
      if (status s = block.check_against({output_range(outputs, problem, i), i}); !s.ok()) return s;
    }
  }
  return {};
}

status check_overlaps(const const_tensor& input, const tensor* outputs, const split_problem& problem) noexcept {
  const byte_range input_range = range_of(input.data, problem.total_bytes());
  const part_sizes& sizes = problem.sizes;
  const byte_range sizes_range =
      range_of(sizes.data, sizes.data == nullptr ? 0 : sizes.count * data_type_bytes(sizes.type));
  for (std::size_t i = 0; i < sizes.count; ++i) {
    const byte_range range = output_range(outputs, problem, i);
    if (overlap(range, input_range)) return refuse_overlap(about_output(i), range, about_input, input_range);
    if (overlap(range, sizes_range)) return refuse_overlap(about_output(i), range, about_sizes, sizes_range);
  }
  return check_pairs(outputs, problem);
}

}  // namespace

status check_split(const const_tensor& input, const part_sizes& sizes, std::int64_t axis,
                   split_problem& problem) noexcept {
  problem.element_bytes = data_type_bytes(input.type);
  problem.sizes = sizes;
  if (problem.element_bytes == 0) {
    return refuse(about_input, status_code::unsupported_type, "has type %s (%d), which Split does not take",
                  data_type_name(input.type), static_cast<int>(input.type));
  }
  if (status s = fold_shape(about_input, input, axis, problem.element_bytes, problem.folded); !s.ok()) return s;
  return check_sizes(problem.folded, problem.sizes);
}

status check_split_tensors(const const_tensor& input, const tensor* outputs, const split_problem& problem) noexcept {
  if (outputs == nullptr) {
    return error(status_code::invalid_argument, "Split: the array of %zu outputs is null", problem.sizes.count);
  }
  const std::size_t alignment = input.type == data_type::string ? alignof(std::string) : 1;
  if (status s = check_data(about_input, input.data, problem.total_bytes(), alignment); !s.ok()) return s;
  for (std::size_t i = 0; i < problem.sizes.count; ++i) {
    const argument who = about_output(i);
    if (status s = check_output(who, outputs[i], input.type, input, problem.folded.axis, problem.sizes[i]); !s.ok()) {
      return s;
    }
    const std::size_t bytes = output_range(outputs, problem, i).bytes;
    if (status s = check_data(who, outputs[i].data, bytes, alignment); !s.ok()) return s;
  }
  return check_overlaps(input, outputs, problem);
}

}  // namespace topsplit::detail
