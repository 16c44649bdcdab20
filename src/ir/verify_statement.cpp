// SPDX-License-Identifier: Apache-2.0
// Domains, targets and accumulations.

#include <algorithm>
#include <set>

#include "ir/traverse.h"
#include "ir/typing.h"
#include "ir/verify_context.h"

namespace lathe::ir {
// The ranges of an item, one after another: each sees the variables before it. Inside a branch or
// while they begin with its variables, because its mask lives on those points.
void Verifier::check_points(const Domain& d, Scope& scope, const Place& place,
                            std::string_view what) {
  if (scope.points) {
    const std::vector<Range>& around = scope.points->ranges;
    bool begins = d.ranges.size() >= around.size();
    for (std::size_t k = 0; begins && k < around.size(); ++k)
      begins = d.ranges[k].variable == around[k].variable;
    if (!begins) {
      std::string names;
      for (const Range& r : around)
        names += (names.empty() ? "" : ", ") + std::string(r.variable.text());
      error(place.span,
            "this " + std::string(what) + " stands inside 'if' or 'while' over " + names +
                ", so its ranges must begin with " + names,
            "leave out 'for' to run it at the same points, or add the variables in front");
    }
  }
  scope.variables.clear();
  for (const Range& r : d.ranges) check_range(r, scope, place);
  if (d.guard) check_condition(d.guard, scope, place, "the guard");
}

void Verifier::check_range(const Range& r, Scope& scope, const Place& place) {
  const std::string variable = quoted(r.variable.text());
  if (const std::string why = valid_name(r.variable.text()); !why.empty()) error(place.span, why);
  for (Expr bound : {r.lo, r.hi}) {
    check_expr(bound, scope, place);
    if (bound && bound->dtype != DType::I64)
      error(span_of(place, bound),
            "the bounds of " + variable + " must be i64, not " + std::string(name(bound->dtype)),
            "convert: i64(...)");
  }
  if (contains(scope.variables, r.variable) || contains(scope.counters, r.variable)) {
    error(place.span, "the loop variable " + variable + " is already bound around this loop",
          "choose another name");
  } else if (parameter(r.variable) || array(r.variable) || local(r.variable, scope)) {
    error(place.span,
          "the loop variable " + variable + " hides the " +
              (parameter(r.variable) ? "parameter" : "array") + " of the same name",
          "choose another name");
  }
  scope.variables.push_back(r.variable);
}

// The counter of a sweep or repeat: its bounds are scalars.
void Verifier::check_counter(const Range& r, Scope& scope, const Place& place,
                             std::string_view what) {
  scope.variables.clear();
  bool scalar = true;
  for (Expr bound : {r.lo, r.hi})
    scalar = check_scalar(bound, scope, place, "a bound of " + std::string(what)) && scalar;
  if (scope.points)
    for (const Range& around : scope.points->ranges)
      if (around.variable == r.variable)
        error(
            place.span,
            "the loop variable " + quoted(r.variable.text()) + " is already bound around this loop",
            "choose another name");
  Scope inner = scope;
  if (scalar) check_range(r, inner, place);
  scope.counters.push_back(r.variable);
}

void Verifier::check_condition(Expr e, const Scope& scope, const Place& place,
                               std::string_view what) {
  check_expr(e, scope, place);
  if (e && !is_bool(e->dtype))
    error(span_of(place, e),
          std::string(what) + " must be bool, not " + std::string(name(e->dtype)),
          "compare, as in x != 0");
}

// One value for all points: no loop variable but the counters around.
bool Verifier::check_scalar(Expr e, const Scope& scope, const Place& place, std::string_view what) {
  if (!e || !scope.points) return true;
  for (Symbol v : free_variables(e)) {
    for (const Range& r : scope.points->ranges) {
      if (!(r.variable == v)) continue;
      error(span_of(place, e),
            std::string(what) + " is one value for all points, but depends on " + quoted(v.text()),
            "use 'if' or a guard to decide at each point");
      return false;
    }
  }
  return true;
}

void Verifier::check_assignment(const Statement& s, const Scope& scope, const Place& place) {
  if (s.targets.empty() || s.values.empty()) {
    error(place.span, "the statement " + quoted(s.label.text()) + " has no target or no value");
    return;
  }
  const std::size_t before = diagnostics_.error_count();
  for (const Target& t : s.targets) check_target(t, scope, place);
  for (Expr e : s.values) check_expr(e, scope, place);
  if (diagnostics_.error_count() != before) return;
  if (s.accumulate && s.accumulate->combiner) return check_tuple(s, place);
  const bool contracts = s.accumulate && s.accumulate->op == Op::Fma;
  if (s.targets.size() != 1 || (s.values.size() != 1 && !contracts)) {
    error(place.span, "only an accumulation with a combiner has several targets or values");
    return;
  }
  const Local* l = local(s.targets[0].array, scope);
  const DType t = l ? l->dtype : array(s.targets[0].array)->dtype;
  for (Expr e : s.values)
    if (e->dtype != t)
      error(span_of(place, e),
            quoted(s.targets[0].array.text()) + " is " + std::string(name(t)) +
                ", but the value is " + std::string(name(e->dtype)),
            "convert it: " + std::string(name(t)) + "(...)");
  if (s.accumulate) check_accumulation(s, place);
}

void Verifier::check_target(const Target& t, const Scope& scope, const Place& place) {
  const std::string target = quoted(t.array.text());
  const Local* l = local(t.array, scope);
  const Array* a = array(t.array);
  if (!a && !l) {
    error(place.span, parameter(t.array) ? "the parameter " + target + " cannot be written"
                                         : "the array " + target + " is not declared");
    return;
  }
  if (!l && !ambiguous_.contains(t.array) && (a->role == Role::Input || a->role == Role::Const))
    error(place.span,
          target + " is " + (a->role == Role::Input ? "an input" : "a constant") +
              " and cannot be written",
          a->role == Role::Input ? "declare it inout, or write to another array"
                                 : "write to another array");
  const std::size_t rank = l ? 0 : a->axes.size();
  if (rank != t.indices.size())
    error(place.span, target + (rank > 0 ? " has " + plural(rank, "axis") : " is a scalar") +
                          ", but is written with " + plural(t.indices.size(), "index"));
  for (std::size_t k = 0; k < t.indices.size(); ++k) {
    check_expr(t.indices[k], scope, place);
    if (t.indices[k] && !is_int(t.indices[k]->dtype))
      error(place.span,
            "index " + std::to_string(k + 1) + " of " + target + " is " +
                std::string(name(t.indices[k]->dtype)) + ", but indices are integers",
            "convert it: i64(...)");
  }
}

void Verifier::check_accumulation(const Statement& s, const Place& place) {
  const Accumulation& a = *s.accumulate;
  check_order(a.op, a.order, a.dtype, s.values[0]->dtype, place.span);
  if (a.fresh && a.op != Op::Fma && !neutral(a.op, s.values[0]->dtype))
    error(place.span, quoted(info(a.op).spelling) + " has no neutral element to start fresh from",
          "set the target before, then accumulate without 'fresh'");
}

void Verifier::check_tuple(const Statement& s, const Place& place) {
  const Combiner* c = program_.find_combiner(s.accumulate->combiner);
  const std::string combiner = quoted(s.accumulate->combiner.text());
  if (!c) {
    error(place.span, "the combiner " + combiner + " is not declared");
    return;
  }
  if (s.targets.size() != c->left.size() || s.values.size() != c->left.size()) {
    error(place.span, combiner + " combines " + plural(c->left.size(), "value") + ", not " +
                          std::to_string(s.targets.size()));
    return;
  }
  for (std::size_t k = 0; k < c->left.size(); ++k) {
    const DType t = c->left[k].dtype;
    const Array* a = array(s.targets[k].array);
    if (a && a->dtype != t)
      error(place.span,
            "component " + std::to_string(k + 1) + " of " + combiner + " is " +
                std::string(name(t)) + ", but its target " + quoted(s.targets[k].array.text()) +
                " is " + std::string(name(a->dtype)),
            "give both one dtype");
    if (s.values[k]->dtype != t)
      error(place.span, "component " + std::to_string(k + 1) + " of " + combiner + " is " +
                            std::string(name(t)) + ", but its value is " +
                            std::string(name(s.values[k]->dtype)));
    for (std::size_t other = 0; other < k; ++other)
      if (s.targets[other].array == s.targets[k].array)
        error(place.span,
              "two components of " + combiner + " are kept in one array, " +
                  quoted(s.targets[k].array.text()),
              "give each component an array of its own");
  }
  // What is reduced is one thing for the whole tuple.
  const auto variables_of = [](const Target& t) {
    std::set<Symbol> out;
    for (Expr e : t.indices)
      for (Symbol v : free_variables(e)) out.insert(v);
    return out;
  };
  for (const Target& t : s.targets)
    if (variables_of(t) != variables_of(s.targets.front()))
      error(place.span,
            quoted(s.targets.front().array.text()) + " and " + quoted(t.array.text()) +
                " are combined together, but have other variables in their indices",
            "give all parts of a tuple the same variables");
  if (s.accumulate->order == Order::Free)
    error(place.span, combiner + " may depend on the order, so it cannot be 'free'",
          "choose tree, chain or seq, or leave the order out");
}

void Verifier::check_item(const Scan& s, Scope scope) {
  const Place place{s.statement.label, s.statement.span};
  Domain points = s.statement.domain;
  const Expr guard = std::exchange(points.guard, nullptr);
  check_points(points, scope, place, "scan");
  check_range(s.range, scope, place);
  if (guard) check_condition(guard, scope, place, "the guard");
  check_assignment(s.statement, scope, place);
  const std::string variable = quoted(s.range.variable.text());
  if (!s.statement.accumulate) {
    error(place.span, "a scan accumulates along " + variable + ", but this statement only sets",
          "use += or another accumulation");
    return;
  }
  if (s.statement.accumulate->fresh)
    error(place.span, "a scan writes each element once and has nothing to clear", "drop 'fresh'");
  const Accumulation& a = *s.statement.accumulate;
  if (!a.combiner && !neutral(a.op, a.dtype))
    error(place.span, quoted(info(a.op).spelling) + " has no neutral element to start a scan from",
          "use a combiner, which states its own, or a sweep");
  for (const Target& t : s.statement.targets) {
    const bool moves = std::any_of(t.indices.begin(), t.indices.end(),
                                   [&](Expr e) { return e && mentions(e, s.range.variable); });
    if (!moves)
      error(place.span,
            "the scan stores a running value for every " + variable + ", but " +
                quoted(t.array.text()) + " is not indexed by it",
            "for the last value alone, write an accumulation over " + variable);
  }
}

}  // namespace lathe::ir
