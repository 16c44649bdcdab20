// SPDX-License-Identifier: Apache-2.0
// Every use of the size becomes a number; what can be computed from it is. Statements and labels
// stay, so that a schedule of the program is one of the result.
//
//   for i in 0..n, k in 0..d: r[i] += x[i, k]      d = 3      for i in 0..n, k in 0..3: ...

#include <memory>

#include "passes/passes.h"
#include "passes/rebuild.h"
#include "rewrite/rules.h"

namespace lathe::passes {
namespace {

void drop_true(ir::Domain& domain) {
  const Expr g = domain.guard;
  if (g && ir::is_const(g) && g->scalar().as_bool()) domain.guard = nullptr;
}

}  // namespace

ir::Program fix_sizes(const ir::Program& program, const std::vector<FixedSize>& sizes) {
  if (sizes.empty()) return program;
  rewrite::Simplifier maker(*program.graph);
  std::unordered_map<Expr, Expr> memo;
  const auto fixed = [&](Expr root) {
    const auto number = [&](Expr e) -> Expr {
      if (e->op != ir::Op::Param) return nullptr;
      for (const FixedSize& s : sizes)
        if (s.size == e->name) return maker.graph().constant(ir::Scalar::of_int(e->dtype, s.value));
      return nullptr;
    };
    return ir::rewrite(maker, root, number, &memo);
  };
  ir::Program out = map_expressions(program, [&](Symbol, Expr e) { return fixed(e); });
  out.body = map_items(out.body, [](Item item, Body& to) {
    if (auto* s = std::get_if<ir::Statement>(&item.node)) drop_true(s->domain);
    if (auto* g = std::get_if<ir::Group>(&item.node)) {
      drop_true(g->domain);
      for (ir::Statement& s : g->statements) drop_true(s.domain);
    }
    to.push_back(std::move(item));
  });
  for (ir::Array& a : out.arrays)
    for (ir::Axis& axis : a.axes) {
      axis.lo = fixed(axis.lo);
      axis.hi = fixed(axis.hi);
    }
  if (program.spans) {
    auto spans = std::make_shared<ir::SpanTable>(*program.spans);
    for (auto& [use, span] : spans->uses) use.second = fixed(use.second);
    out.spans = std::move(spans);
  }
  return out;
}

}  // namespace lathe::passes
