// SPDX-License-Identifier: Apache-2.0
// The recorded graph of every function, interpreted, has the bits of the row function.

#include "elementary/symbolic.h"

#include <gtest/gtest.h>

#include "property/expr_rows.h"
#include "property/special_values.h"
#include "rewrite/rules.h"

namespace lathe::elementary {
namespace {

using ir::DType;
using ir::Expr;
using ir::Op;
using testing::Row;

constexpr std::size_t kLanes = 6000;

std::vector<Op> elementary_operations() {
  std::vector<Op> ops;
  for (int i = 0; i < ir::kOpCount; ++i)
    if (has(static_cast<Op>(i), ir::kElementary)) ops.push_back(static_cast<Op>(i));
  return ops;
}

Row arguments(DType t, testing::Rng& rng) {
  Row row(t, kLanes);
  const auto special = testing::special_values(t);
  for (std::size_t i = 0; i < kLanes; ++i)
    row.set(i, i < special.size() * special.size() ? special[(i / special.size()) % special.size()]
                                                   : testing::random_value(t, rng));
  return row;
}

class Expansion : public ::testing::TestWithParam<DType> {};

TEST_P(Expansion, HasTheBitsOfTheFunction) {
  const DType t = GetParam();
  testing::Rng rng(6);
  for (Op op : elementary_operations()) {
    ir::Graph graph;
    ir::RawMaker raw(graph);
    rewrite::Simplifier simplifier(graph);
    std::vector<Expr> args;
    testing::Environment lanes;
    for (int i = 0; i < info(op).arity; ++i) {
      const std::string name(1, "xy"[i]);
      args.push_back(graph.param(graph.symbol(name), t));
      lanes.emplace(name, arguments(t, rng));
    }
    if (args.size() == 2) {  // all pairs of special values
      const auto special = testing::special_values(t);
      for (std::size_t i = 0; i < special.size() * special.size(); ++i)
        lanes.at("y").set(i, special[i % special.size()]);
    }
    const Expr call = graph.apply(op, t, args);
    const Row wanted = testing::evaluate(call, lanes, kLanes);
    for (ir::Maker* maker : {static_cast<ir::Maker*>(&raw), static_cast<ir::Maker*>(&simplifier)}) {
      const Expr graph_of_it = expand(*maker, call);
      ASSERT_NE(graph_of_it, nullptr) << info(op).name << " has no graph in expand_float*.cpp";
      ASSERT_EQ(graph_of_it->dtype, t);
      for (Expr e : ir::post_order(graph_of_it))
        ASSERT_FALSE(has(e->op, ir::kElementary)) << info(op).name << " uses " << info(e->op).name;
      const Row got = testing::evaluate(graph_of_it, lanes, kLanes);
      for (std::size_t i = 0; i < kLanes; ++i)
        ASSERT_EQ(to_text(wanted.at(i)), to_text(got.at(i)))
            << info(op).name << "(" << to_text(lanes.at("x").at(i))
            << (args.size() == 2 ? ", " + to_text(lanes.at("y").at(i)) : "") << ")";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Floats, Expansion,
                         ::testing::Values(DType::F32, DType::F64, DType::F16, DType::BF16),
                         [](const auto& info) { return std::string(name(info.param)); });

TEST(Expand, LeavesOtherOperationsAlone) {
  ir::Graph graph;
  ir::RawMaker raw(graph);
  const ir::Build build(raw);
  const Expr x = graph.param(graph.symbol("x"), DType::F64);
  const Expr n = graph.param(graph.symbol("n"), DType::I64);
  EXPECT_EQ(expand(raw, build.add(x, x)), build.add(x, x));
  EXPECT_EQ(expand(raw, build.op(Op::Pow, {n, n})), build.op(Op::Pow, {n, n}));
  EXPECT_EQ(expand(raw, build.op(Op::Sqrt, {x})), build.op(Op::Sqrt, {x}));
}

TEST(Expand, IsTheSameInEveryGraph) {
  std::uint64_t hash[2];
  for (int run = 0; run < 2; ++run) {
    ir::Graph graph;
    ir::RawMaker raw(graph);
    if (run == 1) graph.param(graph.symbol("another"), DType::F32);
    const Expr x = graph.param(graph.symbol("x"), DType::F64);
    hash[run] = expand(raw, graph.apply(Op::Sin, DType::F64, std::span(&x, 1)))->hash;
  }
  EXPECT_EQ(hash[0], hash[1]);
}

}  // namespace
}  // namespace lathe::elementary
