// SPDX-License-Identifier: Apache-2.0
// What a read stands for: the content of its array at that moment, seen through its indices.
//
//   u[i, j] under (i, j)    u.0                     where u.0's own axes are called i and j
//   u[i-1, j]               map(u.0, i - 1, j)
//   x[k] under (i, k)       bcast(x, i)
//   x[i, k-1] in forward k  x.1[k-1]                what the iteration before left
//   u[idx[i]]               gather(u.0, idx[i])     a map by data

#include <algorithm>

#include "ir/text.h"
#include "ir/traverse.h"
#include "schedule/value_builder.h"

namespace lathe::schedule {

ValueId ValueBuilder::add(Value v) {
  if (!v.name.empty()) v.name = unique_name(std::move(v.name));
  out_.values.push_back(std::move(v));
  return static_cast<ValueId>(out_.values.size() - 1);
}

std::string ValueBuilder::unique_name(std::string name) {
  while (!names_.insert(name).second) name += "'";
  return name;
}

ValueId ValueBuilder::add_unnamed(Value v) {
  // Bounds belong to the key: two readers may see different parts.
  std::string key;
  const auto id = [&](ValueId x) { key += std::to_string(x) + ","; };
  const auto expr = [&](Expr e) { key += e ? std::to_string(e->id) + "," : "-,"; };
  if (const auto* m = std::get_if<Map>(&v.def)) {
    key = "map ";
    id(m->v);
    for (Expr e : m->indices) expr(e);
    key += std::string(name(m->policy)) + ",";
    expr(m->fill);
    if (v.reads)
      for (const ValueId x : operands_of(v)) id(x);
  } else {
    const auto& b = std::get<Bcast>(v.def);
    key = "bcast ";
    id(b.v);
  }
  for (const Dim& d : v.dims) {
    key += std::string(d.name.text()) + " ";
    expr(d.lo);
    expr(d.hi);
  }
  const auto found = unnamed_.find(key);
  if (found != unnamed_.end()) return found->second;
  return unnamed_[key] = add(std::move(v));
}

const ir::Array& ValueBuilder::array_of(Symbol name) const {
  for (const ir::Array& l : locals_)
    if (l.name == name) return l;
  const ir::Array* found = program_.find_array(name);
  check(found != nullptr, "an array of the program");
  return *found;
}

Symbol ValueBuilder::free_name(Symbol name, const std::vector<Dim>& apart_from) const {
  for (int n = 1; contains(apart_from, name) || contains(loops_, name); ++n)
    name = program_.graph->symbol(std::string(name.text()) + "'");
  return name;
}

std::vector<Dim> ValueBuilder::axis_dims(const ir::Array& a,
                                         const std::vector<Dim>& apart_from) const {
  std::vector<Dim> out;
  for (const ir::Axis& x : a.axes) {
    const Symbol name = free_name(x.name, joined(apart_from, out));
    out.push_back({name, x.lo, x.hi, false});
  }
  return out;
}

ValueId ValueBuilder::content(Symbol array) {
  if (const auto found = state_.find(array); found != state_.end()) return found->second;
  if (const auto found = never_written_.find(array); found != never_written_.end())
    return found->second;
  const ir::Array& a = array_of(array);
  Value v;
  v.name = std::string(array.text()) + ".none";
  v.dtype = a.dtype;
  v.dims = axis_dims(a, {});
  v.def = Extern{false};
  v.array = array;
  v.span = a.span;
  return never_written_[array] = add(std::move(v));
}

// The constant c of an index `variable + c`.
std::optional<std::int64_t> ValueBuilder::distance(Expr index, Symbol variable) {
  if (!ir::mentions(index, variable)) return std::nullopt;
  const Expr rest =
      simplifier_.simplify(ir::Build(simplifier_).sub(index, program_.graph->index(variable)));
  if (index->op == ir::Op::Index) return 0;
  if (ir::is_const(rest)) return rest->scalar().as_int();
  // What the rules leave alone: v + c, v - c.
  if (index->op != ir::Op::Add && index->op != ir::Op::Sub) return std::nullopt;
  const auto [left, right] = ir::view::Binary(index);
  const bool add = index->op == ir::Op::Add;
  if (left->op == ir::Op::Index && left->name == variable && ir::is_const(right))
    return add ? right->scalar().as_int() : -right->scalar().as_int();
  if (add && right->op == ir::Op::Index && right->name == variable && ir::is_const(left))
    return left->scalar().as_int();
  return std::nullopt;
}

// What a read of these elements sees: in a sweep that expands the array, that depends on where.
ValueId ValueBuilder::content_at(Symbol array, const std::vector<Expr>& indices) {
  const auto found = expansions_.find(array);
  if (found == expansions_.end()) return content(array);
  Expansion& e = found->second;
  const auto d = distance(indices[e.axis], e.loop.name);
  check(d.has_value(), "a read at a constant distance");
  const std::int64_t ago = e.loop.down ? *d : -*d;
  if (ago < 0) return e.before;
  return ago == 0 ? content(array) : window(array, e, static_cast<std::size_t>(ago));
}

// Slice k of window d is what slice k - d held when iteration k began.
ValueId ValueBuilder::window(Symbol array, Expansion& e, std::size_t depth) {
  for (std::size_t d = e.windows.size() + 1; d <= depth; ++d) {
    const std::int64_t back =
        e.loop.down ? static_cast<std::int64_t>(d) : -static_cast<std::int64_t>(d);
    const ir::Build build(simplifier_);
    std::vector<Expr> indices;
    for (std::size_t a = loops_.size() - 1; a < e.dims.size(); ++a)
      indices.push_back(program_.graph->index(e.dims[a].name));
    const Expr first = e.loop.down ? build.sub(e.loop.hi, build.integer(1)) : e.loop.lo;
    indices[e.axis] = build.add(first, build.integer(back));
    Value init;
    init.dtype = array_of(array).dtype;
    for (const Dim& x : e.dims)
      if (!(x.name == e.loop.name)) init.dims.push_back(x);
    init.loops = loops_.size() - 1;
    init.def = Map{e.before, indices, ir::Policy::Trusted, nullptr, false};
    const std::vector<Dim> init_dims = init.dims;
    Value v;
    v.name = std::string(array.text()) + "[" + std::string(e.loop.name.text()) +
             (e.loop.down ? "+" : "-") + std::to_string(d) + "]";
    v.dtype = init.dtype;
    v.dims = e.dims;
    v.loops = loops_.size() - 1;
    v.array = array;
    v.def = Fby{consumed(add(std::move(init))), kNoValue, {e.loop}};
    e.windows.push_back(add(std::move(v)));
  }
  return e.windows[depth - 1];
}

ValueId ValueBuilder::aligned(ValueId v, const std::vector<Dim>& axes) {
  const Value& from = out_.values[v];
  bool same = true;
  for (std::size_t a = 0; a < axes.size(); ++a)
    same = same && from.dims[from.loops + a].name == axes[a].name;
  if (same) return v;
  Value m;
  m.dtype = from.dtype;
  m.dims.assign(from.dims.begin(), from.dims.begin() + static_cast<std::ptrdiff_t>(from.loops));
  m.loops = from.loops;
  m.dims = joined(std::move(m.dims), axes);
  m.reads = from.reads;
  Map def{v, {}, ir::Policy::Trusted, nullptr, false};
  for (const Dim& d : axes) def.indices.push_back(program_.graph->index(d.name));
  m.def = std::move(def);
  return add_unnamed(std::move(m));
}

ValueId ValueBuilder::widened(ValueId v, const std::vector<Dim>& dims) {
  const Value& from = out_.values[v];
  Bcast def{v, {}};
  for (const Dim& d : dims)
    if (!from.has(d.name)) def.dims.push_back(d.name);
  if (def.dims.empty()) return v;
  Value b;
  b.dtype = from.dtype;
  b.dims = dims;
  // Its axes are still its axes, if they stand in the end.
  const std::size_t axes = from.dims.size() - from.loops;
  bool tail = axes <= dims.size();
  for (std::size_t a = 0; tail && a < axes; ++a)
    tail = dims[dims.size() - axes + a].name == from.dims[from.loops + a].name;
  b.loops = dims.size() - (tail ? axes : 0);
  b.def = std::move(def);
  return add_unnamed(std::move(b));
}

ValueId ValueBuilder::consumed(ValueId v) {
  if (consumed_.insert(v).second) return v;
  Value copy;
  copy.dtype = out_.values[v].dtype;
  copy.dims = out_.values[v].dims;
  copy.loops = out_.values[v].loops;
  copy.def = Bcast{v, {}};
  return add(std::move(copy));
}

// Finds the reads and reductions of an expression and what they stand for.
void ValueBuilder::prepare(Expr e, const std::vector<Dim>& dims, std::size_t loops,
                           const std::string& name, Span span, ReadTable& table) {
  if (e == nullptr) return;
  std::vector<Expr> pending = {e};
  std::set<const void*> seen;
  while (!pending.empty()) {
    const Expr x = pending.back();
    pending.pop_back();
    if (table.contains(x) || !seen.insert(x).second) continue;
    if (x->op == ir::Op::Read) {
      table[x] = operand(x, dims, loops, name, span);
    } else if (x->op == ir::Op::Reduce) {
      table[x] = reduce_expression(x, dims, loops, name, span);
    } else {
      for (std::size_t a = x->arg_count; a-- > 0;) pending.push_back(x->arg(a));
    }
  }
}

ValueId ValueBuilder::operand(Expr read, const std::vector<Dim>& dims, std::size_t loops,
                              const std::string& name, Span span) {
  const ir::view::Read r(read);
  std::vector<Expr> indices(r.indices.begin(), r.indices.end());
  const ValueId seen = content_at(r.array, indices);
  if (const auto e = expansions_.find(r.array); e != expansions_.end()) {
    // A window is asked at this iteration, whatever the distance.
    const auto& windows = e->second.windows;
    if (std::find(windows.begin(), windows.end(), seen) != windows.end())
      indices[e->second.axis] = program_.graph->index(e->second.loop.name);
  }
  Map def{seen, {}, r.policy, r.fill, false};
  auto table = std::make_shared<ReadTable>();
  std::vector<Symbol> variables;
  const auto use = [&](Expr e) {
    prepare(e, dims, loops, name, span, *table);
    for (const Symbol v : ir::free_variables(e)) variables.push_back(v);
  };
  for (Expr e : indices) {
    def.by_data = def.by_data || !ir::reads(e).empty();
    // Rules are exact, so this is spelling; but a read in an index has its own value.
    def.indices.push_back(ir::reads(e).empty() ? simplifier_.simplify(e) : e);
    use(def.indices.back());
  }
  if (r.fill) use(r.fill);
  for (const auto& [e, id] : *table) {
    const auto* b = std::get_if<Bcast>(&out_.values[id].def);
    for (const Dim& d : out_.values[b ? b->v : id].dims) variables.push_back(d.name);
  }
  const Value& from = out_.values[seen];
  for (std::size_t l = 0; l < from.loops; ++l) variables.push_back(from.dims[l].name);
  bool same = r.policy == ir::Policy::Error || r.policy == ir::Policy::Trusted;
  for (std::size_t a = 0; a < indices.size(); ++a)
    same = same && def.indices[a]->op == ir::Op::Index &&
           def.indices[a]->name == from.dims[from.loops + a].name;
  if (same) return widened(seen, dims);
  Value m;
  m.dtype = from.dtype;
  for (const Dim& d : dims)
    if (std::find(variables.begin(), variables.end(), d.name) != variables.end())
      m.dims.push_back(d);
  m.loops = m.dims.size();
  m.array = r.array;
  m.def = std::move(def);
  m.reads = std::move(table);
  m.span = span;
  return widened(add_unnamed(std::move(m)), dims);
}

}  // namespace lathe::schedule
