// SPDX-License-Identifier: Apache-2.0
// One expression of a kernel, as a list of nodes with operands before users. In a vector loop, and
// where nothing is lazy, all nodes run in that order. Otherwise a node runs when somebody wants its
// value:
//
//   select(c, u[i], 0)     c first; u[i] only if it holds
//
// The operation of a lazy node may then be applied to an operand that holds an old value: the
// result does not depend on it.

#include <cstring>

#include "interp/loops_machine.h"
#include "ir/traverse.h"

namespace lathe::interp {

using ir::Op;

LaneExpr::LaneExpr(Frame& frame, const Scope& scope, Expr root, std::size_t lanes, bool eager)
    : frame_(&frame), lanes_(lanes) {
  std::unordered_map<Expr, Id> numbers;
  for (Expr e : ir::post_order(root)) {
    add(scope, e, numbers);
    numbers.emplace(e, static_cast<Id>(nodes_.size() - 1));
    lazy_ = lazy_ || (!eager && ir::has(e->op, ir::kLazy));
  }
  if (lazy_) done_.assign(nodes_.size(), 0);
}

void* LaneExpr::own_row(DType t) {
  const std::size_t words = (lanes_ * ir::size_bytes(t) + 7) / 8;
  blocks_.push_back(std::make_unique<std::uint64_t[]>(words));  // zero: no bool is ever 2
  return blocks_.back().get();
}

void LaneExpr::add(const Scope& scope, Expr e, const std::unordered_map<Expr, Id>& numbers) {
  Node node;
  node.dtype = e->dtype;
  node.op = e->op;
  node.first_arg = static_cast<std::uint32_t>(args_.size());
  node.arg_count = e->arg_count;
  for (Expr a : e->args()) args_.push_back(numbers.at(a));
  rows_.push_back(nullptr);
  storage_.push_back(nullptr);
  if (e->arg_count == 0) {
    add_leaf(scope, e, node);
  } else {
    node.kind = e->op == Op::Read ? Kind::Read : Kind::Apply;
    if (e->op == Op::Read)
      node.place = scope.at(e->name).array;
    else
      node.function = RowFunction(e->op, e->arg(e->arg_count - 1)->dtype, e->dtype);
    rows_.back() = storage_.back() = own_row(e->dtype);
  }
  nodes_.push_back(std::move(node));
}

void LaneExpr::add_leaf(const Scope& scope, Expr e, Node& node) {
  if (e->op == Op::Const) {
    auto* row = static_cast<std::byte*>(own_row(e->dtype));
    for (std::size_t p = 0; p < lanes_; ++p) e->scalar().store(row + p * ir::size_bytes(e->dtype));
    rows_.back() = row;
    return;
  }
  if (e->op == Op::Read) {
    node.kind = Kind::Read;
    node.place = scope.at(e->name).array;
    rows_.back() = storage_.back() = own_row(e->dtype);
    return;
  }
  node.place = scope.at(e->name).slot;
  const Slot& slot = frame_->slots[node.place];
  if (lanes_ == 1 || slot.per_lane) {
    rows_.back() = slot.row.data();
  } else {
    node.kind = Kind::Spread;
    rows_.back() = storage_.back() = own_row(e->dtype);
  }
}

const void* LaneExpr::run(std::size_t n) {
  if (lazy_) {
    run_on_demand();
  } else {
    for (Id v = 0; v < nodes_.size(); ++v) compute(v, n);
  }
  return rows_.back();
}

void LaneExpr::run_on_demand() {
  ++run_;
  stack_.assign(1, static_cast<Id>(nodes_.size() - 1));
  while (!stack_.empty()) {
    const Id v = stack_.back();
    const Id missing = done_[v] == run_ ? kNone : wanted(nodes_[v]);
    if (missing != kNone) {
      stack_.push_back(missing);
      continue;
    }
    if (done_[v] != run_) compute(v, 1);
    done_[v] = run_;
    stack_.pop_back();
  }
}

// The first operand that the node needs and does not have.
Id LaneExpr::wanted(const Node& node) const {
  const Id* args = args_.data() + node.first_arg;
  const bool chooses = ir::has(node.op, ir::kLazy);
  for (std::uint32_t a = 0; a < node.arg_count; ++a) {
    if (done_[args[a]] == run_) continue;
    if (a == 0 || !chooses) return args[a];
    const bool condition = *static_cast<const std::uint8_t*>(rows_[args[0]]) != 0;
    const bool counts = node.op == Op::Select ? condition == (a == 1)
                        : node.op == Op::Or   ? !condition
                                              : condition;
    if (counts) return args[a];
  }
  return kNone;
}

void LaneExpr::compute(Id v, std::size_t n) {
  const Node& node = nodes_[v];
  switch (node.kind) {
    case Kind::Fixed: return;
    case Kind::Spread: {
      const std::size_t size = ir::size_bytes(node.dtype);
      const void* from = frame_->slots[node.place].row.data();
      for (std::size_t p = 0; p < n; ++p)
        std::memcpy(static_cast<std::byte*>(storage_[v]) + p * size, from, size);
      return;
    }
    case Kind::Read: return read(node, storage_[v], n);
    case Kind::Apply: {
      const void* operands[3];
      for (std::uint32_t a = 0; a < node.arg_count; ++a)
        operands[a] = rows_[args_[node.first_arg + a]];
      node.function(operands, storage_[v], n);
      frame_->space.operations += n;
      return;
    }
  }
}

namespace {

std::int64_t integer_at(DType t, const void* row, std::size_t p) {
  if (t == DType::I64) return static_cast<const std::int64_t*>(row)[p];
  return ir::Scalar::load(t, static_cast<const std::byte*>(row) + p * ir::size_bytes(t)).as_int();
}

}  // namespace

std::int64_t LaneExpr::integer(std::size_t lane) const {
  return integer_at(dtype(), rows_.back(), lane);
}

void LaneExpr::read(const Node& node, void* out, std::size_t n) {
  const std::size_t size = ir::size_bytes(node.dtype);
  const RunArray& array = frame_->space.array(node.place);
  index_.resize(node.arg_count);
  for (std::size_t p = 0; p < n; ++p) {
    for (std::uint32_t x = 0; x < node.arg_count; ++x) {
      const Id operand = args_[node.first_arg + x];
      index_[x] = integer_at(nodes_[operand].dtype, rows_[operand], p);
    }
    const std::int64_t offset = frame_->offset(node.place, index_, "reads", p);
    if (frame_->checked) frame_->check_read(node.place, offset, p);
    std::memcpy(static_cast<std::byte*>(out) + p * size, array.element(offset), size);
  }
  frame_->space.operations += n;
}

}  // namespace lathe::interp
