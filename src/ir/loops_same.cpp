// SPDX-License-Identifier: Apache-2.0
// Are two kernels the same, up to spans and the names of axes?

#include "ir/loops_text.h"
#include "ir/same_parts.h"

namespace lathe::loops {
namespace {

using ir::same;
using ir::same_list;
using ir::same_symbols;

class Comparison : public ir::SameExprs {
 public:
  bool operator()(const Axis& a, const Axis& b) {
    return same_expr(a.lo, b.lo) && same_expr(a.hi, b.hi);
  }
  bool operator()(const Buffer& a, const Buffer& b) {
    return same(a.name, b.name) && a.dtype == b.dtype && a.space == b.space &&
           same_list(a.axes, b.axes, *this) && a.unit == b.unit && a.values == b.values &&
           a.layout == b.layout && (a.space != Space::Argument || a.role == b.role);
  }
  bool operator()(const Site& a, const Site& b) {
    return a.kind == b.kind && a.writes == b.writes && a.trusted == b.trusted &&
           same(a.label, b.label) && same(a.array, b.array) && same(a.buffer, b.buffer) &&
           same_symbols(a.variables, b.variables) && a.operation == b.operation;
  }

  bool operator()(const For& a, const For& b) {
    return a.kind == b.kind && same(a.variable, b.variable) && same_expr(a.lo, b.lo) &&
           same_expr(a.hi, b.hi) && a.step == b.step && a.down == b.down && a.width == b.width &&
           a.grain == b.grain && same_list(a.body, b.body, *this);
  }
  bool operator()(const If& a, const If& b) {
    return same_expr(a.condition, b.condition) && same_list(a.then_body, b.then_body, *this) &&
           same_list(a.else_body, b.else_body, *this);
  }
  bool operator()(const Let& a, const Let& b) {
    return same(a.name, b.name) && same_expr(a.value, b.value);
  }
  bool operator()(const Var& a, const Var& b) {
    return same(a.name, b.name) && same_expr(a.initial, b.initial);
  }
  bool operator()(const Assign& a, const Assign& b) {
    return same(a.name, b.name) && same_expr(a.value, b.value);
  }
  bool operator()(const Store& a, const Store& b) {
    return same(a.buffer, b.buffer) && same_exprs(a.indices, b.indices) &&
           same_expr(a.value, b.value) && a.stream == b.stream;
  }
  bool operator()(const Alloc& a, const Alloc& b) { return (*this)(a.buffer, b.buffer); }
  bool operator()(const VectorLoad& a, const VectorLoad& b) {
    return same(a.name, b.name) && same(a.from, b.from) && same_exprs(a.indices, b.indices) &&
           a.width == b.width;
  }
  bool operator()(const Prefetch& a, const Prefetch& b) {
    return same(a.buffer, b.buffer) && same_exprs(a.indices, b.indices);
  }
  bool operator()(const Break& a, const Break& b) { return same_expr(a.condition, b.condition); }
  bool operator()(const Fault& a, const Fault& b) {
    return a.site == b.site && same_exprs(a.values, b.values);
  }
  bool operator()(const Rotate& a, const Rotate& b) { return same_symbols(a.buffers, b.buffers); }
  bool operator()(const Call& a, const Call& b) {
    return same(a.label, b.label) && same(a.function, b.function) &&
           same_symbols(a.inputs, b.inputs) && same_symbols(a.outputs, b.outputs);
  }
  bool operator()(const Comment& a, const Comment& b) { return a.text == b.text; }
  bool operator()(const Stmt& a, const Stmt& b) {
    if (a.node.index() != b.node.index()) return false;
    return std::visit(
        [&](const auto& n) { return (*this)(n, std::get<std::decay_t<decltype(n)>>(b.node)); },
        a.node);
  }
};

}  // namespace

bool same_kernel(const Kernel& a, const Kernel& b) {
  Comparison parts;
  return same(a.name, b.name) && same_list(a.parameters, b.parameters, ir::same_parameter) &&
         same_list(a.buffers, b.buffers, parts) && same_list(a.sites, b.sites, parts) &&
         same_list(a.body, b.body, parts);
}

}  // namespace lathe::loops
