// SPDX-License-Identifier: Apache-2.0
#pragma once
// Hashes that are the same on every platform and in every run, so that they may be written to files
// (lockfiles, digests) and may decide orders. Not against an attacker.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lathe {

// Spreads every bit of x over the whole word; a bijection.
constexpr std::uint64_t mix_bits(std::uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  x ^= x >> 29;
  x *= 0x9e3779b97f4a7c15u;
  x ^= x >> 32;
  return x;
}

class Hasher {
 public:
  constexpr Hasher& add(std::uint64_t value) {
    // Multiplying the state by an odd number makes the order of values matter.
    state_ = mix_bits(state_ * 0xbf58476d1ce4e5b9u + value + ++count_);
    return *this;
  }

  // The length goes first: ("ab", "c") and ("a", "bc") differ.
  constexpr Hasher& add(std::string_view text) {
    add(static_cast<std::uint64_t>(text.size()));
    std::uint64_t word = 0;
    int filled = 0;
    for (const char c : text) {
      word |= static_cast<std::uint64_t>(static_cast<unsigned char>(c)) << (8 * filled);
      if (++filled == 8) {
        add(word);
        word = 0;
        filled = 0;
      }
    }
    if (filled > 0) add(word);
    return *this;
  }

  constexpr std::uint64_t finish() const { return mix_bits(state_ ^ count_); }

 private:
  std::uint64_t state_ = 0x6c617468652d6972u;
  std::uint64_t count_ = 0;
};

constexpr std::uint64_t hash_text(std::string_view text) { return Hasher().add(text).finish(); }

}  // namespace lathe
