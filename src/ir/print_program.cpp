// SPDX-License-Identifier: Apache-2.0
// Programs as text, in the style of docs/language.md: declarations in columns, a statement on the
// line of its `for` where it fits, else below it. What the parser would fill in by itself - labels,
// orders, ranges inherited from a branch - is left out.

#include <algorithm>

#include "ir/accumulation_order.h"
#include "ir/labels.h"
#include "ir/program_exprs.h"
#include "ir/recorded_spans.h"
#include "ir/text.h"
#include "ir/text_printer.h"
#include "ir/traverse.h"

namespace lathe::ir {
namespace {

constexpr std::size_t kColumns = 100;
constexpr std::size_t kRoleWidth = 7;  // "output "

// Variables and locals that the items of a body declare, whether or not an expression uses them.
template <class Add>
void declared_names(const Body& body, Add&& add) {
  for (const Item& item : body) {
    std::visit(
        [&](const auto& n) {
          if constexpr (requires { n.range; }) add(n.range.variable);
          if constexpr (requires { n.locals; })
            for (const Local& l : n.locals) add(l.name);
          if constexpr (requires { n.statement; })
            for (const Range& r : n.statement.domain.ranges) add(r.variable);
          if constexpr (requires { n.domain; })
            for (const Range& r : n.domain.ranges) add(r.variable);
        },
        item.node);
    for_each_body(item, [&](const Body& inner) { declared_names(inner, add); });
  }
}

// Names that a let must not take.
std::unordered_set<std::string> names_of(const Program& p) {
  std::unordered_set<std::string> names;
  const auto add = [&](Symbol s) { names.emplace(s.text()); };
  declared_names(p.body, add);
  for (const Parameter& x : p.parameters) add(x.name);
  for (const Array& a : p.arrays) add(a.name);
  for (const Combiner& c : p.combiners) {
    for (const Parameter& x : c.left) add(x.name);
    for (const Parameter& x : c.right) add(x.name);
  }
  std::vector<Expr> roots;
  for (const Array& a : p.arrays)
    for (const Axis& x : a.axes) roots.insert(roots.end(), {x.lo, x.hi});
  for_each_expr(p.body, [&](Expr e) { roots.push_back(e); });
  for (Expr e : post_order(roots)) {
    if (e->op == Op::Reduce)
      for (Symbol v : e->reduce().variables) add(v);
    if (e->name) add(e->name);
  }
  return names;
}

class ProgramPrinter {
 public:
  ProgramPrinter(const Program& p, const PrintOptions& options)
      : p_(p), options_(options), exprs_(names_of(p)) {
    // Labels by item, so that a single item prints as it does within the program.
    const std::vector<std::string> labels = default_labels(p.body);
    std::size_t k = 0;
    for_each_label(p.body, [&](std::string_view, const Symbol& label, bool) {
      defaults_[&label] = labels[k++];
    });
  }

  std::string program() {
    out_ = "program " + std::string(p_.name.text()) + "(" +
           join_text(p_.parameters,
                     [](const Parameter& x) {
                       return std::string(x.name.text()) + ": " +
                              (x.is_size ? "size" : std::string(name(x.dtype)));
                     }) +
           ")\n";
    indent_ = 1;
    for (const Array& a : p_.arrays) array(a);
    for (const Combiner& c : p_.combiners) combiner(c);
    if (!p_.body.empty() && (!p_.arrays.empty() || !p_.combiners.empty())) out_ += "\n";
    body(p_.body);
    return std::move(out_);
  }

  std::string one(const Item& i) {
    out_.clear();
    item(i);
    return std::move(out_);
  }

  std::string one(const Statement& s) {
    statement_item(s);
    return std::move(out_);
  }

 private:
  void line(const std::string& text, Span where = {}) {
    out_.append(2 * indent_, ' ');
    out_ += text;
    if (options_.spans && where.known() && p_.sources)
      out_ += "  # @" + recorded_span(*p_.sources, where);
    out_ += "\n";
  }

  std::string text(Expr e, ConstStyle style = ConstStyle::Default) const {
    return exprs_.inline_text({e, style});
  }

  // Declarations.

  void array(const Array& a) {
    std::string role(name(a.role));
    role.resize(kRoleWidth, ' ');
    std::string out = role + std::string(a.name.text()) + ": " + std::string(name(a.dtype));
    if (!a.axes.empty())
      out += "[" +
             join_text(a.axes,
                       [&](const Axis& x) {
                         const bool from_zero = is_const(x.lo) && x.lo->dtype == DType::I64 &&
                                                x.lo->scalar().is_zero();
                         return std::string(x.name.text()) + ": " +
                                (from_zero ? text(x.hi) : text(x.lo) + ".." + text(x.hi));
                       }) +
             "]";
    if (a.role == Role::Const) out += " = " + table_text(a.axes, a.values);
    if (a.extended) out += " extended";
    if (!a.extended_axes.empty())
      out += " " + join_text(a.extended_axes, [](Symbol axis) { return std::string(axis.text()); });
    line(out, a.span);
  }

  void combiner(const Combiner& c) {
    const auto operand = [](const Parameter& x) {
      return std::string(x.name.text()) + ": " + std::string(name(x.dtype));
    };
    line("combiner " + std::string(c.name.text()) + "(" + join_text(c.left, operand) + "; " +
             join_text(c.right, operand) + ") = (" +
             join_text(c.result, [&](Expr e) { return text(e, ConstStyle::Known); }) +
             ") neutral (" + join_text(c.neutral, [](const Scalar& s) { return to_text(s); }) + ")",
         c.span);
  }

  // Items.

  std::string label(const Symbol& label) const {
    const auto usual = defaults_.find(&label);
    const bool differs = usual == defaults_.end() || usual->second != label.text();
    return label && (differs || options_.labels) ? std::string(label.text()) + ": " : "";
  }

  std::string range(const Range& r) const {
    return std::string(r.variable.text()) + " in " + text(r.lo) + ".." + text(r.hi);
  }

  std::string ranges(const Domain& d) const {
    return join_text(d.ranges, [&](const Range& r) { return range(r); });
  }

  // "for i in 0..n where g", or nothing for what an item has anyway.
  std::string domain(const Domain& d) const {
    const bool inherits = inherited_ ? d.ranges == *inherited_ : d.ranges.empty();
    if (inherits && !d.guard) return {};
    if (d.ranges.empty()) return {};
    return "for " + ranges(d) + (d.guard ? " where " + text(d.guard) : "");
  }

  void body(const Body& items) {
    for (const Item& i : items) item(i);
  }

  void block(const Body& items) {
    ++indent_;
    body(items);
    --indent_;
  }

  void item(const Item& i) {
    std::visit([&](const auto& n) { print_item(n); }, i.node);
  }

  void print_item(const Statement& s) { statement_item(s); }

  // One line of a `for`, or a statement of its own: lets, then the assignment.
  void assignment_lines(const Statement& s, const std::string& before) {
    const auto [lets, assignment] = assignment_text(s);
    for (const std::string& let : lets) line(let);
    line(before + assignment, s.span);
  }

  void statement_item(const Statement& s) {
    const std::string head = domain(s.domain);
    const std::string name = label(s.label);
    if (head.empty()) {
      const std::string guard = s.domain.guard ? "where " + text(s.domain.guard) + ": " : "";
      return assignment_lines(s, name + guard);
    }
    for_statement(s, name + head + ":");
  }

  // On one line where it fits.
  void for_statement(const Statement& s, const std::string& head, Expr guard = nullptr) {
    const auto [lets, assigned] = assignment_text(s);
    const std::string assignment = (guard ? "where " + text(guard) + ": " : "") + assigned;
    if (lets.empty() && 2 * indent_ + head.size() + 1 + assignment.size() <= kColumns)
      return line(head + " " + assignment, s.span);
    line(head, s.span);
    ++indent_;
    for (const std::string& let : lets) line(let);
    line(assignment);
    --indent_;
  }

  void print_item(const Scan& n) {
    // The guard stands in the line, where the variable of the scan is known too.
    const std::string head = domain({n.statement.domain.ranges, nullptr});
    const std::string scan = "scan " + range(n.range) + (n.exclusive ? " exclusive" : "") + ":";
    in_scan_ = &n;
    for_statement(n.statement, label(n.statement.label) + (head.empty() ? "" : head + " ") + scan,
                  n.statement.domain.guard);
    in_scan_ = nullptr;
  }

  void print_item(const Group& g) {
    line(label(g.label) + "for " + ranges(g.domain) +
             (g.domain.guard ? " where " + text(g.domain.guard) : "") + ":",
         g.span);
    ++indent_;
    for (const Local& l : g.locals)
      line("local " + std::string(l.name.text()) + ": " + std::string(name(l.dtype)));
    group_ = &g;
    for (const Statement& s : g.statements)
      assignment_lines(
          s, label(s.label) + (s.domain.guard ? "where " + text(s.domain.guard) + ": " : ""));
    group_ = nullptr;
    --indent_;
  }

  void conditional(const Symbol& name, const Domain& d, const std::string& word, Expr condition,
                   const Body& yes, const Body* no, Span span) {
    const std::string head = domain(d);
    line(label(name) + (head.empty() ? "" : head + " ") + word + " " + text(condition) + ":", span);
    const std::vector<Range>* const around = std::exchange(inherited_, &d.ranges);
    block(yes);
    if (no && !no->empty()) {
      line("else:");
      block(*no);
    }
    inherited_ = around;
  }

  void print_item(const Branch& b) {
    conditional(b.label, b.domain, "if", b.condition, b.then_body, &b.else_body, b.span);
  }
  void print_item(const While& w) {
    conditional(w.label, w.domain, "while", w.condition, w.body, nullptr, w.span);
  }

  void print_item(const Sweep& s) {
    line(label(s.label) + (s.forward ? "forward " : "backward ") + range(s.range) + ":", s.span);
    block(s.body);
  }

  void print_item(const When& w) {
    line(label(w.label) + "when " + text(w.condition) + ":", w.span);
    block(w.then_body);
    if (w.else_body.empty()) return;
    line("else:");
    block(w.else_body);
  }

  void print_item(const Repeat& r) {
    const auto array = [](Symbol s) { return std::string(s.text()); };
    line(label(r.label) + "repeat " + range(r.range) +
             (r.rotate.empty() ? "" : " rotate " + join_text(r.rotate, array)) +
             (r.capped ? " capped " + array(r.capped) : "") +
             (r.until ? " until " + text(r.until) : "") + ":",
         r.span);
    block(r.body);
  }

  void print_item(const Call& c) {
    const auto array = [](Symbol s) { return std::string(s.text()); };
    line(label(c.label) + "call " + std::string(c.function.text()) + "(" +
             join_text(c.inputs, array) + ") -> " + join_text(c.outputs, array),
         c.span);
  }

  // Assignments.

  std::string how(const Statement& s) const {
    const Accumulation& a = *s.accumulate;
    if (in_scan_) {
      const bool usual = a.combiner || a.dtype == accumulator_of(s);
      if (usual) return in_scan_->blocked ? "[blocked] " : "";
      return "[" + std::string(in_scan_->blocked ? "blocked" : "seq") + ", " +
             std::string(name(a.dtype)) + "] ";
    }
    const std::vector<Range>& over = group_ ? group_->domain.ranges : s.domain.ranges;
    const bool usual_dtype = a.combiner || a.dtype == accumulator_of(s);
    if (usual_dtype && a.order == default_order(s, over)) return "";
    return "[" + std::string(name(a.order)) +
           (a.combiner ? "" : ", " + std::string(name(a.dtype))) + "] ";
  }

  static DType accumulator_of(const Statement& s) {
    return s.values.empty() ? DType::F64 : default_accumulator(s.values[0]->dtype);
  }

  struct Assignment {
    std::vector<std::string> lets;
    std::string text;
  };

  Assignment assignment_text(const Statement& s) const {
    std::vector<Root> roots;
    for (const Target& t : s.targets)
      for (Expr e : t.indices) roots.push_back({e, ConstStyle::Default});
    for (Expr e : s.values) roots.push_back({e, ConstStyle::Known});
    ExprPrinter::Text printed = exprs_.print(roots);
    auto next = printed.roots.begin();
    const std::string targets = join_text(s.targets, [&](const Target& t) {
      std::string out(t.array.text());
      if (t.indices.empty()) return out;
      return out + "[" + join_text(t.indices, [&](Expr) { return *next++; }) + "]";
    });
    const std::string values = join_text(s.values, [&](Expr) { return *next++; });
    return {std::move(printed.lets),
            s.accumulate ? accumulating(s, targets, values) : targets + " = " + values};
  }

  std::string accumulating(const Statement& s, const std::string& targets,
                           const std::string& values) const {
    const Accumulation& a = *s.accumulate;
    const std::string fresh = a.fresh ? "fresh " : "";
    if (a.combiner)
      return fresh + "(" + targets + ") " + std::string(a.combiner.text()) + "= " + how(s) + "(" +
             values + ")";
    if (a.op == Op::Fma) return fresh + targets + " contract= " + how(s) + values;
    const OpInfo& i = info(a.op);
    return fresh + targets + " " + std::string(i.spelling) + "= " + how(s) + values;
  }

  const Program& p_;
  PrintOptions options_;
  ExprPrinter exprs_;
  std::unordered_map<const Symbol*, std::string> defaults_;
  std::string out_;
  std::size_t indent_ = 0;
  const std::vector<Range>* inherited_ = nullptr;
  const Group* group_ = nullptr;
  const Scan* in_scan_ = nullptr;
};

std::string without_last_newline(std::string text) {
  if (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace

std::string print(const Program& program, const PrintOptions& options) {
  return ProgramPrinter(program, options).program();
}

std::string print(const Program& program, const Item& item) {
  return without_last_newline(ProgramPrinter(program, {}).one(item));
}

std::vector<std::string> print_items(const Program& program) {
  ProgramPrinter printer(program, {});
  std::vector<std::string> texts;
  for (const Item& item : program.body) texts.push_back(without_last_newline(printer.one(item)));
  return texts;
}

std::string print(const Program& program, const Statement& statement) {
  return without_last_newline(ProgramPrinter(program, {}).one(statement));
}

}  // namespace lathe::ir
