// SPDX-License-Identifier: Apache-2.0
// A scan becomes a sweep that carries the running values, one per point.
//
//   for i in 0..n scan j in 0..m: t[i, j] += x[i, j]
// =>
//   for i in 0..n: t.run[i] = 0
//   forward j in 0..m:
//     for i in 0..n: t.run[i] = t.run[i] + x[i, j]
//     for i in 0..n: t[i, j] = t.run[i]              (exclusive: before the line above)
//
// Running values have the accumulator's dtype and are rounded when they are stored. A guard stands
// at both lines. Blocked, there is a second value, that of all blocks before this one; with
// e = j - lo:
//
//   where e > 0 and e % 4096 == 0: t.blocks[i] = select(e == 4096, t.run[i], t.blocks[i] +
//   t.run[i]) where e > 0 and e % 4096 == 0: t.run[i] = 0 t.run[i] = t.run[i] + x[i, j] t[i, j] =
//   select(e >= 4096, t.blocks[i] + t.run[i], t.run[i])
//
// A scan that reads its own target reads a copy from before. Where the bounds of j depend on the
// point, j sweeps from the least to the greatest and each point takes part between its own bounds.
// Points over which no temporary can be declared (bounds that follow other variables, or data) are
// swept too, one by one: points are independent, so their order is free.

#include <algorithm>

#include "ir/group_rule.h"
#include "ir/typing.h"
#include "passes/passes.h"
#include "passes/temporaries.h"

namespace lathe::passes {
namespace {

constexpr std::int64_t kBlock = 4096;

bool in(const std::vector<ir::Range>& ranges, Expr e) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const ir::Range& r) { return ir::mentions(e, r.variable); });
}

class ScanLowering {
 public:
  ScanLowering(Temporaries& make, ir::Scan scan)
      : make_(make), scan_(std::move(scan)), s_(scan_.statement), how_(*s_.accumulate) {
    if (how_.combiner) combiner_ = make_.program.find_combiner(how_.combiner);
    blocked_ = scan_.blocked && !is_short(scan_.range);
  }

  void run(Body& out) {
    read_copies(out);
    split_points();
    const Symbol j = scan_.range.variable;
    if (binds(scan_.range.lo, j) || binds(scan_.range.hi, j)) rename_variable();

    Body inside;
    const ir::Range range = sweep_range(inside);
    running_ = make_values("run", inside);
    if (blocked_) blocks_ = make_values("blocks", inside);
    ir::Sweep sweep = make_sweep(range);
    step(sweep.body);
    inside.push_back({std::move(sweep)});
    for (auto r = swept_.rbegin(); r != swept_.rend(); ++r) {
      ir::Sweep around = make_sweep(*r);
      around.body = std::move(inside);
      inside = {};
      inside.push_back({std::move(around)});
    }
    for (Item& item : inside) out.push_back(std::move(item));
  }

 private:
  static bool is_short(const ir::Range& r) {
    if (!ir::is_const(r.lo) || !ir::is_const(r.hi)) return false;
    const std::int64_t lo = r.lo->scalar().as_int(), hi = r.hi->scalar().as_int();
    return lo >= 0 && hi - lo <= kBlock;
  }

  std::string stem() const { return std::string(s_.label.text()); }

  // --- What the scan reads is from before it.

  void read_copies(Body& out) {
    Temporaries::Names copies;
    for (const ir::Target& t : s_.targets) {
      if (!reads(t.array) || (s_.targets.size() == 1 && reads_own_element_only(t))) continue;
      copies[t.array] = make_.snapshot(t.array, s_.span, out);
    }
    make_.redirect(s_, copies);
    scan_.range.lo = make_.redirect(scan_.range.lo, copies);
    scan_.range.hi = make_.redirect(scan_.range.hi, copies);
  }

  bool reads(Symbol array) const {
    const std::vector<Expr> all = own_expressions({scan_});
    return std::any_of(all.begin(), all.end(), [&](Expr e) { return reads_array(e, array); });
  }

  // Each point its own, before it is stored.
  bool reads_own_element_only(const ir::Target& t) const {
    std::vector<ir::Range> ranges = s_.domain.ranges;
    ranges.push_back(scan_.range);
    if (scan_.exclusive || !ir::determines_point(t, ranges)) return false;
    for (const ir::Range& r : ranges)
      if (reads_array(r.lo, t.array) || reads_array(r.hi, t.array)) return false;
    for (Expr e : t.indices)
      if (reads_array(e, t.array)) return false;
    if (s_.domain.guard && reads_array(s_.domain.guard, t.array)) return false;
    return std::none_of(s_.values.begin(), s_.values.end(),
                        [&](Expr e) { return reads_elsewhere(e, t); });
  }

  // --- Loops.

  // Variables that a temporary cannot have as axes, and those that their bounds need, are swept.
  void split_points() {
    std::set<Symbol> swept;
    const std::vector<ir::Range>& all = s_.domain.ranges;
    for (auto r = all.rbegin(); r != all.rend(); ++r) {
      if (make_.declarable({*r}) && !swept.contains(r->variable)) continue;
      swept.insert(r->variable);
      for (Expr bound : {r->lo, r->hi})
        for (Symbol v : ir::free_variables(bound)) swept.insert(v);
    }
    for (const ir::Range& r : all) (swept.contains(r.variable) ? swept_ : points_).push_back(r);
  }

  // A reduction in the bounds uses the name, and the bounds move to where the name is bound.
  void rename_variable() {
    const Symbol other = make_.graph.fresh_symbol(scan_.range.variable.text());
    const ir::Renaming renaming = {{scan_.range.variable, make_.graph.index(other)}};
    const auto rename = [&](Expr e) { return ir::rename(make_.raw, e, renaming); };
    if (s_.domain.guard) s_.domain.guard = rename(s_.domain.guard);
    for (ir::Target& t : s_.targets)
      for (Expr& e : t.indices) e = rename(e);
    for (Expr& e : s_.values) e = rename(e);
    scan_.range.variable = other;
  }

  // The scan's own range, or the hull of those of all points.
  ir::Range sweep_range(Body& out) {
    ir::Range range = scan_.range;
    const auto hull = [&](Expr bound, ir::Op op, std::string_view suffix) {
      if (!in(points_, bound)) return bound;
      const Symbol extreme = make_.declare(make_.name(stem(), suffix), ir::DType::I64, {}, s_.span);
      ir::Statement find = make_.set(extreme, {points_, nullptr}, {extreme, {}},
                                     make_.build.cast(ir::DType::I64, bound), s_.span);
      find.accumulate = ir::Accumulation{.op = op,
                                         .combiner = {},
                                         .order = ir::Order::Free,
                                         .dtype = ir::DType::I64,
                                         .fresh = true};
      out.push_back({std::move(find)});
      return make_.read(extreme, {});
    };
    range.lo = hull(range.lo, ir::Op::Min, "lo");
    range.hi = hull(range.hi, ir::Op::Max, "hi");
    const Expr x = make_.graph.index(range.variable);
    if (range.lo != scan_.range.lo) present_ = make_.build.le(scan_.range.lo, x);
    if (range.hi != scan_.range.hi)
      present_ = both(make_.raw, present_, make_.build.lt(x, scan_.range.hi));
    return range;
  }

  ir::Sweep make_sweep(const ir::Range& range) {
    ir::Sweep sweep;
    sweep.label = make_.name(stem(), "sweep");
    sweep.range = range;
    sweep.span = s_.span;
    return sweep;
  }

  // --- Values: one array per component.

  std::size_t components() const { return combiner_ ? combiner_->left.size() : 1; }
  ir::DType dtype(std::size_t c) const { return combiner_ ? combiner_->left[c].dtype : how_.dtype; }
  ir::Op joining() const { return how_.op == ir::Op::Fma ? ir::Op::Add : how_.op; }
  Expr neutral(std::size_t c) const {
    if (combiner_) return make_.graph.constant(combiner_->neutral[c]);
    return make_.graph.constant(
        ir::neutral(joining(), how_.dtype).value_or(ir::Scalar::of_int(how_.dtype, 0)));
  }

  // Declared and neutral.
  std::vector<Symbol> make_values(std::string_view suffix, Body& out) {
    std::vector<Symbol> arrays;
    for (std::size_t c = 0; c < components(); ++c) {
      arrays.push_back(make_.declare_over(make_.name(stem(), suffix), dtype(c), points_, s_.span));
      set(arrays.back(), arrays.back(), nullptr, neutral(c), out);
    }
    return arrays;
  }

  Expr value(Symbol array) const { return make_.read(array, points_); }

  void set(Symbol label, Symbol array, Expr guard, Expr e, Body& out) {
    out.push_back({make_.set(label, {points_, guard}, {array, make_.point(points_)}, e, s_.span)});
  }

  // --- One step of the sweep.

  void step(Body& out) {
    if (blocked_) end_block(out);
    const Expr guard = both(make_.raw, present_, s_.domain.guard);
    if (scan_.exclusive) store(guard, out);
    absorb(guard, out);
    if (!scan_.exclusive) store(guard, out);
  }

  Expr number() const {
    const Expr x = make_.graph.index(scan_.range.variable);
    const Expr lo = make_.build.cast(ir::DType::I64, scan_.range.lo);
    return ir::is_const(lo) && lo->scalar().as_int() == 0 ? x : make_.build.sub(x, lo);
  }

  void end_block(Body& out) {
    const ir::Build& b = make_.build;
    const Expr e = number();
    const Expr first = b.eq(e, b.integer(kBlock));
    Expr ends = b.logical_and(b.lt(b.integer(0), e),
                              b.eq(b.op(ir::Op::Mod, {e, b.integer(kBlock)}), b.integer(0)));
    ends = both(make_.raw, present_, ends);
    const auto label = [&](Symbol array) { return make_.graph.fresh_symbol(array.text()); };
    if (combiner_) {
      for (std::size_t c = 0; c < components(); ++c)
        set(label(blocks_[c]), blocks_[c], both(make_.raw, ends, first), value(running_[c]), out);
      std::vector<Expr> values;
      for (Symbol r : running_) values.push_back(value(r));
      combine(blocks_, values, both(make_.raw, ends, b.logical_not(first)), out);
    } else {
      const Expr total = value(running_[0]);
      set(label(blocks_[0]), blocks_[0], ends, b.select(first, total, joined(0)), out);
    }
    for (std::size_t c = 0; c < components(); ++c)
      set(label(running_[c]), running_[c], ends, neutral(c), out);
  }

  // Component c of (all blocks before) (+) (this one).
  Expr joined(std::size_t c) const {
    if (!combiner_) {
      const Expr operands[] = {value(blocks_[0]), value(running_[0])};
      return make_.graph.apply(joining(), how_.dtype, operands);
    }
    return ir::rewrite(make_.raw, combiner_->result[c], [&](Expr e) -> Expr {
      if (e->op != ir::Op::Param) return nullptr;
      for (std::size_t k = 0; k < components(); ++k) {
        if (combiner_->left[k].name == e->name) return value(blocks_[k]);
        if (combiner_->right[k].name == e->name) return value(running_[k]);
      }
      return nullptr;
    });
  }

  // arrays (+)= values, a tuple, at each point by itself.
  void combine(const std::vector<Symbol>& arrays, std::vector<Expr> values, Expr guard, Body& out) {
    ir::Statement s = make_.set(make_.graph.fresh_symbol(arrays[0].text()), {points_, guard},
                                {arrays[0], make_.point(points_)}, values[0], s_.span);
    for (std::size_t c = 1; c < arrays.size(); ++c)
      s.targets.push_back({arrays[c], make_.point(points_)});
    s.values = std::move(values);
    s.accumulate = how_;
    s.accumulate->order = ir::Order::Seq;
    s.accumulate->fresh = false;
    out.push_back({std::move(s)});
  }

  // run = run (+) the point's value.
  void absorb(Expr guard, Body& out) {
    std::vector<Expr> values;
    for (std::size_t v = 0; v < s_.values.size(); ++v)
      values.push_back(make_.build.cast(dtype(combiner_ ? v : 0), s_.values[v]));
    if (combiner_) return combine(running_, values, guard, out);
    const Expr old = value(running_[0]);
    Expr next = nullptr;
    if (how_.op == ir::Op::Fma) {
      if (values.size() == 1) values.push_back(make_.build.constant(how_.dtype, 1));
      Expr product = values[0];
      for (std::size_t v = 1; v + 1 < values.size(); ++v)
        product = make_.build.mul(product, values[v]);
      const Expr operands[] = {product, values.back(), old};
      next = make_.graph.apply(ir::Op::Fma, how_.dtype, operands);
    } else {
      const Expr operands[] = {old, values[0]};
      next = make_.graph.apply(how_.op, how_.dtype, operands);
    }
    set(make_.graph.fresh_symbol(running_[0].text()), running_[0], guard, next, out);
  }

  void store(Expr guard, Body& out) {
    const Expr later = blocked_ ? make_.build.le(make_.build.integer(kBlock), number()) : nullptr;
    for (std::size_t c = 0; c < components(); ++c) {
      const ir::Target& t = s_.targets[c];
      Expr e = value(running_[c]);
      if (blocked_) e = make_.build.select(later, joined(c), e);
      e = make_.build.cast(make_.array(t.array).dtype, e);
      const Symbol label = c == 0 ? s_.label : make_.name(stem(), "store");
      out.push_back({make_.set(label, {points_, guard}, t, e, s_.span)});
    }
  }

  Temporaries& make_;
  ir::Scan scan_;
  ir::Statement& s_;
  const ir::Accumulation how_;
  const ir::Combiner* combiner_ = nullptr;
  bool blocked_ = false;
  std::vector<ir::Range> points_, swept_;
  Expr present_ = nullptr;  // the point's own bounds, where the sweep goes further
  std::vector<Symbol> running_, blocks_;
};

}  // namespace

ir::Program lower_scans(const ir::Program& program) {
  ir::Program out = program;
  Temporaries make(out);
  out.body = map_unmasked(make, [&](Item item, const std::vector<ir::Range>&, Body& to) {
    if (auto* s = std::get_if<ir::Scan>(&item.node))
      ScanLowering(make, std::move(*s)).run(to);
    else
      to.push_back(std::move(item));
  });
  return out;
}

}  // namespace lathe::passes
