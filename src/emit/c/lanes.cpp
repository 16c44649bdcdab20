// SPDX-License-Identifier: Apache-2.0
// One walk over the kernel. Each vector loop collects the widest value that its lanes hold and
// whether it can be printed as vectors at all; loops that share Lanes buffers share the number of
// lanes, so a second step brings them to the smallest.

#include "emit/c/lanes.h"

#include <algorithm>

#include "emit/c/types.h"
#include "ir/traverse.h"

namespace lathe::emit {

using ir::Expr;
using ir::Op;
using loops::Body;
using loops::Kind;
using loops::Space;

// --- Expressions.

LaneAnalysis::Fact LaneAnalysis::find(Expr e) const { return facts_.at(e); }

bool LaneAnalysis::varies(Expr e) { return fact(e).varies; }
std::optional<std::int64_t> LaneAnalysis::slope(Expr index) { return fact(index).slope; }

LaneAnalysis::Fact LaneAnalysis::fact(Expr root) {
  if (const auto found = facts_.find(root); found != facts_.end()) return found->second;
  for (Expr e : ir::post_order(root)) {
    if (facts_.contains(e)) continue;
    Fact f;
    if (e->op == Op::Index && e->name == variable_) f = {true, 1};
    for (Expr arg : e->args()) f.varies |= find(arg).varies;
    if ((e->op == Op::Param || e->op == Op::Read) && is_lane_(e)) f.varies = true;
    if (f.varies && e->op != Op::Index) {
      f.slope = std::nullopt;
      if (e->dtype == ir::DType::I64 && !e->args().empty()) {
        const auto left = find(e->arg(0)).slope;
        const auto right = find(e->args().back()).slope;
        std::int64_t value = 0;
        if (e->op == Op::Add && left && right && !__builtin_add_overflow(*left, *right, &value))
          f.slope = value;
        if (e->op == Op::Sub && left && right && !__builtin_sub_overflow(*left, *right, &value))
          f.slope = value;
        if (e->op == Op::Mul && left && right) {
          const bool first = is_const(e->arg(0));
          if ((first || is_const(e->arg(1))) &&
              !__builtin_mul_overflow(first ? *right : *left,
                                      e->arg(first ? 0 : 1)->scalar().as_int(), &value))
            f.slope = value;
        }
      }
    }
    facts_.emplace(e, f);
  }
  return facts_.at(root);
}

// --- Loops.

namespace {

struct Walk {
  const loops::Kernel& kernel;
  int vector_bytes;
  LanePlans plans;

  struct Loop {
    const loops::For* loop = nullptr;
    bool good = true;
    std::size_t widest = 1;
    std::set<Symbol> lane_names;     // scalars with one value per lane
    std::set<Symbol> inner;          // variables declared inside: may be assigned
    std::set<Symbol> varying_loads;  // VectorLoads
    std::set<const loops::Alloc*> touched;
  };
  std::vector<Loop> found;
  std::map<Symbol, const loops::Alloc*> lanes_buffers;
  std::map<Symbol, const loops::Buffer*> buffers;
  Loop* current = nullptr;

  bool is_lane(Expr leaf) const {
    if (leaf->op == Op::Param) return current->lane_names.contains(leaf->name);
    return lanes_buffers.contains(leaf->name) || current->varying_loads.contains(leaf->name);
  }

  // Values that lanes hold: what varies, except indices that are only linear.
  void values(Expr root) {
    if (!current || !root) return;
    const auto lane = [this](Expr leaf) { return is_lane(leaf); };
    LaneAnalysis lanes(current->loop->variable, lane);
    std::vector<Expr> pending = {root};
    std::set<Expr> seen;  // membership only
    while (!pending.empty()) {
      const Expr e = pending.back();
      pending.pop_back();
      if (!seen.insert(e).second) continue;
      if (e->op == Op::Read) touch(e->name);
      if (!lanes.varies(e)) continue;
      if (!ir::is_bool(e->dtype)) widen(ir::size_bytes(held(e->dtype)));
      if (is_count(e, current->loop->variable)) continue;
      if (e->op == Op::Read) {
        indices(lanes, e->args(), pending);
      } else {
        pending.insert(pending.end(), e->args().begin(), e->args().end());
      }
    }
  }

  void indices(LaneAnalysis& lanes, std::span<const Expr> args, std::vector<Expr>& pending) {
    bool linear = true;
    for (Expr index : args) linear &= lanes.slope(index).has_value();
    if (linear) return;
    widen(8);
    pending.insert(pending.end(), args.begin(), args.end());
  }

  void access(Symbol buffer, std::span<const Expr> args) {
    if (!current) return;
    touch(buffer);
    const auto lane = [this](Expr leaf) { return is_lane(leaf); };
    LaneAnalysis lanes(current->loop->variable, lane);
    std::vector<Expr> pending;
    indices(lanes, args, pending);
    for (Expr e : pending) values(e);
  }

  bool varies(Expr e) {
    if (!current || !e) return false;
    const auto lane = [this](Expr leaf) { return is_lane(leaf); };
    return LaneAnalysis(current->loop->variable, lane).varies(e);
  }
  void widen(std::size_t bytes) { current->widest = std::max(current->widest, bytes); }
  void touch(Symbol buffer) {
    if (const auto lanes = lanes_buffers.find(buffer); lanes != lanes_buffers.end())
      current->touched.insert(lanes->second);
  }
  void refuse() {
    if (current) current->good = false;
  }

  void body(const Body& statements) {
    for (const loops::Stmt& s : statements)
      std::visit([this](const auto& node) { statement(node); }, s.node);
  }

  void statement(const loops::For& f) {
    if (current && (f.kind != Kind::Serial || varies(f.lo) || varies(f.hi))) refuse();
    if (f.kind != Kind::Vector || current) {
      values(f.lo);
      values(f.hi);
      return body(f.body);
    }
    Loop loop;
    loop.loop = &f;
    current = &loop;
    body(f.body);
    current = nullptr;
    found.push_back(std::move(loop));
    // A vector loop inside one that cannot be a vector is planned by itself.
    if (!found.back().good)
      for (const loops::Stmt& s : f.body)
        std::visit([this](const auto& node) { inner_loops(node); }, s.node);
  }
  void inner_loops(const loops::For& f) { statement(f); }
  void inner_loops(const loops::If& s) {
    for (const Body* b : {&s.then_body, &s.else_body})
      for (const loops::Stmt& t : *b)
        std::visit([this](const auto& node) { inner_loops(node); }, t.node);
  }
  template <class Other>
  void inner_loops(const Other&) {}

  void statement(const loops::If& s) {
    values(s.condition);
    if (current && varies(s.condition)) {
      if (!only_faults(s)) return refuse();
      for (const loops::Stmt& inner : s.then_body)
        if (const auto* fault = std::get_if<loops::Fault>(&inner.node))
          for (Expr e : fault->values) values(e);
      return;
    }
    body(s.then_body);
    body(s.else_body);
  }
  void statement(const loops::Let& s) {
    values(s.value);
    if (current && varies(s.value)) current->lane_names.insert(s.name);
  }
  void statement(const loops::Var& s) {
    values(s.initial);
    if (!current) return;
    widen(ir::is_bool(s.initial->dtype) ? 1 : ir::size_bytes(held(s.initial->dtype)));
    current->lane_names.insert(s.name);
    current->inner.insert(s.name);
  }
  void statement(const loops::Assign& s) {
    values(s.value);
    if (current && !current->inner.contains(s.name)) refuse();
  }
  void statement(const loops::Store& s) {
    values(s.value);
    access(s.buffer, s.indices);
    if (current) widen(ir::size_bytes(held(s.value->dtype)));
  }
  void statement(const loops::Alloc& s) {
    refuse();
    if (s.buffer.space == Space::Lanes)
      lanes_buffers[s.buffer.name] = &s;
    else
      lanes_buffers.erase(s.buffer.name);
  }
  void statement(const loops::VectorLoad& s) {
    access(s.from, s.indices);
    if (!current) return;
    for (Expr index : s.indices)
      if (varies(index)) current->varying_loads.insert(s.name);
  }
  void statement(const loops::Prefetch& s) { access(s.buffer, s.indices); }
  void statement(const loops::Break& s) { values(s.condition); }  // of all lanes
  void statement(const loops::Fault&) { refuse(); }
  void statement(const loops::Rotate&) { refuse(); }
  void statement(const loops::Call&) { refuse(); }
  void statement(const loops::Comment&) {}
};

}  // namespace

bool is_count(Expr e, Symbol variable) {
  return e->op == Op::Cast && ir::is_int(e->dtype) && e->arg(0)->op == Op::Index &&
         e->arg(0)->name == variable;
}

bool only_faults(const loops::If& s) {
  return s.else_body.empty() &&
         std::all_of(s.then_body.begin(), s.then_body.end(), [](const loops::Stmt& inner) {
           return std::holds_alternative<loops::Fault>(inner.node) ||
                  std::holds_alternative<loops::Comment>(inner.node);
         });
}

LanePlans plan_lanes(const loops::Kernel& kernel, int vector_bytes) {
  Walk walk{kernel, vector_bytes, {}, {}, {}, {}, nullptr};
  walk.body(kernel.body);
  LanePlans& plans = walk.plans;
  for (const Walk::Loop& loop : walk.found) {
    const auto fits = vector_bytes / static_cast<int>(loop.widest);
    int lanes = static_cast<int>(std::min<std::int64_t>(loop.loop->width, fits));
    if (!loop.good || lanes < 2) lanes = 1;
    plans.loops[loop.loop] = {lanes, 1};
    for (const loops::Alloc* a : loop.touched) plans.registers.emplace(a, lanes);
  }
  for (bool changed = true; changed;) {
    changed = false;
    const auto lower = [&](int& a, int& b) {
      if (a != b) changed = true;
      a = b = std::min(a, b);
    };
    for (const Walk::Loop& loop : walk.found)
      for (const loops::Alloc* a : loop.touched)
        lower(plans.loops[loop.loop].lanes, plans.registers[a]);
  }
  for (auto& [loop, plan] : plans.loops)
    plan.chunks = plan.lanes == 1 ? 1 : static_cast<int>(loop->width / plan.lanes);
  return plans;
}

}  // namespace lathe::emit
