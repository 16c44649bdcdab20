// SPDX-License-Identifier: Apache-2.0
#include "lower/unit_graph.h"

namespace lathe::lower {

Lists::Lists(std::size_t count, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs)
    : values_(pairs.size()), starts_(count + 1, 0) {
  for (const auto& [list, value] : pairs) ++starts_[list + 1];
  for (std::size_t n = 0; n < count; ++n) starts_[n + 1] += starts_[n];
  std::vector<std::uint32_t> next(starts_.begin(), starts_.end() - 1);
  for (const auto& [list, value] : pairs) values_[next[list]++] = value;
}

UnitGraph::UnitGraph(const BodyGraph& body, const Places& places, const MemoryOrder& memory)
    : body_(body), places_(places), memory_(memory) {
  number_registers();
  make_units();
  connect();
}

void UnitGraph::number_registers() {
  registers_.assign(body_.nodes().size(), kNone);
  for (std::uint32_t n = 0; n < registers_.size(); ++n) {
    if (!places_.needed(n)) continue;
    if (places_[n] == Place::Let || places_[n] == Place::Var)
      registers_[n] = static_cast<std::uint32_t>(register_count_++);
  }
  for (const auto& group : places_.groups()) {
    for (std::uint32_t n : group) registers_[n] = static_cast<std::uint32_t>(register_count_);
    ++register_count_;
  }
  last_user_.assign(register_count_, kNone);
}

std::uint32_t UnitGraph::begin(Unit::Kind kind, std::uint32_t what, Context context) {
  const auto number = static_cast<std::uint32_t>(units_.size());
  units_.push_back({kind, what, context, kNone});
  return number;
}

void UnitGraph::wait_for_memory(std::uint32_t node) {
  const MemoryRead* memory = body_.expr(node).memory;
  if (!memory) return;
  const auto unit = static_cast<std::uint32_t>(units_.size() - 1);
  if (memory->after > 0) after_task_.push_back({unit, memory->after - 1});
  if (memory->before != kNone) before_task_.push_back({unit, memory->before});
}

void UnitGraph::use_operation(std::uint32_t node) {
  wait_for_memory(node);
  for (std::uint32_t operand : body_.operands(node)) use(operand);
}

void UnitGraph::use(std::uint32_t node) {
  const auto unit = static_cast<std::uint32_t>(units_.size() - 1);
  std::vector<std::uint32_t> stack = {node};
  while (!stack.empty()) {
    const std::uint32_t n = stack.back();
    stack.pop_back();
    if (places_[n] == Place::Free) continue;
    if (places_[n] == Place::Inside) {
      wait_for_memory(n);
      const auto operands = body_.operands(n);
      stack.insert(stack.end(), operands.rbegin(), operands.rend());
      continue;
    }
    const std::uint32_t reg = registers_[n];
    if (last_user_[reg] == unit) continue;
    last_user_[reg] = unit;
    use_pairs_.push_back({unit, reg});
  }
}

void UnitGraph::make_units() {
  using Kind = Unit::Kind;
  for (std::uint32_t t = 0; t < body_.tasks().size(); ++t) {
    const BodyTask& task = body_.tasks()[t];
    task_units_.push_back(begin(task.never ? Kind::Never : Kind::Task, t, task.context));
    if (task.never) continue;
    for (std::uint32_t index : task.indices) use(index);
    use(task.value);
  }
  for (std::uint32_t n = 0; n < body_.nodes().size(); ++n) {
    if (!places_.needed(n)) continue;
    const BodyNode& node = body_.nodes()[n];
    if (places_[n] == Place::Let) {
      const std::uint32_t unit = begin(Kind::Let, n, node.context);
      units_[unit].defines = registers_[n];
      definers_.push_back({registers_[n], unit});
      use_operation(n);
    } else if (places_[n] == Place::Var) {
      const std::uint32_t declare = begin(Kind::Declare, n, node.context);
      units_[declare].defines = registers_[n];
      const auto operands = body_.operands(n);
      for (const bool yes : {true, false}) {
        const Context side = yes ? node.yes : node.no;
        if (side == kNone) continue;
        const std::uint32_t unit = begin(yes ? Kind::Yes : Kind::No, n, side);
        use(operands[yes ? 0 : 1]);
        earlier_pairs_.push_back({unit, declare});
        definers_.push_back({registers_[n], unit});
      }
    }
  }
  for (std::uint32_t g = 0; g < places_.groups().size(); ++g) {
    const auto& group = places_.groups()[g];
    const std::uint32_t unit = begin(Kind::Load, g, body_.nodes()[group[0]].context);
    units_[unit].defines = registers_[group[0]];
    definers_.push_back({registers_[group[0]], unit});
    for (std::uint32_t n : group) wait_for_memory(n);
    for (std::uint32_t operand : body_.operands(group[0])) use(operand);
  }
  context_units_.assign(body_.contexts().size(), kNone);
  for (Context c = 1; c < context_units_.size(); ++c) {
    if (!places_.entered(c)) continue;
    context_units_[c] = begin(Kind::Enter, c, body_.contexts().parent(c));
    use(body_.test(c));
  }
}

void UnitGraph::connect() {
  uses_ = Lists(units_.size(), use_pairs_);
  const Lists definers(register_count_, definers_);
  Pairs users;
  for (std::uint32_t u = 0; u < units_.size(); ++u) {
    for (std::uint32_t reg : uses_[u]) {
      users.push_back({reg, u});
      for (std::uint32_t definer : definers[reg]) earlier_pairs_.push_back({u, definer});
    }
    const Context context = units_[u].context;
    if (context != kAlways && units_[u].kind != Unit::Kind::Never)
      earlier_pairs_.push_back({u, context_units_[context]});
  }
  users_ = Lists(register_count_, users);
  for (const auto& [unit, task] : after_task_) earlier_pairs_.push_back({unit, task_units_[task]});
  for (const auto& [unit, task] : before_task_)
    if (task_units_[task] != unit) earlier_pairs_.push_back({task_units_[task], unit});
  for (std::uint32_t t = 0; t < task_units_.size(); ++t) {
    const std::uint32_t previous = memory_.tasks()[t].previous;
    if (previous != kNone) earlier_pairs_.push_back({task_units_[t], task_units_[previous]});
  }
  earlier_ = Lists(units_.size(), earlier_pairs_);
}

}  // namespace lathe::lower
