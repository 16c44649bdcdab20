// SPDX-License-Identifier: Apache-2.0
#pragma once
// Inlining in a prepared program. Preparation has seen to it that no point of a statement reads
// what another one writes; inlining may bring such a read back, and is refused then:
//
//   for i in 0..n: r.before[i] = r[i]
//   for i in 0..n, k in 0..m: r[i] += r.before[i]     r.before must not become r[i]

#include "passes/passes.h"

namespace lathe::schedule {

passes::Outcome inline_prepared(const ir::Program& program, ir::Symbol temporary);

}  // namespace lathe::schedule
