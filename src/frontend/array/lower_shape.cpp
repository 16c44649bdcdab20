// SPDX-License-Identifier: Apache-2.0
// Where shape functions read their operands. A reshape looks for groups of axes with equal products
// first, so that (n * m,) -> (n, m) never divides.

#include <algorithm>

#include "frontend/array/lowering.h"

namespace lathe::array {

Exprs Lowering::view_index(const Node& n, const Exprs& at) {
  Exprs out;
  for (std::size_t a = 0; a < n.dims.size(); ++a) {
    const Expr start = size(n.dims[a]);
    const std::int64_t step = n.ints[2 * a], from = n.ints[2 * a + 1];
    if (from < 0)
      out.push_back(start);
    else if (step == -1)
      out.push_back(minus(start, at[static_cast<std::size_t>(from)]));
    else
      out.push_back(plus(times(at[static_cast<std::size_t>(from)], number(step)), start));
  }
  return out;
}

Exprs Lowering::reshape_index(const Node& n, const Exprs& at) {
  const Node& x = *n.operands[0];
  const ir::Build& build = b_.build();
  Shape from, to;
  for (const Dim& d : x.shape) from.push_back(sizes_.settled(d));
  for (const Dim& d : n.shape) to.push_back(sizes_.settled(d));
  Exprs out(from.size(), number(0));
  std::size_t i = 0, j = 0;  // axes of x and of the result that are done
  while (i < from.size() || j < to.size()) {
    if (i < from.size() && from[i].is(1)) {
      ++i;
      continue;
    }
    if (j < to.size() && to[j].is(1)) {
      ++j;
      continue;
    }
    if (i >= from.size() || j >= to.size()) break;  // only an empty array ends like this
    // The smallest group with equal products, or all that is left.
    std::size_t i_end = i + 1, j_end = j + 1;
    Dim left = from[i], right = to[j];
    bool found = left == right;
    for (std::size_t p = i + 1; p <= from.size() && !found; ++p) {
      Dim r(1);
      for (std::size_t q = j; q < to.size() && !found; ++q) {
        r = r * to[q];
        if (!(left == r)) continue;
        found = true;
        i_end = p;
        j_end = q + 1;
      }
      if (!found && p < from.size()) left = left * from[p];
    }
    if (!found) {
      i_end = from.size();
      j_end = to.size();
    }
    Expr flat = at[j];
    for (std::size_t q = j + 1; q < j_end; ++q) flat = plus(times(flat, size(to[q])), at[q]);
    std::size_t first = i;
    while (first < i_end && from[first].is(1)) ++first;
    for (std::size_t p = i_end; p-- > i;) {
      if (from[p].is(1)) continue;
      if (p == first) {
        out[p] = flat;
        break;
      }
      const Expr length = size(from[p]);
      out[p] = build.op(ir::Op::Mod, {flat, length});
      flat = build.op(ir::Op::FloorDiv, {flat, length});
    }
    i = i_end;
    j = j_end;
  }
  return out;
}

Exprs Lowering::roll_index(const Node& n, const Exprs& at) {
  const ir::Build& build = b_.build();
  Exprs out = at;
  for (std::size_t a = 0; a < n.ints.size(); ++a) {
    const Dim length = sizes_.settled(n.shape[a]);
    if (n.ints[a] == 0 || length.is(0) || length.is(1)) continue;
    const Expr shift = size(mod(Dim(n.ints[a]), length));
    if (ir::is_const(shift) && shift->scalar().as_int() == 0) continue;
    const Expr back = minus(at[a], shift);
    out[a] = build.select(build.lt(at[a], shift), plus(back, size(length)), back);
  }
  return out;
}

// Does v have an element for this one of x? `inner` is where.
Expr Lowering::update_condition(const Node& n, const Exprs& at, Exprs& inner) {
  const ir::Build& build = b_.build();
  const Node& v = *n.operands[1];
  Expr all = nullptr;
  auto both = [&](Expr e) { all = all ? build.logical_and(all, e) : e; };
  for (std::size_t a = 0; a < n.rank(); ++a) {
    const Dim start = sizes_.settled(n.dims[a]), length = sizes_.settled(v.shape[a]);
    const std::int64_t step = n.ints[a];
    if (step == 1 && start.is(0) && length == sizes_.settled(n.shape[a])) {
      inner.push_back(at[a]);
      continue;
    }
    // Steps of either sign: first and last element that are set.
    const std::int64_t stride = step < 0 ? -step : step;
    const Dim span = (length - Dim(1)) * Dim(stride);
    const Dim low = step < 0 ? start - span : start;
    const Expr apart = minus(at[a], size(low));
    if (!low.is(0)) both(build.le(size(low), at[a]));
    both(build.lt(at[a], size(low + span + Dim(1))));
    Expr place = apart;
    if (stride != 1) {
      both(build.eq(build.op(ir::Op::Mod, {apart, number(stride)}), number(0)));
      place = build.op(ir::Op::FloorDiv, {apart, number(stride)});
    }
    inner.push_back(step < 0 ? minus(size(length - Dim(1)), place) : place);
  }
  return all ? all : build.boolean(true);
}

}  // namespace lathe::array
