// SPDX-License-Identifier: Apache-2.0
// From a graph to nested C expressions. A node that is used once is printed where it is used; one
// that is used again, or whose text grows long, gets a name:
//
//   select(c, a + a[b*b], (b*b) + 1)    ->    const f64 t0 = b * b;
//                                             v[i] = c ? a + ... : t0 + 1.0;
//
// Lazy operands that read memory or call functions stay unevaluated where the program says so: they
// are C's own ?: && || when they fit into an expression, else an `if` with a scope of its own,
// whose names are forgotten after it. What both sides of a select need is computed before it.
// Graphs that share much between branches would grow by copying: beyond a budget everything is
// evaluated, and reads are guarded by a test of their range instead. Inside vector loops everything
// is evaluated (loops.h).
//
// No recursion over operands; only over branches, to a limited depth.

#include "emit/c/evaluate.h"

#include <algorithm>

#include "emit/c/types.h"
#include "ir/traverse.h"

namespace lathe::emit {

namespace {

constexpr std::size_t kLongText = 100;
constexpr int kDeepestBranch = 24;

bool is_leaf(Op op) { return op == Op::Const || op == Op::Index || op == Op::Param; }

}  // namespace

Evaluator::Evaluator(Printer& printer, Block& out, const Form& form)
    : printer_(printer), out_(&out), form_(form), is_lane_{this}, lanes_(form.variable, is_lane_) {}

bool Evaluator::is_lane(Expr leaf) const {
  if (leaf->op == Op::Param) return printer_.binding(leaf->name).varies;
  return printer_.place(leaf->name).varies;
}

bool Evaluator::lazy(Expr e, std::size_t operand) {
  if (!has(e->op, ir::kLazy) || operand == 0 || form_.lanes > 1 || eager_) return false;
  return costly_[e->arg(operand)] && !values_.contains(key(e->arg(operand), Mode::Lanes));
}

bool Evaluator::counts(const Key& k) const {
  return k.mode == Mode::Lanes && form_.lanes > 1 && is_count(k.e, form_.variable);
}

void Evaluator::operands(const Key& k, bool also_lazy, std::vector<Key>& to) {
  to.clear();
  if (k.e->op == Op::Read) {
    Place& p = printer_.place(k.e->name);
    if (p.registers || p.loaded) return;
    Mode mode = k.mode;
    if (mode == Mode::Lanes) {  // linear indices are needed at the first lane only
      const bool linear = std::all_of(k.e->args().begin(), k.e->args().end(),
                                      [this](Expr i) { return lanes_.slope(i).has_value(); });
      if (linear) mode = Mode::First;
    }
    for (Expr index : k.e->args()) to.push_back(key(index, mode));
    return;
  }
  if (const auto scaled = scalings.find(k.e); scaled != scalings.end()) {
    for (Expr e : {scaled->second.value, scaled->second.power}) to.push_back(key(e, k.mode));
    return;
  }
  if (k.mode == Mode::Lanes && printer_.divides_by_known(k.e)) {
    to.push_back(key(k.e->arg(0), k.mode));
    return;
  }
  if (counts(k)) {
    to.push_back(key(k.e->arg(0), Mode::First));
    return;
  }
  for (std::size_t i = 0; i < k.e->arg_count; ++i)
    if (also_lazy || !lazy(k.e, i)) to.push_back(key(k.e->arg(i), k.mode));
}

// Post order, without what is known already.
std::vector<Evaluator::Key> Evaluator::order(const Key& root, bool also_lazy, std::size_t limit) {
  std::vector<Key> result;
  std::map<Key, bool> done;  // false: its operands are on the way
  std::vector<Key> stack = {root}, args;
  while (!stack.empty() && result.size() < limit) {
    const Key k = stack.back();
    if (values_.contains(k)) {
      stack.pop_back();
      continue;
    }
    const auto [at, fresh] = done.emplace(k, false);
    if (!fresh) {
      stack.pop_back();
      if (!at->second) result.push_back(k);
      at->second = true;
      continue;
    }
    operands(k, also_lazy, args);
    for (std::size_t i = args.size(); i-- > 0;) stack.push_back(args[i]);
  }
  return result;
}

// Counts uses and finds out which nodes are costly, before anything is printed.
void Evaluator::look_through(const Key& root) {
  std::vector<Key> args;
  const std::vector<Key> nodes = order(root, true, SIZE_MAX);
  for (const Key& k : nodes) {
    operands(k, true, args);
    bool costly = k.e->op == Op::Read || has(k.e->op, ir::kElementary);
    for (const Key& arg : args) {
      ++uses_[arg];
      costly |= costly_[arg.e];
    }
    costly_[k.e] = costly;
  }
  budget_ += 8 * nodes.size();
}

Value Evaluator::evaluate(Expr e, Mode mode) {
  const Key root = key(e, mode);
  if (branch_depth_ == 0 && !values_.contains(root)) look_through(root);
  for (const Key& k : order(root, false, SIZE_MAX)) compute(k, k.e == e);
  return values_.at(root);
}

Value Evaluator::in_lanes(Expr e) {
  Value v = value(e);
  return v.lanes == 1 && form_.lanes > 1 ? splat(v) : v;
}

void Evaluator::compute(const Key& k, bool root) {
  if (values_.contains(k)) return;
  if (++computed_ > budget_) eager_ = true;
  const Expr e = k.e;
  Value v;
  bool some_lazy = false;
  for (std::size_t i = 0; i < e->arg_count && e->op != Op::Read; ++i) some_lazy |= lazy(e, i);
  if (is_leaf(e->op)) {
    v = leaf(k);
  } else if (e->op == Op::Read) {
    v = read(k);
  } else if (some_lazy) {
    v = combine_lazily(e);
  } else if (const auto scaled = scalings.find(e); scaled != scalings.end()) {
    const Value args[] = {known(scaled->second.value, k.mode), known(scaled->second.power, k.mode)};
    v = apply("scale", e->dtype, form_.lanes, args);
  } else if (k.mode == Mode::Lanes && printer_.divides_by_known(e)) {
    const std::string dividend = splat(known(e->arg(0), k.mode)).text;
    v = {printer_.divide_by_known(e, dividend, form_.lanes), kAtom, e->dtype, form_.lanes};
  } else if (counts(k)) {
    Value first = known(e->arg(0), Mode::First);
    if (e->dtype != DType::I64)
      first.text = "(" + printer_.value_type(e->dtype, 1, 0) + ")" + first.wrapped(kAtom);
    v = apply("count", e->dtype, form_.lanes, std::span(&first, 1));
  } else {
    std::vector<Value> args;
    for (Expr arg : e->args()) {
      // A lazy operand may have been left out of the order before the budget was spent.
      const Key needed = key(arg, k.mode);
      if (!values_.contains(needed))
        for (const Key& n : order(needed, false, SIZE_MAX)) compute(n);
      args.push_back(values_.at(needed));
    }
    v = k.mode == Mode::Lanes ? vector_op(e, args) : scalar_op(e, args);
  }
  v.dtype = e->dtype;
  const bool named = v.strength == kAtom && is_leaf(e->op);
  if (!named && (uses_[k] > 1 || (v.text.size() > kLongText && !root))) {
    const std::string name = printer_.temporary();
    out_->line("const " + printer_.value_type(e->dtype, v.lanes, v.mask) + " " + name + " = " +
               v.text + ";");
    v.text = name;
    v.strength = kAtom;
  }
  values_.emplace(k, std::move(v));
  log_.push_back(k);
}

// --- Branches.

std::pair<Block, Value> Evaluator::in_branch(Expr e) {
  Block block;
  Block* outer = std::exchange(out_, &block);
  const std::size_t mark = log_.size();
  ++branch_depth_;
  if (branch_depth_ > kDeepestBranch) eager_ = true;
  const Value v = evaluate(e, Mode::Lanes);
  --branch_depth_;
  for (; log_.size() > mark; log_.pop_back()) values_.erase(log_.back());
  out_ = outer;
  return {std::move(block), v};
}

// What is evaluated in any case may be named before the branch.
void Evaluator::compute_common(Expr yes, Expr no) {
  constexpr std::size_t kFarEnough = 4000;
  std::map<Key, bool> in_yes;
  for (const Key& k : order(key(yes, Mode::Lanes), false, kFarEnough)) in_yes[k] = true;
  for (const Key& k : order(key(no, Mode::Lanes), false, kFarEnough)) {
    if (!in_yes.contains(k)) continue;
    for (const Key& needed : order(k, false, SIZE_MAX)) compute(needed);
  }
}

Value Evaluator::combine_lazily(Expr e) {
  const bool select = e->op == Op::Select;
  const Value condition = known(e->arg(0), Mode::Lanes);
  if (select) compute_common(e->arg(1), e->arg(2));
  auto [block, v] = in_branch(e->arg(1));
  std::pair<Block, Value> other;
  if (select) other = in_branch(e->arg(2));

  if (block.empty() && other.first.empty()) {
    const std::string c = condition.wrapped(kProduct);
    switch (e->op) {
      case Op::And: return {c + " && " + v.wrapped(kProduct), kLoose};
      case Op::Or: return {c + " || " + v.wrapped(kProduct), kLoose};
      case Op::Gate: return {c + " ? " + v.wrapped(kSum) + " : 0", kLoose};
      default: return {c + " ? " + v.wrapped(kSum) + " : " + other.second.wrapped(kSum), kLoose};
    }
  }
  const std::string name = printer_.temporary();
  const std::string type = printer_.value_type(e->dtype, 1, 0);
  const std::string start = e->op == Op::Or ? " = 1" : select ? "" : " = 0";
  out_->line(type + " " + name + start + ";");
  out_->open("if (" + (e->op == Op::Or ? "!" + condition.wrapped(kAtom) : condition.text) + ")");
  out_->append(std::move(block));
  out_->line(name + " = " + v.text + ";");
  if (select) {
    out_->reopen("else");
    out_->append(std::move(other.first));
    out_->line(name + " = " + other.second.text + ";");
  }
  out_->close();
  return {name};
}

// --- Leaves.

Value Evaluator::leaf(const Key& k) {
  const Expr e = k.e;
  if (e->op == Op::Const) {
    Value v{literal(e->scalar())};
    constexpr std::int64_t kSmall = std::int64_t{1} << 31;
    const std::int64_t number = e->dtype == DType::I64 ? e->scalar().as_int() : kSmall;
    v.tame = number > -kSmall && number < kSmall;
    return v;
  }
  if (e->op == Op::Index && form_.lanes > 1 && e->name == form_.variable) {
    const std::int64_t shift = std::int64_t{form_.chunk} * form_.lanes;
    Value first{form_.first, kAtom, DType::I64, 1, 0, true};
    if (form_.constant) {
      first.text = std::to_string(std::stoll(form_.first) + shift);
    } else if (shift != 0) {
      first = {form_.first + " + " + std::to_string(shift), kSum, DType::I64, 1, 0, true};
    }
    if (k.mode == Mode::First) return first;
    return apply("count", DType::I64, form_.lanes, std::span(&first, 1));
  }
  const Binding& b = printer_.binding(e->name);
  Value v{printer_.use(b, form_.chunk)};
  v.tame = b.tame;
  if (b.varies) {
    v.lanes = form_.lanes;
    v.mask = b.mask;
  }
  return v;
}

// --- Reads.

Value Evaluator::widened(std::string text, DType t, int lanes) {
  Value v{std::move(text), kAtom, t, lanes};
  if (ir::is_half(t)) v.text = printer_.library().function("widen", t, lanes) + "(" + v.text + ")";
  if (ir::is_bool(t) && lanes > 1) {
    v.text = "(" + printer_.value_type(DType::I8, lanes, 0) + ")(" + v.text + " != 0)";
    v.mask = 1;
  }
  return v;
}

Value Evaluator::read_register(Place& p, Expr e) {
  if (p.registers)
    return {printer_.use({p.base + "_" + std::to_string(form_.chunk),
                          printer_.value_type(p.dtype, p.lanes, p.mask), p.pointer.frame}),
            kAtom, p.dtype, p.lanes, p.mask};
  const std::int64_t channel = e->arg(0)->scalar().as_int();
  std::string name = p.base + "_" + std::to_string(channel);
  if (p.varies && form_.chunks > 1) name += "_" + std::to_string(form_.chunk);
  const int lanes = p.varies ? form_.lanes : 1;
  return {printer_.use({name, printer_.value_type(p.dtype, lanes, p.mask), p.pointer.frame}), kAtom,
          p.dtype, lanes, p.varies ? p.mask : 0};
}

Value Evaluator::read(const Key& k) {
  const Expr e = k.e;
  Place& p = printer_.place(e->name);
  if (p.registers || p.loaded) return read_register(p, e);
  const std::string pointer = printer_.pointer(p, false);
  if (k.mode == Mode::First) {
    Value v = widened(pointer + "[" + flat(p, e->args(), Mode::First).text + "]", e->dtype, 1);
    if (!eager_ && !printer_.checked()) return v;
    const std::string test = inside(p, e->args());
    if (test.empty()) return v;
    std::string other = "0";
    if (printer_.checked())
      other = "(" + printer_.value_type(e->dtype, 1, 0) + ")" +
              report_outside(e->name, e->args(), false);
    return {"(" + test + ") ? " + v.text + " : " + other, kLoose};
  }
  return load_lanes(p, access(p, e->args()), "");
}

// `far`: a text to add to the index.
Value Evaluator::load_lanes(Place& p, const Access& a, const std::string& far) {
  const DType t = stored(p.dtype);
  const std::string pointer = printer_.pointer(p, false);
  const std::string address = "&" + pointer + "[" + a.at.text + far + "]";
  const bool part = !form_.active.empty();
  const auto load = [&](const std::string& function, const std::string& args) {
    const std::string name =
        printer_.library().function(function + (part ? "_part" : ""), t, form_.lanes);
    return widened(name + "(" + args + (part ? ", " + form_.active : "") + ")", p.dtype,
                   form_.lanes);
  };
  switch (a.kind) {
    case Access::Uniform: return widened(address.substr(1), p.dtype, 1);
    case Access::Contiguous: return load("load", address);
    case Access::Strided: return load("load_strided", address + ", " + a.stride);
    case Access::Scattered: return load("gather", pointer + far + ", " + a.at.text);
  }
  internal_error("a kind of access");
}

}  // namespace lathe::emit
