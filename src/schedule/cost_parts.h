// SPDX-License-Identifier: Apache-2.0
#pragma once
// The parts of predict() (private to src/schedule): who touches what, and how large it is.

#include <map>
#include <optional>
#include <vector>

#include "schedule/cost.h"

namespace lathe::schedule {

struct Span64 {  // first..last, both included; nothing when last < first
  std::int64_t first = 0, last = -1;
  double count() const { return last < first ? 0 : static_cast<double>(last - first + 1); }
};
using Box = std::vector<Span64>;
Box hull(const Box& a, const Box& b);

struct Touch {
  Symbol array;
  const std::vector<Expr>* target = nullptr;  // a write; else:
  Expr read = nullptr;
};

// A leaf with numbers: how often each loop of its path runs, which values its variables take.
struct CountedLeaf {
  const Leaf* leaf = nullptr;
  std::vector<Touch> touches;
  std::vector<double> trips;                      // per node of the path
  std::vector<std::map<Symbol, Span64>> running;  // [q]: with the first q nodes in one iteration
  double points = 1;
};

class Footprints {
 public:
  Footprints(const Nest& nest, const SizeNumbers& sizes);

  const std::vector<CountedLeaf>& leaves() const { return leaves_; }
  bool complete() const { return complete_; }

  // Bytes of whole cache lines that the box holds of the array.
  double bytes(Symbol array, const Box& box) const;
  // What the leaf touches of the array while the first q nodes of its path stand still.
  Box box(const CountedLeaf& leaf, const Touch& touch, std::size_t q) const;
  bool is_private(Symbol array) const { return nest_.find_storage(array) != nullptr; }
  bool is_register(Symbol array) const;

 private:
  CountedLeaf count(const Leaf& leaf);
  std::optional<Span64> evaluate(Expr e, const std::map<Symbol, Span64>& running) const;
  Span64 declared(Symbol array, std::size_t axis) const;

  const Nest& nest_;
  SizeNumbers sizes_;
  std::map<Symbol, Box> declared_;
  std::vector<CountedLeaf> leaves_;
  bool complete_ = true;
};

// How long a core works on one point of a leaf, in halves of a cycle of a full vector (two such
// things happen at once): arithmetic, and loads and stores.
struct PointWork {
  double operations = 0;  // distinct, unweighted
  double arithmetic = 0, moves = 0;
};
PointWork point_work(const CountedLeaf& leaf, const Footprints& footprints, double lanes,
                     const CostMachine& machine);

}  // namespace lathe::schedule
