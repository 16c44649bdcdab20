// SPDX-License-Identifier: Apache-2.0
#include "road_reduce.h"

#include <algorithm>

#include "ir/detach.h"
#include "ir/text.h"
#include "pipeline.h"
#include "random_schedule.h"
#include "reduce.h"
#include "schedule/default_schedule.h"

namespace lathe::testing {
namespace {

using namespace schedule;

ir::Program prepare(const ir::Program& program) {
  return run_preparation(run_pipeline(ir::detach(program)));
}

std::optional<Schedule> parse(const std::string& lockfile, const ir::Program& prepared) {
  Diagnostics diagnostics;
  return parse_schedule("schedule", lockfile, prepared, diagnostics);
}

// The labels and loop variables of a program that went through preparation.
std::vector<std::string> words(const std::vector<Node>& body) {
  std::vector<std::string> all;
  for (const Node& n : body) {
    if (!n.is_loop()) all.emplace_back(n.name.text());
    for (const auto* inner : {&n.body, &n.otherwise})
      for (std::string& w : words(*inner)) all.push_back(std::move(w));
  }
  return all;
}

bool has(const std::vector<std::string>& all, Symbol s) {
  return std::find(all.begin(), all.end(), s.text()) != all.end();
}

// A tree without the statements that a smaller program has lost, in its symbols.
std::vector<Node> carried_over(const std::vector<Node>& body, const std::vector<std::string>& known,
                               ir::Graph& graph) {
  std::vector<Node> out;
  const auto here = [&](Symbol s) { return s ? graph.symbol(s.text()) : s; };
  for (Node n : body) {
    const bool around = n.is_loop() || n.kind == NodeKind::Repeat || n.kind == NodeKind::When;
    const bool is_data = n.kind == NodeKind::Copy || n.kind == NodeKind::Prefetch;
    if (!n.is_loop() && !is_data && !has(known, n.name)) continue;
    n.body = carried_over(n.body, known, graph);
    n.otherwise = carried_over(n.otherwise, known, graph);
    if (around && n.body.empty() && n.otherwise.empty()) continue;
    n.name = here(n.name);
    n.place.window = here(n.place.window);
    n.place.over = here(n.place.over);
    for (Symbol& axis : n.place.layout) axis = here(axis);
    for (Bind& b : n.binds) b = {here(b.variable), here(b.loop), b.shift};
    for (PackAxis& p : n.layout) p.name = here(p.name);
    out.push_back(std::move(n));
  }
  return out;
}

void all_nodes(std::vector<Node>& body,
               std::vector<std::pair<std::vector<Node>*, std::size_t>>& out) {
  for (std::size_t i = 0; i < body.size(); ++i) {
    out.emplace_back(&body, i);
    all_nodes(body[i].body, out);
    all_nodes(body[i].otherwise, out);
  }
}

// The n-th simplification of one node; false: there is none.
bool simplify_node(std::vector<Node>& body, std::size_t at, int which) {
  Node& n = body[at];
  const bool plain_kind =
      n.kind == NodeKind::Parallel || n.kind == NodeKind::Vector || is_copied(n.kind);
  switch (which) {
    case 0:  // a copy or prefetch
      if (n.kind != NodeKind::Copy && n.kind != NodeKind::Prefetch) return false;
      body.erase(body.begin() + static_cast<std::ptrdiff_t>(at));
      return true;
    case 1:  // a loop over tiles, around the loop over points
      if (n.kind > NodeKind::Jam || n.body.empty()) return false;
      {
        std::vector<Node> inner = std::move(n.body);
        body.erase(body.begin() + static_cast<std::ptrdiff_t>(at));
        body.insert(body.begin() + static_cast<std::ptrdiff_t>(at), inner.begin(), inner.end());
      }
      return true;
    case 2: return !(std::exchange(n.place, {}) == Place{});
    case 3: return !std::exchange(n.binds, {}).empty();
    case 4:
      if (!plain_kind) return false;
      n.kind = NodeKind::For;
      n.tile = 0;
      return true;
    case 5: return !std::exchange(n.layout, {}).empty();
    default: return false;
  }
}

class TrialReducer {
 public:
  TrialReducer(const Trial& failing, const Verdict& verdict, RoadOptions options)
      : options_(std::move(options)),
        wanted_(kind_of(verdict.message)),
        best_{failing, verdict, {}} {
    options_.begins = nullptr;
    options_.checked_every = verdict.checked ? 1 : 0;
    best_.options = options_;
    builds_.clear();
    if (verdict.build && !verdict.checked) builds_.push_back(*verdict.build);
    prepared_.emplace(prepare(failing.subject->c.program));
    schedule_ = parse(failing.lockfile, *prepared_);
  }

  SmallTrial run(int max_tries) {
    Case start = best_.trial.subject->c;
    // One run is enough where it shows.
    for (const RoadRun& r : best_.trial.subject->runs) {
      Case c = start;
      c.sizes = r.sizes;
      if (fails(c)) {
        start = c;
        break;
      }
    }
    const Fails still = [this](const Case& c) { return fails(c); };
    reduce(start, still, max_tries);
    simplify_schedule();
    return best_;
  }

 private:
  bool fails(const Case& c) {
    const ir::Program prepared = prepare(c.program);
    const auto subject = make_subject(c, {c.sizes});
    if (subject->runs.empty()) return false;
    if (schedule_) {
      Schedule s = plain_schedule(prepared);
      s.body = carried_over(schedule_->body, words(s.body), *prepared.graph);
      if (attempt(subject, tree_text(s))) return true;
    }
    if (attempt(subject, tree_text(default_schedule(prepared)))) return true;
    for (std::uint64_t n = 0; n < 2; ++n) {
      Rng rng(c.seed + n);
      if (attempt(subject, tree_text(random_schedule(prepared, rng)))) return true;
    }
    return false;
  }

  bool attempt(const std::shared_ptr<const Subject>& subject, const std::string& lockfile) {
    const Trial trial{subject, lockfile, best_.trial.name, builds_};
    const Verdict v = run_trials({trial}, options_).front();
    if (v.message.empty() || kind_of(v.message) != wanted_) return false;
    best_.trial = trial;
    best_.verdict = v;
    return true;
  }

  void simplify_schedule() {
    const auto subject = best_.trial.subject;
    const ir::Program prepared = prepare(subject->c.program);
    std::optional<Schedule> s = parse(best_.trial.lockfile, prepared);
    for (bool any = s.has_value(); any;) {
      any = false;
      for (std::size_t at = 0;; ++at) {
        std::vector<std::pair<std::vector<Node>*, std::size_t>> nodes;
        all_nodes(s->body, nodes);
        if (at >= nodes.size()) break;
        for (int which = 0; which < 6; ++which) {
          Schedule trial = *s;
          nodes.clear();
          all_nodes(trial.body, nodes);
          if (at >= nodes.size()) break;
          if (!simplify_node(*nodes[at].first, nodes[at].second, which)) continue;
          if (!attempt(subject, tree_text(trial))) continue;
          s = std::move(trial);
          any = true;
        }
      }
    }
  }

  RoadOptions options_;
  std::string wanted_;
  std::vector<Build> builds_;
  std::optional<ir::Program> prepared_;  // its graph owns the names of the schedule
  std::optional<Schedule> schedule_;
  SmallTrial best_;
};

}  // namespace

// Of a difference or a crash only that it is one; of other errors the words without names, numbers
// and places.
std::string kind_of(const std::string& message) {
  const std::string kind = message.substr(0, message.find(':'));
  if (kind != "error") return kind;
  std::string text;
  bool quoted = false;
  for (char c : message.substr(0, message.find('\n'))) {
    if (c == '\'') quoted = !quoted;
    if (!quoted && !(c >= '0' && c <= '9')) text += c;
  }
  return text.substr(0, 60);
}

SmallTrial reduce_trial(const Trial& failing, const Verdict& verdict, const RoadOptions& options,
                        int max_tries) {
  return TrialReducer(failing, verdict, options).run(max_tries);
}

}  // namespace lathe::testing
