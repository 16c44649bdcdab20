// SPDX-License-Identifier: Apache-2.0
// One expression of a kernel: every leaf is bound, every read is trusted and fits its buffer, and
// nothing is left of what lowering takes apart.

#include "ir/loops_text.h"
#include "ir/loops_verifier.h"
#include "ir/text.h"
#include "ir/traverse.h"
#include "ir/verify_context.h"

namespace lathe::loops {

using ir::Op;
using ir::plural;
using lathe::quoted;

bool KernelVerifier::check_expr(Expr e) {
  if (!e) {
    error("an expression is missing");
    return false;
  }
  const std::vector<Expr> nodes = ir::post_order(e);
  for (Expr n : nodes)
    if (n->op == Op::Reduce || n->op == Op::Inside || n->op == Op::Lookup) {
      error("the operation " + quoted(ir::info(n->op).name) + " has no place in a kernel");
      return false;
    }
  bool good = true;
  for (Expr n : nodes) {
    if (n->op == Op::Read) {
      good = check_read(n) && good;
    } else if (n->op == Op::Index || n->op == Op::Param) {
      good = check_leaf(n) && good;
    }
  }
  return good;
}

bool KernelVerifier::check_expr(Expr e, DType t, std::string_view what) {
  if (!check_expr(e)) return false;
  if (e->dtype == t) return true;
  error(std::string(what) + " must be " + std::string(ir::name(t)) + ", not " +
        std::string(ir::name(e->dtype)));
  return false;
}

bool KernelVerifier::check_leaf(Expr e) {
  const std::string name = quoted(e->name.text());
  const Name* n = find(e->name);
  if (!n) {
    error(name + " is not bound here");
    return false;
  }
  if (e->op == Op::Index) {
    if (n->what == What::Variable) return true;
    error(name + " is used as a loop variable, but is none");
    return false;
  }
  if (n->what != What::Parameter && n->what != What::Let && n->what != What::Var) {
    error(name + " is used as a scalar, but is none");
    return false;
  }
  if (n->dtype == e->dtype) return true;
  error(name + " is " + std::string(ir::name(n->dtype)) + ", but is used as " +
        std::string(ir::name(e->dtype)));
  return false;
}

bool KernelVerifier::check_read(Expr e) {
  const ir::view::Read r(e);
  const std::string name = quoted(r.array.text());
  const Name* n = find(r.array);
  if (n && n->what == What::Register) return check_register(e, *n->load);
  n = buffer(r.array, "read");
  if (!n) return false;
  const std::size_t before = diagnostics_.error_count();
  if (r.policy != ir::Policy::Trusted && !r.indices.empty())  // a scalar has no policy
    error(name + " is read with the policy " + quoted(ir::name(r.policy)),
          "reads of kernels are trusted: checks and values outside are explicit");
  check_rank(*n, r.array, r.indices.size());
  if (e->dtype != n->dtype)
    error(name + " is " + std::string(ir::name(n->dtype)) + ", but is read as " +
          std::string(ir::name(e->dtype)));
  const std::vector<Expr> indices(r.indices.begin(), r.indices.end());
  for (Expr i : indices)
    if (!ir::is_int(i->dtype))
      error("an index of " + name + " is " + std::string(ir::name(i->dtype)) +
            ", but indices are integers");
  check_lanes(*n, indices);
  return diagnostics_.error_count() == before;
}

bool KernelVerifier::check_register(Expr e, const VectorLoad& load) {
  const std::string name = quoted(load.name.text());
  const ir::view::Read r(e);
  const bool constant =
      r.indices.size() == 1 && ir::is_const(r.indices[0]) && ir::is_int(r.indices[0]->dtype);
  const Name* n = find(load.name);
  if (e->dtype != n->dtype) {
    error(name + " is " + std::string(ir::name(n->dtype)) + ", but is read as " +
          std::string(ir::name(e->dtype)));
    return false;
  }
  if (r.policy != ir::Policy::Trusted || !constant) {
    error("the loaded elements " + name + " are read at something else than one constant");
    return false;
  }
  const std::int64_t at = r.indices[0]->scalar().as_int();
  if (at >= 0 && at < load.width) return true;
  error(name + " is read at " + std::to_string(at) + ", but holds " +
        plural(static_cast<std::size_t>(load.width), "element"));
  return false;
}

void KernelVerifier::check_rank(const Name& b, Symbol name, std::size_t indices) {
  const std::size_t rank = b.buffer->axes.size();
  if (rank == indices) return;
  error(quoted(name.text()) + " has " + plural(rank, "axis") + ", but is used with " +
        plural(indices, "index"));
}

void KernelVerifier::check_indices(const std::vector<Expr>& indices) {
  for (Expr e : indices)
    if (check_expr(e) && !ir::is_int(e->dtype))
      error("an index is " + std::string(ir::name(e->dtype)) + ", but indices are integers");
}

// Lanes are registers: lane l is touched by iteration l of a loop as wide as they are.
bool KernelVerifier::check_lanes(const Name& b, const std::vector<Expr>& indices) {
  if (b.buffer->space != Space::Lanes) return true;
  const std::string name = quoted(b.buffer->name.text());
  if (b.parallel != parallel_) {
    error(name + " are the lanes of one thread, but are used in a parallel loop further in");
    return false;
  }
  const Expr hi = b.buffer->axes.size() == 1 ? b.buffer->axes[0].hi : nullptr;
  const bool fits = vector_ && hi && ir::is_const(hi) && vector_->lo && vector_->hi &&
                    ir::is_const(vector_->lo) && vector_->lo->scalar().is_zero() &&
                    vector_->hi == hi && vector_->width == hi->scalar().as_int() &&
                    indices.size() == 1 && indices[0]->op == Op::Index &&
                    indices[0]->name == vector_->variable;
  if (fits) return true;
  const std::string width = hi ? ir::print(hi) : "W";
  error("the lanes " + name + " are used in another way than lane by lane",
        "use them as " + std::string(b.buffer->name.text()) + "[l] in 'vector l in 0.." + width +
            " by " + width + "'");
  return false;
}

}  // namespace lathe::loops
