// SPDX-License-Identifier: Apache-2.0
#pragma once
// Every expression of a program, in textual order: bounds, guards, conditions, indices, values.

#include "ir/program.h"

namespace lathe::ir {

template <class F>
void for_each_expr(const Range& range, F&& f) {
  f(range.lo);
  f(range.hi);
}

template <class F>
void for_each_expr(const Domain& domain, F&& f) {
  for (const Range& r : domain.ranges) for_each_expr(r, f);
  if (domain.guard) f(domain.guard);
}

template <class F>
void for_each_expr(const Statement& s, F&& f) {
  for_each_expr(s.domain, f);
  for (const Target& t : s.targets)
    for (Expr e : t.indices) f(e);
  for (Expr e : s.values) f(e);
}

template <class F>
void for_each_expr(const Item& item, F&& f);

template <class F>
void for_each_expr(const Body& body, F&& f) {
  for (const Item& item : body) for_each_expr(item, f);
}

// The expressions of the item itself, then those of its bodies.
template <class F>
void for_each_expr(const Item& item, F&& f) {
  std::visit(
      [&](const auto& n) {
        using T = std::decay_t<decltype(n)>;
        if constexpr (std::is_same_v<T, Statement>) {
          for_each_expr(n, f);
        } else if constexpr (std::is_same_v<T, Group>) {
          for_each_expr(n.domain, f);
          for (const Statement& s : n.statements) for_each_expr(s, f);
        } else if constexpr (std::is_same_v<T, Branch> || std::is_same_v<T, While>) {
          for_each_expr(n.domain, f);
          f(n.condition);
        } else if constexpr (std::is_same_v<T, Sweep>) {
          for_each_expr(n.range, f);
        } else if constexpr (std::is_same_v<T, Scan>) {
          for_each_expr(n.statement.domain, f);
          for_each_expr(n.range, f);
          for_each_expr(n.statement, f);
        } else if constexpr (std::is_same_v<T, When>) {
          f(n.condition);
        } else if constexpr (std::is_same_v<T, Repeat>) {
          for_each_expr(n.range, f);
          if (n.until) f(n.until);
        }
      },
      item.node);
  for_each_body(item, [&](const Body& inner) { for_each_expr(inner, f); });
}

}  // namespace lathe::ir
