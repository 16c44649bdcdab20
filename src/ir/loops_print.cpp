// SPDX-License-Identifier: Apache-2.0
// Kernels as text. Expressions are written as in programs, each by itself, with the `let ... in`
// that it needs:
//
//   For{Vector, j, 1, m-1, width 8, {Store{lap, {i, j}, ...}}}
//   ->  vector j in 1..m-1 by 8:
//         lap[i, j] = u[i, j-1] + u[i, j+1]

#include "ir/loops_text.h"
#include "ir/recorded_spans.h"
#include "ir/text_printer.h"
#include "ir/traverse.h"

namespace lathe::loops {
namespace {

using ir::ConstStyle;
using ir::ExprPrinter;
using ir::join_text;
using ir::Policy;

constexpr std::size_t kHeadColumns = 120;

std::string text_of(Symbol s) { return std::string(s.text()); }

// Names that the lets inside of expressions must not take.
std::unordered_set<std::string> names_of(const Kernel& k) {
  std::unordered_set<std::string> names;
  const auto add = [&](Symbol s) { names.emplace(s.text()); };
  std::vector<Expr> roots;
  for (const ir::Parameter& p : k.parameters) add(p.name);
  for (const Buffer& b : k.buffers) {
    add(b.name);
    for (const Axis& a : b.axes) roots.insert(roots.end(), {a.lo, a.hi});
  }
  for_each_stmt(k.body, [&](const Stmt& s) {
    std::visit(
        [&](const auto& n) {
          if constexpr (requires { n.name; }) add(n.name);
          if constexpr (requires { n.variable; }) add(n.variable);
          if constexpr (requires { n.buffer.name; }) add(n.buffer.name);
        },
        s.node);
    for_each_expr(s, [&](Expr e) { roots.push_back(e); });
  });
  std::erase(roots, nullptr);
  for (Expr e : ir::post_order(roots))
    if (e->name) add(e->name);
  return names;
}

// One line for each statement, without its bodies.
class Heads {
 public:
  explicit Heads(std::unordered_set<std::string> taken)
      : exprs_(std::move(taken), Policy::Trusted) {}

  std::string text(Expr e, ConstStyle style = ConstStyle::Default) const {
    return e ? exprs_.inline_text({e, style}) : "?";  // refused by the verifier
  }

  std::string buffer(const Buffer& b) const {
    std::string out =
        std::string(name(b.space)) + " " + text_of(b.name) + ": " + std::string(ir::name(b.dtype));
    if (!b.axes.empty())
      out += "[" +
             join_text(b.axes, [&](const Axis& a) { return text(a.lo) + ".." + text(a.hi); }) + "]";
    if (b.space == Space::Table) out += " = " + ir::table_text(b.axes, b.values);
    if (b.space == Space::Argument)
      out += " " + std::string(ir::name(b.role)) + (b.unit ? " unit" : "");
    if (!b.layout.empty())
      out += " layout " + join_text(b.layout, [](std::size_t x) { return std::to_string(x); });
    return out;
  }

  std::string operator()(const For& f) const {
    std::string out = f.kind == Kind::Serial     ? "for "
                      : f.kind == Kind::Parallel ? "parallel "
                                                 : "vector ";
    out += text_of(f.variable) + " in " + text(f.lo) + ".." + text(f.hi);
    if (f.kind == Kind::Vector) return out + " by " + std::to_string(f.width) + ":";
    if (f.step != 1) out += " step " + std::to_string(f.step);
    if (f.kind == Kind::Serial && f.down) out += " down";
    if (f.kind == Kind::Parallel && f.grain != 1) out += " grain " + std::to_string(f.grain);
    return out + ":";
  }
  std::string operator()(const If& s) const { return "if " + text(s.condition) + ":"; }
  std::string operator()(const Let& s) const {
    return "let " + text_of(s.name) + " = " + text(s.value);
  }
  std::string operator()(const Var& s) const {
    return "var " + text_of(s.name) + ": " +
           std::string(s.initial ? ir::name(s.initial->dtype) : "?") + " = " +
           text(s.initial, ConstStyle::Known);
  }
  std::string operator()(const Assign& s) const {
    return text_of(s.name) + " = " + text(s.value, ConstStyle::Known);
  }
  std::string operator()(const Store& s) const {
    return (s.stream ? "stream " : "") + element(s.buffer, s.indices) + " = " +
           text(s.value, ConstStyle::Known);
  }
  std::string operator()(const Alloc& s) const {
    const Space space = s.buffer.space;
    const bool declarable =
        space == Space::Argument || space == Space::Table || space == Space::Scratch;
    return (declarable ? "allocate " : "") + buffer(s.buffer);
  }
  std::string operator()(const VectorLoad& s) const {
    return "load " + text_of(s.name) + " = " + element(s.from, s.indices) + " width " +
           std::to_string(s.width);
  }
  std::string operator()(const Prefetch& s) const {
    return "prefetch " + element(s.buffer, s.indices);
  }
  std::string operator()(const Break& s) const { return "break if " + text(s.condition); }
  std::string operator()(const Fault& s) const {
    const std::string head = "fault " + std::to_string(s.site);
    if (s.values.empty()) return head;
    return head + " (" + join_text(s.values, [&](Expr e) { return text(e); }) + ")";
  }
  std::string operator()(const Rotate& s) const {
    return "rotate " + join_text(s.buffers, text_of);
  }
  std::string operator()(const Call& s) const {
    return (s.label ? text_of(s.label) + ": " : "") + "call " + text_of(s.function) + "(" +
           join_text(s.inputs, text_of) + ") -> " + join_text(s.outputs, text_of);
  }
  std::string operator()(const Comment& s) const { return s.text.empty() ? "#" : "# " + s.text; }

 private:
  std::string element(Symbol buffer, const std::vector<Expr>& indices) const {
    if (indices.empty()) return text_of(buffer);
    return text_of(buffer) + "[" + join_text(indices, [&](Expr e) { return text(e); }) + "]";
  }

  ExprPrinter exprs_;
};

class KernelPrinter {
 public:
  KernelPrinter(const Kernel& k, const TextOptions& options)
      : k_(k), options_(options), heads_(names_of(k)) {}

  std::string kernel() {
    const auto parameter = [](const ir::Parameter& p) {
      return text_of(p.name) + ": " + (p.is_size ? "size" : std::string(ir::name(p.dtype)));
    };
    line(0, "kernel " + text_of(k_.name) + "(" + join_text(k_.parameters, parameter) + ")");
    for (const Buffer& b : k_.buffers) line(1, heads_.buffer(b));
    for (std::size_t i = 0; i < k_.sites.size(); ++i) line(1, site(i));
    if (!k_.body.empty() && (!k_.buffers.empty() || !k_.sites.empty())) out_ += "\n";
    body(k_.body, 1);
    return std::move(out_);
  }

 private:
  void line(std::size_t indent, const std::string& text) {
    out_.append(2 * indent, ' ');
    out_ += text;
    out_ += "\n";
  }

  std::string site(std::size_t number) const {
    const Site& s = k_.sites[number];
    std::string out = "site " + std::to_string(number) + ": " + std::string(name(s.kind));
    if (s.writes) out += " write";
    if (s.trusted) out += " trusted";
    if (s.array) out += " of " + text_of(s.array);
    if (s.buffer) out += " at " + text_of(s.buffer);
    if (s.label) out += " in " + text_of(s.label);
    if (!s.variables.empty()) out += " (" + join_text(s.variables, text_of) + ")";
    if (!s.operation.empty()) out += "  # " + s.operation;
    if (options_.spans && s.span.known() && k_.sources)
      out += "  # @" + ir::recorded_span(*k_.sources, s.span);
    return out;
  }

  void body(const Body& statements, std::size_t indent) {
    for (const Stmt& s : statements) {
      line(indent, std::visit(heads_, s.node));
      if (const auto* f = std::get_if<For>(&s.node)) body(f->body, indent + 1);
      if (const auto* c = std::get_if<If>(&s.node)) {
        body(c->then_body, indent + 1);
        if (c->else_body.empty()) continue;
        line(indent, "else:");
        body(c->else_body, indent + 1);
      }
    }
  }

  const Kernel& k_;
  TextOptions options_;
  Heads heads_;
  std::string out_;
};

}  // namespace

std::string to_text(const Kernel& kernel, const TextOptions& options) {
  return KernelPrinter(kernel, options).kernel();
}

std::string head_text(const Stmt& statement) {
  std::string text = std::visit(Heads({}), statement.node);
  if (text.size() > kHeadColumns) text = text.substr(0, kHeadColumns - 3) + "...";
  return text;
}

}  // namespace lathe::loops
