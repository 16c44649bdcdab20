// SPDX-License-Identifier: Apache-2.0
// Arrays as text. The layout is NumPy's, which tests/python/test_printing.py compares it with; the
// digits are as few as read back as the same number.
#include <gtest/gtest.h>
#include <lathe/array.h>

#include <sstream>

namespace lathe {
namespace {

std::string shown(const Array& a) {
  std::ostringstream out;
  out << a.eval();
  return out.str();
}

TEST(Printing, EveryElementOfSmallArrays) {
  EXPECT_EQ(shown(arange(12)), "i64(12,) [ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11]");
  EXPECT_EQ(shown(arange(30) * 1.5),
            "f64(30,) [ 0.0,  1.5,  3.0,  4.5,  6.0,  7.5,  9.0, 10.5, 12.0, 13.5, 15.0,\n"
            "          16.5, 18.0, 19.5, 21.0, 22.5, 24.0, 25.5, 27.0, 28.5, 30.0, 31.5,\n"
            "          33.0, 34.5, 36.0, 37.5, 39.0, 40.5, 42.0, 43.5]");
  EXPECT_EQ(shown(array(std::vector<double>{1.0, 2.25, -3.5})), "f64(3,) [ 1.0 ,  2.25, -3.5 ]");
  EXPECT_EQ(shown(array(std::vector<double>{1e-20, 1.0, 12.5})), "f64(3,) [1e-20,   1.0,  12.5]");
  EXPECT_EQ(shown(array(std::vector<double>{1.0, 2.5}) / array(std::vector<double>{0.0, 1.0})),
            "f64(2,) [inf, 2.5]");
  EXPECT_EQ(shown(array(std::vector<double>{1.0, 0.5}) > 0.75), "bool(2,) [ true, false]");
  EXPECT_EQ(shown(zeros({0, 3})), "f64(0, 3)\n[]");
  EXPECT_EQ(shown(Array(2.5)), "f64() 2.5");
}

TEST(Printing, BlocksHaveLinesBetweenThem) {
  EXPECT_EQ(shown(reshape(arange(12), {2, 2, 3})),
            "i64(2, 2, 3)\n"
            "[[[ 0,  1,  2],\n"
            "  [ 3,  4,  5]],\n"
            "\n"
            " [[ 6,  7,  8],\n"
            "  [ 9, 10, 11]]]");
}

TEST(Printing, TheEdgesOfLargeOnes) {
  EXPECT_EQ(shown(arange(1001)), "i64(1001,) [   0,    1,    2, ...,  998,  999, 1000]");
  EXPECT_EQ(shown(reshape(arange(2000), {500, 4})),
            "i64(500, 4)\n"
            "[[   0,    1,    2,    3],\n"
            " [   4,    5,    6,    7],\n"
            " [   8,    9,   10,   11],\n"
            " ...,\n"
            " [1988, 1989, 1990, 1991],\n"
            " [1992, 1993, 1994, 1995],\n"
            " [1996, 1997, 1998, 1999]]");
}

TEST(Printing, DigitsOfSixteenBits) {
  const Array some = array(std::vector<double>{0.1, 1.0 / 3, -2.5, 65504.0, 6e-8, 0.0});
  EXPECT_EQ(shown(astype(some(range(0, 3)), DType::F16)), "f16(3,) [ 0.1   ,  0.3333, -2.5   ]");
  EXPECT_EQ(shown(astype(some(range(3, 6)), DType::F16)), "f16(3,) [65500.0,   6e-08,     0.0]");
  EXPECT_EQ(shown(astype(some(range(0, 3)), DType::BF16)), "bf16(3,) [ 0.1  ,  0.334, -2.5  ]");
  EXPECT_EQ(shown(astype(some(range(0, 2)), DType::F32)), "f32(2,) [0.1       , 0.33333334]");
}

}  // namespace
}  // namespace lathe
