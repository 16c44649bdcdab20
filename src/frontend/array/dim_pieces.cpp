// SPDX-License-Identifier: Apache-2.0
// Minima and maxima are pulled through sums and through each other:
//
//   c + max(a, b) = max(c + a, c + b)    -max(a, b) = min(-a, -b)
//   min(a, max(b, c)) = max(min(a, b), min(a, c))

#include "frontend/array/dim_pieces.h"

#include <algorithm>

#include "base/checked.h"
#include "frontend/array/dim_order.h"

namespace lathe::array {
namespace {

constexpr std::size_t kMostPieces = 6;     // and as many sums in each
constexpr std::size_t kMostTried = 16;     // before those that are never chosen are left out
constexpr std::uint32_t kMostAtoms = 100;  // to be looked into

bool is_piece(const DimTerm& t) {
  if (t.factors.size() != 1 || t.factors[0]->is_closed) return false;
  return t.factors[0]->kind == DimAtom::Kind::Min || t.factors[0]->kind == DimAtom::Kind::Max;
}

bool at_most(const Dim& a, const Dim& b) { return has_no_negative_sign(b - a); }

// Every sum of b has one of a that is not larger.
bool at_most(const Lower& a, const Lower& b) {
  return std::all_of(b.begin(), b.end(), [&](const Dim& y) {
    return std::any_of(a.begin(), a.end(), [&](const Dim& x) { return at_most(x, y); });
  });
}

bool before(const Dim& a, const Dim& b) { return order(a, b) < 0; }
bool before(const Lower& a, const Lower& b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                      [](const Dim& x, const Dim& y) { return before(x, y); });
}

// What `worse` says of another one of them goes; of two that say so of each other the first stays.
template <class T, class Worse>
std::vector<T> without_worse(const std::vector<T>& all, Worse worse) {
  std::vector<T> out;
  for (const T& x : all) {
    if (std::any_of(out.begin(), out.end(), [&](const T& y) { return worse(x, y); })) continue;
    std::erase_if(out, [&](const T& y) { return worse(y, x); });
    out.push_back(x);
  }
  std::sort(out.begin(), out.end(), [](const T& a, const T& b) { return before(a, b); });
  return out;
}

bool more_than(std::size_t most, const Pieces& all) {
  return all.size() > most ||
         std::any_of(all.begin(), all.end(), [&](const Lower& l) { return l.size() > most; });
}

std::optional<Pieces> pruned(const Pieces& all) {
  if (more_than(kMostTried, all)) return std::nullopt;
  Pieces lowers;
  for (const Lower& l : all)
    lowers.push_back(without_worse(l, [](const Dim& x, const Dim& y) { return at_most(y, x); }));
  lowers = without_worse(lowers, [](const Lower& x, const Lower& y) { return at_most(x, y); });
  if (more_than(kMostPieces, lowers)) return std::nullopt;
  return lowers;
}

std::optional<Pieces> negated(const Pieces& all) {
  std::optional<Pieces> out;
  for (const Lower& l : all) {
    Pieces turned;
    for (const Dim& x : l) turned.push_back({Dim(0) - x});
    out = out ? least(out, turned) : pruned(turned);
    if (!out) return out;
  }
  return out;
}

std::optional<Pieces> sum(const Pieces& a, const Pieces& b) {
  Pieces out;
  for (const Lower& p : a)
    for (const Lower& q : b) {
      Lower& both = out.emplace_back();
      for (const Dim& x : p)
        for (const Dim& y : q) both.push_back(x + y);
    }
  return pruned(out);
}

std::optional<Pieces> pieces_of(const DimTerm& t) {
  const DimAtom& atom = *t.factors[0];
  const auto a = pieces_of(atom.a), b = pieces_of(atom.b);
  const auto both = atom.kind == DimAtom::Kind::Min ? least(a, b) : greatest(a, b);
  if (!both) return both;
  const Dim times(t.coefficient < 0 ? fitting(checked_neg(t.coefficient)) : t.coefficient);
  const auto scaled = times.is(1) ? both : each(*both, [&](const Dim& x) { return x * times; });
  return scaled && t.coefficient < 0 ? negated(*scaled) : scaled;
}

}  // namespace

bool has_pieces(const Dim& d) {
  return d.form() && std::any_of(d.form()->terms.begin(), d.form()->terms.end(), is_piece);
}

std::optional<Pieces> pieces_of(const Dim& d) {
  if (weight_of(d) > kMostAtoms) return std::nullopt;
  if (!has_pieces(d)) return Pieces{{d}};
  std::vector<DimTerm> plain;
  for (const DimTerm& t : d.form()->terms)
    if (!is_piece(t)) plain.push_back(t);
  std::optional<Pieces> out = Pieces{{DimMaker::make(std::move(plain), d.constant())}};
  for (const DimTerm& t : d.form()->terms) {
    if (!is_piece(t)) continue;
    const auto more = out ? pieces_of(t) : std::nullopt;
    out = more ? sum(*out, *more) : std::nullopt;
  }
  return out;
}

std::optional<Pieces> least(const std::optional<Pieces>& a, const std::optional<Pieces>& b) {
  if (!a || !b) return std::nullopt;
  Pieces out;
  for (const Lower& p : *a)
    for (const Lower& q : *b) {
      Lower& both = out.emplace_back(p);
      both.insert(both.end(), q.begin(), q.end());
    }
  return pruned(out);
}

std::optional<Pieces> greatest(const std::optional<Pieces>& a, const std::optional<Pieces>& b) {
  if (!a || !b) return std::nullopt;
  Pieces out = *a;
  out.insert(out.end(), b->begin(), b->end());
  return pruned(out);
}

std::optional<Pieces> each(const Pieces& pieces, FunctionRef<Dim(const Dim&)> f) {
  Pieces out;
  for (const Lower& l : pieces) {
    Lower& made = out.emplace_back();
    for (const Dim& x : l) made.push_back(f(x));
  }
  return pruned(out);
}

Dim size_of(const Pieces& pieces) {
  const auto nested = [](DimAtom::Kind kind, const std::vector<Dim>& all) {
    Dim out = all.back();
    for (std::size_t i = all.size() - 1; i-- > 0;) out = DimMaker::atom(kind, all[i], out);
    return out;
  };
  std::vector<Dim> lowers;
  for (const Lower& l : pieces) lowers.push_back(nested(DimAtom::Kind::Min, l));
  return nested(DimAtom::Kind::Max, lowers);
}

}  // namespace lathe::array
