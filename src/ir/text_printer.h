// SPDX-License-Identifier: Apache-2.0
#pragma once
// Expressions as text (private to the printer). Two steps: print_plan.cpp decides which nodes get a
// `let` and where it stands, print_expr.cpp writes.

#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/program.h"

namespace lathe::ir {

// What is known about the dtype of the place where a constant stands.
enum class ConstStyle : std::uint8_t {
  Known,    // the place gives the dtype: 4 for a float's 4.0
  Default,  // a bare literal would be i64 or f64: others carry their dtype
};

struct Root {
  Expr e = nullptr;
  ConstStyle style = ConstStyle::Default;
};

// A place in the text where lets can stand: a statement, or a slot of a Reduce (a bound, the guard,
// the body). A node lives in the outermost region that binds all its variables.
struct Region {
  struct Info {
    std::uint32_t uses = 0;
    std::uint32_t size = 1;   // nodes of its text, lets counted as one; saturating
    std::uint32_t depth = 1;  // nesting of its text, as the parser counts
    bool is_let = false;
    std::string name;
    std::vector<std::unique_ptr<Region>> slots;  // Reduce: one per operand
  };
  const Region* parent = nullptr;
  std::uint64_t bound = 0;  // variables that this region's Reduce binds, as bits
  std::vector<Expr> roots;
  std::unordered_map<Expr, Info> info;
  std::vector<Expr> lets;   // operands before users
  std::uint32_t depth = 1;  // of the slot's whole text

  const Info* find(Expr e) const;  // here or further out
};

// Decides the lets for expressions that are printed side by side. Names come from `next_name`.
class Planner {
 public:
  explicit Planner(const std::unordered_set<std::string>& taken) : taken_(taken) {}
  std::unique_ptr<Region> plan(std::vector<Expr> roots);

 private:
  void number_variables(std::span<const Expr> roots);
  std::uint64_t bits_of(Expr reduce) const;
  std::vector<Expr> operands(Expr e) const;
  std::vector<Expr> nodes_of(const Region& region) const;
  void fill(Region& region);
  void measure(Region& region, Expr e, bool is_root);
  std::string next_name();

  const std::unordered_set<std::string>& taken_;
  std::unordered_map<Symbol, int> variables_;  // of any Reduce, numbered
  std::uint64_t shared_bits_ = 0;              // bits that several variables share
  std::unordered_map<Expr, std::uint64_t> free_;
  std::unordered_map<Expr, std::uint64_t> inside_;  // variables that Reduces in it bind
  int names_ = 0;
};

class ExprPrinter {
 public:
  // Reads with the policy `implied` are written without one.
  explicit ExprPrinter(std::unordered_set<std::string> taken = {}, Policy implied = Policy::Error)
      : taken_(std::move(taken)), implied_(implied) {}

  struct Text {
    std::vector<std::string> lets;  // "let t1 = ..."
    std::vector<std::string> roots;
  };
  // Lets that several roots share stand before them.
  Text print(std::span<const Root> roots) const;
  // In one line: let t1 = ... in ...
  std::string inline_text(Root root) const;

 private:
  std::unordered_set<std::string> taken_;  // names that a let must not have
  Policy implied_;
};

// Without lets, at most `max_nodes` of them.
std::string print_bounded(Expr e, std::size_t max_nodes, Policy implied = Policy::Error);

// The values of a constant, row-major, with one level of brackets per axis.
std::string table_text(std::span<const Axis> axes, std::span<const Scalar> values);

template <class T, class F>
std::string join_text(const T& items, F&& text) {
  std::string out;
  bool first = true;
  for (const auto& item : items) {
    if (!first) out += ", ";
    first = false;
    out += text(item);
  }
  return out;
}

}  // namespace lathe::ir
