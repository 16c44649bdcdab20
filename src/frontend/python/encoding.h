// SPDX-License-Identifier: Apache-2.0
#pragma once
// The bytes of a Python file as UTF-8 text.
//
// A file says how it is encoded by a comment in its first two lines, `# -*- coding: latin-1 -*-`;
// without one it is UTF-8. UTF-8, ASCII and Latin-1 are understood.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/diagnostics.h"

namespace lathe::python {

// Adds a file to the map; Latin-1 becomes UTF-8 on the way. Every Python file should come through
// here, or a Latin-1 file is refused by the parser for its bytes. Never fails: what is wrong with
// the text is the parser's to report.
std::uint32_t add_source(SourceMap& sources, std::string name, std::string bytes);

// Reports what no Python source may contain: an encoding that we do not know, invalid UTF-8 and
// NUL. Answers whether the text is clean.
bool check_encoding(const SourceMap& sources, std::uint32_t file, Diagnostics& diagnostics);

// The part of it that concerns a piece of a file: invalid UTF-8 and NUL.
bool check_bytes(const SourceMap& sources, Span where, Diagnostics& diagnostics);

}  // namespace lathe::python
