// SPDX-License-Identifier: Apache-2.0
// Binding a program to its data. Everything is checked before anything is allocated or written.

#include "interp/binding.h"

#include <algorithm>
#include <optional>

#include "base/checked.h"
#include "base/quoted.h"
#include "ir/text.h"
#include "ir/traverse.h"

namespace lathe::interp {
namespace {

using ir::Op;
using ir::Role;

bool is_computed(const ir::Array& a) {
  return std::any_of(a.axes.begin(), a.axes.end(), [](const ir::Axis& axis) {
    return !ir::reads(axis.lo).empty() || !ir::reads(axis.hi).empty();
  });
}

// The value of a bound without wrapping: sums, differences and products of sizes and numbers.
// Nothing when it overflows, or is more than that.
CheckedInt exact_value(Expr root, const State& state) {
  std::unordered_map<Expr, CheckedInt> values;
  for (Expr e : ir::post_order(root)) {
    const auto arg = [&](std::size_t i) { return values[e->arg(i)]; };
    CheckedInt v;
    if (e->op == Op::Const) v = e->scalar().as_int();
    if (e->op == Op::Param) {
      const auto found = state.parameters.find(std::string(e->name.text()));
      if (found != state.parameters.end()) v = found->second.as_int();
    }
    if (e->op == Op::Add) v = checked_add(arg(0), arg(1));
    if (e->op == Op::Sub) v = checked_sub(arg(0), arg(1));
    if (e->op == Op::Mul) v = checked_mul(arg(0), arg(1));
    if (e->op == Op::Neg) v = checked_sub(CheckedInt(0), arg(0));
    values[e] = v;
  }
  return values[root];
}

bool is_exact_form(Expr root) {
  const std::vector<Expr> nodes = ir::post_order(root);
  return std::all_of(nodes.begin(), nodes.end(), [](Expr e) {
    return e->dtype == DType::I64 &&
           (e->op == Op::Const || e->op == Op::Param || e->op == Op::Add || e->op == Op::Sub ||
            e->op == Op::Mul || e->op == Op::Neg);
  });
}

void check_parameters(const ir::Program& program, const State& state) {
  for (const ir::Parameter& p : program.parameters) {
    const std::string text(p.name.text());
    const std::string kind = p.is_size ? "size" : "parameter";
    const auto found = state.parameters.find(text);
    if (found == state.parameters.end())
      throw UserError(kind + " " + quoted(p.name) + " has no value", p.span,
                      "give it one: --set " + text + "=...");
    const ir::Scalar& value = found->second;
    const DType wanted = p.is_size ? DType::I64 : p.dtype;
    if (value.dtype != wanted)
      throw UserError(kind + " " + quoted(p.name) + " is " + std::string(ir::name(wanted)) +
                          ", but its value is " + std::string(ir::name(value.dtype)),
                      p.span, "convert the value");
    if (p.is_size && value.as_int() < 0)
      throw UserError("size " + quoted(p.name) + " is " + std::to_string(value.as_int()) +
                          ", but a size is never negative",
                      p.span, "give it a value of 0 or more");
  }
}

void check_given(const ir::Array& a, const Buffer& given, const Bounds& bounds) {
  const std::string who = std::string(ir::name(a.role)) + " " + quoted(a.name);
  if (given.dtype != a.dtype)
    throw UserError(who + " is declared " + std::string(ir::name(a.dtype)) +
                        ", but the array given is " + std::string(ir::name(given.dtype)),
                    a.span, "convert the array, or change the declaration", ErrorKind::DType);
  bool same = given.lo.size() == bounds.lo.size();
  for (std::size_t x = 0; same && x < bounds.lo.size(); ++x)  // empty ones end where they begin
    same = given.lo[x] == bounds.lo[x] && given.hi[x] == std::max(bounds.lo[x], bounds.hi[x]);
  if (!same)
    throw UserError(who + " is declared over " + declared_text(a) + " = " +
                        range_text(bounds.lo, bounds.hi) + ", but the array given covers " +
                        range_text(given.lo, given.hi),
                    a.span, "give an array of that range, or other sizes");
  const std::int64_t bytes = byte_count(a.dtype, bounds, describe(a, bounds));
  if (given.data.size() != static_cast<std::size_t>(bytes))
    throw UserError(who + " needs " + std::to_string(bytes) + " bytes, but the array given has " +
                        std::to_string(given.data.size()),
                    a.span);
  if (a.dtype != DType::Bool) return;
  for (std::byte b : given.data)
    if (b > std::byte{1})
      throw UserError(
          who + " is bool, but holds the byte " + std::to_string(std::to_integer<int>(b)), a.span,
          "give 0 or 1 for every element");
}

}  // namespace

Bounds declared_bounds(const ir::Program& program, const ir::Array& array, const State& state) {
  check_parameters(program, state);
  State sizes{state.parameters, {}};
  const Options options;
  Space space(program, sizes, options);
  const auto bound = [&](Expr e) {
    for (Symbol name : ir::arrays_read(e)) {
      const auto found = state.arrays.find(std::string(name.text()));
      if (found == state.arrays.end())
        throw UserError("the range of " + quoted(array.name) + " depends on " + quoted(name) +
                            ", which is not computed yet",
                        array.span, "run the program first");
      Buffer& copy = sizes.arrays[std::string(name.text())];
      copy = found->second;
      space.attach(space.find(name), copy);
    }
    if (!is_exact_form(e)) return space.evaluate(e);
    const CheckedInt value = exact_value(e, state);
    if (!value)
      throw UserError(
          "the bound " + ir::print(e) + " of " + quoted(array.name) + " does not fit in 64 bits",
          array.span, "use smaller sizes");
    return *value;
  };
  Bounds result;
  try {
    for (const ir::Axis& axis : array.axes) {
      result.lo.push_back(bound(axis.lo));
      result.hi.push_back(bound(axis.hi));
    }
  } catch (const Fault& fault) {
    space.fail(fault);
  }
  return result;
}

void check_binding(const ir::Program& program, const State& state) {
  check_parameters(program, state);
  for (const ir::Array& a : program.arrays) {
    const auto given = state.arrays.find(std::string(a.name.text()));
    const bool is_given = given != state.arrays.end();
    if (is_computed(a)) continue;
    const Bounds bounds = declared_bounds(program, a, state);
    byte_count(a.dtype, bounds, describe(a, bounds));
    if (a.role == Role::Temp || a.role == Role::Const) continue;
    if (is_given) check_given(a, given->second, bounds);
    if (!is_given && (a.role == Role::Input || a.role == Role::InOut))
      throw UserError(std::string(ir::name(a.role)) + " " + quoted(a.name) + " is missing", a.span,
                      "give an array " + std::string(ir::name(a.dtype)) + declared_text(a) + " = " +
                          std::string(ir::name(a.dtype)) + range_text(bounds.lo, bounds.hi));
  }
}

void bind_arrays(Space& space) {
  for (std::size_t id = 0; id < space.program.arrays.size(); ++id) {
    const ir::Array& a = space.program.arrays[id];
    if (is_computed(a)) continue;
    const auto given = space.state.arrays.find(std::string(a.name.text()));
    const bool kept = a.role != Role::Temp && a.role != Role::Const;
    if (kept && given != space.state.arrays.end()) {
      space.attach(static_cast<Id>(id), given->second);
    } else {
      space.allocated(static_cast<Id>(id));
    }
  }
}

}  // namespace lathe::interp
