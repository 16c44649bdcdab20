// SPDX-License-Identifier: Apache-2.0
// The registry: every pass of the pipeline, and the mechanisms with random arguments - most of
// which a mechanism refuses, so each gets several tries.

#include <algorithm>

#include "harness.h"
#include "ir/text.h"
#include "ir/traverse.h"
#include "passes/passes.h"
#include "passes/rebuild.h"
#include "pipeline.h"

namespace lathe::testing {

using namespace ir;

namespace {

constexpr int kTries = 8;

std::optional<Program> accepted(passes::Outcome outcome) {
  if (auto* p = std::get_if<Program>(&outcome)) return std::move(*p);
  return std::nullopt;
}

std::vector<Symbol> temporaries(const Program& p) {
  std::vector<Symbol> names;
  for (const Array& a : p.arrays)
    if (a.role == Role::Temp) names.push_back(a.name);
  return names;
}

std::vector<const Statement*> statements(const Program& p) {
  std::vector<const Statement*> all;
  for_each_statement(p.body, [&](const Statement& s) { all.push_back(&s); });
  return all;
}

std::optional<Program> inline_some(const Program& p, Rng& rng) {
  const auto names = temporaries(p);
  const auto all = statements(p);
  for (int i = 0; i < kTries && !names.empty() && !all.empty(); ++i) {
    const Symbol temp = rng.pick(names);
    const Symbol reader = rng.percent(50) ? Symbol() : rng.pick(all)->label;
    if (auto q = accepted(passes::inline_temporary(p, temp, reader))) return q;
  }
  return std::nullopt;
}

// Labels of neighbours that could fuse.
void neighbours(const Body& body, std::vector<std::pair<Symbol, Symbol>>& pairs) {
  const auto fusible = [](const Item& i) {
    return std::holds_alternative<Statement>(i.node) || std::holds_alternative<Group>(i.node);
  };
  for (std::size_t i = 0; i + 1 < body.size(); ++i)
    if (fusible(body[i]) && fusible(body[i + 1]))
      pairs.emplace_back(passes::label_of(body[i]), passes::label_of(body[i + 1]));
  for (const Item& item : body)
    for_each_body(item, [&](const Body& inner) { neighbours(inner, pairs); });
}

std::optional<Program> fuse_some(const Program& p, Rng& rng) {
  std::vector<std::pair<Symbol, Symbol>> pairs;
  neighbours(p.body, pairs);
  for (int i = 0; i < kTries && !pairs.empty(); ++i) {
    const auto [first, second] = rng.pick(pairs);
    if (auto q = accepted(passes::fuse_statements(p, first, second))) return q;
  }
  return std::nullopt;
}

std::optional<Program> demote_some(const Program& p, Rng& rng) {
  const auto names = temporaries(p);
  for (int i = 0; i < kTries && !names.empty(); ++i)
    if (auto q = accepted(passes::demote_temporary(p, rng.pick(names)))) return q;
  return std::nullopt;
}

std::optional<Program> share_some(const Program& p, Rng& rng) {
  const auto all = statements(p);
  for (int i = 0; i < kTries && !all.empty(); ++i) {
    const std::size_t at = rng.below(all.size());
    std::vector<Symbol> labels = {all[at]->label};
    if (at + 1 < all.size() && rng.percent(50)) labels.push_back(all[at + 1]->label);
    std::vector<Expr> parts;
    for (Expr e : post_order(all[at]->values))
      if (e->arg_count > 0) parts.push_back(e);
    if (parts.empty()) continue;
    const Expr what = rng.pick(parts);
    const std::string name(p.graph->fresh_symbol("shared").text());
    if (auto q = accepted(passes::share_subexpression(p, labels, what, name))) return q;
  }
  return std::nullopt;
}

// Everything up to loops; nothing is left to prepare then, and preparing again changes nothing.
std::optional<Program> prepare_twice(const Program& p, Rng&) {
  Program prepared = run_preparation(run_pipeline(p));
  if (const std::string why = passes::why_unprepared(prepared.body); !why.empty())
    throw InternalError("after preparation " + why);
  if (!same_program(run_preparation(prepared), prepared))
    throw InternalError("preparing twice changes the program again");
  return prepared;
}

}  // namespace

const std::vector<NamedTransform>& all_transforms() {
  static const std::vector<NamedTransform> list = [] {
    std::vector<NamedTransform> all;
    for (const Pass& pass : pipeline())
      all.push_back({std::string(pass.name), pass.needs == Stage::Sized,
                     [&pass](const Program& p, Rng&) { return pass.run(p); }});
    for (const Pass& pass : preparation())
      all.push_back(
          {std::string(pass.name), true, [&pass](const Program& p, Rng&) { return pass.run(p); }});
    all.push_back({"prepare", true, prepare_twice});
    all.push_back({"split-conditionals-all-versions", true, [](const Program& p, Rng&) {
                     return passes::split_conditionals(p, {.version_reads = true});
                   }});
    all.push_back({"inline-temporary", true, inline_some});
    all.push_back({"fuse-statements", true, fuse_some});
    all.push_back({"demote-temporary", true, demote_some});
    all.push_back({"share-subexpression", true, share_some});
    return all;
  }();
  return list;
}

}  // namespace lathe::testing
