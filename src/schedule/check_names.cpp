// SPDX-License-Identifier: Apache-2.0
// What the names of a lockfile mean in its program.

#include <algorithm>

#include "base/nearest_name.h"
#include "base/quoted.h"
#include "schedule/schedule_parser.h"

namespace lathe::schedule {
namespace {

std::string_view noun(NodeKind kind) {
  switch (kind) {
    case NodeKind::Call: return "call";
    case NodeKind::Repeat: return "repeat";
    case NodeKind::When: return "when";
    default: return "statement";
  }
}

std::string usage(const LabelledItem& item) {
  const std::string label(item.label.text());
  switch (item.kind) {
    case NodeKind::Call: return "write call " + label;
    case NodeKind::Repeat: return "write repeat " + label + ":";
    case NodeKind::When: return "write when " + label + ":";
    default: return "write " + label + " alone";
  }
}

}  // namespace

Diagnostic& ScheduleParser::name_error(Span where, std::string message) {
  return name_errors_.emplace_back(Diagnostic{Severity::Error, std::move(message), where, {}, {}});
}

// The item of that label; reports one that is unknown, of another kind, listed before, or not in
// the repeat or when that it stands in.
const LabelledItem* ScheduleParser::labelled(const Token& token, NodeKind kind) {
  const Symbol label = program_.graph->symbol(token.text);
  const LabelledItem* item = labels_.find(label);
  const std::string what(noun(kind));
  if (item == nullptr) {
    NearestName near(token.text);
    for (const LabelledItem& i : labels_.items())
      if (i.kind == kind) near.consider(i.label.text());
    Diagnostic& d =
        name_error(span(token), "the program has no " + what + " " + quoted(token.text));
    d.help = near.help();
    complete_ = false;  // which one is meant, and what it has, cannot be known
    return nullptr;
  }
  if (item->kind != kind) {
    name_error(span(token),
               quoted(token.text) + " is a " + std::string(noun(item->kind)) + ", not a " + what)
        .help = usage(*item);
    complete_ = false;
    return nullptr;
  }
  if (const auto [before, added] = listed_.emplace(label, span(token)); !added) {
    name_error(span(token), what + " " + quoted(token.text) + " is listed twice")
        .note("it stands here already", before->second);
    return item;
  }
  if (!(item->around == around_.back())) {
    Diagnostic& d = name_error(span(token), what + " " + quoted(token.text) +
                                                " stands in another block than in the program");
    d.note("the program has it here", item->span);
    if (item->around.label)
      d.help = "move it into " + std::string(item->around.otherwise ? "the 'else' of " : "") +
               quoted(item->around.label.text());
    else
      d.help = "move it out of " + quoted(around_.back().label.text());
  }
  if (kind == NodeKind::Compute) leaves_.push_back(item);
  return item;
}

void ScheduleParser::check_bind(const LabelledItem* item, const Token& variable,
                                const Token& loop) {
  if (item != nullptr && !item->has(program_.graph->symbol(variable.text))) {
    NearestName near(variable.text);
    for (const Symbol v : item->variables) near.consider(v.text());
    name_error(span(variable),
               quoted(item->label.text()) + " has no variable " + quoted(variable.text))
        .help = near.help();
  }
  if (item != nullptr) check_loop_around(loop, item->label);
}

void ScheduleParser::check_loop_around(const Token& loop, Symbol label) {
  const Symbol variable = program_.graph->symbol(loop.text);
  NearestName near(loop.text);
  for (const Node* n : loops_) {
    if (n->name == variable) return;
    near.consider(n->name.text());
  }
  name_error(span(loop),
             "there is no loop over " + quoted(loop.text) + " around " + quoted(label.text()))
      .help = near.help();
}

// A loop is named after a variable of a statement below it; the loop of a sweep after the sweep's.
void ScheduleParser::check_variable(const Node& loop, Span where, std::size_t first_leaf) {
  if (!complete_) return;
  NearestName near(loop.name.text());
  const bool forward = loop.kind == NodeKind::Forward;
  const bool sweep = forward || loop.kind == NodeKind::Backward;
  bool other_way = false;
  for (std::size_t l = first_leaf; l < leaves_.size(); ++l) {
    const LabelledItem& item = *leaves_[l];
    if (!sweep && item.has(loop.name)) return;
    for (const auto& [variable, is_forward] : item.sweeps) {
      if (!sweep) break;
      if (variable == loop.name && is_forward == forward) return;
      other_way = other_way || variable == loop.name;
      near.consider(variable.text());
    }
    if (!sweep)
      for (const Symbol v : item.variables) near.consider(v.text());
  }
  const std::string name = quoted(loop.name.text());
  if (sweep && other_way)
    name_error(where, "the sweep over " + name + " runs " + (forward ? "backward" : "forward"))
        .help = "its order is meaning: no schedule can turn it";
  else if (sweep)
    name_error(where, "no statement below stands in a sweep over " + name).help =
        near.help("write for " + std::string(loop.name.text()));
  else
    name_error(where, "no statement below has the variable " + name).help = near.help();
}

void ScheduleParser::check_all_listed() {
  std::vector<const LabelledItem*> missing;
  for (const LabelledItem& item : labels_.items())
    if (!listed_.contains(item.label)) missing.push_back(&item);
  for (const LabelledItem* item : missing) {
    name_error(lines_.program_span, "the schedule lacks " + std::string(noun(item->kind)) + " " +
                                        quoted(item->label.text()))
        .note("the program has it here", item->span);
  }
}

const ir::Array* ScheduleParser::array(const Token& token) {
  const ir::Array* found = program_.find_array(program_.graph->symbol(token.text));
  if (found != nullptr) return found;
  NearestName near(token.text);
  for (const ir::Array& a : program_.arrays) near.consider(a.name.text());
  name_error(span(token), "the program has no array " + quoted(token.text)).help = near.help();
  return nullptr;
}

}  // namespace lathe::schedule
