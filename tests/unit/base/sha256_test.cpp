// SPDX-License-Identifier: Apache-2.0
#include "base/sha256.h"

#include <gtest/gtest.h>

namespace lathe {
namespace {

TEST(Sha256, PublishedVectors) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_hex(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// Padding has a case for every length modulo 64; the digest of all digests was found with Python:
//   h = sha256(); [h.update(sha256(b'x'*n).hexdigest().encode()) for n in range(200)]
TEST(Sha256, EveryLengthOfTheLastBlock) {
  Sha256 all;
  for (std::size_t n = 0; n < 200; ++n) all.add(sha256_hex(std::string(n, 'x')));
  EXPECT_EQ(all.hex(), "f61ffcc417e1f0e59eba2da7fa32fbe05b64e478b68c6bacf990455f00248b98");
}

TEST(Sha256, PiecesAreTheWhole) {
  std::string text;
  for (int i = 0; i < 500; ++i) text.push_back(static_cast<char>(i * 7));
  for (std::size_t step : {1u, 3u, 63u, 64u, 65u, 200u}) {
    Sha256 hash;
    for (std::size_t at = 0; at < text.size(); at += step) {
      hash.add(std::string_view(text).substr(at, step));
    }
    EXPECT_EQ(hash.hex(), sha256_hex(text)) << step;
  }
}

TEST(Sha256, PartsKeepTheirBorders) {
  EXPECT_NE(Sha256().add_part("ab").add_part("c").hex(),
            Sha256().add_part("a").add_part("bc").hex());
}

}  // namespace
}  // namespace lathe
