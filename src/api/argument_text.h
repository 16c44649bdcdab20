// SPDX-License-Identifier: Apache-2.0
#pragma once
// How messages name an argument: output 'v'.

#include <string>

#include "api/signature.h"
#include "base/quoted.h"

namespace lathe::api {

inline std::string who(const ArgumentInfo& a) {
  return std::string(ir::name(a.role)) + " " + quoted(a.name);
}

}  // namespace lathe::api
