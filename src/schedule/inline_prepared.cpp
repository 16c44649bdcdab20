// SPDX-License-Identifier: Apache-2.0
#include "schedule/inline_prepared.h"

#include <set>

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

}  // namespace

passes::Outcome inline_prepared(const ir::Program& program, Symbol temporary) {
  passes::Outcome outcome = passes::inline_temporary(program, temporary);
  const auto* inlined = std::get_if<ir::Program>(&outcome);
  if (!inlined) return outcome;
  const auto before = own_reads(program);
  for (const auto& pair : own_reads(*inlined)) {
    if (before.count(pair) || ir::same_program(passes::separate_overlaps(*inlined), *inlined))
      continue;
    return passes::Refusal{"then a point of " + quoted(pair.first) +
                               " would read what another one has written to " + quoted(pair.second),
                           {},
                           {}};
  }
  return outcome;
}

}  // namespace lathe::schedule
