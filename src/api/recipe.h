// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a call needs to know of a kernel that was made before, in this process or another: which
// kept kernel it is, and the plan of its calls. With it a program that was compiled once is neither
// scheduled nor lowered again.
//
//   recipe 1
//   kernel 9f86d081884c7d65...            its key in the cache
//   bodies 2
//   slot argument 0 2 f64 u               where from, number of the argument, rank
//   slot scratch - 2 f64 lap
//   scratch 1 8 0 | 0 1 | c0 | p0 | c0 | p1     slot, bytes, place | order | lo and hi of each axis
//   places 1
//   end 2c26b46b68ffc68f...               of all lines before

#include <optional>
#include <string>
#include <string_view>

#include "api/plan.h"
#include "emit/c/emit.h"

namespace lathe::api {

struct Recipe {
  std::string kernel;
  CallPlan plan;
  emit::EmitResult code;  // arrays and bodies; no text
};

// Nothing where the plan holds more than text can say: operations on whole arrays, bounds that are
// no formulas.
std::optional<std::string> print_recipe(const std::string& kernel, const CallPlan& plan,
                                        const emit::EmitResult& code);
// Names get symbols of the graph. Nothing for a text that is damaged or does not fit the signature.
std::optional<Recipe> parse_recipe(std::string_view text, const Signature& signature,
                                   ir::Graph& graph);

// Of the program that runs, whatever file it came from: recipes of another build are not read.
std::string build_identity();

}  // namespace lathe::api
