// SPDX-License-Identifier: Apache-2.0
#include "frontend/array/dim.h"

#include <gtest/gtest.h>

#include "base/diagnostics.h"
#include "frontend/array/sizes.h"

namespace lathe::array {
namespace {

struct Dims : ::testing::Test {
  const SymbolRef ns = size_symbol("n"), ms = size_symbol("m");
  const Dim n{ns}, m{ms};
  std::string resolved(const Dim& d, std::int64_t nv, std::int64_t mv = 1) const {
    return to_text(resolve(d, [&](const SizeSymbol& s) -> std::optional<std::int64_t> {
      return &s == ns.get() ? nv : mv;
    }));
  }
};

TEST_F(Dims, HaveOneNormalForm) {
  EXPECT_EQ(n * m + Dim(2), Dim(2) + m * n);
  EXPECT_EQ((n + Dim(1)) * (n - Dim(1)), n * n - Dim(1));
  EXPECT_EQ(to_text(n * m * Dim(2) - n + Dim(3)), "2*m*n - n + 3");
  EXPECT_EQ(n - n, Dim(0));
  EXPECT_EQ(size_symbol("n"), ns);
  EXPECT_EQ(to_text(floor_div(Dim(4) * n + m + Dim(5), Dim(4))), "n + (m + 1)//4 + 1");
  EXPECT_EQ(to_text(Shape{n, Dim(3)}), "(n, 3)");
  EXPECT_EQ(to_text(Shape{n}), "(n,)");
}

TEST_F(Dims, CompareInThreeWays) {
  EXPECT_EQ(compare(n + Dim(1), Dim(1) + n), Answer::Yes);
  EXPECT_EQ(compare(n, n + Dim(1)), Answer::No);
  EXPECT_EQ(compare(n + m + Dim(1), n), Answer::No);  // sizes are never negative
  EXPECT_EQ(compare(n, m), Answer::Unknown);
  EXPECT_EQ(compare(n, Dim(3)), Answer::Unknown);
}

TEST_F(Dims, DivideExactly) {
  EXPECT_EQ(divide_exactly(n * m, m), n);
  EXPECT_EQ(divide_exactly(n * m + n, n), m + Dim(1));
  EXPECT_EQ(divide_exactly((n + Dim(1)) * (m + Dim(2)), n + Dim(1)), m + Dim(2));
  EXPECT_EQ(divide_exactly(n, m), std::nullopt);
  EXPECT_EQ(divide_exactly(n * Dim(3), Dim(2)), std::nullopt);
  EXPECT_EQ(mod(n * m, m), Dim(0));
}

TEST_F(Dims, ChooseSidesWhenSizesAreKnown) {
  EXPECT_EQ(max(Dim(0), n + Dim(2)), n + Dim(2));
  const Dim inner = max(Dim(0), n - Dim(2));
  EXPECT_EQ(to_text(inner), "max(0, n - 2)");
  EXPECT_EQ(resolved(inner, 5), "n - 2");
  EXPECT_EQ(resolved(inner, 1), "0");
  EXPECT_EQ(resolved(spread(n, m), 1, 7), "m");
  EXPECT_EQ(resolved(spread(n, m), 7, 1), "n");
  EXPECT_EQ(resolved(min(n, Dim(10)) * m, 20, 4), "10*m");
}

TEST_F(Dims, PullMinimaAndMaximaThroughSums) {
  const Dim zero(0), one(1);
  EXPECT_EQ(to_text(max(zero, n - min(one, n))), "max(0, n - 1)");
  EXPECT_EQ(to_text(max(zero, max(zero, n - one) - min(one, n))), "max(0, n - 2)");
  EXPECT_EQ(to_text(floor_div(max(zero, Dim(2) * n - one) + one, Dim(2))), "n");
  EXPECT_EQ(to_text(max(zero, min(m, n) - min(Dim(2), n))), "max(0, min(m - 2, n - 2))");
  // Either of two orders of nesting, and a sum that is looked into when it is compared.
  EXPECT_EQ(min(Dim(3), max(zero, n - one)), max(zero, min(Dim(3), n - one)));
  EXPECT_EQ(compare(m + max(zero, n - one), max(m, m + n - one)), Answer::Yes);
  EXPECT_EQ(compare(max(n, m), max(n, m + one)), Answer::Unknown);
  EXPECT_EQ(compare(max(n, m), max(n, m) + one), Answer::No);
  EXPECT_TRUE(never_negative(n - min(Dim(5), n)));
  EXPECT_FALSE(never_negative(n - max(Dim(5), n)));
  EXPECT_EQ(to_text(max(n, max(m, Dim(4)))), "max(4, m, n)");
}

// Of more pieces than people write: as it stands, and quickly.
TEST_F(Dims, AreNotLookedIntoWithoutEnd) {
  Dim d = n;
  for (int i = 0; i < 40; ++i) {
    const Dim a(size_symbol("a" + std::to_string(i))), b(size_symbol("b" + std::to_string(i)));
    d = max(Dim(0), min(d, b) - min(d, a));
  }
  EXPECT_FALSE(never_negative(d - Dim(1)));
  EXPECT_EQ(resolved(d, 4, 9), "0");
}

TEST_F(Dims, RefuseWhatDoesNotFit) {
  EXPECT_THROW(Dim(INT64_MAX) + Dim(1), UserError);
  EXPECT_THROW(floor_div(n, Dim(0)), UserError);
}

TEST_F(Dims, AreSolved) {
  Sizes sizes;
  sizes.unify("y", {n * m}, {12});
  sizes.unify("x", {Dim(2) * n + Dim(1)}, {7});
  sizes.finish();
  EXPECT_EQ(sizes.value(n), 3);
  EXPECT_EQ(sizes.value(m), 4);
}

}  // namespace
}  // namespace lathe::array
