// SPDX-License-Identifier: Apache-2.0
#include "schedule/ranges.h"

#include <algorithm>
#include <set>

#include "ir/domain.h"
#include "ir/index_form.h"
#include "ir/traverse.h"
#include "passes/rebuild.h"

namespace lathe::schedule {

using ir::Op;

namespace {

// The repeat around a leaf, from `from` of its path on, that counts by `v`.
const ir::Range* counted(const Nest& nest, const Leaf& leaf, Symbol v, std::size_t from) {
  for (std::size_t q = from; q < leaf.path.size(); ++q) {
    if (leaf.path[q]->kind != NodeKind::Repeat) continue;
    const ir::Range& r = std::get<ir::Repeat>(nest.items.at(leaf.path[q]->name)->node).range;
    if (r.variable == v) return &r;
  }
  return nullptr;
}

}  // namespace

Ranges::Ranges(const Nest& nest, ir::Maker& maker) : nest_(nest), maker_(maker), build_(maker) {
  for (const Leaf& leaf : nest.leaves) {
    std::map<Symbol, std::vector<Expr>> touched;
    std::vector<Expr> roots;
    for (const ir::Statement* s : leaf.lines) {
      for (Expr e : s->values) roots.push_back(e);
      if (s->domain.guard) roots.push_back(s->domain.guard);
      for (const ir::Target& t : s->targets) {
        roots.insert(roots.end(), t.indices.begin(), t.indices.end());
        touched[t.array];
      }
      for (const ir::Range& r : s->domain.ranges)
        for (Expr bound : {r.lo, r.hi})
          for (Expr e : ir::reads(bound)) touched[e->name];  // before the points: of none of them
    }
    if (leaf.guard) roots.push_back(leaf.guard);
    for (Expr e : ir::post_order(roots))
      if (e->op == Op::Read) touched[e->name].push_back(e);
    for (auto& [array, reads] : touched) users_[array].push_back({&leaf, std::move(reads)});
  }
}

Expr Ranges::tidy(Expr e) const {
  const auto [known, fresh] = tidied_.try_emplace(e, e);
  if (!fresh) return known->second;
  const auto affine = ir::to_pw_aff(e);
  const Expr back = affine ? ir::to_expr(nest_.program, *affine) : nullptr;
  return back ? known->second = back : e;
}
Expr Ranges::add(Expr e, std::int64_t k) const {
  return k == 0 ? e : tidy(build_.add(e, build_.integer(k)));
}
Expr Ranges::minimum(Expr a, Expr b) const { return a == b ? a : tidy(build_.op(Op::Min, {a, b})); }
Expr Ranges::maximum(Expr a, Expr b) const {
  if (a == b || never_less(a, b)) return a;
  if (never_less(b, a)) return b;
  return tidy(build_.op(Op::Max, {a, b}));
}

void Ranges::set_start(const Node& loop, Expr start) {
  if (std::exchange(starts_[nest_.variables.at(&loop)], start) == start) return;
  regions_.clear();
  in_cycles_.clear();
}

// Goes from a loop's variable to its start, and from there on.
bool Ranges::never_less(Expr a, Expr b) const {
  constexpr int kNested = 6;
  for (int i = 0; i < kNested; ++i) {
    const Expr distance = tidy(build_.sub(a, b));
    if (ir::is_const(distance)) return distance->scalar().as_int() >= 0;
    const Symbol v = ir::shifted_variable(a);
    const auto start = v ? starts_.find(v) : starts_.end();
    if (start == starts_.end()) return false;
    a = tidy(ir::rename(maker_, a, {{v, start->second}}));
  }
  return false;
}

Expr Ranges::value(const Node& loop) const {
  const auto it = values_.find(&loop);
  return it != values_.end() ? it->second : nest_.program.graph->index(nest_.variables.at(&loop));
}

Expr Ranges::fixed(const Leaf& leaf, Symbol variable, std::size_t p) {
  if (!leaf.range(variable)) return nullptr;  // of a reduction, or a counter
  // Iterations of a sweep happen once, in their order, also for what is computed on demand.
  const std::size_t from = leaf.on_demand && !leaf.is_sweep(variable) ? leaf.scope : 0;
  for (std::size_t q = from; q < p && q < leaf.path.size(); ++q) {
    const Node& n = *leaf.path[q];
    if (is_point_loop(n) && n.name == variable) return add(value(n), leaf.shift(variable));
  }
  // Everybody who reads it needs this one point.
  if (leaf.on_demand && p >= leaf.scope && !leaf.is_sweep(variable) &&
      std::none_of(leaf.path.begin() + static_cast<std::ptrdiff_t>(leaf.scope), leaf.path.end(),
                   [&](const Node* n) { return n->is_loop() && n->name == variable; })) {
    const Interval need = needed(leaf, variable, leaf.scope);
    if (need.lo && need.point) return need.lo;
  }
  return nullptr;
}

Expr Ranges::place(const Leaf& leaf, Expr e, std::size_t p) {
  ir::Renaming renaming;
  for (const ir::Range& r : leaf.ranges)
    if (const Expr v = fixed(leaf, r.variable, p))
      if (v->op != Op::Index || v->name != r.variable) renaming.push_back({r.variable, v});
  return renaming.empty() ? e : ir::rename(maker_, e, renaming);
}

bool Ranges::depends_on_inner(const Leaf& leaf, Symbol variable, std::size_t p) {
  const ir::Range* range = leaf.range(variable);
  for (const ir::Range& r : leaf.ranges)
    if (!fixed(leaf, r.variable, p) &&
        (ir::mentions(range->lo, r.variable) || ir::mentions(range->hi, r.variable)))
      return true;
  return false;
}

std::optional<std::pair<Expr, Expr>> Ranges::extremes(const Leaf& leaf, Expr e, std::size_t p) {
  switch (e->op) {
    case Op::Const:
    case Op::Param: return std::pair(e, e);
    case Op::Index: {
      if (leaf.range(e->name)) {
        const Interval r = range(leaf, e->name, p);
        return std::pair(r.lo, r.point ? r.lo : add(r.hi, -1));
      }
      // The counter of a repeat: outside it stands still, inside it runs.
      const ir::Range* running = counted(nest_, leaf, e->name, p);
      if (!running) return std::pair(e, e);
      const auto first = extremes(leaf, running->lo, p), end = extremes(leaf, running->hi, p);
      if (!first || !end) return std::nullopt;
      return std::pair(first->first, add(end->second, -1));
    }
    case Op::Add:
    case Op::Sub:
    case Op::Min:
    case Op::Max: {
      const auto a = extremes(leaf, e->arg(0), p), b = extremes(leaf, e->arg(1), p);
      if (!a || !b || e->dtype != ir::DType::I64) return std::nullopt;
      const bool minus = e->op == Op::Sub;
      return std::pair(tidy(build_.op(e->op, {a->first, minus ? b->second : b->first})),
                       tidy(build_.op(e->op, {a->second, minus ? b->first : b->second})));
    }
    case Op::Neg: {
      const auto a = extremes(leaf, e->arg(0), p);
      if (!a || e->dtype != ir::DType::I64) return std::nullopt;
      return std::pair(tidy(build_.neg(a->second)), tidy(build_.neg(a->first)));
    }
    case Op::Mul: {
      const bool left = ir::is_const(e->arg(0));
      if ((!left && !ir::is_const(e->arg(1))) || e->dtype != ir::DType::I64) return std::nullopt;
      const Expr factor = e->arg(left ? 0 : 1);
      auto a = extremes(leaf, e->arg(left ? 1 : 0), p);
      if (!a) return std::nullopt;
      if (factor->scalar().as_int() < 0) std::swap(a->first, a->second);
      return std::pair(tidy(build_.mul(factor, a->first)), tidy(build_.mul(factor, a->second)));
    }
    default: return std::nullopt;
  }
}

// Bounds that use variables which still run give the hull.
Interval Ranges::program_range(const Leaf& leaf, Symbol variable, std::size_t p) {
  const ir::Range* r = leaf.range(variable);
  const Expr lo = place(leaf, r->lo, p), hi = place(leaf, r->hi, p);
  if (!depends_on_inner(leaf, variable, p)) return {tidy(lo), tidy(hi)};
  // A variable can only use those before it, so this ends.
  const auto low = extremes(leaf, r->lo, p), high = extremes(leaf, r->hi, p);
  if (!low || !high)
    throw UserError("the bounds of '" + std::string(variable.text()) + "' in '" +
                        std::string(leaf.label.text()) +
                        "' use a variable whose loop is further inside",
                    leaf.node->span, "put the loop over that variable outside");
  return {low->first, high->second};
}

Interval Ranges::range(const Leaf& leaf, Symbol variable, std::size_t p) {
  p = std::min(p, leaf.path.size());
  Interval base;
  std::size_t from = 0;
  if (leaf.on_demand && !leaf.is_sweep(variable)) {
    from = std::min(p, leaf.scope);
    base = demanded(leaf, variable, from);
    // Bounds that use variables of loops in between: what they are in this iteration.
    if (from < p && !base.point && depends_on_inner(leaf, variable, from)) {
      const Interval own = program_range(leaf, variable, p);
      const bool reduced = needed(leaf, variable, from).lo == nullptr;
      base = reduced ? own : Interval{maximum(own.lo, base.lo), minimum(own.hi, base.hi), false};
    }
  } else {
    base = program_range(leaf, variable, p);
  }
  const std::int64_t shift = leaf.shift(variable);
  Expr before = base.hi;  // without the last tile
  std::int64_t tile = 0;
  for (std::size_t q = from; q < p; ++q) {
    const Node& n = *leaf.path[q];
    if (!n.is_loop() || n.name != variable) continue;
    if (is_point_loop(n)) {
      const Expr v = add(value(n), shift);
      return {v, add(v, 1), true};
    }
    const Expr t = add(value(n), shift);
    const bool together = starts_together(n, q);
    // Tiles that fill a larger one never reach beyond it.
    const bool filling = together && tile > 0 && tile % n.tile == 0;
    if (!filling) before = base.hi;
    tile = together ? n.tile : 0;
    base = {together ? t : maximum(base.lo, t), minimum(before, add(t, n.tile)), false};
  }
  return base;
}

// Do all statements of a loop over tiles begin where the loop does?
bool Ranges::starts_together(const Node& n, std::size_t p) {
  const auto [it, fresh] = together_.insert({&n, true});
  if (!fresh) return it->second;
  Expr first = nullptr;
  bool same = true;
  for (const Leaf& leaf : nest_.leaves) {
    if (leaf.path.size() <= p || leaf.path[p] != &n) continue;
    if ((leaf.on_demand && leaf.scope > p) || !leaf.range(n.name)) continue;
    const Expr lo = add(range(leaf, n.name, p).lo, -leaf.shift(n.name));
    same = same && (!first || first == lo);
    first = lo;
  }
  return together_[&n] = same;
}

// The points that readers of what the leaf writes need, in or out of the program's range; nothing
// for a reduced variable, or one whose index is not plain.
Interval Ranges::needed(const Leaf& leaf, Symbol variable, std::size_t p) {
  Interval hull;
  for (const ir::Statement* s : leaf.lines)
    for (const ir::Target& t : s->targets) {
      if (!nest_.find_storage(t.array)) continue;
      for (std::size_t a = 0; a < t.indices.size(); ++a) {
        if (ir::shifted_variable(t.indices[a]) != variable) continue;
        const Interval need = region(t.array, a, p);
        // index = variable + c
        const Expr c = tidy(build_.sub(t.indices[a], nest_.program.graph->index(variable)));
        const std::int64_t offset = ir::is_const(c) ? c->scalar().as_int() : 0;
        const Interval here = {add(need.lo, -offset), add(need.hi, -offset), need.point};
        hull = hull.lo == nullptr ? here
                                  : Interval{minimum(hull.lo, here.lo), maximum(hull.hi, here.hi),
                                             hull.point && here.point && hull.lo == here.lo};
        break;
      }
    }
  return hull;
}

Interval Ranges::demanded(const Leaf& leaf, Symbol variable, std::size_t p) {
  const Interval hull = needed(leaf, variable, p);
  if (hull.lo && hull.point) return hull;  // guarded at the leaf
  const Interval whole = program_range(leaf, variable, p);
  if (hull.lo == nullptr) return whole;  // reduced, or not a plain index: everything
  return {maximum(whole.lo, hull.lo), minimum(whole.hi, hull.hi), false};
}

Interval Ranges::footprint(const std::vector<std::size_t>& leaves, Symbol array, std::size_t axis,
                           std::size_t p, FunctionRef<bool(Symbol, Expr)> counts) {
  const ir::Array& declared = *nest_.program.find_array(array);
  const Interval all = {declared.axes[axis].lo, declared.axes[axis].hi, false};
  std::optional<Interval> hull;
  for (std::size_t number : leaves) {
    const Leaf& leaf = nest_.leaves[number];
    std::vector<std::pair<Symbol, Expr>> reads;
    for (const ir::Statement* s : leaf.lines) {
      std::vector<Expr> roots = passes::expressions(*s);
      if (leaf.guard) roots.push_back(leaf.guard);
      for (Expr node : ir::post_order(roots))
        if (node->op == Op::Read && node->name == array && counts(s->label, node))
          reads.push_back({s->label, node});
    }
    for (const auto& [label, node] : reads) {
      const Expr index = ir::view::Read(node).indices[axis];
      for (Symbol v : ir::free_variables(index))
        if (!leaf.range(v)) return all;
      if (!ir::arrays_read(index).empty()) return all;
      const auto ends = extremes(leaf, index, p);
      if (!ends) return all;
      const Interval here = {ends->first, add(ends->second, 1), ends->first == ends->second};
      hull = !hull ? here
                   : Interval{minimum(hull->lo, here.lo), maximum(hull->hi, here.hi),
                              hull->point && here.point && hull->lo == here.lo};
    }
  }
  if (!hull) return {all.lo, all.lo, false};
  return *hull;
}

void Ranges::widen(std::optional<Interval>& hull, const Interval& i) const {
  if (!hull) {
    hull = i;
    return;
  }
  hull->point = hull->point && i.point && hull->lo == i.lo;
  hull->lo = minimum(hull->lo, i.lo);
  hull->hi = hull->point ? hull->hi : maximum(hull->hi, i.hi);
}

// Who computes a point of one array computes it of all that it writes.
void Ranges::widen_together(std::optional<Interval>& hull, Symbol array, std::size_t axis,
                            std::size_t p, std::int64_t offset, std::vector<Symbol>& seen) {
  seen.push_back(array);
  if (const auto own = asked(array, axis, p))
    widen(hull, {add(own->lo, offset), add(own->hi, offset), own->point});
  const auto constant = [&](Expr index, Symbol v) -> std::optional<std::int64_t> {
    if (ir::shifted_variable(index) != v) return std::nullopt;
    const Expr c = tidy(build_.sub(index, nest_.program.graph->index(v)));
    return ir::is_const(c) ? std::optional(c->scalar().as_int()) : std::nullopt;
  };
  for (const User& user : users_[array])
    for (const ir::Statement* s : user.leaf->lines)
      for (const ir::Target& t : s->targets) {
        if (t.array != array) continue;
        const Symbol v = ir::shifted_variable(t.indices[axis]);
        const auto here = v ? constant(t.indices[axis], v) : std::nullopt;
        if (!here) continue;
        for (const ir::Statement* other : user.leaf->lines)
          for (const ir::Target& u : other->targets) {
            if (!nest_.find_storage(u.array) ||
                std::find(seen.begin(), seen.end(), u.array) != seen.end())
              continue;
            for (std::size_t b = 0; b < u.indices.size(); ++b)
              if (const auto there = constant(u.indices[b], v)) {
                widen_together(hull, u.array, b, p, offset + *here - *there, seen);
                break;
              }
          }
      }
}

Interval Ranges::region(Symbol array, std::size_t axis, std::size_t p) {
  const auto key = std::tuple(array, axis, p);
  if (const auto it = regions_.find(key); it != regions_.end()) return it->second;
  std::vector<Symbol> asking = asking_;
  std::sort(asking.begin(), asking.end());
  auto inside = std::pair(key, std::move(asking));
  if (const auto it = in_cycles_.find(inside); it != in_cycles_.end()) {
    ++cycles_;
    return it->second;
  }
  const ir::Array& declared = *nest_.program.find_array(array);
  const Interval all = {declared.axes[axis].lo, declared.axes[axis].hi, false};
  std::optional<Interval> hull;
  std::vector<Symbol> seen;
  const std::size_t cycles = cycles_;
  widen_together(hull, array, axis, p, 0, seen);
  Interval result = hull.value_or(Interval{all.lo, all.lo, false});
  // What depends on data may not be known yet where the storage is made.
  if (!ir::arrays_read(result.lo).empty() || !ir::arrays_read(result.hi).empty()) result = all;
  if (!result.point) result = {maximum(all.lo, result.lo), minimum(all.hi, result.hi), false};
  // Inside of a cycle it may be more than what is needed, for those who ask then.
  if (asking_.empty() || cycles == cycles_)
    regions_[key] = result;
  else
    in_cycles_.emplace(std::move(inside), result);
  return result;
}

std::optional<Interval> Ranges::asked(Symbol array, std::size_t axis, std::size_t p) {
  const ir::Array& declared = *nest_.program.find_array(array);
  const Interval all = {declared.axes[axis].lo, declared.axes[axis].hi, false};
  if (std::count(asking_.begin(), asking_.end(), array) > 0) {
    ++cycles_;
    return all;
  }
  asking_.push_back(array);
  std::optional<Interval> hull;
  const auto widen = [&](const Interval& i) { this->widen(hull, i); };
  for (const User& user : users_[array]) {
    const Leaf& leaf = *user.leaf;
    bool writes = false;
    for (const ir::Statement* s : leaf.lines)
      for (const ir::Target& t : s->targets) {
        if (t.array != array) continue;
        writes = true;
        // Nobody may ask for it, but it is written: a sweep runs through all of its range.
        const Symbol v = ir::shifted_variable(t.indices[axis]);
        if (v && !leaf.is_sweep(v)) continue;
        const auto ends = extremes(leaf, t.indices[axis], p);
        if (ends)
          widen({ends->first, add(ends->second, 1), ends->first == ends->second});
        else
          widen(all);
      }
    for (Expr node : user.reads) {
      const ir::view::Read read(node);
      const Expr index = read.indices[axis];
      if (writes && ir::shifted_variable(index)) {
        // Its own earlier values: a sweep over the whole range of the axis, or the same point.
        const Symbol v = ir::shifted_variable(index);
        if (leaf.is_sweep(v)) {
          const Interval r = program_range(leaf, v, p);
          widen(r);
        }
        continue;
      }
      if (read.policy == ir::Policy::Wrap || read.policy == ir::Policy::Mirror || writes) {
        widen(all);
        continue;
      }
      // Variables of reductions around the read run over anything.
      bool known = true;
      for (Symbol v : ir::free_variables(index))
        known &= leaf.range(v) != nullptr || counted(nest_, leaf, v, 0) != nullptr;
      const auto ends = known ? extremes(leaf, index, p) : std::nullopt;
      known = ends.has_value();
      if (!known) {
        widen(all);
      } else if (read.policy == ir::Policy::Clamp) {
        // The nearest element there is.
        widen({minimum(maximum(ends->first, all.lo), add(all.hi, -1)),
               maximum(minimum(add(ends->second, 1), all.hi), add(all.lo, 1)), false});
      } else {
        widen({ends->first, add(ends->second, 1), ends->first == ends->second});
      }
    }
  }
  asking_.pop_back();
  return hull;
}

}  // namespace lathe::schedule
