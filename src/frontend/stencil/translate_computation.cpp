// SPDX-License-Identifier: Apache-2.0
// Computations and intervals. A PARALLEL interval becomes plain statements over I, J and K, in the
// order of the text; an interval of a FORWARD or BACKWARD computation becomes a sweep, and the
// sweeps run in the order of their levels, wherever they stand in the text. Levels that come from
// data run over all of K under a guard.

#include <algorithm>

#include "base/quoted.h"
#include "frontend/stencil/translator.h"

namespace lathe::stencil {

using python::StmtKind;
using Kind = Value::Kind;

namespace {

const python::Call* called(const python::Expr& e, std::string_view name) {
  const auto* call = e.try_as<python::Call>();
  return call && last_name(*call->function) == name ? call : nullptr;
}

bool is_docstring(const python::Stmt& s) {
  const auto* e = s.try_as<python::ExprStmt>();
  const auto* c = e ? e->value->try_as<python::Constant>() : nullptr;
  return c && c->what == python::ConstantKind::Str;
}

// Bounds of intervals: levels from the start lie below levels from the end.
bool before(const Edge& a, const Edge& b) {
  if (a.start.has_value() != b.start.has_value()) return a.start.has_value();
  return a.start ? *a.start < *b.start : *a.end < *b.end;
}

std::string text(const Edge& e) {
  if (e.start) return std::to_string(*e.start);
  return *e.end == 0 ? "None" : std::to_string(*e.end);
}

}  // namespace

void Translator::top_statement(const python::Stmt& s) {
  if (is_docstring(s) || s.kind == StmtKind::Pass) return;
  if (const auto* from = s.try_as<python::ImportFrom>()) return import_externals(*from, *frame_);
  if (const auto* a = s.try_as<python::AnnAssign>()) return declare_before(*a);
  if (const auto* with = s.try_as<python::With>()) return computation(*with);
  if (const auto* e = s.try_as<python::ExprStmt>())
    if (const auto* c = called(*e->value, "compile_assert")) return compile_assert(*c);
  fail(s.span, "this statement stands outside of a computation",
       "put it into: with computation(PARALLEL), interval(...):");
}

Translator::Order Translator::order_of(const python::Call& call) {
  const Node* order = call.arguments.empty() ? keyword(call, "order") : call.arguments[0];
  const Value v = order ? constant(*order) : Value::none();
  if (v.is(Kind::Builtin)) {
    if (v.text == "PARALLEL") return Order::Parallel;
    if (v.text == "FORWARD") return Order::Forward;
    if (v.text == "BACKWARD") return Order::Backward;
  }
  fail(call.span, "a computation is PARALLEL, FORWARD or BACKWARD", "write computation(PARALLEL)");
}

void Translator::computation(const python::With& with) {
  const python::Call* order_call = nullptr;
  const python::Call* interval_call = nullptr;
  std::vector<Region> regions;
  for (const python::WithItem& item : with.items) {
    if (const auto* c = called(*item.context, "computation")) {
      if (order_call)
        fail(c->span, "invalid 'computation' specification: two orders",
             "write two computations, one after the other");
      order_call = c;
    } else if (const auto* v = called(*item.context, "interval")) {
      if (interval_call)
        fail(v->span, "invalid 'computation' specification: two intervals",
             "put each into the computation as a 'with' of its own: with interval(0, 1):");
      interval_call = v;
    } else if (const auto* h = called(*item.context, "horizontal")) {
      regions = regions_of(*h);
    } else {
      fail(item.context->span, "invalid 'computation' specification",
           "a computation is: with computation(ORDER), interval(LEVELS):");
    }
  }
  if (!order_call)
    fail(with.span, "this 'with' names no computation",
         "write with computation(PARALLEL), interval(...):");
  any_computation_ = true;
  const Order order = order_of(*order_call);
  std::vector<IntervalBlock> blocks;
  if (interval_call) {
    blocks.push_back(interval_block(*interval_call, order, with.body));
    blocks.back().regions = regions;
  } else {
    for (const python::Stmt* s : with.body) {
      if (is_docstring(*s)) continue;
      if (const auto* from = s->try_as<python::ImportFrom>()) {
        import_externals(*from, *frame_);
        continue;
      }
      const auto* inner = s->try_as<python::With>();
      const python::Call* c =
          inner && !inner->items.empty() ? called(*inner->items[0].context, "interval") : nullptr;
      if (!c)
        fail(s->span, "mixing nested 'with' blocks and statements is not allowed",
             "put every statement of the computation into: with interval(...):");
      blocks.push_back(interval_block(*c, order, inner->body));
      blocks.back().regions = regions;
      for (std::size_t i = 1; i < inner->items.size(); ++i) {
        const auto* h = called(*inner->items[i].context, "horizontal");
        if (!h || !blocks.back().regions.empty())
          fail(inner->items[i].context->span, "invalid 'interval' specification",
               "beside the interval there can be one horizontal(region[...])");
        blocks.back().regions = regions_of(*h);
      }
    }
  }
  check_intervals(blocks, order);
  run_intervals(blocks);
}

// --- Intervals.

Edge Translator::level_bound(const Node& e, bool upper, Span span, ir::Expr& runtime) {
  const Value v = constant(e);
  if (v.is(Kind::Int) || v.is(Kind::AxisIndex)) checked_distance(v.integer, "the level", e.span);
  if (v.is(Kind::None)) {
    if (upper) return {{}, 0};
    fail(span, "invalid interval range specification: the lower end is None",
         "None stands for the end: interval(0, None)");
  }
  if (v.is(Kind::Int)) {
    if (v.integer < 0) return {{}, v.integer};
    return {v.integer, {}};
  }
  if (v.is(Kind::AxisIndex) && v.text == "K") {
    // K[0] + 1, K[-1]: the latter is the last level, so its lower end is -1.
    if (v.from_end) return {{}, v.integer - 1};
    return {v.integer, {}};
  }
  if (v.is(Kind::Unknown)) {
    // From data: a scalar, or a field without K.
    const auto p = place(e);
    if (p && fields_[p->field].has_axis[2])
      fail(e.span, quoted(fields_[p->field].name) + " bounds an interval, but has a K axis",
           "use a field over I and J");
    if (p && (p->offset[0] != 0 || p->offset[1] != 0))
      fail(e.span,
           quoted(fields_[p->field].name) + " bounds an interval, and is read with an offset",
           "copy the shifted field to another one first");
    runtime = expr(e);
    if (!ir::is_int(runtime->dtype))
      fail(e.span,
           "an interval bound is " + std::string(python_name(runtime->dtype)) + ", not an integer",
           "declare it as int");
    runtime = cast(ir::DType::I64, runtime);
    return upper ? Edge{{}, 0} : Edge{0, {}};
  }
  fail(
      span, "invalid interval range specification: a bound is " + describe(v),
      "bounds are ints (negative ones count from the end), None, or integer scalars and IJ fields");
}

Translator::IntervalBlock Translator::interval_block(const python::Call& call, Order order,
                                                     python::StmtList body) {
  IntervalBlock b;
  b.block.order = order;
  b.body = body;
  b.span = call.span;
  if (!call.keywords.empty()) fail(call.span, "interval() takes no keywords");
  const auto& args = call.arguments;
  const auto* dots = args.size() == 1 ? args[0]->try_as<python::Constant>() : nullptr;
  if (dots && dots->what == python::ConstantKind::Ellipsis) return b;
  if (args.empty() || args.size() > 2)
    fail(call.span, "invalid interval range specification",
         "write interval(...) for all levels, interval(0, 1), interval(1, -1), interval(-1, None)");
  reads_ = &b.block.guard_reads;
  ir::Expr lo = nullptr, hi = nullptr;
  b.block.levels.lo = level_bound(*args[0], false, call.span, lo);
  if (args.size() == 2) {
    b.block.levels.hi = level_bound(*args[1], true, call.span, hi);
  } else {
    const Edge& e = b.block.levels.lo;
    if (!lo) b.block.levels.hi = e.start ? Edge{*e.start + 1, {}} : Edge{{}, *e.end + 1};
    if (lo) hi = builder_.build().add(lo, builder_.build().integer(1));
  }
  reads_ = nullptr;
  const ir::Build& build = builder_.build();
  const ir::Expr k = k_.expr();
  if (lo) b.block.guard = build.le(lo, k);
  if (hi) {
    const ir::Expr below = build.lt(k, hi);
    b.block.guard = b.block.guard ? build.logical_and(b.block.guard, below) : below;
  }
  Levels& levels = b.block.levels;
  levels.runtime = lo || hi;
  if (levels.runtime) return b;
  const bool same_end = levels.lo.start.has_value() == levels.hi.start.has_value();
  if ((same_end && !before(levels.lo, levels.hi)) || (!same_end && levels.lo.end))
    fail(call.span,
         "invalid interval range specification: " + text(levels.lo) + " to " + text(levels.hi) +
             " holds no level",
         "the lower end comes first; negative numbers count from the end");
  const std::int64_t from_start = levels.hi.start.value_or(levels.lo.start.value_or(0));
  const std::int64_t from_end = -levels.lo.end.value_or(levels.hi.end.value_or(0));
  if (!levels.full())
    min_levels_ = std::max(min_levels_, from_start + from_end + (same_end ? 0 : 1));
  return b;
}

// Overlap is an error in any order; sweeps are then put into theirs.
void Translator::check_intervals(std::vector<IntervalBlock>& blocks, Order order) {
  std::int64_t from_start = 0, from_end = 0;
  for (std::size_t a = 0; a < blocks.size(); ++a) {
    const Levels& x = blocks[a].block.levels;
    if (x.runtime) continue;
    for (const Edge& e : {x.lo, x.hi}) {
      if (e.start) from_start = std::max(from_start, *e.start);
      if (e.end) from_end = std::max(from_end, -*e.end);
    }
    for (std::size_t b = 0; b < a; ++b) {
      const Levels& y = blocks[b].block.levels;
      if (y.runtime || !before(x.lo, y.hi) || !before(y.lo, x.hi)) continue;
      throw UserError(Diagnostic{Severity::Error,
                                 "overlapping intervals: " + text(x.lo) + " to " + text(x.hi) +
                                     " and " + text(y.lo) + " to " + text(y.hi),
                                 blocks[a].span,
                                 {{"the other one is here", blocks[b].span}},
                                 "the intervals of one computation are disjoint"});
    }
  }
  if (blocks.size() > 1) min_levels_ = std::max(min_levels_, from_start + from_end);
  if (order == Order::Parallel) return;
  std::stable_sort(blocks.begin(), blocks.end(),
                   [&](const IntervalBlock& a, const IntervalBlock& b) {
                     const Levels &x = a.block.levels, &y = b.block.levels;
                     if (x.runtime || y.runtime) return false;
                     return order == Order::Forward ? before(x.lo, y.lo) : before(y.lo, x.lo);
                   });
}

void Translator::run_intervals(const std::vector<IntervalBlock>& blocks) {
  for (const IntervalBlock& b : blocks) {
    block_ = b.block;
    // In every region in turn, level by level.
    const auto body = [&] {
      if (b.regions.empty()) statements(b.body);
      for (const Region& r : b.regions) {
        block_.region = r;
        statements(b.body);
      }
    };
    if (b.block.order == Order::Parallel) {
      const std::size_t first = all_steps_.size();
      body();
      check_parallel_reads(
          {all_steps_.begin() + static_cast<std::ptrdiff_t>(first), all_steps_.end()});
      continue;
    }
    Step sweep = step(Step::Kind::Sweep, b.span, b.block.guard_reads);
    sweep.region.reset();
    steps_ = &sweep.body;
    const ir::Build& build = builder_.build();
    const Extent levels(b.block.levels.lo, b.block.levels.hi);
    builder_.at(b.span);
    builder_.sweep(b.block.order == Order::Forward,
                   ir::in(k_, builder_.value(levels.lo(build, nk_.expr())),
                          builder_.value(levels.hi(build, nk_.expr()))),
                   body);
    steps_ = &all_steps_;
    all_steps_.push_back(std::move(sweep));
  }
  block_ = {};
}

namespace {

void gather(const std::vector<Step>& steps, std::vector<const Step*>& out) {
  for (const Step& s : steps) {
    out.push_back(&s);
    gather(s.body, out);
    gather(s.otherwise, out);
  }
}

bool one_level(const Levels& l) {
  return (l.lo.start && l.hi.start && *l.hi.start == *l.lo.start + 1) ||
         (l.lo.end && l.hi.end && *l.hi.end == *l.lo.end + 1);
}

}  // namespace

// Other levels of a field that the same PARALLEL interval writes: there is no order to go by.
void Translator::check_parallel_reads(const std::vector<Step>& steps) {
  std::vector<const Step*> all;
  gather(steps, all);
  for (const Step* reader : all)
    for (const FieldRead& r : reader->reads) {
      if (r.level == 0 || one_level(reader->levels)) continue;
      for (const Step* writer : all) {
        if (writer->kind != Step::Kind::Assign || writer->target != r.field) continue;
        const FieldVar& f = fields_[r.field];
        Diagnostic d{Severity::Error,
                     quoted(f.name) +
                         " is read at another level of K, and written in the same "
                         "PARALLEL interval: which value is meant is not defined",
                     r.span,
                     {{"it is written here", writer->span}},
                     "write FORWARD or BACKWARD, or read it in a computation of its own"};
        diagnostics_.add(std::move(d));
        return;
      }
    }
}

// --- Horizontal regions.

std::vector<Region> Translator::regions_of(const python::Call& call) {
  std::vector<Region> regions;
  for (const Node* e : call.arguments) regions.push_back(region_of(*e));
  if (regions.empty())
    fail(call.span, "horizontal() needs at least one region", "write horizontal(region[I[0], :])");
  return regions;
}

Region Translator::region_of(const Node& e) {
  const auto* s = e.try_as<python::Subscript>();
  const auto* axes = s ? s->index->try_as<python::Tuple>() : nullptr;
  if (!s || last_name(*s->value) != "region" || !axes || axes->elements.size() != 2)
    fail(e.span, "invalid horizontal range specification",
         "a region has two axes: region[I[0], :], region[I[-1]-2 : I[-1]+1, J[0]]");
  Region r;
  r.span = e.span;
  region_axis(*axes->elements[0], 0, r);
  region_axis(*axes->elements[1], 1, r);
  return r;
}

void Translator::region_axis(const Node& e, std::size_t axis, Region& region) {
  const auto edge = [&](const Node& at, std::int64_t plus) {
    const Value v = constant(at);
    const bool here = v.is(Kind::AxisIndex) && v.text[0] == kAxisNames[axis];
    if (v.is(Kind::AxisIndex) && !here)
      fail(at.span,
           "invalid horizontal range specification: axis " + v.text + " in the place of " +
               kAxisNames[axis],
           "a region has I first, then J: region[I[0], J[0]]");
    if (!here || v.weak)
      fail(at.span,
           std::string("invalid horizontal range specification: ") +
               (here ? "only the first and the last point have a name, " : "not a point of axis ") +
               kAxisNames[axis] + (here ? std::string("[0] and ") + kAxisNames[axis] + "[-1]" : ""),
           std::string("points are counted from the ends: ") + kAxisNames[axis] + "[0] + 1, " +
               kAxisNames[axis] + "[-1] - 2");
    checked_distance(v.integer, "the point", at.span);
    // I[-1] is the last point, n - 1.
    return v.from_end ? Edge{{}, v.integer - 1 + plus} : Edge{v.integer + plus, {}};
  };
  const auto* slice = e.try_as<python::Slice>();
  if (!slice) {
    region.lo[axis] = edge(e, 0);
    region.hi[axis] = edge(e, 1);
    return;
  }
  if (slice->step)
    fail(slice->step->span, "a region has no step",
         "use a field of bools and 'if' for every second point");
  if (slice->lower) region.lo[axis] = edge(*slice->lower, 0);
  if (slice->upper) region.hi[axis] = edge(*slice->upper, 0);
}

}  // namespace lathe::stencil
