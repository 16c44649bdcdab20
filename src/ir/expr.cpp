// SPDX-License-Identifier: Apache-2.0
// Interning: a node is looked up by a hash of operation, dtype, attribute and the hashes of its
// operands, then compared field by field. The hash is structural, so it is the same in every run;
// operands are compared by pointer, because they are interned already.

#include "ir/expr.h"

#include <deque>
#include <unordered_map>
#include <unordered_set>

#include "base/diagnostics.h"
#include "base/hash.h"
#include "ir/typing.h"

namespace lathe::ir {
namespace {

constexpr std::string_view kPolicies[] = {"error",  "zero",  "clamp",  "wrap",
                                          "mirror", "value", "trusted"};
constexpr std::string_view kOrders[] = {"free", "tree", "chain", "seq"};

std::uint64_t hash_info(const Node& n) {
  Hasher h;
  if (n.op == Op::Reduce) {
    const ReduceInfo& r = n.reduce();
    h.add(static_cast<std::uint64_t>(r.op)).add(static_cast<std::uint64_t>(r.order));
    h.add(static_cast<std::uint64_t>(r.accumulator));
    for (Symbol v : r.variables) h.add(v.hash());
  } else if (n.op == Op::Lookup) {
    h.add(n.table().name);
  }
  return h.finish();
}

std::uint64_t hash_node(const Node& n) {
  Hasher h;
  h.add(static_cast<std::uint64_t>(n.op)).add(static_cast<std::uint64_t>(n.dtype)).add(n.bits);
  h.add(n.name.hash()).add(static_cast<std::uint64_t>(n.policy));
  if (n.info) h.add(hash_info(n));
  for (Expr a : n.args()) h.add(a->hash);
  return h.finish();
}

bool same_info(const Node& a, const Node& b) {
  if (a.info == b.info) return true;
  if (!a.info || !b.info || a.op != Op::Reduce) return false;
  return a.reduce() == b.reduce();
}

struct SameNode {
  bool operator()(Expr a, Expr b) const {
    return a->op == b->op && a->dtype == b->dtype && a->bits == b->bits && a->name == b->name &&
           a->policy == b->policy && same_info(*a, *b) &&
           std::equal(a->args().begin(), a->args().end(), b->args().begin(), b->args().end());
  }
};
struct HashNode {
  std::size_t operator()(Expr e) const { return static_cast<std::size_t>(e->hash); }
};

}  // namespace

std::string_view name(Policy p) { return kPolicies[static_cast<int>(p)]; }
std::string_view name(Order o) { return kOrders[static_cast<int>(o)]; }

struct Graph::Store {
  Arena arena;
  SymbolTable symbols;
  std::unordered_map<Symbol, std::uint64_t> next_fresh;
  std::unordered_set<Expr, HashNode, SameNode> nodes;
  std::deque<ReduceInfo> reduces;  // own their vectors, so they live outside the arena
  std::deque<Table> tables;

  // `node` borrows its operands; a new node gets copies in the arena.
  Expr intern(Node node) {
    node.hash = hash_node(node);
    if (auto found = nodes.find(&node); found != nodes.end()) return *found;
    node.id = static_cast<std::uint32_t>(nodes.size());
    node.depth = 1;
    node.variables = node.op == Op::Index ? filter_bit(node.name) : 0;
    node.arrays = node.op == Op::Read || node.op == Op::Inside ? filter_bit(node.name) : 0;
    node.has_reduce = node.op == Op::Reduce;
    for (Expr a : node.args()) {
      node.depth = std::max(node.depth, a->depth == UINT32_MAX ? a->depth : a->depth + 1);
      node.variables |= a->variables;
      node.arrays |= a->arrays;
      node.has_reduce |= a->has_reduce;
    }
    node.arg_data = arena.copy(node.args()).data();
    if (node.op == Op::Reduce) node.info = &reduces.emplace_back(node.reduce());
    const Expr made = arena.make<Node>(node);
    nodes.insert(made);
    return made;
  }
};

namespace {

Node blank(Op op, DType t, std::span<const Expr> args = {}) {
  return Node{.op = op,
              .dtype = t,
              .arg_count = static_cast<std::uint32_t>(args.size()),
              .id = 0,
              .depth = 1,
              .hash = 0,
              .arg_data = args.data(),
              .bits = 0,
              .name = {},
              .policy = Policy::Error,
              .has_reduce = false,
              .variables = 0,
              .arrays = 0,
              .info = nullptr};
}

}  // namespace

Graph::Graph() : store_(std::make_unique<Store>()) {}
Graph::~Graph() = default;

Symbol Graph::symbol(std::string_view text) { return store_->symbols.intern(text); }

Symbol Graph::fresh_symbol(std::string_view stem) {
  if (!store_->symbols.find(stem)) return symbol(stem);
  std::uint64_t& next = store_->next_fresh[symbol(stem)];
  for (;;) {
    const std::string text = std::string(stem) + "." + std::to_string(++next);
    if (!store_->symbols.find(text)) return symbol(text);
  }
}

Expr Graph::constant(Scalar s) {
  Node n = blank(Op::Const, s.dtype);
  n.bits = Scalar::of_bits(s.dtype, s.bits).bits;
  return store_->intern(n);
}

Expr Graph::index(Symbol variable) {
  Node n = blank(Op::Index, DType::I64);
  n.name = variable;
  return store_->intern(n);
}

Expr Graph::param(Symbol parameter, DType t) {
  Node n = blank(Op::Param, t);
  n.name = parameter;
  return store_->intern(n);
}

Expr Graph::read(Symbol array, DType t, std::span<const Expr> indices, Policy p, Expr fill) {
  check((p == Policy::Value) == (fill != nullptr), "a read with a fill value for `value` alone");
  if (indices.empty()) {  // a scalar is never outside
    p = Policy::Error;
    fill = nullptr;
  }
  std::vector<Expr> args(indices.begin(), indices.end());
  if (fill) args.push_back(fill);
  Node n = blank(Op::Read, t, args);
  n.name = array;
  n.policy = p;
  return store_->intern(n);
}

Expr Graph::inside(Symbol array, std::span<const Expr> indices) {
  Node n = blank(Op::Inside, DType::Bool, indices);
  n.name = array;
  return store_->intern(n);
}

Expr Graph::lookup(const Table* table, Expr index) {
  Node n = blank(Op::Lookup, table->dtype, std::span(&index, 1));
  n.info = table;
  return store_->intern(n);
}

Expr Graph::reduce(ReduceInfo info, std::span<const Expr> args, DType t) {
  check(args.size() > 2 * info.variables.size() + 1, "a reduction with bounds, guard and body");
  Node n = blank(Op::Reduce, t, args);
  n.info = &info;
  return store_->intern(n);
}

Expr Graph::apply(Op op, DType t, std::span<const Expr> args) {
  check(info(op).form != Form::Leaf, "an operation without attribute");
  if (op != Op::Cast && op != Op::BitCast) {
    std::vector<DType> operands;
    for (Expr a : args) operands.push_back(a->dtype);
    const auto result = result_dtype(op, operands);
    if (auto* why = std::get_if<std::string>(&result)) internal_error(*why);
    check(std::get<DType>(result) == t, "the dtype that the typing rule gives");
  }
  return store_->intern(blank(op, t, args));
}

Expr Graph::with_args(Expr e, std::span<const Expr> args) {
  Node n = *e;
  n.arg_data = args.data();
  n.arg_count = static_cast<std::uint32_t>(args.size());
  return store_->intern(n);
}

const Table* Graph::intern(Table table) {
  for (const Table& t : store_->tables)
    if (t.name == table.name) {
      check(t.dtype == table.dtype && t.values == table.values, "one table per name");
      return &t;
    }
  return &store_->tables.emplace_back(std::move(table));
}

std::size_t Graph::node_count() const { return store_->nodes.size(); }
std::size_t Graph::bytes() const {
  return store_->arena.bytes_reserved() + store_->nodes.bucket_count() * sizeof(void*);
}

namespace view {

Unary::Unary(Expr e) : x(e->arg(0)) { check(e->arg_count == 1, "a unary operation"); }
Binary::Binary(Expr e) : left(e->arg(0)), right(e->arg(1)) {
  check(e->arg_count == 2, "a binary operation");
}
Select::Select(Expr e) : cond(e->arg(0)), yes(e->arg(1)), no(e->arg(2)) {
  check(e->op == Op::Select, "a select");
}
Gate::Gate(Expr e) : cond(e->arg(0)), x(e->arg(1)) { check(e->op == Op::Gate, "a gate"); }
Read::Read(Expr e) : array(e->name), policy(e->policy), indices(e->args()), fill(nullptr) {
  check(e->op == Op::Read || e->op == Op::Inside, "a read or bounds test");
  if (e->op == Op::Read && policy == Policy::Value) {
    fill = indices.back();
    indices = indices.first(indices.size() - 1);
  }
}
Reduce::Reduce(Expr e) : info(e->reduce()) {
  const std::size_t n = 2 * info.variables.size();
  bounds = e->args().first(n);
  guard = e->arg(n);
  values = e->args().subspan(n + 1);
}

}  // namespace view
}  // namespace lathe::ir
