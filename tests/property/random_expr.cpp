// SPDX-License-Identifier: Apache-2.0
// Grows a pool of nodes: each step takes a random operation and operands from the pool, recent ones
// more often, so that expressions are deep and share parts.

#include "random_expr.h"

#include "ir/typing.h"
#include "special_values.h"

namespace lathe::testing {
namespace {

using ir::DType;
using ir::Expr;
using ir::Op;

std::string parameter_name(DType t, int i) {
  return std::string(name(t)) + "." + std::to_string(i);
}

std::vector<DType> dtypes_of(const RandomExprOptions& options) {
  if (!options.dtypes.empty()) return options.dtypes;
  std::vector<DType> all;
  for (int t = 0; t < ir::kDTypeCount; ++t) all.push_back(static_cast<DType>(t));
  return all;
}

class Pool {
 public:
  Pool(ir::Maker& maker, Rng& rng, const RandomExprOptions& options)
      : maker_(maker),
        rng_(rng),
        options_(options),
        dtypes_(dtypes_of(options)),
        ops_(options.ops.empty() ? all_operations() : options.ops),
        nodes_(ir::kDTypeCount) {
    if (std::find(dtypes_.begin(), dtypes_.end(), DType::Bool) == dtypes_.end())
      dtypes_.push_back(DType::Bool);  // conditions
  }

  Expr last_of(DType t) {
    auto& nodes = nodes_[static_cast<std::size_t>(t)];
    return nodes.empty() ? leaf(t) : nodes.back();
  }

  void step() {
    const Op op = rng_.pick(ops_);
    const DType t = rng_.pick(dtypes_);
    std::vector<Expr> args;
    std::vector<DType> types;
    const bool guarded = op == Op::Select || op == Op::Gate;
    for (int i = 0; i < info(op).arity; ++i) {
      args.push_back(operand(guarded && i == 0 ? DType::Bool : t));
      types.push_back(args.back()->dtype);
    }
    if (op == Op::Cast || op == Op::BitCast) {
      const DType to = rng_.pick(dtypes_);
      const bool same_size = ir::size_bytes(to) == ir::size_bytes(t);
      const bool no_bools = !ir::is_bool(to) && !ir::is_bool(t);
      if (op == Op::BitCast && !(same_size && no_bools)) return;
      add(maker_.make(op, to, args));
      return;
    }
    const auto result = ir::result_dtype(op, types);
    if (auto* r = std::get_if<DType>(&result)) add(maker_.make(op, *r, args));
  }

 private:
  void add(Expr e) { nodes_[static_cast<std::size_t>(e->dtype)].push_back(e); }

  Expr leaf(DType t) {
    ir::Graph& graph = maker_.graph();
    if (rng_.percent(35)) {
      if (rng_.percent(50)) return graph.constant(ir::Scalar::of_int(t, rng_.between(-1, 3)));
      return graph.constant(random_value(t, rng_));
    }
    const int i = static_cast<int>(rng_.below(static_cast<std::size_t>(options_.parameters)));
    return graph.param(graph.symbol(parameter_name(t, i)), t);
  }

  Expr operand(DType t) {
    auto& nodes = nodes_[static_cast<std::size_t>(t)];
    if (nodes.empty() || rng_.percent(30)) return leaf(t);
    const std::size_t back = std::min(rng_.below(nodes.size()), rng_.below(nodes.size()));
    return nodes[nodes.size() - 1 - back];
  }

  ir::Maker& maker_;
  Rng& rng_;
  const RandomExprOptions& options_;
  std::vector<DType> dtypes_;
  std::vector<Op> ops_;
  std::vector<std::vector<Expr>> nodes_;  // by dtype
};

}  // namespace

Expr random_expr(ir::Maker& maker, Rng& rng, DType t, const RandomExprOptions& options) {
  Pool pool(maker, rng, options);
  for (int i = 0; i < options.operations; ++i) pool.step();
  return pool.last_of(t);
}

Environment random_parameters(Rng& rng, std::size_t n, const RandomExprOptions& options) {
  Environment environment;
  for (int d = 0; d < ir::kDTypeCount; ++d)
    for (int i = 0; i < options.parameters; ++i) {
      const auto t = static_cast<DType>(d);
      Row row(t, n);
      for (std::size_t lane = 0; lane < n; ++lane) row.set(lane, random_value(t, rng));
      environment.emplace(parameter_name(t, i), row);
    }
  return environment;
}

std::vector<Op> all_operations() {
  std::vector<Op> ops;
  for (int i = 0; i < ir::kOpCount; ++i)
    if (info(static_cast<Op>(i)).form != ir::Form::Leaf) ops.push_back(static_cast<Op>(i));
  return ops;
}

}  // namespace lathe::testing
