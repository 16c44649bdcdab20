// SPDX-License-Identifier: Apache-2.0
// The weights are of one full vector, in additions: divisions and roots are measured, the
// elementary functions are as long as our own sequences (src/elementary).

#include <algorithm>
#include <set>

#include "ir/traverse.h"
#include "schedule/cost_parts.h"

namespace lathe::schedule {
namespace {

using ir::Op;

constexpr double kNarrowDivision = 20.0 / 32, kNarrowRoot = 36.0 / 48;  // f32 of f64, per vector

double weight(Op op, bool wide, const CostMachine& machine) {
  switch (op) {
    case Op::Const:
    case Op::Index:
    case Op::Param:
    case Op::Read:
    case Op::Inside:
    case Op::Lookup:
    case Op::Reduce: return 0;
    case Op::Div: return machine.units * machine.division * (wide ? 1 : kNarrowDivision);
    case Op::Sqrt: return machine.units * machine.root * (wide ? 1 : kNarrowRoot);
    case Op::Min:
    case Op::Max: return 5;  // NaN and the sign of zero
    case Op::FMin:
    case Op::FMax: return 6;
    case Op::FloorDiv:
    case Op::Mod:
    case Op::TruncDiv:
    case Op::TruncMod: return 60;
    case Op::Exp:
    case Op::Exp2: return wide ? 34 : 26;
    case Op::Pow: return 120;
    default: break;
  }
  return ir::has(op, ir::kElementary) ? 60 : 1;
}

// How many vectors of a register tile one load serves: those of loops that its index leaves out.
double shared_by(const CountedLeaf& leaf, const Touch& touch, double lanes) {
  double out = 1;
  for (std::size_t q = leaf.leaf->path.size(); q-- > 0;) {
    const Node& n = *leaf.leaf->path[q];
    if (n.kind != NodeKind::Unroll && n.kind != NodeKind::Vector) break;
    bool used = false;
    if (touch.read)
      for (const Expr index : touch.read->args()) used |= ir::mentions(index, n.name);
    else
      for (const Expr index : *touch.target) used |= ir::mentions(index, n.name);
    const double vectors = leaf.trips[q] / (n.kind == NodeKind::Vector ? lanes : 1);
    if (!used) out *= std::max(1.0, vectors);
  }
  return out;
}

}  // namespace

PointWork point_work(const CountedLeaf& leaf, const Footprints& footprints, double lanes,
                     const CostMachine& machine) {
  PointWork out;
  std::vector<Expr> roots;
  std::set<Symbol> accumulated;  // stays in registers while its points run
  for (const ir::Statement* s : leaf.leaf->lines) {
    roots.insert(roots.end(), s->values.begin(), s->values.end());
    if (s->domain.guard) roots.push_back(s->domain.guard);
    if (!s->accumulate) continue;
    for (const ir::Target& t : s->targets) accumulated.insert(t.array);
    out.operations += 1;
    out.arithmetic += s->accumulate->combiner ? 4 : weight(s->accumulate->op, true, machine);
  }
  for (Expr e : ir::post_order(roots)) {
    if (!ir::is_float(e->dtype) && e->dtype != ir::DType::Bool) continue;
    const double w = weight(e->op, ir::size_bytes(e->dtype) == 8, machine);
    out.arithmetic += w;
    out.operations += w > 0 ? 1 : 0;
  }
  for (const Touch& t : leaf.touches)
    if (!footprints.is_register(t.array) && !accumulated.count(t.array))
      out.moves += (t.target ? 2 : 1) / shared_by(leaf, t, lanes);
  return out;
}

}  // namespace lathe::schedule
