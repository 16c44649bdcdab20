// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sorting along rows in memory, as the calls `sort` and `argsort` mean it (ir/calls.h): stable, -0
// before +0, NaN last. A result is the same for any number of threads.

#include <cstdint>

#include "ir/dtype.h"

namespace lathe::api {

// One row of the operand and one of the result; steps in bytes. They may be the same row.
struct SortedRow {
  const char* from = nullptr;
  std::int64_t from_step = 0;
  char* to = nullptr;
  std::int64_t to_step = 0;
  std::int64_t length = 0;
};

// The elements in order; NaNs become the canonical one. threads as in CallOptions.
void sort_row(ir::DType t, const SortedRow& row, int threads);

// Positions of the elements in order, i64.
void argsort_row(ir::DType t, const SortedRow& row, int threads);

}  // namespace lathe::api
