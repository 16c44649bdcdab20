// SPDX-License-Identifier: Apache-2.0
#pragma once
// SHA-256 (FIPS 180-4): names what a cache holds, so equal names must mean equal content even when
// someone tries to make them collide. Uses the processor's SHA instructions where it has them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lathe {

class Sha256 {
 public:
  Sha256& add(std::string_view bytes);
  // The length goes first: ("ab", "c") and ("a", "bc") differ.
  Sha256& add_part(std::string_view bytes);

  // 64 lower-case hexadecimal digits. Nothing may be added afterwards.
  std::string hex();

 private:
  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> block_{};  // the first filled_ bytes wait for the rest
  std::size_t filled_ = 0;
  std::uint64_t length_ = 0;  // bytes added
};

std::string sha256_hex(std::string_view bytes);

}  // namespace lathe
