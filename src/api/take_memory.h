// SPDX-License-Identifier: Apache-2.0
#pragma once
// Memory during a call, for those who need nothing else of it.

#include <cstdint>

#include "device/host/memory.h"

namespace lathe::api {

// Throws Failure when there is none.
host::Block take_memory(std::int64_t bytes);

}  // namespace lathe::api
