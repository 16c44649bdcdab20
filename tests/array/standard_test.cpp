// SPDX-License-Identifier: Apache-2.0
// Functions of the standard as C++ spells them; NumPy judges their values (surface.py).
#include <gtest/gtest.h>
#include <lathe/array.h>

#include <cmath>
#include <limits>

#include "thorough.h"

namespace lathe {
namespace {

// Quick runs interpret, which has the bits of compiled code: this is about spelling.
Array evaluated(const Array& a) {
  lathe_eval_options options{};
  options.size = sizeof options;
  options.interpret = testing::is_thorough() ? 0 : 1;
  const lathe_lazy* const handle = a.get();
  lathe_lazy* result = nullptr;
  lathe_error* error = nullptr;
  detail::check(lathe_lazy_eval(&handle, 1, &options, &result, &error), error);
  return Array::adopt(result);
}

using Doubles = std::vector<double>;
using Ints = std::vector<std::int64_t>;

Doubles values(const Array& a) { return evaluated(a).to_vector<double>(); }
Ints ints(const Array& a) { return evaluated(a).to_vector<std::int64_t>(); }
double apart(const Array& a, const Array& b) { return evaluated(max(abs(a - b))).item<double>(); }

const Array kMatrix = array(Doubles{4, 1, 2, 1, 3, 0, 2, 0, 5}, {3, 3});

TEST(Standard, Elementwise) {
  EXPECT_EQ(nextafter(array(Doubles{1.0}), 2).eval().item<double>(), std::nextafter(1.0, 2.0));
  EXPECT_EQ(ints(where(signbit(array(Doubles{-0.0, 0.0})), 1, 0)), (Ints{1, 0}));
  EXPECT_EQ(values(positive(array(Doubles{-2}))), Doubles{-2});
  const Array u = array(std::vector<std::uint64_t>{18446744073709551615u});
  const Array minus = array(Ints{-1});
  EXPECT_EQ(ints(astype<std::int64_t>(u > minus)), Ints{1});
  EXPECT_EQ(ints(astype<std::int64_t>(u == minus)), Ints{0});
}

TEST(Standard, ByDTypesAndWithoutAxes) {
  EXPECT_EQ(zeros({2}, DType::U8).dtype(), DType::U8);
  EXPECT_EQ(ones({2}, DType::F16).dtype(), DType::F16);
  EXPECT_EQ(full({2}, 2.5, DType::F32).dtype(), DType::F32);
  EXPECT_EQ(input("h", {3}, DType::BF16).dtype(), DType::BF16);
  const Size n = size("n");
  EXPECT_EQ((-n + 3).text(), "-n + 3");
  EXPECT_EQ(values(absolute(array(Doubles{-2}))), Doubles{2});
  EXPECT_EQ(values(clip(array(Doubles{-2, 2}), _, 1)), (Doubles{-2, 1}));
  EXPECT_EQ(values(clip(array(Doubles{-2, 2}), 1, _)), (Doubles{1, 2}));
  const Array grid = array(Ints{1, 2, 3, 4}, {2, 2});
  EXPECT_EQ(ints(cumsum(grid)), (Ints{1, 3, 6, 10}));
  EXPECT_EQ(ints(cumprod(grid)), (Ints{1, 2, 6, 24}));
  EXPECT_EQ(ints(repeat(grid, 2)), (Ints{1, 1, 2, 2, 3, 3, 4, 4}));
  EXPECT_EQ(ints(take(grid, array(Ints{3, 0}))), (Ints{4, 1}));
  EXPECT_EQ(ints(swapaxes(grid, 0, 1)), (Ints{1, 3, 2, 4}));
  EXPECT_EQ(ints(where(isin(grid, array(Ints{2, 9})), 1, 0)), (Ints{0, 1, 0, 0}));
  EXPECT_EQ(ints(digitize(array(Doubles{0.5, 1}), array(Doubles{0, 1}))), (Ints{1, 2}));
  EXPECT_EQ(ints(digitize(array(Doubles{0.5, 1}), array(Doubles{0, 1}), true)), (Ints{1, 1}));
  EXPECT_EQ(values(v0::interp(0.25, array(Doubles{0, 1}), array(Doubles{4, 8}))), Doubles{5});
}

TEST(Standard, CreationAndShapes) {
  EXPECT_EQ(values(zeros_like(kMatrix(0))), (Doubles{0, 0, 0}));
  EXPECT_EQ(values(ones_like(kMatrix(0))), (Doubles{1, 1, 1}));
  EXPECT_EQ(values(full_like(kMatrix(0), 7)), (Doubles{7, 7, 7}));
  const std::vector<Array> grid = meshgrid({array(Ints{1, 2}), array(Ints{5, 6, 7})});
  EXPECT_EQ(ints(grid[0]), (Ints{1, 2, 1, 2, 1, 2}));
  EXPECT_EQ(ints(grid[1]), (Ints{5, 5, 6, 6, 7, 7}));
  EXPECT_EQ(ints(meshgrid({array(Ints{1, 2}), array(Ints{5, 6})}, Indexing::IJ)[0]),
            (Ints{1, 1, 2, 2}));
  EXPECT_EQ(ints(broadcast_arrays({array(Ints{3}), array(Ints{1, 2})})[0]), (Ints{3, 3}));
  EXPECT_EQ(values(permute_dims(kMatrix, {1, 0})), values(transpose(kMatrix)));
  EXPECT_EQ(ints(concat({array(Ints{1}), array(Ints{2, 3})})), (Ints{1, 2, 3}));
  const std::vector<Array> columns = unstack(kMatrix, -1);
  ASSERT_EQ(columns.size(), 3u);
  EXPECT_EQ(values(columns[2]), (Doubles{2, 0, 5}));
  EXPECT_THROW(unstack(kMatrix, 2), Error);
  EXPECT_EQ(ints(repeat(array(Ints{7, 8}), array(Ints{2, 1}), 3, 0)), (Ints{7, 7, 8}));
}

TEST(Standard, SumsOrdersAndStatistics) {
  EXPECT_EQ(ints(cumulative_sum(array(Ints{1, 2}), 0, true)), (Ints{0, 1, 3}));
  EXPECT_EQ(ints(cumulative_prod(array(Ints{2, 3}), 0, true)), (Ints{1, 2, 6}));
  EXPECT_EQ(ints(diff(array(Ints{1, 4, 9}), 0, 2)), Ints{2});
  EXPECT_EQ(sum(array(Ints{1, 2}), {}, false, DType::F64).eval().item<double>(), 3);
  EXPECT_EQ(prod(array(Ints{4, 2}), {}, false, DType::F64).eval().item<double>(), 8);
  EXPECT_EQ(ints(vecdot(array(Ints{1, 2, 3, 4}, {2, 2}), array(Ints{1, 1, 1, 1}, {2, 2}), 0)),
            (Ints{4, 6}));
  const Array sorted = array(Ints{1, 2, 2, 3});
  EXPECT_EQ(ints(searchsorted(sorted, array(Ints{2}), Side::Left)), Ints{1});
  EXPECT_EQ(ints(searchsorted(sorted, array(Ints{2}), Side::Right)), Ints{3});
  EXPECT_EQ(ints(sort(sorted, 0, SortOrder::Descending)), (Ints{3, 2, 2, 1}));
  EXPECT_EQ(ints(argsort(sorted, 0, SortOrder::Descending)), (Ints{3, 1, 2, 0}));
  const UniqueArrays all = unique_all(array(Ints{3, 1, 3}));
  EXPECT_EQ(ints(all.values), (Ints{1, 3}));
  EXPECT_EQ(ints(all.indices), (Ints{1, 0}));
  EXPECT_EQ(ints(all.inverse_indices), (Ints{1, 0, 1}));
  EXPECT_EQ(ints(all.counts), (Ints{1, 2}));
  EXPECT_EQ(ints(unique_values(array(Ints{3, 3}))), Ints{3});
  EXPECT_EQ(median(kMatrix).eval().item<double>(), 2);
  EXPECT_EQ(quantile(array(Doubles{0, 10}), 0.25).eval().item<double>(), 2.5);
  EXPECT_EQ(percentile(array(Doubles{0, 10}), 25).eval().item<double>(), 2.5);
  EXPECT_EQ(ints(bincount(array(Ints{0, 2, 2}), 4)), (Ints{1, 0, 2, 0}));
  EXPECT_EQ(values(bincount(array(Ints{1, 1}), array(Doubles{0.5, 2}), 2)), (Doubles{0, 2.5}));
  EXPECT_EQ(ints(histogram(array(Doubles{0, 0.4, 1}), 2, 0.0, 1.0)), (Ints{2, 1}));
}

Array cofactors(const Array& a) { return grad(sum(det(a)), {a})[0]; }

// The derivative of a determinant is there for singular matrices, too.
TEST(Standard, Cofactors) {
  EXPECT_LT(apart(cofactors(kMatrix), det(kMatrix) * matrix_transpose(inv(kMatrix))), 1e-13);
  EXPECT_EQ(values(cofactors(array(Doubles{1, 2, 2, 4}, {2, 2}))), (Doubles{4, -2, -2, 1}));
  EXPECT_EQ(values(cofactors(array(Doubles{0, 0, 0, 4}, {2, 2}))), (Doubles{4, 0, 0, 0}));
  EXPECT_EQ(values(cofactors(zeros({2, 2}))), (Doubles{0, 0, 0, 0}));
  EXPECT_EQ(values(cofactors(zeros({1, 1}))), Doubles{1});
  EXPECT_EQ(values(cofactors(full({1, 1}, 49.0))), Doubles{1});
  // Determinants and inverses that are no numbers, of matrices whose cofactors are.
  EXPECT_EQ(values(cofactors(array(Doubles{0x1p-700, 0, 0, 0x1p-700}, {2, 2}))),
            (Doubles{0x1p-700, 0, 0, 0x1p-700}));
  EXPECT_EQ(values(cofactors(array(Doubles{0x1p700, 0, 0, 0x1p700}, {2, 2}))),
            (Doubles{0x1p700, 0, 0, 0x1p700}));
  EXPECT_EQ(values(cofactors(array(Doubles{1, 0, 0, 0x1p-1060}, {2, 2}))),
            (Doubles{0x1p-1060, 0, 0, 1}));
  EXPECT_EQ(values(cofactors(zeros({0, 0}))), Doubles{});
  // Of rank two, the first pivot is zero; of rank one; one of a batch is regular.
  const Array two = array(Doubles{0, 1, 2, 0, 4, 3, 0, 2, 5}, {3, 3});
  const Array one = outer(array(Doubles{1, 2, 3}), array(Doubles{1, 0, 4}));
  EXPECT_LT(apart(cofactors(two), array(Doubles{14, 0, 0, -1, 0, 0, -5, 0, 0}, {3, 3})), 1e-14);
  EXPECT_EQ(values(cofactors(one)), Doubles(9, 0.0));
  const Array batch = cofactors(stack({kMatrix, two, one}));
  EXPECT_EQ(values(batch(0)), values(cofactors(kMatrix)));
  EXPECT_EQ(values(batch(1)), values(cofactors(two)));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double v : values(cofactors(array(Doubles{0, nan, 0, 0}, {2, 2}))))
    EXPECT_TRUE(v == 0 || std::isnan(v));
  EXPECT_TRUE(std::isnan(values(cofactors(array(Doubles{0, nan, 0, 0}, {2, 2})))[2]));
}

TEST(Standard, LinearAlgebra) {
  const Array b = array(Doubles{1, 2, 3});
  EXPECT_LT(apart(matmul(kMatrix, solve(kMatrix, b)), b), 1e-14);
  EXPECT_LT(apart(matmul(kMatrix, inv(kMatrix)), eye(3)), 1e-14);
  EXPECT_NEAR(det(kMatrix).eval().item<double>(), 43, 1e-12);
  EXPECT_NEAR(slogdet(kMatrix).logabsdet.eval().item<double>(), std::log(43.0), 1e-14);
  EXPECT_EQ(slogdet(-kMatrix).sign.eval().item<double>(), -1);
  const Array l = cholesky(kMatrix);
  EXPECT_LT(apart(matmul(l, matrix_transpose(l)), kMatrix), 1e-14);
  EXPECT_LT(apart(cholesky(kMatrix, Triangle::Upper), matrix_transpose(l)), 1e-15);
  const QrArrays qr_of = qr(kMatrix(_, range(0, 2)), QrMode::Complete);
  EXPECT_LT(apart(matmul(qr_of.q, qr_of.r), kMatrix(_, range(0, 2))), 1e-14);
  const EighArrays own = eigh(kMatrix);
  EXPECT_LT(apart(matmul(kMatrix, own.vectors), own.vectors * own.values), 1e-13);
  EXPECT_LT(apart(eigvalsh(kMatrix), own.values), 1e-13);
  const SvdArrays parts = svd(kMatrix, false);
  EXPECT_LT(apart(matmul(parts.u * parts.s, parts.vh), kMatrix), 1e-13);
  EXPECT_LT(apart(svdvals(kMatrix), parts.s), 1e-13);
  EXPECT_LT(apart(pinv(kMatrix), inv(kMatrix)), 1e-14);
  EXPECT_EQ(matrix_rank(ones({3, 3})).eval().item<std::int64_t>(), 1);
  EXPECT_EQ(matrix_rank(kMatrix, 0.9).eval().item<std::int64_t>(), 1);
  EXPECT_LT(apart(matrix_power(kMatrix, -2), matmul(inv(kMatrix), inv(kMatrix))), 1e-14);
  EXPECT_NEAR(matrix_norm(kMatrix).eval().item<double>(), std::sqrt(60.0), 1e-14);
  EXPECT_EQ(matrix_norm(kMatrix, 1.0).eval().item<double>(), 7);
  EXPECT_EQ(vector_norm(b, std::numeric_limits<double>::infinity()).eval().item<double>(), 3);
  EXPECT_EQ(values(cross(array(Doubles{1, 0, 0}), array(Doubles{0, 1, 0}))), (Doubles{0, 0, 1}));
}

}  // namespace
}  // namespace lathe
