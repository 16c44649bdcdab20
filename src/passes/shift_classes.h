// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which expressions are the same computation at another point? `a[i] - a[i-1]` and `a[i+2] -
// a[i+1]` are of one class, at the offsets -1 and 1 of i: renaming i to i+2 makes the second of the
// first.

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "passes/rebuild.h"
#include "passes/settled.h"

namespace lathe::passes {

constexpr std::size_t kMostVariables = 8;

struct Shift {
  unsigned used = 0;                              // bit v: variable v occurs
  std::array<std::int64_t, kMostVariables> at{};  // the least offset of each that does

  bool uses(std::size_t v) const { return (used >> v & 1) != 0; }
  friend auto operator<=>(const Shift&, const Shift&) = default;
};

struct Shifted {
  int class_id =
      -1;  // none: reductions, bounds tests, indices that are not a variable plus a number
  Shift shift;
  std::size_t weight = 0;  // operations, as a tree; saturates
};

// base + number; the base of a number is null.
struct Sum {
  Expr base = nullptr;
  std::int64_t number = 0;
};
Sum as_sum(Expr e);
Expr from_sum(ir::Graph& graph, Expr base, std::int64_t number);
// a - b when that is a number.
std::optional<std::int64_t> difference(Expr a, Expr b);

class ShiftClasses {
 public:
  // Copies are looked through.
  explicit ShiftClasses(const Settled& settled) : settled_(settled) {}

  // Classes of all nodes of `root`, a formula of these variables.
  const Shifted& classify(Expr root, const std::vector<Symbol>& variables);
  const Shifted& of(Expr e) const { return known_.at(e); }
  // The position of a variable in shifts; variables beyond kMostVariables have none.
  std::optional<std::size_t> position(Symbol variable);
  const std::vector<Symbol>& variables() const { return variables_; }

 private:
  using Key = std::vector<std::uint64_t>;
  Shifted leaf(Expr e);
  Shifted read(Expr e);
  Shifted combined(Expr e);
  int number(Key key);

  const Settled& settled_;
  std::vector<Symbol> variables_;
  std::map<Symbol, std::size_t> arrays_;
  std::map<Key, int> classes_;
  std::unordered_map<Expr, Shifted> known_;
};

}  // namespace lathe::passes
