// SPDX-License-Identifier: Apache-2.0
#pragma once
// Operations on whole arrays with a meaning of their own in the interpreter.
//
//   sort(x) -> s            along the last axis, stable, NaN last, -0 before +0
//   argsort(x) -> p         the permutation (i64, from 0) of the same order
//   searchsorted(a, v) -> p for each v the first i with a[i] >= v (a sorted, one axis), i64
//   nonzero_count(m) -> c   how many elements are not zero, a scalar i64
//   nonzero(m) -> p         their row-major positions (i64, one axis of that length)
//   cholesky(a) -> l        lower factor of the last two axes, row by row, `seq` sums; bit-exact

#include <optional>
#include <span>
#include <string_view>

namespace lathe::ir {

enum class CallKind { Sort, Argsort, Searchsorted, NonzeroCount, Nonzero, Cholesky };

struct CallInfo {
  std::string_view name;
  CallKind kind;
  int inputs, outputs;
  bool bit_exact;
};

std::span<const CallInfo> all_calls();
const CallInfo* find_call(std::string_view name);

}  // namespace lathe::ir
