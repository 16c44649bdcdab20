// SPDX-License-Identifier: Apache-2.0
#pragma once
// What goes wrong while a stencil runs is told by the interpreter, or by a kernel, in the words of
// .lathe programs. What to do about it is another thing in GTScript.

#include "frontend/stencil/stencil.h"

namespace lathe::stencil {

Diagnostic in_the_users_words(const Diagnostic& said, const Info& info);

}  // namespace lathe::stencil
