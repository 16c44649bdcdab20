// SPDX-License-Identifier: Apache-2.0
// One element of a node as an expression. Each node asks for elements of its operands, gets them,
// and combines them; frames wait on a list instead of the stack, because chains are long.

#include <algorithm>

#include "base/diagnostics.h"
#include "frontend/array/contraction.h"
#include "frontend/array/lowering.h"
#include "ir/accumulation_order.h"

namespace lathe::array {
namespace {

// A variable, a constant, or a variable and a constant: such reads are provably in range.
bool is_plain(Expr e) {
  if (e->op == ir::Op::Index || e->op == ir::Op::Const) return true;
  return (e->op == ir::Op::Add || e->op == ir::Op::Sub) && e->arg(0)->op == ir::Op::Index &&
         e->arg(1)->op == ir::Op::Const;
}

}  // namespace

bool finds_itself(const Node& gather, const Sizes& sizes) {
  if (gather.operands.size() != 2 || gather.operands[1]->kind != Kind::Positions) return false;
  const Node& mask = *gather.operands[1]->operands[0];
  if (mask.rank() != 1) return false;
  const Dim& axis = gather.operands[0]->shape[static_cast<std::size_t>(gather.ints[0])];
  return sizes.settled(mask.shape[0]) == sizes.settled(axis);
}

bool is_spread(const Node& contraction, std::int64_t label, const Dim& length, const Sizes& sizes) {
  const Dim mine = sizes.settled(length);
  if (mine.is(1)) return true;
  const auto same = [&](const Dim& other) { return sizes.settled(other) == mine; };
  const auto kept = result_labels(contraction);
  const auto at = std::find(kept.begin(), kept.end(), label);
  const bool meets_another =
      at != kept.end() ? !same(contraction.shape[static_cast<std::size_t>(at - kept.begin())])
                       : !all_factor_axes(contraction, [&](std::int64_t l, std::size_t factor,
                                                           std::size_t axis) {
                           return l != label || same(contraction.operands[factor]->shape[axis]);
                         });
  return meets_another && sizes.value(mine) == 1;
}

Expr Lowering::read(const Node& n, const Exprs& at, bool checked) {
  const Place& p = places_.at(&n);
  if (p.is_parameter) return b_.graph().param(p.name, n.dtype);
  const bool plain = std::all_of(at.begin(), at.end(), is_plain);
  return b_.graph().read(p.name, n.dtype, at,
                         checked || plain ? ir::Policy::Error : ir::Policy::Trusted);
}

// Axes of length 1 are read at 0, whatever the index of the result is.
Exprs Lowering::spread_index(const Node& operand, const Shape& result, const Exprs& at) {
  Exprs out;
  const std::size_t shift = at.size() - operand.rank();
  for (std::size_t a = 0; a < operand.rank(); ++a) {
    const Dim mine = sizes_.settled(operand.shape[a]);
    bool single = mine.is(1);
    if (!single && !(mine == sizes_.settled(result[a + shift]))) single = sizes_.value(mine) == 1;
    out.push_back(single ? number(0) : at[a + shift]);
  }
  return out;
}

bool Lowering::ask(Frame& f) {
  const Node& n = *f.node;
  const int round = f.round++;
  auto operand = [&](std::size_t i, Exprs at) {
    f.asks.push_back({n.operands[i].get(), std::move(at)});
  };
  if (round == 1 && n.kind == Kind::Gather) return false;
  if (round > 0) return false;
  switch (n.kind) {
    case Kind::Input:
    case Kind::Data:
    case Kind::Constant:
    case Kind::SizeValue:
    case Kind::Iota: return false;
    case Kind::Map:
      for (std::size_t i = 0; i < n.operands.size(); ++i)
        operand(i, spread_index(*n.operands[i], n.shape, f.at));
      return true;
    case Kind::Cast: operand(0, f.at); return true;
    case Kind::Reduce: {
      const Node& x = *n.operands[0];
      Exprs at;
      std::size_t kept = 0, reduced = 0;
      for (std::size_t a = 0; a < x.rank(); ++a) {
        const bool gone = reduced < n.ints.size() && n.ints[reduced] == static_cast<int>(a);
        if (gone) {
          f.bound.push_back(variable(x.label(a), true));
          at.push_back(f.bound.back());
          ++reduced;
        } else {
          at.push_back(f.at[kept++]);
        }
      }
      operand(0, std::move(at));
      return true;
    }
    case Kind::Contract: {
      std::map<std::int64_t, Expr> index;
      const auto kept = result_labels(n);
      for (std::size_t i = 0; i < kept.size(); ++i) index[kept[i]] = f.at[i];
      std::vector<Exprs> at(n.operands.size());
      all_factor_axes(n, [&](std::int64_t label, std::size_t factor, std::size_t axis) {
        Expr& e = index[label];
        const Node& x = *n.operands[factor];
        if (!e) {
          e = variable(x.label(axis), true);
          f.bound.push_back(e);
        }
        at[factor].push_back(is_spread(n, label, x.shape[axis], sizes_) ? number(0) : e);
        return true;
      });
      for (std::size_t i = 0; i < at.size(); ++i) operand(i, std::move(at[i]));
      return true;
    }
    case Kind::View: operand(0, view_index(n, f.at)); return true;
    case Kind::Reshape: operand(0, reshape_index(n, f.at)); return true;
    case Kind::Roll: operand(0, roll_index(n, f.at)); return true;
    case Kind::Update: {
      Exprs inner;
      f.bound.push_back(update_condition(n, f.at, inner));
      operand(0, f.at);
      operand(1, inner);
      return true;
    }
    case Kind::Concat: {
      const auto axis = static_cast<std::size_t>(n.ints[0]);
      Dim before(0);
      for (std::size_t i = 0; i < n.operands.size(); ++i) {
        Exprs at = f.at;
        at[axis] = minus(f.at[axis], size(before));
        operand(i, std::move(at));
        before = before + n.operands[i]->shape[axis];
        f.bound.push_back(size(before));
      }
      return true;
    }
    case Kind::Gather: {
      const auto bar = std::find(n.ints.begin(), n.ints.end(), -1);
      const auto indexed = static_cast<std::size_t>(bar - n.ints.begin());
      const auto position = static_cast<std::ptrdiff_t>(*(bar + 1));
      const auto rank = static_cast<std::ptrdiff_t>(n.rank() - (n.operands[0]->rank() - indexed));
      const Exprs inner(f.at.begin() + position, f.at.begin() + position + rank);
      const Shape shape(n.shape.begin() + position, n.shape.begin() + position + rank);
      for (std::size_t i = 1; i < n.operands.size(); ++i)
        operand(i, spread_index(*n.operands[i], shape, inner));
      return true;
    }
    case Kind::Scan:
    case Kind::Scatter:
    case Kind::Call:
    case Kind::Positions: break;
  }
  internal_error("a node that is always stored");
}

Expr Lowering::reduced(const Frame& f, ir::Op op, ir::DType t, const Exprs& values,
                       const std::vector<Dim>& lengths) {
  ir::ReduceInfo info;
  info.op = op;
  Exprs args;
  for (std::size_t v = 0; v < f.bound.size(); ++v) {
    info.variables.push_back(f.bound[v]->name);
    args.push_back(number(0));
    args.push_back(size(lengths[v]));
  }
  args.push_back(b_.build().boolean(true));
  args.insert(args.end(), values.begin(), values.end());
  info.accumulator = ir::default_accumulator(t);
  info.order = ir::default_order(op, info.accumulator, info.variables, values);
  return b_.graph().reduce(std::move(info), args, t);
}

// x.T @ x: the loops of a product copy one factor in pieces and read the other as it lies, which
// takes two names. The second one is given the same memory.
void Lowering::tell_factors_apart(Exprs& factors) {
  if (options_.storing != Storing::Everything || factors.size() != 2) return;
  const Expr a = factors[0], b = factors[1];
  if (a->op != ir::Op::Read || b->op != ir::Op::Read || a->name != b->name || a == b) return;
  const auto leaf = std::find_if(leaves_.begin(), leaves_.end(),
                                 [&](const ir::Array& x) { return x.name == b->name; });
  if (leaf == leaves_.end()) return;
  ir::Symbol& second = second_names_[b->name];
  if (!second) {
    const std::string first(b->name.text()), name = fresh_name("x");
    const Node* node = nullptr;
    for (const auto& [known, n] : out_.inputs)
      if (known == first) node = n;
    ir::Array again = *leaf;
    again.name = second = b_.graph().symbol(name);
    b_.declare(std::move(again));
    out_.inputs.emplace_back(name, node);
  }
  factors[1] = b_.graph().read(second, b->dtype, b->args(), b->policy);
}

Expr Lowering::contracted(Frame& f) {
  const Node& n = *f.node;
  const ir::Build& build = b_.build();
  // Lengths of the labels that are summed over, in the order of f.bound.
  std::vector<Dim> lengths(f.bound.size(), Dim(1));
  std::vector<std::int64_t> labels;
  all_factor_axes(n, [&](std::int64_t l, std::size_t factor, std::size_t axis) {
    if (is_kept(n, l)) return true;
    auto at = std::find(labels.begin(), labels.end(), l);
    if (at == labels.end()) at = labels.insert(labels.end(), l);
    Dim& length = lengths[static_cast<std::size_t>(at - labels.begin())];
    const Dim d = sizes_.settled(n.operands[factor]->shape[axis]);
    if (length.is(1) || (!(length == d) && sizes_.value(length) == 1)) length = d;
    return true;
  });
  const bool is_bool = ir::is_bool(n.dtype);
  Exprs factors = f.got;
  tell_factors_apart(factors);
  const ir::DType t = ir::is_half(n.dtype) ? ir::DType::F32 : n.dtype;
  for (Expr& e : factors) e = build.cast(t, e);
  if (!f.bound.empty() && ir::is_float(t) && factors.size() > 1)
    return build.cast(n.dtype, reduced(f, ir::Op::Fma, t, factors, lengths));
  Expr all = factors[0];
  for (std::size_t i = 1; i < factors.size(); ++i)
    all = build.op(is_bool ? ir::Op::And : ir::Op::Mul, {all, factors[i]});
  if (!f.bound.empty()) all = reduced(f, is_bool ? ir::Op::Or : ir::Op::Add, t, {all}, lengths);
  return build.cast(n.dtype, all);
}

Expr Lowering::combine(Frame& f) {
  const Node& n = *f.node;
  const ir::Build& build = b_.build();
  switch (n.kind) {
    case Kind::Constant: return b_.graph().constant(n.value);
    case Kind::SizeValue: return size(n.dims[0]);
    case Kind::Iota: return f.at[0];
    case Kind::Map: return build.maker().make(n.op, n.dtype, f.got);
    case Kind::Cast: return build.cast(n.dtype, f.got[0]);
    case Kind::Reduce: {
      std::vector<Dim> lengths;
      for (std::int64_t a : n.ints)
        lengths.push_back(n.operands[0]->shape[static_cast<std::size_t>(a)]);
      return reduced(f, n.op, n.dtype, {f.got[0]}, lengths);
    }
    case Kind::Contract: return contracted(f);
    case Kind::View:
    case Kind::Reshape:
    case Kind::Roll: return f.got[0];
    case Kind::Update: return build.select(f.bound[0], f.got[1], f.got[0]);
    case Kind::Concat: {
      const auto axis = static_cast<std::size_t>(n.ints[0]);
      Expr out = f.got.back();
      for (std::size_t i = f.got.size() - 1; i-- > 0;)
        out = build.select(build.lt(f.at[axis], f.bound[i]), f.got[i], out);
      return out;
    }
    case Kind::Gather: {
      const Node& x = *n.operands[0];
      const auto bar = std::find(n.ints.begin(), n.ints.end(), -1);
      const auto indexed = static_cast<std::size_t>(bar - n.ints.begin());
      const auto position = static_cast<std::size_t>(*(bar + 1));
      const std::size_t rank = n.rank() - (x.rank() - indexed);
      Exprs at(x.rank(), nullptr);
      const bool found = finds_itself(n, sizes_);
      for (std::size_t i = 0; i < indexed; ++i) {
        const auto axis = static_cast<std::size_t>(n.ints[i]);
        const Expr raw = f.got[i];
        const Expr wrapped = build.add(raw, size(x.shape[axis]));
        at[axis] = found || (ir::is_const(raw) && raw->scalar().as_int() >= 0)
                       ? raw
                       : build.select(build.lt(raw, number(0)), wrapped, raw);
      }
      std::size_t next = 0;
      for (Expr& e : at) {
        if (next == position) next += rank;
        if (!e) e = f.at[next++];
      }
      return read(x, at, !found);
    }
    case Kind::Input:
    case Kind::Data:
    case Kind::Scan:
    case Kind::Scatter:
    case Kind::Call:
    case Kind::Positions: break;
  }
  internal_error("a node that is an array");
}

Expr Lowering::element(const Node& root, const Exprs& index) {
  std::vector<Frame> frames;
  frames.push_back({&root, index, 0, {}, {}, {}});
  Expr result = nullptr;
  bool has_result = false;
  while (!frames.empty()) {
    Frame& f = frames.back();
    if (has_result) {
      f.got.push_back(result);
      has_result = false;
    }
    auto finish = [&](Expr e) {
      result = e;
      has_result = true;
      frames.pop_back();
    };
    if (f.round == 0 && f.asks.empty()) {
      if (places_.count(f.node)) {
        finish(read(*f.node, f.at, false));
        continue;
      }
      const auto known = known_.find({f.node, f.at});
      if (known != known_.end()) {
        finish(known->second);
        continue;
      }
      ask(f);
    }
    if (f.got.size() < f.asks.size()) {
      Ask next = f.asks[f.got.size()];
      frames.push_back({next.node, std::move(next.at), 0, {}, {}, {}});
      continue;
    }
    const Expr e = combine(f);
    // In a listing, sums beside each other use one name. In programs they do not: the text form
    // would write an expression that both hold as a `let` before either binds the name.
    if (options_.keep_pins && (f.node->kind == Kind::Reduce || f.node->kind == Kind::Contract))
      for (const Expr v : f.bound) bound_.erase(std::string(v->name.text()));
    known_[{f.node, f.at}] = e;
    finish(e);
  }
  return result;
}

}  // namespace lathe::array
