// The C interface of Split's layout and of profiles; see c_api.cc for the rest and for the rules.

#include <cstddef>
#include <cstdint>

#include "src/c_call.h"
#include "topsplit/c_api.h"
#include "topsplit/profile.h"
#include "topsplit/split.h"

namespace {

using topsplit::split_part_layout;
using topsplit::status_code;
using topsplit::detail::answer;
using topsplit::detail::error;
using topsplit::detail::need;
using topsplit::detail::read_struct;
using topsplit::detail::refuse_string;
using topsplit::detail::view;
using topsplit::detail::write_struct;

// An array of layouts is filled as it lies.
static_assert(sizeof(topsplit_split_part_layout) == sizeof(split_part_layout) &&
              alignof(topsplit_split_part_layout) == alignof(split_part_layout) &&
              offsetof(topsplit_split_part_layout, offset) == offsetof(split_part_layout, offset) &&
              offsetof(topsplit_split_part_layout, length) == offsetof(split_part_layout, length) &&
              offsetof(topsplit_split_part_layout, pitch) == offsetof(split_part_layout, pitch) &&
              offsetof(topsplit_split_part_layout, runs) == offsetof(split_part_layout, runs) &&
              offsetof(topsplit_split_part_layout, is_view) == offsetof(split_part_layout, is_view));

}  // namespace

std::int32_t topsplit_layout_split(const topsplit_const_tensor* input, const std::int64_t* sizes, std::size_t count,
                                   std::int64_t axis, topsplit_split_part_layout* parts, topsplit_status* status) {
  return answer(status, [&]() noexcept -> topsplit::status {
    if (auto s = need("Split", {{"input", input}, {"parts", parts}}); !s.ok()) return s;
    if (auto s = refuse_string(input->type); !s.ok()) return s;
    return topsplit::layout_split(view(input), sizes, count, axis, reinterpret_cast<split_part_layout*>(parts));
  });
}

std::int32_t topsplit_load_profile(const char* path, topsplit_status* status) {
  return answer(status, [&]() noexcept { return topsplit::load_profile(path); });
}

std::int32_t topsplit_profile_in_force(std::int32_t* loaded, topsplit_status* status) {
  return answer(status, [&]() noexcept -> topsplit::status {
    if (auto s = need("profile_in_force", {{"loaded", loaded}}); !s.ok()) return s;
    bool is_loaded = false;
    topsplit::status result = topsplit::profile_in_force(is_loaded);
    *loaded = is_loaded ? 1 : 0;
    return result;
  });
}

std::size_t topsplit_threshold_count() { return topsplit::threshold_count(); }

std::int32_t topsplit_threshold_at(std::size_t index, topsplit_threshold* threshold, topsplit_status* status) {
  return answer(status, [&]() noexcept -> topsplit::status {
    if (auto s = need("threshold_at", {{"threshold", threshold}}); !s.ok()) return s;
    if (index >= topsplit::threshold_count()) {
      return error(status_code::invalid_argument, "threshold_at: index = %zu is not below the count, %zu", index,
                   topsplit::threshold_count());
    }
    topsplit_threshold t = {};
    if (auto s = read_struct("topsplit_threshold", threshold, sizeof(t), t); !s.ok()) return s;
    const topsplit::threshold told = topsplit::threshold_at(index);
    t.name = told.name;
    t.effect = told.effect;
    t.own = told.own;
    t.profiled = told.profiled;
    write_struct(t, threshold);
    return {};
  });
}
