// SPDX-License-Identifier: Apache-2.0
// Simplifying random expressions: no bit changes, nothing grows, twice is the same as once.

#include <gtest/gtest.h>

#include "random_expr.h"
#include "rewrite/rules.h"

namespace lathe::testing {
namespace {

using ir::DType;
using ir::Expr;
using ir::Op;

std::size_t operation_count(Expr e) {
  std::size_t count = 0;
  for (Expr node : ir::post_order(e)) count += node->args().empty() ? 0 : 1;
  return count;
}

std::string numbers(Expr e) {
  std::string text;
  std::unordered_map<Expr, std::size_t> number;
  for (Expr node : ir::post_order(e)) {
    number.emplace(node, number.size());
    text += "\n  %" + std::to_string(number[node]) + ": " + std::string(name(node->dtype)) + " = " +
            std::string(info(node->op).name);
    if (ir::is_const(node)) text += " " + to_text(node->scalar());
    if (node->op == Op::Param) text += " " + std::string(node->name.text());
    for (Expr arg : node->args()) text += " %" + std::to_string(number[arg]);
  }
  return text;
}

TEST(Simplify, KeepsEveryBitNeverGrowsAndIsIdempotent) {
  constexpr int kExpressions = 20000;
  constexpr std::size_t kLanes = 64;
  std::size_t before = 0, after = 0;
  for (int i = 0; i < kExpressions; ++i) {
    Rng rng(static_cast<std::uint64_t>(i));
    ir::Graph graph;
    ir::RawMaker raw(graph);
    RandomExprOptions options;
    options.operations = static_cast<int>(rng.between(5, 60));
    if (i % 2 == 0)  // few dtypes: operations meet more often
      options.dtypes = {static_cast<DType>(rng.below(ir::kDTypeCount)), DType::Bool};
    const DType t = rng.pick(
        options.dtypes.empty() ? std::vector{DType::F64, DType::I32, DType::Bool} : options.dtypes);
    const Expr e = random_expr(raw, rng, t, options);
    rewrite::Simplifier simplifier(graph);
    const Expr simple = simplifier.simplify(e);
    ASSERT_EQ(simple->dtype, e->dtype);
    before += operation_count(e);
    after += operation_count(simple);
    ASSERT_LE(operation_count(simple), operation_count(e)) << "seed " << i << numbers(e);
    rewrite::Simplifier again(graph);
    ASSERT_EQ(again.simplify(simple), simple) << "seed " << i << numbers(simple);
    const Environment lanes = random_parameters(rng, kLanes, options);
    const Row wanted = evaluate(e, lanes, kLanes), got = evaluate(simple, lanes, kLanes);
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      ASSERT_EQ(wanted.at(lane), got.at(lane))
          << "seed " << i << numbers(e) << "\nsimplified" << numbers(simple);
  }
  EXPECT_LT(after, before);
}

TEST(Simplify, AlgebraicNeverGrowsAndIsIdempotent) {
  for (int i = 0; i < 2000; ++i) {
    Rng rng(static_cast<std::uint64_t>(i));
    ir::Graph graph;
    ir::RawMaker raw(graph);
    RandomExprOptions options;
    options.dtypes = {DType::F64, DType::Bool};
    options.operations = static_cast<int>(rng.between(5, 60));
    const Expr e = random_expr(raw, rng, DType::F64, options);
    rewrite::Simplifier simplifier(graph, true), again(graph, true);
    const Expr simple = simplifier.simplify(e);
    ASSERT_LE(operation_count(simple), operation_count(e)) << "seed " << i << numbers(e);
    ASSERT_EQ(again.simplify(simple), simple) << "seed " << i << numbers(simple);
  }
}

TEST(Simplify, IsTheSameInEveryGraph) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::uint64_t hash[2];
    for (int run = 0; run < 2; ++run) {
      Rng rng(seed);
      ir::Graph graph;
      if (run == 1) graph.param(graph.symbol("another"), DType::F32);  // other ids, other addresses
      ir::RawMaker raw(graph);
      rewrite::Simplifier simplifier(graph);
      hash[run] = simplifier.simplify(random_expr(raw, rng, DType::F64))->hash;
    }
    ASSERT_EQ(hash[0], hash[1]) << "seed " << seed;
  }
}

TEST(Simplify, WhatIsMadeIsSimple) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    ir::Graph graph;
    rewrite::Simplifier simplifier(graph);
    Rng rng(seed);
    const Expr simple = random_expr(simplifier, rng, DType::F64);
    ASSERT_EQ(simplifier.simplify(simple), simple) << "seed " << seed << numbers(simple);
  }
}

}  // namespace
}  // namespace lathe::testing
