// SPDX-License-Identifier: Apache-2.0
#pragma once
// Spans that survive printing: `# @stencil.py:14:3+27` at the end of a line says where its item or
// array came from.

#include <optional>
#include <string>
#include <string_view>

#include "ir/program.h"

namespace lathe::ir {

// file:line:column+bytes, of a known span.
std::string recorded_span(const SourceMap& sources, Span span);

// The place that such a comment names, if its file is one of the sources. `text` is without `# @`.
std::optional<Span> parse_recorded_span(const SourceMap& sources, std::string_view text);

// Items and arrays whose line carries such a comment get that place, if its file is one of the
// program's sources; others keep their own.
void adopt_recorded_spans(Program& program);

}  // namespace lathe::ir
