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
          "an index that is computed must name a level of the domain, or one that a constant "
          "offset of the stencil reaches: keep it inside with min and max";
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
