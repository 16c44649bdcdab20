// SPDX-License-Identifier: Apache-2.0
// Sizes that get their values, and sizes as text.

#include "base/checked.h"
#include "base/diagnostics.h"
#include "frontend/array/dim_order.h"

namespace lathe::array {
namespace {

std::optional<std::int64_t> value_of(const DimAtom& atom, SymbolValue value) {
  if (atom.kind == DimAtom::Kind::Symbol) {
    const auto bound = value(*atom.symbol);
    return bound ? bound : atom.symbol->known;
  }
  const auto a = evaluate(atom.a, value), b = evaluate(atom.b, value);
  if (!a || !b) return std::nullopt;
  switch (atom.kind) {
    case DimAtom::Kind::Symbol: break;
    case DimAtom::Kind::FloorDiv:
      // Whoever divides by a size asks for more than 0 elsewhere, or does not care.
      if (*b == 0) return 0;
      return *b == -1 ? fitting(checked_neg(*a)) : lathe::floor_div(*a, *b);
    case DimAtom::Kind::Mod: return *b == 0 ? 0 : lathe::floor_mod(*a, *b);
    case DimAtom::Kind::Min: return std::min(*a, *b);
    case DimAtom::Kind::Max: return std::max(*a, *b);
    case DimAtom::Kind::Spread: return *a == 1 ? *b : *a;
  }
  return std::nullopt;
}

Dim resolve_atom(const AtomRef& atom, SymbolValue value) {
  if (atom->kind == DimAtom::Kind::Symbol) return Dim(atom->symbol);
  const Dim a = resolve(atom->a, value), b = resolve(atom->b, value);
  const auto x = evaluate(a, value), y = evaluate(b, value);
  switch (atom->kind) {
    case DimAtom::Kind::Symbol: break;
    case DimAtom::Kind::FloorDiv: return floor_div(a, b);
    case DimAtom::Kind::Mod: return mod(a, b);
    case DimAtom::Kind::Min: return x && y ? (*x <= *y ? a : b) : min(a, b);
    case DimAtom::Kind::Max: return x && y ? (*x >= *y ? a : b) : max(a, b);
    case DimAtom::Kind::Spread: return x && y ? (*x == 1 ? b : a) : spread(a, b);
  }
  return a;
}

bool has_choice(const Dim& d) {
  if (!d.form()) return false;
  for (const DimTerm& t : d.form()->terms)
    for (const AtomRef& a : t.factors)
      if (a->kind != DimAtom::Kind::Symbol &&
          (a->kind >= DimAtom::Kind::Min || has_choice(a->a) || has_choice(a->b)))
        return true;
  return false;
}

std::string atom_text(const DimAtom& a);

std::string grouped(const Dim& d) {
  const bool simple =
      !d.form() || (d.constant() == 0 && d.form()->terms.size() == 1 &&
                    d.form()->terms[0].coefficient == 1 && d.form()->terms[0].factors.size() == 1);
  return simple ? to_text(d) : "(" + to_text(d) + ")";
}

std::string atom_text(const DimAtom& a) {
  switch (a.kind) {
    case DimAtom::Kind::Symbol:
      if (a.symbol->is_counted) return "count";
      return a.symbol->name.empty() ? std::to_string(*a.symbol->known) : a.symbol->name;
    case DimAtom::Kind::FloorDiv: return grouped(a.a) + "//" + grouped(a.b);
    case DimAtom::Kind::Mod: return grouped(a.a) + "%" + grouped(a.b);
    case DimAtom::Kind::Min: return "min(" + to_text(a.a) + ", " + to_text(a.b) + ")";
    case DimAtom::Kind::Max: return "max(" + to_text(a.a) + ", " + to_text(a.b) + ")";
    case DimAtom::Kind::Spread: return "spread(" + to_text(a.a) + ", " + to_text(a.b) + ")";
  }
  return {};
}

}  // namespace

std::optional<std::int64_t> evaluate(const Dim& d, SymbolValue value) {
  if (!d.form()) return d.constant();
  std::int64_t sum = d.constant();
  for (const DimTerm& t : d.form()->terms) {
    std::int64_t p = t.coefficient;
    for (const AtomRef& a : t.factors) {
      const auto v = value_of(*a, value);
      if (!v) return std::nullopt;
      p = fitting(checked_mul(p, *v));
    }
    sum = fitting(checked_add(sum, p));
  }
  return sum;
}

std::optional<std::int64_t> known_value(const Dim& d) {
  return evaluate(d, [](const SizeSymbol& s) { return s.known; });
}

Dim resolve(const Dim& d, SymbolValue value) {
  if (!has_choice(d)) return d;
  Dim sum(d.constant());
  for (const DimTerm& t : d.form()->terms) {
    Dim p(t.coefficient);
    for (const AtomRef& a : t.factors) p = p * resolve_atom(a, value);
    sum = sum + p;
  }
  return sum;
}

void for_each_symbol(const Dim& d, FunctionRef<void(const SymbolRef&)> f) {
  if (!d.form()) return;
  for (const DimTerm& t : d.form()->terms) {
    for (const AtomRef& a : t.factors) {
      if (a->symbol) {
        f(a->symbol);
      } else {
        for_each_symbol(a->a, f);
        for_each_symbol(a->b, f);
      }
    }
  }
}

std::string to_text(const Dim& d) {
  if (!d.form()) return std::to_string(d.constant());
  std::string out;
  for (const DimTerm& t : d.form()->terms) {
    const std::int64_t c = t.coefficient;
    if (out.empty())
      out += c < 0 ? "-" : "";
    else
      out += c < 0 ? " - " : " + ";
    std::string factors;
    if (c != 1 && c != -1) factors = std::to_string(c < 0 ? -c : c);
    for (const AtomRef& a : t.factors) factors += (factors.empty() ? "" : "*") + atom_text(*a);
    out += factors;
  }
  if (d.constant() > 0) out += " + " + std::to_string(d.constant());
  if (d.constant() < 0) out += " - " + std::to_string(-d.constant());
  return out;
}

std::string to_text(const Shape& shape) {
  std::string out = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) out += (i ? ", " : "") + to_text(shape[i]);
  return out + (shape.size() == 1 ? ",)" : ")");
}

}  // namespace lathe::array
