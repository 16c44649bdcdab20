// SPDX-License-Identifier: Apache-2.0
#pragma once
// From arrays to a Program: which nodes are stored, and one statement for each of those. Everything
// else is written into the statements that read it.
//
//   k = A @ x;  C = outer(sin(k), cos(k))
// =>
//   for i in 0..n: k[i] = contract j in 0..n: (A[i, j], x[j])
//   for i in 0..n, j in 0..n: c[i, j] = sin(k[i]) * cos(k[j])

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "frontend/array/sizes.h"
#include "ir/program.h"

namespace lathe::array {

// Inputs of one name and another dtype or shape.
[[noreturn]] void refuse_two_inputs(const Node& a, const Node& b);

enum class Storing {
  PinsOnly,    // document 003: flattened, but for pin_cse()
  Reductions,  // and reductions, scans and gathers that are needed twice or in a loop around them
  Everything,  // and elementary functions of data: what eval() does
};

struct Decision {
  const Node* node;
  std::string array;   // its name in the program
  std::string reason;  // "it is read by 2 others"
};

// All nodes that these need, operands first. Nodes of `leaves` count as arrays that are there.
using NodeSet = std::unordered_set<const Node*>;
std::vector<const Node*> in_order(const Nodes& outputs, const NodeSet& leaves = {});

// A gather along one axis at the positions where a mask of that axis is set: never out of range.
bool finds_itself(const Node& gather, const Sizes& sizes);

// Is an axis of a factor with this label and length read at 0, whatever the index of its label is?
// One of length 1 that meets another length: the result's, or, when it is summed over, that of
// another factor. Kernels differ by the answer.
bool is_spread(const Node& contraction, std::int64_t label, const Dim& length, const Sizes& sizes);

// Which nodes of `order` get an array of their own, with the reason.
struct StoragePlan {
  std::vector<std::pair<const Node*, std::string>> stored;  // in the order of `order`
};
StoragePlan plan_storage(const std::vector<const Node*>& order, const Nodes& outputs,
                         const Sizes& sizes, const NodeSet& leaves, Storing storing);

struct Lowered {
  ir::Program program;
  // Parameters of the program: sizes by their Dim, and scalars by their leaf.
  std::vector<std::pair<std::string, Dim>> sizes;
  std::vector<std::pair<std::string, const Node*>> scalars;
  std::vector<std::pair<std::string, const Node*>> inputs;  // arrays
  std::vector<std::string> outputs;
  std::vector<Decision> decisions;
  // With keep_pins: elements of arrays that pin() keeps, as statements read them.
  struct PinnedElement {
    ir::Expr read, value;
  };
  std::vector<PinnedElement> pinned;
};

struct LowerOptions {
  Storing storing = Storing::Everything;
  NodeSet leaves;
  std::string program_name = "array";
  std::vector<std::string> output_names;  // as many as outputs; none: out0, out1 ...
  std::string stored_stem = "t";          // names of other stored arrays begin with it
  // Arrays that pin() keeps stay reads, for listings. Otherwise an element that is used twice at
  // one index is one expression anyway, which is what pin() asks for.
  bool keep_pins = false;
};
Lowered to_program(const Nodes& outputs, const Sizes& sizes, const LowerOptions& options = {});

}  // namespace lathe::array
