// SPDX-License-Identifier: Apache-2.0
// Names, sizes and statements. Sizes that are not affine (n * m, n // 2) are parameters of their
// own, computed before the launch: to the program everything is affine.

#include "frontend/array/lower.h"

#include <algorithm>

#include "base/diagnostics.h"
#include "base/quoted.h"
#include "frontend/array/dim_order.h"
#include "frontend/array/lowering.h"
#include "frontend/array/make.h"
#include "ir/text_lexer.h"

namespace lathe::array {

Lowering::Lowering(const Nodes& outputs, const Sizes& sizes, const LowerOptions& options)
    : outputs_(outputs), sizes_(sizes), options_(options), b_(options.program_name) {}

Lowered to_program(const Nodes& outputs, const Sizes& sizes, const LowerOptions& options) {
  return Lowering(outputs, sizes, options).run();
}

void refuse_two_inputs(const Node& a, const Node& b) {
  throw UserError(
      "two inputs are both called " + quoted(a.text) + ": " + describe(a) + " and " + describe(b),
      {}, "give one of them another name");
}

namespace {

// What users called an axis as a word of the language: "my axis" is my_axis. Empty: there is none.
std::string as_word(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (letter || (!out.empty() && c >= '0' && c <= '9')) {
      out += c;
    } else if (!out.empty() && out.back() != '_') {
      out += '_';
    }
  }
  if (out != name)
    while (!out.empty() && out.back() == '_') out.pop_back();
  return out;
}

}  // namespace

// What users named keeps its name.
void Lowering::take_names() {
  std::set<std::string> sizes;
  const auto keep = [&](const Dim& d) {
    for_each_symbol(d, [&](const SymbolRef& s) {
      if (!s->name.empty()) sizes.insert(s->name);
    });
  };
  for (const Node* n : order_) {
    for (const Dim& d : n->shape) keep(d);
    for (const Dim& d : n->dims) keep(d);  // as a value: of an array that is not here any more
  }
  for (const Node* n : order_) {
    if (n->kind != Kind::Input) continue;
    taken_.insert(n->text);
    if (sizes.count(n->text))
      throw UserError("an input and a size are both called " + quoted(n->text), {},
                      "give one of them another name");
  }
  taken_.merge(sizes);
  for (const std::string& name : options_.output_names) taken_.insert(name);
}

// stem0, stem1 ...
std::string Lowering::fresh_name(const std::string& stem) {
  for (int& n = next_number_[stem];;) {
    const std::string name = stem + std::to_string(n++);
    if (!ir::is_keyword(name) && taken_.insert(name).second) return name;
  }
}

std::string Lowering::stored_name() {
  if (!options_.keep_pins) return fresh_name(options_.stored_stem);
  // A listing calls it k, whatever else is called k: what stands in brackets is clear.
  const int n = next_number_[options_.stored_stem]++;
  return options_.stored_stem + (n ? std::to_string(n) : "");
}

// Sums take the names from k on.
Expr Lowering::variable(std::string_view wanted, bool is_summed) {
  static constexpr const char* kUsual[] = {"i", "j", "k", "l", "p", "q", "r", "s"};
  auto take = [&](const std::string& name) -> Expr {
    if (ir::is_keyword(name) || taken_.count(name) || !bound_.insert(name).second) return nullptr;
    return b_.index(name).expr();
  };
  if (const std::string word = as_word(wanted); !word.empty())
    if (const Expr e = take(word)) return e;
  for (std::size_t u = is_summed ? 2 : 0; u < std::size(kUsual); ++u)
    if (const Expr e = take(kUsual[u])) return e;
  for (int n = 0;; ++n)
    if (const Expr e = take("i" + std::to_string(n))) return e;
}

Expr Lowering::plus(Expr a, Expr b) {
  if (ir::is_const(a)) std::swap(a, b);
  if (ir::is_const(b)) {
    const std::int64_t v = b->scalar().as_int();
    if (ir::is_const(a)) return number(a->scalar().as_int() + v);
    if (v == 0) return a;
    if (v < 0) return b_.build().sub(a, number(-v));
  }
  return b_.build().add(a, b);
}
Expr Lowering::minus(Expr a, Expr b) {
  if (ir::is_const(b)) return plus(a, number(-b->scalar().as_int()));
  return b_.build().sub(a, b);
}
Expr Lowering::times(Expr a, Expr b) {
  if (ir::is_const(a)) std::swap(a, b);
  if (ir::is_const(b)) {
    const std::int64_t v = b->scalar().as_int();
    if (ir::is_const(a)) return number(a->scalar().as_int() * v);
    if (v == 1) return a;
    if (v == 0) return b;
  }
  return b_.build().mul(a, b);
}

// A size of the graph as a parameter of the program.
Expr Lowering::size_parameter(const Dim& key) {
  for (const auto& [made, e] : sizes_made_)
    if (made == key) return e;
  const SymbolRef s = key.symbol();
  const bool named = s && !s->name.empty();
  const std::string name = !named                    ? fresh_name(s ? "n" : "size")
                           : ir::is_keyword(s->name) ? fresh_name(s->name + "_")
                                                     : s->name;
  const Expr e = b_.size(name).expr();
  sizes_made_.emplace_back(key, e);
  out_.sizes.emplace_back(name, key);
  return e;
}

// The factors of a term as one parameter. Sizes are never negative: what may be is a difference.
Expr Lowering::monomial(const DimTerm& t) {
  const Dim key = DimMaker::make({{1, t.factors}}, 0);
  if (never_negative(key)) return size_parameter(key);
  const Expr above = size_parameter(max(Dim(0), key));
  const Expr below = size_parameter(max(Dim(0), Dim(0) - key));
  return minus(above, below);
}

Expr Lowering::size(const Dim& given) {
  const Dim d = sizes_.settled(given);
  Expr sum = nullptr;
  if (d.form()) {
    for (const DimTerm& t : d.form()->terms) {
      const Expr term = monomial(t);
      if (!sum)
        sum = t.coefficient == -1 ? minus(number(0), term) : times(term, number(t.coefficient));
      else if (t.coefficient < 0)
        sum = minus(sum, times(term, number(-t.coefficient)));
      else
        sum = plus(sum, times(term, number(t.coefficient)));
    }
  }
  return sum ? plus(sum, number(d.constant())) : number(d.constant());
}

std::vector<ir::VariableRange> Lowering::ranges(const Node& n, const Shape& shape) {
  std::vector<ir::VariableRange> out;
  for (std::size_t a = 0; a < shape.size(); ++a) {
    const Expr hi = size(shape[a]);
    out.push_back(ir::in(val(variable(n.label(a))), val(number(0)), val(hi)));
  }
  return out;
}

void Lowering::declare_leaf(const Node& n) {
  if (places_.count(&n)) return;
  const bool named = n.kind == Kind::Input;
  if (named) {
    // The same input with other labels, or pinned, is the same array.
    const auto [at, first] = inputs_.emplace(n.text, &n);
    if (!first) {
      const Node& other = *at->second;
      if (other.dtype != n.dtype || other.shape != n.shape) refuse_two_inputs(other, n);
      places_[&n] = places_.at(&other);
      return;
    }
  }
  const std::string name = !named                   ? fresh_name(n.rank() == 0 ? "a" : "x")
                           : ir::is_keyword(n.text) ? fresh_name(n.text + "_")
                                                    : n.text;
  if (n.rank() == 0) {
    const Expr e = b_.param(name, n.dtype).expr();
    places_[&n] = {e->name, true};
    out_.scalars.emplace_back(name, &n);
    return;
  }
  ir::Array a;
  a.name = b_.graph().symbol(name);
  a.dtype = n.dtype;
  a.role = ir::Role::Input;
  bound_.clear();
  for (const ir::VariableRange& r : ranges(n, n.shape))
    a.axes.push_back({r.variable.expr()->name, r.lo.expr(), r.hi.expr()});
  leaves_.push_back(a);
  b_.declare(std::move(a));
  places_[&n] = {b_.graph().symbol(name), false};
  out_.inputs.emplace_back(name, &n);
}

void Lowering::declare_stored(const Node& n, const std::string& name, bool is_output) {
  ir::Array a;
  a.name = b_.graph().symbol(name);
  a.dtype = n.dtype;
  a.role = is_output ? ir::Role::Output : ir::Role::Temp;
  bound_.clear();
  for (const ir::VariableRange& r : ranges(n, n.shape))
    a.axes.push_back({r.variable.expr()->name, r.lo.expr(), r.hi.expr()});
  b_.declare(std::move(a));
}

ir::Val Lowering::at(const Node& n, const Exprs& indices) {
  return val(b_.graph().read(places_.at(&n).name, n.dtype, indices));
}

Lowered Lowering::run() {
  order_ = in_order(outputs_, options_.leaves);
  take_names();
  const StoragePlan plan =
      plan_storage(order_, outputs_, sizes_, options_.leaves, options_.storing);
  for (const Node* n : order_)
    if (n->kind == Kind::Input || n->kind == Kind::Data || options_.leaves.count(n))
      declare_leaf(*n);
  if (options_.keep_pins)
    for (const Node* n : order_)
      if (n->pin == Pin::Pin && !places_.count(n) && n->rank() > 0 && !is_array(*n))
        places_[n] = {b_.graph().symbol(stored_name()), false};
  out_.outputs.resize(outputs_.size());
  for (const auto& [n, reason] : plan.stored) {
    // One node may be several results; the first array is also what others read.
    std::vector<std::size_t> results;
    for (std::size_t o = 0; o < outputs_.size(); ++o)
      if (outputs_[o].get() == n) results.push_back(o);
    std::string first;
    for (std::size_t o : results) {
      const std::string name =
          o < options_.output_names.size() ? options_.output_names[o] : fresh_name("out");
      out_.outputs[o] = name;
      if (first.empty()) first = name;
      if (n->kind == Kind::Positions && !options_.leaves.count(n)) {
        emit_positions(*n, name);
        continue;
      }
      declare_stored(*n, name, true);
      const bool leaf = places_.count(n) > 0;
      const ir::Symbol symbol = b_.graph().symbol(name);
      if (leaf) {  // of an input, or a second result: a copy
        bound_.clear();
        known_.clear();
        const auto over = ranges(*n, n->shape);
        Exprs index;
        for (const auto& r : over) index.push_back(r.variable.expr());
        const Expr value = read(*n, index, false);
        b_.statement(over, val(b_.graph().read(symbol, n->dtype, index)), val(value));
        continue;
      }
      places_[n] = {symbol, false};
      emit(*n);
    }
    if (results.empty()) {
      first = stored_name();
      declare_stored(*n, first, false);
      places_[n] = {b_.graph().symbol(first), false};
      emit(*n);
    }
    out_.decisions.push_back({n, first, reason});
  }
  out_.program = b_.finish();
  return std::move(out_);
}

void Lowering::emit(const Node& n) {
  bound_.clear();
  known_.clear();
  if (n.kind == Kind::Scan) return emit_scan(n);
  if (n.kind == Kind::Scatter) return emit_scatter(n);
  if (n.kind == Kind::Call) return emit_call(n);
  const std::vector<ir::VariableRange> over = ranges(n, n.shape);
  Exprs index;
  for (const ir::VariableRange& r : over) index.push_back(r.variable.expr());
  const Place own = places_.at(&n);
  places_.erase(&n);  // while it is computed it is no array yet
  const Expr value = element(n, index);
  places_[&n] = own;
  b_.statement(over, at(n, index), val(value));
  if (options_.keep_pins) note_pinned(value);
}

// Never an expression: always there, or stored.
bool Lowering::is_array(const Node& n) const {
  return n.kind == Kind::Input || n.kind == Kind::Data || n.kind == Kind::Scan ||
         n.kind == Kind::Scatter || n.kind == Kind::Call || n.kind == Kind::Positions ||
         options_.leaves.count(&n) > 0;
}

// What the elements are that this statement reads of pinned arrays.
void Lowering::note_pinned(Expr value) {
  std::vector<Expr> todo{value};
  std::set<Expr> seen;
  while (!todo.empty()) {
    const Expr e = todo.back();
    todo.pop_back();
    if (!seen.insert(e).second) continue;
    for (std::size_t i = e->arg_count; i-- > 0;) todo.push_back(e->arg(i));
    if (e->op != ir::Op::Read) continue;
    for (const Node* n : order_) {
      const auto at = places_.find(n);
      if (n->pin != Pin::Pin || at == places_.end() || at->second.name != e->name) continue;
      if (is_array(*n)) {  // its elements are what is read
        out_.pinned.push_back({e, e});
        break;
      }
      const Place own = at->second;
      places_.erase(at);
      const Expr element_value = element(*n, Exprs(e->args().begin(), e->args().end()));
      places_[n] = own;
      out_.pinned.push_back({e, element_value});
      todo.push_back(element_value);
    }
  }
}

void Lowering::emit_scan(const Node& n) {
  std::vector<ir::VariableRange> over = ranges(n, n.shape);
  Exprs index;
  for (const ir::VariableRange& r : over) index.push_back(r.variable.expr());
  const auto axis = static_cast<std::ptrdiff_t>(n.ints[0]);
  const ir::VariableRange along = over[static_cast<std::size_t>(axis)];
  over.erase(over.begin() + axis);
  if (n.op == ir::Op::Fma) {
    const ir::Build& build = b_.build();
    const Expr a = element(*n.operands[0], index), b = element(*n.operands[1], index);
    Exprs before = index;
    Expr& place = before[static_cast<std::size_t>(axis)];
    place = minus(place, number(1));
    const Expr product = build.mul(a, at(n, before).expr());
    const Expr grown = build.add(product, b);
    const Expr first = build.eq(along.variable.expr(), number(0));
    b_.sweep(true, along,
             [&] { b_.statement(over, at(n, index), val(build.select(first, b, grown))); });
    return;
  }
  const Expr value = element(*n.operands[0], index);
  b_.scan(over, along, at(n, index), n.op, val(value), n.ints[1] != 0);
}

void Lowering::emit_call(const Node& n) {
  std::vector<ir::Field> inputs;
  for (const NodeRef& o : n.operands)
    inputs.emplace_back(b_.build(), places_.at(o.get()).name, o->dtype);
  b_.call(n.text, inputs, {ir::Field(b_.build(), places_.at(&n).name, n.dtype)});
}

// The mask in memory, a byte each and shaped as it is; how many there are; where they are. The
// length of the result is computed by the program.
//   for i in 0..n: mask[i] = m[i]
//   call nonzero_count(mask) -> count
//   call nonzero(mask) -> out
void Lowering::emit_positions(const Node& n, const std::string& name) {
  const Node& mask = *n.operands[0];
  if (!places_.count(&mask)) {
    const std::string own = fresh_name("mask");
    declare_stored(mask, own, false);
    places_[&mask] = {b_.graph().symbol(own), false};
    emit(mask);
  }
  const ir::Field bits(b_.build(), places_.at(&mask).name, mask.dtype);
  const ir::Field count = b_.temp(fresh_name("count"), ir::DType::I64);
  b_.call("nonzero_count", {bits}, {count});
  const ir::Field found =
      b_.output(name, ir::DType::I64, {ir::AxisSpec("i", count.read({}, ir::Policy::Error))});
  places_[&n] = {found.name(), false};
  b_.call("nonzero", {bits}, {found});
}

// A copy, then the values one by one: where two meet, the last one stays.
void Lowering::emit_scatter(const Node& n) {
  const Node &x = *n.operands[0], &v = *n.operands[1];
  {
    const std::vector<ir::VariableRange> over = ranges(n, n.shape);
    Exprs index;
    for (const ir::VariableRange& r : over) index.push_back(r.variable.expr());
    const Expr value = element(x, index);
    b_.statement(over, at(n, index), val(value));
  }
  bound_.clear();
  known_.clear();
  const std::vector<ir::VariableRange> over = ranges(v, v.shape);
  Exprs index;
  for (const ir::VariableRange& r : over) index.push_back(r.variable.expr());
  const Expr value = element(v, index);
  const auto bar = std::find(n.ints.begin(), n.ints.end(), -1);
  const auto indexed = static_cast<std::size_t>(bar - n.ints.begin());
  const auto position = static_cast<std::size_t>(*(bar + 1));
  const std::size_t spread_rank = v.rank() - (x.rank() - indexed);
  const Exprs inner(index.begin() + static_cast<std::ptrdiff_t>(position),
                    index.begin() + static_cast<std::ptrdiff_t>(position + spread_rank));
  const Shape inner_shape(v.shape.begin() + static_cast<std::ptrdiff_t>(position),
                          v.shape.begin() + static_cast<std::ptrdiff_t>(position + spread_rank));
  Exprs target(x.rank(), nullptr);
  for (std::size_t i = 0; i < indexed; ++i) {
    const Node& ix = *n.operands[i + 2];
    const auto axis = static_cast<std::size_t>(n.ints[i]);
    const Expr raw = element(ix, spread_index(ix, inner_shape, inner));
    const Expr length = size(x.shape[axis]);
    const Expr wrapped = b_.build().add(raw, length);
    target[axis] = b_.build().select(b_.build().lt(raw, number(0)), wrapped, raw);
  }
  std::size_t next = 0;
  for (Expr& t : target) {
    if (next == position) next += spread_rank;
    if (!t) t = index[next++];
  }
  if (n.op == ir::Op::Add) {
    b_.accumulate(over, at(n, target), ir::Op::Add, val(value));
    return;
  }
  const std::string name = fresh_name("last");
  const ir::Symbol last =
      b_.combiner(name, {{name + "_a", n.dtype}}, {{name + "_b", n.dtype}},
                  [](const std::vector<ir::Val>&, const std::vector<ir::Val>& r) { return r; },
                  {ir::Scalar::of_int(n.dtype, 0)});
  ir::How how;
  how.order = ir::Order::Seq;
  b_.accumulate(over, std::vector<ir::Val>{at(n, target)}, last, {val(value)}, how);
}

}  // namespace lathe::array
