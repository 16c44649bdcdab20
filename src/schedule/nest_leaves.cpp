// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "base/quoted.h"
#include "ir/build.h"
#include "ir/rounds.h"
#include "passes/rebuild.h"
#include "schedule/nest_parts.h"

namespace lathe::schedule {
namespace {

// Where a statement stands in the program.
struct Site {
  const ir::Item* item = nullptr;
  std::vector<const ir::Sweep*> sweeps;
  std::vector<std::pair<Symbol, bool>> control;  // repeats and whens around it; true: then side
};

void collect_sites(const ir::Body& body, Site around, std::map<Symbol, Site>& sites) {
  for (const ir::Item& item : body) {
    Site site = around;
    site.item = &item;
    if (const auto* s = std::get_if<ir::Statement>(&item.node)) sites[s->label] = site;
    if (const auto* g = std::get_if<ir::Group>(&item.node)) sites[g->label] = site;
    if (const auto* w = std::get_if<ir::While>(&item.node)) sites[w->label] = site;
    if (const auto* c = std::get_if<ir::Call>(&item.node)) sites[c->label] = site;
    if (const auto* s = std::get_if<ir::Sweep>(&item.node)) {
      site.sweeps.push_back(s);
      collect_sites(s->body, site, sites);
    }
    if (const auto* r = std::get_if<ir::Repeat>(&item.node)) {
      sites[r->label] = site;
      site.control.push_back({r->label, true});
      collect_sites(r->body, site, sites);
    }
    if (const auto* w = std::get_if<ir::When>(&item.node)) {
      sites[w->label] = site;
      site.control.push_back({w->label, true});
      collect_sites(w->then_body, site, sites);
      site.control.back().second = false;
      collect_sites(w->else_body, site, sites);
    }
  }
}

class LeafFinder {
 public:
  explicit LeafFinder(Nest& nest) : nest_(nest) { collect_sites(nest.program.body, {}, sites_); }

  void run() {
    walk(nest_.body);
    for (const auto& [label, site] : sites_)
      if (!seen_.count(label))
        throw UserError("the schedule does not say where " + quoted(label) + " runs",
                        nest_.body.empty() ? Span{} : nest_.body.front().span);
  }

 private:
  void walk(const std::vector<Node>& body) {
    for (const Node& n : body) {
      switch (n.kind) {
        case NodeKind::Compute: add_leaf(n); break;
        case NodeKind::Call: control(n); break;
        case NodeKind::Copy: break;
        case NodeKind::Prefetch:
          if (n.next && std::none_of(path_.begin(), path_.end(), [&](const Node* loop) {
                return runs_in_order(*loop) && loop->name == n.next;
              }))
            throw UserError("no loop over " + quoted(n.next) +
                                " that runs its points one after the other is around this prefetch",
                            n.span, "a prefetch stands in the loop whose next iteration it means");
          break;
        case NodeKind::Repeat:
          control(n);
          around_.push_back({n.name, true});
          enter(n, n.body);
          around_.pop_back();
          break;
        case NodeKind::When:
          control(n);
          around_.push_back({n.name, true});
          enter(n, n.body);
          around_.back().second = false;
          enter(n, n.otherwise);
          around_.pop_back();
          break;
        default: enter(n, n.body);
      }
    }
  }
  void enter(const Node& n, const std::vector<Node>& body) {
    path_.push_back(&n);
    walk(body);
    path_.pop_back();
  }

  const Site& site_of(const Node& n) {
    const auto it = sites_.find(n.name);
    if (it == sites_.end())
      throw UserError("the program has no statement " + quoted(n.name), n.span);
    if (!seen_.insert(n.name).second)
      throw UserError("the schedule has " + quoted(n.name) + " twice", n.span);
    if (it->second.control != around_)
      throw UserError(quoted(n.name) + " must stay inside the repeats and whens that it is in",
                      n.span);
    return it->second;
  }

  void control(const Node& n) { nest_.items[n.name] = site_of(n).item; }

  void add_leaf(const Node& n) {
    const Site& site = site_of(n);
    Leaf leaf;
    leaf.node = &n;
    leaf.label = n.name;
    leaf.path = path_;
    leaf.sweeps = site.sweeps;
    for (const ir::Sweep* s : site.sweeps) leaf.ranges.push_back(s->range);
    const ir::Domain* domain = nullptr;
    if (const auto* s = std::get_if<ir::Statement>(&site.item->node)) {
      domain = &s->domain;
      leaf.lines = {s};
      leaf.span = s->span;
    } else if (const auto* g = std::get_if<ir::Group>(&site.item->node)) {
      domain = &g->domain;
      leaf.group = g;
      for (const ir::Statement& s : g->statements) leaf.lines.push_back(&s);
      leaf.span = g->span;
    } else if (const auto rounds = ir::as_rounds(*site.item)) {
      domain = &rounds->loop->domain;
      leaf.group = rounds->group;
      leaf.rounds = rounds->loop;
      leaf.lines = rounds->lines;
      leaf.span = rounds->loop->span;
    } else {
      throw UserError(quoted(n.name) + " is not a statement", n.span);
    }
    leaf.guard = domain->guard;
    if (leaf.rounds) {
      ir::RawMaker maker(*nest_.program.graph);
      leaf.guard = passes::both(maker, domain->guard, leaf.rounds->condition);
    }
    leaf.ranges.insert(leaf.ranges.end(), domain->ranges.begin(), domain->ranges.end());
    nest_.leaf_of[&n] = nest_.leaves.size();
    nest_.leaves.push_back(std::move(leaf));
  }

  Nest& nest_;
  std::map<Symbol, Site> sites_;
  std::set<Symbol> seen_;
  std::vector<const Node*> path_;
  std::vector<std::pair<Symbol, bool>> around_;
};

}  // namespace

void find_leaves(Nest& nest) { LeafFinder(nest).run(); }

}  // namespace lathe::schedule
