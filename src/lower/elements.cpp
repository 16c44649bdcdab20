// SPDX-License-Identifier: Apache-2.0
#include "lower/elements.h"

#include <algorithm>

namespace lathe::lower {

ElementPlace place_of(std::span<const Expr> indices) {
  ElementPlace place;
  for (Expr index : indices) {
    const Offset offset = split_offset(index);
    place.bases.push_back(offset.base);
    place.constants.push_back(offset.constant);
  }
  return place;
}

Elements::Group& Elements::group_of(const ElementPlace& place) {
  for (Group& group : groups_)
    if (group.bases == place.bases) return group;
  Group& group = groups_.emplace_back();
  group.bases = place.bases;
  return group;
}

// Rows of a window: `j & 1` and `j+1 & 1`.
static bool are_other_rows(Expr a, Expr b) {
  if (!a || !b || a->op != ir::Op::BitAnd || b->op != a->op || a->arg(1) != b->arg(1)) return false;
  if (!ir::is_const(a->arg(1))) return false;
  const Offset first = split_offset(a->arg(0)), second = split_offset(b->arg(0));
  const std::int64_t mask = a->arg(1)->scalar().as_int();
  const bool counts_rows = mask >= 0 && (mask & (mask + 1)) == 0;
  return counts_rows && first.base == second.base &&
         ((first.constant - second.constant) & mask) != 0;
}

bool Elements::apart(const Group& group, const Constants& constants, const ElementPlace& place) {
  for (std::size_t axis = 0; axis < place.bases.size(); ++axis) {
    const bool same = group.bases[axis] == place.bases[axis];
    if (same ? constants[axis] != place.constants[axis]
             : constants[axis] == place.constants[axis] &&
                   are_other_rows(group.bases[axis], place.bases[axis]))
      return true;
  }
  return false;
}

void Elements::add_write(const ElementPlace& place, std::uint32_t task) {
  Group& group = group_of(place);
  group.writes[place.constants].push_back(task);
  group.in_order.push_back({task, place.constants});
}

std::pair<std::uint32_t, bool> Elements::last_write(const ElementPlace& place) const {
  std::pair<std::uint32_t, bool> found = {0, false};
  for (const Group& group : groups_) {
    std::uint32_t task = 0;
    const bool exact = group.bases == place.bases;
    if (exact) {
      const auto writes = group.writes.find(place.constants);
      if (writes != group.writes.end()) task = writes->second.back() + 1;
    } else {
      for (std::size_t k = group.in_order.size(); k-- > 0 && task == 0;)
        if (!apart(group, group.in_order[k].second, place)) task = group.in_order[k].first + 1;
    }
    if (task > found.first) found = {task, exact};
  }
  return found;
}

std::uint32_t Elements::next_write(const ElementPlace& place, std::uint32_t from) const {
  std::uint32_t found = kNone;
  for (const Group& group : groups_) {
    if (group.bases == place.bases) {
      const auto writes = group.writes.find(place.constants);
      if (writes == group.writes.end()) continue;
      const auto& tasks = writes->second;
      const auto at = std::lower_bound(tasks.begin(), tasks.end(), from);
      if (at != tasks.end()) found = std::min(found, *at);
      continue;
    }
    auto at = std::lower_bound(group.in_order.begin(), group.in_order.end(), from,
                               [](const auto& write, std::uint32_t n) { return write.first < n; });
    while (at != group.in_order.end() && apart(group, at->second, place)) ++at;
    if (at != group.in_order.end()) found = std::min(found, at->first);
  }
  return found;
}

void Elements::keep_read(const ElementPlace& place, Expr read) {
  group_of(place).reads[place.constants].push_back(read);
}

std::vector<Expr> Elements::take_reads(const ElementPlace& written) {
  std::vector<Expr> taken;
  const auto take = [&](Group& group, auto at) {
    taken.insert(taken.end(), at->second.begin(), at->second.end());
    return group.reads.erase(at);
  };
  for (Group& group : groups_) {
    if (group.bases == written.bases) {
      const auto at = group.reads.find(written.constants);
      if (at != group.reads.end()) take(group, at);
      continue;
    }
    for (auto at = group.reads.begin(); at != group.reads.end();)
      at = apart(group, at->first, written) ? std::next(at) : take(group, at);
  }
  return taken;
}

}  // namespace lathe::lower
