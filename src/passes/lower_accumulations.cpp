// SPDX-License-Identifier: Apache-2.0
// Accumulations in the one form that loops are made of: into what the target holds, in its own
// dtype, a tree along one variable.
//
//   fresh r[i] += u[i, j]                       r.init: r[x] = 0
//                                          =>   r[i] += u[i, j]
//
//   h[i] += [chain, f32] u[i, j]  (h: f16)      h.acc[i] = f32(h[i])
//                                          =>   h.acc[i] += [chain, f32] f32(u[i, j])
//                                               h[i] = f16(h.acc[i])
//
//   r += [tree] u[i, j]                         r.rows[i] = -0.0
//                                          =>   r.rows[i] += [tree] u[i, j]
//                                               r += [tree] r.rows[i]
//
// Fresh: what the statement reads of its target is from before it is cleared, so it reads a copy.
//
// Wider accumulators: partial results live in a temporary and are rounded once, at the end. It has
// the target's whole range, or only the elements that the statement can reach where these are sure
// to exist. Elements that no point reaches are converted there and back, which changes nothing: the
// verifier lets an accumulator only be wider and of the same kind, so every value of the target's
// dtype is one of the accumulator's, and rounding a value to a dtype that has it gives it back
// (signed zeros, infinities and denormals are values; all NaNs are one). When fresh, the
// interpreter converts the accumulator's neutral element to the target's dtype everywhere, and so
// does this. Where no variable is reduced each element meets one point, and a plain statement says
// it all.
//
// Trees over several variables: the last one forms rows, whose results are the points of the next.
// A row without points is absent in the language; here it holds -0.0 (of sums) or 1 (of products),
// and x + -0.0, -0.0 + x, x * 1 and 1 * x are x, bit for bit, for every x. A row starts from that
// value too: -0.0 + (its tree) is its tree. Results of contracted rows are added. If no point of an
// element exists, the element gets old (+) absent, which is old; but it must exist, so unless that
// is known, a map says which elements any point reaches.

#include <algorithm>

#include "ir/accumulation_order.h"
#include "ir/typing.h"
#include "passes/facts.h"
#include "passes/passes.h"
#include "passes/temporaries.h"

namespace lathe::passes {
namespace {

using ir::Op;

class Lowering {
 public:
  explicit Lowering(ir::Program& program) : make_(program) {}

  Body run() {
    return map_unmasked(make_, [&](Item item, const std::vector<ir::Range>& around, Body& out) {
      around_ = &around;
      if (auto* s = std::get_if<ir::Statement>(&item.node))
        return s->accumulate ? accumulation(std::move(*s), out) : out.push_back(std::move(item));
      if (auto* g = std::get_if<ir::Group>(&item.node))
        for (ir::Statement& s : g->statements) line(s);
      out.push_back(std::move(item));
    });
  }

 private:
  // --- Which form does it need?

  void accumulation(ir::Statement s, Body& out) {
    const bool tuple = static_cast<bool>(s.accumulate->combiner);
    const auto reduced = ir::reduced_variables(s.targets, s.domain.ranges);
    if (!tuple && make_.array(s.targets[0].array).dtype != s.accumulate->dtype) {
      if (reduced && reduced->empty() && !s.accumulate->fresh)
        return out.push_back({as_set(std::move(s))});
      return through_temporary(std::move(s), reduced, out);
    }
    if (s.accumulate->fresh) clear_first(s, out);
    by_rows(std::move(s), out);
  }

  // Points of a group have elements of their own, and locals are elements too.
  void line(ir::Statement& s) {
    if (!s.accumulate || s.accumulate->combiner) return;
    if (s.values[0]->dtype != s.accumulate->dtype) s = as_set(s);
  }

  // --- One point per element: t = rounded(wide(t) (+) wide(e)).

  ir::Statement as_set(ir::Statement s) {
    const ir::DType wide = s.accumulate->dtype, own = s.values[0]->dtype;
    std::vector<Expr> values = widened(s);
    const Expr old = make_.graph.read(s.targets[0].array, own, s.targets[0].indices);
    const Expr before = make_.build.cast(wide, old);
    Expr after = nullptr;
    if (s.accumulate->op == Op::Fma) {
      if (values.size() == 1) values.push_back(make_.build.constant(wide, 1));
      Expr product = values[0];
      for (std::size_t v = 1; v + 1 < values.size(); ++v)
        product = make_.build.mul(product, values[v]);
      const Expr operands[] = {product, values.back(), before};
      after = make_.graph.apply(Op::Fma, wide, operands);
    } else {
      const Expr operands[] = {before, values[0]};
      after = make_.graph.apply(s.accumulate->op, wide, operands);
    }
    s.values = {make_.build.cast(own, after)};
    s.accumulate.reset();
    return s;
  }

  std::vector<Expr> widened(const ir::Statement& s) const {
    std::vector<Expr> values;
    for (Expr e : s.values) values.push_back(make_.build.cast(s.accumulate->dtype, e));
    return values;
  }

  // --- Fresh.

  Expr neutral(const ir::Accumulation& how, std::size_t component) const {
    if (how.combiner)
      return make_.graph.constant(make_.program.find_combiner(how.combiner)->neutral[component]);
    const Op joining = how.op == Op::Fma ? Op::Add : how.op;
    return make_.graph.constant(
        ir::neutral(joining, how.dtype).value_or(ir::Scalar::of_int(how.dtype, 0)));
  }

  void clear_first(ir::Statement& s, Body& out) {
    Temporaries::Names copies;
    for (const ir::Target& t : s.targets)
      for (Expr e : expressions(s))
        if (reads_array(e, t.array) && !copies.contains(t.array))
          copies[t.array] = make_.snapshot(t.array, s.span, out);
    make_.redirect(s, copies);
    for (std::size_t c = 0; c < s.targets.size(); ++c)
      out.push_back({make_.fill(make_.name(s.label.text(), "init"), s.targets[c].array,
                                neutral(*s.accumulate, c), s.span)});
    s.accumulate->fresh = false;
  }

  // --- Wider accumulators. The target is written at the end only, so all reads are of old content.

  void through_temporary(ir::Statement s, const std::optional<std::vector<Symbol>>& reduced,
                         Body& out) {
    const Symbol array = s.targets[0].array;
    const ir::DType wide = s.accumulate->dtype, own = make_.array(array).dtype;
    const Symbol init = make_.name(s.label.text(), "init");
    const Symbol store = make_.name(s.label.text(), "store");
    const Symbol temp = make_.name(s.label.text(), "acc");
    const ir::Target target = s.targets[0];
    ir::Domain reach;
    const bool fits = reduced && !s.accumulate->fresh && reachable(s, *reduced, &reach);
    if (fits) {
      make_.declare_over(temp, wide, reach.ranges, s.span);
      const Expr old = make_.graph.read(array, own, target.indices);
      s.targets[0] = {temp, make_.point(reach.ranges)};
      out.push_back({make_.set(init, reach, s.targets[0], make_.build.cast(wide, old), s.span)});
    } else {
      make_.declare_like(temp, array, wide, s.span);
      s.targets[0].array = temp;
      out.push_back({s.accumulate->fresh ? make_.fill(init, temp, neutral(*s.accumulate, 0), s.span)
                                         : make_.copy(init, temp, array, s.span)});
    }
    s.accumulate->fresh = false;
    s.values = widened(s);
    const Span span = s.span;
    by_rows(std::move(s), out);
    if (fits) {
      const Expr total = make_.build.cast(own, make_.read(temp, reach.ranges));
      out.push_back({make_.set(store, reach, target, total, span)});
    } else {
      out.push_back({make_.copy(store, array, temp, span)});
    }
  }

  // The kept points, if a temporary can be declared over them and their elements are sure to exist.
  bool reachable(const ir::Statement& s, const std::vector<Symbol>& reduced, ir::Domain* reach) {
    *reach = kept_part(s, reduced);
    return make_.declarable(reach->ranges) && exists(s.targets[0], *reach);
  }

  // The ranges that are not reduced, with a guard that holds where a point exists. Where none does
  // it may hold, too; but what could go wrong in it is not evaluated there.
  ir::Domain kept_part(const ir::Statement& s, const std::vector<Symbol>& reduced) {
    ir::Domain kept;
    std::vector<Expr> parts;  // of the guard
    bool known = true;        // where a reduced range has points
    for (const ir::Range& r : s.domain.ranges) {
      if (std::find(reduced.begin(), reduced.end(), r.variable) == reduced.end()) {
        kept.ranges.push_back(r);
      } else {
        known = known && !mentions_any(r.lo, reduced) && !mentions_any(r.hi, reduced);
        parts.push_back(make_.build.lt(r.lo, r.hi));
      }
    }
    bool whole = true;
    const Expr guard = leading_part(make_.raw, s.domain.guard, reduced, &whole);
    std::vector<Expr> conditions = conjuncts(guard);
    const auto risk = std::find_if(conditions.begin(), conditions.end(), may_go_wrong);
    if (risk == conditions.end()) parts.clear();
    if (!known) {
      parts.clear();
      conditions.erase(risk, conditions.end());
    }
    parts.insert(parts.end(), conditions.begin(), conditions.end());
    kept.guard = conjunction(make_.raw, parts);
    return kept;
  }

  // Reads that are out of range, divisions by zero, negative powers.
  static bool may_go_wrong(Expr e) {
    const std::vector<Expr> nodes = ir::post_order(e);
    return std::any_of(nodes.begin(), nodes.end(), [](Expr n) {
      return n->op == Op::Read || n->op == Op::FloorDiv || n->op == Op::Mod ||
             n->op == Op::TruncDiv || n->op == Op::TruncMod || n->op == Op::Pow;
    });
  }

  // Is the element inside its array at every point?
  bool exists(const ir::Target& t, const ir::Domain& at) {
    std::vector<ir::Range> ranges = *around_;
    ranges.insert(ranges.end(), at.ranges.begin(), at.ranges.end());
    std::vector<Expr> facts = range_facts(make_.raw, ranges);
    for (Expr e : conjuncts(at.guard)) facts.push_back(e);
    const ir::Array& a = make_.array(t.array);
    for (std::size_t k = 0; k < a.axes.size(); ++k) {
      const Expr x = t.indices[k];
      if (!implies(query_, facts, make_.build.le(a.axes[k].lo, x)) ||
          !implies(query_, facts, make_.build.lt(x, a.axes[k].hi)))
        return false;
    }
    return true;
  }

  // --- Trees.

  void by_rows(ir::Statement s, Body& out) {
    ir::Accumulation& how = *s.accumulate;
    const auto reduced = ir::reduced_variables(s.targets, s.domain.ranges);
    if (how.order != ir::Order::Tree || how.combiner || !reduced || reduced->size() < 2)
      return out.push_back({std::move(s)});
    if (!ir::order_matters(how.op, how.dtype)) {
      how.order = ir::Order::Free;
      return out.push_back({std::move(s)});
    }
    std::vector<ir::Range> rows = without(s.domain.ranges, reduced->back());
    if (!make_.declarable(rows)) return out.push_back({std::move(s)});

    const ir::Statement last = s;
    const Expr guard = outer_guard(s, *reduced, out);
    for (std::size_t level = reduced->size() - 1; level > 0; --level) {
      const Symbol results = make_.name(last.label.text(), "rows");
      make_.declare_over(results, how.dtype, rows, s.span);
      s.targets = {{results, make_.point(rows)}};
      s.label = make_.graph.fresh_symbol(results.text());
      out.push_back({make_.set(make_.name(results.text(), "init"), {rows, nullptr}, s.targets[0],
                               absent(how), s.span)});
      out.push_back({s});
      s.domain = {rows, level == 1 ? guard : nullptr};
      s.values = {make_.read(results, rows)};
      if (how.op == Op::Fma) how.op = Op::Add;
      rows = without(rows, (*reduced)[level - 1]);
    }
    s.targets = last.targets;
    s.label = last.label;
    out.push_back({std::move(s)});
  }

  static std::vector<ir::Range> without(std::vector<ir::Range> ranges, Symbol variable) {
    std::erase_if(ranges, [&](const ir::Range& r) { return r.variable == variable; });
    return ranges;
  }

  Expr absent(const ir::Accumulation& how) const {
    return make_.build.constant(how.dtype, how.op == Op::Mul ? 1.0 : -0.0);
  }

  // Where the target is touched: null when all its elements exist, else where a point exists.
  Expr outer_guard(const ir::Statement& s, const std::vector<Symbol>& reduced, Body& out) {
    const ir::Domain kept = kept_part(s, reduced);
    if (exists(s.targets[0], kept)) return kept.guard;
    const Symbol any = make_.name(s.label.text(), "any");
    make_.declare_over(any, ir::DType::Bool, kept.ranges, s.span);
    const ir::Target target{any, make_.point(kept.ranges)};
    out.push_back(
        {make_.set(any, {kept.ranges, nullptr}, target, make_.build.boolean(false), s.span)});
    ir::Statement note = make_.set(make_.graph.fresh_symbol(any.text()), s.domain, target,
                                   make_.build.boolean(true), s.span);
    note.accumulate = ir::Accumulation{.op = Op::Or,
                                       .combiner = {},
                                       .order = ir::Order::Free,
                                       .dtype = ir::DType::Bool,
                                       .fresh = false};
    out.push_back({std::move(note)});
    return make_.read(any, kept.ranges);
  }

  Temporaries make_;
  analysis::SetQuery query_;
  const std::vector<ir::Range>* around_ = nullptr;
};

}  // namespace

ir::Program lower_accumulations(const ir::Program& program) {
  ir::Program out = program;
  out.body = Lowering(out).run();
  return out;
}

}  // namespace lathe::passes
