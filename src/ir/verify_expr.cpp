// SPDX-License-Identifier: Apache-2.0
// One expression: every read names an array and fits it, every variable is bound around it, every
// reduction combines what it can in an order that is legal.

#include <algorithm>

#include "ir/text.h"
#include "ir/traverse.h"
#include "ir/typing.h"
#include "ir/verify_context.h"

namespace lathe::ir {
namespace {

constexpr std::size_t kMaxReduceNesting = 64;

}  // namespace

const Local* Verifier::local(Symbol name, const Scope& scope) const {
  if (!scope.group) return nullptr;
  for (const Local& l : scope.group->locals)
    if (l.name == name) return &l;
  return nullptr;
}

void Verifier::check_expr(Expr e, const Scope& scope, const Place& place) {
  if (!e) {
    error(place.span, "an expression is missing");
    return;
  }
  bool reduces = false;
  for (Expr n : post_order(e)) {
    if (n->op == Op::Read || n->op == Op::Inside) check_read(n, scope, place);
    if (n->op == Op::Reduce) check_reduce(n, scope, place);
    reduces = reduces || n->op == Op::Reduce;
    if (n->op != Op::Param) continue;
    const Parameter* p = parameter(n->name);
    if (!p || p->dtype != n->dtype)
      error(span_of(place, n),
            quoted(n->name.text()) + " is not a parameter of dtype " + std::string(name(n->dtype)));
  }
  for (Symbol v : free_variables(e)) {
    if (contains(scope.variables, v) || contains(scope.counters, v)) continue;
    error(place.span, "the variable " + quoted(v.text()) + " is not bound here",
          "add it to the ranges: for " + std::string(v.text()) + " in ...");
  }
  if (reduces) check_shadowing(e, place);
}

void Verifier::check_read(Expr e, const Scope& scope, const Place& place) {
  const view::Read r(e);
  const std::string name_text = quoted(r.array.text());
  const Span where = span_of(place, e);
  const Local* l = local(r.array, scope);
  const Array* a = array(r.array);
  if (!a && !l) {
    error(where, "the array " + name_text + " is not declared");
    return;
  }
  const std::size_t rank = l ? 0 : a->axes.size();
  if (rank != r.indices.size()) {
    std::string sample;
    if (a)
      for (const Axis& axis : a->axes)
        sample += (sample.empty() ? "" : ", ") + std::string(axis.name.text());
    error(where,
          name_text + (rank > 0 ? " has " + plural(rank, "axis") : " is a scalar") +
              ", but is read with " + plural(r.indices.size(), "index"),
          rank > 0 ? "write " + std::string(r.array.text()) + "[" + sample + "]"
                   : "write " + std::string(r.array.text()) + " without brackets");
  }
  const DType t = l ? l->dtype : a->dtype;
  if (e->op == Op::Read && e->dtype != t)
    error(where, name_text + " is " + std::string(name(t)) + ", but is read as " +
                     std::string(name(e->dtype)));
  if (r.fill && r.fill->dtype != t)
    error(where, "the value outside of " + name_text + " is " + std::string(name(r.fill->dtype)) +
                     ", but the array is " + std::string(name(t)));
  for (std::size_t k = 0; k < r.indices.size(); ++k)
    if (!is_int(r.indices[k]->dtype))
      error(where,
            "index " + std::to_string(k + 1) + " of " + name_text + " is " +
                std::string(name(r.indices[k]->dtype)) + ", but indices are integers",
            "convert it: i64(...), or floor it first");
}

void Verifier::check_reduce(Expr e, const Scope& scope, const Place& place) {
  const view::Reduce r(e);
  const Span where = span_of(place, e);
  for (std::size_t v = 0; v < r.info.variables.size(); ++v) {
    const Symbol variable = r.info.variables[v];
    if (const std::string why = valid_name(variable.text()); !why.empty()) error(where, why);
    for (Expr bound : {r.lo(v), r.hi(v)})
      if (bound->dtype != DType::I64)
        error(where, "the bounds of " + quoted(variable.text()) + " must be i64, not " +
                         std::string(name(bound->dtype)));
    if (contains(scope.variables, variable) || contains(scope.counters, variable) ||
        parameter(variable) || array(variable) || local(variable, scope))
      error(
          where,
          "the reduction's variable " + quoted(variable.text()) + " hides another of the same name",
          "rename the variable of the reduction");
  }
  if (!is_bool(r.guard->dtype))
    error(where,
          "the guard of the reduction must be bool, not " + std::string(name(r.guard->dtype)),
          "compare, as in x != 0");
  const DType t = r.values[0]->dtype;
  for (Expr v : r.values)
    if (v->dtype != t || e->dtype != t) {
      error(where, "the reduction mixes " + std::string(name(t)) + " and " +
                       std::string(name(v->dtype != t ? v->dtype : e->dtype)));
      return;
    }
  check_order(r.info.op, r.info.order, r.info.accumulator, t, where);
  if (!neutral(r.info.op, r.info.accumulator))
    error(where, quoted(info(r.info.op).spelling) + " has no neutral element to start from",
          "set a target, then accumulate into it");
}

// An operation that accumulates, an order that keeps its meaning, an accumulator that can hold it.
void Verifier::check_order(Op op, Order order, DType accumulator, DType value, Span where) {
  const std::string what = op == Op::Fma ? "'contract'" : quoted(info(op).spelling);
  if (!can_accumulate(op, value)) {
    error(where, what + " cannot accumulate " + std::string(name(value)) + " values",
          "an accumulation takes two values of a dtype to one of the same dtype");
    return;
  }
  if (!can_accumulate(op, accumulator) || is_float(value) != is_float(accumulator) ||
      promote(value, accumulator) != accumulator) {
    error(where,
          "an accumulator of " + std::string(name(accumulator)) + " does not hold all " +
              std::string(name(value)) + " values",
          "accumulate in " + std::string(name(value)) + " or something wider of its kind");
    return;
  }
  const bool matters = order_matters(op, accumulator);
  if (order == Order::Free && matters)
    error(where,
          "the result of accumulating " + std::string(name(accumulator)) + " values with " + what +
              " depends on the order, so it cannot be 'free'",
          "choose tree, chain or seq, or leave the order out");
  const bool regroups = op == Op::Add || op == Op::Mul || op == Op::Fma || !matters;
  if ((order == Order::Tree || order == Order::Chain) && !regroups)
    error(where, what + " is not associative: only the order 'seq' has a meaning",
          "write seq, or leave the order out");
}

// No reduction inside another binds the same name, and they do not nest without end.
void Verifier::check_shadowing(Expr e, const Place& place) {
  std::unordered_map<Expr, std::vector<Symbol>> below;  // names bound in or under a node
  std::unordered_map<Expr, std::size_t> nesting;
  for (Expr n : post_order(e)) {
    std::vector<Symbol> names;
    std::size_t deepest = 0;
    for (Expr a : n->args()) {
      const auto found = below.find(a);
      if (found == below.end()) continue;
      names.insert(names.end(), found->second.begin(), found->second.end());
      deepest = std::max(deepest, nesting[a]);
    }
    if (n->op == Op::Reduce) {
      std::unordered_set<Symbol> own;
      for (Symbol v : n->reduce().variables) {
        if (contains(names, v) || !own.insert(v).second)
          error(span_of(place, n),
                "two reductions, one inside the other, use the variable " + quoted(v.text()),
                "rename one of them");
        names.push_back(v);
      }
      if (++deepest == kMaxReduceNesting)
        error(span_of(place, n),
              "reductions nest deeper than " + std::to_string(kMaxReduceNesting));
    }
    if (names.empty()) continue;
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    below[n] = std::move(names);
    nesting[n] = deepest;
  }
}

}  // namespace lathe::ir
