// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kernels made by hand, for tests of the emitter.

#include <string_view>
#include <utility>
#include <vector>

#include "ir/build.h"
#include "ir/loops.h"

namespace lathe::testing {

using ir::DType;
using ir::Expr;
using ir::Op;
using loops::Body;
using loops::Kind;
using loops::Space;
using loops::Stmt;

// Expressions with operators, so that kernels read as programs do.
struct E {
  const ir::Build* build = nullptr;
  Expr e = nullptr;
  operator Expr() const { return e; }  // NOLINT: implicit, as arguments are passed
};
inline E both(E a, Op op, E b) { return {a.build, a.build->op(op, {a.e, b.e})}; }
inline E operator+(E a, E b) { return both(a, Op::Add, b); }
inline E operator-(E a, E b) { return both(a, Op::Sub, b); }
inline E operator*(E a, E b) { return both(a, Op::Mul, b); }
inline E operator/(E a, E b) { return both(a, Op::Div, b); }
inline E operator<(E a, E b) { return both(a, Op::Lt, b); }
inline E operator+(E a, int b) { return a + E{a.build, a.build->integer(b)}; }
inline E operator-(E a, int b) { return a - E{a.build, a.build->integer(b)}; }
inline E operator*(E a, int b) { return a * E{a.build, a.build->integer(b)}; }

class KernelBuilder {
 public:
  explicit KernelBuilder(std::string_view name)
      : graph_(std::make_shared<ir::Graph>()), maker_(*graph_), build_(maker_) {
    kernel.graph = graph_;
    kernel.name = symbol(name);
  }
  KernelBuilder(const KernelBuilder&) = delete;
  KernelBuilder& operator=(const KernelBuilder&) = delete;

  loops::Kernel kernel;

  Symbol symbol(std::string_view text) { return graph_->symbol(text); }
  const ir::Build& build() const { return build_; }
  ir::Graph& graph() { return *graph_; }

  E size(std::string_view name) {
    kernel.parameters.push_back({symbol(name), true, DType::I64, {}});
    return param(name, DType::I64);
  }
  E scalar(std::string_view name, DType t) {
    kernel.parameters.push_back({symbol(name), false, t, {}});
    return param(name, t);
  }
  E param(std::string_view name, DType t) { return {&build_, graph_->param(symbol(name), t)}; }
  E var(std::string_view name) { return {&build_, graph_->index(symbol(name))}; }
  E num(std::int64_t v) { return {&build_, build_.integer(v)}; }
  E real(double v, DType t = DType::F64) { return {&build_, build_.constant(t, v)}; }
  E op(Op op, std::initializer_list<E> args) {
    std::vector<Expr> list(args.begin(), args.end());
    return {&build_, build_.op(op, list)};
  }
  E apply(Op op, DType t, std::vector<Expr> args) { return {&build_, graph_->apply(op, t, args)}; }
  E cast(DType t, E x) { return {&build_, build_.cast(t, x)}; }
  E select(E c, E a, E b) { return op(Op::Select, {c, a, b}); }
  E fma(E a, E b, E c) { return op(Op::Fma, {a, b, c}); }

  loops::Buffer buffer(std::string_view name, DType t, Space space,
                       std::vector<std::pair<E, E>> axes) {
    loops::Buffer b;
    b.name = symbol(name);
    b.dtype = t;
    b.space = space;
    for (const auto& [lo, hi] : axes) b.axes.push_back({Symbol(), lo, hi});
    dtypes_.emplace_back(b.name, t);
    return b;
  }
  void argument(std::string_view name, DType t, std::vector<std::pair<E, E>> axes, ir::Role role,
                bool unit = true) {
    loops::Buffer b = buffer(name, t, Space::Argument, std::move(axes));
    b.role = role;
    b.unit = unit;
    kernel.buffers.push_back(std::move(b));
  }
  void scratch(std::string_view name, DType t, std::vector<std::pair<E, E>> axes) {
    kernel.buffers.push_back(buffer(name, t, Space::Scratch, std::move(axes)));
  }
  E read(std::string_view name, std::initializer_list<E> indices) {
    std::vector<Expr> list(indices.begin(), indices.end());
    return {&build_, graph_->read(symbol(name), dtype(name), list, ir::Policy::Trusted)};
  }
  DType dtype(std::string_view name) {
    DType found = DType::F64;
    for (const auto& [n, t] : dtypes_)
      if (n == symbol(name)) found = t;
    return found;
  }

  // --- Statements.
  Stmt loop(Kind kind, std::string_view variable, E lo, E hi, Body body, std::int64_t width = 1) {
    loops::For f;
    f.kind = kind;
    f.variable = symbol(variable);
    f.lo = lo;
    f.hi = hi;
    f.width = width;
    f.body = std::move(body);
    return {f};
  }
  Stmt serial(std::string_view v, E lo, E hi, Body body) {
    return loop(Kind::Serial, v, lo, hi, std::move(body));
  }
  Stmt parallel(std::string_view v, E lo, E hi, Body body) {
    return loop(Kind::Parallel, v, lo, hi, std::move(body));
  }
  Stmt vector(std::string_view v, E lo, E hi, std::int64_t width, Body body) {
    return loop(Kind::Vector, v, lo, hi, std::move(body), width);
  }
  Stmt store(std::string_view name, std::initializer_list<E> indices, E value,
             bool stream = false) {
    return {loops::Store{symbol(name), {indices.begin(), indices.end()}, value, stream}};
  }
  Stmt let(std::string_view name, E value) { return {loops::Let{symbol(name), value}}; }
  Stmt variable(std::string_view name, E value) { return {loops::Var{symbol(name), value}}; }
  Stmt assign(std::string_view name, E value) { return {loops::Assign{symbol(name), value}}; }
  Stmt branch(E condition, Body yes, Body no = {}) {
    return {loops::If{condition, std::move(yes), std::move(no)}};
  }
  Stmt alloc(loops::Buffer b) { return {loops::Alloc{std::move(b)}}; }
  Stmt comment(std::string_view text) { return {loops::Comment{std::string(text)}}; }

 private:
  std::shared_ptr<ir::Graph> graph_;
  ir::RawMaker maker_;
  ir::Build build_;
  std::vector<std::pair<Symbol, DType>> dtypes_;
};

}  // namespace lathe::testing
