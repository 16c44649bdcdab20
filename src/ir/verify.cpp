// SPDX-License-Identifier: Apache-2.0
// The walk over a program: what is in scope at each item, and which checks apply there. Checks only
// report; nothing stops the walk, so one run shows everything that is wrong.

#include "ir/verify.h"

#include <algorithm>

#include "ir/group_rule.h"
#include "ir/rounds.h"
#include "ir/text.h"
#include "ir/traverse.h"
#include "ir/verify_context.h"

namespace lathe::ir {

std::string plural(std::size_t n, std::string_view thing) {
  std::string text = std::to_string(n) + " ";
  if (n == 1) return text + std::string(thing);
  if (thing == "axis") return text + "axes";
  if (thing == "index") return text + "indices";
  return text + std::string(thing) + "s";
}

Verifier::Verifier(const Program& program, Diagnostics& diagnostics)
    : program_(program), diagnostics_(diagnostics), known_(program) {
  for (const Array& a : program.arrays) arrays_.try_emplace(a.name, &a);
  for (const Parameter& p : program.parameters) parameters_.try_emplace(p.name, &p);
}

void Verifier::run() {
  const std::size_t before = diagnostics_.error_count();
  check_declarations();
  for (position_ = 0; position_ < program_.body.size(); ++position_)
    check_any(program_.body[position_], {});
  // Reading before writing is worth saying only about names and shapes that make sense.
  if (diagnostics_.error_count() == before) check_flow();
}

Diagnostic& Verifier::error(Span where, std::string message, std::string help) {
  Diagnostic& d = diagnostics_.error(where, std::move(message));
  d.help = std::move(help);
  return d;
}

Span Verifier::span_of(const Place& place, Expr e) const {
  const Span found = program_.spans ? program_.spans->find(place.label, e) : Span{};
  return found.known() ? found : place.span;
}

const Array* Verifier::array(Symbol name) const {
  const auto found = arrays_.find(name);
  return found == arrays_.end() ? nullptr : found->second;
}

const Parameter* Verifier::parameter(Symbol name) const {
  const auto found = parameters_.find(name);
  return found == parameters_.end() ? nullptr : found->second;
}

void Verifier::check_any(const Item& item, const Scope& scope) {
  if (!diagnostics_.full()) std::visit([&](const auto& n) { check_item(n, scope); }, item.node);
}

void Verifier::check_body(const Body& body, const Scope& scope) {
  for (const Item& item : body) check_any(item, scope);
}

void Verifier::check_item(const Statement& s, Scope scope) {
  const Place place{s.label, s.span};
  check_points(s.domain, scope, place, "statement");
  check_assignment(s, scope, place);
}

void Verifier::check_item(const Group& g, Scope scope) {
  const Place place{g.label, g.span};
  check_points(g.domain, scope, place, "group");
  if (g.domain.ranges.empty())
    error(g.span, "the group " + quoted(g.label.text()) + " has no loop variable");
  if (g.statements.size() < 2 && g.locals.empty())
    error(g.span, "the group " + quoted(g.label.text()) + " has one line and no local",
          "make it a statement");
  std::unordered_set<Symbol> names(scope.variables.begin(), scope.variables.end());
  for (const Local& l : g.locals) {
    if (const std::string why = valid_name(l.name.text()); !why.empty()) error(g.span, why);
    const std::string_view hidden = array(l.name)                  ? "array"
                                    : parameter(l.name)            ? "parameter"
                                    : !names.insert(l.name).second ? "variable or local"
                                                                   : "";
    if (!hidden.empty())
      error(g.span,
            "the local " + quoted(l.name.text()) + " hides the " + std::string(hidden) +
                " of the same name",
            "rename the local");
  }
  const std::size_t before = diagnostics_.error_count();
  scope.group = &g;
  for (const Statement& s : g.statements) {
    const Place line{s.label, s.span};
    if (!s.domain.ranges.empty()) error(s.span, "a line of a group has no ranges of its own");
    if (s.domain.guard) check_condition(s.domain.guard, scope, line, "the guard");
    check_assignment(s, scope, line);
  }
  if (diagnostics_.error_count() != before) return;
  if (const auto refusal = group_refusal(g)) {
    Diagnostic& d =
        error(refusal->first, "the points of this 'for' are not independent: " + refusal->reason,
              refusal->by_guard
                  ? "compute the condition into an array of bools before, and ask that"
                  : "write one 'for' per line, then each sees all of what the one before wrote");
    if (refusal->second.known() && !(refusal->second == refusal->first))
      d.note(refusal->by_guard ? "asked here" : "the other line", refusal->second);
  }
}

void Verifier::check_item(const Branch& b, Scope scope) {
  const Place place{b.label, b.span};
  check_points(b.domain, scope, place, "'if'");
  if (b.domain.ranges.empty())
    error(b.span, "'if' needs points to decide about", "for one scalar condition, use 'when'");
  check_condition(b.condition, scope, place, "the condition of 'if'");
  scope.points = &b.domain;
  scope.variables.clear();
  check_body(b.then_body, scope);
  check_body(b.else_body, scope);
}

void Verifier::check_item(const While& w, Scope scope) {
  const Place place{w.label, w.span};
  const std::size_t before = diagnostics_.error_count();
  check_points(w.domain, scope, place, "'while'");
  if (w.domain.ranges.empty())
    error(w.span, "'while' needs points to decide about",
          "for one scalar condition, use 'repeat ... until'");
  check_condition(w.condition, scope, place, "the condition of 'while'");
  if (diagnostics_.error_count() == before) check_known_points(w, scope);
  scope.points = &w.domain;
  scope.variables.clear();
  scope.in_loop = true;
  check_body(w.body, scope);
}

// Which points are still on is kept in an array, unless each may run its own rounds.
void Verifier::check_known_points(const While& w, const Scope& scope) {
  const Range* unknown = known_.first_unknown(w.domain.ranges, position_);
  if (!unknown || (!scope.points && has_rounds(w))) return;
  error(
      w.span,
      "the range of " + quoted(unknown->variable) +
          " must be a formula of sizes, or of scalars that are computed before and do not change" +
          (scope.points ? ": this 'while' stands inside 'if' or 'while'"
                        : ", unless the points of this 'while' keep apart"),
      "use a range of sizes that holds all its points, and say in the condition which take part");
}

void Verifier::check_item(const Sweep& s, Scope scope) {
  check_counter(s.range, scope, {s.label, s.span}, "a sweep");
  scope.in_loop = true;
  check_body(s.body, scope);
}

void Verifier::check_item(const Repeat& r, Scope scope) {
  const Place place{r.label, r.span};
  check_counter(r.range, scope, place, "'repeat'");
  check_rotation(r, scope, place);
  check_cap(r, place);
  if (r.until && check_scalar(r.until, scope, place, "the condition of 'until'"))
    check_condition(r.until, scope, place, "the condition of 'until'");
  scope.in_loop = true;
  check_body(r.body, scope);
}

void Verifier::check_item(const When& w, Scope scope) {
  const Place place{w.label, w.span};
  if (check_scalar(w.condition, scope, place, "the condition of 'when'"))
    check_condition(w.condition, scope, place, "the condition of 'when'");
  check_body(w.then_body, scope);
  check_body(w.else_body, scope);
}

void Verifier::check_item(const Call& c, Scope scope) {
  if (scope.points)
    error(c.span, "a call works on whole arrays, so it cannot stand inside 'if' or 'while'",
          "call it before, and read its result here");
  check_call(c, {c.label, c.span});
}

bool verify(const Program& program, Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.error_count();
  Verifier(program, diagnostics).run();
  return diagnostics.error_count() == before;
}

void verify_or_die(const Program& program, std::string_view stage) {
  Diagnostics diagnostics(1);
  if (verify(program, diagnostics)) return;
  const Diagnostic& first = diagnostics.all().front();
  throw InternalError("the program is not well formed: " + first.message + "\n" + print(program),
                      std::string(stage));
}

}  // namespace lathe::ir
