// SPDX-License-Identifier: Apache-2.0
// Default labels: counted over the whole program first, because `u` becomes `u.0` when a later
// statement writes u again.

#include "ir/labels.h"

#include <unordered_map>

namespace lathe::ir {

std::vector<std::string> default_labels(const Body& body) {
  std::unordered_map<std::string_view, int> total, next;
  for_each_label(body, [&](std::string_view word, Symbol, bool) { ++total[word]; });
  std::vector<std::string> labels;
  for_each_label(body, [&](std::string_view word, Symbol, bool statement) {
    std::string label(word);
    const int k = next[word]++;
    if (!statement || total[word] > 1) label += "." + std::to_string(k);
    labels.push_back(std::move(label));
  });
  return labels;
}

void assign_default_labels(Program& program) {
  const std::vector<std::string> labels = default_labels(program.body);
  std::size_t k = 0;
  for_each_label(program.body, [&](std::string_view, Symbol& label, bool) {
    if (!label) label = program.graph->symbol(labels[k]);
    ++k;
  });
}

Expr version_copied(const Statement& s) {
  const auto is_made = [](Symbol name) { return name.text().find('.') != std::string_view::npos; };
  if (s.accumulate || s.values.size() != 1) return nullptr;
  const Expr value = s.values[0]->op == Op::Cast ? s.values[0]->arg(0) : s.values[0];
  const bool copied =
      value->op == Op::Read && (is_made(value->name) || is_made(s.targets[0].array));
  return copied ? value : nullptr;
}

}  // namespace lathe::ir
