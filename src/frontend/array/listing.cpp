// SPDX-License-Identifier: Apache-2.0
// Document 003's listings and trees. pin() is what the specification makes of it: one scalar for
// each index tuple of use, in the outermost loop that binds its variables, so that nothing is read
// before it is set, whichever loop is outside.
//
//   for i
//     <> k_i = i  {id=k_i}
//     for j
//       <> k_j = j  {id=k_j}
//       c[i, j] = sin(k_i) * cos(k_j)  {dep=k_i:k_j}
//     end
//   end

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "frontend/array/lower.h"
#include "frontend/array/print.h"
#include "ir/domain.h"
#include "ir/text.h"

namespace lathe::array {
namespace {

constexpr std::uint32_t kDeepestListed = 60;  // expressions nested deeper are cut off
constexpr std::size_t kLongestListed = 2000;  // operations of one expression, written out

int precedence(const ir::Expr e) {
  switch (e->op) {
    case ir::Op::Add:
    case ir::Op::Sub: return 1;
    case ir::Op::Mul:
    case ir::Op::Div:
    case ir::Op::FloorDiv:
    case ir::Op::Mod: return 2;
    case ir::Op::Neg: return 3;
    case ir::Op::Pow: return 4;
    default: return ir::info(e->op).form == ir::Form::Infix ? 0 : 5;
  }
}

class ListingText {
 public:
  std::map<std::string, std::string> renamed;  // variables
  std::map<ir::Expr, std::string> scalars;     // pinned elements
  std::set<std::string> used;                  // ids that were read
  std::size_t written = 0;                     // operations

  std::string text(ir::Expr e, std::uint32_t depth = 0) {
    if (depth > kDeepestListed || ++written > kLongestListed) return "...";
    const auto scalar = scalars.find(e);
    if (scalar != scalars.end()) {
      used.insert(scalar->second);
      return scalar->second;
    }
    auto argument = [&](std::size_t i) { return text(e->arg(i), depth + 1); };
    switch (e->op) {
      case ir::Op::Const: return ir::to_text(e->scalar());
      case ir::Op::Index: return variable(e);
      case ir::Op::Param: return std::string(e->name.text());
      case ir::Op::Cast: return argument(0);  // dtypes are not what a listing shows
      case ir::Op::Read: {
        const ir::view::Read r(e);
        const std::string name(e->name.text());
        used.insert(name);
        std::string out;
        for (const ir::Expr i : r.indices) out += (out.empty() ? "" : ", ") + text(i, depth + 1);
        return out.empty() ? name : name + "[" + out + "]";
      }
      case ir::Op::Reduce: return reduce_text(e, depth);
      default: break;
    }
    const ir::OpInfo& info = ir::info(e->op);
    if (info.form == ir::Form::Infix) {
      auto side = [&](std::size_t i) {
        const bool group = precedence(e->arg(i)) < precedence(e) + (i == 1 ? 1 : 0);
        return group ? "(" + argument(i) + ")" : argument(i);
      };
      const std::string left = side(0), right = side(1);
      return left + " " + std::string(info.spelling) + " " + right;
    }
    if (info.form == ir::Form::Prefix) return std::string(info.spelling) + argument(0);
    std::string out;
    for (std::size_t i = 0; i < e->arg_count; ++i) out += (i ? ", " : "") + argument(i);
    return std::string(info.spelling) + "(" + out + ")";
  }

 private:
  std::string variable(ir::Expr e) const {
    const std::string name(e->name.text());
    const auto at = renamed.find(name);
    return at == renamed.end() ? name : at->second;
  }

  std::string reduce_text(ir::Expr e, std::uint32_t depth) {
    const ir::view::Reduce r(e);
    std::string variables, body;
    for (const ir::Symbol v : r.info.variables)
      variables += (variables.empty() ? "" : ", ") + std::string(v.text());
    for (const ir::Expr f : r.values) {
      const bool group = r.values.size() > 1 && precedence(f) < 2;
      body += (body.empty() ? "" : " * ") +
              (group ? "(" + text(f, depth + 1) + ")" : text(f, depth + 1));
    }
    std::string name(ir::info(r.info.op).spelling);
    if (r.info.op == ir::Op::Add || r.info.op == ir::Op::Fma) name = "sum";
    if (r.info.op == ir::Op::Mul) name = "product";
    if (r.info.op == ir::Op::And) name = "all";
    if (r.info.op == ir::Op::Or) name = "any";
    return name + "([" + variables + "], " + body + ")";
  }
};

std::string joined(const std::vector<std::string>& parts, const char* between) {
  std::string out;
  for (const std::string& p : parts) out += (out.empty() ? "" : between) + p;
  return out;
}

// A scalar of a pinned array: its name, its line, and how many loops it stands in.
struct ScalarLine {
  std::string name, line;
  std::size_t level = 0;
};

using Pinned = std::vector<const Lowered::PinnedElement*>;

// The elements of pinned arrays that a statement reads, what they read before themselves.
Pinned pinned_of(const ir::Statement& s, const Lowered& lowered) {
  Pinned out;
  std::vector<ir::Expr> todo{s.values[0]};
  std::set<ir::Expr> seen;
  while (!todo.empty()) {
    const ir::Expr e = todo.back();
    todo.pop_back();
    if (!seen.insert(e).second) continue;
    for (std::size_t i = e->arg_count; i-- > 0;) todo.push_back(e->arg(i));
    for (const Lowered::PinnedElement& p : lowered.pinned) {
      if (p.read != e || std::find(out.begin(), out.end(), &p) != out.end()) continue;
      out.push_back(&p);
      todo.push_back(p.value);
    }
  }
  std::reverse(out.begin(), out.end());
  return out;
}

// Is it read at an index that a loop of the statement does not bind, but a sum inside?
bool is_read_in_a_sum(const Pinned& pinned, const ir::Statement& s) {
  std::set<ir::Symbol> bound;
  for (const ir::Range& r : s.domain.ranges) bound.insert(r.variable);
  std::vector<ir::Expr> todo;
  for (const auto* p : pinned)
    for (std::size_t i = 0; i < p->read->arg_count; ++i) todo.push_back(p->read->arg(i));
  while (!todo.empty()) {
    const ir::Expr e = todo.back();
    todo.pop_back();
    if (e->op == ir::Op::Index && !bound.count(e->name)) return true;
    for (std::size_t i = 0; i < e->arg_count; ++i) todo.push_back(e->arg(i));
  }
  return false;
}

// Nothing: this form cannot show it.
std::optional<std::string> statement_text(const ir::Statement& s, const Lowered& lowered,
                                          bool is_result, const std::set<std::string>& stored) {
  const Pinned pinned = pinned_of(s, lowered);
  if (is_read_in_a_sum(pinned, s)) return std::nullopt;
  ListingText out;
  std::vector<std::string> variables;
  for (const ir::Range& r : s.domain.ranges) {
    const std::string name(r.variable.text());
    out.renamed[name] = is_result ? name : name + "_dup";
    variables.push_back(out.renamed[name]);
  }
  std::vector<ScalarLine> scalars;
  for (const Lowered::PinnedElement* p : pinned) {
    ScalarLine line;
    std::vector<std::string> tuple;
    const ir::view::Read r(p->read);
    for (const ir::Expr i : r.indices) {
      std::string part = out.text(i);
      for (char& c : part)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
      tuple.push_back(part);
      for (std::size_t v = 0; v < variables.size(); ++v)
        if (i->op == ir::Op::Index ? part == variables[v] : part.find(variables[v]) != part.npos)
          line.level = std::max(line.level, v + 1);
    }
    line.name = std::string(p->read->name.text()) + "_" + joined(tuple, "_");
    line.line = "<> " + line.name + " = " + out.text(p->value) + "  {id=" + line.name + "}";
    out.scalars[p->read] = line.name;
    scalars.push_back(std::move(line));
  }
  std::stable_sort(scalars.begin(), scalars.end(),
                   [](const ScalarLine& a, const ScalarLine& b) { return a.level < b.level; });
  out.used.clear();
  const ir::Target& t = s.targets[0];
  const std::string target(t.array.text());
  std::string left;
  for (const ir::Expr i : t.indices) left += (left.empty() ? "" : ", ") + out.text(i);
  left = left.empty() ? target : target + "[" + left + "]";
  std::string line = (is_result ? "" : "<> ") + left + " = " + out.text(s.values[0]);
  if (out.written > kLongestListed) return std::nullopt;
  std::vector<std::string> needs;
  for (const ScalarLine& l : scalars)
    if (out.used.count(l.name)) needs.push_back(l.name);
  for (const std::string& name : stored)
    if (out.used.count(name) && name != target) needs.push_back(name);
  if (!is_result) line += "  {id=" + target + "}";
  if (!needs.empty()) line += "  {dep=" + joined(needs, ":") + "}";
  if (scalars.empty() && variables.empty()) return line + "\n";
  if (scalars.empty()) return "for " + joined(variables, ", ") + "\n  " + line + "\nend\n";
  std::string text, indent;
  for (std::size_t v = 0; v <= variables.size(); ++v) {
    for (const ScalarLine& l : scalars)
      if (l.level == v) text += indent + l.line + "\n";
    if (v == variables.size()) break;
    text += indent + "for " + variables[v] + "\n";
    indent += "  ";
  }
  text += indent + line + "\n";
  for (std::size_t v = variables.size(); v-- > 0;) text += std::string(2 * v, ' ') + "end\n";
  return text;
}

Lowered lowered_for_listing(const NodeRef& array, bool keep_pins = true) {
  LowerOptions options;
  options.storing = Storing::PinsOnly;
  options.output_names = {"c"};
  options.stored_stem = "k";
  options.keep_pins = keep_pins;
  // Where a mask is set is found by a launch of its own, before: data to this one.
  for (const Node* n : in_order({array}))
    if (n->kind == Kind::Positions) options.leaves.insert(n);
  return to_program({array}, Sizes(), options);
}

// Scans and calls are no statements of document 003's, and what users called k or c is told apart
// by programs alone.
bool is_listable(const Lowered& lowered) {
  std::set<std::string> names{"c"};
  for (const Decision& d : lowered.decisions) names.insert(d.array);
  for (const Lowered::PinnedElement& p : lowered.pinned)
    if (p.value != p.read) names.insert(std::string(p.read->name.text()));
  const auto is_taken = [&](const auto& given) { return names.count(given.first) > 0; };
  if (std::any_of(lowered.inputs.begin(), lowered.inputs.end(), is_taken) ||
      std::any_of(lowered.scalars.begin(), lowered.scalars.end(), is_taken) ||
      std::any_of(lowered.sizes.begin(), lowered.sizes.end(), is_taken))
    return false;
  return std::all_of(lowered.program.body.begin(), lowered.program.body.end(),
                     [](const ir::Item& item) {
                       const auto* s = std::get_if<ir::Statement>(&item.node);
                       return s && !s->accumulate && s->targets.size() == 1;
                     });
}

}  // namespace

std::string listing(const NodeRef& array) {
  const auto as_program = [&] { return ir::print(lowered_for_listing(array, false).program); };
  // A name of the user's that a pinned array has, too, is none of a program's.
  for (const Node* n : in_order({array}))
    if (n->kind == Kind::Input && (n->text == "c" || n->text == "k")) return as_program();
  const Lowered lowered = lowered_for_listing(array);
  if (!is_listable(lowered)) return as_program();
  std::set<std::string> stored;
  for (const Decision& d : lowered.decisions)
    if (d.array != "c") stored.insert(d.array);
  std::string out;
  for (const ir::Item& item : lowered.program.body) {
    const auto& s = std::get<ir::Statement>(item.node);
    const auto text = statement_text(s, lowered, s.targets[0].array.text() == "c", stored);
    if (!text) return as_program();
    out += (out.empty() ? "" : "\n") + *text;
  }
  return out;
}

std::string domain_tree(const NodeRef& array) {
  const Lowered lowered = lowered_for_listing(array);
  std::vector<ir::SetExpr> parts;
  std::vector<std::string> taken;
  ir::for_each_statement(lowered.program.body, [&](const ir::Statement& s) {
    parts.push_back(ir::to_set(s.domain, &lowered.program));
  });
  std::reverse(parts.begin(), parts.end());  // the array itself first
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) parts[i] = parts[i].duplicate(taken);
    for (const std::string& v : parts[i].variables()) taken.push_back(v);
  }
  return ir::to_tree(ir::SetExpr::unite(parts)) + "\n";
}

}  // namespace lathe::array
