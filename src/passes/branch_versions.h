// SPDX-License-Identifier: Apache-2.0
#pragma once
// The versions that split_conditionals gives to the arrays of a branch: t.if holds what one side
// makes of t, until the commit.
//
// A version holds what the branch touches: axes along which every access in the branch stands at
// one index that the branch does not vary (the k of a sweep) are left out, and when every access
// stands at the branch's own point, it has the branch's domain.

#include <vector>

#include "passes/rebuild.h"

namespace lathe::passes {

struct Version {
  Symbol original;
  Symbol name;  // given when it is declared
  ir::DType dtype;
  std::vector<std::size_t> axes;   // of the original, those that the version keeps
  std::vector<Expr> fixed;         // per axis of the original: the one index, where left out
  std::vector<ir::Axis> declared;  // its own
  bool at_point = false;           // every access is at the branch's own point
  bool set_first = false;          // every point writes it before anything is read: no copy needed
};

// The version that one side of the branch needs of an array that it touches; not named yet.
Version plan_version(ir::Graph& graph, const ir::Branch& branch, const Body& side,
                     const ir::Array& array);

// Null when the array has no version.
const Version* find_version(const std::vector<Version>& versions, Symbol array);

// Indices of the original, as indices of the version.
std::vector<Expr> version_indices(const Version& version, std::span<const Expr> indices);

// Reads of versioned arrays go to the versions.
Expr on_versions(ir::Graph& graph, const std::vector<Version>& versions, Expr e);

// The variables of a domain as indices, and its ranges as axes.
std::vector<Expr> point(ir::Graph& graph, const ir::Domain& domain);
std::vector<ir::Axis> axes_of(const ir::Domain& domain);

}  // namespace lathe::passes
