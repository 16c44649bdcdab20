// SPDX-License-Identifier: Apache-2.0
// Writing expressions. A stack of pieces still to be written takes the place of recursion: popping
// a node pushes its text and its operands, the last one first. Parentheses appear where an operand
// binds looser than its place asks for; constants carry their dtype where the place does not give
// it.

#include <algorithm>

#include "ir/accumulation_order.h"
#include "ir/literal.h"
#include "ir/precedence.h"
#include "ir/text.h"
#include "ir/text_printer.h"

namespace lathe::ir {
namespace {

bool is_true(Expr e) { return is_const(e) && is_bool(e->dtype) && e->bits != 0; }

std::string constant_text(Expr e, ConstStyle style) {
  const Scalar s = e->scalar();
  if (is_bool(s.dtype)) return to_text(s);
  if (style == ConstStyle::Known) return literal_text(s, true);
  if (s.dtype == DType::I64 || s.dtype == DType::F64) return to_text(s);
  return to_text(s) + std::string(name(s.dtype));
}

std::string_view reduction_word(Op op) {
  switch (op) {
    case Op::Add: return "sum";
    case Op::Mul: return "product";
    case Op::Min: return "minimum";
    case Op::Max: return "maximum";
    case Op::Or: return "any";
    case Op::And: return "all";
    case Op::Fma: return "contract";
    default: return {};
  }
}

// The head of a reduction up to its ranges: "sum[seq, f64] ".
std::string reduction_head(Expr e) {
  const view::Reduce r(e);
  std::string head(reduction_word(r.info.op));
  if (head.empty()) head = "reduce " + std::string(info(r.info.op).spelling);
  const DType t = r.values[0]->dtype;
  const bool usual =
      r.info.accumulator == default_accumulator(t) &&
      r.info.order == default_order(r.info.op, r.info.accumulator, r.info.variables, r.values);
  if (!usual)
    head +=
        "[" + std::string(name(r.info.order)) + ", " + std::string(name(r.info.accumulator)) + "]";
  return head + " ";
}

// i-1, n+2: the usual index arithmetic is written without blanks.
bool is_compact(Expr e) {
  if ((e->op != Op::Add && e->op != Op::Sub) || !is_int(e->dtype)) return false;
  const auto [left, right] = view::Binary(e);
  const bool name = left->op == Op::Index || left->op == Op::Param;
  return name && is_const(right) && (is_unsigned_int(e->dtype) || right->scalar().as_int() >= 0);
}

class Writer {
 public:
  explicit Writer(Policy implied, std::size_t budget = static_cast<std::size_t>(-1))
      : implied_(implied), budget_(budget) {}

  std::string write(Expr e, const Region* region, ConstStyle style, bool own_let = false) {
    out_.clear();
    skip_let_ = own_let ? e : nullptr;
    push(e, region, kSlotLevel, style);
    while (!stack_.empty()) {
      Piece piece = std::move(stack_.back());
      stack_.pop_back();
      if (piece.e) {
        node(piece);
      } else {
        out_ += piece.text;
      }
    }
    return std::move(out_);
  }

 private:
  struct Piece {
    std::string text;
    Expr e = nullptr;
    const Region* region = nullptr;
    int min_level = kSlotLevel;
    ConstStyle style = ConstStyle::Default;
    bool slot = false;  // a region of its own: its lets come first
  };

  void push(Expr e, const Region* region, int min_level, ConstStyle style, bool slot = false) {
    stack_.push_back({{}, e, region, min_level, style, slot});
  }
  // Pieces are pushed in reading order and then turned around.
  void text(std::string t) { stack_.push_back({std::move(t), nullptr, nullptr, 0, {}, false}); }

  void node(const Piece& p) {
    if (budget_ == 0) {
      out_ += "...";
      return;
    }
    --budget_;
    if (p.slot && p.region) return slot(p);
    const Expr e = p.e;
    const Region::Info* info = p.region ? p.region->find(e) : nullptr;
    if (info && info->is_let && e != skip_let_) {
      out_ += info->name;
      return;
    }
    skip_let_ = nullptr;
    const std::size_t mark = stack_.size();
    const std::string constant = is_const(e) ? constant_text(e, p.style) : std::string();
    const int own = is_const(e) && constant[0] == '-' ? kUnaryLevel : level(e->op);
    const bool parentheses = own < p.min_level;
    if (parentheses) text("(");
    if (is_const(e)) {
      text(constant);
    } else {
      operation(e, p.region, info);
    }
    if (parentheses) text(")");
    std::reverse(stack_.begin() + static_cast<std::ptrdiff_t>(mark), stack_.end());
  }

  // let t1 = ... in let t2 = ... in root
  void slot(const Piece& p) {
    const std::size_t mark = stack_.size();
    for (Expr e : p.region->lets) {
      text("let " + p.region->find(e)->name + " = ");
      Writer inner(implied_, budget_);
      text(inner.write(e, p.region, ConstStyle::Default, true));
      text(" in ");
    }
    push(p.e, p.region, p.min_level, p.style);
    std::reverse(stack_.begin() + static_cast<std::ptrdiff_t>(mark), stack_.end());
  }

  void operation(Expr e, const Region* region, const Region::Info* info) {
    switch (e->op) {
      case Op::Index:
      case Op::Param: return text(std::string(e->name.text()));
      case Op::Read:
      case Op::Inside: return read(e, region);
      case Op::Reduce: return reduce(e, region, info);
      case Op::Lookup:
        text("lookup " + e->table().name + "[");
        push(e->arg(0), region, kSlotLevel, ConstStyle::Default);
        return text("]");
      default: return apply(e, region);
    }
  }

  void read(Expr e, const Region* region) {
    const view::Read r(e);
    if (e->op == Op::Inside) text("inside ");
    text(std::string(r.array.text()));
    if (r.indices.empty()) return;
    text("[");
    for (std::size_t i = 0; i < r.indices.size(); ++i) {
      if (i > 0) text(", ");
      push(r.indices[i], region, kSlotLevel, ConstStyle::Default);
    }
    if (r.policy != implied_ && e->op == Op::Read) text("; " + std::string(name(r.policy)));
    if (r.fill) {
      text(" ");
      push(r.fill, region, kSlotLevel, ConstStyle::Known);
    }
    text("]");
  }

  void reduce(Expr e, const Region* region, const Region::Info* info) {
    const view::Reduce r(e);
    std::size_t next = 0;
    const auto slot = [&](Expr operand, ConstStyle style) {
      const Region* inner = info ? info->slots[next].get() : region;
      ++next;
      push(operand, inner, kSlotLevel, style, info != nullptr);
    };
    text(reduction_head(e));
    for (std::size_t v = 0; v < r.info.variables.size(); ++v) {
      text((v > 0 ? ", " : "") + std::string(r.info.variables[v].text()) + " in ");
      slot(r.lo(v), ConstStyle::Default);
      text("..");
      slot(r.hi(v), ConstStyle::Default);
    }
    if (is_true(r.guard)) {
      ++next;
    } else {
      text(" where ");
      slot(r.guard, ConstStyle::Default);
    }
    text(r.info.op == Op::Fma ? ": (" : ": ");
    const ConstStyle style = operand_style(r.values);
    for (std::size_t i = 0; i < r.values.size(); ++i) {
      if (i > 0) text(", ");
      slot(r.values[i], style);
    }
    if (r.info.op == Op::Fma) text(")");
  }

  // Constants next to an operand that is none take its dtype.
  static ConstStyle operand_style(std::span<const Expr> operands) {
    const bool typed =
        std::any_of(operands.begin(), operands.end(), [](Expr e) { return !is_const(e); });
    return typed ? ConstStyle::Known : ConstStyle::Default;
  }

  void apply(Expr e, const Region* region) {
    const OpInfo& i = info(e->op);
    const bool guarded = e->op == Op::Select || e->op == Op::Gate;
    const ConstStyle style = operand_style(e->args().subspan(guarded ? 1 : 0));
    switch (i.form) {
      case Form::Infix: {
        const bool blanks = !is_compact(e);
        push(e->arg(0), region, left_level(e->op), style);
        text(blanks ? " " + std::string(i.spelling) + " " : std::string(i.spelling));
        return push(e->arg(1), region, right_level(e->op), style);
      }
      case Form::Prefix: {
        const Expr x = e->arg(0);
        text(e->op == Op::Not ? "not " : std::string(i.spelling));
        // `-1` is a literal, so the minus of a literal is written -(1).
        return push(x, region, is_const(x) && e->op == Op::Neg ? kAtomLevel + 1 : level(e->op),
                    style);
      }
      case Form::Conversion:
        text((e->op == Op::BitCast ? "bitcast_" : "") + std::string(name(e->dtype)) + "(");
        push(e->arg(0), region, kSlotLevel, ConstStyle::Default);
        return text(")");
      default:
        text(std::string(i.spelling) + "(");
        for (std::size_t k = 0; k < e->arg_count; ++k) {
          if (k > 0) text(", ");
          push(e->arg(k), region, kSlotLevel, style);
        }
        return text(")");
    }
  }

  Policy implied_;
  std::size_t budget_;
  std::string out_;
  std::vector<Piece> stack_;
  Expr skip_let_ = nullptr;  // the node whose let is being written
};

}  // namespace

ExprPrinter::Text ExprPrinter::print(std::span<const Root> roots) const {
  std::vector<Expr> exprs;
  for (const Root& r : roots) exprs.push_back(r.e);
  const auto region = Planner(taken_).plan(exprs);
  Text text;
  for (Expr e : region->lets)
    text.lets.push_back("let " + region->info[e].name + " = " +
                        Writer(implied_).write(e, region.get(), ConstStyle::Default, true));
  for (const Root& r : roots)
    text.roots.push_back(Writer(implied_).write(r.e, region.get(), r.style));
  return text;
}

std::string ExprPrinter::inline_text(Root root) const {
  const Text text = print(std::span(&root, 1));
  std::string out;
  for (const std::string& let : text.lets) out += let + " in ";
  return out + text.roots[0];
}

std::string print_bounded(Expr e, std::size_t max_nodes, Policy implied) {
  return Writer(implied, max_nodes).write(e, nullptr, ConstStyle::Default);
}

std::string print(Expr e, std::size_t max_nodes) { return print_bounded(e, max_nodes); }

}  // namespace lathe::ir
