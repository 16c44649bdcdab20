// SPDX-License-Identifier: Apache-2.0
#include "coverage.h"

#include <algorithm>

#include "ir/calls.h"
#include "ir/traverse.h"
#include "ir/typing.h"

namespace lathe::testing {

using namespace ir;

namespace {

constexpr std::string_view kItems[] = {"statement", "group", "branch", "while", "sweep",
                                       "scan",      "when",  "repeat", "call"};
constexpr std::string_view kFeatures[] = {"fresh",
                                          "not fresh",
                                          "combiner",
                                          "contract statement",
                                          "contract expression",
                                          "guard",
                                          "else",
                                          "until",
                                          "rotate",
                                          "forward",
                                          "backward",
                                          "exclusive",
                                          "inclusive",
                                          "blocked scan",
                                          "local",
                                          "halo",
                                          "bounds read",
                                          "triangle",
                                          "computed extent",
                                          "extended",
                                          "scatter",
                                          "nested branch",
                                          "sweep in a branch",
                                          "scan in a branch",
                                          "when in a branch",
                                          "repeat in a branch",
                                          "guarded line",
                                          "wide accumulator"};

// The dtypes that an operation can give, as a set of bits.
unsigned results(Op op) {
  unsigned set = 0;
  const OpInfo& i = info(op);
  for (int t = 0; t < kDTypeCount; ++t) {
    const DType dtype = static_cast<DType>(t);
    std::vector<DType> operands(static_cast<std::size_t>(std::max(i.arity, 0)), dtype);
    if (i.typing == Typing::Select || i.typing == Typing::Gate) operands[0] = DType::Bool;
    const auto r = result_dtype(op, operands);
    if (auto* result = std::get_if<DType>(&r)) set |= 1u << static_cast<int>(*result);
  }
  if (i.typing == Typing::Special) set = (1u << kDTypeCount) - 1;
  if (op == Op::Index) set = 1u << static_cast<int>(DType::I64);
  if (op == Op::Inside) set = 1u << static_cast<int>(DType::Bool);
  if (op == Op::BitCast) set &= ~1u;
  return set;
}

unsigned operands(Op op) {
  const unsigned all = (1u << kDTypeCount) - 1, floats = all & ~((1u << 9) - 1);
  const unsigned ints = ((1u << 9) - 1) & ~1u;
  switch (info(op).typing) {
    case Typing::Arith:
    case Typing::Order: return all & ~1u;
    case Typing::Float:
    case Typing::Test: return floats;
    case Typing::Integer: return ints;
    case Typing::Bits: return ints | 1u;
    case Typing::Logic: return 1u;
    case Typing::Same:
    case Typing::Select:
    case Typing::Gate: return all;
    case Typing::Special: break;
  }
  if (op == Op::Const || op == Op::Index || op == Op::Param || op == Op::Lookup) return 0;
  if (op == Op::Inside) return 1u << static_cast<int>(DType::I64);
  if (op == Op::BitCast) return all & ~1u;
  return all;
}

}  // namespace

std::size_t Coverage::pairs_possible() const {
  std::size_t n = 0;
  for (int u = 0; u < kOpCount; ++u)
    for (int o = 0; o < kOpCount; ++o)
      if (static_cast<Op>(o) != Op::Lookup &&
          (operands(static_cast<Op>(u)) & results(static_cast<Op>(o))))
        ++n;
  return n;
}

void Coverage::add_expr(Expr root) {
  if (!root) return;
  for (Expr e : post_order(root)) {
    if (!seen_.insert(e).second) continue;
    count("op " + std::string(info(e->op).name));
    count("dtype " + std::string(name(e->dtype)));
    for (Expr a : e->args()) pairs_.emplace(e->op, a->op);
    if (e->op == Op::Read) count("policy " + std::string(name(e->policy)));
    if (e->op == Op::Reduce) {
      const ReduceInfo& r = e->reduce();
      count("order " + std::string(name(r.order)));
      count("reduce " + std::string(info(r.op).name));
      if (r.op == Op::Fma) count("contract expression");
      if (r.accumulator != e->dtype) count("wide accumulator");
    }
  }
}

void Coverage::add(const Domain& d) {
  std::vector<Symbol> outer;
  for (const Range& r : d.ranges) {
    for (Expr bound : {r.lo, r.hi}) {
      add_expr(bound);
      if (!reads(bound).empty()) count("bounds read");
      if (!free_variables(bound).empty()) count("triangle");
    }
  }
  if (d.guard) count("guard");
  add_expr(d.guard);
}

void Coverage::add(const Statement& s) {
  add(s.domain);
  for (const Target& t : s.targets)
    for (Expr e : t.indices) {
      add_expr(e);
      if (!reads(e).empty()) count("scatter");
    }
  for (Expr e : s.values) add_expr(e);
  if (!s.accumulate) return;
  const Accumulation& how = *s.accumulate;
  count(how.fresh ? "fresh" : "not fresh");
  count("order " + std::string(name(how.order)));
  if (how.combiner)
    count("combiner");
  else if (how.op == Op::Fma)
    count("contract statement");
  else
    count("accumulate " + std::string(info(how.op).name));
}

void Coverage::add(const Body& body) {
  for (const Item& item : body) {
    count("item " + std::string(kItems[item.node.index()]));
    std::visit(
        [&](const auto& n) {
          using T = std::decay_t<decltype(n)>;
          if constexpr (std::is_same_v<T, Statement>) add(n);
          if constexpr (std::is_same_v<T, Group>) {
            add(n.domain);
            if (!n.locals.empty()) count("local");
            for (const Statement& s : n.statements) {
              if (s.domain.guard) count("guarded line");
              add(s);
            }
          }
          if constexpr (std::is_same_v<T, Branch> || std::is_same_v<T, While>) {
            add(n.domain);
            add_expr(n.condition);
          }
          if constexpr (std::is_same_v<T, Branch>) {
            if (!n.else_body.empty()) count("else");
            for (const Body* side : {&n.then_body, &n.else_body})
              for (const Item& inner : *side)
                count(std::holds_alternative<Branch>(inner.node)
                          ? "nested branch"
                          : std::string(kItems[inner.node.index()]) + " in a branch");
          }
          if constexpr (std::is_same_v<T, When>) add_expr(n.condition);
          if constexpr (std::is_same_v<T, Sweep>) count(n.forward ? "forward" : "backward");
          if constexpr (std::is_same_v<T, Scan>) {
            count(n.exclusive ? "exclusive" : "inclusive");
            if (n.blocked) count("blocked scan");
            add(n.statement);
          }
          if constexpr (std::is_same_v<T, Repeat>) {
            if (n.until) count("until");
            if (!n.rotate.empty()) count("rotate");
            add_expr(n.until);
          }
          if constexpr (std::is_same_v<T, Call>) count("call " + std::string(n.function.text()));
        },
        item.node);
    for_each_body(item, [&](const Body& inner) { add(inner); });
  }
}

void Coverage::add(const Program& p) {
  ++programs_;
  seen_.clear();
  for (const Array& a : p.arrays) {
    count("role " + std::string(name(a.role)));
    count("array " + std::string(name(a.dtype)));
    count("rank " + std::to_string(a.axes.size()));
    if (a.extended) count("extended");
    for (const Axis& axis : a.axes) {
      if (is_const(axis.lo) && axis.lo->scalar().as_int() < 0) count("halo");
      if (!reads(axis.hi).empty()) count("computed extent");
    }
  }
  for (const Parameter& q : p.parameters) count("parameter " + std::string(name(q.dtype)));
  for (const Combiner& c : p.combiners)
    for (Expr e : c.result) add_expr(e);
  add(p.body);
  add_shapes(p);
}

std::vector<std::string> Coverage::missing() const {
  std::vector<std::string> wanted;
  for (int i = 0; i < kOpCount; ++i)
    if (static_cast<Op>(i) != Op::Lookup)  // only inside functions
      wanted.push_back("op " + std::string(info(static_cast<Op>(i)).name));
  for (int i = 0; i < kOpCount; ++i)
    for (int t = 0; t < kDTypeCount; ++t)
      if (static_cast<Op>(i) != Op::Fma &&
          can_accumulate(static_cast<Op>(i), static_cast<DType>(t))) {
        wanted.push_back("accumulate " + std::string(info(static_cast<Op>(i)).name));
        break;
      }
  for (int t = 0; t < kDTypeCount; ++t)
    for (const char* kind : {"dtype ", "array ", "parameter "})
      wanted.push_back(kind + std::string(name(static_cast<DType>(t))));
  for (int p = 0; p <= static_cast<int>(Policy::Trusted); ++p)
    wanted.push_back("policy " + std::string(name(static_cast<Policy>(p))));
  for (int o = 0; o <= static_cast<int>(Order::Seq); ++o)
    wanted.push_back("order " + std::string(name(static_cast<Order>(o))));
  for (int r = 0; r <= static_cast<int>(Role::Const); ++r)
    wanted.push_back("role " + std::string(name(static_cast<Role>(r))));
  for (int rank = 0; rank < 4; ++rank) wanted.push_back("rank " + std::to_string(rank));
  for (std::string_view item : kItems) wanted.push_back("item " + std::string(item));
  // Matrices of random numbers have no use for programs: random graphs of arrays draw linear
  // algebra (tests/array/random_graphs.py), numpy_test.py compares its bits on all targets.
  for (const CallInfo& c : all_calls())
    if (c.kind < CallKind::StrictCholesky) wanted.push_back("call " + std::string(c.name));
  for (std::string_view f : kFeatures) wanted.emplace_back(f);
  wanted.insert(wanted.end(), shapes().begin(), shapes().end());
  std::erase_if(wanted, [&](const std::string& w) { return counts_.count(w) > 0; });
  return wanted;
}

std::string Coverage::report() const {
  std::string text = std::to_string(programs_) + " programs, operation pairs " +
                     std::to_string(pairs_.size()) + " of " + std::to_string(pairs_possible()) +
                     " possible\n";
  for (const auto& [what, n] : counts_) text += "  " + what + ": " + std::to_string(n) + "\n";
  return text;
}

}  // namespace lathe::testing
