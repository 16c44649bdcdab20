// SPDX-License-Identifier: Apache-2.0
#pragma once
// What goes wrong while a stencil runs is told by the interpreter, or by a kernel, in the words of
// .lathe programs. What to do about it is another thing in GTScript.

#include "base/diagnostics.h"

namespace lathe::stencil {

Diagnostic in_the_users_words(const Diagnostic& said);

// What `work` throws to its caller, in the user's words.
template <class Work>
auto with_the_users_words(Work work) {
  try {
    return work();
  } catch (const UserError& e) {
    throw UserError(in_the_users_words(e.diagnostic()));
  }
}

}  // namespace lathe::stencil
