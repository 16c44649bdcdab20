// SPDX-License-Identifier: Apache-2.0
#include "ir/known_bounds.h"

#include "ir/traverse.h"

namespace lathe::ir {

void collect_writes(const Item& item, std::unordered_set<Symbol>& writes) {
  const auto add = [&](const Statement& s) {
    for (const Target& t : s.targets) writes.insert(t.array);
  };
  if (auto* s = std::get_if<Statement>(&item.node)) add(*s);
  if (auto* s = std::get_if<Scan>(&item.node)) add(s->statement);
  if (auto* g = std::get_if<Group>(&item.node))
    for (const Statement& s : g->statements) add(s);
  if (auto* c = std::get_if<Call>(&item.node)) writes.insert(c->outputs.begin(), c->outputs.end());
  if (auto* r = std::get_if<Repeat>(&item.node)) writes.insert(r->rotate.begin(), r->rotate.end());
  for_each_body(item, [&](const Body& inner) { collect_writes(inner, writes); });
}

void collect_writes(const Body& body, std::unordered_set<Symbol>& writes) {
  for (const Item& item : body) collect_writes(item, writes);
}

KnownBounds::KnownBounds(const Program& program) : program_(program) {
  for (std::size_t at = 0; at < program.body.size(); ++at) {
    std::unordered_set<Symbol> writes;
    collect_writes(program.body[at], writes);
    for (Symbol a : writes) last_write_[a] = at;
  }
}

bool KnownBounds::knows(Expr bound, std::size_t item) const {
  for (Expr n : post_order(bound)) {
    if (n->op == Op::Index || n->op == Op::Reduce || n->op == Op::Inside) return false;
    if (n->op != Op::Read) continue;
    const Array* scalar = program_.find_array(n->name);
    if (!scalar || !scalar->axes.empty() || !is_int(scalar->dtype)) return false;
    const auto written = last_write_.find(n->name);
    if (written != last_write_.end() && written->second >= item) return false;
  }
  return true;
}

const Range* KnownBounds::first_unknown(const std::vector<Range>& ranges, std::size_t item) const {
  for (const Range& r : ranges)
    if (!knows(r.lo, item) || !knows(r.hi, item)) return &r;
  return nullptr;
}

}  // namespace lathe::ir
