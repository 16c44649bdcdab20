// SPDX-License-Identifier: Apache-2.0
#pragma once
// Set expressions (document 003): the loop domain of an array or statement as a tree that stays
// symbolic, keeps its variables' names, and tolerates products of parameters until they are fixed.
//
// Two layers. Piecewise-affine expressions: SetVar, SetParam, SetZero, integers, sums, products,
// floor division and remainder. Sets: PwAffComparison, SetIntersection, SetUnion, empty, universe.
//
//   SetExpr square = SetExpr::intersection({range_set("i", zero, n), range_set("j", zero, n)});
//   to_text(square)     "{ 0 <= i < n } AND { 0 <= j < n }"
//   to_tree(square)     document 003's drawing:
/*
                         AND
                /-------/  \-------\
                |                  |
         { 0 <= i < n }     { 0 <= j < n }
*/
// Variables are named, never positional: permuting axes changes nothing here. duplicate() gives
// fresh copies of variables (`i_dup`), as pin_cse() needs. isl answers what boxes cannot
// (analysis/sets.h); nothing here calls it.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "ir/program.h"

namespace lathe::ir {

// An affine-ish expression. Immutable, shared, in normal form: a sum of products, terms sorted by
// name, numbers folded; `x // d` and `x % d` keep in x only what d does not divide. So `n - 1 + i`
// and `i + n - 1` are equal. What does not fit 64 bits, and division by 0, becomes a Read: unknown.
class PwAff {
 public:
  enum class Kind { Var, Param, Zero, Int, Sum, Product, FloorDiv, Mod, Read, Min, Max };
  static PwAff var(std::string name);    // SetVar
  static PwAff param(std::string name);  // SetParam
  static PwAff zero();                   // SetZero
  static PwAff integer(std::int64_t v);
  // A bound that is an array read (`ptr[v]`): opaque here, kept by its text and its variables.
  static PwAff read(std::string text, std::vector<std::string> variables);

  Kind kind() const;
  bool is_number() const { return kind() == Kind::Int || kind() == Kind::Zero; }
  const std::string& name() const;             // Var, Param, Read
  std::int64_t value() const;                  // Int
  const std::vector<PwAff>& operands() const;  // Sum, Product, FloorDiv, Mod, Min, Max
  const std::vector<std::string>& read_variables() const;

  // True when every product has at most one factor that is not a number, and divisors are numbers.
  bool is_affine() const;
  std::vector<std::string> variables() const;   // sorted
  std::vector<std::string> parameters() const;  // sorted
  PwAff substitute(const std::map<std::string, std::int64_t>& parameters) const;
  PwAff rename(const std::map<std::string, std::string>& variables) const;
  // Replaces every leaf (Var, Param, Read) for which `leaf` gives something.
  PwAff map_leaves(FunctionRef<std::optional<PwAff>(const PwAff&)> leaf) const;
  std::optional<std::int64_t> evaluate(const std::map<std::string, std::int64_t>& values) const;

  // Equal expressions have equal keys; keys order expressions by name.
  const std::string& key() const;
  std::size_t size() const;  // nodes of the tree

  friend PwAff operator+(const PwAff& a, const PwAff& b);
  friend PwAff operator-(const PwAff& a, const PwAff& b);
  friend PwAff operator*(const PwAff& a, const PwAff& b);
  friend PwAff floor_div(const PwAff& a, const PwAff& b);
  friend PwAff mod(const PwAff& a, const PwAff& b);
  friend PwAff min(const PwAff& a, const PwAff& b);
  friend PwAff max(const PwAff& a, const PwAff& b);
  friend bool operator==(const PwAff& a, const PwAff& b) { return a.key() == b.key(); }

 private:
  struct Node;
  struct Maker;  // normal forms: pw_aff.cpp
  explicit PwAff(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  std::shared_ptr<const Node> node_;
};
std::string to_text(const PwAff& e);

enum class Comparison { Lt, Le, Eq, Ne, Ge, Gt };

// An integer set. Immutable, shared. `a > b` is kept as `b < a`, so comparison() is one of Lt, Le,
// Eq, Ne; comparisons of numbers fold to empty or universe. Equality ignores the order of parts and
// the way a comparison is written: { i < n } == { i <= n - 1 }.
class SetExpr {
 public:
  enum class Kind { Compare, Intersection, Union, Empty, Universe, Opaque };
  static SetExpr compare(PwAff left, Comparison op, PwAff right);  // PwAffComparison
  static SetExpr intersection(std::vector<SetExpr> parts);         // flattened; drops universe
  static SetExpr unite(std::vector<SetExpr> parts);                // flattened; drops empty
  static SetExpr empty();
  static SetExpr universe();
  // A condition that is not a comparison of PwAffs (`mask[i]`): any subset. Kept by its text.
  static SetExpr opaque(std::string text, std::vector<std::string> variables);

  Kind kind() const;
  const PwAff& left() const;
  const PwAff& right() const;
  Comparison comparison() const;
  const std::vector<SetExpr>& parts() const;
  const std::string& text() const;  // Opaque
  const std::vector<std::string>& opaque_variables() const;
  // Equal sets (as far as the normal form sees) have equal keys.
  const std::string& key() const;

  std::vector<std::string> variables() const;
  std::vector<std::string> parameters() const;
  bool is_affine() const;
  SetExpr substitute(const std::map<std::string, std::int64_t>& parameters) const;
  SetExpr rename(const std::map<std::string, std::string>& variables) const;
  // Replaces every comparison and opaque part, and rebuilds.
  SetExpr map_parts(FunctionRef<SetExpr(const SetExpr&)> f) const;
  SetExpr map_leaves(FunctionRef<std::optional<PwAff>(const PwAff&)> leaf) const;
  // Every variable v becomes v + "_dup" (or "_dup1" ... if `taken` has it).
  SetExpr duplicate(const std::vector<std::string>& taken) const;
  // Does the point (with parameter values) lie in the set? Empty when a Read or Opaque decides.
  std::optional<bool> contains(const std::map<std::string, std::int64_t>& values) const;

  friend bool operator==(const SetExpr& a, const SetExpr& b) { return a.key() == b.key(); }

 private:
  struct Node;
  static SetExpr join(Kind kind, const std::vector<SetExpr>& given);
  explicit SetExpr(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  std::shared_ptr<const Node> node_;
};

// { lo <= v } AND { v < hi }
SetExpr range_set(const std::string& variable, const PwAff& lo, const PwAff& hi);
// The points outside. The complement of an opaque set is opaque.
SetExpr complement(const SetExpr& s);

// One line; comparisons that meet in the middle are joined: { 0 <= i < n }.
std::string to_text(const SetExpr& s);
// The text back: names in `variables` are variables, all others parameters; NAME[...] is a Read.
// Empty when the text is not a set; then `why`, if given, says what was expected and where.
std::optional<SetExpr> parse_set(std::string_view text, const std::vector<std::string>& variables,
                                 std::string* why = nullptr);
// Document 003's picture.
std::string to_tree(const SetExpr& s);

// The irreducible polygons of an intersection: groups of comparisons that share variables.
std::vector<SetExpr> polygons(const SetExpr& s);

// A box: one interval lo <= v < hi per variable, bounds in parameters only. The fast path. The
// universe is the box without variables.
struct Box {
  std::vector<std::string> variables;
  std::vector<PwAff> lo, hi;
};
std::optional<Box> as_box(const SetExpr& s);

// From the Program's own form. Only i64 arithmetic counts: narrower integers wrap. Bounds that are
// not PwAffs become Reads, conditions that are not comparisons become opaque sets.
std::optional<PwAff> to_pw_aff(Expr e);  // empty when not an integer expression of this kind
PwAff to_bound(Expr e);                  // the same, or a Read of its text
// The ranges and guard. With a program, `inside a[i]` is the comparison with a's axes.
SetExpr to_set(const Domain& domain, const Program* program = nullptr);
SetExpr to_set(const Range& range);
SetExpr to_set(Expr condition, const Program* program = nullptr);
// And back: i64 arithmetic of the program's graph. Null when it holds a Read.
Expr to_expr(const Program& program, const PwAff& e);

}  // namespace lathe::ir
