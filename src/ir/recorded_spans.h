// SPDX-License-Identifier: Apache-2.0
#pragma once
// Spans that survive printing: `# @stencil.py:14:3+27` at the end of a line says where its item or
// array came from.

#include <string>

#include "ir/program.h"

namespace lathe::ir {

// file:line:column+bytes, of a known span.
std::string recorded_span(const SourceMap& sources, Span span);

// Items and arrays whose line carries such a comment get that place, if its file is one of the
// program's sources; others keep their own.
void adopt_recorded_spans(Program& program);

}  // namespace lathe::ir
