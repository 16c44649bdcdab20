// SPDX-License-Identifier: Apache-2.0
// gcc makes masked loads in innermost loops alone, after it has unrolled short ones completely, and
// joins those whose addresses move on by one constant. What cannot be told counts as found: the
// loop then runs one by one, as it is written.

#include "emit/c/neighbours.h"

#include <algorithm>
#include <map>
#include <set>

#include "emit/c/lanes.h"
#include "ir/traverse.h"

namespace lathe::emit {
namespace {

using ir::Expr;
using ir::Op;
using loops::Body;

constexpr std::int64_t kMostPeeled = 16;  // of an inner loop that gcc unrolls completely

std::optional<std::int64_t> known_length(const loops::For& f) {
  if (is_const(f.lo) && is_const(f.hi)) return f.hi->scalar().as_int() - f.lo->scalar().as_int();
  const bool moved = f.hi->op == Op::Add && f.hi->arg(0) == f.lo && is_const(f.hi->arg(1));
  return moved ? std::optional(f.hi->arg(1)->scalar().as_int()) : std::nullopt;
}

class Search {
 public:
  Search(const loops::For& loop,
         FunctionRef<std::optional<std::int64_t>(ir::Symbol, std::size_t)> stride_of,
         FunctionRef<bool(const loops::For&)> in_lanes)
      : loop_(loop),
        stride_of_(stride_of),
        in_lanes_(in_lanes),
        is_lane_{this},
        lanes_(loop.variable, is_lane_) {
    loops::for_each_stmt(loop.body, [&](const loops::Stmt& s) {
      if (const auto* let = std::get_if<loops::Let>(&s.node)) own_.insert(let->name);
      if (const auto* var = std::get_if<loops::Var>(&s.node)) own_.insert(var->name);
      if (const auto* assign = std::get_if<loops::Assign>(&s.node)) own_.insert(assign->name);
    });
  }

  bool run() {
    walk(loop_.body, false);
    return found_ && in_reach_;
  }

 private:
  struct IsLane {
    const Search* search;
    bool operator()(Expr leaf) const {
      return leaf->op == Op::Read || search->own_.contains(leaf->name);
    }
  };

  void walk(const Body& body, bool conditional);
  void walk(Expr root, bool conditional);
  void add(Expr read);
  bool may_skip(Expr read);
  bool holds_own(Expr e) const;

  const loops::For& loop_;
  FunctionRef<std::optional<std::int64_t>(ir::Symbol, std::size_t)> stride_of_;
  FunctionRef<bool(const loops::For&)> in_lanes_;
  IsLane is_lane_;
  LaneAnalysis lanes_;
  std::set<ir::Symbol> own_;    // scalars of one iteration
  std::set<ir::Symbol> short_;  // variables of the inner loops around: they become copies
  std::map<ir::Symbol, Expr> first_;
  bool found_ = false;
  bool in_reach_ = true;  // of the vectorizer
};

void Search::walk(const Body& body, bool conditional) {
  for (const loops::Stmt& s : body) {
    // A loop that ends early, or holds another one, stays as it is.
    in_reach_ = in_reach_ && !std::holds_alternative<loops::Break>(s.node);
    loops::for_each_expr(s, [&](Expr e) { walk(e, conditional); });
    if (const auto* branch = std::get_if<loops::If>(&s.node)) {
      walk(branch->then_body, true);
      walk(branch->else_body, true);
    } else if (const auto* inner = std::get_if<loops::For>(&s.node)) {
      const auto length = known_length(*inner);
      in_reach_ = in_reach_ && length && *length <= kMostPeeled * inner->step * inner->width;
      if (!in_reach_) return;
      if (in_lanes_(*inner)) continue;
      short_.insert(inner->variable);
      walk(inner->body, conditional);
      short_.erase(inner->variable);
    }
  }
}

void Search::walk(Expr root, bool conditional) {
  if (!root) return;
  std::vector<std::pair<Expr, bool>> stack = {{root, conditional}};
  std::set<std::pair<Expr, bool>> seen;  // membership only
  while (!stack.empty()) {
    const auto [e, maybe] = stack.back();
    stack.pop_back();
    if (!seen.insert({e, maybe}).second) continue;
    if (e->op == Op::Read && maybe) add(e);
    for (std::size_t i = 0; i < e->arg_count; ++i)
      stack.push_back({e->arg(i), maybe || (i > 0 && has(e->op, ir::kLazy))});
  }
}

void Search::add(Expr read) {
  if (read->arg_count == 0 || !may_skip(read)) return;
  const Expr first = first_.try_emplace(read->name, read).first->second;
  found_ = found_ || first != read;
  for (ir::Symbol variable : short_)
    for (Expr index : read->args()) found_ = found_ || ir::mentions(index, variable);
  found_ = found_ || (!short_.empty() && holds_own(read));
}

bool Search::holds_own(Expr e) const {
  const std::vector<Expr> nodes = ir::post_order(e);
  return std::any_of(nodes.begin(), nodes.end(),
                     [&](Expr leaf) { return leaf->op == Op::Param && own_.contains(leaf->name); });
}

// From one iteration to the next, does it go further than to the next element?
bool Search::may_skip(Expr read) {
  std::int64_t distance = 0;
  for (std::size_t axis = 0; axis < read->arg_count; ++axis) {
    const auto slope = lanes_.slope(read->arg(axis));
    if (!slope) return holds_own(read->arg(axis));
    if (*slope == 0) continue;
    const auto stride = stride_of_(read->name, axis);
    std::int64_t step = 0;
    if (!stride) return false;
    if (__builtin_mul_overflow(*slope, *stride, &step) ||
        __builtin_mul_overflow(step, loop_.step, &step) ||
        __builtin_add_overflow(distance, step, &distance))
      return true;
  }
  return distance < -1 || distance > 1;
}

}  // namespace

bool reads_neighbours(
    const loops::For& loop,
    FunctionRef<std::optional<std::int64_t>(ir::Symbol buffer, std::size_t axis)> stride_of,
    FunctionRef<bool(const loops::For& loop)> in_lanes) {
  return Search(loop, stride_of, in_lanes).run();
}

}  // namespace lathe::emit
