// SPDX-License-Identifier: Apache-2.0
#include "lower/range_tests.h"

#include "base/diagnostics.h"

namespace lathe::lower {

using ir::Expr;

std::vector<Expr> range_tests(ir::Maker& maker, std::span<const ir::Axis> axes,
                              std::span<const Expr> indices) {
  check(axes.size() == indices.size(), "an element with as many indices as its buffer has axes");
  const ir::Build build(maker);
  std::vector<Expr> tests;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    tests.push_back(build.le(axes[axis].lo, indices[axis]));
    tests.push_back(build.lt(indices[axis], axes[axis].hi));
  }
  return tests;
}

Expr conjunction(ir::Maker& maker, std::span<const Expr> tests) {
  const ir::Build build(maker);
  Expr all = nullptr;
  for (Expr test : tests) all = all ? build.logical_and(all, test) : test;
  return all ? all : build.boolean(true);
}

}  // namespace lathe::lower
