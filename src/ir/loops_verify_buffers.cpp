// SPDX-License-Identifier: Apache-2.0
// Parameters, buffers and sites: which space may stand where, with which extents.

#include <algorithm>

#include "base/checked.h"
#include "ir/loops_text.h"
#include "ir/loops_verifier.h"
#include "ir/traverse.h"
#include "ir/verify_context.h"

namespace lathe::loops {
namespace {

using ir::Op;
using ir::Role;
using lathe::quoted;

bool has_constant_extents(const Buffer& b) {
  return std::all_of(b.axes.begin(), b.axes.end(), [](const Axis& a) {
    return a.lo && a.hi && ir::is_const(a.lo) && ir::is_const(a.hi);
  });
}

bool is_one_line(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) >= ' ' || c == '\t'; });
}

}  // namespace

void KernelVerifier::check_declarations() {
  place_ = "kernel " + std::string(kernel_.name.text());
  check_name(kernel_.name);
  for (const ir::Parameter& p : kernel_.parameters) {
    bind(p.name, {What::Parameter, p.dtype});
    if (p.is_size && p.dtype != DType::I64)
      error("the size " + quoted(p.name.text()) + " must be i64");
  }
  // Extents speak of parameters alone, so buffers are bound after all of them are checked.
  for (const Buffer& b : kernel_.buffers) {
    place_ = std::string(name(b.space)) + " " + std::string(b.name.text());
    check_declared(b);
    check_buffer(b);
  }
  for (const Buffer& b : kernel_.buffers) {
    place_ = std::string(name(b.space)) + " " + std::string(b.name.text());
    bind(b.name, {What::Buffer, b.dtype, &b});
  }
  for (const Site& s : kernel_.sites) check_site(s);
}

void KernelVerifier::check_declared(const Buffer& b) {
  if (b.space > Space::Scratch)
    error(std::string(name(b.space)) + " buffers are declared in the body that uses them");
  for (const Axis& a : b.axes)
    for (Expr bound : {a.lo, a.hi})
      for (Expr n : bound ? ir::post_order(bound) : std::vector<Expr>())
        if (n->op == Op::Index || n->op == Op::Read)
          error("the extents of " + quoted(b.name.text()) +
                    " depend on more than parameters and constants",
                "allocate it in the body");
}

void KernelVerifier::check_buffer(const Buffer& b) {
  const std::string name_text = quoted(b.name.text());
  for (const Axis& a : b.axes) {
    check_expr(a.lo, DType::I64, "the lower bound of an axis");
    check_expr(a.hi, DType::I64, "the upper bound of an axis");
  }
  const bool argument = b.space == Space::Argument;
  if (argument && (b.role == Role::Temp || b.role == Role::Const))
    error("the argument " + name_text + " is neither input, output, inout nor state");
  if (b.unit && (!argument || b.axes.empty()))
    error(name_text + " cannot be 'unit': that says something about the last axis of an argument");
  const bool constant = b.space == Space::Stack || b.space == Space::Lanes;
  if (constant && !has_constant_extents(b))
    error("the extents of the " + std::string(name(b.space)) + " buffer " + name_text +
          " must be constants");
  if (b.space == Space::Lanes && has_constant_extents(b)) {
    const bool good = b.axes.size() == 1 && b.axes[0].lo->scalar().is_zero() &&
                      b.axes[0].hi->scalar().as_int() > 0;
    const std::int64_t w = good ? b.axes[0].hi->scalar().as_int() : 1;
    if (!good || (w & (w - 1)) != 0)
      error("the lanes " + name_text + " must have one axis 0..W, W a power of two");
  }
  check_layout(b);
  check_table(b);
}

void KernelVerifier::check_layout(const Buffer& b) {
  if (b.layout.empty()) return;
  if (b.space == Space::Argument) {
    error("the argument " + quoted(b.name.text()) + " has a layout, but its strides are run-time " +
          "values");
    return;
  }
  std::vector<std::size_t> sorted = b.layout;
  std::sort(sorted.begin(), sorted.end());
  bool permutation = sorted.size() == b.axes.size();
  for (std::size_t i = 0; i < sorted.size(); ++i) permutation = permutation && sorted[i] == i;
  if (!permutation)
    error("the layout of " + quoted(b.name.text()) + " does not name each axis once");
}

void KernelVerifier::check_table(const Buffer& b) {
  const std::string name_text = quoted(b.name.text());
  if (b.space != Space::Table) {
    if (!b.values.empty()) error(name_text + " has values, but is not a table");
    return;
  }
  if (!has_constant_extents(b)) {
    error("the extents of the table " + name_text + " must be constants");
    return;
  }
  CheckedInt count = 1;
  for (const Axis& a : b.axes) {
    const std::int64_t lo = a.lo->scalar().as_int(), hi = a.hi->scalar().as_int();
    count = checked_mul(count, hi <= lo ? CheckedInt(0) : checked_sub(hi, lo));
  }
  if (!count || static_cast<std::size_t>(*count) != b.values.size())
    error("the table " + name_text + " has " + std::to_string(b.values.size()) +
          " values, but its extents ask for " + (count ? std::to_string(*count) : "more"));
  for (const ir::Scalar& v : b.values)
    if (v.dtype != b.dtype) {
      error("the table " + name_text + " is " + std::string(ir::name(b.dtype)) +
            ", but holds a value of " + std::string(ir::name(v.dtype)));
      return;
    }
}

void KernelVerifier::check_site(const Site& s) {
  using K = Site::Kind;
  place_ = "site " + std::to_string(&s - kernel_.sites.data());
  const bool element = s.kind == K::Range || s.kind == K::Unwritten || s.kind == K::Twice;
  if (element != static_cast<bool>(s.array))
    error(element ? "the site must say which array it is about"
                  : "a site of this kind is not about an array");
  if (s.writes && s.kind != K::Range) error("only a site of kind 'range' tells reads from writes");
  if (s.trusted && (s.kind != K::Range || s.writes))
    error("only a read that may be out of range is 'trusted'");
  const bool operation = s.kind == K::Division || s.kind == K::NegativePower;
  if (operation == s.operation.empty())
    error(operation ? "the site must say which operation it is about"
                    : "a site of this kind is not about an operation");
  if (!is_one_line(s.operation) || s.operation.find('#') != std::string::npos)
    error("the operation of a site is one line without '#'");
  for (Symbol v : s.variables) check_name(v);
}

void KernelVerifier::check(const Alloc& s) {
  const Space space = s.buffer.space;
  if (space == Space::Table) error("a table is declared before the body");
  const bool outlives = space == Space::Argument || space == Space::Scratch;
  if (outlives && !around_.empty())
    error(std::string(name(space)) + " buffers are allocated in the kernel's own body");
  if (space == Space::Argument && s.buffer.role != Role::Output)
    error("an argument that is allocated must be an output");
  if (outlives)
    for (const Axis& a : s.buffer.axes)
      for (Expr bound : {a.lo, a.hi})
        for (Expr n : bound ? ir::post_order(bound) : std::vector<Expr>()) {
          const Name* meaning = n->op == Op::Param ? find(n->name) : nullptr;
          if (meaning && meaning->what != What::Parameter)
            error("the extents of " + quoted(s.buffer.name.text()) + " speak of the scalar " +
                      quoted(n->name.text()),
                  "store it in a buffer without axes");
        }
  check_buffer(s.buffer);
  bind(s.buffer.name, {What::Buffer, s.buffer.dtype, &s.buffer});
}

void KernelVerifier::check(const Comment& s) {
  if (!is_one_line(s.text)) error("a comment is one line");
}

}  // namespace lathe::loops
