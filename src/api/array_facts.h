// SPDX-License-Identifier: Apache-2.0
#pragma once
// What an evaluation asks about arrays of its graph.

#include <vector>

#include "frontend/array/lower.h"

namespace lathe::api {

// Small whole numbers, halves and quarters belong to formulas. Any other float is a parameter of
// the kernel: a step width or a time that changes with each evaluation needs no other kernel.
bool is_changing_number(const array::Node& n);

// Elements of all results on the way, sums counted by what they add.
double work_of(const std::vector<const array::Node*>& order, const array::Sizes& sizes,
               const array::NodeSet& leaves);
// With less to do than this another thread takes longer to wake up than one alone to be done.
constexpr double kWorkOfThreads = 2e4;

// Row-major, without gaps.
bool is_dense(const array::Storage& s, ir::DType t);
void set_dense_strides(array::Storage& s, ir::DType t);

}  // namespace lathe::api
