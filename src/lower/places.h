// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where each node of a body lives: in a scalar of its own, or inside the expression of its user.
//
//   v[i] = (u[i] + 1.0) * (u[i] + 1.0)      let t = u[i] + 1.0      used twice
//                                           v[i] = t * t
//
// A read inside an expression happens when that statement does. So it may only stand there if
// nothing that the statement has to wait for overwrites the element.

#include <cstdint>
#include <vector>

#include "lower/body_graph.h"

namespace lathe::lower {

enum class Place : std::uint8_t {
  Free,     // written out at every use
  Inside,   // in the expression of its only user
  Let,      // a scalar
  Var,      // a scalar that is assigned per side
  Channel,  // an element of a VectorLoad
};

class Places {
 public:
  Places(const BodyGraph& body, bool channels);

  Place operator[](std::uint32_t node) const { return places_[node]; }
  bool needed(std::uint32_t node) const { return needed_[node]; }
  bool entered(Context c) const { return entered_[c]; }  // something happens there
  // A checked read whose range the conditions around do not answer for; and the tests that remain,
  // a mask, as RangeTests counts.
  bool is_tested(std::uint32_t node) const;
  std::uint64_t open_tests(std::uint32_t node) const { return open_[node]; }
  // The first task that must come after the node with what stands inside; kNone: any may.
  std::uint32_t before(std::uint32_t node) const { return before_[node]; }

  // Reads that become one VectorLoad, by channel.
  const std::vector<std::vector<std::uint32_t>>& groups() const { return groups_; }
  std::uint32_t group_of(std::uint32_t node) const { return group_of_[node]; }

 private:
  void find_needed();
  void mark_entered(Context c);
  void find_open_tests();
  void group_channels();
  void count_uses();
  void find_after();
  void choose();
  void take_inside(std::uint32_t node, std::uint32_t after, std::uint32_t& size,
                   std::uint32_t& before);
  std::span<const std::uint32_t> operands(std::uint32_t node) const;

  const BodyGraph& body_;
  std::vector<bool> needed_, entered_, is_test_;
  std::vector<Place> places_;
  std::vector<std::uint32_t> use_count_;
  std::vector<std::uint32_t> size_;            // operations in the expression
  std::vector<std::uint32_t> after_, before_;  // see MemoryRead; with everything below, inside
  std::vector<std::uint64_t> open_;
  std::vector<std::vector<std::uint32_t>> groups_;
  std::vector<std::uint32_t> group_of_;
};

}  // namespace lathe::lower
