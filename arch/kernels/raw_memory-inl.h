// The regions of the outputs are raw memory that the caller may use as any type: always through memcpy, which is one move.

#ifndef TOPSPLIT_ARCH_KERNELS_RAW_MEMORY_INL_H
#define TOPSPLIT_ARCH_KERNELS_RAW_MEMORY_INL_H

#include <cstddef>
#include <cstring>

namespace topsplit::TOPSPLIT_KERNELS {

template <class T>
inline T load(const void* base, std::size_t position) {
  T value;
  std::memcpy(&value, static_cast<const char*>(base) + position * sizeof(T), sizeof(T));
  return value;
}
template <class T>
inline void store(void* base, std::size_t position, T value) {
  std::memcpy(static_cast<char*>(base) + position * sizeof(T), &value, sizeof(T));
}

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
