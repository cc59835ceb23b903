// NEON's copy of 16 bytes and its byte shuffle, a table of one register.

#ifndef TOPSPLIT_ARCH_ARM_NEON64_SPLIT_OPS_INL_H
#define TOPSPLIT_ARCH_ARM_NEON64_SPLIT_OPS_INL_H

#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

#include "arch/kernels/scalar_split_ops-inl.h"

namespace topsplit::TOPSPLIT_KERNELS {

struct neon64_split_ops : scalar_split_ops {
  static constexpr std::size_t widest = 16;
  static constexpr std::size_t shuffle_bytes = 16;
  static constexpr std::size_t shuffle_lanes = 1;

  template <std::size_t Bytes>
  static void copy(std::byte* to, const std::byte* from) {
    if constexpr (Bytes == 16) {
      vst1q_u8(reinterpret_cast<std::uint8_t*>(to), load(from));
    } else {
      scalar_split_ops::copy<Bytes>(to, from);
    }
  }

  // Two pieces of 8 bytes.
  template <std::size_t>
  static void copy_joined(std::byte* to, const std::byte* from, std::size_t pitch) {
    const uint8x8_t low = vld1_u8(reinterpret_cast<const std::uint8_t*>(from));
    const uint8x8_t high = vld1_u8(reinterpret_cast<const std::uint8_t*>(from + pitch));
    vst1q_u8(reinterpret_cast<std::uint8_t*>(to), vcombine_u8(low, high));
  }

  using gathered = uint8x16_t;
  struct shuffle {
    uint8x16_t index;  // beyond 15: zero
    void set(const std::uint8_t* bytes) { index = vld1q_u8(bytes); }
  };
  static gathered gather(const std::byte* from, std::size_t, const shuffle& s) {
    return vqtbl1q_u8(load(from), s.index);
  }
  static gathered gather_more(gathered sum, const std::byte* from, std::size_t, const shuffle& s) {
    return vorrq_u8(sum, vqtbl1q_u8(load(from), s.index));
  }
  static void store(std::byte* to, std::size_t, gathered result) { store(to, result); }

  template <std::size_t Ways>
  struct way_inputs {
    uint8x16_t part[Ways];
    void load(const std::byte* from) {
      for (std::size_t i = 0; i < Ways; ++i) part[i] = neon64_split_ops::load(from + 16 * i);
    }
  };
  template <std::size_t Ways>
  struct way_taker {
    shuffle from[Ways];
    void set(const std::uint16_t* source) {
      for (std::size_t i = 0; i < Ways; ++i) {
        std::uint8_t index[16];
        for (std::size_t j = 0; j < 16; ++j) {
          index[j] = static_cast<std::uint8_t>(source[j] / 16 == i ? source[j] % 16 : 0x80);
        }
        from[i].set(index);
      }
    }
    gathered take(const way_inputs<Ways>& inputs) const {
      uint8x16_t sum = vqtbl1q_u8(inputs.part[0], from[0].index);
      for (std::size_t i = 1; i < Ways; ++i) sum = vorrq_u8(sum, vqtbl1q_u8(inputs.part[i], from[i].index));
      return sum;
    }
  };
  static void store(std::byte* to, gathered result) { vst1q_u8(reinterpret_cast<std::uint8_t*>(to), result); }

 private:
  static uint8x16_t load(const std::byte* from) { return vld1q_u8(reinterpret_cast<const std::uint8_t*>(from)); }
};

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
