// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which contents does each array have in the course of the program, and which of them may each
// statement see?
//
// An array has a version per statement that writes it, in textual order: `u.0`, `u.1`; what the
// caller gave is `u` itself. A read may see every version that some path from its writer leaves in
// place; a statement that writes every element, unguarded, leaves none of the earlier ones.

#include <string>
#include <vector>

#include "ir/program.h"

namespace lathe::analysis {

struct Version {
  std::string name;  // "u.0"; "u" for what the caller gave
  Symbol writer;     // the label of the statement, call or repeat (which rotates); none: given
  Span span;
};

struct ArrayVersions {
  Symbol array;
  std::vector<Version> versions;  // the given one first, if there is one
};

struct ReadVersions {
  Symbol label;  // the statement, or the item whose condition or bounds read
  Symbol array;
  std::vector<std::string> may_see;  // in the order of ArrayVersions
};

struct Versions {
  std::vector<ArrayVersions> arrays;  // in the order of the program
  std::vector<ReadVersions> reads;    // in textual order; one per statement and array

  const ArrayVersions* find(Symbol array) const;
  const ReadVersions* find_read(Symbol label, Symbol array) const;
};

Versions versions(const ir::Program& program);
// One line per array and per read.
std::string to_text(const Versions& v);

}  // namespace lathe::analysis
