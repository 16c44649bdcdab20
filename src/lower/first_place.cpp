// SPDX-License-Identifier: Apache-2.0
// The first point where something holds: minimum k: select(x[k] == t, k, 9223372036854775807), as
// argmin and argmax ask. In a block of a tree a lane need not hold k in 64 bits: its 64 rows are
// counted down in integers as wide as what is compared, and the largest number was met first.
//
//   for base in first..full by 64:
//     let left = 64 - (base - first >> 6)
//     vector l in 0..64 by 64:
//       most[l] = max(most[l], select(x[base + l] == t, left, 0))
//   vector l in 0..64 by 64:
//     lane[l] = select(0 < most[l], first + (64 - most[l] << 6) + l, 9223372036854775807)

#include <algorithm>

#include "ir/traverse.h"
#include "lower/lowering.h"

namespace lathe::lower {

static_assert(kBlock / kLanes <= 64, "rows of a block are counted down from 64");

// The condition, where the point at `at` counts as `at` if it holds and not at all otherwise.
Expr Lowering::condition_of_place(const Combining& c, Expr value, Expr at) const {
  if (c.combiner || c.op != Op::Min || c.dtypes[0] != DType::I64) return nullptr;
  if (value->op != Op::Select || value->arg(1) != at || !ir::is_const(value->arg(2)))
    return nullptr;
  return value->arg(2)->scalar().bits == c.absent[0].bits ? value->arg(0) : nullptr;
}

void Lowering::first_place_rows(const Combining& c, Expr holds, Symbol base, Symbol lane,
                                Expr first, Expr rest, const Cell& lanes, Body& out) {
  const std::vector<Expr> parts = ir::post_order(std::span(&holds, 1));
  const bool wide = std::any_of(parts.begin(), parts.end(), [](Expr e) {
    return e->op == Op::Read && ir::size_bytes(e->dtype) > 4;
  });
  Combining counting = c;
  counting.dtypes = {wide ? DType::I64 : DType::I32};
  const DType count = counting.dtypes[0];
  const Expr l = graph_.index(lane), none = constant(ir::Scalar::of_int(count, 0));
  const auto rows_of_lanes = [&](std::string_view stem, loops::Space space) {
    loops::Buffer b;
    b.name = fresh(stem);
    b.dtype = count;
    b.space = space;
    b.axes = {ir::Axis{graph_.symbol("l"), i64(0), i64(kLanes)}};
    out.push_back({loops::Alloc{b}});
    Cell cell;
    cell.names = {b.name};
    cell.index = l;
    return cell;
  };
  const Cell most = rows_of_lanes("most", loops::Space::Lanes);
  loops::For start = lane_loop(lane, kLanes, true), row = start, spill = start, widen = start;
  store_row(counting, most, {none}, start.body);
  out.push_back({std::move(start)});

  loops::For rows;
  rows.variable = base;
  rows.lo = first;
  rows.hi = rest;
  rows.step = kLanes;
  const Symbol left = fresh("left");
  const Expr row_number = build_.op(Op::Shr, {build_.sub(graph_.index(base), first), i64(6)});
  rows.body.push_back({loops::Let{left, build_.cast(count, build_.sub(i64(64), row_number))}});
  const Expr found = build_.select(holds, graph_.param(left, count), none);
  store_row(counting, most, {build_.op(Op::Max, {load(counting, most)[0], found})}, row.body);
  rows.body.push_back({std::move(row)});
  out.push_back({std::move(rows)});

  // Loops that share registers share the number of lanes; numbers of 64 bits have fewer.
  const Cell spilled = rows_of_lanes("met", loops::Space::Stack);
  store_row(counting, spilled, load(counting, most), spill.body);
  out.push_back({std::move(spill)});
  const Expr met = build_.cast(DType::I64, load(counting, spilled)[0]);
  const Expr offset = build_.op(Op::Shl, {build_.sub(i64(64), met), i64(6)});
  const Expr place = build_.add(build_.add(first, l), offset);
  Cell to = lanes;
  to.index = l;
  store_row(c, to, {build_.select(build_.lt(i64(0), met), place, constant(c.absent[0]))},
            widen.body);
  out.push_back({std::move(widen)});
}

}  // namespace lathe::lower
