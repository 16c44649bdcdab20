// SPDX-License-Identifier: Apache-2.0
#include "frontend/stencil/extent.h"

#include <algorithm>

namespace lathe::stencil {
namespace {

using Number = std::optional<std::int64_t>;

Number sum(Number a, std::int64_t b) { return a ? Number(*a + b) : a; }

// Of two numbers for the same end: the larger (lower ends) or the smaller, where they exist.
Number tighter(Number a, Number b, bool lower) {
  if (!a || !b) return a ? a : b;
  return lower ? std::max(*a, *b) : std::min(*a, *b);
}

// Does `a` reach at least as far out as `b`, for every n? Enough: each of its numbers does.
bool covers(const Edge& a, const Edge& b, bool lower) {
  const auto reaches = [&](Number x, Number y) {
    return !x || (y && (lower ? *x <= *y : *x >= *y));
  };
  return reaches(a.start, b.start) && reaches(a.end, b.end);
}

void add_edge(std::vector<Edge>& edges, const Edge& e, bool lower) {
  for (const Edge& old : edges)
    if (covers(old, e, lower)) return;
  std::erase_if(edges, [&](const Edge& old) { return covers(e, old, lower); });
  edges.push_back(e);
}

ir::Expr edge_value(const ir::Build& build, const Edge& e, ir::Expr n, ir::Op both) {
  ir::Expr from_end = nullptr;
  if (e.end) {
    from_end = n;
    if (*e.end > 0) from_end = build.add(n, build.integer(*e.end));
    if (*e.end < 0) from_end = build.sub(n, build.integer(-*e.end));
  }
  if (!e.start) return from_end;
  const ir::Expr from_start = build.integer(*e.start);
  return from_end ? build.op(both, {from_start, from_end}) : from_start;
}

ir::Expr side_value(const ir::Build& build, const std::vector<Edge>& edges, ir::Expr n,
                    bool lower) {
  const ir::Op inner = lower ? ir::Op::Max : ir::Op::Min;
  const ir::Op outer = lower ? ir::Op::Min : ir::Op::Max;
  ir::Expr value = nullptr;
  for (const Edge& e : edges) {
    const ir::Expr next = edge_value(build, e, n, inner);
    value = value ? build.op(outer, {value, next}) : next;
  }
  return value;
}

}  // namespace

Extent Extent::shifted(std::int64_t by) const {
  Extent r = *this;
  for (std::vector<Edge>* side : {&r.lo_, &r.hi_})
    for (Edge& e : *side) e = {sum(e.start, by), sum(e.end, by)};
  return r;
}

Extent Extent::clipped(Edge lo, Edge hi) const {
  Extent r;
  for (const Edge& e : lo_)
    add_edge(r.lo_, {tighter(e.start, lo.start, true), tighter(e.end, lo.end, true)}, true);
  for (const Edge& e : hi_)
    add_edge(r.hi_, {tighter(e.start, hi.start, false), tighter(e.end, hi.end, false)}, false);
  return r;
}

void Extent::add(const Extent& other) {
  for (const Edge& e : other.lo_) add_edge(lo_, e, true);
  for (const Edge& e : other.hi_) add_edge(hi_, e, false);
}

std::optional<std::int64_t> Extent::below() const {
  std::optional<std::int64_t> least;
  for (const Edge& e : lo_)
    if (e.start && !e.end) least = least ? std::min(*least, *e.start) : *e.start;
  return least ? std::optional(-*least) : least;
}

std::optional<std::int64_t> Extent::above() const {
  std::optional<std::int64_t> most;
  for (const Edge& e : hi_)
    if (e.end && !e.start) most = most ? std::max(*most, *e.end) : *e.end;
  return most;
}

std::pair<std::int64_t, std::int64_t> Extent::bounds(std::int64_t n) const {
  std::optional<std::int64_t> lo, hi;
  for (const Edge& e : lo_) {
    const std::int64_t at = *tighter(e.start, sum(e.end, n), true);
    lo = lo ? std::min(*lo, at) : at;
  }
  for (const Edge& e : hi_) {
    const std::int64_t at = *tighter(e.start, sum(e.end, n), false);
    hi = hi ? std::max(*hi, at) : at;
  }
  return {lo.value_or(0), hi.value_or(0)};
}

Extent Extent::flattened(std::int64_t least) const {
  if (empty()) return *this;
  Number lo, hi;
  for (const Edge& e : lo_) {
    const std::int64_t at = *tighter(e.start, sum(e.end, least), true);
    lo = lo ? std::min(*lo, at) : at;
  }
  for (const Edge& e : hi_) {
    const std::int64_t at = *tighter(sum(e.start, -least), e.end, false);
    hi = hi ? std::max(*hi, at) : at;
  }
  return Extent({lo, {}}, {{}, hi});
}

// n + end is at least least + end: a start at or below that makes the end of a lower edge needless
// among others, and the other way round.
void Extent::settle(std::int64_t least) {
  const auto settle_side = [&](std::vector<Edge>& edges, bool lower) {
    std::optional<std::int64_t> start, end;
    for (const Edge& e : edges) {
      if (e.start && e.end) return;  // regions: as they are
      if (e.start) start = e.start;
      if (e.end) end = e.end;
    }
    if (!start || !end) return;
    if (lower && *start <= least + *end) edges = {{start, {}}};
    if (!lower && *start <= least + *end) edges = {{{}, end}};
  };
  settle_side(lo_, true);
  settle_side(hi_, false);
}

ir::Expr Extent::lo(const ir::Build& build, ir::Expr n) const {
  return side_value(build, lo_, n, true);
}
ir::Expr Extent::hi(const ir::Build& build, ir::Expr n) const {
  return side_value(build, hi_, n, false);
}

}  // namespace lathe::stencil
