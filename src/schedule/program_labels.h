// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a schedule can name in a program (private to src/schedule).

#include <unordered_map>
#include <vector>

#include "schedule/schedule.h"

namespace lathe::schedule {

// The repeat or side of a when that an item stands in.
struct Around {
  Symbol label;  // none: the top
  bool otherwise = false;
  friend bool operator==(const Around&, const Around&) = default;
};

struct LabelledItem {
  Symbol label;
  NodeKind kind = NodeKind::Compute;            // Compute, Call, Repeat or When
  std::vector<Symbol> variables;                // its ranges, and the sweeps around it
  std::vector<std::pair<Symbol, bool>> sweeps;  // variable, forward
  Around around;
  Span span;

  bool has(Symbol variable) const;
};

class ProgramLabels {
 public:
  explicit ProgramLabels(const ir::Program& program);
  const std::vector<LabelledItem>& items() const { return items_; }  // in textual order
  const LabelledItem* find(Symbol label) const;

 private:
  void body(const ir::Body& items, Around around);
  void add(NodeKind kind, Symbol label, Span span, const std::vector<ir::Range>& ranges,
           Around around);

  std::vector<LabelledItem> items_;
  std::unordered_map<Symbol, std::size_t> by_label_;
  std::vector<std::pair<Symbol, bool>> sweeps_;
};

}  // namespace lathe::schedule
