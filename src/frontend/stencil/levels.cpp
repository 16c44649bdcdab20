// SPDX-License-Identifier: Apache-2.0
// Calls have at least `least` levels, and programs cannot say so. Bounds are written such that they
// mean the same for those calls, and that every level they name lies inside of 0..nk, whatever nk:
//
//   forward k in 0..1        forward k in 0..min(1, nk-1)          with least = 2
//   backward k in nk-1..nk   backward k in max(1, nk-1)..nk
//
// so that nothing has to be tested while it runs.

#include "frontend/stencil/levels.h"

namespace lathe::stencil {
namespace {

class LevelBounds {
 public:
  LevelBounds(const ir::Build& build, ir::Symbol k, ir::Expr nk, std::int64_t least)
      : build_(build), k_(k), nk_(nk), least_(least) {}

  void body(ir::Body& items) {
    for (ir::Item& item : items) std::visit([&](auto& node) { visit(node); }, item.node);
  }

 private:
  void range(ir::Range& r) {
    if (r.variable != k_) return;
    if (ir::is_const(r.hi)) {
      const std::int64_t hi = r.hi->scalar().as_int(), rest = least_ - hi;
      const ir::Expr most = rest > 0 ? build_.op(ir::Op::Sub, {nk_, build_.integer(rest)}) : nk_;
      r.hi = build_.op(ir::Op::Min, {r.hi, most});
    }
    if (r.lo->op == ir::Op::Sub && r.lo->arg(0) == nk_) {
      const std::int64_t first = least_ - r.lo->arg(1)->scalar().as_int();
      r.lo = build_.op(ir::Op::Max, {build_.integer(first > 0 ? first : 0), r.lo});
    }
  }
  void domain(ir::Domain& d) {
    for (ir::Range& r : d.ranges) range(r);
  }

  void visit(ir::Statement& s) { domain(s.domain); }
  void visit(ir::Group& g) { domain(g.domain); }
  void visit(ir::Branch& b) {
    domain(b.domain);
    body(b.then_body);
    body(b.else_body);
  }
  void visit(ir::While& w) {
    domain(w.domain);
    body(w.body);
  }
  void visit(ir::Sweep& s) {
    range(s.range);
    body(s.body);
  }
  void visit(ir::Scan& s) {
    range(s.range);
    domain(s.statement.domain);
  }
  void visit(ir::When& w) {
    body(w.then_body);
    body(w.else_body);
  }
  void visit(ir::Repeat& r) { body(r.body); }
  void visit(ir::Call&) {}

  const ir::Build& build_;
  ir::Symbol k_;
  ir::Expr nk_;
  std::int64_t least_;
};

}  // namespace

void keep_inside(ir::Program& program, ir::Symbol k, ir::Expr nk, std::int64_t least) {
  ir::RawMaker raw(*program.graph);
  const ir::Build build(raw);
  LevelBounds(build, k, nk, least).body(program.body);
}

}  // namespace lathe::stencil
