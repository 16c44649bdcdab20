// SPDX-License-Identifier: Apache-2.0
#pragma once
// Operations on whole arrays with a meaning of their own in the interpreter.
//
//   sort(x) -> s            along the last axis, stable, NaN last, -0 before +0
//   argsort(x) -> p         the permutation (i64, from 0) of the same order
//   searchsorted(a, v) -> p for each v the first i with a[i] >= v (a sorted, one axis), i64
//   searchsorted_right(a, v) -> p    the first with a[i] > v; NaN is behind all numbers
//   contains(a, v) -> b     for each v: is it equal to an element of a (one axis)? bool
//   nonzero_count(m) -> c   how many elements are not zero, a scalar i64
//   nonzero(m) -> p         their row-major positions (i64, one axis of that length)
//   cholesky(a) -> l        lower factor of the last two axes, row by row, `seq` sums; bit-exact
//
// Linear algebra of the last two axes, f32 or f64 (interp/linear.h). What is several matrices lies
// one after the other along the last axis of the result, row-major:
//
//   strict_cholesky(a) -> l  the same bits; a matrix that is not positive definite is an error
//   solve(a, b) -> x         a x = b; a singular matrix is an error
//   det(a) -> d, slogdet(a) -> s    the determinant; its sign and the logarithm of its size
//   cofactors(a) -> c        the derivative of det(a), also of singular matrices
//   qr(a) -> q, r            q has min(m, n) columns; those of qr_complete are m
//   eigh(a) -> w, v          of a symmetric matrix, ascending; vectors are columns of v
//   eigvalsh(a) -> w
//   svd(a) -> s, u, vt       descending; u and vt of svd_full are square
//   svdvals(a) -> s

#include <optional>
#include <span>
#include <string_view>

namespace lathe::ir {

enum class CallKind {
  Sort,
  Argsort,
  Searchsorted,
  SearchsortedRight,
  Contains,
  NonzeroCount,
  Nonzero,
  Cholesky,
  StrictCholesky,  // from here on: linear algebra
  Solve,
  Det,
  Slogdet,
  Cofactors,
  Qr,
  QrComplete,
  Eigh,
  Eigvalsh,
  Svd,
  SvdFull,
  Svdvals,
};

struct CallInfo {
  std::string_view name;
  CallKind kind;
  int inputs, outputs;
  bool bit_exact;
};

std::span<const CallInfo> all_calls();
const CallInfo* find_call(std::string_view name);

}  // namespace lathe::ir
