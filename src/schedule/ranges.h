// SPDX-License-Identifier: Apache-2.0
#pragma once
// Over which interval does a variable of a statement run, as seen from inside the first p nodes of
// its path? Owned points: the program's range, cut by the tiles around. On demand: what the
// statements that read the temporary need.
//
//   for i/256:                      ccol.i seen from inside of `for i/256` (p = 1):
//     forward k:                    [max(0, i.tile), min(n, i.tile + 256))
//       vector i/8: ccol -> tile

#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/function_ref.h"
#include "ir/build.h"
#include "schedule/nest.h"

namespace lathe::schedule {

struct Interval {  // lo <= v < hi
  Expr lo = nullptr, hi = nullptr;
  bool point = false;  // hi is lo + 1
  friend bool operator==(const Interval&, const Interval&) = default;
};

class Ranges {
 public:
  Ranges(const Nest& nest, ir::Maker& maker);

  Interval range(const Leaf& leaf, Symbol variable, std::size_t p);
  // The elements of a private temporary that anybody touches, per axis, seen from inside of the
  // first p nodes of its storage's path.
  Interval region(Symbol array, std::size_t axis, std::size_t p);
  // The elements of any array that these leaves read, seen from inside of the first p nodes of
  // their paths, as far as `counts(label, read)`.
  Interval footprint(const std::vector<std::size_t>& leaves, Symbol array, std::size_t axis,
                     std::size_t p, FunctionRef<bool(Symbol, Expr)> counts);
  // `e`, an expression of the leaf, with variables that the first p nodes fix put in.
  Expr place(const Leaf& leaf, Expr e, std::size_t p);
  // What the first p nodes make of a variable, or whoever needs it; null when it still runs.
  Expr fixed(const Leaf& leaf, Symbol variable, std::size_t p);
  // Does the program's range of the variable mention variables that the first p nodes do not fix?
  bool depends_on_inner(const Leaf& leaf, Symbol variable, std::size_t p);

  // The value of a loop's variable. Loops of one iteration may be given the value itself.
  Expr value(const Node& loop) const;
  void set_value(const Node& loop, Expr value);

  // The loop's variable is never less, until the loop ends: another one may have a variable of the
  // same name. Null: nobody knows. Gives what was said before. Makes expressions shorter.
  Expr set_start(const Node& loop, Expr start);

  Expr tidy(Expr e) const;  // integer arithmetic in normal form
  Expr add(Expr e, std::int64_t k) const;
  Expr minimum(Expr a, Expr b) const;
  Expr maximum(Expr a, Expr b) const;

  // How often a region was found anew: what resolving takes grows with it.
  std::size_t regions_evaluated() const { return evaluated_; }

 private:
  using Part = std::tuple<Symbol, std::size_t, std::size_t>;  // array, axis, p
  using Regions = std::map<Part, std::optional<Interval>>;    // nothing: nobody asks so far
  struct Unasked {};  // thrown to whoever asks on behalf of a leaf that nobody has asked for so far

  // Smallest and largest value of e, both included, over variables that still run.
  std::optional<std::pair<Expr, Expr>> extremes(const Leaf& leaf, Expr e, std::size_t p);
  bool starts_together(const Node& n, std::size_t p);
  void forget(const Node& loop);
  // a >= b, as far as can be told from `nested` minima and maxima and from starts of loops
  bool never_less(Expr a, Expr b, int nested = 4) const;
  bool not_before(Expr a, Expr b) const;
  Interval program_range(const Leaf& leaf, Symbol variable, std::size_t p);
  void widen(std::optional<Interval>& hull, const Interval& i) const;
  void widen_together(std::optional<Interval>& hull, Symbol array, std::size_t axis, std::size_t p,
                      std::int64_t offset, std::vector<Symbol>& seen);
  // The elements that readers ask for; nothing: nobody does.
  std::optional<Interval> asked(Symbol array, std::size_t axis, std::size_t p);
  Interval all(Symbol array, std::size_t axis) const;
  Interval region_in_round(const Part& part);
  std::optional<Interval> evaluate(const Part& part);
  Interval needed(const Leaf& leaf, Symbol variable, std::size_t p);
  Interval demanded(const Leaf& leaf, Symbol variable, std::size_t p);

  const Nest& nest_;
  ir::Maker& maker_;
  ir::Build build_;
  std::map<const Node*, Expr> values_;
  std::map<Part, Interval> regions_;
  mutable std::unordered_map<Expr, Expr> tidied_;
  std::map<const Node*, bool> together_, together_in_round_;
  std::map<Symbol, Expr> starts_;
  struct User {
    const Leaf* leaf;
    std::vector<Expr> reads;  // of the array; none: it is only written, or bounds use it
  };
  std::map<Symbol, std::vector<User>> users_;
  void widen_for(std::optional<Interval>& hull, const User& user, Symbol array, std::size_t axis,
                 std::size_t p);
  // While regions that need each other are found, in rounds: those of the round before, those of
  // this one, those that are being found, and those that went on growing.
  Regions before_, round_;
  std::set<Part> finding_, grown_;
  bool in_round_ = false;
  bool cut_ = false;  // this round used one of the round before
  std::size_t unasked_ = 0;
  std::size_t evaluated_ = 0;
};

}  // namespace lathe::schedule
