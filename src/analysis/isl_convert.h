// SPDX-License-Identifier: Apache-2.0
#pragma once
// Set expressions to isl and back. Included by the isl_*.cpp files alone: the wall is these files.
//
// Names never reach isl: every question has its own Space, and variables and parameters are
// positions in it. isl's functions take NULL, free their other arguments and give NULL, so an error
// or an exhausted budget flows through to the end of a question.

#include <isl/aff.h>
#include <isl/ast.h>
#include <isl/set.h>
#include <isl/val.h>

#include <string>
#include <vector>

#include "analysis/loop_nest.h"
#include "ir/domain.h"

namespace lathe::analysis {

// Which name is which position.
struct IslSpace {
  std::vector<std::string> variables, parameters;

  // The names of the sets; `order` comes first among the variables.
  IslSpace(std::initializer_list<ir::SetExpr> sets, const std::vector<std::string>& order = {});
  isl_space* make(isl_ctx* ctx) const;
};

// Affine sets and expressions only.
isl_pw_aff* to_isl(isl_ctx* ctx, const IslSpace& space, const ir::PwAff& e);
isl_set* to_isl(isl_ctx* ctx, const IslSpace& space, const ir::SetExpr& s);

// These free their argument. What does not fit 64 bits leaves an error in the isl_ctx.
std::int64_t take_int(isl_val* v);
ir::PwAff take_aff(isl_aff* aff, const IslSpace& space);
ir::SetExpr take_set(isl_set* s, const IslSpace& space);

// The loops of isl's syntax tree, whose iterators are named v0, v1 ... and parameters p0, p1 ... by
// position; false when it holds what a LoopNest cannot say. Frees the tree.
bool take_loops(isl_ast_node* tree, const IslSpace& space, LoopNest& nest);

}  // namespace lathe::analysis
