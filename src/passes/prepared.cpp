// SPDX-License-Identifier: Apache-2.0
// The form of a prepared program, item by item. That no point reads what another one writes is not
// looked at here: separate_overlaps finds nothing to do in its own results, which tests check.

#include "base/quoted.h"
#include "ir/rounds.h"
#include "passes/passes.h"
#include "passes/rebuild.h"

namespace lathe::passes {
namespace {

std::string kind_left(const Item& item) {
  if (std::holds_alternative<ir::Branch>(item.node)) return "a branch";
  if (std::holds_alternative<ir::While>(item.node) && !ir::as_rounds(item)) return "a while";
  if (std::holds_alternative<ir::Scan>(item.node)) return "a scan";
  return "";
}

std::string accumulation_left(const ir::Statement& s) {
  if (!s.accumulate) return "";
  if (s.accumulate->fresh) return "a fresh accumulation";
  const bool tuple = static_cast<bool>(s.accumulate->combiner);
  if (!tuple && s.values[0]->dtype != s.accumulate->dtype)
    return "an accumulation with an accumulator wider than its target";
  return "";
}

}  // namespace

std::string why_unprepared(const ir::Body& body) {
  std::string found;
  const auto note = [&](Symbol label, const std::string& what) {
    if (found.empty() && !what.empty()) found = quoted(label) + " is " + what;
  };
  for (const Item& item : body) {
    note(label_of(item), kind_left(item));
    ir::for_each_body(item, [&](const Body& inner) {
      if (found.empty()) found = why_unprepared(inner);
    });
    ir::for_each_statement({item},
                           [&](const ir::Statement& s) { note(s.label, accumulation_left(s)); });
  }
  return found;
}

}  // namespace lathe::passes
