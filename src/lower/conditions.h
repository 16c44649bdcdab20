// SPDX-License-Identifier: Apache-2.0
#pragma once
// Under what conditions something happens: an ordered list of tests, all of which hold, each
// evaluated only where those before it hold. Lists are kept as a tree - a Context is a list without
// its last test, and that test - so that a list is one number, and the common prefix of two lists
// is their nearest common ancestor.
//
//   kAlways --- 1 <= i --- u[i] > 0.0          [1 <= i, u[i] > 0.0]
//                   \----- not u[i] > 0.0      [1 <= i, not u[i] > 0.0]

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/function_ref.h"
#include "lower/linear_fact.h"

namespace lathe::lower {

struct Literal {
  Expr test = nullptr;
  bool holds = true;
  friend bool operator==(const Literal&, const Literal&) = default;
};

// Without the `not`s around it.
Literal literal_of(Expr condition, bool holds = true);
// `a and b` as a, b; `not (a or b)` as not a, not b; anything else as itself. In the order in which
// they are evaluated.
std::vector<Literal> split(Literal literal);
// Tests of bounds, then the others; otherwise in the order given. Tests of bounds can be evaluated
// anywhere, so this keeps every other test behind those that protect it. Nothing moves before a
// test that `must_happen`: one that may end the call.
void put_bounds_first(std::vector<Literal>& literals, FunctionRef<bool(Expr)> must_happen);

using Context = std::uint32_t;
inline constexpr Context kAlways = 0;
inline constexpr std::uint32_t kNone = 0xffffffffu;

enum class Known : std::uint8_t { No, Holds, Fails };

class Contexts {
 public:
  Contexts();

  Context enter(Context c, Literal literal);  // one number per list
  Context common(Context a, Context b) const;
  bool within(Context inner, Context outer) const { return ancestor(inner, depth(outer)) == outer; }
  // What the tests around say about another one: the same test, its negation, or comparisons of
  // indices that decide it. Looks at the last kFarthest tests only. Of `a and b`, b alone decides
  // only if a is a test of bounds: the evaluation of others may end the call.
  Known known(Context c, Literal literal) const;
  // Does the fact hold wherever the tests of c do?
  bool implied(Context c, const LinearFact& fact) const;

  std::size_t size() const { return entries_.size(); }
  Context parent(Context c) const { return entries_[c].parent; }
  std::uint32_t depth(Context c) const { return entries_[c].depth; }
  Literal literal(Context c) const { return entries_[c].literal; }
  // The list that ends with the negation of c's last test; kNone if nobody entered it.
  Context opposite(Context c) const;
  Context ancestor(Context c, std::uint32_t depth) const;  // c itself where c is not that deep

 private:
  static constexpr int kFarthest = 64;

  struct Entry {
    Literal literal;
    Context parent = kNone;
    Context jump = kAlways;  // an ancestor far away: any ancestor is found in O(log depth) steps
    std::uint32_t depth = 0;
    std::vector<Literal> parts;  // of the literal; facts are theirs
    std::vector<LinearFact> facts;
  };
  struct Key {
    Context parent;
    Literal literal;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& k) const;
  };
  Known known_part(Context c, Literal literal) const;

  std::vector<Entry> entries_;
  std::unordered_map<Key, Context, KeyHash> children_;
};

}  // namespace lathe::lower
