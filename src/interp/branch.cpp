// SPDX-License-Identifier: Apache-2.0
// Branches, while loops, groups that change their own guard: items that run where a mask holds.
//
// The mask is a hidden array over the item's domain, written once before its bodies; a statement
// inside gets `mask[i, j] and` in front of its guard.
//
// Each side of a branch must see the state from before the branch and its own writes only. Instead
// of copying every array, the first side runs on the arrays themselves and logs what it overwrites;
// then its writes are taken out again, the second side runs, and the first side's last values are
// put back. One side alone (or a `while`) needs no log.
//
//   if c: A else: B      mask;  A, logged;  undo A, remembering its values;  B;  redo A

#include <algorithm>

#include "interp/executor.h"
#include "interp/fault_words.h"
#include "ir/build.h"

namespace lathe::interp {

// The masks of one Branch (then, else) or While (the points still on).
struct Executor::Masks {
  Masks(Space& space, const ir::Domain& domain, Expr condition, bool branch)
      : nest(space, domain.ranges), has_guard(domain.guard != nullptr) {
    for (const ir::Range& r : domain.ranges)
      indices.push_back(space.program.graph->index(r.variable));
    const std::string what = "the mask of '" + std::string(space.label.text()) + "'";
    yes = space.hidden("mask", DType::Bool, what);
    if (branch) no = space.hidden("mask", DType::Bool, what);
    std::vector<Expr> roots;
    if (has_guard) roots.push_back(domain.guard);
    if (condition != nullptr) roots.push_back(condition);
    rows = std::make_unique<RowProgram>(space, roots,
                                        std::vector<ir::Target>{{space.array(yes).name, indices}},
                                        nest.row_variable(), has_guard);
  }

  void reset(Space& space) {
    Bounds bounds;
    for (const Interval& i : nest.hull()) {
      bounds.lo.push_back(i.lo);
      bounds.hi.push_back(i.hi);
    }
    space.reset(yes, bounds);
    if (no != kNone) space.reset(no, bounds);
  }

  // Evaluates the condition where the guard holds. Calls point(offset, exists, value) for all.
  template <class F>
  void evaluate(F&& point) {
    nest.for_each_row([&](std::int64_t lo, std::int64_t hi) {
      rows->start();
      for_each_piece(lo, hi, [&](std::int64_t first, std::size_t n) {
        rows->run(first, n);
        const auto* guard = has_guard ? static_cast<const std::uint8_t*>(rows->row(0)) : nullptr;
        const auto* value = static_cast<const std::uint8_t*>(rows->row(has_guard ? 1 : 0));
        for (std::size_t p = 0; p < n; ++p) {
          const std::int64_t x = first + static_cast<std::int64_t>(p);
          if (has_guard && rows->root_fault(0, p)) rows->explain_root(0, x);
          const bool exists = guard == nullptr || guard[p] != 0;
          if (exists && rows->root_fault(has_guard ? 1 : 0, p))
            rows->explain_root(has_guard ? 1 : 0, x);
          point(rows->places(0).at(p), exists, exists && value[p] != 0);
        }
      });
    });
  }

  Nest nest;
  bool has_guard;
  std::vector<Expr> indices;
  Id yes = kNone, no = kNone;
  std::unique_ptr<RowProgram> rows;
};

// Here, where Masks is complete.
Executor::Executor(const ir::Program& program, State& state, const Options& options)
    : space(program, state, options) {}
Executor::~Executor() = default;

ir::Domain Executor::masked(ir::Domain domain) const {
  ir::RawMaker maker(*space.program.graph);
  const ir::Build build(maker);
  Expr guard = nullptr;
  for (const Mask& m : masks_) {
    const Expr mask =
        space.program.graph->read(space.name_of(m.array), DType::Bool, m.indices, ir::Policy::Zero);
    guard = both(guard, mask);
  }
  domain.guard = both(guard, domain.guard);
  return domain;
}

Expr Executor::both(Expr a, Expr b) const {
  if (a == nullptr || b == nullptr) return a == nullptr ? b : a;
  ir::RawMaker maker(*space.program.graph);
  return ir::Build(maker).logical_and(a, b);
}

void Executor::run_side(const ir::Body& body, Id array, const std::vector<Expr>& indices) {
  masks_.push_back({array, indices});
  run_body(body);
  masks_.pop_back();
}

void Executor::run_node(const ir::Branch& b) {
  std::unique_ptr<Masks>& masks = branch_masks_[&b];
  guarded(b.label, b.span, [&] {
    if (!masks) masks = std::make_unique<Masks>(space, masked(b.domain), b.condition, true);
    masks->reset(space);
    masks->evaluate([&](std::int64_t offset, bool exists, bool value) {
      *space.array(masks->yes).element(offset) = static_cast<std::byte>(value);
      *space.array(masks->no).element(offset) = static_cast<std::byte>(exists && !value);
    });
  });
  if (b.then_body.empty() || b.else_body.empty()) {
    run_side(b.then_body, masks->yes, masks->indices);
    run_side(b.else_body, masks->no, masks->indices);
    return;
  }
  UndoLog* const outer = space.log;
  UndoLog first, second;
  space.log = &first;
  run_side(b.then_body, masks->yes, masks->indices);
  space.undo(first);
  space.log = &second;
  run_side(b.else_body, masks->no, masks->indices);
  space.log = outer;
  if (space.options.checked) check_disjoint(first, second, b);
  // What the second side wrote is in place already; the log around must know of it.
  if (outer != nullptr) outer->insert(outer->end(), second.begin(), second.end());
  space.redo(first);
}

void Executor::check_disjoint(const UndoLog& first, const UndoLog& second,
                              const ir::Branch& branch) {
  using Place = std::pair<Id, std::int64_t>;
  std::vector<Place> written;
  for (const Undo& u : first) written.emplace_back(u.array, u.offset);
  std::sort(written.begin(), written.end());
  for (const Undo& u : second) {
    if (!std::binary_search(written.begin(), written.end(), Place(u.array, u.offset))) continue;
    const RunArray& a = space.array(u.array);
    throw UserError("both sides of '" + std::string(branch.label.text()) + "' write '" +
                        std::string(a.name.text()) + "' at " + index_text(a.index_of(u.offset)),
                    branch.span, "let each side write the element of its own point");
  }
}

void Executor::run_lines_where_asked(const ir::Group& g) {
  std::unique_ptr<Masks>& masks = branch_masks_[&g];
  ir::Domain points = g.domain;
  points.guard = nullptr;
  guarded(g.label, g.span, [&] {
    if (!masks) masks = std::make_unique<Masks>(space, masked(points), g.domain.guard, false);
    masks->reset(space);
    masks->evaluate([&](std::int64_t offset, bool, bool value) {
      *space.array(masks->yes).element(offset) = static_cast<std::byte>(value);
    });
  });
  masks_.push_back({masks->yes, masks->indices});
  run_lines(g, points);
  masks_.pop_back();
}

void Executor::fail_still_on(Symbol label, Span span, Id mask, std::int64_t offset,
                             const std::vector<Symbol>& variables, std::int64_t rounds) {
  FaultReport r;
  r.kind = FaultReport::Kind::WhileCap;
  r.label = label;
  r.span = span;
  r.rounds = rounds;
  const std::vector<std::int64_t> index = space.array(mask).index_of(offset);
  for (std::size_t x = 0; x < index.size(); ++x) r.point.emplace_back(variables[x], index[x]);
  throw_fault(r);
}

void Executor::run_node(const ir::While& w) {
  // `start` holds the points that are on; `masks` tests the condition at those.
  std::unique_ptr<Masks>& start = branch_masks_[&w.domain];
  std::unique_ptr<Masks>& masks = branch_masks_[&w];
  ir::RawMaker maker(*space.program.graph);
  guarded(w.label, w.span, [&] {
    if (!masks) {
      start =
          std::make_unique<Masks>(space, masked(w.domain), ir::Build(maker).boolean(true), false);
      ir::Domain still_on = w.domain;
      still_on.guard = space.program.graph->read(space.name_of(start->yes), DType::Bool,
                                                 start->indices, ir::Policy::Zero);
      masks = std::make_unique<Masks>(space, still_on, w.condition, false);
    }
    start->reset(space);
    start->evaluate([&](std::int64_t offset, bool, bool value) {
      *space.array(start->yes).element(offset) = static_cast<std::byte>(value);
    });
    masks->reset(space);
  });
  for (std::int64_t round = 0;; ++round) {
    std::int64_t on = -1;
    guarded(w.label, w.span, [&] {
      masks->evaluate([&](std::int64_t offset, bool, bool value) {
        *space.array(start->yes).element(offset) = static_cast<std::byte>(value);
        if (value && on < 0) on = offset;
      });
    });
    if (on < 0) return;
    if (round >= space.options.while_cap) {
      std::vector<Symbol> variables;
      for (const ir::Range& r : w.domain.ranges) variables.push_back(r.variable);
      fail_still_on(w.label, w.span, start->yes, on, variables, round);
    }
    run_side(w.body, start->yes, start->indices);
  }
}

}  // namespace lathe::interp
