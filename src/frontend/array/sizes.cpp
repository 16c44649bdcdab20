// SPDX-License-Identifier: Apache-2.0
#include "frontend/array/sizes.h"

#include "base/checked.h"
#include "base/diagnostics.h"
#include "base/quoted.h"
#include "frontend/array/dim_order.h"

namespace lathe::array {
namespace {

// a * symbol + b, with everything else known.
struct Linear {
  SymbolRef unknown;
  std::int64_t a = 0, b = 0;
};

std::optional<Linear> linear_in_one(const Dim& d, const Sizes& sizes) {
  Linear out;
  out.b = d.constant();
  if (!d.form()) return out;
  for (const DimTerm& t : d.form()->terms) {
    std::int64_t c = t.coefficient;
    SymbolRef unknown;
    for (const AtomRef& f : t.factors) {
      const Dim one = DimMaker::make({{1, {f}}}, 0);
      if (const auto v = sizes.value(one)) {
        c = fitting(checked_mul(c, *v));
      } else if (f->symbol && !unknown) {
        unknown = f->symbol;
      } else {
        return std::nullopt;
      }
    }
    if (!unknown) {
      out.b = fitting(checked_add(out.b, c));
    } else if (out.unknown && out.unknown != unknown) {
      return std::nullopt;
    } else {
      out.unknown = unknown;
      out.a = fitting(checked_add(out.a, c));
    }
  }
  return out;
}

std::string bound_text(const Dim& d, const Sizes& sizes) {
  const auto v = sizes.value(d);
  const std::string text = to_text(d);
  return !v || text == std::to_string(*v) ? text : text + " = " + std::to_string(*v);
}

// A shape, and the numbers that it turned out to be.
std::string bound_shape(const std::string& text, const Shape& shape, const Sizes& sizes) {
  std::string numbers = "(";
  for (std::size_t a = 0; a < shape.size(); ++a) {
    const auto v = sizes.value(shape[a]);
    numbers += (a ? ", " : "") + (v ? std::to_string(*v) : to_text(shape[a]));
  }
  numbers += shape.size() == 1 ? ",)" : ")";
  return to_text(shape) == numbers ? text : text + " = " + numbers;
}

std::string bound_shape(const Node& n, const Sizes& sizes) {
  return bound_shape(describe(n), n.shape, sizes);
}

// An array that spread_to() and its like spread over a shape, which is that of the first operand.
bool is_spread_over_shape(const Node& n) {
  return n.kind == Kind::Map && n.op == ir::Op::Select && n.operands[0]->kind == Kind::View &&
         n.operands[0]->operands[0]->kind == Kind::Constant;
}

[[noreturn]] void refuse_condition(const Node& n, const Condition& c, const Sizes& sizes) {
  std::string operands;
  for (std::size_t i = 0; i < n.operands.size(); ++i)
    operands += (i == 0                       ? ""
                 : i + 1 == n.operands.size() ? " and "
                                              : ", ") +
                bound_shape(*n.operands[i], sizes);
  if (is_spread_over_shape(n))
    operands = bound_shape(*n.operands[1], sizes) + " and " +
               bound_shape(to_text(n.operands[0]->shape), n.operands[0]->shape, sizes);
  const std::string axis = c.axis < 0 ? std::string() : ", axis " + std::to_string(c.axis);
  const std::string a = bound_text(c.a, sizes), b = bound_text(c.b, sizes);
  const Maker m{n.kind == Kind::Input ? "input" : std::string_view(n.text), n.place};
  switch (c.rule) {
    case Condition::Rule::Broadcast:
      refuse(m,
             "shapes cannot be broadcast together: " + operands + axis + " is " + a + " and " + b,
             "lengths must be equal, or one of them 1");
    case Condition::Rule::Equal:
      if (n.kind == Kind::Reshape)
        refuse(m, operands + " has " + a + " elements and cannot become " + bound_shape(n, sizes));
      if (n.kind == Kind::View && is_spread_over_shape(*n.operands[0]) &&
          n.rank() == n.operands[0]->rank() && n.text == n.operands[0]->text)
        refuse(m, bound_shape(*n.operands[0]->operands[1], sizes) + " cannot be broadcast to " +
                      bound_shape(to_text(n.shape), n.shape, sizes) + axis + " is " + a + " and " +
                      b);
      if (n.kind == Kind::View && ir::is_bool(n.dtype) && !c.b.is(1) &&
          (n.text == "index" || n.text == "set"))
        refuse(m, "the mask " + operands + " does not fit" + axis + " is " + a + " and " + b,
               "bind sizes that fit", ErrorKind::Index);
      refuse(m, "lengths differ: " + operands + axis + " is " + a + " and " + b,
             "bind sizes that fit");
    case Condition::Rule::AtLeast:
      if (n.kind == Kind::Reduce)
        refuse(m,
               "the axis " + std::to_string(c.axis) + " of " + operands +
                   " is empty and has no extremum",
               "test for empty arrays first");
      refuse(m, "a length must be at least " + b + ", but is " + a);
    case Condition::Rule::Positive: refuse(m, "a length must be positive, but is " + a);
    case Condition::Rule::Index:
      refuse(m,
             "index " + a + " is out of range for an axis of length " + b + ": " + operands + axis,
             {}, ErrorKind::Index);
  }
  internal_error("a rule of conditions");
}

}  // namespace

void Sizes::bind(const SymbolRef& symbol, std::int64_t value, const std::string& where) {
  if (value < 0)
    throw UserError("size " + quoted(symbol->name) + " cannot be " + std::to_string(value) + " (" +
                    where + ")");
  const auto [at, fresh] = bound_.emplace(symbol.get(), Bound{value, where});
  if (!fresh && at->second.value != value)
    throw UserError("size " + quoted(symbol->name) + " cannot be " + std::to_string(value) + " (" +
                        where + "): it is " + std::to_string(at->second.value) + " already (" +
                        at->second.where + ")",
                    {}, "bind arrays whose shapes agree");
}

std::optional<std::int64_t> Sizes::value(const SizeSymbol& symbol) const {
  const auto at = bound_.find(&symbol);
  return at == bound_.end() ? symbol.known : at->second.value;
}

std::optional<std::int64_t> Sizes::value(const Dim& d) const {
  return evaluate(d, [this](const SizeSymbol& s) { return value(s); });
}

// Where the sizes in it got their values.
std::string Sizes::sources_of(const Dim& d) const {
  std::string out;
  for_each_symbol(d, [&](const SymbolRef& s) {
    const auto at = bound_.find(s.get());
    if (at != bound_.end() && out.find(at->second.where) == std::string::npos)
      out += (out.empty() ? " (" : ", ") + s->name + ": " + at->second.where;
  });
  return out.empty() ? out : out + ")";
}

bool Sizes::solve(const Open& o) {
  const auto linear = linear_in_one(o.declared, *this);
  if (!linear) return false;
  const std::string where = "axis " + std::to_string(o.axis) + " of " + quoted(o.name);
  if (!linear->unknown || linear->a == 0) {
    if (linear->b != o.given)
      throw UserError("axis " + std::to_string(o.axis) + " of " + quoted(o.name) + " has length " +
                          std::to_string(o.given) + ", but was declared as " +
                          bound_text(o.declared, *this) + sources_of(o.declared),
                      {}, "bind arrays and sizes that agree");
    return true;
  }
  const std::int64_t rest = o.given - linear->b;
  if (rest % linear->a != 0)
    throw UserError("axis " + std::to_string(o.axis) + " of " + quoted(o.name) + " has length " +
                    std::to_string(o.given) + ", which is not " + to_text(o.declared) +
                    " for any size " + quoted(linear->unknown->name));
  bind(linear->unknown, rest / linear->a, where);
  return true;
}

void Sizes::unify(const std::string& name, const Shape& declared,
                  const std::vector<std::int64_t>& given) {
  if (declared.size() != given.size())
    throw UserError(quoted(name) + " was declared with " + std::to_string(declared.size()) +
                    (declared.size() == 1 ? " axis" : " axes") + ", but has " +
                    std::to_string(given.size()));
  for (std::size_t a = 0; a < given.size(); ++a) {
    Open o{name, declared[a], given[a], a};
    if (!solve(o)) open_.push_back(std::move(o));
  }
}

void Sizes::learn(const std::string& name, const Shape& declared,
                  const std::vector<std::int64_t>& given) {
  for (std::size_t a = 0; a < given.size() && a < declared.size(); ++a)
    solve({name, declared[a], given[a], a});
}

void Sizes::finish() {
  while (!open_.empty()) {
    const std::size_t before = open_.size();
    std::erase_if(open_, [this](const Open& o) { return solve(o); });
    if (open_.size() < before) continue;
    const Open& o = open_.front();
    throw UserError("axis " + std::to_string(o.axis) + " of " + quoted(o.name) +
                        " does not determine the sizes in " + to_text(o.declared),
                    {}, "bind them by name");
  }
}

void Sizes::check(const Node& node) {
  for (const Condition& c : node.conditions) {
    const auto a = value(c.a), b = value(c.b);
    if (!a || !b) continue;
    bool holds = false;
    switch (c.rule) {
      case Condition::Rule::Equal: holds = *a == *b; break;
      case Condition::Rule::Broadcast: holds = *a == *b || *a == 1 || *b == 1; break;
      case Condition::Rule::AtLeast: holds = *a >= *b; break;
      case Condition::Rule::Positive: holds = *a > 0; break;
      case Condition::Rule::Index: holds = *a >= 0 && *a < *b; break;
    }
    if (!holds) refuse_condition(node, c, *this);
    const bool same = c.rule == Condition::Rule::Equal ||
                      (c.rule == Condition::Rule::Broadcast && *a == *b && *a != 1);
    if (same) equate(settled(c.a), settled(c.b));
  }
}

void Sizes::equate(const Dim& a, const Dim& b) {
  if (a == b) return;
  // The younger symbol becomes the older one, or a constant.
  const SymbolRef x = a.symbol(), y = b.symbol();
  auto depends = [](const Dim& d, const SymbolRef& s) {
    bool found = false;
    for_each_symbol(d, [&](const SymbolRef& t) { found = found || t == s; });
    return found;
  };
  if (y && (!x || x->serial < y->serial) && !depends(a, y))
    same_.insert_or_assign(y.get(), a);
  else if (x && !depends(b, x))
    same_.insert_or_assign(x.get(), b);
}

Dim Sizes::representative(const SymbolRef& symbol) const {
  const auto at = same_.find(symbol.get());
  return at == same_.end() ? Dim(symbol) : settled(at->second);
}

Dim Sizes::settled(const Dim& d) const {
  if (d.is_constant()) return d;
  if (const SymbolRef s = d.symbol()) {
    const auto at = same_.find(s.get());
    return at == same_.end() ? d : settled(at->second);
  }
  Dim r = resolve(d, [this](const SizeSymbol& s) { return value(s); });
  if (same_.empty() || !r.form()) return r;
  bool changes = false;
  for_each_symbol(r, [&](const SymbolRef& s) { changes = changes || same_.count(s.get()) > 0; });
  if (!changes) return r;
  Dim sum(r.constant());
  for (const DimTerm& t : r.form()->terms) {
    Dim p(t.coefficient);
    for (const AtomRef& f : t.factors) {
      if (f->symbol)
        p = p * representative(f->symbol);
      else if (f->kind == DimAtom::Kind::FloorDiv)
        p = p * floor_div(settled(f->a), settled(f->b));
      else if (f->kind == DimAtom::Kind::Mod)
        p = p * mod(settled(f->a), settled(f->b));
      else
        p = p * DimMaker::make({{1, {f}}}, 0);
    }
    sum = sum + p;
  }
  return sum;
}

}  // namespace lathe::array
