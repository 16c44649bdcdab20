// SPDX-License-Identifier: Apache-2.0
#include "schedule/loop_windows.h"

#include <algorithm>

namespace lathe::schedule {
namespace {

constexpr std::int64_t kFarthest = 3;  // rows between the first and the last that are read

// Iterations of v from the one to the other; nothing where it is not one number.
std::optional<std::int64_t> distance_along(const analysis::Dependence& d, Symbol v) {
  const auto at = std::find(d.variables.begin(), d.variables.end(), v.text());
  if (!d.distance || at == d.variables.end()) return std::nullopt;
  return (*d.distance)[static_cast<std::size_t>(at - d.variables.begin())];
}

bool stays_in_row(const analysis::Dependence& d, Symbol v) {
  for (std::size_t k = 0; k < d.variables.size(); ++k)
    if (d.variables[k] != v.text() && (*d.distance)[k] != 0) return false;
  return true;
}

}  // namespace

template <class F>
void LoopWindows::between(const LoopMember& writer, const LoopMember& reader, F&& f) const {
  for (Symbol x : writer.labels)
    for (Symbol y : reader.labels)
      if (const auto it = dependences_.find({x, y}); it != dependences_.end())
        for (const analysis::Dependence& d : it->second) f(d);
}

// A temporary that nobody outside of the loop touches.
bool LoopWindows::is_own(const std::vector<LoopMember>& run, Symbol array) const {
  const ir::Array* a = program_.find_array(array);
  const auto all = touched_by_.find(array);
  return a && a->role == ir::Role::Temp && all != touched_by_.end() &&
         all->second == std::count_if(run.begin(), run.end(), [&](const LoopMember& m) {
           return m.arrays.count(array) > 0;
         });
}

bool LoopWindows::may_roll(const std::vector<LoopMember>& earlier, const LoopMember& member,
                           Symbol v) const {
  struct Rows {
    std::int64_t least, most;
  };
  std::map<Symbol, Rows> found;
  bool fine = true;
  for (const LoopMember& m : earlier) {
    between(member, m, [&](const analysis::Dependence&) { fine = false; });
    between(m, member, [&](const analysis::Dependence& d) {
      const auto far = distance_along(d, v);
      if (!far || (choice_ == WindowChoice::Single && !stays_in_row(d, v))) {
        fine = false;
        return;
      }
      const ir::Array* a = program_.find_array(d.array);
      const bool flow = d.kind == analysis::DependenceKind::Flow && a && a->role == ir::Role::Temp;
      if (*far != 0 && !flow) fine = false;
      if (!flow) return;
      Rows& rows = found.try_emplace(d.array, Rows{*far, *far}).first->second;
      rows.least = std::min(rows.least, *far);
      rows.most = std::max(rows.most, *far);
    });
    if (!fine) return false;
  }
  std::erase_if(found, [](const auto& f) { return f.second.least == 0 && f.second.most == 0; });
  // One statement writes it and one reads it.
  return !found.empty() && std::all_of(found.begin(), found.end(), [&](const auto& f) {
    return f.second.most - f.second.least <= kFarthest && touched_by_.at(f.first) == 2 &&
           windows_.count(f.first) == 0;
  });
}

bool LoopWindows::settle(const std::vector<LoopMember>& run, Symbol v) {
  std::vector<std::int64_t> shift(run.size(), 0);
  for (std::size_t x = run.size(); x-- > 0;)
    for (std::size_t y = x + 1; y < run.size(); ++y)
      between(run[x], run[y], [&](const analysis::Dependence& d) {
        // An unknown distance counts as none; legal() refuses the tree if that was wrong.
        shift[x] = std::max(shift[x], shift[y] - distance_along(d, v).value_or(0));
      });
  bool rolls = false;
  for (std::size_t x = 0; x < run.size(); ++x)
    for (std::size_t y = x + 1; y < run.size(); ++y)
      between(run[x], run[y], [&](const analysis::Dependence& d) {
        if (d.kind != analysis::DependenceKind::Flow) return;
        const std::int64_t kept = distance_along(d, v).value_or(0) + shift[x] - shift[y];
        if (kept == 0 || !is_own(run, d.array)) return;
        Window& w = windows_.try_emplace(d.array, Window{v, 0}).first->second;
        if (w.loop == v) w.depth = std::max(w.depth, kept + 1);
        rolls |= w.loop == v;
      });
  for (std::size_t x = 0; x < run.size(); ++x)
    if (shift[x] > 0)
      for (Symbol label : run[x].labels) ahead_[label].push_back({v, v, shift[x]});
  return rolls;
}

}  // namespace lathe::schedule
