// SPDX-License-Identifier: Apache-2.0
// Sizes that get their values, and sizes as text. A size may hold another one in several places,
// and that one yet another: every atom is looked at once.

#include <unordered_map>
#include <unordered_set>

#include "base/checked.h"
#include "base/diagnostics.h"
#include "frontend/array/dim_order.h"

namespace lathe::array {
namespace {

class Evaluation {
 public:
  explicit Evaluation(SymbolValue value) : value_(value) {}

  std::optional<std::int64_t> of(const Dim& d) {
    if (!d.form()) return d.constant();
    std::int64_t sum = d.constant();
    for (const DimTerm& t : d.form()->terms) {
      std::int64_t p = t.coefficient;
      for (const AtomRef& a : t.factors) {
        const auto v = of(*a);
        if (!v) return std::nullopt;
        p = fitting(checked_mul(p, *v));
      }
      sum = fitting(checked_add(sum, p));
    }
    return sum;
  }

 private:
  std::optional<std::int64_t> of(const DimAtom& atom) {
    if (atom.kind == DimAtom::Kind::Symbol) {
      const auto bound = value_(*atom.symbol);
      return bound ? bound : atom.symbol->known;
    }
    if (const auto known = known_.find(&atom); known != known_.end()) return known->second;
    const auto a = of(atom.a), b = of(atom.b);
    return known_[&atom] = a && b ? operation(atom.kind, *a, *b) : std::nullopt;
  }

  static std::optional<std::int64_t> operation(DimAtom::Kind kind, std::int64_t a, std::int64_t b) {
    switch (kind) {
      case DimAtom::Kind::Symbol: break;
      case DimAtom::Kind::FloorDiv:
        // Whoever divides by a size asks for more than 0 elsewhere, or does not care.
        if (b == 0) return 0;
        return b == -1 ? fitting(checked_neg(a)) : lathe::floor_div(a, b);
      case DimAtom::Kind::Mod: return b == 0 ? 0 : lathe::floor_mod(a, b);
      case DimAtom::Kind::Min: return std::min(a, b);
      case DimAtom::Kind::Max: return std::max(a, b);
      case DimAtom::Kind::Spread: return a == 1 ? b : a;
    }
    return std::nullopt;
  }

  SymbolValue value_;
  std::unordered_map<const DimAtom*, std::optional<std::int64_t>> known_;
};

class Resolution {
 public:
  explicit Resolution(SymbolValue value) : evaluation_(value) {}

  Dim of(const Dim& d) {
    if (!has_choice(d)) return d;
    Dim sum(d.constant());
    for (const DimTerm& t : d.form()->terms) {
      Dim p(t.coefficient);
      for (const AtomRef& a : t.factors) p = p * of(a);
      sum = sum + p;
    }
    return sum;
  }

 private:
  Dim of(const AtomRef& atom) {
    if (atom->kind == DimAtom::Kind::Symbol) return Dim(atom->symbol);
    if (const auto known = known_.find(atom.get()); known != known_.end()) return known->second;
    const Dim a = of(atom->a), b = of(atom->b);
    // The values are those of what was resolved.
    const Dim r = choose(atom->kind, a, b, evaluation_.of(atom->a), evaluation_.of(atom->b));
    known_.emplace(atom.get(), r);
    return r;
  }

  static Dim choose(DimAtom::Kind kind, const Dim& a, const Dim& b, std::optional<std::int64_t> x,
                    std::optional<std::int64_t> y) {
    switch (kind) {
      case DimAtom::Kind::Symbol: break;
      case DimAtom::Kind::FloorDiv: return floor_div(a, b);
      case DimAtom::Kind::Mod: return mod(a, b);
      // Of equal ones the constant: more sizes have the same program.
      case DimAtom::Kind::Min:
        return x && y ? (*x < *y || (*x == *y && !b.is_constant()) ? a : b) : min(a, b);
      case DimAtom::Kind::Max:
        return x && y ? (*x > *y || (*x == *y && !b.is_constant()) ? a : b) : max(a, b);
      case DimAtom::Kind::Spread: return x && y ? (*x == 1 ? b : a) : spread(a, b);
    }
    return a;
  }

  bool has_choice(const Dim& d) {
    if (!d.form()) return false;
    for (const DimTerm& t : d.form()->terms)
      for (const AtomRef& a : t.factors)
        if (has_choice(*a)) return true;
    return false;
  }
  bool has_choice(const DimAtom& a) {
    if (a.kind == DimAtom::Kind::Symbol) return false;
    if (a.kind >= DimAtom::Kind::Min) return true;
    const auto known = choices_.find(&a);
    if (known != choices_.end()) return known->second;
    const bool found = has_choice(a.a) || has_choice(a.b);
    choices_.emplace(&a, found);
    return found;
  }

  Evaluation evaluation_;
  std::unordered_map<const DimAtom*, Dim> known_;
  std::unordered_map<const DimAtom*, bool> choices_;
};

// f(atom) for every atom, once.
void visit_atoms(const Dim& d, FunctionRef<void(const DimAtom&)> f,
                 std::unordered_set<const DimAtom*>& seen) {
  if (!d.form()) return;
  for (const DimTerm& t : d.form()->terms)
    for (const AtomRef& a : t.factors) {
      if (!seen.insert(a.get()).second) continue;
      f(*a);
      if (a->kind == DimAtom::Kind::Symbol) continue;
      visit_atoms(a->a, f, seen);
      visit_atoms(a->b, f, seen);
    }
}

constexpr int kDeepest = 3;  // deeper ones are dots: texts are for people

std::string atom_text(const DimAtom& a, int depth);
std::string text_of(const Dim& d, int depth);

// The atom that is all of it; null: there is more.
const DimAtom* lone_atom(const Dim& d) {
  if (!d.form() || d.constant() != 0 || d.form()->terms.size() != 1) return nullptr;
  const DimTerm& t = d.form()->terms[0];
  return t.coefficient == 1 && t.factors.size() == 1 ? t.factors[0].get() : nullptr;
}

std::string grouped(const Dim& d, int depth) {
  const bool simple = !d.form() || lone_atom(d);
  return simple ? text_of(d, depth) : "(" + text_of(d, depth) + ")";
}

// max(a, max(b, c)) is max(a, b, c).
std::string sides_text(const DimAtom& outer, int depth) {
  std::string out = text_of(outer.a, depth + 1);
  const DimAtom* a = &outer;
  while (const DimAtom* inner = lone_atom(a->b)) {
    if (inner->kind != outer.kind) break;
    a = inner;
    out += ", " + text_of(a->a, depth + 1);
  }
  return out + ", " + text_of(a->b, depth + 1);
}

std::string atom_text(const DimAtom& a, int depth) {
  if (a.kind != DimAtom::Kind::Symbol && depth == kDeepest) return "...";
  switch (a.kind) {
    case DimAtom::Kind::Symbol:
      if (a.symbol->is_counted) return "count";
      return a.symbol->name.empty() ? std::to_string(*a.symbol->known) : a.symbol->name;
    case DimAtom::Kind::FloorDiv: return grouped(a.a, depth + 1) + "//" + grouped(a.b, depth + 1);
    case DimAtom::Kind::Mod: return grouped(a.a, depth + 1) + "%" + grouped(a.b, depth + 1);
    case DimAtom::Kind::Min: return "min(" + sides_text(a, depth) + ")";
    case DimAtom::Kind::Max: return "max(" + sides_text(a, depth) + ")";
    case DimAtom::Kind::Spread:
      return "spread(" + text_of(a.a, depth + 1) + ", " + text_of(a.b, depth + 1) + ")";
  }
  return {};
}

std::string text_of(const Dim& d, int depth) {
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
    for (const AtomRef& a : t.factors)
      factors += (factors.empty() ? "" : "*") + atom_text(*a, depth);
    out += factors;
  }
  if (d.constant() > 0) out += " + " + std::to_string(d.constant());
  if (d.constant() < 0) out += " - " + std::to_string(-d.constant());
  return out;
}

}  // namespace

std::optional<std::int64_t> evaluate(const Dim& d, SymbolValue value) {
  return Evaluation(value).of(d);
}

std::optional<std::int64_t> known_value(const Dim& d) {
  return evaluate(d, [](const SizeSymbol& s) { return s.known; });
}

Dim resolve(const Dim& d, SymbolValue value) { return Resolution(value).of(d); }

void for_each_symbol(const Dim& d, FunctionRef<void(const SymbolRef&)> f) {
  std::unordered_set<const DimAtom*> seen;
  visit_atoms(
      d,
      [&](const DimAtom& a) {
        if (a.symbol) f(a.symbol);
      },
      seen);
}

std::string to_text(const Dim& d) { return text_of(d, 0); }

std::string to_text(const Shape& shape) {
  std::string out = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) out += (i ? ", " : "") + to_text(shape[i]);
  return out + (shape.size() == 1 ? ",)" : ")");
}

}  // namespace lathe::array
