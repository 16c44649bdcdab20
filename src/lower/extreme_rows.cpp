// SPDX-License-Identifier: Apache-2.0
// A maximum or minimum whose first place a line right after it asks for, as argmax does along the
// rows of a matrix. While 16 lanes find it, each remembers which 64 points held its own best first,
// so that no second pass is needed: only 64 points are searched.
//
//   for base in lo..full by 64:                     u[i, base + l + 0, 16, 32, 48]
//     let row = base - lo >> 6
//     vector l in 0..16 by 16:
//       let new = max(best[l], max(max(u, u), max(u, u)))
//       met[l] = select(best[l] == new or isnan(best[l]), met[l], row)
//       best[l] = new
//   for part in full..hi by 16:                     the same with the 16 points from
//     ...                                           min(part, hi - 16) on, in row full - lo >> 6
//   t = the maximum of best; at = lo + 64 * (the least met[l] whose best[l] is t or NaN)
//
// A place stays while what it was the place of is still the best, or is a NaN: that stays for good.
// A point that two lanes see is in an earlier row where it belongs, and the earliest row counts.
//
// Where the result is a float that nobody sees, but is compared alone, the sign of a zero does not
// matter, and a maximum that knows no NaN is one instruction, not three:
//
//       let most = greater of u, u, u, u            a > b ? a : b
//       total[l] = total[l] + ((u + u) + (u + u))   NaN if one of them is, or inf - inf
//       met[l] = select(best[l] < most, row, met[l])
//       best[l] = select(best[l] < most, most, best[l])
//
// With a NaN in some total all is done again, in the usual way. The line that asks for the place
// is in row_places.cpp.

#include <algorithm>

#include "ir/traverse.h"
#include "lower/lowering.h"

namespace lathe::lower {

static_assert(kFewRow == 64, "rows are counted by shifts");

namespace {

constexpr std::int64_t kMost = 1LL << 36;  // points whose rows are counted in 32 bits
constexpr std::int64_t kNoRow = (1LL << 31) - 1;

}  // namespace

// So wide that lanes of numbers and of counts share registers.
DType Lowering::count_dtype(DType t) { return ir::size_bytes(t) > 4 ? DType::I64 : DType::I32; }

loops::Buffer Lowering::few_lanes(std::string_view stem, DType t, loops::Space space) {
  loops::Buffer b;
  b.name = fresh(stem);
  b.dtype = t;
  b.space = space;
  b.axes = {ir::Axis{graph_.symbol("l"), i64(0), i64(kFew)}};
  return b;
}

// Emits the maximum of all points and, in `at`, where to start looking for it. False: nothing.
bool Lowering::extreme_in_rows(const Combining& c, KeptRow kept, const Cell& acc, Point here,
                               FunctionRef<void(Body&)> usual, Body& out) {
  const DType t = c.dtypes[0];
  const Symbol v = kept.variable;
  if (ir::size_bytes(t) < 4) return false;
  const std::vector<Expr> points = lane_values(v, graph_.index(v), here);
  if (points.size() != 1 || takes_long(points)) return false;
  Task probe;
  probe.value = points[0];
  probe.label = current_label_;
  Expr fine = vector_safety(v, kept.lo, kept.hi, {probe});
  if (!fine) return false;
  const Expr length = ranges_.tidy(build_.sub(kept.hi, kept.lo));
  if (ir::is_const(length) && length->scalar().as_int() <= kShortTree) return false;
  fine = build_.logical_and(build_.lt(i64(kShortTree), length), fine);
  if (count_dtype(t) == DType::I32) fine = build_.logical_and(build_.le(length, i64(kMost)), fine);

  kept.known = fresh("known");
  kept.at = fresh("at");
  kept.value = points[0];
  kept_rows_.push_back(kept);
  out.push_back({loops::Var{kept.known, fine}});
  out.push_back({loops::Var{kept.at, kept.lo}});
  loops::If s, again;
  again.condition = s.condition = graph_.param(kept.known, DType::Bool);
  rows_of_extreme(c, kept, acc, here, s.then_body);
  if (kept.exact) {
    left_to_right(c, v, kept.lo, kept.hi, acc, here, s.else_body);
    out.push_back({std::move(s)});
  } else {
    out.push_back({std::move(s)});
    again.condition = build_.op(Op::Not, {again.condition});
    usual(again.then_body);
    out.push_back({std::move(again)});
  }
  return true;
}

void Lowering::rows_of_extreme(const Combining& c, const KeptRow& kept, const Cell& acc, Point here,
                               Body& out) {
  const DType t = c.dtypes[0], count = count_dtype(t);
  const Symbol lane = fresh("l");
  const Expr l = graph_.index(lane);
  const Combining counting = combining(Op::Min, count);
  const auto lanes = [&](std::string_view stem, DType dtype, loops::Space space) {
    const loops::Buffer b = few_lanes(stem, dtype, space);
    out.push_back({loops::Alloc{b}});
    Cell cell;
    cell.names = {b.name};
    cell.index = l;
    return cell;
  };
  const Cell best = lanes("best", t, loops::Space::Lanes),
             met = lanes("met", count, loops::Space::Lanes);
  const Expr old = load(c, best)[0], row_met = load(counting, met)[0];
  const auto holds = [&](Expr x, Expr extreme) {
    const Expr same = build_.op(Op::Eq, {x, extreme});
    return ir::is_float(t) ? build_.logical_or(same, build_.op(Op::IsNan, {x})) : same;
  };
  Cell total;
  if (!kept.exact) total = lanes("total", t, loops::Space::Lanes);
  loops::For start = lane_loop(lane, kFew, true);
  if (!kept.exact)
    start.body.push_back({loops::Store{total.names[0], {l}, build_.constant(t, 0), false}});
  start.body.push_back({loops::Store{best.names[0], {l}, constant(c.absent[0]), false}});
  start.body.push_back({loops::Store{met.names[0], {l}, build_.constant(count, 0), false}});
  out.push_back({std::move(start)});

  const auto joined = [&](Expr a, Expr b) { return join(c, {a}, {b})[0]; };
  const auto beats = [&](Expr a, Expr b) {
    return build_.op(c.op == Op::Max ? Op::Gt : Op::Lt, {a, b});
  };
  const auto in_pairs = [](std::vector<Expr> x, FunctionRef<Expr(Expr, Expr)> both) {
    for (; x.size() > 1; x.resize(x.size() / 2))
      for (std::size_t i = 0; 2 * i < x.size(); ++i) x[i] = both(x[2 * i], x[2 * i + 1]);
    return x[0];
  };
  const auto take = [&](Expr from, std::int64_t vectors, Expr row, Body& body) {
    std::vector<Expr> x;
    for (std::int64_t i = 0; i < vectors; ++i)
      x.push_back(trusted(
          lane_values(kept.variable, build_.add(from, build_.add(l, i64(i * kFew))), here)[0]));
    loops::For all = lane_loop(lane, kFew, true);
    const auto store_in = [&](const Cell& cell, Expr value) {
      all.body.push_back({loops::Store{cell.names[0], {l}, value, false}});
    };
    const auto let = [&](std::string_view stem, Expr value) {
      const Symbol name = fresh(stem);
      all.body.push_back({loops::Let{name, value}});
      return graph_.param(name, t);
    };
    if (kept.exact) {
      const Expr now = let("new", join(c, {old}, {in_pairs(x, joined)})[0]);
      store_in(met, build_.select(holds(old, now), row_met, row));
      store_in(best, now);
    } else {
      const Expr sum = in_pairs(x, [&](Expr a, Expr b) { return build_.add(a, b); });
      const Expr most = let(
          "most", in_pairs(x, [&](Expr a, Expr b) { return build_.select(beats(a, b), a, b); }));
      store_in(total, build_.add(load(c, total)[0], sum));
      store_in(met, build_.select(beats(most, old), row, row_met));
      store_in(best, build_.select(beats(most, old), most, old));
    }
    body.push_back({std::move(all)});
  };
  const auto row_of = [&](Expr from, Body& body) {
    const Symbol name = fresh("row");
    const Expr number = build_.op(Op::Shr, {build_.sub(from, kept.lo), i64(6)});
    body.push_back({loops::Let{name, build_.cast(count, number)}});
    return graph_.param(name, count);
  };
  const Symbol full_name = fresh("full");
  const Expr left = build_.op(Op::BitAnd, {build_.sub(kept.hi, kept.lo), i64(kFewRow - 1)});
  out.push_back({loops::Let{full_name, build_.sub(kept.hi, left)}});
  const Expr full = graph_.param(full_name, DType::I64);
  loops::For rows;
  rows.variable = fresh(kept.variable.text());
  rows.lo = kept.lo;
  rows.hi = full;
  rows.step = kFewRow;
  take(graph_.index(rows.variable), kFewRow / kFew, row_of(graph_.index(rows.variable), rows.body),
       rows.body);
  out.push_back({std::move(rows)});
  const Expr last_row = row_of(full, out);
  loops::For parts;
  parts.variable = fresh("part");
  parts.lo = full;
  parts.hi = kept.hi;
  parts.step = kFew;
  const Symbol from = fresh("from");
  parts.body.push_back({loops::Let{
      from, build_.op(Op::Min, {graph_.index(parts.variable), build_.sub(kept.hi, i64(kFew))})}});
  take(graph_.param(from, DType::I64), 1, last_row, parts.body);
  out.push_back({std::move(parts)});

  const Cell lane_best = lanes("lane", t, loops::Space::Stack);
  loops::For spill = lane_loop(lane, kFew, true);
  Expr left_there = old;
  if (!kept.exact) {
    const Expr sum = load(c, total)[0];
    left_there = build_.select(build_.op(Op::IsNan, {sum}), sum, old);
  }
  spill.body.push_back({loops::Store{lane_best.names[0], {l}, left_there, false}});
  out.push_back({std::move(spill)});
  join_lanes(c, lane_best, true, out, kFew);
  const Symbol extreme_name = fresh("extreme");
  Cell first = lane_best;
  first.index = i64(0);
  out.push_back({loops::Let{extreme_name, load(c, first)[0]}});
  const Expr extreme = graph_.param(extreme_name, t);

  if (kept.exact) return row_of_extreme(c, kept, best, met, extreme, acc, out);
  loops::If some;
  some.condition = build_.op(Op::IsNan, {extreme});
  some.then_body.push_back({loops::Assign{kept.known, build_.boolean(false)}});
  row_of_extreme(c, kept, best, met, extreme, acc, some.else_body);
  out.push_back({std::move(some)});
}

// at = the first row in which a lane met the extreme.
void Lowering::row_of_extreme(const Combining& c, const KeptRow& kept, const Cell& best,
                              const Cell& met, Expr extreme, const Cell& acc, Body& out) {
  const DType count = count_dtype(c.dtypes[0]);
  const Combining counting = combining(Op::Min, count);
  const Expr own_best = load(c, best)[0];
  Expr holds = build_.op(Op::Eq, {own_best, extreme});
  if (kept.exact && ir::is_float(c.dtypes[0]))
    holds = build_.logical_or(holds, build_.op(Op::IsNan, {own_best}));
  const loops::Buffer rows = few_lanes("first", count, loops::Space::Stack);
  out.push_back({loops::Alloc{rows}});
  Cell first;
  first.names = {rows.name};
  loops::For own = lane_loop(best.index->name, kFew, true);
  own.body.push_back(
      {loops::Store{rows.name,
                    {best.index},
                    build_.select(holds, load(counting, met)[0], build_.constant(count, kNoRow)),
                    false}});
  out.push_back({std::move(own)});
  join_lanes(counting, first, true, out, kFew);
  first.index = i64(0);
  const Expr row = build_.cast(DType::I64, load(counting, first)[0]);
  out.push_back({loops::Assign{kept.at, build_.add(kept.lo, build_.op(Op::Shl, {row, i64(6)}))}});
  Value value;
  value.values = {extreme};
  value.point = false;
  merge(c, acc, value, out);
}

}  // namespace lathe::lower
