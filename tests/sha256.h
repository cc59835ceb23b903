// SHA-256 (FIPS 180-4), to compare large results with the sums that a manifest gives.

#ifndef TOPSPLIT_TESTS_SHA256_H
#define TOPSPLIT_TESTS_SHA256_H

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sha256 {

inline std::uint32_t rotate(std::uint32_t x, int by) { return (x >> by) | (x << (32 - by)); }

// The first 32 bits of the fraction of a root of prime number i, counted from 0: where the standard's constants come from.
// A long double holds all of the cube roots' bits that are needed.
inline std::uint32_t root_bits(int i, bool cube) {
  int prime = 1;
  for (int found = -1; found < i;) {
    ++prime;
    bool is_prime = true;
    for (int d = 2; d * d <= prime; ++d) {
      is_prime = is_prime && prime % d != 0;
    }
    found += is_prime ? 1 : 0;
  }
  const long double root =
      cube ? std::cbrt(static_cast<long double>(prime)) : std::sqrt(static_cast<long double>(prime));
  return static_cast<std::uint32_t>((root - std::floor(root)) * 4294967296.0L);
}

using words = std::array<std::uint32_t, 8>;

inline void eat_block(words& state, const std::uint8_t* block, const std::array<std::uint32_t, 64>& constants) {
  std::array<std::uint32_t, 64> w{};
  for (std::size_t t = 0; t < 16; ++t) {
    for (std::size_t b = 0; b < 4; ++b) {
      w[t] = w[t] << 8 | block[4 * t + b];
    }
  }
  for (std::size_t t = 16; t < 64; ++t) {
    const std::uint32_t s0 = rotate(w[t - 15], 7) ^ rotate(w[t - 15], 18) ^ (w[t - 15] >> 3);
    const std::uint32_t s1 = rotate(w[t - 2], 17) ^ rotate(w[t - 2], 19) ^ (w[t - 2] >> 10);
    w[t] = w[t - 16] + s0 + w[t - 7] + s1;
  }
  words v = state;  // a to h
  for (std::size_t t = 0; t < 64; ++t) {
    const std::uint32_t sum1 = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25);
    const std::uint32_t choose = (v[4] & v[5]) ^ (~v[4] & v[6]);
    const std::uint32_t t1 = v[7] + sum1 + choose + constants[t] + w[t];
    const std::uint32_t sum0 = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22);
    const std::uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
    v = {t1 + sum0 + majority, v[0], v[1], v[2], v[3] + t1, v[4], v[5], v[6]};
  }
  for (std::size_t i = 0; i < 8; ++i) {
    state[i] += v[i];
  }
}

// As 64 hexadecimal digits.
inline std::string of(const std::byte* data, std::size_t size) {
  std::array<std::uint32_t, 64> constants{};
  words state{};
  for (int i = 0; i < 64; ++i) {
    constants[static_cast<std::size_t>(i)] = root_bits(i, true);
  }
  for (int i = 0; i < 8; ++i) {
    state[static_cast<std::size_t>(i)] = root_bits(i, false);
  }
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(data);
  const std::size_t whole = size / 64 * 64;
  for (std::size_t i = 0; i < whole; i += 64) {
    eat_block(state, bytes + i, constants);
  }
  std::vector<std::uint8_t> rest(bytes + whole, bytes + size);
  rest.push_back(0x80);
  while (rest.size() % 64 != 56) {
    rest.push_back(0);
  }
  for (int shift = 56; shift >= 0; shift -= 8) {
    rest.push_back(static_cast<std::uint8_t>(std::uint64_t{size} * 8 >> shift));
  }
  for (std::size_t i = 0; i < rest.size(); i += 64) {
    eat_block(state, rest.data() + i, constants);
  }
  std::string text;
  for (const std::uint32_t word : state) {
    for (int shift = 28; shift >= 0; shift -= 4) {
      text += "0123456789abcdef"[word >> shift & 15];
    }
  }
  return text;
}

}  // namespace sha256

#endif
