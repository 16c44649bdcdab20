// SPDX-License-Identifier: Apache-2.0
#pragma once
// Linear algebra on one dense matrix: what calls of ir/calls.h mean, and what every target runs.
// Each result is one fixed sequence of additions, multiplications, divisions and square roots (and
// logarithms of src/elementary), so it has the same bits everywhere; loops run along rows, where
// operations are independent and a vector does no harm.

#include <cstdint>
#include <limits>
#include <string>

#include "base/stop.h"
#include "interp/interpreter.h"
#include "ir/calls.h"
#include "ir/dtype.h"

namespace lathe::interp {

// Of one matrix, and of the second operand of `solve`.
struct LinearSizes {
  std::int64_t rows = 0, columns = 0, right = 0;
};
bool is_linear(ir::CallKind kind);
bool needs_square(ir::CallKind kind);
// Elements of the result for one matrix.
std::int64_t linear_result(ir::CallKind kind, const LinearSizes& sizes);

enum class LinearFault : std::uint8_t { None, Singular, NotDefinite, NotConverged };
const char* text(LinearFault fault);  // "the matrix is singular"

// Dense, row-major, f32 or f64. Throws std::bad_alloc.
LinearFault linear_call(ir::CallKind kind, ir::DType dtype, const LinearSizes& sizes, const void* a,
                        const void* b, void* out);

// A call on all matrices of its operands; the last two axes are those of a matrix. Throws UserError
// for shapes that do not fit, and from run() for a matrix that has no result.
struct LinearBatch {
  ir::CallKind kind;
  ir::DType dtype;
  LinearSizes sizes;
  std::int64_t count = 0, result = 0;  // matrices; elements of each result
  const std::byte *a = nullptr, *b = nullptr;
  std::string what;  // for messages

  void run(std::int64_t matrix, std::byte* results) const;
};
LinearBatch linear_batch(ir::CallKind kind, const ir::Call& call, const Buffer& a, const Buffer* b);

// ---- For linear_*.cpp. Matrices are row-major; `stride` is from row to row.

namespace linear {

// y[j] -= f[0] * x[0][j], then f[1] * x[1][j] ... for j < n.
void subtract_products(float* y, std::int64_t n, const float* f, std::int64_t count, const float* x,
                       std::int64_t stride);
void subtract_products(double* y, std::int64_t n, const double* f, std::int64_t count,
                       const double* x, std::int64_t stride);
// x and y turned: c * x + s * y and c * y - s * x.
void rotate(float* x, float* y, std::int64_t n, float c, float s);
void rotate(double* x, double* y, std::int64_t n, double c, double s);
// Sixteen sums side by side, then those.
float dot(const float* x, const float* y, std::int64_t n);
double dot(const double* x, const double* y, std::int64_t n);

// sqrt(x * x + y * y) without overflow on the way.
template <class T>
T length(T x, T y);
// Numbers below it have few bits left once they are squared or divided: a power of two, by which
// dividing is exact.
template <class T>
inline constexpr T kSmall = std::numeric_limits<T>::min() / std::numeric_limits<T>::epsilon();
// The cosine and sine that turn (x, y) into (r, 0).
template <class T>
struct Turn {
  T c = 1, s = 0, r = 0;
  Turn(T x, T y);
};
// A power of two near the largest absolute value; 1 for nothing, zeros, and what is not finite.
template <class T>
T power_near(const T* x, std::int64_t count);

// Householder's reflection I - tau v v' that turns x (count elements, `step` apart) into
// (beta, 0, 0 ...); x becomes (beta, v1, v2 ...), v0 is 1.
template <class T>
T reflect(T* x, std::int64_t count, std::int64_t step);
// Rows of `a` (as many as v has elements, `width` long) under that reflection. `work`: width.
template <class T>
void apply_reflection(const T* v, std::int64_t v_step, std::int64_t count, T tau, T* a,
                      std::int64_t width, std::int64_t stride, T* work);

template <class T>
LinearFault solve(std::int64_t n, std::int64_t right, const T* a, const T* b, T* x);
// With logarithm: the sign, and the logarithm of the absolute value.
template <class T>
void determinant(std::int64_t n, const T* a, bool logarithm, T* out);
// Row i, column j: the derivative of the determinant by that element. A matrix that lacks two or
// more of its rank has zeros.
template <class T>
void cofactors(std::int64_t n, const T* a, T* out);
// The same, at the cost of elimination with the largest pivot of all that is left.
template <class T>
void cofactors_of_singular(std::int64_t n, const T* a, T* out);
template <class T>
LinearFault cholesky(std::int64_t n, const T* a, T* l);
template <class T>
void qr(std::int64_t m, std::int64_t n, bool complete, const T* a, T* q, T* r);
// Eigenvalues, ascending; with vectors (not null): its columns are theirs.
template <class T>
LinearFault eigen(std::int64_t n, const T* a, T* values, T* vectors);
// Singular values, descending; u (m x m if full, else m x k) and vt (n x n, else k x n) or null.
template <class T>
LinearFault svd(std::int64_t m, std::int64_t n, bool full, const T* a, T* u, T* s, T* vt);

}  // namespace linear
}  // namespace lathe::interp
