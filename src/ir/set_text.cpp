// SPDX-License-Identifier: Apache-2.0
// Sets on one line:
//
//   { 0 <= i < n } AND { 0 <= j < n } OR { 0 <= i_dup < n and i_dup % 2 == 0 }
//
// AND binds tighter than OR; a union inside an intersection stands in parentheses.

#include "ir/set_layout.h"

namespace lathe::ir {
namespace {

using Kind = PwAff::Kind;

// Binds at least as tightly as a factor of a product.
std::string factor_text(const PwAff& e) {
  const bool loose = e.kind() == Kind::Sum || e.kind() == Kind::Product ||
                     e.kind() == Kind::FloorDiv || e.kind() == Kind::Mod ||
                     (e.kind() == Kind::Int && e.value() < 0);
  return loose ? "(" + to_text(e) + ")" : to_text(e);
}

// A term without its sign, and whether the sign is minus.
std::string term_text(const PwAff& e, bool* negative) {
  *negative = false;
  if (e.kind() == Kind::Int && e.value() < 0) {
    *negative = true;
    return to_text(e).substr(1);
  }
  if (e.kind() != Kind::Product) return to_text(e);
  std::string text;
  for (const PwAff& f : e.operands()) {
    if (f.is_number()) {
      *negative = f.value() < 0;
      if (f.value() == -1) continue;
      text = std::to_string(f.value());
      if (*negative) text.erase(0, 1);
    } else {
      text += (text.empty() ? "" : "*") + factor_text(f);
    }
  }
  return text;
}

// Positive terms first: `n - i`, not `-i + n`.
std::string sum_text(const PwAff& e) {
  std::string plus, minus, number;
  for (const PwAff& term : e.operands()) {
    bool negative = false;
    const std::string text = term_text(term, &negative);
    if (term.is_number() && plus.empty() && !negative) {
      plus = text;  // the number stands last: nothing else is positive
    } else if (term.is_number()) {
      number = (negative ? " - " : " + ") + text;
    } else if (negative) {
      minus += " - " + text;
    } else {
      plus += (plus.empty() ? "" : " + ") + text;
    }
  }
  std::string all = plus + minus + number;
  if (!plus.empty()) return all;
  all.erase(0, 3);  // " - "
  return "-" + all;
}

std::string list_text(const char* name, const std::vector<PwAff>& list) {
  std::string text = std::string(name) + "(";
  for (const PwAff& e : list) text += (&e == &list[0] ? "" : ", ") + to_text(e);
  return text + ")";
}

const char* spelling(Comparison op) {
  switch (op) {
    case Comparison::Lt: return " < ";
    case Comparison::Le: return " <= ";
    case Comparison::Eq: return " == ";
    case Comparison::Ne: return " != ";
    case Comparison::Ge: return " >= ";
    case Comparison::Gt: return " > ";
  }
  return "";
}

bool is_order(const SetExpr& s) {
  return s.comparison() == Comparison::Lt || s.comparison() == Comparison::Le;
}

// `lo <= v` and `v < hi` become `lo <= v < hi`; the rest stands as it is.
std::string conjunction_text(const std::vector<SetExpr>& parts) {
  std::string text;
  std::vector<bool> used(parts.size(), false);
  for (std::size_t a = 0; a < parts.size(); ++a) {
    if (used[a]) continue;
    if (!text.empty()) text += " and ";
    text += to_text(parts[a].left()) + spelling(parts[a].comparison()) + to_text(parts[a].right());
    if (!is_order(parts[a])) continue;
    for (std::size_t b = a + 1; b < parts.size(); ++b) {
      if (used[b] || !is_order(parts[b]) || !(parts[a].right() == parts[b].left())) continue;
      text += spelling(parts[b].comparison()) + to_text(parts[b].right());
      used[b] = true;
      break;
    }
  }
  return text;
}

}  // namespace

std::string to_text(const PwAff& e) {
  switch (e.kind()) {
    case Kind::Zero: return "0";
    case Kind::Int: return std::to_string(e.value());
    case Kind::Var:
    case Kind::Param:
    case Kind::Read: return e.name();
    case Kind::Sum: return sum_text(e);
    case Kind::Product: {
      bool negative = false;
      const std::string text = term_text(e, &negative);
      return negative ? "-" + text : text;
    }
    case Kind::FloorDiv:
    case Kind::Mod: {
      const PwAff& left = e.operands()[0];
      // `2*i // 3` reads from the left, as it is meant; -(...) does not.
      std::string l = left.kind() == Kind::Product && !left.operands()[0].is_number()
                          ? to_text(left)
                          : factor_text(left);
      return l + (e.kind() == Kind::Mod ? " % " : " // ") + factor_text(e.operands()[1]);
    }
    case Kind::Min: return list_text("min", e.operands());
    case Kind::Max: return list_text("max", e.operands());
  }
  return "";
}

bool is_leaf(const SetExpr& s) {
  if (s.kind() == SetExpr::Kind::Union) return false;
  return s.kind() != SetExpr::Kind::Intersection || branches(s).size() == 1;
}

std::string leaf_text(const SetExpr& leaf) {
  switch (leaf.kind()) {
    case SetExpr::Kind::Empty: return "EMPTY";
    case SetExpr::Kind::Universe: return "UNIVERSE";
    case SetExpr::Kind::Opaque: return "{ where " + leaf.text() + " }";
    case SetExpr::Kind::Compare: return "{ " + conjunction_text({leaf}) + " }";
    case SetExpr::Kind::Intersection:
    case SetExpr::Kind::Union: break;
  }
  return "{ " + conjunction_text(leaf.parts()) + " }";
}

std::vector<SetExpr> branches(const SetExpr& s) {
  if (s.kind() != SetExpr::Kind::Intersection) return s.parts();
  std::vector<SetExpr> comparisons;
  for (const SetExpr& part : s.parts())
    if (part.kind() == SetExpr::Kind::Compare) comparisons.push_back(part);
  const std::vector<SetExpr> found = polygons(SetExpr::intersection(comparisons));
  // Each polygon stands where its first comparison stands.
  std::vector<SetExpr> result;
  std::size_t next = 0;
  for (const SetExpr& part : s.parts()) {
    if (part.kind() != SetExpr::Kind::Compare) {
      result.push_back(part);
    } else if (next < found.size()) {
      const SetExpr& polygon = found[next];
      const SetExpr& first =
          polygon.kind() == SetExpr::Kind::Compare ? polygon : polygon.parts().front();
      if (!(first == part)) continue;
      result.push_back(polygon);
      ++next;
    }
  }
  return result;
}

std::string to_text(const SetExpr& s) {
  if (is_leaf(s)) return leaf_text(s);
  const bool both = s.kind() == SetExpr::Kind::Intersection;
  std::string text;
  for (const SetExpr& part : branches(s)) {
    if (!text.empty()) text += both ? " AND " : " OR ";
    text += both && part.kind() == SetExpr::Kind::Union ? "(" + to_text(part) + ")" : to_text(part);
  }
  return text;
}

}  // namespace lathe::ir
