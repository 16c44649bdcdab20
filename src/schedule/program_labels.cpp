// SPDX-License-Identifier: Apache-2.0
#include "schedule/program_labels.h"

#include <algorithm>

namespace lathe::schedule {

bool LabelledItem::has(Symbol variable) const {
  return std::find(variables.begin(), variables.end(), variable) != variables.end();
}

ProgramLabels::ProgramLabels(const ir::Program& program) { body(program.body, {}); }

const LabelledItem* ProgramLabels::find(Symbol label) const {
  const auto found = by_label_.find(label);
  return found == by_label_.end() ? nullptr : &items_[found->second];
}

void ProgramLabels::add(NodeKind kind, Symbol label, Span span,
                        const std::vector<ir::Range>& ranges, Around around) {
  LabelledItem item{label, kind, {}, sweeps_, around, span};
  for (const auto& [variable, forward] : sweeps_) item.variables.push_back(variable);
  for (const ir::Range& r : ranges) item.variables.push_back(r.variable);
  by_label_.emplace(label, items_.size());
  items_.push_back(std::move(item));
}

// Branches, whiles and scans are gone when a program is scheduled; they are leaves here.
void ProgramLabels::body(const ir::Body& items, Around around) {
  for (const ir::Item& item : items)
    std::visit(
        [&](const auto& n) {
          using T = std::decay_t<decltype(n)>;
          if constexpr (std::is_same_v<T, ir::Sweep>) {
            sweeps_.emplace_back(n.range.variable, n.forward);
            body(n.body, around);
            sweeps_.pop_back();
          } else if constexpr (std::is_same_v<T, ir::Repeat>) {
            add(NodeKind::Repeat, n.label, n.span, {}, around);
            body(n.body, {n.label, false});
          } else if constexpr (std::is_same_v<T, ir::When>) {
            add(NodeKind::When, n.label, n.span, {}, around);
            body(n.then_body, {n.label, false});
            body(n.else_body, {n.label, true});
          } else if constexpr (std::is_same_v<T, ir::Call>) {
            add(NodeKind::Call, n.label, n.span, {}, around);
          } else if constexpr (std::is_same_v<T, ir::Scan>) {
            std::vector<ir::Range> ranges = n.statement.domain.ranges;
            ranges.push_back(n.range);
            add(NodeKind::Compute, n.statement.label, n.statement.span, ranges, around);
          } else {
            add(NodeKind::Compute, n.label, n.span, n.domain.ranges, around);
          }
        },
        item.node);
}

}  // namespace lathe::schedule
