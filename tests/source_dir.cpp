// SPDX-License-Identifier: Apache-2.0
#include "source_dir.h"

namespace lathe {

std::string source_dir() { return LATHE_SOURCE_DIR; }

}  // namespace lathe
