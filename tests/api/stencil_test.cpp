// SPDX-License-Identifier: Apache-2.0
// Stencils from C++: views of any strides, origins, domains, introspection, refusals.

#include <gtest/gtest.h>
#include <lathe/stencil.h>

#include <numeric>

#include "api/examples.h"

namespace lathe::testing {
namespace {

using Numbers = std::vector<double>;

constexpr const char* kStencils = R"(
from gt4py.cartesian.gtscript import *

@stencil(backend="numpy")
def blur(u: Field[float], w: Field[IJ, float], v: Field[float], *, a: float = 0.5):
    with computation(PARALLEL), interval(...):
        t = u[-1, 0, 0] + u[1, 0, 0]
        v = a * t * w

@stencil(backend="numpy")
def total(u: Field[float], s: Field[float]):
    with computation(FORWARD):
        with interval(0, 1):
            s = u
        with interval(1, None):
            s = s[0, 0, -1] + u
)";

double at(std::int64_t i, std::int64_t j, std::int64_t k) {
  return static_cast<double>(100 * i + 10 * j + k);
}

// An array of ni x nj x nk whose axes lie in memory in the order of `layout`, filled by at().
struct Grid {
  Grid(std::array<std::int64_t, 3> n, const std::string& layout) : shape(n) {
    std::int64_t step = 1;
    for (std::size_t p = 3; p-- > 0;) {
      const auto axis = static_cast<std::size_t>(layout[p] - 'I');
      stride[axis] = step;
      step *= n[axis];
    }
    data.resize(static_cast<std::size_t>(step));
    for (std::int64_t i = 0; i < n[0]; ++i)
      for (std::int64_t j = 0; j < n[1]; ++j)
        for (std::int64_t k = 0; k < n[2]; ++k) (*this)(i, j, k) = at(i, j, k);
  }
  double& operator()(std::int64_t i, std::int64_t j, std::int64_t k) {
    return data[static_cast<std::size_t>(i * stride[0] + j * stride[1] + k * stride[2])];
  }
  View view() {
    return View(data.data(), {shape[0], shape[1], shape[2]})
        .strided({8 * stride[0], 8 * stride[1], 8 * stride[2]});
  }
  std::array<std::int64_t, 3> shape;
  std::array<std::int64_t, 3> stride{};
  Numbers data;
};

TEST(Stencil, AnyOrderOfAxesInMemory) {
  const Stencil blur = stencil(kStencils, {.name = "blur"});
  for (const char* layout : {"IJK", "KJI", "JKI", "IKJ"}) {
    Grid u({6, 3, 5}, layout), v({4, 3, 5}, layout);
    const Numbers w = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    const View uv = u.view(), wv(w.data(), {4, 3}), vv = v.view();
    blur.run({{"u", uv}, {"w", wv}, {"v", vv}});
    for (std::int64_t i = 0; i < 4; ++i)
      for (std::int64_t j = 0; j < 3; ++j)
        for (std::int64_t k = 0; k < 5; ++k)
          EXPECT_EQ(v(i, j, k),
                    0.5 * (at(i, j, k) + at(i + 2, j, k)) * w[static_cast<std::size_t>(i * 3 + j)])
              << layout;
  }
}

TEST(Stencil, OriginsAndDomains) {
  const Stencil blur = stencil(kStencils, {.name = "blur"});
  Grid u({8, 8, 4}, "IJK"), v({8, 8, 4}, "IJK");
  const Numbers w(64, 1.0);
  // The domain is 3 x 2 x 2; its first point lies at [2, 1, 1] of u and at [4, 5, 0] of v.
  const View uv = u.view().from({-2, -1, -1}), wv(w.data(), {8, 8}),
             vv = v.view().from({-4, -5, 0});
  blur.run({{"u", uv}, {"w", wv}, {"v", vv}}, {{"a", 1.0}}, {{3, 2, 2}});
  for (std::int64_t i = 0; i < 8; ++i)
    for (std::int64_t j = 0; j < 8; ++j)
      for (std::int64_t k = 0; k < 4; ++k) {
        const bool inside = i >= 4 && i < 7 && j >= 5 && j < 7 && k < 2;
        const std::int64_t x = i - 4 + 2, y = j - 5 + 1, z = k + 1;
        EXPECT_EQ(v(i, j, k), inside ? at(x - 1, y, z) + at(x + 1, y, z) : at(i, j, k));
      }
}

TEST(Stencil, Introspection) {
  const Stencil blur = stencil(kStencils, {.name = "blur"});
  const auto arguments = blur.arguments();
  ASSERT_EQ(arguments.size(), 4u);
  EXPECT_STREQ(arguments[0].name, "u");
  EXPECT_EQ(arguments[0].access, LATHE_READ);
  EXPECT_EQ(arguments[0].below[0], 1);
  EXPECT_EQ(arguments[0].above[0], 1);
  EXPECT_STREQ(arguments[1].axes, "IJ");
  EXPECT_EQ(arguments[2].access, LATHE_WRITE);
  EXPECT_FALSE(arguments[3].is_field);
  EXPECT_TRUE(arguments[3].keyword_only && arguments[3].is_optional);
  EXPECT_EQ(stencil(kStencils, {.name = "total"}).min_levels(), 2);
  EXPECT_NE(blur.program().find("program blur("), std::string::npos);
}

TEST(Stencil, RefusedCallsWriteNothing) {
  const Stencil blur = stencil(kStencils, {.name = "blur"});
  Grid u({6, 3, 5}, "IJK"), v({4, 3, 5}, "IJK");
  const Numbers w(12, 1.0), before = v.data;
  const std::vector<float> single(60);
  const View uv = u.view(), wv(w.data(), {4, 3}), vv = v.view();
  EXPECT_EQ(refusal([&] {
              blur.run({{"u", uv}, {"v", vv}});
            }),
            "3 error: missing value for field 'w' of stencil 'blur'\n");
  EXPECT_EQ(
      refusal([&] {
        blur.run({{"u", uv}, {"w", wv}, {"v", vv}}, {}, {{5, 3, 5}});
      }),
      "3 error: the array for 'u' has 6 in I, but must have at least 7\n"
      "  --> stencil.py:5:10\n   |\n"
      " 5 | def blur(u: Field[float], w: Field[IJ, float], v: Field[float], *, a: float = 0.5):\n"
      "   |          ^^^^^^^^^^^^^^^\n"
      "  help: its origin is 1, the domain has 5, and the stencil reads 1 after it\n");
  const View wrong(single.data(), {4, 3, 5});
  EXPECT_EQ(refusal([&] {
              blur.run({{"u", uv}, {"w", wv}, {"v", wrong}});
            }),
            "3 error: field 'v' is float64, and the array given is float32\n"
            "  help: convert the array, or compile the stencil for its dtype\n");
  EXPECT_EQ(v.data, before);
}

TEST(Stencil, OneForTwoPrecisions) {
  const Stencil total = stencil(kStencils, {.name = "total", .dtypes = {{"float", DType::F32}}});
  std::vector<float> u(2 * 2 * 7, 1.5f), s(u.size());
  const View uv(u.data(), {2, 2, 7}), sv(s.data(), {2, 2, 7});
  total.run({{"u", uv}, {"s", sv}});
  for (std::size_t n = 0; n < s.size(); ++n) EXPECT_EQ(s[n], 1.5f * static_cast<float>(n % 7 + 1));
}

TEST(Stencil, MistakesNameTheLine) {
  EXPECT_EQ(refusal([] {
              stencil(
                  "from gt4py.cartesian.gtscript import *\n"
                  "def f(u: Field[float], v: Field[float]):\n"
                  "    with computation(PARALLEL), interval(...):\n"
                  "        v = w\n");
            }),
            "1 error: unknown symbol 'w'\n  --> stencil.py:4:13\n   |\n"
            " 4 |         v = w\n   |             ^\n"
            "  help: assign it first, pass it as an argument, or import it: "
            "from __externals__ import w\n");
}

}  // namespace
}  // namespace lathe::testing
