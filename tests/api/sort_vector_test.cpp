// SPDX-License-Identifier: Apache-2.0
// Each instruction set that this processor has: sort_rows uses the widest one alone.
#include "api/sort_vector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace lathe::api {
namespace {

#if defined(__x86_64__)

template <class Key>
std::vector<const VectorSort<Key>*> sorts_here() {
  std::vector<const VectorSort<Key>*> found;
  if (__builtin_cpu_supports("avx512f")) found.push_back(&avx512_sort(Key{}));
  if (__builtin_cpu_supports("avx2")) found.push_back(&avx2_sort(Key{}));
  return found;
}

// Any keys, keys of which there are few different ones, the two ends of all keys.
template <class Key>
std::vector<Key> make_keys(std::int64_t length, int kind, std::mt19937_64& random) {
  std::vector<Key> keys(static_cast<std::size_t>(length));
  for (Key& k : keys) {
    k = static_cast<Key>(random());
    if (kind == 1) k %= 5;
    if (kind == 2) k = k % 2 == 0 ? 0 : std::numeric_limits<Key>::max();
  }
  return keys;
}

template <class Key>
void compare(const VectorSort<Key>& by, std::int64_t length, int kind, std::mt19937_64& random) {
  constexpr std::size_t kRoom = kVectorRoom / sizeof(Key);
  const Key guard = 0x5a;  // what lies behind the keys belongs to others
  const auto count = static_cast<std::size_t>(length);
  const std::vector<Key> unordered = make_keys<Key>(length, kind, random);
  std::vector<Key> keys = unordered, spare(count + kRoom), expected = unordered;
  keys.resize(count + kRoom, guard);
  const auto before = [&](Key a, Key b) { return (a ^ by.bias) < (b ^ by.bias); };
  std::sort(expected.begin(), expected.end(), before);
  expected.resize(count + kRoom, guard);
  ASSERT_TRUE(by.sort(keys.data(), spare.data(), length)) << length << " " << kind;
  ASSERT_EQ(keys, expected) << length << " " << kind;
  if (length < 512) return;
  keys = unordered;
  keys.resize(count + kRoom, guard);
  const auto smaller = static_cast<std::ptrdiff_t>(by.split(keys.data(), spare.data(), length));
  const auto end = keys.begin() + length;
  if (smaller > 0) {
    const Key most = *std::max_element(keys.begin(), keys.begin() + smaller, before);
    ASSERT_TRUE(before(most, *std::min_element(keys.begin() + smaller, end, before)));
  }
  std::sort(keys.begin(), end, before);
  ASSERT_EQ(keys, expected) << "split " << length << " " << kind;
}

template <class Key>
void compare_all() {
  std::mt19937_64 random(5);
  for (const VectorSort<Key>* by : sorts_here<Key>())
    for (int kind = 0; kind < 3; ++kind) {
      for (std::int64_t length = 0; length < 300; ++length) compare(*by, length, kind, random);
      for (std::int64_t length : {511, 512, 1023, 1024, 1025, 1087, 1151, 3001, 40'000})
        compare(*by, length, kind, random);
    }
}

TEST(SortVector, AsComparisonsOneAtATime) {
  compare_all<std::uint32_t>();
  compare_all<std::uint64_t>();
}

// Bits to keys and back, at every length of the last vector; NaN is the only one that changes.
template <class Key>
void compare_orders(Key infinity) {
  std::mt19937_64 random(6);
  for (const VectorSort<Key>* by : sorts_here<Key>())
    for (std::int64_t length = 0; length < 40; ++length)
      for (KeyOrder order : {KeyOrder::Unsigned, KeyOrder::Signed, KeyOrder::Float}) {
        std::vector<Key> bits = make_keys<Key>(length, 0, random), keys(bits), back(bits);
        const Key sign = ~(std::numeric_limits<Key>::max() >> 1);
        if (length > 2) bits[0] = sign, bits[1] = infinity + 1, bits[2] = infinity | sign;
        by->read(order, infinity, reinterpret_cast<const char*>(bits.data()), keys.data(), length);
        by->write(order, keys.data(), reinterpret_cast<char*>(back.data()), length);
        for (std::size_t i = 0; i < bits.size(); ++i) {
          const Key b = bits[i], k = keys[i] ^ by->bias;
          const bool is_nan = order == KeyOrder::Float && (b & ~sign) > infinity;
          const Key nan = infinity | (infinity & (~infinity + 1)) >> 1, value = is_nan ? nan : b;
          const Key expected = order == KeyOrder::Unsigned ? b
                               : order == KeyOrder::Signed ? b ^ sign
                               : (value & sign) != 0       ? ~value
                                                           : value | sign;
          ASSERT_EQ(k, expected) << length << " at " << i;
          ASSERT_EQ(back[i], value) << length << " at " << i;
        }
      }
}

TEST(SortVector, KeysAndBack) {
  compare_orders<std::uint32_t>(0x7f800000);
  compare_orders<std::uint64_t>(0x7ff0000000000000);
}

#endif

}  // namespace
}  // namespace lathe::api
