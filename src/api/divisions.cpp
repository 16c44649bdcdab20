// SPDX-License-Identifier: Apache-2.0
#include "api/divisions.h"

#include "ir/program_exprs.h"
#include "ir/traverse.h"

namespace lathe::api {
namespace {

using ir::Op;

bool is_suspect(const ir::Program& program, ir::Expr e) {
  const bool divides =
      e->op == Op::FloorDiv || e->op == Op::Mod || e->op == Op::TruncDiv || e->op == Op::TruncMod;
  if ((!divides && e->op != Op::Pow) || !ir::is_int(e->dtype)) return false;
  const ir::Expr by = e->arg(1);
  if (ir::is_const(by)) return divides ? by->scalar().is_zero() : by->scalar().as_int() < 0;
  if (!divides) return ir::is_signed_int(e->dtype);
  // Loops over an axis of length 0 do nothing.
  const ir::Parameter* p = by->op == Op::Param ? program.find_parameter(by->name) : nullptr;
  return !p || !p->is_size;
}

}  // namespace

bool may_divide_by_zero(const ir::Program& program) {
  std::vector<ir::Expr> roots;
  ir::for_each_expr(program.body, [&](ir::Expr e) { roots.push_back(e); });
  for (const ir::Expr e : ir::post_order(roots))
    if (is_suspect(program, e)) return true;
  return false;
}

}  // namespace lathe::api
