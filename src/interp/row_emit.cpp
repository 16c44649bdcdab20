// SPDX-License-Identifier: Apache-2.0
// The second half of the compiler: steps and storage.

#include <algorithm>
#include <cstring>

#include "interp/reduction.h"
#include "interp/row_compiler.h"
#include "ir/traverse.h"

namespace lathe::interp {

using ir::Op;

namespace {

constexpr std::size_t kBlockBytes = kRow * 8;
// Broadcasts that keep a row of their own instead of being filled again for each piece.
constexpr std::size_t kMaxKeptBroadcasts = 64;

template <class T>
void fill_row(void* to, const void* from) {
  T x;
  std::memcpy(&x, from, sizeof x);
  std::fill_n(static_cast<T*>(to), kRow, x);
}

}  // namespace

// Repeats a cell along a whole row.
void broadcast(DType t, const void* cell, void* row) {
  switch (ir::size_bytes(t)) {
    case 1: return fill_row<std::uint8_t>(row, cell);
    case 2: return fill_row<std::uint16_t>(row, cell);
    case 4: return fill_row<std::uint32_t>(row, cell);
    default: return fill_row<std::uint64_t>(row, cell);
  }
}

Id RowCompiler::new_value(Level level, DType t) {
  p_.levels_.push_back(level);
  p_.dtypes_.push_back(t);
  p_.cells_.push_back(0);
  p_.storage_.push_back(nullptr);
  p_.rows_.push_back(nullptr);
  p_.faults_.push_back(nullptr);
  return static_cast<Id>(p_.levels_.size()) - 1;
}

RowCompiler::Step& RowCompiler::add_step(Kind kind, Level level, Id out, Id mask) {
  // A step can only be skipped by conditions that are known when it runs.
  while (mask != kNone && p_.masks_[mask].level > level) mask = p_.masks_[mask].parent;
  if (level == Level::Constant) mask = kNone;
  if (mask != kNone) emit_mask(mask);
  std::vector<Step>& steps = level == Level::Constant ? p_.constant_steps_
                             : level == Level::Row    ? p_.row_steps_
                                                      : p_.piece_steps_;
  Step s;
  s.kind = kind;
  s.level = level;
  s.out = out;
  s.mask = mask;
  s.id = next_id_++;
  s.first_arg = static_cast<std::uint32_t>(p_.args_.size());
  steps.push_back(std::move(s));
  return steps.back();
}

void RowCompiler::emit_mask(Id mask) {
  std::vector<Id> chain;
  for (Id m = mask; m != kNone && !mask_emitted_[m]; m = p_.masks_[m].parent) chain.push_back(m);
  for (auto m = chain.rbegin(); m != chain.rend(); ++m) {
    mask_emitted_[*m] = true;
    const Level level = p_.masks_[*m].level;
    const Id condition = p_.masks_[*m].condition;
    const Id arg = level == Level::Piece ? as_row(condition) : condition;
    Step& s = add_step(Kind::Mask, level, *m, kNone);
    p_.args_.push_back(arg);
    s.arg_count = 1;
    p_.masks_[*m].row.assign(level == Level::Piece ? kRow : 1, 1);
  }
}

// The value whose row a piece can use: the value itself, or a broadcast of its cell.
Id RowCompiler::as_row(Id value) {
  if (p_.levels_[value] == Level::Piece) return value;
  if (const auto found = row_of_.find(value); found != row_of_.end()) return found->second;
  Id row = value;
  if (p_.kept_broadcasts_.size() < kMaxKeptBroadcasts) {
    p_.blocks_.push_back(std::make_unique<std::byte[]>(kBlockBytes));
    p_.rows_[value] = p_.storage_[value] = p_.blocks_.back().get();
    p_.kept_broadcasts_.push_back(value);
  } else {
    row = new_value(Level::Piece, p_.dtypes_[value]);
    Step& s = add_step(Kind::Broadcast, Level::Piece, row, kNone);
    p_.args_.push_back(value);
    s.arg_count = 1;
  }
  row_of_[value] = row;
  return row;
}

Id RowCompiler::argument(Expr e, Level level) {
  const Id value = values_.at(e);
  return level == Level::Piece ? as_row(value) : value;
}

RowCompiler::AccessPlan RowCompiler::plan(const Access& a, Level level) {
  AccessPlan result;
  result.array = a.id;
  for (const AxisForm& form : a.axes) {
    AxisPlan axis;
    axis.constant = form.constant;
    axis.slope = form.slope;
    for (const auto& [term, factor] : form.terms) axis.terms.emplace_back(values_.at(term), factor);
    if (form.row != nullptr) axis.row = values_.at(form.row);
    result.axes.push_back(std::move(axis));
  }
  if (a.fill != nullptr) result.fill = argument(a.fill, level);
  return result;
}

void RowCompiler::make_constant(Expr e, ir::Scalar s) {
  std::memset(&p_.cells_[values_.at(e)], 0, sizeof(std::uint64_t));
  s.store(&p_.cells_[values_.at(e)]);
}

void RowCompiler::emit(Expr e) {
  const Id out = values_.at(e);
  const Id mask = mask_of_.at(e);
  const Level level = p_.levels_[out];
  switch (e->op) {
    case Op::Const: return make_constant(e, e->scalar());
    case Op::Param: {
      const auto input = std::find(inputs_.begin(), inputs_.end(), e->name);
      if (input == inputs_.end()) return make_constant(e, space_.parameter(e->name));
      p_.inputs_[static_cast<std::size_t>(input - inputs_.begin())] = out;
      return;
    }
    case Op::Index: {
      const bool along = level == Level::Piece;
      Step& s = add_step(along ? Kind::Index : Kind::Variable, level, out, kNone);
      s.plan = along ? kNone : space_.variable(e->name);
      return;
    }
    case Op::Read:
    case Op::Inside: {
      AccessPlan access_plan = plan(accesses_.at(e), level);
      access_plan.node = e;
      if (e->op == Op::Read) access_plan.policy = e->policy;
      Step& s = add_step(Kind::Access, level, out, mask);
      s.node = e;
      s.plan = static_cast<Id>(p_.plans_.size());
      for (const AxisPlan& axis : access_plan.axes) {
        for (const auto& [term, factor] : axis.terms) p_.args_.push_back(term);
        if (axis.row != kNone) p_.args_.push_back(axis.row);
      }
      s.arg_count = static_cast<std::uint32_t>(p_.args_.size()) - s.first_arg;
      p_.plans_.push_back(std::move(access_plan));
      return;
    }
    case Op::Reduce: {
      Step& s = add_step(Kind::Reduce, level, out, mask);
      s.node = e;
      s.plan = static_cast<Id>(p_.reductions_.size());
      p_.reductions_.push_back(std::make_unique<ReductionRun>(space_, e, variable_));
      return;
    }
    default: break;
  }
  std::vector<Id> args;
  for (Expr a : e->args()) args.push_back(argument(a, level));
  Step& s = add_step(e->op == Op::Lookup ? Kind::Lookup : Kind::Apply, level, out, mask);
  s.node = e;
  s.first_arg = static_cast<std::uint32_t>(p_.args_.size());
  s.arg_count = static_cast<std::uint32_t>(args.size());
  p_.args_.insert(p_.args_.end(), args.begin(), args.end());
  if (s.kind == Kind::Apply) {
    const DType operand = e->args().back()->dtype;
    s.function = RowFunction(e->op, operand, e->dtype);
  }
}

// Each value of level Piece gets a block at its step and gives it back after its last use. A block
// is free only for later steps, so no step computes in place.
void RowCompiler::assign_storage() {
  const std::vector<Step>& steps = p_.piece_steps_;
  constexpr std::size_t kForever = SIZE_MAX;
  std::vector<std::size_t> last_use(p_.levels_.size(), 0);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (std::uint32_t a = 0; a < steps[i].arg_count; ++a)
      last_use[p_.args_[steps[i].first_arg + a]] = i;
    if (steps[i].kind == Kind::Access && p_.plans_[steps[i].plan].fill != kNone)
      last_use[p_.plans_[steps[i].plan].fill] = i;
  }
  for (Id r : p_.roots_) last_use[r] = kForever;
  for (const AccessPlan& t : p_.target_plans_)
    for (const AxisPlan& axis : t.axes)
      if (axis.row != kNone) last_use[axis.row] = kForever;

  std::vector<std::vector<Id>> dying(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].kind == Kind::Mask) continue;
    const std::size_t last = last_use[steps[i].out];
    if (last != kForever) dying[std::max(i, last)].push_back(steps[i].out);
  }
  std::vector<void*> free_blocks;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].kind != Kind::Mask) {
      if (free_blocks.empty()) {
        p_.blocks_.push_back(std::make_unique<std::byte[]>(kBlockBytes));
        free_blocks.push_back(p_.blocks_.back().get());
      }
      p_.storage_[steps[i].out] = free_blocks.back();
      p_.rows_[steps[i].out] = free_blocks.back();
      free_blocks.pop_back();
    }
    for (Id v : dying[i]) free_blocks.push_back(p_.storage_[v]);
  }
}

}  // namespace lathe::interp
