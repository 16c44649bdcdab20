// SPDX-License-Identifier: Apache-2.0
// Piecewise-affine expressions, kept as sums of products so that equal ones look equal:
//
//   (i + 1) * 2 - i   ->   i + 2        (2*i + n) // 2  ->  i + n // 2
//   (n + 1) * m       ->   m + m*n      max(n, n - 1)   ->  n
//
// Every operation turns its operands into a Polynomial (monomial -> coefficient) and back.

#include <algorithm>
#include <set>

#include "base/checked.h"
#include "ir/domain.h"

namespace lathe::ir {

struct PwAff::Node {
  Kind kind = Kind::Zero;
  std::string name;
  std::int64_t value = 0;
  std::vector<PwAff> operands;
  std::vector<std::string> variables;  // Read
  std::string key;
  std::size_t size = 1;
};

namespace {

using Monomial = std::vector<PwAff>;  // factors that are neither numbers nor sums, sorted by key

bool by_key(const PwAff& a, const PwAff& b) { return a.key() < b.key(); }

bool monomial_less(const Monomial& a, const Monomial& b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), by_key);
}

struct Polynomial {
  // Sorted; no zero coefficients. Mostly two or three: a list is made quicker than a map.
  std::vector<std::pair<Monomial, std::int64_t>> terms;
  bool overflow = false;

  void add(Monomial m, std::optional<std::int64_t> coefficient) {
    if (!coefficient) {
      overflow = true;
      return;
    }
    const auto at = std::lower_bound(
        terms.begin(), terms.end(), m,
        [](const auto& t, const Monomial& x) { return monomial_less(t.first, x); });
    if (at == terms.end() || monomial_less(m, at->first)) {
      if (*coefficient != 0) terms.insert(at, {std::move(m), *coefficient});
      return;
    }
    if (const auto sum = checked_add(at->second, *coefficient))
      at->second = *sum;
    else
      overflow = true;
    if (at->second == 0) terms.erase(at);
  }
};

// One term of a sum: a number, a factor, or Product(number?, factors...).
void add_term(Polynomial& p, const PwAff& term, std::int64_t scale) {
  std::optional<std::int64_t> coefficient = scale;
  Monomial factors;
  const auto take = [&](const PwAff& f) {
    if (f.kind() == PwAff::Kind::Int || f.kind() == PwAff::Kind::Zero)
      coefficient = checked_mul(coefficient, f.value());
    else
      factors.push_back(f);
  };
  if (term.kind() == PwAff::Kind::Product)
    for (const PwAff& f : term.operands()) take(f);
  else
    take(term);
  p.add(std::move(factors), coefficient);
}

void add_scaled(Polynomial& p, const PwAff& e, std::int64_t scale) {
  if (e.kind() == PwAff::Kind::Sum)
    for (const PwAff& term : e.operands()) add_term(p, term, scale);
  else
    add_term(p, e, scale);
}

Polynomial polynomial(const PwAff& e) {
  Polynomial p;
  add_scaled(p, e, 1);
  return p;
}

}  // namespace

// The only place where nodes are made.
struct PwAff::Maker {
  static PwAff make(Node n) {
    static constexpr const char* kTag[] = {"", "", "0", "", "+", "*", "//", "%", "", "min", "max"};
    std::size_t size = 1;
    std::string key;
    // Names first: keys order by name. The letter after it keeps a variable and a parameter of one
    // name apart.
    if (n.kind == Kind::Var) key = n.name + "'v";
    if (n.kind == Kind::Param) key = n.name + "'p";
    if (n.kind == Kind::Read) key = n.name + "'r";
    if (n.kind == Kind::Int) key = std::to_string(n.value);
    if (key.empty()) key = kTag[static_cast<int>(n.kind)];
    if (!n.operands.empty()) {
      std::string inner = "~(";  // after every name
      for (const PwAff& o : n.operands) {
        inner += o.key();
        inner += ',';
        size += o.size();
      }
      key = inner + ")" + key;
    }
    n.key = std::move(key);
    n.size = size;
    return PwAff(std::make_shared<const Node>(std::move(n)));
  }

  static PwAff unknown(const char* why, std::initializer_list<PwAff> of) {
    std::string text = std::string(why) + "[";
    std::set<std::string> variables;
    for (const PwAff& e : of) {
      if (text.back() != '[') text += ", ";
      text += to_text(e);
      for (const std::string& v : e.variables()) variables.insert(v);
    }
    return PwAff::read(text + "]", {variables.begin(), variables.end()});
  }

  static PwAff nary(Kind kind, std::vector<PwAff> operands) {
    Node n;
    n.kind = kind;
    n.operands = std::move(operands);
    return make(std::move(n));
  }

  static PwAff term(const Monomial& factors, std::int64_t coefficient) {
    if (factors.empty()) return PwAff::integer(coefficient);
    if (factors.size() == 1 && coefficient == 1) return factors[0];
    std::vector<PwAff> operands;
    if (coefficient != 1) operands.push_back(PwAff::integer(coefficient));
    operands.insert(operands.end(), factors.begin(), factors.end());
    return nary(Kind::Product, std::move(operands));
  }

  static PwAff sum(const Polynomial& p) {
    std::vector<PwAff> terms;
    std::optional<PwAff> number;  // last, as people write it
    for (const auto& [factors, coefficient] : p.terms) {
      PwAff t = term(factors, coefficient);
      if (factors.empty())
        number = std::move(t);
      else
        terms.push_back(std::move(t));
    }
    if (number) terms.push_back(*number);
    if (terms.empty()) return PwAff::zero();
    if (terms.size() == 1) return terms[0];
    return nary(Kind::Sum, std::move(terms));
  }

  static PwAff linear(const PwAff& a, const PwAff& b, std::int64_t scale) {
    Polynomial p = polynomial(a);
    add_scaled(p, b, scale);
    return p.overflow ? unknown("overflow", {a, b}) : sum(p);
  }

  static PwAff product(const PwAff& a, const PwAff& b) {
    const Polynomial left = polynomial(a), right = polynomial(b);
    Polynomial p;
    for (const auto& [lf, lc] : left.terms)
      for (const auto& [rf, rc] : right.terms) {
        Monomial factors = lf;
        factors.insert(factors.end(), rf.begin(), rf.end());
        std::sort(factors.begin(), factors.end(), by_key);
        p.add(std::move(factors), checked_mul(lc, rc));
      }
    return p.overflow ? unknown("overflow", {a, b}) : sum(p);
  }

  // a = d * quotient + rest, the rest's coefficients all in 0..d-1.
  static void split(const PwAff& a, std::int64_t d, Polynomial& quotient, Polynomial& rest) {
    for (const auto& [factors, coefficient] : polynomial(a).terms) {
      quotient.add(factors, lathe::floor_div(coefficient, d));
      rest.add(factors, lathe::floor_mod(coefficient, d));
    }
  }

  static PwAff division(const PwAff& a, const PwAff& b, bool want_rest) {
    const Kind kind = want_rest ? Kind::Mod : Kind::FloorDiv;
    if (b.kind() != Kind::Int && b.kind() != Kind::Zero) return nary(kind, {a, b});
    const std::int64_t d = b.value();
    if (d == 0 || d == INT64_MIN) return unknown(want_rest ? "mod" : "div", {a, b});
    if (d < 0) {  // a // -d == -a // d,  a % -d == -(-a % d)
      const PwAff minus_a = PwAff::zero() - a;
      const PwAff r = division(minus_a, PwAff::integer(-d), want_rest);
      return want_rest ? PwAff::zero() - r : r;
    }
    Polynomial quotient, rest;
    split(a, d, quotient, rest);
    const PwAff left = sum(rest);
    if (left.kind() == Kind::Int || left.kind() == Kind::Zero)  // then it is in 0..d-1
      return want_rest ? left : sum(quotient);
    PwAff inner = nary(kind, {left, b});
    return want_rest ? inner : sum(quotient) + inner;
  }

  static PwAff extremum(Kind kind, const PwAff& a, const PwAff& b) {
    std::vector<PwAff> all;
    for (const PwAff* e : {&a, &b}) {
      if (e->kind() == kind)
        all.insert(all.end(), e->operands().begin(), e->operands().end());
      else
        all.push_back(*e);
    }
    // Two operands that differ by a number: one of them is never the answer.
    std::vector<PwAff> kept;
    for (const PwAff& e : all) {
      bool covered = false;
      for (PwAff& k : kept) {
        const PwAff difference = e - k;
        if (difference.kind() != Kind::Int && difference.kind() != Kind::Zero) continue;
        if ((difference.value() < 0) == (kind == Kind::Min)) k = e;
        covered = true;
        break;
      }
      if (!covered) kept.push_back(e);
    }
    std::sort(kept.begin(), kept.end(), by_key);
    return kept.size() == 1 ? kept[0] : nary(kind, std::move(kept));
  }

  static PwAff leaf(Kind kind, std::string name, std::vector<std::string> variables = {}) {
    Node n;
    n.kind = kind;
    n.name = std::move(name);
    n.variables = std::move(variables);
    return make(std::move(n));
  }
};

PwAff PwAff::var(std::string name) { return Maker::leaf(Kind::Var, std::move(name)); }
PwAff PwAff::param(std::string name) { return Maker::leaf(Kind::Param, std::move(name)); }
PwAff PwAff::read(std::string text, std::vector<std::string> variables) {
  return Maker::leaf(Kind::Read, std::move(text), std::move(variables));
}
PwAff PwAff::zero() {
  static const PwAff kZero = Maker::leaf(Kind::Zero, "");
  return kZero;
}
PwAff PwAff::integer(std::int64_t v) {
  if (v == 0) return zero();
  Node n;
  n.kind = Kind::Int;
  n.value = v;
  return Maker::make(std::move(n));
}

PwAff::Kind PwAff::kind() const { return node_->kind; }
const std::string& PwAff::name() const { return node_->name; }
std::int64_t PwAff::value() const { return node_->value; }
const std::vector<PwAff>& PwAff::operands() const { return node_->operands; }
const std::vector<std::string>& PwAff::read_variables() const { return node_->variables; }
const std::string& PwAff::key() const { return node_->key; }
std::size_t PwAff::size() const { return node_->size; }

PwAff operator+(const PwAff& a, const PwAff& b) { return PwAff::Maker::linear(a, b, 1); }
PwAff operator-(const PwAff& a, const PwAff& b) { return PwAff::Maker::linear(a, b, -1); }
PwAff operator*(const PwAff& a, const PwAff& b) { return PwAff::Maker::product(a, b); }
PwAff floor_div(const PwAff& a, const PwAff& b) { return PwAff::Maker::division(a, b, false); }
PwAff mod(const PwAff& a, const PwAff& b) { return PwAff::Maker::division(a, b, true); }
PwAff min(const PwAff& a, const PwAff& b) { return PwAff::Maker::extremum(PwAff::Kind::Min, a, b); }
PwAff max(const PwAff& a, const PwAff& b) { return PwAff::Maker::extremum(PwAff::Kind::Max, a, b); }

}  // namespace lathe::ir
