// SPDX-License-Identifier: Apache-2.0
// Where symbolic numbers meet the graph, and the choice of the body to record.

#include "elementary/symbolic.h"

#include <string>

#include "base/diagnostics.h"
#include "base/hash.h"

namespace lathe::elementary {
namespace {

thread_local ir::Maker* t_maker = nullptr;

ir::Maker& maker() {
  check(t_maker != nullptr, "symbolic numbers outside a recording");
  return *t_maker;
}

// Tables are known by their content: the same in every run.
std::string table_name(ir::DType t, std::span<const ir::Scalar> values) {
  Hasher hasher;
  for (const ir::Scalar& s : values) hasher.add(s.bits);
  std::string text = "table." + std::string(name(t)) + "." + std::to_string(values.size()) + ".";
  for (std::uint64_t h = hasher.finish(), digit = 0; digit < 8; ++digit, h >>= 4)
    text += "0123456789abcdef"[h & 15];
  return text;
}

}  // namespace

Recording::Recording(ir::Maker& maker) : outer_(t_maker) { t_maker = &maker; }
Recording::~Recording() { t_maker = outer_; }

namespace symbolic {

ir::Expr constant(const ir::Scalar& s) { return maker().graph().constant(s); }

ir::Expr make(ir::Op op, ir::DType t, std::initializer_list<ir::Expr> args) {
  return maker().make(op, t, std::span(args.begin(), args.size()));
}

ir::Expr lookup(ir::DType t, std::span<const ir::Scalar> values, ir::Expr index) {
  ir::Graph& graph = maker().graph();
  const ir::Table* table = graph.intern({table_name(t, values), t, {values.begin(), values.end()}});
  const ir::Expr raw = graph.lookup(table, index);
  return maker().remake(raw, raw->args());  // a constant index gives a constant
}

}  // namespace symbolic

ir::Expr expand(ir::Maker& maker, ir::Expr call) {
  if (!has(call->op, ir::kElementary) || !ir::is_float(call->dtype)) return call;
  const Recording recording(maker);
  if (call->dtype == ir::DType::F64) return expand_float64(call->op, call->args());
  if (!ir::is_half(call->dtype)) return expand_float32(call->op, call->args());
  const ir::Build build(maker);
  std::vector<ir::Expr> wide;
  for (ir::Expr arg : call->args()) wide.push_back(build.cast(ir::DType::F32, arg));
  return build.cast(call->dtype, expand_float32(call->op, wide));
}

}  // namespace lathe::elementary
