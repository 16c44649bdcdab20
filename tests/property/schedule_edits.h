// SPDX-License-Identifier: Apache-2.0
#pragma once
// One random change of a schedule tree, most of the time not a legal one. In three files: loops
// (edit_loops.cpp), places and data (edit_places.cpp), whole nests (edit_nests.cpp).

#include <map>
#include <vector>

#include "rng.h"
#include "schedule/schedule.h"

namespace lathe::testing {

// What an edit may want to know about the program.
struct EditFacts {
  explicit EditFacts(const ir::Program& prepared);

  const ir::Program& program;
  std::map<Symbol, const ir::Statement*> statements;               // by label, outside of groups
  std::vector<Symbol> arrays_read(const schedule::Node& n) const;  // by the statements below
  const ir::Array* temporary_of(const schedule::Node& n) const;    // that it writes; null: none
};

// A node of the tree, by the body that holds it, and the loops around it.
struct Spot {
  std::vector<schedule::Node>* body;
  std::size_t at;
  std::vector<const schedule::Node*> around;

  schedule::Node& node() const { return (*body)[at]; }
};
std::vector<Spot> all_spots(schedule::Schedule& s);

using Edit = void (*)(const EditFacts& facts, schedule::Schedule& s, Rng& rng);

// Loops.
void change_kind(const EditFacts&, schedule::Schedule&, Rng&);
void jam_loop(const EditFacts&, schedule::Schedule&, Rng&);
void tile_loop(const EditFacts&, schedule::Schedule&, Rng&);
void interchange(const EditFacts&, schedule::Schedule&, Rng&);
void fuse_loops(const EditFacts&, schedule::Schedule&, Rng&);
void split_loop(const EditFacts&, schedule::Schedule&, Rng&);
void swap_siblings(const EditFacts&, schedule::Schedule&, Rng&);
void shift_statement(const EditFacts&, schedule::Schedule&, Rng&);
// Places and data.
void change_place(const EditFacts&, schedule::Schedule&, Rng&);
void make_window(const EditFacts&, schedule::Schedule&, Rng&);
void add_copy(const EditFacts&, schedule::Schedule&, Rng&);
void add_prefetch(const EditFacts&, schedule::Schedule&, Rng&);
void lay_out(const EditFacts&, schedule::Schedule&, Rng&);
void work_in_place(const EditFacts&, schedule::Schedule&, Rng&);
// Nests.
void make_register_tile(const EditFacts&, schedule::Schedule&, Rng&);
void run_together(const EditFacts&, schedule::Schedule&, Rng&);
void spread_tree(const EditFacts&, schedule::Schedule&, Rng&);

}  // namespace lathe::testing
