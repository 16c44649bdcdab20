// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where all readers of a temporary took its value from the statement that computes it, in one loop
// body, nobody reads it from memory: its stores go, and it goes itself.
//
//   scratch s: f64[0..n]
//   for i in 0..n:                          for i in 0..n:
//     let t = 1 / u[i]                        let t = 1 / u[i]
//     s[i] = t                       ->       v[i] = t * u[i]
//     v[i] = t * u[i]

#include "ir/loops.h"

namespace lathe::lower {

void drop_unread(loops::Kernel& kernel);

}  // namespace lathe::lower
