// SPDX-License-Identifier: Apache-2.0
#pragma once
// Set expressions (document 003): the loop domain of an array or statement as a tree that stays
// symbolic, keeps its variables' names, and tolerates products of parameters until they are fixed.
//
// Two layers. Piecewise-affine expressions: SetVar, SetParam, SetZero, integers, sums, products,
// floor division and remainder. Sets: PwAffComparison, SetIntersection, SetUnion, empty, universe.
//
//   SetExpr square = set_and({range("i", 0, n), range("j", 0, n)});
//   to_text(square)     "{ 0 <= i < n } AND { 0 <= j < n }"
//   to_tree(square)                   AND
//                              /-------/  \-------\
//                              |                  |
//                       { 0 <= i < n }     { 0 <= j < n }
//
// Variables are named, never positional: permuting axes changes nothing here. duplicate() gives
// fresh copies of variables (`i_dup`), as pin_cse() needs. isl answers what boxes cannot
// (analysis/sets.h); nothing here calls it.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ir/program.h"

namespace lathe::ir {

// An affine-ish expression. Immutable, shared.
class PwAff {
 public:
  enum class Kind { Var, Param, Zero, Int, Sum, Product, FloorDiv, Mod, Read, Min, Max };
  static PwAff var(std::string name);     // SetVar
  static PwAff param(std::string name);   // SetParam
  static PwAff zero();                    // SetZero
  static PwAff integer(std::int64_t v);
  // A bound that is an array read (`ptr[v]`): opaque here, kept by its text and its variables.
  static PwAff read(std::string text, std::vector<std::string> variables);

  Kind kind() const;
  const std::string& name() const;                 // Var, Param, Read
  std::int64_t value() const;                      // Int
  const std::vector<PwAff>& operands() const;      // Sum, Product, FloorDiv, Mod, Min, Max
  const std::vector<std::string>& read_variables() const;

  // True when every product has at most one factor that is not a number, and divisors are numbers.
  bool is_affine() const;
  std::vector<std::string> variables() const;      // sorted
  std::vector<std::string> parameters() const;     // sorted
  PwAff substitute(const std::map<std::string, std::int64_t>& parameters) const;
  PwAff rename(const std::map<std::string, std::string>& variables) const;
  std::optional<std::int64_t> evaluate(const std::map<std::string, std::int64_t>& values) const;

  friend PwAff operator+(const PwAff& a, const PwAff& b);
  friend PwAff operator-(const PwAff& a, const PwAff& b);
  friend PwAff operator*(const PwAff& a, const PwAff& b);
  friend PwAff floor_div(const PwAff& a, const PwAff& b);
  friend PwAff mod(const PwAff& a, const PwAff& b);
  friend PwAff min(const PwAff& a, const PwAff& b);
  friend PwAff max(const PwAff& a, const PwAff& b);
  friend bool operator==(const PwAff& a, const PwAff& b);

 private:
  struct Node;
  explicit PwAff(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  std::shared_ptr<const Node> node_;
};
std::string to_text(const PwAff& e);

enum class Comparison { Lt, Le, Eq, Ne, Ge, Gt };

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

  std::vector<std::string> variables() const;
  std::vector<std::string> parameters() const;
  bool is_affine() const;
  SetExpr substitute(const std::map<std::string, std::int64_t>& parameters) const;
  SetExpr rename(const std::map<std::string, std::string>& variables) const;
  // Every variable v becomes v + "_dup" (or "_dup1" ... if `taken` has it).
  SetExpr duplicate(const std::vector<std::string>& taken) const;
  // Does the point (with parameter values) lie in the set? Empty when a Read or Opaque decides.
  std::optional<bool> contains(const std::map<std::string, std::int64_t>& values) const;

  friend bool operator==(const SetExpr& a, const SetExpr& b);

 private:
  struct Node;
  explicit SetExpr(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  std::shared_ptr<const Node> node_;
};

// { lo <= v } AND { v < hi }
SetExpr range_set(const std::string& variable, const PwAff& lo, const PwAff& hi);
// One line; chains of comparisons on one variable are joined: { 0 <= i < n }.
std::string to_text(const SetExpr& s);
// Document 003's picture.
std::string to_tree(const SetExpr& s);

// The irreducible polygons of an intersection: groups of comparisons that share variables.
std::vector<SetExpr> polygons(const SetExpr& s);

// A box: one interval per variable, bounds affine in parameters only. The fast path.
struct Box {
  std::vector<std::string> variables;
  std::vector<PwAff> lo, hi;
};
std::optional<Box> as_box(const SetExpr& s);

// From the Program's own form.
std::optional<PwAff> to_pw_aff(Expr e);        // empty when not an integer expression of this kind
SetExpr to_set(const Domain& domain);          // ranges and guard
std::optional<SetExpr> to_set(Expr condition);

}  // namespace lathe::ir
