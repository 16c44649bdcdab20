// SPDX-License-Identifier: Apache-2.0
#pragma once
// Names in messages: 'lap'.

#include <string>

#include "base/symbol.h"

namespace lathe {

inline std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }
inline std::string quoted(Symbol name) { return quoted(name.text()); }

}  // namespace lathe
