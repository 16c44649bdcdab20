// SPDX-License-Identifier: Apache-2.0
// Arena, symbols, hashing, checked arithmetic, references to functions.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "base/arena.h"
#include "base/checked.h"
#include "base/function_ref.h"
#include "base/hash.h"
#include "base/symbol.h"

namespace lathe {
namespace {

TEST(Arena, AlignsAndCounts) {
  Arena arena;
  EXPECT_EQ(arena.bytes_reserved(), 0u);
  for (int i = 0; i < 1000; ++i) {
    char* c = arena.make<char>('x');
    double* d = arena.make<double>(0.5);
    long double* l = arena.make<long double>(0.25L);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(d) % alignof(double), 0u);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(l) % alignof(long double), 0u);
    EXPECT_EQ(*c, 'x');
    EXPECT_EQ(*d, 0.5);
  }
  EXPECT_EQ(arena.bytes_used(), 1000 * (1 + sizeof(double) + sizeof(long double)));
  EXPECT_GE(arena.bytes_reserved(), arena.bytes_used());
}

TEST(Arena, LargeAndEmptyPieces) {
  Arena arena;
  const std::vector<int> big(5'000'000, 7);
  const std::span<int> copy = arena.copy(std::span<const int>(big));
  EXPECT_EQ(copy.size(), big.size());
  EXPECT_EQ(copy.back(), 7);
  EXPECT_TRUE(arena.copy(std::span<const int>()).empty());
  EXPECT_EQ(arena.copy(std::string_view("abc")), "abc");
  EXPECT_EQ(arena.bytes_used(), big.size() * sizeof(int) + 3);
  Arena moved = std::move(arena);
  EXPECT_EQ(copy[1], 7);
}

TEST(Symbol, EqualTextsAreOneSymbol) {
  SymbolTable table;
  EXPECT_FALSE(table.find("u"));
  std::string text = "u";
  const Symbol u = table.intern(text);
  text = "x";
  EXPECT_EQ(u.text(), "u");
  EXPECT_EQ(u, table.intern("u"));
  EXPECT_EQ(u, table.find("u"));
  EXPECT_FALSE(u == table.intern("v"));
  EXPECT_EQ(table.size(), 2u);
  EXPECT_FALSE(Symbol());
  EXPECT_EQ(Symbol().text(), "");
  EXPECT_FALSE(Symbol() == table.intern(""));
}

TEST(Symbol, OrderIsByTextAndHashIsStable) {
  SymbolTable table;
  const Symbol b = table.intern("b"), a = table.intern("a");
  EXPECT_TRUE(a < b);
  EXPECT_FALSE(b < a);
  SymbolTable other;
  EXPECT_EQ(other.intern("b").hash(), b.hash());
  EXPECT_EQ(b.hash(), hash_text("b"));
}

TEST(Symbol, ManyStayWhereTheyAre) {
  SymbolTable table;
  std::vector<Symbol> all;
  for (int i = 0; i < 20000; ++i) all.push_back(table.intern("name" + std::to_string(i)));
  for (int i = 0; i < 20000; ++i) {
    ASSERT_EQ(all[static_cast<std::size_t>(i)], table.find("name" + std::to_string(i)));
  }
  EXPECT_EQ(table.size(), 20000u);
}

TEST(Hash, IsTheSameInEveryRun) {
  // Written down: changing these numbers changes every lockfile and digest.
  EXPECT_EQ(Hasher().finish(), 0x232047d671880a70u);
  EXPECT_EQ(hash_text("lathe"), 0x1931c510a111d281u);
  EXPECT_EQ(Hasher().add(1).add(2).add("ab").finish(), 0x4d8e7f46d47574f3u);
}

TEST(Hash, OrderAndBoundariesMatter) {
  EXPECT_NE(Hasher().add(1).add(2).finish(), Hasher().add(2).add(1).finish());
  EXPECT_NE(Hasher().add("ab").add("c").finish(), Hasher().add("a").add("bc").finish());
  EXPECT_NE(Hasher().add("").finish(), Hasher().finish());
  EXPECT_NE(Hasher().add(0).finish(), Hasher().add(0).add(0).finish());
  EXPECT_NE(hash_text(std::string(1, '\0')), hash_text(std::string(2, '\0')));
}

TEST(Hash, SmallInputsDoNotCollide) {
  std::unordered_set<std::uint64_t> seen;
  for (std::uint64_t a = 0; a < 300; ++a) {
    for (std::uint64_t b = 0; b < 300; ++b) seen.insert(Hasher().add(a).add(b).finish());
  }
  EXPECT_EQ(seen.size(), 90000u);
}

TEST(Hash, EveryInputBitMovesAboutHalfOfTheOutput) {
  for (int bit = 0; bit < 64; ++bit) {
    int moved = 0;
    for (std::uint64_t seed = 0; seed < 64; ++seed) {
      const std::uint64_t x = mix_bits(seed);
      moved += std::popcount(Hasher().add(x).finish() ^
                             Hasher().add(x ^ (std::uint64_t{1} << bit)).finish());
    }
    EXPECT_NEAR(moved / 64.0, 32, 3) << bit;
  }
}

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

TEST(Checked, NoticesOverflow) {
  EXPECT_EQ(checked_add(kMax - 1, 1), kMax);
  EXPECT_EQ(checked_add(kMax, 1), std::nullopt);
  EXPECT_EQ(checked_sub(kMin, 1), std::nullopt);
  EXPECT_EQ(checked_mul(std::int64_t{1} << 32, std::int64_t{1} << 31), std::nullopt);
  EXPECT_EQ(checked_mul(std::int64_t{1} << 32, std::int64_t{1} << 30), std::int64_t{1} << 62);
  EXPECT_EQ(checked_neg(kMin), std::nullopt);
  EXPECT_EQ(checked_neg(5), -5);
  EXPECT_EQ(checked_mul(checked_add(kMax, 1), CheckedInt(0)), std::nullopt);
  EXPECT_EQ(checked_add(checked_mul(3, 4), CheckedInt(1)), 13);
}

TEST(Checked, DivisionRoundsDownAndUp) {
  for (std::int64_t a = -20; a <= 20; ++a) {
    for (std::int64_t b = -7; b <= 7; ++b) {
      if (b == 0) continue;
      const std::int64_t down = floor_div(a, b);
      const double exact = static_cast<double>(a) / static_cast<double>(b);
      EXPECT_EQ(down, static_cast<std::int64_t>(std::floor(exact)));
      EXPECT_EQ(ceil_div(a, b), static_cast<std::int64_t>(std::ceil(exact)));
      EXPECT_EQ(floor_mod(a, b), a - b * down);
    }
  }
  EXPECT_EQ(floor_mod(kMin, -1), 0);
  EXPECT_EQ(floor_div(kMin, 2), kMin / 2);
}

int twice(int x) { return 2 * x; }
int apply(FunctionRef<int(int)> f, int x) { return f(x); }

TEST(FunctionRef, CallsWhatItRefersTo) {
  int calls = 0;
  const auto count = [&](int x) { return ++calls + x; };
  EXPECT_EQ(apply(count, 10), 11);
  EXPECT_EQ(apply(count, 10), 12);
  EXPECT_EQ(apply(twice, 21), 42);
  EXPECT_EQ(apply(&twice, 4), 8);
  EXPECT_EQ(apply([n = 5](int x) mutable { return n++ * x; }, 2), 10);
  const FunctionRef<int(int)> first = count;
  const FunctionRef<int(int)> copy = first;
  EXPECT_EQ(copy(0), 3);
}

}  // namespace
}  // namespace lathe
