// SPDX-License-Identifier: Apache-2.0
#pragma once
// The `if`s around units in their order. A context that the order leaves and enters again has
// several blocks; what one of them computes and another uses is declared around both.
//
//   order: a under [c], b under [not c], d always, e under [c], which uses a
//
//   var a = 0.0
//   if c:
//     a = ...
//   else:
//     let b = ...
//   let d = ...
//   if c:
//     let e = a ...

#include <cstdint>
#include <vector>

#include "lower/unit_graph.h"

namespace lathe::lower {

struct Branching {                             // one `if`
  std::uint32_t block = 0;                     // it stands in
  Context context = kNone;                     // of the side that was entered first
  std::uint32_t holds = kNone, fails = kNone;  // blocks
  std::uint32_t first_unit = 0;                // position of the first unit inside
  std::vector<std::uint32_t> declared;         // registers that are declared before it
};

class Blocks {
 public:
  Blocks(const BodyGraph& body, const Places& places, const UnitGraph& graph,
         const std::vector<std::uint32_t>& order);

  std::size_t size() const { return blocks_.size(); }
  const std::vector<Branching>& branchings() const { return branchings_; }
  std::uint32_t branching_of(std::uint32_t block) const { return blocks_[block].branching; }
  std::uint32_t block_of(std::uint32_t unit) const { return block_of_unit_[unit]; }
  // Declared before some `if` instead of where it is computed.
  bool is_declared_outside(std::uint32_t reg) const { return outside_[reg]; }
  // The test of just one `if`, with nothing between that would change it: written there.
  bool is_inside_condition(std::uint32_t node) const { return in_condition_[node]; }

 private:
  struct Block {
    std::uint32_t parent = kNone, depth = 0;
    Context context = kAlways;
    std::uint32_t branching = kNone;       // whose side it is
    std::uint32_t last_branching = kNone;  // in it, if nothing came after
  };
  void build(const std::vector<std::uint32_t>& order);
  std::uint32_t open(std::uint32_t block, Context side, std::uint32_t position);
  void place_declarations();
  void place_conditions(const std::vector<std::uint32_t>& order);
  std::uint32_t common(std::uint32_t a, std::uint32_t b) const;

  const BodyGraph& body_;
  const Places& places_;
  const UnitGraph& graph_;
  std::vector<Block> blocks_;
  std::vector<Branching> branchings_;
  std::vector<std::uint32_t> block_of_unit_;
  std::vector<bool> outside_, in_condition_;
};

}  // namespace lathe::lower
