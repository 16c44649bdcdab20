// SPDX-License-Identifier: Apache-2.0
#pragma once
// The parts of default_schedule() (private to src/schedule).

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/dependences.h"
#include "schedule/default_schedule.h"
#include "schedule/legal.h"

namespace lathe::schedule {

// Inlines cheap temporaries; the labels of what went, with the reason.
std::vector<std::pair<Symbol, std::string>> inline_cheap(ir::Program& program);

// A temporary that a loop keeps the last rows of.
struct Window {
  Symbol loop;
  std::int64_t depth = 0;
};

// The loops of all statements, fused where dependences allow it and arrays are shared.
struct LoopTree {
  std::vector<Node> body;
  std::map<Symbol, Window> windows;
  std::map<Symbol, std::vector<Bind>> ahead;  // statements that run ahead of their loops
};

// May temporaries roll along a shared loop? Single: those that are read in their own row alone, as
// offsets go.
enum class WindowChoice : std::uint8_t { None, Single, Chains };
struct LoopChoices {
  WindowChoice windows = WindowChoice::Chains;
  bool tiles = true;  // may accumulations get tiles in registers?
};
LoopTree build_loops(const ir::Program& program, const Machine& machine, const Dependences& known,
                     LoopChoices choices);

// Does resolve_legal() take this schedule of the program? For trials, where nobody reads why not.
bool is_legal(const ir::Program& program, const Schedule& s, const KnownProgram& known,
              analysis::SetQuery& query);

// Rows that are computed two at a time.
void jam_rows(const ir::Program& program, const Machine& machine, const KnownProgram& known,
              analysis::SetQuery& query, Schedule& s);

// What is asked for before it is read, where hardware does not see it coming.
void prefetch_rows(const ir::Program& program, Schedule& s);

// The loops of an accumulation that keeps a tile of its result in registers; nothing where that
// does not pay.
std::optional<std::vector<Node>> contraction_loops(const ir::Program& program,
                                                   const ir::Statement& statement,
                                                   const Machine& machine);
// The same with the statement that sets its target before and those that use the result point by
// point in one nest; the target lives in registers. All have the same variables.
std::optional<std::vector<Node>> fused_contraction(const ir::Program& program, Symbol init,
                                                   const ir::Statement& statement,
                                                   const std::vector<Symbol>& users,
                                                   const Machine& machine);

}  // namespace lathe::schedule
