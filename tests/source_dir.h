// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where the repository lies: tests read their cases, the examples and the documents from it.

#include <string>

namespace lathe {

std::string source_dir();

}  // namespace lathe
