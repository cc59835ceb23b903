// The operations of Split without vectors, and the list of what Split's kernels ask of an ISA:
//   widest                  bytes of its widest copy; every power of two up to it is one
//   copy<Bytes>             one load and one store, at any address
//   least_joined            from this power of two on, pieces shorter than widest are joined to a vector and stored once
//     copy_joined<Bytes>    widest / Bytes pieces, pitch bytes apart, adjacent at to
//   streams                 whether stores can go past the cache; then also
//     stream_line, fence    64 bytes to an address that is a multiple of 64; what another thread waits for
//   shuffle_bytes           bytes that one byte shuffle chooses from; 0: there is none; else also
//     shuffle_lanes         how many such shuffles one operation does, side by side
//     shuffle               the operation's index, made of shuffle_bytes bytes of which one above 127 stands for none
//     gathered              its result; gather starts one, gather_more adds what the index takes from another place
//     store                 lane i of the result at to + i * step
//     way_inputs<Ways>      vectors that hold `Ways * shuffle_bytes * shuffle_lanes` adjacent bytes; load
//     way_taker<Ways>       set: which of them, lane by lane, byte j of a result is; take: that result, a `gathered`
//     loads_ways<Ways, Piece>   whether its loads take so many ways of pieces of so many bytes apart by themselves; then
//       deinterleave<Piece> `Ways` results from as many adjacent vectors
//     store, stream         a whole result; stream, past the cache, wants an address that is a multiple of its size

#ifndef TOPSPLIT_ARCH_KERNELS_SCALAR_SPLIT_OPS_INL_H
#define TOPSPLIT_ARCH_KERNELS_SCALAR_SPLIT_OPS_INL_H

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace topsplit::TOPSPLIT_KERNELS {

struct scalar_split_ops {
  static constexpr std::size_t widest = 8;
  static constexpr std::size_t least_joined = widest;
  static constexpr bool streams = false;
  static constexpr std::size_t shuffle_bytes = 0;
  template <std::size_t Ways, std::size_t Piece>
  static constexpr bool loads_ways = false;

  template <std::size_t Bytes>
  static void copy(std::byte* to, const std::byte* from) {
    std::byte word[Bytes];
    std::memcpy(word, from, Bytes);
    std::memcpy(to, word, Bytes);
  }
};

}  // namespace topsplit::TOPSPLIT_KERNELS

#endif
