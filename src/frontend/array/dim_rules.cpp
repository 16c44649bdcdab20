// SPDX-License-Identifier: Apache-2.0
// Division, minima and maxima of sizes, and what can be proved of them: sizes are never negative,
// so a polynomial whose coefficients are not negative is not either, and a maximum is not of which
// one side is not.

#include <algorithm>

#include "base/checked.h"
#include "base/diagnostics.h"
#include "frontend/array/dim_order.h"
#include "frontend/array/dim_pieces.h"

namespace lathe::array {
namespace {

bool atom_never_negative(const DimAtom& a) {
  switch (a.kind) {
    case DimAtom::Kind::Symbol: return true;
    case DimAtom::Kind::FloorDiv: return never_negative(a.a) && never_negative(a.b);
    case DimAtom::Kind::Mod: return never_negative(a.b);
    case DimAtom::Kind::Min: return never_negative(a.a) && never_negative(a.b);
    case DimAtom::Kind::Max: return never_negative(a.a) || never_negative(a.b);
    case DimAtom::Kind::Spread: return never_negative(a.a) && never_negative(a.b);
  }
  return false;
}

// The factors of `a` without those of `b`; nothing when b has others.
std::optional<std::vector<AtomRef>> without(const std::vector<AtomRef>& a,
                                            const std::vector<AtomRef>& b) {
  std::vector<AtomRef> rest = a;
  for (const AtomRef& f : b) {
    const auto at =
        std::find_if(rest.begin(), rest.end(), [&](const AtomRef& r) { return order(r, f) == 0; });
    if (at == rest.end()) return std::nullopt;
    rest.erase(at);
  }
  return rest;
}

DimTerm leading(const Dim& d) {
  return d.is_constant() ? DimTerm{d.constant(), {}} : d.form()->terms.front();
}

}  // namespace

bool has_no_negative_sign(const Dim& d) {
  if (d.constant() < 0) return false;
  if (!d.form()) return true;
  return std::all_of(d.form()->terms.begin(), d.form()->terms.end(), [](const DimTerm& t) {
    return t.coefficient >= 0 &&
           std::all_of(t.factors.begin(), t.factors.end(),
                       [](const AtomRef& a) { return atom_never_negative(*a); });
  });
}

bool never_negative(const Dim& d) {
  if (has_no_negative_sign(d)) return true;
  if (!has_pieces(d)) return false;
  const auto pieces = pieces_of(d);
  return pieces && std::any_of(pieces->begin(), pieces->end(), [](const Lower& l) {
           return std::all_of(l.begin(), l.end(), has_no_negative_sign);
         });
}

Answer compare(const Dim& a, const Dim& b) {
  if (a == b) return Answer::Yes;
  const Dim d = a - b;
  if (d.is_constant()) return d.is(0) ? Answer::Yes : Answer::No;
  if (has_pieces(d)) {
    const auto p = pieces_of(a), q = pieces_of(b);
    if (p && q && *p == *q) return Answer::Yes;
  }
  if (never_negative(d - Dim(1)) || never_negative(Dim(-1) - d)) return Answer::No;
  return Answer::Unknown;
}

std::optional<Dim> divide_exactly(const Dim& a, const Dim& b) {
  if (b.is(0)) return std::nullopt;
  if (a == b) return Dim(1);
  Dim rest = a, quotient(0);
  const DimTerm by = leading(b);
  for (int step = 0; step < 64 && !rest.is(0); ++step) {
    const DimTerm top = leading(rest);
    const auto factors = without(top.factors, by.factors);
    if (!factors || top.coefficient % by.coefficient != 0) return std::nullopt;
    const std::int64_t c = top.coefficient / by.coefficient;
    const Dim part = factors->empty() ? Dim(c) : DimMaker::make({{c, *factors}}, 0);
    quotient = quotient + part;
    rest = rest - part * b;
  }
  if (!rest.is(0)) return std::nullopt;
  return quotient;
}

Dim product(const Shape& shape) {
  Dim out(1);
  for (const Dim& d : shape) out = out * d;
  return out;
}

Dim floor_div(const Dim& a, const Dim& b) {
  if (b.is(0)) throw UserError("a size is divided by 0");
  if (a.is_constant() && b.is_constant()) {
    if (b.is(-1)) return Dim(0) - a;
    return Dim(lathe::floor_div(a.constant(), b.constant()));
  }
  if (auto exact = divide_exactly(a, b)) return *exact;
  if (b.is_constant() && b.constant() > 0 && has_pieces(a)) {
    // A larger number has a larger quotient: max(2 * n - 1, 0) // 2 = max(n - 1, 0).
    const auto pieces = pieces_of(a);
    const auto divided = pieces ? each(*pieces, [&](const Dim& x) { return floor_div(x, b); })
                                : std::optional<Pieces>();
    if (divided) return size_of(*divided);
  }
  if (b.is_constant() && b.constant() > 0 && a.form()) {
    // What the divisor divides leaves: (4 * n + m + 5) // 4 = n + 1 + (m + 1) // 4.
    std::vector<DimTerm> out, rest;
    for (DimTerm t : a.form()->terms) {
      if (t.coefficient % b.constant() == 0) {
        t.coefficient /= b.constant();
        out.push_back(std::move(t));
      } else {
        rest.push_back(std::move(t));
      }
    }
    const std::int64_t left = lathe::floor_mod(a.constant(), b.constant());
    const Dim whole = DimMaker::make(std::move(out), lathe::floor_div(a.constant(), b.constant()));
    const Dim inner = DimMaker::make(std::move(rest), left);
    if (inner.is_constant()) return whole;
    return whole + DimMaker::atom(DimAtom::Kind::FloorDiv, inner, b);
  }
  return DimMaker::atom(DimAtom::Kind::FloorDiv, a, b);
}

Dim mod(const Dim& a, const Dim& b) {
  if (b.is(0)) throw UserError("a size is divided by 0");
  if (a.is_constant() && b.is_constant()) return Dim(lathe::floor_mod(a.constant(), b.constant()));
  if (divide_exactly(a, b)) return Dim(0);
  return DimMaker::atom(DimAtom::Kind::Mod, a, b);
}

Dim min(const Dim& a, const Dim& b) {
  if (a.is_constant() && b.is_constant()) return Dim(std::min(a.constant(), b.constant()));
  if (const auto both = least(pieces_of(a), pieces_of(b))) return size_of(*both);
  if (never_negative(b - a)) return a;
  if (never_negative(a - b)) return b;
  const bool swap = order(b, a) < 0;
  return DimMaker::atom(DimAtom::Kind::Min, swap ? b : a, swap ? a : b, true);
}

Dim max(const Dim& a, const Dim& b) {
  if (a.is_constant() && b.is_constant()) return Dim(std::max(a.constant(), b.constant()));
  if (const auto both = greatest(pieces_of(a), pieces_of(b))) return size_of(*both);
  if (never_negative(b - a)) return b;
  if (never_negative(a - b)) return a;
  const bool swap = order(b, a) < 0;
  return DimMaker::atom(DimAtom::Kind::Max, swap ? b : a, swap ? a : b, true);
}

bool is_spread_of(const Dim& whole, const Dim& part) {
  if (whole == part) return true;
  if (!whole.form() || whole.constant() != 0 || whole.form()->terms.size() != 1) return false;
  const DimTerm& t = whole.form()->terms[0];
  if (t.coefficient != 1 || t.factors.size() != 1) return false;
  const DimAtom& atom = *t.factors[0];
  return atom.kind == DimAtom::Kind::Spread &&
         (is_spread_of(atom.a, part) || is_spread_of(atom.b, part));
}

Dim spread(const Dim& a, const Dim& b) {
  if (b.is(1)) return a;
  if (a.is(1)) return b;
  // Of a number that is not 1 the other is that, or 1; the condition says so.
  if (a.is_constant() || is_spread_of(a, b)) return a;
  if (b.is_constant() || is_spread_of(b, a)) return b;
  return DimMaker::atom(DimAtom::Kind::Spread, a, b);
}

}  // namespace lathe::array
