// SPDX-License-Identifier: Apache-2.0
// Which call is which function, and how many numbers it gives.

#include <algorithm>

#include "base/diagnostics.h"
#include "interp/linear.h"

namespace lathe::interp {
namespace {

using ir::CallKind;

template <class T>
LinearFault linear_call_of(CallKind kind, const LinearSizes& s, const T* a, const T* b, T* out) {
  const std::int64_t m = s.rows, n = s.columns, k = std::min(m, n);
  switch (kind) {
    case CallKind::StrictCholesky: return linear::cholesky(n, a, out);
    case CallKind::Solve: return linear::solve(n, s.right, a, b, out);
    case CallKind::Det:
    case CallKind::Slogdet:
      linear::determinant(n, a, kind == CallKind::Slogdet, out);
      return LinearFault::None;
    case CallKind::Cofactors: linear::cofactors(n, a, out); return LinearFault::None;
    case CallKind::Qr: linear::qr(m, n, false, a, out, out + m * k); return LinearFault::None;
    case CallKind::QrComplete:
      linear::qr(m, n, true, a, out, out + m * m);
      return LinearFault::None;
    case CallKind::Eigh: return linear::eigen(n, a, out, out + n);
    case CallKind::Eigvalsh: return linear::eigen<T>(n, a, out, nullptr);
    case CallKind::Svd: return linear::svd(m, n, false, a, out + k, out, out + k + m * k);
    case CallKind::SvdFull: return linear::svd(m, n, true, a, out + k, out, out + k + m * m);
    case CallKind::Svdvals: return linear::svd<T>(m, n, false, a, nullptr, out, nullptr);
    case CallKind::Sort:
    case CallKind::Argsort:
    case CallKind::Searchsorted:
    case CallKind::SearchsortedRight:
    case CallKind::Contains:
    case CallKind::NonzeroCount:
    case CallKind::Nonzero:
    case CallKind::Cholesky: break;
  }
  internal_error("a call that is no linear algebra");
}

}  // namespace

bool is_linear(CallKind kind) { return kind >= CallKind::StrictCholesky; }

bool needs_square(CallKind kind) {
  return kind == CallKind::StrictCholesky || kind == CallKind::Solve || kind == CallKind::Det ||
         kind == CallKind::Slogdet || kind == CallKind::Cofactors || kind == CallKind::Eigh ||
         kind == CallKind::Eigvalsh;
}

std::int64_t linear_result(CallKind kind, const LinearSizes& s) {
  const std::int64_t m = s.rows, n = s.columns, k = std::min(m, n);
  switch (kind) {
    case CallKind::StrictCholesky:
    case CallKind::Cofactors: return n * n;
    case CallKind::Solve: return n * s.right;
    case CallKind::Det: return 1;
    case CallKind::Slogdet: return 2;
    case CallKind::Qr: return m * k + k * n;
    case CallKind::QrComplete: return m * m + m * n;
    case CallKind::Eigh: return n + n * n;
    case CallKind::Eigvalsh: return n;
    case CallKind::Svd: return k + m * k + k * n;
    case CallKind::SvdFull: return k + m * m + n * n;
    case CallKind::Svdvals: return k;
    default: break;
  }
  internal_error("a call that is no linear algebra");
}

const char* text(LinearFault fault) {
  switch (fault) {
    case LinearFault::None: break;
    case LinearFault::Singular: return "the matrix is singular";
    case LinearFault::NotDefinite: return "the matrix is not positive definite";
    case LinearFault::NotConverged:
      return "the values do not converge: the matrix holds numbers that are not finite";
  }
  return "";
}

LinearFault linear_call(CallKind kind, ir::DType dtype, const LinearSizes& sizes, const void* a,
                        const void* b, void* out) {
  if (dtype == ir::DType::F32)
    return linear_call_of(kind, sizes, static_cast<const float*>(a), static_cast<const float*>(b),
                          static_cast<float*>(out));
  return linear_call_of(kind, sizes, static_cast<const double*>(a), static_cast<const double*>(b),
                        static_cast<double*>(out));
}

LinearBatch linear_batch(CallKind kind, const ir::Call& call, const Buffer& a, const Buffer* b) {
  const std::string name = "'" + std::string(call.function.text()) + "'";
  const std::size_t rank = a.lo.size();
  LinearBatch out{kind,
                  a.dtype,
                  {},
                  1,
                  0,
                  a.data.data(),
                  b ? b->data.data() : nullptr,
                  name + " of '" + std::string(call.inputs[0].text()) + "'"};
  out.sizes = {a.extent(rank - 2), a.extent(rank - 1), 0};
  const auto refuse = [&](const std::string& what) { throw UserError(name + " needs " + what); };
  if (needs_square(kind) && out.sizes.rows != out.sizes.columns)
    refuse("square matrices, but '" + std::string(call.inputs[0].text()) + "' has " +
           std::to_string(out.sizes.rows) + " rows and " + std::to_string(out.sizes.columns) +
           " columns");
  for (std::size_t x = 0; x + 2 < rank; ++x) out.count *= a.extent(x);
  if (b) {
    out.sizes.right = b->extent(rank - 1);
    bool same = b->extent(rank - 2) == out.sizes.rows;
    for (std::size_t x = 0; x + 2 < rank; ++x) same = same && a.extent(x) == b->extent(x);
    if (!same)
      refuse("as many right sides as matrices, of the same number of rows, but '" +
             std::string(call.inputs[0].text()) + "' and '" + std::string(call.inputs[1].text()) +
             "' differ");
  }
  out.result = linear_result(kind, out.sizes);
  return out;
}

void LinearBatch::run(std::int64_t matrix, std::byte* results) const {
  const auto size = static_cast<std::int64_t>(ir::size_bytes(dtype));
  const LinearFault fault = linear_call(
      kind, dtype, sizes, a + matrix * sizes.rows * sizes.columns * size,
      b ? b + matrix * sizes.rows * sizes.right * size : nullptr, results + matrix * result * size);
  if (fault == LinearFault::None) return;
  throw UserError(
      what + ": " + text(fault) + (count > 1 ? " (number " + std::to_string(matrix) + ")" : ""), {},
      {}, ErrorKind::Matrix);
}

}  // namespace lathe::interp
