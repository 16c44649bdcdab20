// SPDX-License-Identifier: Apache-2.0
#pragma once
// Temporaries that are read some iterations of a shared loop away (private to src/schedule).
//
// Where out[j] needs flux[j] and flux[j+1], and flux[j] needs face[j-1] and face[j], one loop over
// j can run all three: face runs one iteration ahead, and so does flux, and of each the last two
// rows are kept. Whoever is read ahead of its reader runs ahead of it; what its own operands are
// runs ahead at least as far.

#include <map>
#include <set>
#include <vector>

#include "analysis/dependences.h"
#include "schedule/default_parts.h"

namespace lathe::schedule {

using DependenceMap = std::map<std::pair<Symbol, Symbol>, std::vector<analysis::Dependence>>;

// What shares a loop: statements, and the arrays they touch.
struct LoopMember {
  std::vector<Symbol> labels;
  std::set<Symbol> arrays;
};

class LoopWindows {
 public:
  // touched_by: how many items touch each array.
  LoopWindows(const ir::Program& program, const DependenceMap& dependences,
              const std::map<Symbol, int>& touched_by, WindowChoice choice)
      : program_(program), dependences_(dependences), touched_by_(touched_by), choice_(choice) {}

  // Is everything that is needed some iterations of a loop over v away a temporary that a window
  // of a few rows can hold?
  bool may_roll(const std::vector<LoopMember>& earlier, const LoopMember& member, Symbol v) const;

  // These share a loop over v: finds its windows, and who runs ahead. True: some window rolls.
  bool settle(const std::vector<LoopMember>& run, Symbol v);

  const std::map<Symbol, Window>& windows() const { return windows_; }
  const std::map<Symbol, std::vector<Bind>>& ahead() const { return ahead_; }

 private:
  template <class F>
  void between(const LoopMember& writer, const LoopMember& reader, F&& f) const;
  bool is_own(const std::vector<LoopMember>& run, Symbol array) const;

  const ir::Program& program_;
  const DependenceMap& dependences_;
  const std::map<Symbol, int>& touched_by_;
  const WindowChoice choice_;
  std::map<Symbol, Window> windows_;
  std::map<Symbol, std::vector<Bind>> ahead_;
};

}  // namespace lathe::schedule
