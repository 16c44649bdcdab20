// SPDX-License-Identifier: Apache-2.0
#pragma once
// Labels that items get when the text gives none.
//
// A statement is named after its (first) target: `lap`, or `lap.0`, `lap.1` ... when several
// statements write that array. Everything else is named after its word and counted: `for.0` (a
// group), `if.0`, `while.0`, `sweep.0`, `when.0`, `repeat.0`, `call.0`. These words cannot name
// arrays, so the two kinds never meet. A scan has the label of its statement.

#include <string>
#include <vector>

#include "ir/program.h"

namespace lathe::ir {

// Calls f(word, label) on everything that has a label, in textual order, an item before what it
// holds; `word` is the target's name for statements, else one of the words above.
template <class BodyType, class F>
void for_each_label(BodyType& body, F&& f) {
  for (auto& item : body) {
    std::visit(
        [&](auto& n) {
          using T = std::decay_t<decltype(n)>;
          const auto statement = [&](auto& s) {
            f(s.targets.empty() ? std::string_view() : s.targets[0].array.text(), s.label, true);
          };
          const auto bodies = [&](auto&... inner) { (for_each_label(inner, f), ...); };
          if constexpr (std::is_same_v<T, Statement>) {
            statement(n);
          } else if constexpr (std::is_same_v<T, Scan>) {
            statement(n.statement);
          } else if constexpr (std::is_same_v<T, Group>) {
            f(std::string_view("for"), n.label, false);
            for (auto& s : n.statements) statement(s);
          } else if constexpr (std::is_same_v<T, Branch>) {
            f(std::string_view("if"), n.label, false);
            bodies(n.then_body, n.else_body);
          } else if constexpr (std::is_same_v<T, While>) {
            f(std::string_view("while"), n.label, false);
            bodies(n.body);
          } else if constexpr (std::is_same_v<T, Sweep>) {
            f(std::string_view("sweep"), n.label, false);
            bodies(n.body);
          } else if constexpr (std::is_same_v<T, When>) {
            f(std::string_view("when"), n.label, false);
            bodies(n.then_body, n.else_body);
          } else if constexpr (std::is_same_v<T, Repeat>) {
            f(std::string_view("repeat"), n.label, false);
            bodies(n.body);
          } else {
            f(std::string_view("call"), n.label, false);
          }
        },
        item.node);
  }
}

// In the order of for_each_label.
std::vector<std::string> default_labels(const Body& body);

// Gives every item without label its default.
void assign_default_labels(Program& program);

// t.if[i] = t[i], h.acc[i] = f32(h[i]): a copy to or from an array that a pass has made, which the
// user knows nothing of. The names of those have a dot. What nothing has written stays so in the
// copy, and is no error. The read; null: no such copy.
Expr version_copied(const Statement& s);

}  // namespace lathe::ir
