// SPDX-License-Identifier: Apache-2.0
#pragma once
// Are symbols and expressions of two graphs the same? (private to src/ir: same_program.cpp,
// loops_same.cpp) Symbols are compared by their text and nodes by walking both graphs side by side;
// pairs found equal are remembered.

#include <unordered_map>
#include <vector>

#include "ir/program.h"

namespace lathe::ir {

inline bool same(Symbol a, Symbol b) {
  return static_cast<bool>(a) == static_cast<bool>(b) && a.text() == b.text();
}

template <class T, class F>
bool same_list(const std::vector<T>& a, const std::vector<T>& b, F&& equal) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!equal(a[i], b[i])) return false;
  return true;
}

inline bool same_symbols(const std::vector<Symbol>& a, const std::vector<Symbol>& b) {
  return same_list(a, b, [](Symbol x, Symbol y) { return same(x, y); });
}

inline bool same_parameter(const Parameter& a, const Parameter& b) {
  return same(a.name, b.name) && a.is_size == b.is_size && a.dtype == b.dtype;
}

class SameExprs {
 public:
  bool same_expr(Expr a, Expr b);

  bool same_exprs(const std::vector<Expr>& a, const std::vector<Expr>& b) {
    return same_list(a, b, [&](Expr x, Expr y) { return same_expr(x, y); });
  }

 private:
  std::unordered_map<Expr, Expr> partner_;
};

}  // namespace lathe::ir
