// SPDX-License-Identifier: Apache-2.0
// Division by what stays the same in a vector loop. Dividing vectors takes ten to sixteen cycles,
// multiplying half of one. With y = 1/b and what it lacks, z = (1 - b y) y, from before the loop,
//
//   q = a y + a z        good to less than an ulp
//   r = a - b q          exact
//   a / b = q + r y      rounded once: the quotient, to the last bit
//
// (Markstein 1990; y must be the rounded 1/b and q at most one ulp off). None of it may leave the
// normal range: vectors with lanes far from 1 are divided as ever (library_divide.cpp).

#include <algorithm>
#include <set>

#include "emit/c/evaluate.h"
#include "emit/c/types.h"
#include "ir/traverse.h"

namespace lathe::emit {

namespace {

constexpr int kVectorBytes = 64;  // of the machines whose fma and masks this is written for

// Cycles of a loop's body, as far as they decide whether the divider is what it waits for.
struct Work {
  double divisions = 0, others = 0;

  bool waits_for_divider(double one_division) const {
    constexpr double kPerCycle = 2, kInstead = 8;  // operations
    const double dividing = std::max(divisions * one_division, others / kPerCycle);
    return (others + divisions * kInstead) / kPerCycle < dividing;
  }
};

}  // namespace

std::string Printer::divide_by_known(Expr division, const std::string& dividend, int lanes) {
  const Divisor& d = divisors_.at(division->arg(1));
  std::string text = library_.function("divide_by", division->dtype, lanes) + "(" + dividend;
  for (const Local* l : {&d.value, &d.inverse, &d.lack, &d.least}) text += ", " + use(*l);
  return text + ")";
}

void Printer::find_divisors(const loops::For& f, int lanes, const std::string& runs) {
  if (options_.checked) return;
  std::set<Symbol> own, written;
  own.insert(f.variable);
  Work work;
  std::set<Expr> seen;
  std::vector<Expr> divisions;
  loops::for_each_stmt(f.body, [&](const loops::Stmt& s) {
    if (const auto* let = std::get_if<loops::Let>(&s.node)) own.insert(let->name);
    if (const auto* var = std::get_if<loops::Var>(&s.node)) own.insert(var->name);
    if (const auto* assign = std::get_if<loops::Assign>(&s.node)) own.insert(assign->name);
    if (const auto* load = std::get_if<loops::VectorLoad>(&s.node)) own.insert(load->name);
    if (const auto* store = std::get_if<loops::Store>(&s.node)) written.insert(store->buffer);
    loops::for_each_expr(s, [&](Expr root) {
      if (!root) return;
      for (Expr e : ir::post_order(root)) {
        if (!seen.insert(e).second || !ir::is_float(e->dtype) || ir::is_const(e)) continue;
        constexpr double kFunction = 30;
        work.others += has(e->op, ir::kElementary) ? kFunction : 1;
        const bool fits = static_cast<int>(ir::size_bytes(e->dtype)) * lanes == kVectorBytes;
        if (e->op == Op::Div && fits && !ir::is_half(e->dtype)) divisions.push_back(e);
      }
    });
  });
  const auto steady = [&](Expr e) {
    if (e->op == Op::Index || e->op == Op::Param)
      return !own.contains(e->name) && bindings_.contains(e->name) && !binding(e->name).varies;
    if (e->op != Op::Read) return true;
    const auto found = places_.find(e->name);
    return found != places_.end() && !written.contains(e->name) && !own.contains(e->name) &&
           !found->second.varies && !found->second.registers;
  };
  std::erase_if(divisions, [&](Expr e) {
    const std::vector<Expr> nodes = ir::post_order(e->arg(1));
    return !std::all_of(nodes.begin(), nodes.end(), steady);
  });
  if (divisions.empty()) return;
  constexpr double kDivision32 = 10, kDivision64 = 16;
  work.divisions = static_cast<double>(divisions.size());
  if (!work.waits_for_divider(divisions[0]->dtype == DType::F32 ? kDivision32 : kDivision64))
    return;
  for (Expr e : divisions) add_divisor(e->arg(1), runs);
}

void Printer::add_divisor(Expr divisor, const std::string& runs) {
  if (divisors_.contains(divisor)) return;
  Block temporaries;
  const Form plain;
  Evaluator evaluator(*this, temporaries, plain);
  const Value v = evaluator.value(divisor);
  if (!temporaries.empty()) return;
  const DType t = divisor->dtype;
  const std::string type = library_.type(t, 1), number = std::to_string(next_name_++);
  const auto local = [&](const char* name, const std::string& of) {
    return Local{name + number, of, frame_->number};
  };
  Divisor d{local("d", type), local("y", type), local("z", type),
            local("w", library_.type(t == DType::F32 ? DType::U32 : DType::U64, 1))};
  const std::string value =
      ir::is_const(divisor) ? v.text : runs + " ? " + v.wrapped(kSum) + " : 1";
  out_->line("const " + type + " " + d.value.name + " = " + value + ", " + d.inverse.name +
             " = 1 / " + d.value.name + ";");
  out_->line("const " + type + " " + d.lack.name + " = " + library_.function("fma", t, 1) + "(-" +
             d.value.name + ", " + d.inverse.name + ", 1) * " + d.inverse.name + ";");
  out_->line("const " + d.least.type + " " + d.least.name + " = " +
             library_.function("least_dividend", t, 1) + "(" + d.value.name + ");");
  divisors_.emplace(divisor, std::move(d));
}

}  // namespace lathe::emit
