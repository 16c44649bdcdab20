// SPDX-License-Identifier: Apache-2.0
// One walk over the tasks in their order. What an expression becomes is remembered until a task
// writes an element that it reads; so it is walked again only when it has another value.

#include "lower/memory_order.h"

#include <algorithm>

#include "base/diagnostics.h"
#include "lower/range_tests.h"

namespace lathe::lower {

using ir::Op;

MemoryOrder::MemoryOrder(ir::Maker& maker, const std::vector<Task>& tasks,
                         const OrderOptions& options)
    : maker_(maker), options_(options) {
  for (const Task& task : tasks) {
    auto& targets = task.assign ? variables_ : buffers_;
    const auto number = static_cast<std::uint32_t>(buffers_.size() + variables_.size());
    if (targets.try_emplace(task.target, number).second) elements_.emplace_back();
  }
  last_task_.assign(elements_.size(), 0);
  for (const Task& task : tasks) add(task);
  find_next_writes();
}

std::uint32_t MemoryOrder::target_of(Symbol name, bool variable) const {
  const auto& targets = variable ? variables_ : buffers_;
  const auto found = targets.find(name);
  return found == targets.end() ? kNone : found->second;
}

void MemoryOrder::add(const Task& task) {
  const auto number = static_cast<std::uint32_t>(tasks_.size());
  const std::uint32_t target = target_of(task.target, task.assign);
  OrderedTask ordered;
  ordered.previous = last_task_[target] - 1;  // kNone for the first
  context_ = kAlways;
  if (!options_.flat) {
    std::vector<Literal> domain;
    for (std::size_t k = 0; k < task.conditions.size(); ++k)
      for (const Literal& part : split(literal_of(task.conditions[k]))) {
        ordered.conditions.push_back(part);
        if (k < task.domain) domain.push_back(part);
      }
    put_bounds_first(ordered.conditions, [&](Expr test) { return may_end_the_call(test); });
    const auto is_domain = [&](const Literal& part) {
      return std::find(domain.begin(), domain.end(), part) != domain.end();
    };
    const auto last =
        std::find_if(ordered.conditions.rbegin(), ordered.conditions.rend(), is_domain);
    ordered.domain = static_cast<std::size_t>(ordered.conditions.rend() - last);
    for (Literal& part : ordered.conditions) {
      part = literal_of(rewrite(part.test), part.holds);
      context_ = contexts_.enter(context_, part);
    }
  }
  for (Expr index : task.indices) ordered.indices.push_back(rewrite(index));
  ordered.value = rewrite(task.value);
  if (options_.flat && !task.conditions.empty()) {
    const ir::Build build(maker_);
    const Expr there = task.assign ? build.graph().param(task.target, task.value->dtype)
                                   : build.graph().read(task.target, task.value->dtype,
                                                        task.indices, ir::Policy::Trusted);
    const Expr old = rewrite(there);
    const Expr condition = rewrite(conjunction(maker_, task.conditions));
    ordered.value = build.select(condition, ordered.value, old);
  }
  const ElementPlace place = place_of(ordered.indices);
  forget(elements_[target].take_reads(place));
  elements_[target].add_write(place, number);
  last_task_[target] = number + 1;
  contexts_of_tasks_.push_back(context_);
  tasks_.push_back(std::move(ordered));
}

bool MemoryOrder::may_end_the_call(Expr test) {
  if (!options_.site_of) return false;
  std::vector<std::pair<Expr, bool>> stack = {{test, false}};
  while (!stack.empty()) {
    const auto [e, ready] = stack.back();
    stack.pop_back();
    if (ready) {
      bool ends = e->op == Op::Read && e->policy == ir::Policy::Error;
      for (Expr a : e->args()) ends = ends || ends_call_.at(a);
      ends_call_[e] = ends;
    } else if (!ends_call_.contains(e)) {
      stack.push_back({e, true});
      for (Expr a : e->args()) stack.push_back({a, false});
    }
  }
  return ends_call_.at(test);
}

void MemoryOrder::forget(std::vector<Expr> exprs) {
  while (!exprs.empty()) {
    const Expr e = exprs.back();
    exprs.pop_back();
    if (seen_.erase(e) == 0) continue;
    const auto users = users_.find(e);
    if (users == users_.end()) continue;
    exprs.insert(exprs.end(), users->second.begin(), users->second.end());
    users_.erase(users);
  }
}

Expr MemoryOrder::rewrite(Expr root) {
  std::vector<std::pair<Expr, bool>> stack = {{root, false}};
  while (!stack.empty()) {
    const auto [e, ready] = stack.back();
    stack.pop_back();
    if (!ready) {
      const auto found = seen_.find(e);
      if (found != seen_.end()) {
        // What was written under conditions may be known here and not there.
        if (!found->second.by_context || found->second.context == context_) continue;
      }
      stack.push_back({e, true});
      for (std::size_t i = e->arg_count; i-- > 0;) stack.push_back({e->arg(i), false});
      continue;
    }
    seen_[e] = rewrite_node(e);
  }
  return seen_.at(root).result;
}

MemoryOrder::Seen MemoryOrder::rewrite_node(Expr e) {
  Seen seen{e, false, false, context_};
  std::vector<Expr> args;
  bool other = false;
  for (Expr a : e->args()) {
    const Seen& below = seen_.at(a);
    seen.changes = seen.changes || below.changes;
    seen.by_context = seen.by_context || below.by_context;
    other = other || below.result != a;
    args.push_back(below.result);
    if (below.changes) users_[a].push_back(e);
  }
  if (e->op == Op::Inside) {
    check(options_.axes_of, "the axes of a buffer for `inside`");
    const std::vector<Expr> tests = range_tests(maker_, (*options_.axes_of)(e->name), args);
    seen.result = conjunction(maker_, tests);
    return seen;
  }
  if (other) seen.result = maker_.remake(e, args);
  if (e->op != Op::Read && e->op != Op::Param) return seen;
  const std::uint32_t target = target_of(e->name, e->op == Op::Param);
  if (target != kNone) {
    const Seen element = this->element(seen.result, e, target);
    seen.result = element.result;
    seen.by_context = seen.by_context || element.by_context;
    seen.changes = true;
  } else if (other && reads_.try_emplace(seen.result, MemoryRead{seen.result, e}).second) {
    in_order_.push_back(seen.result);
  }
  return seen;
}

MemoryOrder::Seen MemoryOrder::element(Expr read, Expr origin, std::uint32_t target) {
  Seen seen{read};
  const ElementPlace place = place_of(read->args());
  elements_[target].keep_read(place, origin);
  const auto [after, exact] = elements_[target].last_write(place);
  if (exact) {
    const Context written = contexts_of_tasks_[after - 1];
    seen.by_context = written != kAlways;
    if (contexts_.within(context_, written)) {
      seen.result = tasks_[after - 1].value;
      return seen;
    }
  }
  if (after > 0 || read->op == Op::Param) {  // another value than the same read elsewhere
    Expr& known = later_[{read, after}];
    if (!known)
      known = maker_.graph().read(maker_.graph().fresh_symbol("value"), read->dtype, {},
                                  ir::Policy::Trusted);
    seen.result = known;
  }
  if (reads_.try_emplace(seen.result, MemoryRead{read, origin, after}).second)
    in_order_.push_back(seen.result);
  return seen;
}

void MemoryOrder::find_next_writes() {
  for (Expr leaf : in_order_) {
    MemoryRead& read = reads_.at(leaf);
    const std::uint32_t target = target_of(read.source->name, read.source->op == Op::Param);
    if (target == kNone) continue;
    read.before = elements_[target].next_write(place_of(read.source->args()), read.after);
  }
}

const MemoryRead* MemoryOrder::find(Expr read) const {
  const auto found = reads_.find(read);
  return found == reads_.end() ? nullptr : &found->second;
}

}  // namespace lathe::lower
