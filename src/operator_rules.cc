// Rules that TopK's and Split's versions share.

#include "src/operator_rules.h"

#include <cinttypes>

#include "src/message.h"

namespace topsplit::detail {

status resolve_version(const char* op, std::int64_t opset, const std::int32_t* versions, std::size_t count,
                       std::int32_t& version) noexcept {
  if (opset < 1) return error(status_code::invalid_argument, "%s: opset %" PRId64 " is below 1", op, opset);
  std::size_t newest = 0;
  while (newest + 1 < count && versions[newest + 1] <= opset) ++newest;
  version = versions[newest];
  return {};
}

status check_version_type(const char* op, std::int32_t version, data_type type, std::uint32_t types) noexcept {
  if ((types & type_bit(type)) != 0) return {};
  return error(status_code::unsupported_type, "%s: version %d does not take elements of type %s (%d)", op,
               static_cast<int>(version), data_type_name(type), static_cast<int>(type));
}

status refuse_attribute(const char* op, std::int32_t version, const char* name, std::int64_t value) noexcept {
  return error(status_code::invalid_argument, "%s: version %d has no attribute %s, but %s = %" PRId64 " is given", op,
               static_cast<int>(version), name, name, value);
}

status check_made(const argument& who, std::int32_t version, data_type made_for, const const_tensor& x) noexcept {
  if (version == 0) return error(status_code::invalid_argument, "%s: this operator was never made", who.op);
  if (x.type == made_for) return {};
  return refuse(who, status_code::invalid_argument, "has type %s (%d), but the operator was made for %s (%d)",
                data_type_name(x.type), static_cast<int>(x.type), data_type_name(made_for), static_cast<int>(made_for));
}

status check_vector(const argument& who, const const_tensor& t, data_type type, std::size_t length) noexcept {
  if (t.type != type) {
    return refuse(who, status_code::invalid_argument, "has type %s (%d), expected %s (%d)", data_type_name(t.type),
                  static_cast<int>(t.type), data_type_name(type), static_cast<int>(type));
  }
  if (t.rank != 1) {
    return refuse(who, status_code::invalid_argument, "has rank %zu, expected a 1-D tensor of length %zu", t.rank,
                  length);
  }
  if (t.shape == nullptr) return refuse(who, status_code::invalid_argument, "has rank 1 but a null shape");
  if (t.shape[0] < 0 || static_cast<std::uint64_t>(t.shape[0]) != length) {
    return refuse(who, status_code::invalid_argument, "has length %" PRId64 ", expected %zu", t.shape[0], length);
  }
  return check_data(who, t.data, length * data_type_bytes(type), 1);
}

}  // namespace topsplit::detail
