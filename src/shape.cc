// One pass over the dimensions: sign and overflow are checked before a factor is used.

#include "src/shape.h"

#include <cinttypes>

namespace topsplit::detail {

status fold_shape(const argument& who, const const_tensor& t, std::int64_t axis, std::size_t element_bytes,
                  folded_shape& result) noexcept {
  if (t.rank == 0) {
    return refuse(who, status_code::invalid_argument, "has rank 0: no axis is in range, axis %" PRId64 " neither",
                  axis);
  }
  if (t.shape == nullptr) {
    return refuse(who, status_code::invalid_argument, "has rank %zu but a null shape", t.rank);
  }
  const auto rank = static_cast<std::int64_t>(t.rank);
  if (axis < -rank || axis >= rank) {
    return refuse(who, status_code::invalid_argument,
                  "has rank %" PRId64 ": axis %" PRId64 " is outside [%" PRId64 ", %" PRId64 "]", rank, axis, -rank,
                  rank - 1);
  }
  folded_shape folded = {1, 1, 1, static_cast<std::size_t>(axis < 0 ? axis + rank : axis)};
  std::uint64_t bytes_left = static_cast<std::uint64_t>(INT64_MAX) / element_bytes;  // what may still be multiplied on
  for (std::size_t d = 0; d < t.rank; ++d) {
    if (t.shape[d] < 0) {
      return refuse(who, status_code::invalid_argument, "has length %" PRId64 " in dimension %zu", t.shape[d], d);
    }
    const auto length = static_cast<std::uint64_t>(t.shape[d]);
    if (length > bytes_left) {
      return refuse(who, status_code::invalid_argument,
                    "is too large: with length %" PRIu64 " in dimension %zu it exceeds %" PRId64 " bytes", length, d,
                    INT64_MAX);
    }
    if (length > 1) bytes_left /= length;
    std::size_t& factor = d < folded.axis ? folded.outer : d == folded.axis ? folded.n : folded.inner;
    factor *= length;
  }
  result = folded;
  return {};
}

}  // namespace topsplit::detail
