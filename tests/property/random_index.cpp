// SPDX-License-Identifier: Apache-2.0
// Indices and ranges that fit, proved with the arithmetic of random_shapes.h.

#include <algorithm>

#include "random_generator.h"

namespace lathe::testing {

using namespace ir;

Expr Generator::plus(Expr e, std::int64_t offset) {
  if (offset == 0) return e;
  if (is_const(e)) return b_.integer(e->scalar().as_int() + offset);
  if (offset < 0 && rng_.percent(80)) return b_.sub(e, b_.integer(-offset));
  return b_.add(e, b_.integer(offset));
}

Expr Generator::extent_plus(int extent, std::int64_t offset) {
  return plus(extents_[static_cast<std::size_t>(extent)].size, offset);
}

// v < E + result, if anything is known. Constant extents compare with each other.
std::optional<std::int64_t> Generator::distance(const Variable& v, int extent) const {
  std::optional<std::int64_t> best;
  const auto& constant = extents_[static_cast<std::size_t>(extent)].constant;
  for (const Upper& u : v.interval.upper) {
    const auto& other = extents_[static_cast<std::size_t>(u.extent)].constant;
    std::optional<std::int64_t> d;
    if (u.extent == extent)
      d = u.offset;
    else if (constant && other)
      d = *other + u.offset - *constant;
    if (d && (!best || *d < *best)) best = d;
  }
  return best;
}

std::int64_t Generator::minimum_here(int extent) const {
  std::int64_t least = extents_[static_cast<std::size_t>(extent)].minimum;
  for (const Variable& v : scope_)
    for (const Upper& u : v.interval.upper)
      if (u.extent == extent) least = std::max(least, v.interval.lo - u.offset + 1);
  return least;
}

bool Generator::long_in_scope() const {
  for (const Variable& v : scope_)
    for (const Upper& u : v.interval.upper)
      if (extents_[static_cast<std::size_t>(u.extent)].is_long) return true;
  return false;
}

Expr Generator::variable_index(const AxisShape& axis, Side side, bool reversed) {
  std::vector<Expr> fitting;
  for (const Variable& v : scope_) {
    const auto d = distance(v, axis.extent);
    if (!d) continue;
    // x = v, or E - 1 - v: where does it lie?
    const std::int64_t lo = reversed ? -*d : v.interval.lo;
    const std::int64_t offset = reversed ? -v.interval.lo : *d;
    const std::int64_t least = side.lo - lo, most = side.offset - offset;
    if (least > most) continue;
    const std::int64_t nearest = std::clamp<std::int64_t>(0, least, most);
    std::int64_t by = nearest;
    if (rng_.percent(55))
      by = rng_.between(std::max(least, nearest - 2), std::min(most, nearest + 2));
    const Expr i = p_.graph->index(v.name);
    fitting.push_back(reversed ? b_.sub(extent_plus(axis.extent, by - 1), i) : plus(i, by));
  }
  return fitting.empty() ? nullptr : rng_.pick(fitting);
}

// An index into lo .. E + offset of this axis, or null.
Expr Generator::index_in(const AxisShape& axis, Side side, int depth) {
  if (rng_.percent(12))
    if (const Expr e = exotic_index(axis, side, depth)) return e;
  if (rng_.percent(8))
    if (const Expr e = variable_index(axis, side, true)) return e;
  if (const Expr e = variable_index(axis, side, false)) return e;
  const std::int64_t least = minimum_here(axis.extent) + side.offset;
  if (least > side.lo) {
    if (rng_.percent(30)) return extent_plus(axis.extent, side.offset - 1);
    return b_.integer(rng_.between(side.lo, std::min(least - 1, side.lo + 3)));
  }
  return exotic_index(axis, side, depth);
}

Expr Generator::exotic_index(const AxisShape& axis, Side side, int depth) {
  const Extent& extent = extents_[static_cast<std::size_t>(axis.extent)];
  const std::int64_t least = minimum_here(axis.extent);
  switch (rng_.below(5)) {
    case 0: {  // i * m + j
      if (extent.outer < 0 || side.lo > 0 || side.offset < 0) return nullptr;
      const Expr i = variable_index({extent.outer, 0, 0}, {0, 0}, false);
      const Expr j = variable_index({extent.inner, 0, 0}, {0, 0}, false);
      if (!i || !j) return nullptr;
      return b_.add(b_.mul(i, extents_[static_cast<std::size_t>(extent.inner)].size), j);
    }
    case 1: {  // anything, brought into range by a remainder
      if (least < 1 || side.lo > 0 || side.offset < 0) return nullptr;
      return b_.op(Op::Mod, {any_index(depth - 1), extent.size});
    }
    case 2: {  // anything, clamped
      if (least + side.offset <= side.lo) return nullptr;
      const Expr x = b_.op(Op::Max, {any_index(depth - 1), b_.integer(side.lo)});
      return b_.op(Op::Min, {x, extent_plus(axis.extent, side.offset - 1)});
    }
    case 3: {  // i // 2
      if (side.lo > 0) return nullptr;
      const Expr i = variable_index(axis, {0, side.offset}, false);
      return i ? b_.op(Op::FloorDiv, {i, b_.integer(rng_.between(2, 3))}) : nullptr;
    }
    default: {  // through an index array
      if (depth <= 0) return nullptr;
      for (ArrayShape& a : arrays_) {
        if (!a.values || !a.written || a.values->lo < side.lo || rng_.percent(30)) continue;
        const auto d = distance({a.name, *a.values, true}, axis.extent);
        if (!d || *d > side.offset) continue;
        if (const Expr e = read_of(a, 0, true)) return e;  // of any integer dtype
      }
      return nullptr;
    }
  }
}

// Any i64 that is not far from the ranges in use.
Expr Generator::any_index(int depth) {
  std::vector<Expr> leaves;
  for (const Variable& v : scope_) leaves.push_back(p_.graph->index(v.name));
  if (leaves.empty() || rng_.percent(20)) leaves.push_back(b_.integer(rng_.between(-3, 6)));
  const Expr x = plus(rng_.pick(leaves), rng_.between(-3, 3));
  if (depth <= 0 || rng_.percent(60)) return x;
  if (rng_.percent(50)) {
    const Expr y = rng_.pick(leaves);
    return b_.add(b_.mul(x, b_.integer(rng_.between(-2, 3))), y);
  }
  const DType t = rng_.percent(50) ? some_int() : some_float();
  const Expr y = read(t, depth - 1);
  if (!y) return x;
  return b_.cast(DType::I64, is_float(t) ? clamp(y, -9, 9) : y);
}

Side Generator::some_side(const AxisShape& axis, bool whole) {
  Side side = axis.all();
  if (whole || rng_.percent(40)) return side;
  if (rng_.percent(60)) return {0, 0};  // the inside: what stencils write
  side.lo = rng_.between(side.lo, side.lo + 2);
  side.offset = rng_.between(side.offset - 2, side.offset);
  return side;
}

// Names are used again and again, as people do, but never for two variables of one point.
Symbol Generator::new_variable() {
  constexpr std::string_view kNames[] = {"i", "j", "k", "p", "q", "r", "e", "f", "g", "h"};
  for (int attempt = 0;; ++attempt) {
    const std::size_t among = attempt < 6 ? 3 : std::size(kNames);
    std::string name(kNames[rng_.below(among)]);
    if (attempt > 40) name += std::to_string(attempt);
    const Symbol symbol = p_.graph->symbol(name);
    if (std::none_of(scope_.begin(), scope_.end(),
                     [&](const Variable& v) { return v.name == symbol; }))
      return symbol;
  }
}

Range Generator::box_range(int extent, Side side, Variable& v) {
  v.name = new_variable();
  v.interval = {side.lo, {{extent, side.offset}}};
  return {v.name, b_.integer(side.lo), extent_plus(extent, side.offset)};
}

// A range for a variable that no target index needs: boxes, triangles, windows, bounds from arrays.
bool Generator::reduction_range(int depth, Range& range, Variable& v) {
  const std::size_t kind = rng_.below(10);
  // A triangle over a long variable is too many points; a window is not.
  if (kind < 3 && !scope_.empty() && (kind == 2 || !long_in_scope())) {
    const Variable outer = rng_.pick(scope_);
    const Expr i = p_.graph->index(outer.name);
    v.name = new_variable();
    v.interval = outer.interval;
    v.by_data = outer.by_data;
    if (kind == 0 || outer.interval.upper.empty()) {  // below the diagonal
      v.interval.lo = std::min<std::int64_t>(0, outer.interval.lo);
      for (Upper& u : v.interval.upper) u.offset -= 1;
      range = {v.name, b_.integer(v.interval.lo), i};
      return !v.interval.upper.empty();
    }
    const Upper top = rng_.pick(outer.interval.upper);
    if (kind == 1) {  // above it
      v.interval.upper = {top};
      range = {v.name, i, extent_plus(top.extent, top.offset)};
      return true;
    }
    v.interval.lo -= 1;  // a window
    for (Upper& u : v.interval.upper) u.offset += 1;
    range = {v.name, plus(i, -1), plus(i, 2)};
    return true;
  }
  if (kind == 3 && depth > 0) {  // ptr[v] .. ptr[v + 1]
    for (ArrayShape& a : arrays_) {
      if (!a.values || !a.written || a.axes.size() != 1 || rng_.percent(30)) continue;
      const Side side = (*a.written)[0];
      const Expr at = index_in(a.axes[0], {side.lo, side.offset - 1}, 0);
      if (!at) continue;
      const Expr next = plus(at, 1);
      const Expr lo = p_.graph->read(a.name, a.dtype, std::span(&at, 1));
      const Expr hi = p_.graph->read(a.name, a.dtype, std::span(&next, 1));
      ++a.reads;
      v.name = new_variable();
      v.interval = *a.values;
      v.by_data = true;
      for (Upper& u : v.interval.upper) u.offset -= 1;
      range = {v.name, b_.cast(DType::I64, lo), b_.cast(DType::I64, hi)};
      return true;
    }
  }
  const int extent = some_extent(!long_in_scope());
  if (kind == 4) {  // 0 .. min(n, 3)
    const std::int64_t c = rng_.between(1, 4);
    range = box_range(extent, {0, 0}, v);
    range.hi = b_.op(Op::Min, {range.hi, b_.integer(c)});
    return true;
  }
  range = box_range(extent, {rng_.between(-1, 1), rng_.between(-1, 1)}, v);
  return true;
}

}  // namespace lathe::testing
