// SPDX-License-Identifier: Apache-2.0
#pragma once
// Rewrite rules as data: {"not-lt", Exact, "int", "not (x < y)", "y <= x"}.
//
// A rule is a pattern, a replacement over the same variables, a tag and the dtypes it holds for.
// Exact rules keep every bit for every argument, NaN, infinities and both zeros included;
// Algebraic ones hold over the reals and are used only in `fast` programs and energies.
//
// A replacement is at most one operation over variables, literals and folded constants. That is why
// a graph never grows, however much of it is shared: an operation asked for adds at most one.
//
// Errors. In checked mode a read may be out of range and an integer division may divide by zero. A
// rule that evaluates less than its pattern does would hide that, so it is applied only where the
// variables in question hold no read, no integer division by anything but a constant other than
// zero, and no reduction. Rules marked `lazy` evaluate the same variables on both sides in every
// case (what `and`, `or`, `select` and `gate` skip is skipped on both) and apply everywhere. The
// operands of `and` and `or` change places, in a match, only when none of them can fail.
//
// One property test interprets both sides of every rule and checks all of the above; hits are
// counted, and a rule that no test reaches fails.

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/build.h"

namespace lathe::rewrite {

enum class Tag : std::uint8_t { Exact, Algebraic };

// The dtypes and constants of a match, for conditions that text cannot say.
struct Given {
  ir::DType t, s, u;  // those that the pattern names; otherwise equal to t
  ir::Scalar k, l;
};
using Condition = bool (*)(const Given&);

// The text of both sides is Lathe's own expression text, with
//   x y z    any expressions, of the one dtype T that `dtypes` speaks of, except below a conversion
//   b c d    bool expressions
//   k l      constants
//   S U      other dtypes, in conversions: U(S(x)); T is the dtype of x
//   0 1 ...  constants of this value in the dtype of their place (0 is +0.0, not -0.0)
//   fold(e)  in replacements: the value of e, an expression of constants.
// Operands of commutative operations match in both orders.
struct Rule {
  std::string_view name;
  Tag tag;
  std::string_view dtypes;  // any number int uint sint float bits bool, or names: "i32 i64"
  std::string_view pattern, replacement;
  std::string_view why = "";  // for algebraic rules: why it is not exact
  bool lazy = false;
  Condition when = nullptr;
};

std::span<const Rule> all_rules();

// Does `dtypes` of a rule name t?
bool admits(std::string_view dtypes, ir::DType t);

// Applies rules wherever a node is made, to operands that are simple already; so the result is
// simple, and simplifying it again changes nothing. Folding of constant operands uses the
// interpreter's own operations. Deterministic; terminates because every rule shrinks the expression
// or replaces an operation by one of a lower rank.
//
// Constants stand on the left of `*` and on the right of every other commutative operation and of
// comparisons; comparisons of two variables are < or <=. Otherwise operands stay as written.
class Simplifier final : public ir::Maker {
 public:
  Simplifier(ir::Graph& graph, bool algebraic = false);
  ir::Expr make(ir::Op op, ir::DType t, std::span<const ir::Expr> args) override;
  ir::Expr remake(ir::Expr e, std::span<const ir::Expr> args) override;
  // Rebuilds an expression bottom-up through make().
  ir::Expr simplify(ir::Expr e);
  // How often each rule (index into all_rules()) fired, in this process.
  static std::span<const std::uint64_t> hits();

 private:
  struct Application;
  // One step: a finished expression, another operation to make instead, or nothing.
  bool fold(Application& a);
  bool apply_rules(Application& a);
  bool can_fail(ir::Expr e);

  bool algebraic_;
  std::unordered_map<ir::Expr, ir::Expr> memo_;  // of simplify()
  std::vector<std::uint8_t> can_fail_;           // by node id: 0 unknown, 1 no, 2 yes
};

}  // namespace lathe::rewrite
