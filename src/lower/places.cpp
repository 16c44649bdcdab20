// SPDX-License-Identifier: Apache-2.0
#include "lower/places.h"

#include <algorithm>

#include "base/hash.h"

namespace lathe::lower {
namespace {

using ir::Op;

constexpr std::uint32_t kLongestExpression = 12;  // operations in one statement

}  // namespace

Places::Places(const BodyGraph& body, bool channels) : body_(body) {
  const std::size_t count = body.nodes().size();
  open_.assign(count, 0);
  group_of_.assign(count, kNone);
  find_needed();
  find_open_tests();
  find_after();
  if (channels) {
    group_channels();
    find_needed();  // without the indices of all channels but the first
  }
  count_uses();
  choose();
}

std::span<const std::uint32_t> Places::operands(std::uint32_t node) const {
  const std::uint32_t group = group_of_[node];
  if (group != kNone && groups_[group][0] != node) return {};
  return body_.operands(node);
}

void Places::mark_entered(Context c) {
  for (; c != kAlways && !entered_[c]; c = body_.contexts().parent(c)) {
    entered_[c] = true;
    needed_[body_.test(c)] = true;
    is_test_[body_.test(c)] = true;
  }
}

void Places::find_needed() {
  const auto& nodes = body_.nodes();
  needed_.assign(nodes.size(), false);
  is_test_.assign(nodes.size(), false);
  entered_.assign(body_.contexts().size(), false);
  for (const BodyTask& task : body_.tasks()) {
    Context context = task.context;
    // What may end the call is evaluated even if nothing comes of it.
    while (task.never && context != kAlways && body_.expr(body_.test(context)).risks == 0)
      context = body_.contexts().parent(context);
    mark_entered(context);
    if (task.never) continue;
    for (std::uint32_t index : task.indices) needed_[index] = true;
    needed_[task.value] = true;
  }
  for (std::uint32_t n = 0; n < nodes.size(); ++n) {
    if (!needed_[n]) continue;
    if (nodes[n].yes != kNone) mark_entered(nodes[n].yes);
    if (nodes[n].no != kNone) mark_entered(nodes[n].no);
    for (std::uint32_t operand : operands(n)) needed_[operand] = true;
  }
}

void Places::find_open_tests() {
  for (std::uint32_t n = 0; n < open_.size(); ++n)
    if (needed_[n]) open_[n] = body_.open_tests(n);
}

bool Places::is_tested(std::uint32_t node) const {
  const Expr source = body_.exprs().source(body_.nodes()[node].number);
  return open_[node] != 0 && source->policy == ir::Policy::Error;
}

// A task that must come before the tests of a context must come before everything in it.
void Places::find_after() {
  const auto& nodes = body_.nodes();
  after_.assign(nodes.size(), 0);
  before_.assign(nodes.size(), kNone);
  const auto up_to = [&](Context c, Context outer) {
    std::uint32_t after = 0;
    for (; c != kNone && c != outer; c = body_.contexts().parent(c))
      after = std::max(after, after_[body_.test(c)]);
    return after;
  };
  for (auto n = static_cast<std::uint32_t>(nodes.size()); n-- > 0;) {
    if (!needed_[n]) continue;
    if (const MemoryRead* memory = body_.expr(n).memory) {
      after_[n] = memory->after;
      before_[n] = memory->before;
    }
    for (std::uint32_t operand : body_.operands(n))
      after_[n] = std::max(after_[n], after_[operand]);
    after_[n] = std::max(after_[n], up_to(nodes[n].yes, nodes[n].context));
    after_[n] = std::max(after_[n], up_to(nodes[n].no, nodes[n].context));
  }
  std::vector<std::uint32_t> of_context(body_.contexts().size(), 0);
  for (Context c = 1; c < of_context.size(); ++c) {
    of_context[c] = of_context[body_.contexts().parent(c)];
    if (entered_[c]) of_context[c] = std::max(of_context[c], after_[body_.test(c)]);
  }
  for (std::uint32_t n = 0; n < nodes.size(); ++n)
    after_[n] = std::max(after_[n], of_context[nodes[n].context]);
}

void Places::group_channels() {
  struct Key {
    ir::Symbol buffer;
    Context context;
    std::vector<Expr> indices;  // of the last one the base
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& k) const {
      Hasher hasher;
      hasher.add(k.buffer.hash()).add(k.context);
      for (Expr index : k.indices) hasher.add(index ? index->hash : 0);
      return static_cast<std::size_t>(hasher.finish());
    }
  };
  std::unordered_map<Key, std::size_t, KeyHash> numbers;
  std::vector<std::vector<std::pair<std::int64_t, std::uint32_t>>> found;  // channel, node
  for (std::uint32_t n = 0; n < body_.nodes().size(); ++n) {
    if (!needed_[n] || body_.expr(n).expr->op != Op::Read || open_[n] != 0) continue;
    const Expr source = body_.exprs().source(body_.nodes()[n].number);
    if (source->op != Op::Read || source->arg_count == 0) continue;
    Key key{source->name, body_.nodes()[n].context, {}};
    key.indices.assign(source->args().begin(), source->args().end());
    const Offset last = split_offset(key.indices.back());
    key.indices.back() = last.base;
    const auto [at, is_new] = numbers.try_emplace(std::move(key), found.size());
    if (is_new) found.emplace_back();
    found[at->second].push_back({last.constant, n});
  }
  for (auto& reads : found) {
    if (reads.size() < 2 || reads.size() > 4) continue;
    std::sort(reads.begin(), reads.end());
    // One moment for all: no earlier than the latest, which must not be too late for any user.
    const std::uint32_t after = after_[reads[0].second];
    bool all = true;
    for (std::size_t channel = 0; channel < reads.size(); ++channel) {
      const auto [constant, node] = reads[channel];
      all = all && constant == static_cast<std::int64_t>(channel) && after_[node] == after &&
            after <= before_[node];
    }
    if (!all) continue;
    for (const auto& [channel, node] : reads)
      group_of_[node] = static_cast<std::uint32_t>(groups_.size());
    std::vector<std::uint32_t>& group = groups_.emplace_back();
    for (const auto& [channel, node] : reads) group.push_back(node);
  }
}

void Places::count_uses() {
  use_count_.assign(body_.nodes().size(), 0);
  for (std::uint32_t n = 0; n < use_count_.size(); ++n) {
    if (!needed_[n]) continue;
    // Indices that are also tested are written several times.
    const std::uint32_t times = is_tested(n) ? 2 : 1;
    for (std::uint32_t operand : operands(n)) use_count_[operand] += times;
  }
  for (const BodyTask& task : body_.tasks()) {
    if (task.never) continue;
    for (std::uint32_t index : task.indices) ++use_count_[index];
    ++use_count_[task.value];
  }
}

void Places::take_inside(std::uint32_t node, std::uint32_t after, std::uint32_t& size,
                         std::uint32_t& before) {
  const bool can = places_[node] == Place::Let && use_count_[node] == 1 && !is_test_[node] &&
                   !is_tested(node) && size + size_[node] <= kLongestExpression &&
                   after <= before_[node];
  if (!can) return;
  places_[node] = Place::Inside;
  size += size_[node];
  before = std::min(before, before_[node]);
}

void Places::choose() {
  const auto& nodes = body_.nodes();
  places_.assign(nodes.size(), Place::Let);
  size_.assign(nodes.size(), 0);
  for (auto n = static_cast<std::uint32_t>(nodes.size()); n-- > 0;) {
    if (!needed_[n]) continue;
    if (body_.expr(n).free) {
      places_[n] = Place::Free;
    } else if (nodes[n].branch) {
      places_[n] = Place::Var;
      for (std::uint32_t operand : body_.operands(n)) {
        std::uint32_t size = 0, before = kNone;
        take_inside(operand, after_[operand], size, before);
      }
    } else if (group_of_[n] != kNone) {
      places_[n] = Place::Channel;
    } else {
      size_[n] = 1;
      for (std::uint32_t operand : operands(n))
        take_inside(operand, after_[n], size_[n], before_[n]);
    }
  }
  for (std::size_t t = 0; t < body_.tasks().size(); ++t) {
    const BodyTask& task = body_.tasks()[t];
    if (task.never) continue;
    std::uint32_t size = 0, before = kNone;
    take_inside(task.value, static_cast<std::uint32_t>(t), size, before);
    for (std::uint32_t index : task.indices)
      take_inside(index, static_cast<std::uint32_t>(t), size, before);
  }
}

}  // namespace lathe::lower
