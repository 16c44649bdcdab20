// SPDX-License-Identifier: Apache-2.0
// Statements. A version is indexed by elements, a statement by points; where each index of the
// target is a variable plus something constant, the variables are renamed so that both are one:
//
//   for i in 0..n: t[i+1, 0] = f(i)    t.0 = inst on (i, c), i in 1..n+1, c in 0..1, of f(i-1)
//
// Elements that no point writes keep what they held: `over`.

#include <algorithm>

#include "ir/accumulation_order.h"
#include "ir/domain.h"
#include "ir/traverse.h"
#include "ir/typing.h"
#include "schedule/value_builder.h"

namespace lathe::schedule {

using ir::Op;

namespace {

constexpr const char* kNoForm = "an index that is more than a variable plus a constant";

// Does a round trip through the accumulator's dtype keep every element?
bool keeps(ir::DType element, ir::DType accumulator) {
  return element == accumulator ||
         (ir::promote(element, accumulator) == accumulator &&
          ir::is_float(element) == ir::is_float(accumulator) && element != ir::DType::Bool);
}

bool mentions_any(ir::Expr e, const std::vector<ir::Range>& ranges) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const ir::Range& r) { return ir::mentions(e, r.variable); });
}

// The range whose variable the index is, plus something (`rest`; null: nothing) free of all of them
// and of reads.
const ir::Range* shifted(ir::Expr index, const std::vector<ir::Range>& ranges,
                         const ir::Build& build, ir::Expr* rest) {
  const auto range_of = [&](ir::Expr e) -> const ir::Range* {
    for (const ir::Range& r : ranges)
      if (e->op == Op::Index && r.variable == e->name) return &r;
    return nullptr;
  };
  const auto constant = [&](ir::Expr e) {
    return !mentions_any(e, ranges) && ir::reads(e).empty();
  };
  *rest = nullptr;
  if (const ir::Range* r = range_of(index)) return r;
  if (index->op != Op::Add && index->op != Op::Sub) return nullptr;
  const auto [left, right] = ir::view::Binary(index);
  if (const ir::Range* r = range_of(left); r && constant(right)) {
    *rest = index->op == Op::Add ? right : build.neg(right);
    return r;
  }
  if (const ir::Range* r = range_of(right); r && index->op == Op::Add && constant(left)) {
    *rest = left;
    return r;
  }
  return nullptr;
}

}  // namespace

std::vector<ir::Expr> ValueBuilder::target_indices(const ir::Target& t) const {
  std::vector<Expr> indices = t.indices;
  for (const ir::Array& l : locals_)
    if (l.name == t.array)
      for (const ir::Axis& x : l.axes) indices.push_back(program_.graph->index(x.name));
  return indices;
}

bool ValueBuilder::covers(const Placement& p, const ir::Array& array) const {
  if (p.guard != nullptr || p.domain.size() != array.axes.size()) return false;
  for (std::size_t a = 0; a < p.axes.size(); ++a)
    if (!(ir::to_bound(p.axes[a].lo) == ir::to_bound(array.axes[a].lo)) ||
        !(ir::to_bound(p.axes[a].hi) == ir::to_bound(array.axes[a].hi)))
      return false;
  return true;
}

// The variables that an accumulation's target does not have go to p.reduced.
void ValueBuilder::split_reduced(const ir::Target& t, Ranges& ranges, Placement& p) const {
  const ir::Target target{t.array, target_indices(t)};
  const auto reduced = ir::reduced_variables(std::span(&target, 1), ranges);
  if (!reduced) {
    p.opaque = "a scatter";
    return;
  }
  const auto is_reduced = [&](const ir::Range& r) {
    return std::find(reduced->begin(), reduced->end(), r.variable) != reduced->end();
  };
  std::copy_if(ranges.begin(), ranges.end(), std::back_inserter(p.reduced), is_reduced);
  std::erase_if(ranges, is_reduced);
  for (const ir::Range& r : ranges)
    if (mentions_any(r.lo, p.reduced) || mentions_any(r.hi, p.reduced))
      p.opaque = "a range that depends on a reduced variable";
}

// Bounds may be simplified on the way; values are the program's own, operation by operation.
void ValueBuilder::rename(const ir::Statement& s, Expr guard, const ir::Renaming& renaming,
                          Placement& p) {
  const auto renamed = [&](ir::Maker& maker, Expr e) {
    return e == nullptr || renaming.empty() ? e : ir::rename(maker, e, renaming);
  };
  for (ir::Range& r : p.domain)
    r = {r.variable, renamed(simplifier_, r.lo), renamed(simplifier_, r.hi)};
  for (ir::Range& r : p.reduced) r = {r.variable, renamed(raw_, r.lo), renamed(raw_, r.hi)};
  p.guard = renamed(raw_, guard);
  for (Expr v : s.values) p.values.push_back(renamed(raw_, v));
}

// An axis that no variable runs along has one index, under a name that nothing else has.
void ValueBuilder::name_axes(const ir::Array& array, const std::vector<Expr>& indices,
                             const std::vector<Symbol>& names, const ir::Renaming& renaming,
                             const Ranges& ranges, Placement& p) {
  const ir::Build build(simplifier_);
  std::vector<Dim> taken = joined(dims_of(p.domain), dims_of(p.reduced));
  std::vector<Expr> roots = p.values;
  if (p.guard) roots.push_back(p.guard);
  for (Expr e : ir::post_order(roots)) {
    if (e->op == Op::Index) taken.push_back({e->name, nullptr, nullptr, false});
    if (e->op == Op::Reduce)
      for (const Symbol v : e->reduce().variables) taken.push_back({v, nullptr, nullptr, false});
  }
  for (std::size_t a = 0; a < indices.size(); ++a) {
    if (names[a]) {
      const auto r = std::find_if(p.domain.begin(), p.domain.end(),
                                  [&](const ir::Range& x) { return x.variable == names[a]; });
      p.axes.push_back({names[a], r->lo, r->hi, false});
      continue;
    }
    // A diagonal is one index that follows from another; anything else is a scatter.
    Expr rest = nullptr;
    if (!ir::reads(indices[a]).empty() ||
        (mentions_any(indices[a], ranges) && !shifted(indices[a], ranges, build, &rest))) {
      p.opaque = kNoForm;
      return;
    }
    const Expr index = ir::rename(simplifier_, indices[a], renaming);
    const Symbol name = free_name(array.axes[a].name, joined(taken, p.axes));
    p.axes.push_back({name, index, build.add(index, build.integer(1)), false});
    p.domain.push_back({name, p.axes.back().lo, p.axes.back().hi});
    taken.push_back(p.axes.back());
  }
}

ValueBuilder::Placement ValueBuilder::place(const ir::Statement& s, const ir::Target& t,
                                            Ranges ranges, Expr guard) {
  Placement p;
  const ir::Array& array = array_of(t.array);
  p.loops = loops_;
  if (const auto expansion = expansions_.find(t.array); expansion != expansions_.end()) {
    const Dim& k = expansion->second.loop;
    p.loops.pop_back();
    ranges.insert(ranges.begin(), {k.name, k.lo, k.hi});
  }
  if (s.accumulate) split_reduced(t, ranges, p);
  if (!p.opaque.empty()) return p;
  // Which variable is which axis, and by how much is it shifted?
  const std::vector<Expr> indices = target_indices(t);
  const ir::Build build(simplifier_);
  ir::Renaming renaming;
  std::vector<Symbol> names(indices.size());
  std::map<Symbol, Expr> shifts;
  for (std::size_t a = 0; a < indices.size(); ++a) {
    Expr rest = nullptr;
    const ir::Range* r = shifted(indices[a], ranges, build, &rest);
    if (r == nullptr || std::find(names.begin(), names.end(), r->variable) != names.end()) continue;
    names[a] = r->variable;
    if (rest == nullptr) continue;
    shifts[r->variable] = rest;
    renaming.emplace_back(r->variable, build.sub(program_.graph->index(r->variable), rest));
  }
  for (const ir::Range& r : ranges)
    if (std::find(names.begin(), names.end(), r.variable) == names.end()) p.opaque = kNoForm;
  if (!p.opaque.empty()) return p;
  p.domain = ranges;
  rename(s, guard, renaming, p);
  for (ir::Range& r : p.domain)
    if (const auto shift = shifts.find(r.variable); shift != shifts.end())
      r = {r.variable, build.add(r.lo, shift->second), build.add(r.hi, shift->second)};
  name_axes(array, indices, names, renaming, ranges, p);
  p.covers = p.opaque.empty() && covers(p, array);
  return p;
}

std::string ValueBuilder::version_name(Symbol array, Symbol writer) {
  if (const analysis::ArrayVersions* a = versions_.find(array))
    for (const analysis::Version& v : a->versions)
      if (v.writer == writer) return v.name;
  return group_ + "." + std::string(array.text());  // a local
}

Value ValueBuilder::statement_value(const ir::Statement& s, const ir::Target& t,
                                    const Placement& p) {
  Value v;
  v.name = version_name(t.array, s.label);
  v.dtype = array_of(t.array).dtype;
  v.dims = joined(p.loops, p.axes);
  v.loops = p.loops.size();
  v.array = t.array;
  v.version = true;
  v.span = s.span;
  return v;
}

void ValueBuilder::statement(const ir::Statement& s, const Ranges& ranges, Expr guard) {
  if (s.accumulate && s.accumulate->combiner) {
    const std::map<Symbol, ValueId> before = state_;
    std::map<Symbol, ValueId> after = state_;
    for (const ir::Target& t : s.targets) {
      state_ = before;
      opaque_statement(s, s.label, "a tuple accumulation", t);
      after[t.array] = state_[t.array];
    }
    state_ = std::move(after);
    return;
  }
  const ir::Target& t = s.targets[0];
  const Placement p = place(s, t, ranges, guard);
  if (!p.opaque.empty()) return opaque_statement(s, s.label, p.opaque, t);
  if (s.accumulate) {
    const ir::Accumulation& how = *s.accumulate;
    if (!how.fresh && !keeps(array_of(t.array).dtype, how.dtype))
      return opaque_statement(s, s.label, "an accumulator narrower than its array", t);
    return accumulation(s, t, p);
  }
  plain(s, t, p);
}

void ValueBuilder::plain(const ir::Statement& s, const ir::Target& t, const Placement& p) {
  Value v = statement_value(s, t, p);
  auto table = std::make_shared<ReadTable>();
  const auto use = [&](Expr e) { prepare(e, v.dims, v.loops, v.name, s.span, *table); };
  for (const ir::Range& r : p.domain) {
    use(r.lo);
    use(r.hi);
  }
  use(p.guard);
  use(p.values[0]);
  Inst inst;
  inst.label = s.label;
  inst.value = build_.cast(v.dtype, p.values[0]);
  inst.domain = p.domain;
  inst.guard = p.guard;
  if (!p.covers && state_.contains(t.array))
    inst.over = widened(aligned(state_[t.array], p.axes), v.dims);
  v.def = std::move(inst);
  v.reads = std::move(table);
  state_[t.array] = add(std::move(v));
}

void ValueBuilder::accumulation(const ir::Statement& s, const ir::Target& t, const Placement& p) {
  const ir::Accumulation& how = *s.accumulate;
  Value v = statement_value(s, t, p);
  const Op joining = how.op == Op::Fma ? Op::Add : how.op;
  const ir::Scalar neutral = ir::neutral(joining, how.dtype).value_or(ir::Scalar{how.dtype, 0});
  auto table = std::make_shared<ReadTable>();
  const auto use = [&](ValueId id) {
    const Expr e = leaf(id);
    (*table)[e] = id;
    return e;
  };
  // The old content, over the elements of the whole array.
  const ValueId old =
      how.fresh ? constant(v.name + ".init", neutral.cast(v.dtype), v.dims, v.loops, t.array)
                : widened(aligned(content(t.array), p.axes), v.dims);
  Inst inst;
  Fold f;
  f.name = v.name;
  f.label = s.label;
  f.dims = v.dims;
  f.loops = v.loops;
  f.along = p.reduced;
  f.guard = p.guard;
  f.values = p.values;
  f.op = how.op;
  f.order = how.order;
  f.dtype = how.dtype;
  f.span = s.span;
  if (p.reduced.empty()) {
    for (Expr e : p.values) prepare(e, v.dims, v.loops, v.name, s.span, *table);
    prepare(p.guard, v.dims, v.loops, v.name, s.span, *table);
    inst.value = combine(how.op, build_.cast(how.dtype, use(old)), point_values(f));
    inst.guard = p.guard;
  } else {
    const bool direct = v.dtype == how.dtype && p.domain.size() == p.axes.size() && [&] {
      Placement unguarded = p;
      unguarded.guard = nullptr;
      return covers(unguarded, array_of(t.array));
    }();
    f.init = old;
    if (v.dtype != how.dtype) {
      Value cast;
      cast.name = v.name + ".wide";
      cast.dtype = how.dtype;
      cast.dims = v.dims;
      cast.loops = v.loops;
      auto own = std::make_shared<ReadTable>();
      const Expr e = leaf(old);
      (*own)[e] = old;
      Inst def;
      def.label = s.label;
      def.value = build_.cast(how.dtype, e);
      cast.def = std::move(def);
      cast.reads = std::move(own);
      f.init = add(std::move(cast));
    }
    if (!direct) f.name = v.name + ".total";
    const ValueId total = fold(f);
    if (direct) {
      out_.values[total].array = t.array;
      out_.values[total].version = true;
      state_[t.array] = total;
      return;
    }
    inst.value = use(total);
  }
  inst.value = build_.cast(v.dtype, inst.value);
  inst.label = s.label;
  for (const ir::Range& r : p.domain) {
    prepare(r.lo, v.dims, v.loops, v.name, s.span, *table);
    prepare(r.hi, v.dims, v.loops, v.name, s.span, *table);
  }
  inst.domain = p.domain;
  if (!p.covers) inst.over = old;
  v.def = std::move(inst);
  v.reads = std::move(table);
  state_[t.array] = add(std::move(v));
}

}  // namespace lathe::schedule
