// SPDX-License-Identifier: Apache-2.0
// Ready units wait in one ordered set per context, so the cheapest of the current context is found
// at once; other contexts are asked only when it runs dry. The number of live registers changes for
// a unit only when one of its operands becomes live, which happens once per register: so everything
// together takes O(uses * log ready). Two limits keep that in odd bodies: looking ahead stops where
// more than kFewReady units are ready, and the search for another context sees kNearContexts.

#include "lower/list_schedule.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "base/diagnostics.h"

namespace lathe::lower {
namespace {

using Kind = Unit::Kind;

constexpr std::size_t kFewReady = 8;
constexpr std::size_t kNearContexts = 64;

struct Ready {
  int live = 0;  // change of the number of live registers
  std::uint32_t time = 0;
  std::uint32_t unit = 0;
  friend bool operator<(const Ready& a, const Ready& b) {
    return std::tie(a.live, a.time) < std::tie(b.live, b.time);
  }
};

class ListSchedule {
 public:
  ListSchedule(const UnitGraph& graph, const Contexts& contexts)
      : graph_(graph),
        units_(graph.units()),
        contexts_(contexts),
        states_(units_.size()),
        live_(graph.register_count(), false),
        marks_(graph.register_count(), 0),
        waiting_(contexts.size()) {}

  std::vector<std::uint32_t> run();

 private:
  struct State {
    std::uint32_t later = 0;  // units that are not placed yet and must come after
    int live = 0;
    std::uint32_t time = 0;
    bool ready = false;
  };
  struct Waiting {
    std::set<Ready> units;
    std::set<Context> children;  // in which units are waiting
    bool any() const { return !units.empty() || !children.empty(); }
  };

  bool is_statement(std::uint32_t u) const {
    return units_[u].kind != Kind::Enter && units_[u].kind != Kind::Never;
  }
  Ready key(std::uint32_t u) const { return {states_[u].live, states_[u].time, u}; }

  void make_ready(std::uint32_t u);
  void remove(std::uint32_t u);
  void release(std::uint32_t u);  // what waits for a unit that has its place now
  void settle();
  Context nearest() const;
  Context nearest_within(Context outer) const;
  std::uint32_t choose(Context c);
  int cost_of_next(std::uint32_t u);

  const UnitGraph& graph_;
  const std::vector<Unit>& units_;
  const Contexts& contexts_;
  std::vector<State> states_;
  std::vector<bool> live_;
  std::vector<std::uint32_t> marks_;  // registers that the unit looked at makes live
  std::uint32_t mark_ = 0;
  std::vector<Waiting> waiting_;  // by context
  std::vector<std::uint32_t> silent_, order_;
  std::uint32_t clock_ = 0;
  std::size_t released_ = 0;
  Context current_ = kAlways;
};

std::vector<std::uint32_t> ListSchedule::run() {
  for (std::uint32_t u = 0; u < units_.size(); ++u) {
    for (std::uint32_t e : graph_.earlier(u)) ++states_[e].later;
    const bool defines = units_[u].defines != kNone;
    states_[u].live = static_cast<int>(graph_.uses(u).size()) - (defines ? 1 : 0);
  }
  // The last task first: where costs are equal, the order of the program stays.
  std::vector<std::uint32_t> last;
  for (auto u = static_cast<std::uint32_t>(units_.size()); u-- > 0;)
    if (states_[u].later == 0) last.push_back(u);
  for (std::uint32_t u : last) make_ready(u);
  settle();
  while (waiting_[kAlways].any()) {
    current_ = nearest();
    const std::uint32_t u = choose(current_);
    remove(u);
    order_.push_back(u);
    release(u);
    settle();
  }
  check(released_ == units_.size(), "an order of the units");
  std::reverse(order_.begin(), order_.end());
  return std::move(order_);
}

void ListSchedule::make_ready(std::uint32_t u) {
  states_[u].time = ++clock_;
  if (!is_statement(u)) {
    silent_.push_back(u);
    return;
  }
  states_[u].ready = true;
  Context c = units_[u].context;
  waiting_[c].units.insert(key(u));
  while (c != kAlways && waiting_[contexts_.parent(c)].children.insert(c).second)
    c = contexts_.parent(c);
}

void ListSchedule::remove(std::uint32_t u) {
  Context c = units_[u].context;
  waiting_[c].units.erase(key(u));
  states_[u].ready = false;
  for (; c != kAlways && !waiting_[c].any(); c = contexts_.parent(c))
    waiting_[contexts_.parent(c)].children.erase(c);
}

void ListSchedule::release(std::uint32_t u) {
  ++released_;
  for (std::uint32_t reg : graph_.uses(u)) {
    if (live_[reg]) continue;
    live_[reg] = true;
    for (std::uint32_t user : graph_.users(reg)) {
      const bool ready = states_[user].ready;
      auto& waiting = waiting_[units_[user].context].units;
      if (ready) waiting.erase(key(user));
      --states_[user].live;
      if (ready) waiting.insert(key(user));
    }
  }
  // The last operand first: it then stands after the others.
  const auto earlier = graph_.earlier(u);
  for (std::size_t k = earlier.size(); k-- > 0;)
    if (--states_[earlier[k]].later == 0) make_ready(earlier[k]);
}

void ListSchedule::settle() {
  while (!silent_.empty()) {
    const std::uint32_t u = silent_.back();
    silent_.pop_back();
    release(u);
  }
}

// The fewest conditions to leave, then the fewest to enter. The other side of the same test comes
// before everything else outside: the two become one `if`.
Context ListSchedule::nearest() const {
  Context from = current_;
  if (waiting_[from].any()) return nearest_within(from);
  while (from != kAlways) {
    const Context opposite = contexts_.opposite(from);
    if (opposite != kNone && waiting_[opposite].any()) return nearest_within(opposite);
    from = contexts_.parent(from);
    if (waiting_[from].any()) return nearest_within(from);
  }
  internal_error("nothing is ready");
}

Context ListSchedule::nearest_within(Context outer) const {
  std::vector<Context> level = {outer}, next;
  for (;;) {
    Context best = kNone;
    for (Context c : level) {
      if (waiting_[c].units.empty()) continue;
      if (best == kNone || *waiting_[c].units.begin() < *waiting_[best].units.begin()) best = c;
    }
    if (best != kNone) return best;
    next.clear();
    for (Context c : level) {
      for (Context child : waiting_[c].children) {
        if (next.size() == kNearContexts) break;
        next.push_back(child);
      }
    }
    level.swap(next);
  }
}

std::uint32_t ListSchedule::choose(Context c) {
  const std::set<Ready>& ready = waiting_[c].units;
  if (ready.size() == 1 || ready.size() > kFewReady) return ready.begin()->unit;
  std::tuple<int, std::uint32_t> least = {0, kNone};
  std::uint32_t best = kNone;
  for (const Ready& candidate : ready) {
    const std::tuple cost = {candidate.live + cost_of_next(candidate.unit), candidate.time};
    if (best != kNone && !(cost < least)) continue;
    least = cost;
    best = candidate.unit;
  }
  return best;
}

// The least change of live registers by a unit of the same context that could be placed after u.
int ListSchedule::cost_of_next(std::uint32_t u) {
  ++mark_;
  for (std::uint32_t reg : graph_.uses(u))
    if (!live_[reg]) marks_[reg] = mark_;
  int least = 0;
  bool any = false;
  const auto look_at = [&](std::uint32_t v) {
    int live = states_[v].live;
    for (std::uint32_t reg : graph_.uses(v))
      if (marks_[reg] == mark_) --live;
    least = any ? std::min(least, live) : live;
    any = true;
  };
  for (const Ready& other : waiting_[units_[u].context].units)
    if (other.unit != u) look_at(other.unit);
  for (std::uint32_t e : graph_.earlier(u)) {
    const bool next = states_[e].later == 1 && is_statement(e);
    if (next && units_[e].context == units_[u].context) look_at(e);
  }
  return least;
}

}  // namespace

std::vector<std::uint32_t> list_schedule(const UnitGraph& graph, const Contexts& contexts) {
  return ListSchedule(graph, contexts).run();
}

}  // namespace lathe::lower
