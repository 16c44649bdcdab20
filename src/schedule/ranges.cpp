// SPDX-License-Identifier: Apache-2.0
#include "schedule/ranges.h"

#include <algorithm>

#include "ir/domain.h"
#include "ir/index_form.h"
#include "ir/traverse.h"
#include "passes/rebuild.h"

namespace lathe::schedule {

using ir::Op;

namespace {

// Does all that the leaf stores in the array lie at this index of the axis?
bool stores_at(const Leaf& leaf, Symbol array, std::size_t axis, Expr index) {
  for (const ir::Statement* s : leaf.lines)
    for (const ir::Target& t : s->targets)
      if (t.array == array && t.indices[axis] != index) return false;
  return true;
}

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
    }
    if (leaf.guard) roots.push_back(leaf.guard);
    for (const ir::Range& r : leaf.ranges) roots.insert(roots.end(), {r.lo, r.hi});
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
Expr Ranges::minimum(Expr a, Expr b) const {
  if (a == b || never_less(b, a)) return a;
  if (never_less(a, b)) return b;
  return tidy(build_.op(Op::Min, {a, b}));
}
Expr Ranges::maximum(Expr a, Expr b) const {
  if (a == b || never_less(a, b)) return a;
  if (never_less(b, a)) return b;
  return tidy(build_.op(Op::Max, {a, b}));
}

Expr Ranges::set_start(const Node& loop, Expr start) {
  const Expr before = std::exchange(starts_[nest_.variables.at(&loop)], start);
  if (before != start) forget(loop);
  return before;
}

void Ranges::set_value(const Node& loop, Expr value) {
  if (std::exchange(values_[&loop], value) != value) forget(loop);
}

// Regions of storage inside of the loop. All others stay what they are: regions that need each
// other are found anew from another one of them, and then may come out larger or smaller, while
// storage was made and filled by the first answer.
void Ranges::forget(const Node& loop) {
  std::erase_if(regions_, [&](const auto& known) {
    const auto& [array, axis, p] = known.first;
    const std::vector<const Node*>& path = nest_.find_storage(array)->path;
    const auto end = path.begin() + static_cast<std::ptrdiff_t>(std::min(p, path.size()));
    return std::find(path.begin(), end, &loop) != end;
  });
}

// Takes minima and maxima apart: max(0, i+1) is never less than min(i, n).
bool Ranges::never_less(Expr a, Expr b, int nested) const {
  if (a == b) return true;
  if (nested > 0) {
    const auto as_great = [&](Expr x, Expr y) { return never_less(x, y, nested - 1); };
    if (b->op == Op::Max) return as_great(a, b->arg(0)) && as_great(a, b->arg(1));
    if (a->op == Op::Min) return as_great(a->arg(0), b) && as_great(a->arg(1), b);
    if (b->op == Op::Min && (as_great(a, b->arg(0)) || as_great(a, b->arg(1)))) return true;
    if (a->op == Op::Max && (as_great(a->arg(0), b) || as_great(a->arg(1), b))) return true;
  }
  return not_before(a, b);
}

// Goes from a loop's variable to its start, and from there on.
bool Ranges::not_before(Expr a, Expr b) const {
  constexpr int kNested = 6;
  for (int i = 0; i < kNested; ++i) {
    const Expr distance = tidy(build_.sub(a, b));
    if (ir::is_const(distance)) return distance->scalar().as_int() >= 0;
    const Symbol v = ir::shifted_variable(a);
    const auto start = v ? starts_.find(v) : starts_.end();
    if (start == starts_.end() || !start->second) return false;
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
  for (Expr e : {range->lo, range->hi})
    for (Symbol v : ir::free_variables(e))
      if (counted(nest_, leaf, v, p)) return true;
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
  auto& known = in_round_ ? together_in_round_ : together_;  // another round may know more
  const auto [it, fresh] = known.insert({&n, true});
  if (!fresh) return it->second;
  Expr first = nullptr;
  bool same = true;
  for (const Leaf& leaf : nest_.leaves) {
    if (leaf.path.size() <= p || leaf.path[p] != &n) continue;
    if ((leaf.on_demand && leaf.scope > p) || !leaf.range(n.name)) continue;
    try {
      const Expr lo = add(range(leaf, n.name, p).lo, -leaf.shift(n.name));
      same = same && (!first || first == lo);
      first = lo;
    } catch (const Unasked&) {
    }
  }
  return known[&n] = same;
}

// The points that readers of what the leaf writes need, in or out of the program's range; nothing
// for a reduced variable, or one whose index is not plain.
Interval Ranges::needed(const Leaf& leaf, Symbol variable, std::size_t p) {
  Interval hull;
  bool unasked = false;
  for (const ir::Statement* s : leaf.lines)
    for (const ir::Target& t : s->targets) {
      if (!nest_.find_storage(t.array)) continue;
      for (std::size_t a = 0; a < t.indices.size(); ++a) {
        if (ir::shifted_variable(t.indices[a]) != variable) continue;
        Interval need;
        try {
          need = region(t.array, a, p);
        } catch (const Unasked&) {
          unasked = true;
          break;
        }
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
  if (unasked && hull.lo == nullptr) throw Unasked();
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
  const Interval all = this->all(array, axis);
  std::optional<Interval> hull;
  for (std::size_t number : leaves) {
    const Leaf& leaf = nest_.leaves[number];
    std::vector<std::pair<Symbol, Expr>> reads;
    const auto note = [&](Symbol label, const std::vector<Expr>& roots) {
      for (Expr node : ir::post_order(roots))
        if (node->op == Op::Read && node->name == array && counts(label, node))
          reads.push_back({label, node});
    };
    for (const ir::Statement* s : leaf.lines) {
      std::vector<Expr> roots = passes::expressions(*s);
      if (leaf.guard) roots.push_back(leaf.guard);
      note(s->label, roots);
    }
    if (leaf.rounds) note(leaf.rounds->label, {leaf.guard});
    for (const auto& [label, node] : reads) {
      const Expr index = ir::view::Read(node).indices[axis];
      for (Symbol v : ir::free_variables(index))
        if (!leaf.range(v)) return all;
      if (!ir::arrays_read(index).empty()) return all;
      const auto ends = extremes(leaf, index, p);
      if (!ends || !ir::arrays_read(ends->first).empty() || !ir::arrays_read(ends->second).empty())
        return all;
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

Interval Ranges::all(Symbol array, std::size_t axis) const {
  const ir::Axis& declared = nest_.program.find_array(array)->axes[axis];
  return {declared.lo, declared.hi, false};
}

// Regions may need each other in turn: of two arrays, each has a writer that reads the other. What
// is asked of them is the least that fits together, found in rounds: whoever comes back to a region
// that is being found takes that of the round before; in the first round there is none, and nobody
// asks on behalf of that leaf. A round that changes nothing is the answer for all that it met. A
// region that grows from one round to the next takes the whole axis: bounds of tiles would become
// longer and longer expressions.
Interval Ranges::region(Symbol array, std::size_t axis, std::size_t p) {
  constexpr std::size_t kRounds = 24;
  const Part part = {array, axis, p};
  if (const auto it = regions_.find(part); it != regions_.end()) return it->second;
  if (in_round_) return region_in_round(part);

  struct Rounds {
    Ranges& ranges;
    ~Rounds() {
      ranges.in_round_ = false;
      for (auto* parts : {&ranges.finding_, &ranges.grown_}) parts->clear();
      for (auto* regions : {&ranges.before_, &ranges.round_}) regions->clear();
    }
  } rounds{*this};
  in_round_ = true;
  for (std::size_t n = 0;; ++n) {
    cut_ = false;
    round_.clear();
    together_in_round_.clear();
    evaluate(part);
    if (!cut_ || round_ == before_) break;
    for (const auto& [other, interval] : round_) {
      const auto old = before_.find(other);
      const bool grows = old != before_.end() && old->second && old->second != interval;
      if (grows || n >= kRounds) grown_.insert(other);
    }
    before_ = round_;
  }
  for (const auto& [other, interval] : round_) {
    const Expr lo = all(std::get<0>(other), std::get<1>(other)).lo;
    regions_[other] = interval.value_or(Interval{lo, lo, false});
  }
  return regions_.at(part);
}

Interval Ranges::region_in_round(const Part& part) {
  std::optional<Interval> found;
  if (const auto it = round_.find(part); it != round_.end()) {
    found = it->second;
  } else if (finding_.count(part) != 0) {
    cut_ = true;
    if (const auto old = before_.find(part); old != before_.end()) found = old->second;
  } else {
    found = evaluate(part);
  }
  if (found) return *found;
  ++unasked_;
  throw Unasked();
}

std::optional<Interval> Ranges::evaluate(const Part& part) {
  const auto& [array, axis, p] = part;
  const Interval all = this->all(array, axis);
  if (grown_.count(part) != 0) return round_[part] = all;
  ++evaluated_;
  finding_.insert(part);
  std::optional<Interval> hull;
  std::vector<Symbol> seen;
  const std::size_t unasked = unasked_;
  widen_together(hull, array, axis, p, 0, seen);
  finding_.erase(part);
  if (!hull && unasked != unasked_) return round_[part] = std::nullopt;
  Interval result = hull.value_or(Interval{all.lo, all.lo, false});
  // What depends on data may not be known yet where the storage is made.
  if (!ir::arrays_read(result.lo).empty() || !ir::arrays_read(result.hi).empty()) result = all;
  if (!result.point) result = {maximum(all.lo, result.lo), minimum(all.hi, result.hi), false};
  return round_[part] = result;
}

std::optional<Interval> Ranges::asked(Symbol array, std::size_t axis, std::size_t p) {
  std::optional<Interval> hull;
  for (const User& user : users_[array]) {
    try {
      widen_for(hull, user, array, axis, p);
    } catch (const Unasked&) {  // that leaf needs nothing so far
    }
  }
  return hull;
}

void Ranges::widen_for(std::optional<Interval>& hull, const User& user, Symbol array,
                       std::size_t axis, std::size_t p) {
  const Interval all = this->all(array, axis);
  const auto widen = [&](const Interval& i) { this->widen(hull, i); };
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
    if (const Symbol v = writes ? ir::shifted_variable(index) : Symbol()) {
      // Its own earlier values: of a sweep, or of the same point.
      if (leaf.is_sweep(v)) {
        const Interval r = program_range(leaf, v, p);
        const auto ends = extremes(leaf, index, p);
        widen(r);
        if (ends) widen({ends->first, add(ends->second, 1), ends->first == ends->second});
        continue;
      }
      if (stores_at(leaf, array, axis, index)) continue;
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

}  // namespace lathe::schedule
