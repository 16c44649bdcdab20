// SPDX-License-Identifier: Apache-2.0
// Items in order, with a state: which value each array holds now. Loops that carry an array whole
// are like static single assignment: the value at the top of the body is a fby whose `next` is
// what the body leaves,
//
//   repeat t: x[i] = f(x)      x@repeat.0      = fby(x, x.0) along t
//                              x.0             = inst x, reads x@repeat.0
//                              x@repeat.0.last = last(x.0) along t else x
//
// and what nobody asks for is dropped in the end.

#include <algorithm>
#include <utility>

#include "ir/group_rule.h"
#include "ir/program_exprs.h"
#include "ir/traverse.h"
#include "passes/rebuild.h"
#include "schedule/value_builder.h"

namespace lathe::schedule {
namespace {

bool only_statements(const ir::Body& body) {
  return std::all_of(body.begin(), body.end(), [](const ir::Item& item) {
    return std::holds_alternative<ir::Statement>(item.node) ||
           std::holds_alternative<ir::Group>(item.node);
  });
}

}  // namespace

ValueBuilder::ValueBuilder(const ir::Program& program)
    : program_(program),
      versions_(analysis::versions(program)),
      raw_(*program.graph),
      build_(raw_),
      simplifier_(*program.graph) {
  out_.program = program;
}

ValueGraph ValueBuilder::run() {
  for (const ir::Array& a : program_.arrays) {
    if (a.role == ir::Role::Temp || a.role == ir::Role::Output) continue;
    Value v;
    v.name = a.name.text();
    v.dtype = a.dtype;
    v.dims = axis_dims(a, {});
    v.def = Extern{};
    v.array = a.name;
    v.version = true;
    v.span = a.span;
    state_[a.name] = add(std::move(v));
  }
  body(program_.body);
  for (const ir::Array& a : program_.arrays)
    if (a.role == ir::Role::Output || a.role == ir::Role::InOut || a.role == ir::Role::State)
      out_.results.emplace_back(a.name, content(a.name));
  prune();
  return std::move(out_);
}

void ValueBuilder::body(const ir::Body& items) {
  for (const ir::Item& i : items) std::visit([&](const auto& n) { item(n); }, i.node);
}

void ValueBuilder::item(const ir::Statement& s) { statement(s, s.domain.ranges, s.domain.guard); }

// Line after line over the whole domain is the same as point after point: the verifier sees to it.
void ValueBuilder::item(const ir::Group& group) {
  ir::Group g = group;
  if (ir::changes_own_guard(g)) passes::push_guard_down(*program_.graph, g);
  std::vector<Expr> point;
  for (const ir::Range& r : g.domain.ranges) point.push_back(program_.graph->index(r.variable));
  group_ = g.label.text();
  for (const ir::Local& l : g.locals) {
    ir::Array a;
    a.name = l.name;
    a.dtype = l.dtype;
    for (const ir::Range& r : g.domain.ranges) a.axes.push_back({r.variable, r.lo, r.hi});
    locals_.push_back(std::move(a));
  }
  const auto is_local = [&](Symbol name) {
    return std::any_of(g.locals.begin(), g.locals.end(),
                       [&](const ir::Local& l) { return l.name == name; });
  };
  const auto explicit_point = [&](Expr e) {
    if (e == nullptr || g.locals.empty()) return e;
    return ir::rewrite(raw_, e, [&](Expr x) -> Expr {
      if (x->op != ir::Op::Read || !is_local(x->name) || x->arg_count > 0) return nullptr;
      return program_.graph->read(x->name, x->dtype, point);
    });
  };
  for (ir::Statement s : g.statements) {
    for (Expr& v : s.values) v = explicit_point(v);
    Expr guard = explicit_point(s.domain.guard);
    if (g.domain.guard) guard = guard ? build_.logical_and(g.domain.guard, guard) : g.domain.guard;
    statement(s, g.domain.ranges, guard);
  }
  for (const ir::Local& l : g.locals) {
    state_.erase(l.name);
    never_written_.erase(l.name);
  }
  locals_.clear();
}

std::vector<ir::Symbol> ValueBuilder::written_in(const ir::Body& items) const {
  std::set<Symbol> found;
  const auto walk = [&](const auto& self, const ir::Body& b) -> void {
    for (const ir::Item& i : b) {
      if (const auto* c = std::get_if<ir::Call>(&i.node))
        found.insert(c->outputs.begin(), c->outputs.end());
      if (const auto* r = std::get_if<ir::Repeat>(&i.node))
        found.insert(r->rotate.begin(), r->rotate.end());
      ir::for_each_body(i, [&](const ir::Body& inner) { self(self, inner); });
    }
  };
  walk(walk, items);
  ir::for_each_statement(items, [&](const ir::Statement& s) {
    for (const ir::Target& t : s.targets) found.insert(t.array);
  });
  std::vector<Symbol> out;
  for (const ir::Array& a : program_.arrays)
    if (found.contains(a.name)) out.push_back(a.name);
  return out;
}

// The arrays that the body writes are carried from one iteration to the next.
template <class F>
void ValueBuilder::carried_loop(const Dim& loop, Symbol label, const std::vector<Symbol>& arrays,
                                F&& run) {
  struct Carried {
    Symbol array;
    ValueId init, fby;
    std::vector<Dim> axes;
  };
  auto bounds = std::make_shared<ReadTable>();
  prepare(loop.lo, loops_, loops_.size(), std::string(label.text()), {}, *bounds);
  prepare(loop.hi, loops_, loops_.size(), std::string(label.text()), {}, *bounds);
  const std::vector<Dim> around = loops_;
  loops_.push_back(loop);
  std::vector<Carried> carried;
  for (const Symbol array : arrays) {
    Carried c{array, kNoValue, kNoValue, axis_dims(array_of(array), {})};
    c.init = widened(aligned(content(array), c.axes), joined(around, c.axes));
    Value v;
    v.name = std::string(array.text()) + "@" + std::string(label.text());
    v.dtype = array_of(array).dtype;
    v.dims = joined(loops_, c.axes);
    v.loops = loops_.size();
    v.array = array;
    v.def = Fby{consumed(c.init), kNoValue, {loop}};
    v.reads = bounds;
    c.fby = add(std::move(v));
    carried.push_back(std::move(c));
  }
  for (const Carried& c : carried) state_[c.array] = c.fby;
  const ValueId until = run();
  for (const Carried& c : carried) {
    const std::vector<Dim> dims = joined(loops_, c.axes);
    const ValueId end = widened(aligned(content(c.array), c.axes), dims);
    std::get<Fby>(out_.values[c.fby].def).next = consumed(end);
    Value v;
    v.name = out_.values[c.fby].name + ".last";
    v.dtype = out_.values[c.fby].dtype;
    v.dims = joined(around, c.axes);
    v.loops = around.size();
    v.array = c.array;
    v.def = Last{end, {loop}, c.init, until, std::nullopt};
    v.reads = bounds;
    state_[c.array] = add(std::move(v));
  }
  loops_.pop_back();
}

// Arrays that every statement writes at index k of one axis and that every read has at k plus a
// constant there, with the axis.
std::map<ir::Symbol, std::size_t> ValueBuilder::expandable(const ir::Sweep& s,
                                                           const std::vector<Symbol>& written) {
  std::map<Symbol, std::size_t> out;
  // Bounds are evaluated once, before the sweep.
  if (!only_statements(s.body) || !ir::reads(s.range.lo).empty() || !ir::reads(s.range.hi).empty())
    return out;
  const Symbol k = s.range.variable;
  // The axis that has k, if no other one does.
  const auto axis_of = [&](std::span<const Expr> indices) -> std::optional<std::size_t> {
    std::optional<std::size_t> found;
    for (std::size_t a = 0; a < indices.size(); ++a) {
      if (!ir::mentions(indices[a], k)) continue;
      if (found) return std::nullopt;
      found = a;
    }
    return found;
  };
  std::set<Symbol> refused;
  ir::for_each_statement(s.body, [&](const ir::Statement& x) {
    for (const ir::Target& t : x.targets) {
      const auto axis = axis_of(t.indices);
      const bool fits = axis && t.indices[*axis]->op == ir::Op::Index && x.targets.size() == 1 &&
                        !(x.accumulate && x.accumulate->fresh);
      if (!fits || out.try_emplace(t.array, *axis).first->second != *axis) refused.insert(t.array);
    }
  });
  ir::for_each_expr(s.body, [&](Expr root) {
    for (Expr e : ir::post_order(root)) {
      if (e->op != ir::Op::Read || !out.contains(e->name)) continue;
      const auto indices = ir::view::Read(e).indices;
      const auto axis = axis_of(indices);
      const auto policy = ir::view::Read(e).policy;
      if (!axis || *axis != out[e->name] || !distance(indices[*axis], k) ||
          (policy != ir::Policy::Error && policy != ir::Policy::Trusted))
        refused.insert(e->name);
    }
  });
  for (const Symbol array : refused) out.erase(array);
  std::erase_if(out, [&](const auto& x) {
    return std::find(written.begin(), written.end(), x.first) == written.end();
  });
  return out;
}

void ValueBuilder::item(const ir::Sweep& s) {
  const Dim loop{s.range.variable, s.range.lo, s.range.hi, !s.forward};
  const std::vector<Symbol> written = written_in(s.body);
  std::map<Symbol, std::size_t> expanded = expandable(s, written);
  // A statement without the form of place() cannot be expanded either.
  const auto outer = std::exchange(expansions_, {});
  loops_.push_back(loop);
  for (const auto& [array, axis] : expanded) expansions_[array] = {axis, loop, kNoValue, {}, {}};
  for (const ir::Item& i : s.body) {
    const auto refuse = [&](const ir::Statement& x, const Ranges& ranges) {
      for (const ir::Target& t : x.targets)
        if (expanded.contains(t.array) && !place(x, t, ranges, nullptr).opaque.empty())
          expanded.erase(t.array);
    };
    if (const auto* x = std::get_if<ir::Statement>(&i.node)) refuse(*x, x->domain.ranges);
    if (const auto* g = std::get_if<ir::Group>(&i.node))
      for (const ir::Statement& x : g->statements) refuse(x, g->domain.ranges);
  }
  loops_.pop_back();
  expansions_.clear();
  for (const auto& [array, axis] : expanded) {
    Expansion e{axis, loop, content(array), loops_, {}};
    std::vector<Dim> apart = loops_;
    apart.push_back(loop);
    std::vector<Dim> axes = axis_dims(array_of(array), apart);
    axes[axis] = loop;
    e.dims = joined(std::move(e.dims), axes);
    expansions_[array] = std::move(e);
  }
  std::vector<Symbol> whole;
  for (const Symbol array : written)
    if (!expanded.contains(array)) whole.push_back(array);
  carried_loop(loop, s.label, whole, [&] {
    body(s.body);
    for (auto& [array, e] : expansions_) {
      ValueId next = content(array);
      for (const ValueId w : e.windows) {
        const std::vector<Dim>& dims = out_.values[w].dims;
        const std::vector<Dim> axes(
            dims.begin() + static_cast<std::ptrdiff_t>(out_.values[w].loops), dims.end());
        const ValueId seen = widened(aligned(next, axes), std::vector<Dim>(dims));
        std::get<Fby>(out_.values[w].def).next = consumed(seen);
        next = w;
      }
    }
    return kNoValue;
  });
  expansions_ = outer;
}

void ValueBuilder::item(const ir::Repeat& r) {
  std::vector<Symbol> arrays = written_in(r.body);
  for (const Symbol array : r.rotate)
    if (std::find(arrays.begin(), arrays.end(), array) == arrays.end()) arrays.push_back(array);
  const auto outer = std::exchange(expansions_, {});
  carried_loop({r.range.variable, r.range.lo, r.range.hi, false}, r.label, arrays, [&] {
    body(r.body);
    rotate(r);
    if (r.until == nullptr) return kNoValue;
    Value v;
    v.name = std::string(r.label.text()) + ".until";
    v.dtype = ir::DType::Bool;
    v.dims = loops_;
    v.loops = loops_.size();
    v.span = r.span;
    auto table = std::make_shared<ReadTable>();
    prepare(r.until, v.dims, v.loops, v.name, r.span, *table);
    Inst inst;
    inst.label = r.label;
    inst.value = r.until;
    v.def = std::move(inst);
    v.reads = std::move(table);
    return add(std::move(v));
  });
  expansions_ = outer;
}

// Contents move one place to the left; each arrives as a version of its new array.
void ValueBuilder::rotate(const ir::Repeat& r) {
  std::vector<ValueId> contents;
  for (const Symbol array : r.rotate) contents.push_back(content(array));
  for (std::size_t n = 0; n < r.rotate.size(); ++n) {
    const ValueId from = contents[(n + 1) % contents.size()];
    const std::vector<Dim> axes = axis_dims(array_of(r.rotate[n]), {});
    Value v;
    v.name = version_name(r.rotate[n], r.label);
    v.dtype = out_.values[from].dtype;
    v.dims = joined(loops_, axes);
    v.loops = loops_.size();
    v.array = r.rotate[n];
    v.version = true;
    v.span = r.span;
    const std::vector<Dim>& dims = out_.values[from].dims;
    const std::vector<Dim> own(dims.begin() + static_cast<std::ptrdiff_t>(out_.values[from].loops),
                               dims.end());
    Map def{widened(from, joined(loops_, own)), {}, ir::Policy::Trusted, nullptr, false};
    for (const Dim& d : axes) def.indices.push_back(program_.graph->index(d.name));
    v.def = std::move(def);
    state_[r.rotate[n]] = add(std::move(v));
  }
}

void ValueBuilder::item(const ir::When& w) {
  const std::map<Symbol, ValueId> before = state_;
  ReadTable condition;
  prepare(w.condition, loops_, loops_.size(), std::string(w.label.text()), w.span, condition);
  body(w.then_body);
  const std::map<Symbol, ValueId> yes = std::exchange(state_, before);
  body(w.else_body);
  const std::map<Symbol, ValueId> no = state_;
  for (const ir::Array& a : program_.arrays) {
    const auto one = yes.find(a.name), other = no.find(a.name);
    if (one == yes.end() && other == no.end()) continue;
    if (one != yes.end() && other != no.end() && one->second == other->second) continue;
    state_.erase(a.name);
    const ValueId none = content(a.name);
    const std::vector<Dim> axes = axis_dims(a, {});
    Value v;
    v.name = std::string(a.name.text()) + "@" + std::string(w.label.text());
    v.dtype = a.dtype;
    v.dims = joined(loops_, axes);
    v.loops = loops_.size();
    v.array = a.name;
    v.span = w.span;
    auto table = std::make_shared<ReadTable>(condition);
    const auto side = [&](const auto& found, const auto& state) {
      const ValueId id =
          widened(aligned(found == state.end() ? none : found->second, axes), v.dims);
      const Expr e = leaf(id);
      (*table)[e] = id;
      return e;
    };
    const Expr then_side = side(one, yes);
    const Expr else_side = side(other, no);
    Inst inst;
    inst.label = w.label;
    inst.value = build_.select(w.condition, then_side, else_side);
    v.def = std::move(inst);
    v.reads = std::move(table);
    state_[a.name] = add(std::move(v));
  }
}

// ---- What has no form of its own.

void ValueBuilder::opaque_statement(const ir::Statement& s, Symbol label, const std::string& why,
                                    const ir::Target& target) {
  Value v;
  const ir::Array& a = array_of(target.array);
  const std::vector<Dim> axes = axis_dims(a, {});
  v.name = version_name(target.array, label);
  v.dtype = a.dtype;
  v.dims = joined(loops_, axes);
  v.loops = loops_.size();
  v.array = target.array;
  v.version = true;
  v.span = s.span;
  Inst inst;
  inst.label = label;
  inst.opaque = why;
  std::set<Symbol> read;
  ir::for_each_expr(s, [&](Expr e) {
    if (e == nullptr) return;
    for (const Symbol array : ir::arrays_read(e)) read.insert(array);
  });
  for (const ir::Array& x : program_.arrays)
    if (read.contains(x.name)) inst.arguments.push_back(content(x.name));
  if (state_.contains(target.array))
    inst.over = widened(aligned(state_[target.array], axes), v.dims);
  v.def = std::move(inst);
  state_[target.array] = add(std::move(v));
}

void ValueBuilder::opaque_body(const ir::Body& items, const std::string& why) {
  ir::for_each_statement(items, [&](const ir::Statement& s) {
    for (const ir::Target& t : s.targets)
      if (program_.find_array(t.array) != nullptr) opaque_statement(s, s.label, why, t);
  });
}

// Arrays that differ from `other` get a value of their own, made of both.
void ValueBuilder::merge_opaque(const std::map<Symbol, ValueId>& other, Symbol label,
                                const std::string& why) {
  for (const ir::Array& a : program_.arrays) {
    const auto one = std::as_const(state_).find(a.name), two = other.find(a.name);
    if (one == state_.end() && two == other.end()) continue;
    if (one != state_.end() && two != other.end() && one->second == two->second) continue;
    Value v;
    const std::vector<Dim> axes = axis_dims(a, {});
    v.name = std::string(a.name.text()) + "@" + std::string(label.text());
    v.dtype = a.dtype;
    v.dims = joined(loops_, axes);
    v.loops = loops_.size();
    v.array = a.name;
    Inst inst;
    inst.label = label;
    inst.opaque = why;
    if (two != other.end()) inst.arguments.push_back(widened(aligned(two->second, axes), v.dims));
    if (one != state_.end()) inst.arguments.push_back(widened(aligned(one->second, axes), v.dims));
    v.def = std::move(inst);
    state_[a.name] = add(std::move(v));
  }
}

void ValueBuilder::item(const ir::Branch& b) {
  const std::map<Symbol, ValueId> before = state_;
  opaque_body(b.then_body, "in a branch");
  const std::map<Symbol, ValueId> yes = std::exchange(state_, before);
  opaque_body(b.else_body, "in a branch");
  merge_opaque(yes, b.label, "a branch");
}

void ValueBuilder::item(const ir::While& w) {
  const std::map<Symbol, ValueId> before = state_;
  opaque_body(w.body, "in a while");
  merge_opaque(before, w.label, "a while");
}

void ValueBuilder::item(const ir::Scan& s) {
  for (const ir::Target& t : s.statement.targets)
    opaque_statement(s.statement, s.statement.label, "a scan", t);
}

void ValueBuilder::item(const ir::Call& c) {
  const std::map<Symbol, ValueId> before = state_;
  std::map<Symbol, ValueId> after = state_;
  for (const Symbol array : c.outputs) {
    Value v;
    const ir::Array& a = array_of(array);
    v.name = version_name(array, c.label);
    v.dtype = a.dtype;
    v.dims = joined(loops_, axis_dims(a, {}));
    v.loops = loops_.size();
    v.array = array;
    v.version = true;
    v.span = c.span;
    Inst inst;
    inst.label = c.label;
    inst.opaque = "a call";
    for (const Symbol input : c.inputs) inst.arguments.push_back(content(input));
    v.def = std::move(inst);
    after[array] = add(std::move(v));
  }
  state_ = std::move(after);
}

// Versions and results stay, with all that they are made of.
void ValueBuilder::prune() {
  std::vector<bool> kept(out_.values.size(), false);
  std::vector<ValueId> pending;
  const auto keep = [&](ValueId id) {
    if (kept[id]) return;
    kept[id] = true;
    pending.push_back(id);
  };
  for (ValueId id = 0; id < out_.values.size(); ++id)
    if (out_.values[id].version) keep(id);
  for (const auto& [array, id] : out_.results) keep(id);
  while (!pending.empty()) {
    const ValueId id = pending.back();
    pending.pop_back();
    for_each_operand(out_.values[id], keep);
  }
  std::vector<ValueId> number(out_.values.size(), kNoValue);
  std::vector<Value> values;
  for (ValueId id = 0; id < out_.values.size(); ++id) {
    if (!kept[id]) continue;
    number[id] = static_cast<ValueId>(values.size());
    values.push_back(std::move(out_.values[id]));
  }
  const auto renumber = [&](ValueId& id) {
    if (id != kNoValue) id = number[id];
  };
  for (Value& v : values) {
    if (v.reads) {
      auto table = std::make_shared<ReadTable>(*v.reads);
      for (auto& [e, id] : *table) renumber(id);
      v.reads = std::move(table);
    }
    if (auto* inst = std::get_if<Inst>(&v.def)) {
      renumber(inst->over);
      for (ValueId& id : inst->arguments) renumber(id);
    } else if (auto* map = std::get_if<Map>(&v.def)) {
      renumber(map->v);
    } else if (auto* bcast = std::get_if<Bcast>(&v.def)) {
      renumber(bcast->v);
    } else if (auto* fby = std::get_if<Fby>(&v.def)) {
      renumber(fby->init);
      renumber(fby->next);
    } else if (auto* last = std::get_if<Last>(&v.def)) {
      renumber(last->v);
      renumber(last->otherwise);
      renumber(last->until);
      if (last->reduce) {
        for (ValueId& id : last->reduce->points) renumber(id);
        renumber(last->reduce->where);
      }
    }
  }
  out_.values = std::move(values);
  for (auto& [array, id] : out_.results) renumber(id);
}

ValueGraph build_values(const ir::Program& program) { return ValueBuilder(program).run(); }

}  // namespace lathe::schedule
