// SPDX-License-Identifier: Apache-2.0
// Set expressions: construction in normal form, and maps. Printing keeps the comparison as it was
// written ({ i < n }); equality goes by a key made of `right - left >= 0`.

#include <algorithm>
#include <numeric>
#include <set>

#include "base/checked.h"
#include "ir/domain.h"
#include "ir/set_names.h"

namespace lathe::ir {

struct SetExpr::Node {
  Kind kind = Kind::Universe;
  PwAff left = PwAff::zero(), right = PwAff::zero();
  Comparison op = Comparison::Eq;
  std::vector<SetExpr> parts;
  std::string text;                    // Opaque
  std::vector<std::string> variables;  // Opaque
  std::string key;
};

namespace {

// The coefficients' common divisor, leaving out the constant.
std::int64_t content(const PwAff& e) {
  std::int64_t g = 0;
  const auto term = [&](const PwAff& t) {
    if (t.is_number()) return;
    const bool scaled = t.kind() == PwAff::Kind::Product && t.operands()[0].is_number();
    g = std::gcd(g, scaled ? t.operands()[0].value() : 1);
  };
  if (e.kind() == PwAff::Kind::Sum)
    for (const PwAff& t : e.operands()) term(t);
  else
    term(e);
  return g;
}

bool leading_is_negative(const PwAff& e) {
  const PwAff& t = e.kind() == PwAff::Kind::Sum ? e.operands()[0] : e;
  return t.kind() == PwAff::Kind::Product && t.operands()[0].is_number() &&
         t.operands()[0].value() < 0;
}

// `difference >= 0`, `== 0` or `!= 0`, divided by the coefficients' common divisor.
std::string comparison_key(Comparison op, PwAff difference) {
  const bool order = op == Comparison::Le || op == Comparison::Lt;
  if (op == Comparison::Lt) difference = difference - PwAff::integer(1);
  if (const std::int64_t g = content(difference); g > 1) {
    // g*x + c >= 0 is x + floor(c / g) >= 0; equations keep their form unless g divides c too.
    const PwAff d = PwAff::integer(g);
    if (order || mod(difference, d) == PwAff::zero()) difference = floor_div(difference, d);
  }
  if (!order && leading_is_negative(difference)) difference = PwAff::zero() - difference;
  return (order ? ">=" : op == Comparison::Eq ? "==" : "!=") + ("{" + difference.key() + "}");
}

bool holds(std::int64_t a, Comparison op, std::int64_t b) {
  switch (op) {
    case Comparison::Lt: return a < b;
    case Comparison::Le: return a <= b;
    case Comparison::Eq: return a == b;
    case Comparison::Ne: return a != b;
    case Comparison::Ge: return a >= b;
    case Comparison::Gt: return a > b;
  }
  return false;
}

}  // namespace

SetExpr SetExpr::compare(PwAff left, Comparison op, PwAff right) {
  if (op == Comparison::Ge || op == Comparison::Gt) {
    std::swap(left, right);
    op = op == Comparison::Ge ? Comparison::Le : Comparison::Lt;
  }
  const PwAff difference = right - left;
  if (difference.is_number()) return holds(0, op, difference.value()) ? universe() : empty();
  auto node = std::make_shared<Node>();
  node->kind = Kind::Compare;
  node->key = comparison_key(op, difference);
  node->left = std::move(left);
  node->right = std::move(right);
  node->op = op;
  return SetExpr(std::move(node));
}

SetExpr SetExpr::empty() {
  static const SetExpr kEmpty = [] {
    auto node = std::make_shared<Node>();
    node->kind = Kind::Empty;
    node->key = "empty";
    return SetExpr(std::move(node));
  }();
  return kEmpty;
}

SetExpr SetExpr::universe() {
  static const SetExpr kUniverse = [] {
    auto node = std::make_shared<Node>();
    node->key = "universe";
    return SetExpr(std::move(node));
  }();
  return kUniverse;
}

SetExpr SetExpr::opaque(std::string text, std::vector<std::string> variables) {
  auto node = std::make_shared<Node>();
  node->kind = Kind::Opaque;
  node->key = "?{" + text + "}";
  node->text = std::move(text);
  node->variables = std::move(variables);
  return SetExpr(std::move(node));
}

// Intersection and union are each other's mirror: `neutral` parts vanish, one `absorbing` part is
// everything, equal parts count once.
SetExpr SetExpr::join(Kind kind, const std::vector<SetExpr>& given) {
  const bool both = kind == Kind::Intersection;
  const SetExpr neutral = both ? universe() : empty(), absorbing = both ? empty() : universe();
  std::vector<SetExpr> parts;
  std::set<std::string> keys;
  const auto take = [&](const SetExpr& part) {
    if (part.kind() != neutral.kind() && keys.insert(part.key()).second) parts.push_back(part);
  };
  for (const SetExpr& part : given) {
    if (part.kind() == kind)
      for (const SetExpr& inner : part.parts()) take(inner);
    else
      take(part);
  }
  if (keys.count(absorbing.key()) != 0) return absorbing;
  if (parts.empty()) return neutral;
  if (parts.size() == 1) return parts[0];
  auto node = std::make_shared<Node>();
  node->kind = kind;
  node->key = both ? "and(" : "or(";
  for (const std::string& k : keys) node->key += k + ",";
  node->key += ")";
  node->parts = std::move(parts);
  return SetExpr(std::move(node));
}

SetExpr SetExpr::intersection(std::vector<SetExpr> parts) {
  return join(Kind::Intersection, parts);
}
SetExpr SetExpr::unite(std::vector<SetExpr> parts) { return join(Kind::Union, parts); }

SetExpr::Kind SetExpr::kind() const { return node_->kind; }
const PwAff& SetExpr::left() const { return node_->left; }
const PwAff& SetExpr::right() const { return node_->right; }
Comparison SetExpr::comparison() const { return node_->op; }
const std::vector<SetExpr>& SetExpr::parts() const { return node_->parts; }
const std::string& SetExpr::text() const { return node_->text; }
const std::vector<std::string>& SetExpr::opaque_variables() const { return node_->variables; }
const std::string& SetExpr::key() const { return node_->key; }

SetExpr range_set(const std::string& variable, const PwAff& lo, const PwAff& hi) {
  const PwAff v = PwAff::var(variable);
  return SetExpr::intersection(
      {SetExpr::compare(lo, Comparison::Le, v), SetExpr::compare(v, Comparison::Lt, hi)});
}

SetExpr complement(const SetExpr& s) {
  switch (s.kind()) {
    case SetExpr::Kind::Empty: return SetExpr::universe();
    case SetExpr::Kind::Universe: return SetExpr::empty();
    case SetExpr::Kind::Opaque:
      return SetExpr::opaque("not (" + s.text() + ")", s.opaque_variables());
    case SetExpr::Kind::Compare:
      switch (s.comparison()) {
        case Comparison::Lt: return SetExpr::compare(s.right(), Comparison::Le, s.left());
        case Comparison::Le: return SetExpr::compare(s.right(), Comparison::Lt, s.left());
        case Comparison::Eq: return SetExpr::compare(s.left(), Comparison::Ne, s.right());
        case Comparison::Ne: return SetExpr::compare(s.left(), Comparison::Eq, s.right());
        case Comparison::Ge:
        case Comparison::Gt: break;  // never stored
      }
      break;
    case SetExpr::Kind::Intersection:
    case SetExpr::Kind::Union: break;
  }
  std::vector<SetExpr> parts;
  for (const SetExpr& part : s.parts()) parts.push_back(complement(part));
  return s.kind() == SetExpr::Kind::Union ? SetExpr::intersection(std::move(parts))
                                          : SetExpr::unite(std::move(parts));
}

std::optional<bool> SetExpr::contains(const std::map<std::string, std::int64_t>& values) const {
  switch (kind()) {
    case Kind::Empty: return false;
    case Kind::Universe: return true;
    case Kind::Opaque: return std::nullopt;
    case Kind::Compare: {
      const auto a = left().evaluate(values), b = right().evaluate(values);
      if (!a || !b) return std::nullopt;
      return holds(*a, comparison(), *b);
    }
    case Kind::Intersection:
    case Kind::Union: break;
  }
  // One decisive part decides, whatever the unknown ones say.
  const bool decisive = kind() == Kind::Union;
  bool unknown = false;
  for (const SetExpr& part : parts()) {
    const auto inside = part.contains(values);
    if (inside == decisive) return decisive;
    if (!inside) unknown = true;
  }
  if (unknown) return std::nullopt;
  return !decisive;
}

}  // namespace lathe::ir
