// SPDX-License-Identifier: Apache-2.0
// Matching is plain and structural. What makes it short: every order of commutative operands is
// laid out beforehand as a pattern of its own (all_orders), so there is nothing to go back on.
//
//   b or (b and c)   becomes   b or (b and c)   b or (c and b)   (b and c) or b   (c and b) or b

#include "rewrite/pattern.h"

#include <cmath>

namespace lathe::rewrite {
namespace {

bool bind_type(Binding& binding, TypeName::Variable variable, ir::DType t) {
  const auto i = static_cast<std::size_t>(variable);
  if (binding.has_type[i]) return binding.types[i] == t;
  binding.has_type[i] = true;
  binding.types[i] = t;
  return true;
}

bool bind_variable(const Term& pattern, ir::Expr e, Binding& binding) {
  ir::Expr& bound = binding.variables[static_cast<std::size_t>(pattern.slot)];
  if (bound != nullptr) return bound == e;
  if (pattern.is_bool ? e->dtype != ir::DType::Bool : !bind_type(binding, TypeName::T, e->dtype))
    return false;
  bound = e;
  return true;
}

bool bind_constant(const Term& pattern, ir::Expr e, Binding& binding) {
  if (!ir::is_const(e)) return false;
  ir::Expr& bound = binding.constants[static_cast<std::size_t>(pattern.slot)];
  if (bound != nullptr) return bound == e;
  bound = e;
  return true;
}

bool match_type(const TypeName& type, ir::DType t, Binding& binding) {
  return type.variable == TypeName::Fixed ? type.fixed == t : bind_type(binding, type.variable, t);
}

bool is_conversion(ir::Op op) { return op == ir::Op::Cast || op == ir::Op::BitCast; }

void mark(const Term& term, bool strict_only, bool strict,
          std::array<bool, kVariableCount>& marked) {
  if (term.kind == Term::Kind::Variable && (strict || !strict_only))
    marked[static_cast<std::size_t>(term.slot)] = true;
  for (std::size_t i = 0; i < term.args.size(); ++i)
    mark(term.args[i], strict_only, strict && (i == 0 || !has(term.op, ir::kLazy)), marked);
}

}  // namespace

bool has_value(const Term& term, ir::DType t) {
  return ir::is_float(t) || (std::isfinite(term.value) && term.value == std::rint(term.value));
}

ir::Scalar literal(const Term& term, ir::DType t) {
  return ir::is_float(t) ? ir::Scalar::of_double(t, term.value)
                         : ir::Scalar::of_int(t, static_cast<std::int64_t>(term.value));
}

bool match_operands(const Term& pattern, std::span<const ir::Expr> args, Binding& binding) {
  if (pattern.args.size() != args.size()) return false;
  for (std::size_t i = 0; i < args.size(); ++i)
    if (!match(pattern.args[i], args[i], binding)) return false;
  return true;
}

bool match(const Term& pattern, ir::Expr e, Binding& binding) {
  switch (pattern.kind) {
    case Term::Kind::Variable: return bind_variable(pattern, e, binding);
    case Term::Kind::Constant: return bind_constant(pattern, e, binding);
    case Term::Kind::Literal:
      return ir::is_const(e) && ir::is_bool(e->dtype) == pattern.is_bool &&
             has_value(pattern, e->dtype) && e->scalar() == literal(pattern, e->dtype);
    case Term::Kind::Apply:
      if (e->op != pattern.op) return false;
      if (is_conversion(pattern.op) && !match_type(pattern.type, e->dtype, binding)) return false;
      return match_operands(pattern, e->args(), binding);
    case Term::Kind::Fold: return false;
  }
  return false;
}

Given given(const Binding& binding, ir::DType result) {
  Given g;
  g.t = binding.has_type[TypeName::T]     ? binding.types[TypeName::T]
        : binding.constants[0] != nullptr ? binding.constants[0]->dtype
                                          : result;
  g.s = binding.has_type[TypeName::S] ? binding.types[TypeName::S] : g.t;
  g.u = binding.has_type[TypeName::U] ? binding.types[TypeName::U] : g.t;
  if (binding.constants[0] != nullptr) g.k = binding.constants[0]->scalar();
  if (binding.constants[1] != nullptr) g.l = binding.constants[1]->scalar();
  return g;
}

std::vector<Variant> all_orders(const Term& pattern) {
  std::vector<Variant> orders;
  orders.push_back({pattern, false});
  orders[0].pattern.args.clear();
  for (const Term& arg : pattern.args) {
    std::vector<Variant> longer;
    for (const Variant& head : orders)
      for (const Variant& tail : all_orders(arg)) {
        longer.push_back(head);
        longer.back().pattern.args.push_back(tail.pattern);
        longer.back().swaps_lazy |= tail.swaps_lazy;
      }
    orders = std::move(longer);
  }
  if (pattern.kind != Term::Kind::Apply || !has(pattern.op, ir::kCommutes)) return orders;
  const std::size_t written = orders.size();
  for (std::size_t i = 0; i < written; ++i) {
    Variant turned = orders[i];
    std::swap(turned.pattern.args[0], turned.pattern.args[1]);
    turned.swaps_lazy |= has(pattern.op, ir::kLazy);
    orders.push_back(std::move(turned));
  }
  return orders;
}

std::array<bool, kVariableCount> strict_variables(const Term& term) {
  std::array<bool, kVariableCount> marked{};
  mark(term, true, true, marked);
  return marked;
}

std::array<bool, kVariableCount> variables_of(const Term& term) {
  std::array<bool, kVariableCount> marked{};
  mark(term, false, true, marked);
  return marked;
}

std::size_t operation_count(const Term& term) {
  if (term.kind != Term::Kind::Apply) return 0;
  std::size_t count = 1;
  for (const Term& arg : term.args) count += operation_count(arg);
  return count;
}

}  // namespace lathe::rewrite
