// SPDX-License-Identifier: Apache-2.0
// Document 003's pictures: the listing of an array that is flattened into one instruction, with
// pinned arrays before it, and the loop domain as a tree of sets.

#include <algorithm>
#include <map>
#include <set>

#include "frontend/array/lower.h"
#include "frontend/array/print.h"
#include "ir/domain.h"
#include "ir/text.h"

namespace lathe::array {

std::string listing(const NodeRef& array) {
  LowerOptions options;
  options.storing = Storing::PinsOnly;
  options.output_names = {"c"};
  return ir::print(to_program({array}, Sizes(), options).program);
}

std::string domain_tree(const NodeRef& array) {
  LowerOptions options;
  options.storing = Storing::PinsOnly;
  const Lowered lowered = to_program({array}, Sizes(), options);
  std::vector<ir::SetExpr> parts;
  std::vector<std::string> taken;
  ir::for_each_statement(lowered.program.body, [&](const ir::Statement& s) {
    parts.push_back(ir::to_set(s.domain, &lowered.program));
  });
  std::reverse(parts.begin(), parts.end());  // the array itself first
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) parts[i] = parts[i].duplicate(taken);
    for (const std::string& v : parts[i].variables()) taken.push_back(v);
  }
  return ir::to_tree(ir::SetExpr::unite(parts)) + "\n";
}

}  // namespace lathe::array
