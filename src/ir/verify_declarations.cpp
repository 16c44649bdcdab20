// SPDX-License-Identifier: Apache-2.0
// What a program declares: each name once and spelled so that the text form can hold it, extents
// that are known when the array is needed, constants as large as their axes, combiners that close
// over nothing.

#include <algorithm>

#include "base/checked.h"
#include "ir/labels.h"
#include "ir/text_lexer.h"
#include "ir/traverse.h"
#include "ir/verify_context.h"

namespace lathe::ir {
namespace {

bool is_spelled_like_a_name(std::string_view text) {
  const auto word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  if (text.empty() || !word(text[0]) || (text[0] >= '0' && text[0] <= '9')) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dot = text[i] == '.' && i + 1 < text.size() && word(text[i + 1]);
    if (!word(text[i]) && !dot) return false;
  }
  return true;
}

}  // namespace

std::string valid_name(std::string_view name) {
  if (is_keyword(name)) return quoted(name) + " is a word of the language and cannot be a name";
  if (!is_spelled_like_a_name(name))
    return quoted(name) + " is not a name: names are letters, digits and '_', from a letter on";
  return {};
}

void Verifier::check_declarations() {
  if (const std::string why = valid_name(program_.name.text()); !why.empty()) error({}, why);
  std::unordered_map<Symbol, Span> declared;
  const auto declare = [&](Symbol name, Span where) {
    if (const std::string why = valid_name(name.text()); !why.empty()) error(where, why);
    const auto [first, fresh] = declared.try_emplace(name, where);
    if (fresh) return;
    ambiguous_.insert(name);
    error(where, quoted(name.text()) + " is declared twice", "rename one of the two")
        .note("the first declaration", first->second);
  };
  for (const Parameter& p : program_.parameters) {
    declare(p.name, p.span);
    if (p.is_size && p.dtype != DType::I64)
      error(p.span, "the size " + quoted(p.name.text()) + " must be i64");
  }
  for (const Array& a : program_.arrays) declare(a.name, a.span);
  for (const Combiner& c : program_.combiners) declare(c.name, c.span);
  std::unordered_set<Symbol> before;
  for (const Array& a : program_.arrays) check_array(a, before);
  for (const Combiner& c : program_.combiners) check_combiner(c);
  check_labels();
}

void Verifier::check_array(const Array& a, std::unordered_set<Symbol>& before) {
  std::unordered_set<Symbol> axes;
  for (const Axis& axis : a.axes) {
    if (const std::string why = valid_name(axis.name.text()); !why.empty()) error(a.span, why);
    if (!axes.insert(axis.name).second)
      error(a.span, quoted(a.name.text()) + " has two axes called " + quoted(axis.name.text()),
            "rename one of them");
    check_extent(a, axis, before);
  }
  if (a.extended && a.role != Role::Temp)
    error(a.span, quoted(a.name.text()) + " cannot be 'extended': its extent is the caller's",
          "only temps are extended");
  for (const Symbol axis : a.extended_axes)
    if (axes.count(axis) == 0)
      error(a.span,
            quoted(a.name.text()) + " is extended along " + quoted(axis.text()) +
                ", which is none of its axes",
            "name axes that it has, or write 'extended' alone for all of them");
  if (a.role == Role::Const) check_constant(a);
  if (a.role != Role::Const && !a.values.empty())
    error(a.span, quoted(a.name.text()) + " has values, but is not a constant");
  before.insert(a.name);
}

namespace {

// Whoever calls the program brings it.
bool is_given(Role r) { return r != Role::Temp && r != Role::Output; }

}  // namespace

// Extents are known before the array is needed: from sizes and parameters, or from integer scalars.
void Verifier::check_extent(const Array& a, const Axis& axis,
                            const std::unordered_set<Symbol>& before) {
  const std::string where = "axis " + quoted(axis.name.text()) + " of " + quoted(a.name.text());
  for (Expr bound : {axis.lo, axis.hi}) {
    if (!bound) continue;
    if (bound->dtype != DType::I64)
      error(a.span,
            "the extent of " + where + " must be i64, not " + std::string(name(bound->dtype)));
    for (Expr n : post_order(bound)) {
      if (n->op == Op::Index || n->op == Op::Reduce || n->op == Op::Inside)
        error(a.span, "the extent of " + where + " must be a formula of sizes and scalars");
      if (n->op != Op::Read) continue;
      const Array* scalar = array(n->name);
      if (!scalar || !scalar->axes.empty() || !is_int(scalar->dtype)) {
        error(a.span,
              "the extent of " + where + " reads " + quoted(n->name.text()) +
                  ", which is not an integer scalar",
              "compute the extent into a scalar first: temp count: i64");
      } else if (!before.contains(n->name)) {
        error(a.span,
              "the extent of " + where + " uses " + quoted(n->name.text()) +
                  ", which is declared further down",
              "declare " + quoted(n->name.text()) + " first");
      } else if (is_given(a.role) && !is_given(scalar->role)) {
        error(a.span,
              "the extent of " + where + " depends on " + quoted(n->name.text()) +
                  ", which the program computes, but " + quoted(a.name.text()) +
                  " is given from outside",
              "make " + quoted(n->name.text()) + " a size or an input");
      }
    }
  }
}

void Verifier::check_constant(const Array& a) {
  if (a.axes.empty()) {
    error(a.span, "the constant " + quoted(a.name.text()) + " has no axes",
          "write the number where it is used");
    return;
  }
  std::int64_t count = 1;
  for (const Axis& axis : a.axes) {
    if (!axis.lo || !axis.hi || !is_const(axis.lo) || !is_const(axis.hi)) {
      error(a.span, "the extents of the constant " + quoted(a.name.text()) + " must be numbers");
      return;
    }
    const CheckedInt extent = checked_sub(axis.hi->scalar().as_int(), axis.lo->scalar().as_int());
    const CheckedInt total =
        checked_mul(count, extent ? std::max<std::int64_t>(*extent, 0) : extent);
    if (!total) {
      error(a.span,
            "the constant " + quoted(a.name.text()) + " has more elements than 64 bits count");
      return;
    }
    count = *total;
  }
  if (static_cast<std::uint64_t>(count) != a.values.size())
    error(a.span, "the constant " + quoted(a.name.text()) + " has " + std::to_string(count) +
                      " elements, but " + plural(a.values.size(), "value"));
}

void Verifier::check_combiner(const Combiner& c) {
  const std::string combiner = "the combiner " + quoted(c.name.text());
  const std::size_t n = c.left.size();
  if (n == 0 || c.right.size() != n || c.result.size() != n || c.neutral.size() != n) {
    error(c.span,
          combiner + " has " + std::to_string(n) + " left and " + std::to_string(c.right.size()) +
              " right operands, " + plural(c.result.size(), "result") + " and " +
              plural(c.neutral.size(), "neutral element"),
          "give one of each per component");
    return;
  }
  std::unordered_map<Symbol, DType> operands;
  for (const auto* side : {&c.left, &c.right})
    for (const Parameter& p : *side)
      if (!operands.try_emplace(p.name, p.dtype).second)
        error(p.span, combiner + " has two operands called " + quoted(p.name.text()),
              "rename one of them");
  for (std::size_t k = 0; k < n; ++k) {
    const DType t = c.left[k].dtype;
    if (c.right[k].dtype != t)
      error(c.right[k].span,
            combiner + " combines " + std::string(name(t)) + " with " +
                std::string(name(c.right[k].dtype)) + " in component " + std::to_string(k + 1),
            "both sides of a component have one dtype");
    if (!c.result[k]) continue;
    if (c.result[k]->dtype != t || c.neutral[k].dtype != t)
      error(c.span, "component " + std::to_string(k + 1) + " of " + combiner + " is " +
                        std::string(name(t)) + ", but its result or neutral element is not");
    for (Expr e : post_order(c.result[k])) {
      const bool operand = e->op == Op::Param && operands.contains(e->name);
      if (operand || (e->op != Op::Param && e->op != Op::Index && e->op != Op::Read &&
                      e->op != Op::Inside && e->op != Op::Reduce))
        continue;
      error(c.span,
            combiner + " may use only its operands" +
                (e->name ? ", not " + quoted(e->name.text()) : std::string()),
            "pass what it needs as a component of the tuple");
    }
  }
}

void Verifier::check_labels() {
  std::unordered_set<Symbol> seen;
  std::unordered_set<Symbol> repeated;
  for_each_label(program_.body, [&](std::string_view, Symbol label, bool) {
    if (!seen.insert(label).second) repeated.insert(label);
  });
  if (repeated.empty()) return;
  std::unordered_map<Symbol, Span> first;
  const auto look = [&](Symbol label, Span where) {
    if (!repeated.contains(label)) return;
    const auto [at, fresh] = first.try_emplace(label, where);
    if (!fresh)
      error(where, "two statements have the label " + quoted(label.text()),
            "give one of them another label")
          .note("the first one", at->second);
  };
  const auto walk = [&](const auto& self, const Body& body) -> void {
    for (const Item& item : body) {
      std::visit(
          [&](const auto& n) {
            using T = std::decay_t<decltype(n)>;
            if constexpr (std::is_same_v<T, Scan>) {
              look(n.statement.label, n.statement.span);
            } else {
              look(n.label, n.span);
            }
            if constexpr (std::is_same_v<T, Group>)
              for (const Statement& s : n.statements) look(s.label, s.span);
          },
          item.node);
      for_each_body(item, [&](const Body& inner) { self(self, inner); });
    }
  };
  walk(walk, program_.body);
}

}  // namespace lathe::ir
