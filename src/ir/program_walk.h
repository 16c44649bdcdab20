// SPDX-License-Identifier: Apache-2.0
#pragma once
// Walking the items of a Program. Included by program.h.

#include <type_traits>

#include "ir/program.h"

namespace lathe::ir {

// The bodies that an item holds, in textual order (none for statements, groups, scans, calls).
template <class F>
void for_each_body(const Item& item, F&& f) {
  std::visit(
      [&](const auto& n) {
        using T = std::decay_t<decltype(n)>;
        if constexpr (std::is_same_v<T, Branch> || std::is_same_v<T, When>) {
          f(n.then_body);
          f(n.else_body);
        } else if constexpr (std::is_same_v<T, While> || std::is_same_v<T, Sweep> ||
                             std::is_same_v<T, Repeat>) {
          f(n.body);
        }
      },
      item.node);
}

template <class F>
void for_each_statement(const Body& body, F&& f) {
  for (const Item& item : body) {
    if (auto* s = std::get_if<Statement>(&item.node)) f(*s);
    if (auto* s = std::get_if<Scan>(&item.node)) f(s->statement);
    if (auto* g = std::get_if<Group>(&item.node))
      for (const Statement& s : g->statements) f(s);
    for_each_body(item, [&](const Body& inner) { for_each_statement(inner, f); });
  }
}

}  // namespace lathe::ir
