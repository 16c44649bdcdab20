// SPDX-License-Identifier: Apache-2.0
// From the tables to patterns by operation, and from a match to what replaces it: constants inside
// fold() are computed by the interpreter's own operations.

#include "rewrite/rule_index.h"

#include "base/diagnostics.h"
#include "interp/row_ops.h"
#include "ir/typing.h"

namespace lathe::rewrite {
namespace {

using ir::DType;
using ir::Expr;
using ir::Op;
using ir::Scalar;

Compiled compile(const Rule& rule, std::size_t number, const Term& pattern) {
  Compiled c{&rule, number, all_orders(pattern), parse_term(rule.replacement), {}};
  check(operation_count(c.replacement) <= 1, "a replacement of at most one operation");
  const auto used = variables_of(pattern), kept = strict_variables(c.replacement);
  for (std::size_t i = 0; i < used.size(); ++i)
    c.must_not_fail[i] = used[i] && !kept[i] && !rule.lazy;
  return c;
}

DType type_of(const TypeName& type, const Given& given) {
  switch (type.variable) {
    case TypeName::T: return given.t;
    case TypeName::S: return given.s;
    case TypeName::U: return given.u;
    case TypeName::Fixed: return type.fixed;
  }
  internal_error("a dtype variable");
}

DType result_type(const Term& term, std::span<const DType> operands, const Given& given) {
  if (term.op == Op::Cast || term.op == Op::BitCast) return type_of(term.type, given);
  const auto t = ir::result_dtype(term.op, operands);
  check(std::holds_alternative<DType>(t), "a well-typed replacement");
  return std::get<DType>(t);
}

// The value of what stands inside fold().
Scalar fold_term(const Term& term, const Given& given) {
  switch (term.kind) {
    case Term::Kind::Constant: return term.slot == 0 ? given.k : given.l;
    case Term::Kind::Literal: return literal(term, term.is_bool ? DType::Bool : given.t);
    case Term::Kind::Apply: {
      std::vector<Scalar> args;
      std::vector<DType> types;
      for (const Term& arg : term.args) {
        args.push_back(fold_term(arg, given));
        types.push_back(args.back().dtype);
      }
      return interp::apply(term.op, result_type(term, types, given), args);
    }
    case Term::Kind::Variable:
    case Term::Kind::Fold: break;
  }
  internal_error("a variable inside fold()");
}

}  // namespace

RuleIndex::RuleIndex() : slots_(static_cast<std::size_t>(ir::kOpCount)) {
  const auto rules = all_rules();
  hits.resize(rules.size());
  for (std::size_t i = 0; i < rules.size(); ++i) {
    Term pattern = parse_term(rules[i].pattern);
    check(pattern.kind == Term::Kind::Apply, "a rule whose pattern is an operation");
    slots_[static_cast<std::size_t>(pattern.op)].patterns.emplace_back(i, std::move(pattern));
  }
}

std::span<const Compiled> RuleIndex::of(Op op) {
  Slot& slot = slots_[static_cast<std::size_t>(op)];
  std::call_once(slot.once, [&] {
    for (const auto& [number, pattern] : slot.patterns)
      slot.rules.push_back(compile(all_rules()[number], number, pattern));
    slot.patterns = {};
  });
  return slot.rules;
}

RuleIndex& rule_index() {
  static RuleIndex index;
  return index;
}

Expr leaf(ir::Graph& graph, const Term& term, const Binding& binding, const Given& given, DType t) {
  switch (term.kind) {
    case Term::Kind::Variable: return binding.variables[static_cast<std::size_t>(term.slot)];
    case Term::Kind::Constant: return binding.constants[static_cast<std::size_t>(term.slot)];
    case Term::Kind::Literal: return graph.constant(literal(term, term.is_bool ? DType::Bool : t));
    case Term::Kind::Fold: return graph.constant(fold_term(term.args[0], given));
    case Term::Kind::Apply: break;
  }
  internal_error("a replacement of more than one operation");
}

std::vector<Expr> operands(ir::Graph& graph, const Term& replacement, const Binding& binding,
                           const Given& given, DType t) {
  std::vector<Expr> args;
  std::vector<DType> types;
  for (const Term& arg : replacement.args) {
    args.push_back(leaf(graph, arg, binding, given, given.t));
    types.push_back(args.back()->dtype);
  }
  check(result_type(replacement, types, given) == t, "a rule that keeps the dtype");
  return args;
}

}  // namespace lathe::rewrite
