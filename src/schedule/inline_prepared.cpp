// SPDX-License-Identifier: Apache-2.0
#include "schedule/inline_prepared.h"

#include <optional>
#include <set>
#include <vector>

#include "base/quoted.h"
#include "ir/program_walk.h"
#include "ir/text.h"
#include "passes/rebuild.h"

namespace lathe::schedule {
namespace {

using ir::Symbol;

// Statements that read what they write themselves, and the arrays.
std::set<std::pair<Symbol, Symbol>> own_reads(const ir::Program& program) {
  std::set<std::pair<Symbol, Symbol>> found;
  ir::for_each_statement(program.body, [&](const ir::Statement& s) {
    for (const ir::Target& t : s.targets)
      for (ir::Expr e : passes::expressions(s))
        if (passes::reads_array(e, t.array)) found.insert({s.label, t.array});
  });
  return found;
}

// Do both programs have the statement as it is?
bool same_statement(const ir::Program& a, const ir::Program& b, Symbol label) {
  const auto find = [&](const ir::Program& program) {
    std::pair<std::vector<ir::Target>, std::vector<ir::Expr>> found;
    ir::for_each_statement(program.body, [&](const ir::Statement& s) {
      if (s.label == label) found = {s.targets, passes::expressions(s)};
    });
    return found;
  };
  return find(a) == find(b);
}

}  // namespace

passes::Outcome inline_prepared(const ir::Program& program, Symbol temporary) {
  passes::Outcome outcome = passes::inline_temporary(program, temporary);
  const auto* inlined = std::get_if<ir::Program>(&outcome);
  if (!inlined) return outcome;
  const auto before = own_reads(program);
  std::optional<ir::Program> separated;
  for (const auto& pair : own_reads(*inlined)) {
    if (before.count(pair)) continue;
    if (!separated) separated = passes::separate_overlaps(*inlined);
    if (same_statement(*separated, *inlined, pair.first)) continue;
    return passes::Refusal{"then a point of " + quoted(pair.first) +
                               " would read what another one has written to " + quoted(pair.second),
                           {},
                           {}};
  }
  return outcome;
}

}  // namespace lathe::schedule
