// SPDX-License-Identifier: Apache-2.0
#pragma once
// Evaluation of lazy arrays: data and sizes bound, conditions checked, one kernel for all results.

#include <map>
#include <string>
#include <vector>

#include "api/call.h"
#include "frontend/array/lower.h"
#include "frontend/array/node.h"

namespace lathe::api {

struct ArrayBindings {
  std::map<std::string, ir::Scalar, std::less<>> values;  // of sizes and scalars
  std::map<std::string, ArrayRef, std::less<>> views;     // of inputs; with extents
};

struct ArrayEvalOptions {
  RunOptions run;
  bool checked = false, interpret = false;  // as in CompileOptions
  bool allow_unused = false;                // names that no array has may be given, too
};

// Where a result goes: memory of the caller's, or null data for memory of ours.
struct ArrayTarget {
  ArrayRef view;
};

// Inputs, scalars and sizes that have names and no values yet, in the order of the graph.
std::vector<std::string> open_names(const array::Nodes& arrays);

// Results as Data nodes, in the order of `outputs`. `targets` is empty, or one for each. Throws
// UserError; nothing is written then.
array::Nodes evaluate_arrays(const array::Nodes& outputs, const ArrayBindings& bindings,
                             const std::vector<ArrayTarget>& targets = {},
                             const ArrayEvalOptions& options = {});

// The program that evaluate_arrays() runs (the last one, if a mask needs several), and which arrays
// it stores and why. Sizes need not be bound.
struct ArrayExplanation {
  std::string program, stored;
};
ArrayExplanation explain_arrays(const array::Nodes& outputs, array::Storing storing);

// Memory for an array of that shape, dense.
std::shared_ptr<array::Storage> make_storage(ir::DType t, std::vector<std::int64_t> extents);

}  // namespace lathe::api
