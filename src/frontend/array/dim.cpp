// SPDX-License-Identifier: Apache-2.0
// Normal forms of sizes: terms sorted by their factors, equal terms joined, zero terms dropped.
// A constant has no form at all, which is the case that must be quick.

#include "frontend/array/dim.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>

#include "base/checked.h"
#include "base/diagnostics.h"
#include "base/hash.h"
#include "frontend/array/dim_order.h"

namespace lathe::array {

SymbolRef size_symbol(const std::string& name) {
  static std::mutex mutex;
  static std::map<std::string, std::weak_ptr<const SizeSymbol>> all;
  const std::lock_guard lock(mutex);
  std::weak_ptr<const SizeSymbol>& entry = all[name];
  if (SymbolRef found = entry.lock()) return found;
  SymbolRef made = std::make_shared<SizeSymbol>(SizeSymbol{name, false, {}, next_serial(), {}});
  entry = made;
  return made;
}

SymbolRef known_symbol(std::int64_t value) {
  return std::make_shared<SizeSymbol>(SizeSymbol{{}, false, value, next_serial(), {}});
}

SymbolRef counted_symbol(std::shared_ptr<const void> source) {
  return std::make_shared<SizeSymbol>(SizeSymbol{{}, true, {}, next_serial(), std::move(source)});
}

std::uint64_t next_serial() {
  static std::atomic<std::uint64_t> serial{0};
  return ++serial;
}

std::int64_t fitting(std::optional<std::int64_t> v) {
  if (!v) throw UserError("a size does not fit 64 bits");
  return *v;
}

int order(const Dim& a, const Dim& b) {
  const DimForm *f = a.form(), *g = b.form();
  if (f != g) {
    if (!f || !g) return f ? 1 : -1;
    for (std::size_t i = 0; i < std::min(f->terms.size(), g->terms.size()); ++i) {
      if (const int c = order(f->terms[i].factors, g->terms[i].factors)) return c;
      if (f->terms[i].coefficient != g->terms[i].coefficient)
        return f->terms[i].coefficient < g->terms[i].coefficient ? -1 : 1;
    }
    if (f->terms.size() != g->terms.size()) return f->terms.size() < g->terms.size() ? -1 : 1;
  }
  return a.constant() == b.constant() ? 0 : a.constant() < b.constant() ? -1 : 1;
}

int order(const AtomRef& a, const AtomRef& b) {
  if (a == b) return 0;
  if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
  if (a->kind == DimAtom::Kind::Symbol) {
    if (const int c = a->symbol->name.compare(b->symbol->name)) return c;
    return a->symbol == b->symbol ? 0 : a->symbol->serial < b->symbol->serial ? -1 : 1;
  }
  if (const int c = order(a->a, b->a)) return c;
  return order(a->b, b->b);
}

// Longer products first: the leading term of a division.
int order(const std::vector<AtomRef>& a, const std::vector<AtomRef>& b) {
  if (a.size() != b.size()) return a.size() > b.size() ? -1 : 1;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (const int c = order(a[i], b[i])) return c;
  return 0;
}

Dim DimMaker::make(std::vector<DimTerm> terms, std::int64_t constant) {
  std::sort(terms.begin(), terms.end(),
            [](const DimTerm& a, const DimTerm& b) { return order(a.factors, b.factors) < 0; });
  std::vector<DimTerm> joined;
  for (DimTerm& t : terms) {
    if (!joined.empty() && order(joined.back().factors, t.factors) == 0)
      joined.back().coefficient = fitting(checked_add(joined.back().coefficient, t.coefficient));
    else
      joined.push_back(std::move(t));
  }
  std::erase_if(joined, [](const DimTerm& t) { return t.coefficient == 0; });
  Dim out(constant);
  if (joined.empty()) return out;
  auto form = std::make_shared<DimForm>();
  std::uint64_t h = 7;
  for (const DimTerm& t : joined) {
    h = hash_combine(h, static_cast<std::uint64_t>(t.coefficient));
    for (const AtomRef& a : t.factors) h = hash_combine(h, a->hash);
  }
  form->terms = std::move(joined);
  form->hash = h;
  out.form_ = std::move(form);
  return out;
}

Dim DimMaker::atom(DimAtom::Kind kind, const Dim& a, const Dim& b, bool is_closed) {
  auto made = std::make_shared<DimAtom>();
  made->kind = kind;
  made->a = a;
  made->b = b;
  made->is_closed = is_closed;
  made->weight = std::min(kHeaviest, 1 + weight_of(a) + weight_of(b));
  made->hash = hash_combine(hash_combine(static_cast<std::uint64_t>(kind) + 1, a.hash()), b.hash());
  return make({{1, {made}}}, 0);
}

std::uint32_t weight_of(const Dim& d) {
  std::uint32_t sum = 0;
  if (!d.form()) return sum;
  for (const DimTerm& t : d.form()->terms)
    for (const AtomRef& a : t.factors) sum = std::min(kHeaviest, sum + a->weight);
  return sum;
}

Dim::Dim(const SymbolRef& symbol) {
  auto made = std::make_shared<DimAtom>();
  made->symbol = symbol;
  made->hash = hash_combine(0, symbol->serial);
  *this = DimMaker::make({{1, {made}}}, 0);
}

SymbolRef Dim::symbol() const {
  if (!form_ || constant_ != 0 || form_->terms.size() != 1) return nullptr;
  const DimTerm& t = form_->terms[0];
  return t.coefficient == 1 && t.factors.size() == 1 ? t.factors[0]->symbol : nullptr;
}

std::uint64_t Dim::hash() const {
  return hash_combine(form_ ? form_->hash : 0, static_cast<std::uint64_t>(constant_));
}

bool operator==(const Dim& a, const Dim& b) {
  if (a.constant_ != b.constant_) return false;
  if (a.form_ == b.form_) return true;
  if (!a.form_ || !b.form_ || a.form_->hash != b.form_->hash) return false;
  return order(a, b) == 0;
}

Dim operator+(const Dim& a, const Dim& b) {
  const std::int64_t c = fitting(checked_add(a.constant_, b.constant_));
  if (!a.form_ && !b.form_) return Dim(c);
  if (!a.form_ || !b.form_) {
    Dim out = a.form_ ? a : b;
    out.constant_ = c;
    return out;
  }
  std::vector<DimTerm> terms = a.form_->terms;
  terms.insert(terms.end(), b.form_->terms.begin(), b.form_->terms.end());
  return DimMaker::make(std::move(terms), c);
}

Dim operator-(const Dim& a, const Dim& b) { return a + b * Dim(-1); }

Dim operator*(const Dim& a, const Dim& b) {
  if (a.is_constant() && b.is_constant())
    return Dim(fitting(checked_mul(a.constant_, b.constant_)));
  if (a.is(1)) return b;
  if (b.is(1)) return a;
  auto parts = [](const Dim& d) {
    std::vector<DimTerm> out;
    if (d.form_) out = d.form_->terms;
    if (d.constant_ != 0) out.push_back({d.constant_, {}});
    return out;
  };
  std::vector<DimTerm> terms;
  std::int64_t constant = 0;
  for (const DimTerm& x : parts(a)) {
    for (const DimTerm& y : parts(b)) {
      DimTerm t{fitting(checked_mul(x.coefficient, y.coefficient)), x.factors};
      t.factors.insert(t.factors.end(), y.factors.begin(), y.factors.end());
      std::sort(t.factors.begin(), t.factors.end(),
                [](const AtomRef& p, const AtomRef& q) { return order(p, q) < 0; });
      if (t.factors.empty())
        constant = fitting(checked_add(constant, t.coefficient));
      else
        terms.push_back(std::move(t));
    }
  }
  return DimMaker::make(std::move(terms), constant);
}

}  // namespace lathe::array
