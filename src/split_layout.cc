// Where the parts lie in the input: what split copies, told without copying.

#include <cstddef>
#include <cstdint>

#include "src/message.h"
#include "src/split_rules.h"
#include "src/split_sizes.h"
#include "topsplit/split.h"

namespace topsplit {

status layout_split(const const_tensor& input, const std::int64_t* sizes, std::size_t count, std::int64_t axis,
                    split_part_layout* parts) noexcept {
  detail::split_problem problem;
  const detail::part_sizes given = sizes == nullptr ? detail::equal_sizes(count) : detail::given_sizes(sizes, count);
  if (status s = detail::check_split(input, given, axis, problem); !s.ok()) return s;
  if (parts == nullptr) return detail::error(status_code::invalid_argument, "Split: parts is null");
  const auto inner = static_cast<std::int64_t>(problem.folded.inner);
  const auto runs = static_cast<std::int64_t>(problem.folded.outer);
  const auto pitch = static_cast<std::int64_t>(problem.folded.n) * inner;
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t length = problem.sizes[i] * inner;
    const bool is_empty = length == 0 || runs == 0;
    parts[i] = {offset, length, pitch, runs, is_empty || runs == 1 || length == pitch};
    offset += length;
  }
  return {};
}

}  // namespace topsplit
