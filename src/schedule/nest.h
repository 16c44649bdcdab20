// SPDX-License-Identifier: Apache-2.0
#pragma once
// A schedule joined with its program: every statement below its loops, every temporary with the
// loop that its storage belongs to. What legal() judges and lower() turns into Loops.
//
// Resolving applies the decisions that have a mechanism on Programs: temporaries that live nowhere
// are inlined (passes/), variables of statements are renamed to the loops they are bound to, arrays
// that take over another's storage become one with it. Then
// every statement gets the loops that the tree leaves out: below, each of its variables has a loop
// over its points (of a statement on demand: inside of its storage's scope).

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "schedule/schedule.h"

namespace lathe::schedule {

using ir::Expr;

// A statement or group in the tree, or a while whose points do not meet (ir/rounds.h).
struct Leaf {
  const Node* node = nullptr;
  Symbol label;
  const ir::Group* group = nullptr;         // null: one statement
  const ir::While* rounds = nullptr;        // its lines run again as long as the condition holds
  std::vector<const ir::Statement*> lines;  // one, or those of the group
  std::vector<ir::Range> ranges;            // all its variables: of sweeps around, then its own
  std::vector<const ir::Sweep*> sweeps;     // around it; ranges begins with theirs
  Expr guard = nullptr;                     // of the domain, and of rounds; null: none
  std::vector<const Node*> path;            // loops and control nodes around it, outermost first
  Span span;
  // On demand: the storage of what it writes belongs to the iteration of path[scope - 1].
  bool on_demand = false;
  std::size_t scope = 0;

  std::span<const ir::Range> own_ranges() const;  // without the sweeps'
  std::int64_t shift(Symbol variable) const;      // 0 unless bound otherwise
  const ir::Range* range(Symbol variable) const;  // null: no such variable
  bool is_sweep(Symbol variable) const;
};

// Where a temporary lives that is not whole.
struct Storage {
  Place place;
  std::size_t scope = 0;              // nodes around it, of the paths of all who touch it
  std::vector<const Node*> path;      // those nodes
  const Node* window_loop = nullptr;  // Window: the loop it rolls along, path.size() deep
};

struct Nest {
  ir::Program program;       // temporaries inlined, variables renamed
  bool unchanged = true;     // nothing was inlined or renamed
  std::vector<Node> body;    // the schedule's tree without the statements that live nowhere
  std::vector<Leaf> leaves;  // in tree order
  std::map<const Node*, std::size_t> leaf_of;
  std::map<Symbol, Storage> storage;  // private temporaries; all other arrays are whole
  std::map<Symbol, std::vector<std::size_t>> layouts;  // axes in memory, where not as declared
  std::map<Symbol, const ir::Item*> items;             // calls, whens, repeats by label
  std::map<const Node*, Symbol> variables;             // of loops: no two on one path have the same

  // Arrays that have been taken over, by the statement and the read (null: its write) that used
  // this name: errors of the program are told in the names of its author.
  std::map<std::pair<Symbol, Expr>, Symbol> former;

  const Storage* find_storage(Symbol array) const;
  Symbol called(Symbol label, Expr read, Symbol array) const;  // its former name there, or its name
  Span span_of(Symbol label) const;                            // of the statement
};

bool is_tile_loop(const Node& n);  // runs over tiles; a loop below runs the points
bool is_point_loop(const Node& n);
// Point by point, one iteration after the other.
inline bool runs_in_order(const Node& n) {
  return is_point_loop(n) && (n.kind == NodeKind::For || n.kind == NodeKind::Jam ||
                              n.kind == NodeKind::Forward || n.kind == NodeKind::Backward);
}

// Throws UserError, with the place in the lockfile, when the tree does not fit the program: a
// statement missing, twice, outside of its repeat or sweep, below loops it has no variable for; a
// place that the mechanism refuses, with its reason.
std::unique_ptr<Nest> resolve(const ir::Program& program, const Schedule& schedule);

}  // namespace lathe::schedule
