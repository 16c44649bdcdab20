// SPDX-License-Identifier: Apache-2.0
#include "lower/conditions.h"

#include <algorithm>

#include "base/hash.h"

namespace lathe::lower {
namespace {

using ir::Op;

constexpr std::size_t kMostParts = 64;  // of one condition; the rest stays one test

}  // namespace

Literal literal_of(Expr condition, bool holds) {
  while (condition->op == Op::Not) {
    condition = condition->arg(0);
    holds = !holds;
  }
  return {condition, holds};
}

std::vector<Literal> split(Literal literal) {
  std::vector<Literal> parts;
  std::vector<Literal> stack = {literal_of(literal.test, literal.holds)};
  while (!stack.empty()) {
    const Literal part = stack.back();
    stack.pop_back();
    const Op both = part.holds ? Op::And : Op::Or;
    if (part.test->op != both || parts.size() + stack.size() >= kMostParts) {
      parts.push_back(part);
      continue;
    }
    stack.push_back(literal_of(part.test->arg(1), part.holds));
    stack.push_back(literal_of(part.test->arg(0), part.holds));
  }
  return parts;
}

void put_bounds_first(std::vector<Literal>& literals, FunctionRef<bool(Expr)> must_happen) {
  for (auto from = literals.begin(); from != literals.end();) {
    auto to = from;
    while (to != literals.end() && !must_happen(to->test)) ++to;
    std::stable_partition(from, to, [](const Literal& l) { return is_bounds_test(l.test); });
    from = to == literals.end() ? to : to + 1;
  }
}

std::size_t Contexts::KeyHash::operator()(const Key& k) const {
  return static_cast<std::size_t>(
      Hasher().add(k.parent).add(k.literal.test->hash).add(k.literal.holds ? 1u : 0u).finish());
}

Contexts::Contexts() { entries_.emplace_back(); }

Context Contexts::enter(Context c, Literal literal) {
  const auto [at, is_new] =
      children_.try_emplace(Key{c, literal}, static_cast<Context>(entries_.size()));
  if (!is_new) return at->second;
  Entry entry;
  entry.literal = literal;
  entry.parent = c;
  entry.depth = entries_[c].depth + 1;
  // Two jumps of one length become one of twice the length (a skew binary number).
  const Context jump = entries_[c].jump;
  const bool twice = entries_[c].depth - entries_[jump].depth ==
                     entries_[jump].depth - entries_[entries_[jump].jump].depth;
  entry.jump = twice ? entries_[jump].jump : c;
  entry.parts = split(literal);
  if (entry.parts.size() > 1) entry.parts.push_back(literal);
  for (const Literal& part : entry.parts)
    for (LinearFact& fact : facts_of(part.test, part.holds)) entry.facts.push_back(std::move(fact));
  entries_.push_back(std::move(entry));
  return at->second;
}

Context Contexts::ancestor(Context c, std::uint32_t depth) const {
  while (entries_[c].depth > depth) {
    const Context jump = entries_[c].jump;
    c = entries_[jump].depth >= depth ? jump : entries_[c].parent;
  }
  return c;
}

Context Contexts::common(Context a, Context b) const {
  if (a == b) return a;
  a = ancestor(a, depth(b));
  b = ancestor(b, depth(a));
  while (a != b) {  // of one depth: their jumps are equally long
    const bool far = entries_[a].jump != entries_[b].jump;
    a = far ? entries_[a].jump : entries_[a].parent;
    b = far ? entries_[b].jump : entries_[b].parent;
  }
  return a;
}

Context Contexts::opposite(Context c) const {
  if (c == kAlways) return kNone;
  const Literal literal = entries_[c].literal;
  const auto found = children_.find(Key{entries_[c].parent, {literal.test, !literal.holds}});
  return found == children_.end() ? kNone : found->second;
}

bool Contexts::implied(Context c, const LinearFact& fact) const {
  if (fact.terms.empty()) return fact.constant >= 0;
  for (int steps = 0; c != kAlways && steps < kFarthest; ++steps, c = entries_[c].parent)
    for (const LinearFact& known : entries_[c].facts)
      if (implies(known, fact)) return true;
  return false;
}

Known Contexts::known_part(Context c, Literal literal) const {
  if (is_const(literal.test))
    return literal.test->scalar().as_bool() == literal.holds ? Known::Holds : Known::Fails;
  Context at = c;
  for (int steps = 0; at != kAlways && steps < kFarthest; ++steps, at = entries_[at].parent)
    for (const Literal& part : entries_[at].parts)
      if (part.test == literal.test)
        return part.holds == literal.holds ? Known::Holds : Known::Fails;
  // An inequality is the negation of two facts together.
  bool negated = false;
  std::vector<LinearFact> facts = facts_of(literal.test, literal.holds);
  if (facts.empty()) {
    facts = facts_of(literal.test, !literal.holds);
    negated = true;
  }
  if (facts.empty()) return Known::No;
  bool all = true;
  for (const LinearFact& fact : facts) {
    if (implied(c, negation(fact))) return negated ? Known::Holds : Known::Fails;
    all = all && implied(c, fact);
  }
  if (!all) return Known::No;
  return negated ? Known::Fails : Known::Holds;
}

Known Contexts::known(Context c, Literal literal) const {
  const Known whole = known_part(c, literal);
  if (whole != Known::No || c == kAlways) return whole;
  // A conjunction, or the negation of one.
  bool negated = false;
  std::vector<Literal> parts = split(literal);
  if (parts.size() == 1) {
    parts = split({literal.test, !literal.holds});
    negated = true;
  }
  if (parts.size() == 1) return Known::No;
  bool all = true;
  for (const Literal& part : parts) {
    const Known k = known_part(c, part);
    if (k == Known::Fails) return negated ? Known::Holds : Known::Fails;
    if (k == Known::No && !is_bounds_test(part.test)) return Known::No;
    all = all && k == Known::Holds;
  }
  if (!all) return Known::No;
  return negated ? Known::Fails : Known::Holds;
}

}  // namespace lathe::lower
