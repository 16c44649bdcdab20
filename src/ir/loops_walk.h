// SPDX-License-Identifier: Apache-2.0
#pragma once
// Walking the statements of a Kernel. Included by loops.h.

#include <type_traits>

#include "ir/loops.h"

namespace lathe::loops {

// The bodies that a statement holds, in textual order.
template <class F>
void for_each_body(const Stmt& s, F&& f) {
  if (const auto* loop = std::get_if<For>(&s.node)) f(loop->body);
  if (const auto* branch = std::get_if<If>(&s.node)) {
    f(branch->then_body);
    f(branch->else_body);
  }
}

// Every statement, at any depth, a statement before those of its bodies.
template <class F>
void for_each_stmt(const Body& body, F&& f) {
  for (const Stmt& s : body) {
    f(s);
    for_each_body(s, [&](const Body& inner) { for_each_stmt(inner, f); });
  }
}

// The expressions of the statement itself, in textual order; not those of its bodies.
template <class F>
void for_each_expr(const Stmt& s, F&& f) {
  std::visit(
      [&](const auto& n) {
        using T = std::decay_t<decltype(n)>;
        if constexpr (std::is_same_v<T, For>) {
          f(n.lo);
          f(n.hi);
        }
        if constexpr (requires { n.condition; }) f(n.condition);
        if constexpr (requires { n.initial; }) f(n.initial);
        if constexpr (requires { n.indices; })
          for (Expr e : n.indices) f(e);
        if constexpr (requires { n.value; }) f(n.value);
        if constexpr (requires { n.values; })
          for (Expr e : n.values) f(e);
        if constexpr (std::is_same_v<T, Alloc>)
          for (const Axis& a : n.buffer.axes) {
            f(a.lo);
            f(a.hi);
          }
      },
      s.node);
}

}  // namespace lathe::loops
