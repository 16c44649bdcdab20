// SPDX-License-Identifier: Apache-2.0
#pragma once
// The lines of a lockfile that are not the tree: its header and its fingerprints (private to
// src/schedule). Machines and hashes are no tokens of the language, so these lines are read by
// themselves.

#include <string>
#include <vector>

#include "schedule/schedule.h"

namespace lathe::schedule {

struct LockfileLines {
  std::string program, machine;
  Span program_span;  // of the name; the place for messages about the whole file
  std::vector<Fingerprint> parts;
  std::vector<Span> part_spans;
  std::string tree;  // the text with all other lines blank: the same offsets
};

// Reports a header that is missing or wrong and fingerprints that are none.
LockfileLines read_lines(std::uint32_t file, const std::string& text, Diagnostics& diagnostics);

// Reports, as one error, what differs between the fingerprints and the program; true if nothing.
bool check_fresh(const LockfileLines& lines, const ir::Program& program, Diagnostics& diagnostics);

}  // namespace lathe::schedule
