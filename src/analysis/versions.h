// SPDX-License-Identifier: Apache-2.0
#pragma once
// Versions of arrays: one per statement that writes it, and one for the content a caller brings.
// Which versions may a statement see?

#include <map>
#include <set>
#include <string>
#include <vector>

#include "ir/program.h"

namespace lathe::analysis {

struct Version {
  Symbol array;
  int number =
      0;          // `u.0`, `u.1` ... in textual order; 0 is the caller's content where there is one
  Symbol writer;  // label; none for the caller's content
};

struct Use {
  Symbol reader;  // label of a statement, or of the item whose condition reads
  Symbol array;
  std::set<int> versions;  // that may be seen, at some point and in some iteration
};

struct Versions {
  std::vector<Version> versions;  // by array in the order of declaration, then by number
  std::vector<Use> uses;          // by reader in textual order
};

// Conservative: a write replaces what was there only if it is plain, has no guard, and covers the
// declared range; otherwise earlier versions may still be seen.
Versions versions(const ir::Program& program);

// For people:  u.0  given          v: reads u.0
std::string to_text(const Versions& v);

}  // namespace lathe::analysis
