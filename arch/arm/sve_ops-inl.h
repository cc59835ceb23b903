// SVE's operations for vectors of one length, that of -msve-vector-bits (__ARM_FEATURE_SVE_BITS): vectors of a length that the
// compiler does not know cannot be members or arrays, which the kernels make of them. All operations are our own, since xsimd
// knows no SVE before release 9, and there gives wrong masks at any other length than it was compiled for.
//
// Vectors are loaded and stored as bytes: that is allowed at any address and for memory of any type.

#ifndef TOPSPLIT_ARCH_ARM_SVE_OPS_INL_H
#define TOPSPLIT_ARCH_ARM_SVE_OPS_INL_H

#include <arm_sve.h>

#include <cstddef>
#include <cstdint>

namespace topsplit::TOPSPLIT_KERNELS {

#define TOPSPLIT_SVE_FIXED __attribute__((arm_sve_vector_bits(__ARM_FEATURE_SVE_BITS)))
typedef svint8_t sve_s8 TOPSPLIT_SVE_FIXED;
typedef svint16_t sve_s16 TOPSPLIT_SVE_FIXED;
typedef svint32_t sve_s32 TOPSPLIT_SVE_FIXED;
typedef svint64_t sve_s64 TOPSPLIT_SVE_FIXED;
typedef svuint8_t sve_u8 TOPSPLIT_SVE_FIXED;
typedef svbool_t sve_predicate TOPSPLIT_SVE_FIXED;

inline constexpr std::size_t sve_bytes = __ARM_FEATURE_SVE_BITS / 8;

// What differs by the size of a lane: the vector, all its lanes as a predicate, bytes to it and back.
template <class Lane>
struct sve_lane;
template <>
struct sve_lane<std::int8_t> {
  using vector = sve_s8;
  static svbool_t all() { return svptrue_b8(); }
  static svint8_t of(svint8_t bytes) { return bytes; }
  static svint8_t bytes(svint8_t a) { return a; }
  static svint8_t broadcast(std::int8_t value) { return svdup_n_s8(value); }
  static svint8_t sign(svint8_t a) { return svasr_n_s8_x(all(), a, 7); }
};
template <>
struct sve_lane<std::int16_t> {
  using vector = sve_s16;
  static svbool_t all() { return svptrue_b16(); }
  static svint16_t of(svint8_t bytes) { return svreinterpret_s16_s8(bytes); }
  static svint8_t bytes(svint16_t a) { return svreinterpret_s8_s16(a); }
  static svint16_t broadcast(std::int16_t value) { return svdup_n_s16(value); }
  static svint16_t sign(svint16_t a) { return svasr_n_s16_x(all(), a, 15); }
};
template <>
struct sve_lane<std::int32_t> {
  using vector = sve_s32;
  static svbool_t all() { return svptrue_b32(); }
  static svint32_t of(svint8_t bytes) { return svreinterpret_s32_s8(bytes); }
  static svint8_t bytes(svint32_t a) { return svreinterpret_s8_s32(a); }
  static svint32_t broadcast(std::int32_t value) { return svdup_n_s32(value); }
  static svint32_t sign(svint32_t a) { return svasr_n_s32_x(all(), a, 31); }
};
template <>
struct sve_lane<std::int64_t> {
  using vector = sve_s64;
  static svbool_t all() { return svptrue_b64(); }
  static svint64_t of(svint8_t bytes) { return svreinterpret_s64_s8(bytes); }
  static svint8_t bytes(svint64_t a) { return svreinterpret_s8_s64(a); }
  static svint64_t broadcast(std::int64_t value) { return svdup_n_s64(value); }
  static svint64_t sign(svint64_t a) { return svasr_n_s64_x(all(), a, 63); }
};

template <class Lane>
struct sve_batch {
  typename sve_lane<Lane>::vector data;

  friend sve_batch operator^(sve_batch a, sve_batch b) { return {sveor_x(sve_lane<Lane>::all(), a.data, b.data)}; }
  friend sve_batch operator&(sve_batch a, sve_batch b) { return {svand_x(sve_lane<Lane>::all(), a.data, b.data)}; }
  friend sve_batch operator|(sve_batch a, sve_batch b) { return {svorr_x(sve_lane<Lane>::all(), a.data, b.data)}; }
  friend sve_batch operator+(sve_batch a, sve_batch b) { return {svadd_x(sve_lane<Lane>::all(), a.data, b.data)}; }
  friend sve_batch operator-(sve_batch a, sve_batch b) { return {svsub_x(sve_lane<Lane>::all(), a.data, b.data)}; }
};

// Of the bits of a predicate only the lowest of each lane's are set.
template <class Lane>
struct sve_mask {
  sve_predicate data;

  friend sve_mask operator&(sve_mask a, sve_mask b) { return {svand_b_z(sve_lane<Lane>::all(), a.data, b.data)}; }
  friend sve_mask operator|(sve_mask a, sve_mask b) { return {svorr_b_z(sve_lane<Lane>::all(), a.data, b.data)}; }
  friend sve_mask operator~(sve_mask a) { return {svnot_b_z(sve_lane<Lane>::all(), a.data)}; }
};

// For each mask of so many lanes their order: those that are set, then the others.
template <std::size_t Lanes>
struct sve_orders {
  std::uint8_t order[std::size_t{1} << Lanes][Lanes];
  constexpr sve_orders() : order() {
    for (std::size_t bits = 0; bits >> Lanes == 0; ++bits) {
      std::size_t count = 0;
      for (std::size_t wanted = 2; wanted-- > 0;)
        for (std::size_t i = 0; i < Lanes; ++i)
          if ((bits >> i & 1) == wanted) order[bits][count++] = static_cast<std::uint8_t>(i);
    }
  }
};
template <std::size_t Lanes>
inline constexpr sve_orders<Lanes> sve_lane_orders{};

struct sve_ops {
  template <class Lane>
  using batch = sve_batch<Lane>;
  template <class Lane>
  using mask = sve_mask<Lane>;
  template <class Lane>
  static constexpr std::size_t lanes = sve_bytes / sizeof(Lane);
  template <class Lane>
  using of_lane = sve_lane<Lane>;

  // This thread's length now. A process may change it, and the compiler takes it for known.
  static std::size_t vector_bytes_now() {
    std::size_t bytes;
    __asm__ volatile("rdvl %0, #1" : "=r"(bytes));
    return bytes;
  }

  template <class Lane>
  static batch<Lane> load(const void* from) {
    return {of_lane<Lane>::of(svld1_s8(svptrue_b8(), static_cast<const std::int8_t*>(from)))};
  }
  template <class Lane>
  static batch<Lane> load_once(const void* from) {
    return load<Lane>(from);
  }
  template <class Lane>
  static void store(void* to, batch<Lane> a) {
    svst1_s8(svptrue_b8(), static_cast<std::int8_t*>(to), of_lane<Lane>::bytes(a.data));
  }
  template <class Lane>
  static batch<Lane> broadcast(Lane value) {
    return {of_lane<Lane>::broadcast(value)};
  }
  template <class Lane>
  static mask<Lane> greater(batch<Lane> a, batch<Lane> b) {
    return {svcmpgt(of_lane<Lane>::all(), a.data, b.data)};
  }
  template <class Lane>
  static mask<Lane> equal(batch<Lane> a, batch<Lane> b) {
    return {svcmpeq(of_lane<Lane>::all(), a.data, b.data)};
  }
  template <class Lane>
  static batch<Lane> select(mask<Lane> m, batch<Lane> a, batch<Lane> b) {
    return {svsel(m.data, a.data, b.data)};
  }
  template <class Lane>
  static batch<Lane> max(batch<Lane> a, batch<Lane> b) {
    return {svmax_x(of_lane<Lane>::all(), a.data, b.data)};
  }
  template <class Lane>
  static batch<Lane> min(batch<Lane> a, batch<Lane> b) {
    return {svmin_x(of_lane<Lane>::all(), a.data, b.data)};
  }
  template <class Lane>
  static batch<Lane> sign(batch<Lane> a) {
    return {of_lane<Lane>::sign(a.data)};
  }
  template <class Lane>
  static bool any(mask<Lane> m) {
    return svptest_any(of_lane<Lane>::all(), m.data);
  }
  template <class Lane>
  static bool all(mask<Lane> m) {
    return !any(~m);
  }
  template <class Lane>
  static std::uint64_t bits(mask<Lane> m) {
    return bits_of<sizeof(Lane)>(m.data);
  }

  using wide = batch<std::int64_t>;
  static constexpr std::size_t wide_lanes = lanes<std::int64_t>;

  static wide iota() { return {svindex_s64(0, 1)}; }
  template <class Lane>
  static wide load_high(const void* from) {
    if constexpr (sizeof(Lane) == 8) {
      return load<std::int64_t>(from);
    } else {
      return {svlsl_n_s64_x(svptrue_b64(), load_wide<sizeof(Lane)>(from), 64 - 8 * sizeof(Lane))};
    }
  }
  template <class Lane>
  static void store_high(void* to, wide a) {
    if constexpr (sizeof(Lane) == 8) {
      store<std::int64_t>(to, a);
    } else {
      const svint64_t low = svasr_n_s64_x(svptrue_b64(), a.data, 64 - 8 * sizeof(Lane));
      if constexpr (sizeof(Lane) == 4) svst1w_s64(svptrue_b64(), static_cast<std::int32_t*>(to), low);
      if constexpr (sizeof(Lane) == 2) svst1h_s64(svptrue_b64(), static_cast<std::int16_t*>(to), low);
      if constexpr (sizeof(Lane) == 1) svst1b_s64(svptrue_b64(), static_cast<std::int8_t*>(to), low);
    }
  }
  template <std::size_t W>
  static wide reverse(wide a) {
    if constexpr (W == wide_lanes) return {svrev_s64(a.data)};
    return exchange_lanes<W - 1>(a);
  }
  template <std::size_t W>
  static wide swap_halves(wide a) {
    if constexpr (W == wide_lanes) return {svext_s64(a.data, a.data, W / 2)};
    return exchange_lanes<W / 2>(a);
  }
  template <std::size_t W>
  static wide join(wide a, wide b) {
    const svint64_t half = svand_n_s64_x(svptrue_b64(), svindex_s64(0, 1), W / 2);
    return {svsel_s64(svcmpeq_n_s64(svptrue_b64(), half, 0), a.data, b.data)};
  }
  template <std::size_t W>
  static wide first_halves(wide a, wide b) {
    if constexpr (W == 2) return {svtrn1_s64(a.data, b.data)};
    return join<W>(a, swap_halves<W>(b));
  }
  template <std::size_t W>
  static wide second_halves(wide a, wide b) {
    if constexpr (W == 2) return {svtrn2_s64(a.data, b.data)};
    return join<W>(swap_halves<W>(a), b);
  }
  static wide partition(wide a, std::uint64_t bits) {
    const std::uint8_t* order = sve_lane_orders<wide_lanes>.order[bits];
    return {svtbl_s64(a.data, svld1ub_u64(svptrue_b64(), order))};
  }

 private:
  template <std::size_t Bytes>
  static svint64_t load_wide(const void* from) {
    if constexpr (Bytes == 4) return svld1sw_s64(svptrue_b64(), static_cast<const std::int32_t*>(from));
    if constexpr (Bytes == 2) return svld1sh_s64(svptrue_b64(), static_cast<const std::int16_t*>(from));
    if constexpr (Bytes == 1) return svld1sb_s64(svptrue_b64(), static_cast<const std::int8_t*>(from));
  }
  // Lane i from lane i ^ Bit.
  template <std::size_t Bit>
  static wide exchange_lanes(wide a) {
    return {svtbl_s64(a.data, sveor_n_u64_x(svptrue_b64(), svindex_u64(0, 1), Bit))};
  }

  // A lane that is set counts for the bit of its place, and the sum over the lanes is the mask; where there are more lanes than
  // a lane has bits, its two halves as lanes of twice the size.
  template <std::size_t Bytes>
  static std::uint64_t bits_of(svbool_t m) {
    if constexpr (sve_bytes / Bytes > 8 * Bytes) {
      return bits_of<2 * Bytes>(svunpklo_b(m)) | bits_of<2 * Bytes>(svunpkhi_b(m)) << (sve_bytes / Bytes / 2);
    } else if constexpr (Bytes == 1) {
      return svaddv_u8(m, svlsl_u8_x(svptrue_b8(), svdup_n_u8(1), svindex_u8(0, 1)));
    } else if constexpr (Bytes == 2) {
      return svaddv_u16(m, svlsl_u16_x(svptrue_b16(), svdup_n_u16(1), svindex_u16(0, 1)));
    } else if constexpr (Bytes == 4) {
      return svaddv_u32(m, svlsl_u32_x(svptrue_b32(), svdup_n_u32(1), svindex_u32(0, 1)));
    } else {
      return svaddv_u64(m, svlsl_u64_x(svptrue_b64(), svdup_n_u64(1), svindex_u64(0, 1)));
    }
  }
};

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
