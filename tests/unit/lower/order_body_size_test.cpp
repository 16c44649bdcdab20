// SPDX-License-Identifier: Apache-2.0
// Bodies of 100,000 operations: the time of these tests is what ordering them costs.

#include <gtest/gtest.h>

#include "ir/build.h"
#include "lower/order_body.h"

namespace lathe::lower {
namespace {

using ir::DType;
using ir::Expr;
using ir::Op;

struct OrderBodySize : ::testing::Test {
  ir::Graph graph;
  ir::RawMaker maker{graph};
  ir::Build build{maker};
  Expr i = build.index("i");

  Expr read(const char* name, std::int64_t k) {
    return build.read(graph.symbol(name), DType::F64, {build.add(i, build.integer(k))},
                      ir::Policy::Trusted);
  }
  Task store(const char* name, std::int64_t k, Expr value) {
    Task task;
    task.target = graph.symbol(name);
    task.indices = {build.add(i, build.integer(k))};
    task.value = value;
    return task;
  }
};

TEST_F(OrderBodySize, AChainOfOperations) {
  Expr e = read("u", 0);
  for (int k = 0; k < 50'000; ++k) e = build.add(build.mul(e, e), read("u", k % 1000));
  EXPECT_GT(order_body(maker, {store("v", 0, e)}, {}).size(), 50'000u);
}

TEST_F(OrderBodySize, AWideSum) {
  std::vector<Expr> terms;
  for (int k = 0; k < 25'000; ++k) terms.push_back(build.mul(read("u", k), read("w", k)));
  while (terms.size() > 1) {
    std::vector<Expr> sums;
    for (std::size_t k = 0; k + 1 < terms.size(); k += 2)
      sums.push_back(build.add(terms[k], terms[k + 1]));
    if (terms.size() % 2 == 1) sums.push_back(terms.back());
    terms = sums;
  }
  EXPECT_GT(order_body(maker, {store("v", 0, terms[0])}, {}).size(), 5'000u);
}

TEST_F(OrderBodySize, ManyTasksWithSharedOperations) {
  std::vector<Task> tasks;
  Expr e = read("u", 0);
  for (int k = 0; k < 20'000; ++k) {
    e = build.add(build.mul(e, read("v", k - 1)), read("w", (k * 7919) % 20'000));
    tasks.push_back(store("v", k, build.sub(e, build.mul(e, read("u", k)))));
  }
  EXPECT_GE(order_body(maker, tasks, {}).size(), 20'000u);
}

TEST_F(OrderBodySize, ManyConditions) {
  std::vector<Task> tasks;
  Expr e = read("u", 0);
  for (int k = 0; k < 10'000; ++k) {
    const Expr c = build.lt(read("u", k % 100), build.constant(DType::F64, k % 1000));
    const Expr x = build.op(Op::Exp, {build.mul(read("w", k), read("w", k + 1))});
    e = build.add(e, build.op(Op::Gate, {c, build.mul(x, x)}));
    tasks.push_back(store("v", k, build.add(e, x)));
    tasks.back().conditions = {build.lt(i, build.integer(k % 50)), c};
  }
  EXPECT_FALSE(order_body(maker, tasks, {}).empty());
}

TEST_F(OrderBodySize, NestedConditions) {
  Expr e = read("u", 0);
  for (int k = 0; k < 20'000; ++k) {
    const Expr c = build.lt(read("u", k), read("w", k));
    e = build.select(c, build.op(Op::Exp, {build.mul(read("w", k), read("w", k + 1))}), e);
  }
  EXPECT_FALSE(order_body(maker, {store("v", 0, e)}, {}).empty());
}

}  // namespace
}  // namespace lathe::lower
