// SPDX-License-Identifier: Apache-2.0
#pragma once
// Is this Program well formed? Every refusal names the statement, the array, and what to do.

#include "base/diagnostics.h"
#include "ir/program.h"

namespace lathe::ir {

// Checks, among others: names are declared once and used as what they are; ranks and dtypes agree;
// labels are unique; inputs, consts and parameters are not written, outputs are; ranges do not
// shadow; guards and conditions are bool; bounds and indices are integers; extents depend on sizes,
// or on integer scalars written before and not after; inner domains of a Branch or While begin
// with its variables; points of a Group are independent; accumulations have an operation that can
// accumulate, a legal order and matching dtypes; combiners are well typed; `when`, `until` and
// bounds of sweeps are scalars; temporaries are not read before anything wrote them; calls match
// their table. Reads and writes that are provably out of range or double are left to
// analysis/check_access.h.
bool verify(const Program& program, Diagnostics& diagnostics);

// For passes: throws InternalError naming `stage` with the first refusal and the program's text.
void verify_or_die(const Program& program, std::string_view stage);

}  // namespace lathe::ir
