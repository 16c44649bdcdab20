// SPDX-License-Identifier: Apache-2.0
#include "passes/settled.h"

#include <algorithm>
#include <set>

#include "passes/shift_classes.h"

namespace lathe::passes {

using ir::Op;

namespace {

// t[i, j] = ..., each index another variable.
bool covers(const ir::Statement& s) {
  std::set<Symbol> seen;
  for (Expr e : s.targets[0].indices)
    if (e->op != Op::Index || !seen.insert(e->name).second) return false;
  return seen.size() == s.domain.ranges.size();
}

bool within(Expr lo, Expr hi, Expr least, Expr end) {
  const auto below = difference(lo, least), above = difference(end, hi);
  return below && above && *below >= 0 && *above >= 0;
}

}  // namespace

Settled::Settled(const ir::Program& program) : program_(program), graph_(*program.graph) {
  for (std::size_t i = 0; i < program.body.size(); ++i)
    for (Symbol a : touched(program.body[i]).writes) {
      setters_[a].items.push_back(i);
      setters_[a].statement = std::get_if<ir::Statement>(&program.body[i].node);
    }
}

const ir::Statement* Settled::only_setter(Symbol array) const {
  const ir::Array* a = program_.find_array(array);
  const auto it = setters_.find(array);
  if (!a || a->role != ir::Role::Temp || it == setters_.end() || it->second.items.size() != 1)
    return nullptr;
  const ir::Statement* s = it->second.statement;
  const bool plain = s && !s->accumulate && s->targets.size() == 1 && !s->domain.guard;
  return plain && covers(*s) ? s : nullptr;
}

bool Settled::is_unchanged(Symbol array, std::size_t first, std::size_t last) const {
  const auto it = setters_.find(array);
  if (it == setters_.end()) return true;
  return std::none_of(it->second.items.begin(), it->second.items.end(),
                      [&](std::size_t item) { return item >= first && item < last; });
}

Expr Settled::source(Expr read, std::size_t* since) const {
  if (read->policy != ir::Policy::Error) return read;  // the copy's bounds decide what it finds
  for (Expr e = read;;) {
    const ir::Statement* copy = only_setter(e->name);
    if (!copy) return e;
    const std::size_t item = setters_.at(e->name).items[0];
    const Expr from = copy->values[0];
    if (from->op != Op::Read || from->policy != ir::Policy::Error || from->name == e->name)
      return e;
    // A temporary that is set later is not what the copy holds.
    if (const auto it = setters_.find(from->name);
        only_setter(from->name) && it->second.items[0] > item)
      return e;
    std::map<Symbol, Expr> indices;
    for (std::size_t x = 0; x < e->arg_count; ++x)
      indices[copy->targets[0].indices[x]->name] = e->arg(x);
    std::vector<Expr> moved;
    for (Expr index : from->args()) {
      const Sum sum = as_sum(index);
      const auto it = sum.base ? indices.find(sum.base->name) : indices.end();
      if (!sum.base || sum.base->op != Op::Index || it == indices.end()) return e;
      const Sum outer = as_sum(it->second);
      moved.push_back(from_sum(graph_, outer.base, outer.number + sum.number));
    }
    if (since) *since = std::min(*since, item);
    e = graph_.read(from->name, from->dtype, moved);
  }
}

bool Settled::holds(Expr read, const std::vector<ir::Range>& points, std::size_t before) const {
  const ir::Array* a = program_.find_array(read->name);
  if (!a || a->role == ir::Role::Output) return false;
  const ir::Statement* s = only_setter(read->name);
  if (a->role == ir::Role::Temp && (!s || setters_.at(read->name).items[0] >= before)) return false;
  for (std::size_t x = 0; x < read->arg_count; ++x) {
    const Sum index = as_sum(read->arg(x));
    Expr lo = read->arg(x), hi = from_sum(graph_, index.base, index.number + 1);
    if (index.base && index.base->op == Op::Index) {
      const auto r = std::find_if(points.begin(), points.end(), [&](const ir::Range& h) {
        return h.variable == index.base->name;
      });
      if (r == points.end()) return false;
      const Sum low = as_sum(r->lo), high = as_sum(r->hi);
      lo = from_sum(graph_, low.base, low.number + index.number);
      hi = from_sum(graph_, high.base, high.number + index.number);
    }
    if (!within(lo, hi, a->axes[x].lo, a->axes[x].hi)) return false;
    if (!s) continue;
    const auto& ranges = s->domain.ranges;
    const auto r = std::find_if(ranges.begin(), ranges.end(), [&](const ir::Range& w) {
      return w.variable == s->targets[0].indices[x]->name;
    });
    if (!within(lo, hi, r->lo, r->hi)) return false;
  }
  return true;
}

}  // namespace lathe::passes
