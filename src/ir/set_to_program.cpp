// SPDX-License-Identifier: Apache-2.0
// Piecewise-affine expressions as the Program's own: `n - i + 1`, positive terms first.

#include "ir/build.h"
#include "ir/domain.h"

namespace lathe::ir {
namespace {

using Kind = PwAff::Kind;

class SetWriter {
 public:
  explicit SetWriter(const Program& program)
      : program_(program), maker_(*program.graph), build_(maker_) {}

  Expr expr(const PwAff& e) {
    switch (e.kind()) {
      case Kind::Zero:
      case Kind::Int: return build_.integer(e.value());
      case Kind::Var: return build_.index(e.name());
      case Kind::Param: {
        const Symbol name = build_.graph().symbol(e.name());
        const Parameter* p = program_.find_parameter(name);
        return build_.cast(DType::I64,
                           build_.graph().param(name, p != nullptr ? p->dtype : DType::I64));
      }
      case Kind::Read: return nullptr;
      case Kind::Sum: return sum(e);
      case Kind::Product: return fold(Op::Mul, e);
      case Kind::FloorDiv: return fold(Op::FloorDiv, e);
      case Kind::Mod: return fold(Op::Mod, e);
      case Kind::Min: return fold(Op::Min, e);
      case Kind::Max: return fold(Op::Max, e);
    }
    return nullptr;
  }

 private:
  Expr join(Op op, Expr a, Expr b) {
    return a == nullptr || b == nullptr ? nullptr : build_.op(op, {a, b});
  }
  Expr fold(Op op, const PwAff& e) {
    Expr result = expr(e.operands()[0]);
    for (std::size_t k = 1; k < e.operands().size(); ++k)
      result = join(op, result, expr(e.operands()[k]));
    return result;
  }
  Expr sum(const PwAff& e) {
    std::vector<PwAff> plus, minus;
    for (const PwAff& term : e.operands()) {
      const PwAff& first = term.kind() == Kind::Product ? term.operands()[0] : term;
      const bool negative = first.kind() == Kind::Int && first.value() < 0;
      negative ? minus.push_back(PwAff::zero() - term) : plus.push_back(term);
    }
    if (plus.empty()) plus.push_back(PwAff::zero());
    Expr result = expr(plus[0]);
    for (std::size_t k = 1; k < plus.size(); ++k) result = join(Op::Add, result, expr(plus[k]));
    for (const PwAff& term : minus) result = join(Op::Sub, result, expr(term));
    return result;
  }

  const Program& program_;
  RawMaker maker_;
  Build build_;
};

}  // namespace

Expr to_expr(const Program& program, const PwAff& e) { return SetWriter(program).expr(e); }

}  // namespace lathe::ir
