// SPDX-License-Identifier: Apache-2.0
#pragma once
// Rewrite rules as data: {"not-lt-int", Exact, Ints, not (x < y), x >= y}.
//
// A rule is a pattern, a replacement over the same variables, a tag and the dtypes it holds for.
// Exact rules keep every bit for every argument, NaN, infinities and both zeros included;
// Algebraic ones hold over the reals and are used only in `fast` programs and energies. A
// replacement is never bigger than its pattern (counted in operations). One property test
// interprets both sides of every rule; hits are counted, and a rule that no test reaches fails.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "ir/build.h"

namespace lathe::rewrite {

enum class Tag : std::uint8_t { Exact, Algebraic };

// The text of both sides is Lathe's own expression text, with x, y, z standing for expressions, b,
// c, d for bool expressions, and k, l for constants; `fold(...)` around an operation of
// constants means its value. Parsed once into patterns.
struct Rule {
  std::string_view name;
  Tag tag;
  std::string_view dtypes;  // "any" "int" "uint" "sint" "float" "bool" or names: "i32 i64"
  std::string_view pattern, replacement;
  std::string_view why = "";  // for algebraic rules: why it is not exact
};

std::span<const Rule> all_rules();

// Applies rules wherever a node is made. Folding of constant operands uses the interpreter's own
// operations. Deterministic; terminates because every rule shrinks or strictly orders.
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
  bool algebraic_;
};

}  // namespace lathe::rewrite
