// SPDX-License-Identifier: Apache-2.0
#include "ir/rounds.h"

#include "ir/group_rule.h"

namespace lathe::ir {
std::optional<Rounds> as_rounds(const Item& item) {
  const auto* w = std::get_if<While>(&item.node);
  if (!w || w->body.size() != 1 || w->domain.ranges.empty()) return std::nullopt;
  Rounds r;
  r.loop = w;
  Group lines;
  if (const auto* g = std::get_if<Group>(&w->body[0].node)) {
    if (g->domain.guard || g->domain.ranges != w->domain.ranges) return std::nullopt;
    r.group = g;
    for (const Statement& s : g->statements) r.lines.push_back(&s);
    lines = *g;
  } else if (const auto* s = std::get_if<Statement>(&w->body[0].node)) {
    if (s->domain.ranges != w->domain.ranges) return std::nullopt;
    r.lines.push_back(s);
    lines.domain.ranges = w->domain.ranges;
    lines.statements = {*s};
  } else {
    return std::nullopt;
  }
  for (const Statement* s : r.lines)
    if (s->accumulate) return std::nullopt;
  // The condition as one more line, which writes nothing that anybody else has.
  Statement test;
  test.domain.guard = w->domain.guard;
  test.values = {w->condition};
  lines.statements.push_back(test);
  if (group_refusal(lines)) return std::nullopt;
  return r;
}

std::optional<Group> lines_of(const While& w) {
  if (w.body.size() == 1)
    if (const auto* g = std::get_if<Group>(&w.body[0].node)) {
      if (g->domain.guard || g->domain.ranges != w.domain.ranges) return std::nullopt;
      return *g;
    }
  Group g;
  for (const Item& item : w.body) {
    const auto* s = std::get_if<Statement>(&item.node);
    if (!s || s->domain.ranges != w.domain.ranges) return std::nullopt;
    g.statements.push_back(*s);
    g.statements.back().domain.ranges.clear();
  }
  g.domain.ranges = w.domain.ranges;
  g.span = w.span;
  return g;
}

bool has_rounds(const While& w) {
  std::optional<Group> lines = lines_of(w);
  if (!lines) return false;
  While own = w;
  own.body.clear();
  own.body.push_back({std::move(*lines)});
  return as_rounds({std::move(own)}).has_value();
}

}  // namespace lathe::ir
