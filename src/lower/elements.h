// SPDX-License-Identifier: Apache-2.0
#pragma once
// The elements of one buffer that tasks write and read, and which of them may be the same. Places
// are kept by the form of their indices, base and constant: those with the same bases are the same
// element when their constants are, which a map answers; of others only the constants on an axis
// with the same base can tell.

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "lower/conditions.h"

namespace lathe::lower {

struct ElementPlace {
  std::vector<Expr> bases;  // per axis; null: a constant alone
  std::vector<std::int64_t> constants;
};
ElementPlace place_of(std::span<const Expr> indices);

class Elements {
 public:
  // Tasks come in increasing order.
  void add_write(const ElementPlace& place, std::uint32_t task);
  // The last write so far that may touch the element: 1 + its number, 0 for none, and whether it
  // writes exactly that element.
  std::pair<std::uint32_t, bool> last_write(const ElementPlace& place) const;
  // The first write from task `from` on that may touch the element; kNone: no such write.
  std::uint32_t next_write(const ElementPlace& place, std::uint32_t from) const;

  // Reads are kept until something is written that they may touch.
  void keep_read(const ElementPlace& place, Expr read);
  std::vector<Expr> take_reads(const ElementPlace& written);

 private:
  using Constants = std::vector<std::int64_t>;
  struct Group {  // of places with the same bases
    std::vector<Expr> bases;
    std::map<Constants, std::vector<std::uint32_t>> writes;
    std::vector<std::pair<std::uint32_t, Constants>> in_order;
    std::map<Constants, std::vector<Expr>> reads;
  };
  Group& group_of(const ElementPlace& place);
  static bool apart(const Group& group, const Constants& constants, const ElementPlace& place);

  std::vector<Group> groups_;
};

}  // namespace lathe::lower
