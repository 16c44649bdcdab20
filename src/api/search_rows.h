// SPDX-License-Identifier: Apache-2.0
#pragma once
// Looking values up in a row, as the calls `searchsorted`, `searchsorted_right` and `contains` mean
// it (ir/calls.h). All arrays are dense and aligned. A result is the same for any number of
// threads.

#include <cstdint>

#include "ir/dtype.h"

namespace lathe::api {

// Elements of one dtype, one behind the other.
struct DenseRow {
  const char* data = nullptr;
  std::int64_t length = 0;
};

// For each wanted one the first place whose element is not before it; `behind`: that is behind it.
// A row that is not in order is searched in the interpreter's steps, so that its result is the
// same.
void search_row(ir::DType t, bool behind, DenseRow sorted, DenseRow wanted, std::int64_t* places,
                int threads);

// For each wanted one a byte: is it equal to an element of the row, in any order? NaN is not.
void find_in_row(ir::DType t, DenseRow row, DenseRow wanted, char* found, int threads);

}  // namespace lathe::api
