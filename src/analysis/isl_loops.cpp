// SPDX-License-Identifier: Apache-2.0
// isl's syntax tree as a LoopNest.

#include <isl/ast_build.h>
#include <isl/id.h>

#include "analysis/isl_convert.h"

namespace lathe::analysis {

using ir::Comparison;
using ir::PwAff;
using ir::SetExpr;

namespace {

class LoopReader {
 public:
  explicit LoopReader(const IslSpace& space) : space_(space) {}
  bool good() const { return good_; }

  LoopNest node(isl_ast_node* n) {  // takes
    LoopNest out;
    switch (isl_ast_node_get_type(n)) {
      case isl_ast_node_block: {
        isl_ast_node_list* list = isl_ast_node_block_get_children(n);
        for (int k = 0; k < isl_ast_node_list_n_ast_node(list); ++k)
          out.body.push_back(node(isl_ast_node_list_get_ast_node(list, k)));
        isl_ast_node_list_free(list);
        break;
      }
      case isl_ast_node_for: {
        out.kind = LoopNest::Kind::For;
        const PwAff iterator = expr(isl_ast_node_for_get_iterator(n));
        out.iterator = iterator.name();
        out.first = expr(isl_ast_node_for_get_init(n));
        out.last = last(isl_ast_node_for_get_cond(n));
        out.step = expr(isl_ast_node_for_get_inc(n)).value();
        if (isl_ast_node_for_is_degenerate(n) == isl_bool_true) out.last = out.first, out.step = 1;
        if (out.step <= 0) good_ = false;
        out.body.push_back(node(isl_ast_node_for_get_body(n)));
        break;
      }
      case isl_ast_node_if:
        out.kind = LoopNest::Kind::If;
        out.condition = condition(isl_ast_node_if_get_cond(n));
        out.body.push_back(node(isl_ast_node_if_get_then_node(n)));
        if (isl_ast_node_if_has_else_node(n) == isl_bool_true)
          out.otherwise.push_back(node(isl_ast_node_if_get_else_node(n)));
        break;
      case isl_ast_node_user: {  // S(v0, v1, ...): the first operand is the name
        out.kind = LoopNest::Kind::Point;
        isl_ast_expr* call = isl_ast_node_user_get_expr(n);
        for (int k = 1; k < isl_ast_expr_get_op_n_arg(call); ++k)
          out.point.push_back(expr(isl_ast_expr_get_op_arg(call, k)));
        isl_ast_expr_free(call);
        break;
      }
      case isl_ast_node_mark:
      case isl_ast_node_error: good_ = false; break;
    }
    isl_ast_node_free(n);
    return out;
  }

 private:
  PwAff expr(isl_ast_expr* e) {  // takes
    PwAff result = PwAff::zero();
    switch (isl_ast_expr_get_type(e)) {
      case isl_ast_expr_int: result = PwAff::integer(take_int(isl_ast_expr_get_val(e))); break;
      case isl_ast_expr_id: {
        isl_id* id = isl_ast_expr_get_id(e);
        const char* name = isl_id_get_name(id);
        const std::size_t k = std::stoul(name + 1);
        result =
            name[0] == 'p' ? PwAff::param(space_.parameters[k]) : PwAff::var(space_.variables[k]);
        isl_id_free(id);
        break;
      }
      case isl_ast_expr_op: result = operation(e); break;
      case isl_ast_expr_error: good_ = false; break;
    }
    isl_ast_expr_free(e);
    return result;
  }
  PwAff operation(isl_ast_expr* e) {  // keeps
    const isl_ast_expr_op_type op = isl_ast_expr_op_get_type(e);
    const int n = isl_ast_expr_get_op_n_arg(e);
    PwAff result = expr(isl_ast_expr_get_op_arg(e, 0));
    if (op == isl_ast_expr_op_minus) return PwAff::zero() - result;
    for (int k = 1; k < n; ++k) {
      const PwAff x = expr(isl_ast_expr_get_op_arg(e, k));
      switch (op) {
        case isl_ast_expr_op_add: result = result + x; break;
        case isl_ast_expr_op_sub: result = result - x; break;
        case isl_ast_expr_op_mul: result = result * x; break;
        case isl_ast_expr_op_min: result = min(result, x); break;
        case isl_ast_expr_op_max: result = max(result, x); break;
        case isl_ast_expr_op_div:
        case isl_ast_expr_op_fdiv_q:
        case isl_ast_expr_op_pdiv_q: result = floor_div(result, x); break;
        case isl_ast_expr_op_pdiv_r:
        case isl_ast_expr_op_zdiv_r: result = mod(result, x); break;
        default: good_ = false;
      }
    }
    return result;
  }
  // it <= last, or it < end
  PwAff last(isl_ast_expr* cond) {
    if (isl_ast_expr_get_type(cond) != isl_ast_expr_op) {  // degenerate loops have none
      isl_ast_expr_free(cond);
      return PwAff::zero();
    }
    const isl_ast_expr_op_type op = isl_ast_expr_op_get_type(cond);
    if (op != isl_ast_expr_op_le && op != isl_ast_expr_op_lt) good_ = false;
    const PwAff bound = expr(isl_ast_expr_get_op_arg(cond, 1));
    isl_ast_expr_free(cond);
    return op == isl_ast_expr_op_lt ? bound - PwAff::integer(1) : bound;
  }
  SetExpr condition(isl_ast_expr* e) {  // takes
    SetExpr result = SetExpr::universe();
    if (isl_ast_expr_get_type(e) != isl_ast_expr_op) {
      result = expr(e) == PwAff::zero() ? SetExpr::empty() : SetExpr::universe();
      return result;
    }
    const isl_ast_expr_op_type op = isl_ast_expr_op_get_type(e);
    const auto set_arg = [&](int k) { return condition(isl_ast_expr_get_op_arg(e, k)); };
    const auto compare = [&](Comparison c) {
      const PwAff a = expr(isl_ast_expr_get_op_arg(e, 0));
      return SetExpr::compare(a, c, expr(isl_ast_expr_get_op_arg(e, 1)));
    };
    switch (op) {
      case isl_ast_expr_op_and:
      case isl_ast_expr_op_and_then: {
        const SetExpr a = set_arg(0);
        result = SetExpr::intersection({a, set_arg(1)});
        break;
      }
      case isl_ast_expr_op_or:
      case isl_ast_expr_op_or_else: {
        const SetExpr a = set_arg(0);
        result = SetExpr::unite({a, set_arg(1)});
        break;
      }
      case isl_ast_expr_op_eq: result = compare(Comparison::Eq); break;
      case isl_ast_expr_op_le: result = compare(Comparison::Le); break;
      case isl_ast_expr_op_lt: result = compare(Comparison::Lt); break;
      case isl_ast_expr_op_ge: result = compare(Comparison::Ge); break;
      case isl_ast_expr_op_gt: result = compare(Comparison::Gt); break;
      default: good_ = false;
    }
    isl_ast_expr_free(e);
    return result;
  }

  const IslSpace& space_;
  bool good_ = true;
};

}  // namespace

bool take_loops(isl_ast_node* tree, const IslSpace& space, LoopNest& nest) {
  LoopReader reader(space);
  nest = reader.node(tree);
  return reader.good();
}

}  // namespace lathe::analysis
