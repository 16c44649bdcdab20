// SPDX-License-Identifier: Apache-2.0
// Compiling is five walks over the graph, none of them recursive:
//
//   1. which nodes vary along the row;
//   2. the order of evaluation, operands before users, left to right, so a condition comes before
//      what is lazy on it. Index expressions that are linear in the row's variable are not
//      evaluated at all: u[i - 1, j + 2] along j needs the cell of i and the slope 1;
//   3. under which condition each node is needed: users before operands. A node with several users
//      is needed under what their conditions have in common, so a mask never hides a point that
//      counts, and the condition of a mask never depends on a node that it hides;
//   4. steps, in the lists of their levels;
//   5. storage of rows, given back after the last use.

#include "interp/row_compiler.h"

#include <algorithm>

#include "interp/reduction.h"
#include "ir/traverse.h"

namespace lathe::interp {

using ir::Op;

namespace {

constexpr int kMaxMaskDepth = 32;
constexpr int kMaxFormDepth = 24;

// Walks a graph without recursion: `enter` gives the operands, `leave` is called after them.
template <class Enter, class Leave>
void walk(std::span<const Expr> roots, Enter enter, Leave leave) {
  struct Frame {
    Expr node;
    std::vector<Expr> operands;
    std::size_t next = 0;
  };
  std::vector<Frame> stack;
  for (Expr root : roots) {
    if (auto operands = enter(root)) stack.push_back({root, std::move(*operands)});
    while (!stack.empty()) {
      Frame& top = stack.back();
      if (top.next == top.operands.size()) {
        const Expr done = top.node;
        stack.pop_back();
        leave(done);
        continue;
      }
      const Expr e = top.operands[top.next++];
      if (auto operands = enter(e)) stack.push_back({e, std::move(*operands)});
    }
  }
}

}  // namespace

RowCompiler::RowCompiler(RowProgram& program, Symbol variable, std::vector<Symbol> inputs)
    : p_(program),
      space_(program.space_),
      variable_(variable),
      inputs_(std::move(inputs)),
      has_rows_(variable_ || !inputs_.empty()) {}

void RowCompiler::compile(const std::vector<Expr>& roots, const std::vector<ir::Target>& targets,
                          bool guarded) {
  std::vector<Expr> all = roots;
  for (const ir::Target& t : targets) all.insert(all.end(), t.indices.begin(), t.indices.end());
  for (const auto& [name, local] : space_.locals)
    all.insert(all.end(), local.indices.begin(), local.indices.end());
  find_varying(all);

  std::vector<Access> target_accesses;
  std::vector<Expr> needed = roots;
  for (const ir::Target& t : targets) {
    target_accesses.push_back(access(t.array, t.indices, nullptr));
    for (const AxisForm& axis : target_accesses.back().axes) {
      for (const auto& [term, factor] : axis.terms) needed.push_back(term);
      if (axis.row != nullptr) needed.push_back(axis.row);
    }
  }
  const std::vector<Expr> order = evaluation_order(needed);
  // Masks name conditions by value, so numbers come first.
  for (Expr e : order) values_[e] = new_value(level_of(e), e->dtype);
  find_masks(order, needed, guarded);
  for (Expr e : order) emit(e);
  for (std::size_t t = 0; t < targets.size(); ++t) {
    p_.target_plans_.push_back(plan(target_accesses[t], has_rows_ ? Level::Piece : Level::Row));
    for (Expr index : targets[t].indices)
      for (Symbol v : ir::free_variables(index)) p_.target_plans_.back().variables.push_back(v);
  }
  for (Expr r : roots) p_.roots_.push_back(has_rows_ ? as_row(values_.at(r)) : values_.at(r));
  assign_storage();
}

bool RowCompiler::node_varies(Expr e) const {
  switch (e->op) {
    case Op::Index: return has_rows_ && e->name == variable_;
    case Op::Param: return std::find(inputs_.begin(), inputs_.end(), e->name) != inputs_.end();
    case Op::Reduce: return has_rows_;  // so that it can be lazy on conditions that vary
    default: break;
  }
  if (e->op == Op::Read) {
    const auto local = space_.locals.find(e->name);
    if (local != space_.locals.end())
      for (Expr i : local->second.indices)
        if (varies_.at(i)) return true;
  }
  return std::any_of(e->args().begin(), e->args().end(), [&](Expr a) { return varies_.at(a); });
}

void RowCompiler::find_varying(std::span<const Expr> roots) {
  walk(
      roots,
      [&](Expr e) -> std::optional<std::vector<Expr>> {
        if (varies_.contains(e)) return std::nullopt;
        if (e->op == Op::Reduce) return std::vector<Expr>{};
        std::vector<Expr> operands(e->args().begin(), e->args().end());
        if (e->op == Op::Read) {
          const auto local = space_.locals.find(e->name);
          if (local != space_.locals.end()) operands = local->second.indices;
        }
        return operands;
      },
      [&](Expr e) { varies_[e] = node_varies(e); });
}

RowCompiler::Level RowCompiler::level_of(Expr e) const {
  if (varies(e)) return Level::Piece;
  switch (e->op) {
    case Op::Const:
    case Op::Param: return Level::Constant;
    case Op::Index:
    case Op::Read:
    case Op::Inside:
    case Op::Reduce: return Level::Row;
    default: break;
  }
  Level level = Level::Constant;
  for (Expr a : e->args()) level = std::max(level, p_.levels_[values_.at(a)]);
  return level;
}

// --- Accesses.

RowCompiler::Access RowCompiler::access(Symbol array, std::span<const Expr> indices, Expr fill) {
  const auto local = space_.locals.find(array);
  Access a{array, 0, {}, fill};
  if (local != space_.locals.end()) {
    a.id = local->second.array;
    indices = local->second.indices;
  } else {
    a.id = space_.find(array);
  }
  for (Expr i : indices) a.axes.push_back(axis_form(i));
  return a;
}

RowCompiler::AxisForm RowCompiler::axis_form(Expr index) {
  AxisForm form;
  if (add_to_form(form, index, 1, 0)) return form;
  AxisForm row;
  row.row = index;
  return row;
}

// Adds factor * e. Wrapping arithmetic is a ring, so collecting terms changes no index.
bool RowCompiler::add_to_form(AxisForm& form, Expr e, std::int64_t factor, int depth) {
  const auto times = [](std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
  };
  const auto plus = [](std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  };
  if (ir::is_const(e)) {
    form.constant = plus(form.constant, times(factor, e->scalar().as_int()));
    return true;
  }
  const bool wide = e->dtype == DType::I64;
  const bool sum = wide && (e->op == Op::Add || e->op == Op::Sub) && depth < kMaxFormDepth;
  if (sum) {
    const auto [left, right] = ir::view::Binary(e);
    return add_to_form(form, left, factor, depth + 1) &&
           add_to_form(form, right, e->op == Op::Sub ? times(factor, -1) : factor, depth + 1);
  }
  if (!varies(e)) {
    form.terms.emplace_back(e, factor);
    return true;
  }
  if (!wide || depth >= kMaxFormDepth) return false;
  if (e->op == Op::Index) {
    form.slope = plus(form.slope, factor);
    return true;
  }
  if (e->op == Op::Neg) return add_to_form(form, e->arg(0), times(factor, -1), depth + 1);
  if (e->op != Op::Mul) return false;
  const auto [left, right] = ir::view::Binary(e);
  if (ir::is_const(left))
    return add_to_form(form, right, times(factor, left->scalar().as_int()), depth + 1);
  if (ir::is_const(right))
    return add_to_form(form, left, times(factor, right->scalar().as_int()), depth + 1);
  return false;
}

// --- Order and laziness.

// What must be evaluated before e, in order.
std::vector<RowCompiler::Operand> RowCompiler::operands(Expr e) {
  std::vector<Operand> result;
  switch (e->op) {
    case Op::Reduce: return result;  // a program of its own
    case Op::Read:
    case Op::Inside: {
      auto found = accesses_.find(e);
      if (found == accesses_.end()) {
        const ir::view::Read r(e);
        found = accesses_.emplace(e, access(r.array, r.indices, r.fill)).first;
      }
      for (const AxisForm& axis : found->second.axes) {
        for (const auto& [term, factor] : axis.terms) result.push_back({term});
        if (axis.row != nullptr) result.push_back({axis.row});
      }
      if (found->second.fill != nullptr) result.push_back({found->second.fill});
      return result;
    }
    case Op::Select: return {{e->arg(0)}, {e->arg(1), 0, true}, {e->arg(2), 0, false}};
    case Op::Gate:
    case Op::And: return {{e->arg(0)}, {e->arg(1), 0, true}};
    case Op::Or: return {{e->arg(0)}, {e->arg(1), 0, false}};
    default: break;
  }
  for (Expr a : e->args()) result.push_back({a});
  return result;
}

std::vector<Expr> RowCompiler::evaluation_order(std::span<const Expr> roots) {
  std::vector<Expr> order;
  walk(
      roots,
      [&](Expr e) -> std::optional<std::vector<Expr>> {
        if (!values_.emplace(e, kNone).second) return std::nullopt;
        std::vector<Expr> nodes;
        for (const Operand& o : operands(e)) nodes.push_back(o.node);
        return nodes;
      },
      [&](Expr e) { order.push_back(e); });
  return order;
}

Id RowCompiler::extend(Id mask, Id condition, bool when) {
  const int depth = mask == kNone ? 1 : p_.masks_[mask].depth + 1;
  if (depth > kMaxMaskDepth) return mask;  // a wider mask is right, only slower
  const auto [found, added] =
      mask_ids_.try_emplace({mask, condition, when}, static_cast<Id>(p_.masks_.size()));
  if (added) {
    RowProgram::Mask m;
    m.parent = mask;
    m.condition = condition;
    m.when = when;
    m.depth = depth;
    m.level = std::max(Level::Row, p_.levels_[condition]);
    if (mask != kNone) m.level = std::max(m.level, p_.masks_[mask].level);
    p_.masks_.push_back(std::move(m));
  }
  return found->second;
}

Id RowCompiler::common(Id a, Id b) const {
  const auto depth = [&](Id m) { return m == kNone ? 0 : p_.masks_[m].depth; };
  while (a != b) {
    Id& deeper = depth(a) >= depth(b) ? a : b;
    deeper = p_.masks_[deeper].parent;
  }
  return a;
}

void RowCompiler::find_masks(const std::vector<Expr>& order, std::span<const Expr> roots,
                             bool guarded) {
  const auto need = [&](Expr e, Id mask) {
    const auto [found, added] = mask_of_.try_emplace(e, mask);
    if (!added) found->second = common(found->second, mask);
  };
  for (std::size_t r = 0; r < roots.size(); ++r)
    need(roots[r], guarded && r > 0 ? extend(kNone, values_.at(roots[0]), true) : kNone);
  for (auto e = order.rbegin(); e != order.rend(); ++e) {
    const Id mask = mask_of_.at(*e);
    const std::vector<Operand> all = operands(*e);
    for (const Operand& o : all)
      need(o.node,
           o.lazy_on == kNone ? mask : extend(mask, values_.at(all[o.lazy_on].node), o.when));
  }
  mask_emitted_.assign(p_.masks_.size(), false);
}

}  // namespace lathe::interp
