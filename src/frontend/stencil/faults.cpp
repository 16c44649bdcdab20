// SPDX-License-Identifier: Apache-2.0
#include "frontend/stencil/faults.h"

namespace lathe::stencil {

Diagnostic in_the_users_words(const Diagnostic& said) {
  Diagnostic d = said;
  switch (said.kind) {
    case ErrorKind::Index:
      if (said.message.find(" reads ") == std::string::npos) break;
      // Other offsets are known, and the call was refused before it ran.
      d.help =
          "an index that is computed must name a level that the array has: keep it inside with min "
          "and max, or give a field more levels; temporaries have those of the domain";
      break;
    case ErrorKind::Division:
      d.help = "guard it: a % b if b != 0 else 0; without checking the result is 0";
      break;
    case ErrorKind::Power:
      d.help = "compute in floats: float(a) ** b; without checking the result is 0";
      break;
    default: break;
  }
  return d;
}

}  // namespace lathe::stencil
