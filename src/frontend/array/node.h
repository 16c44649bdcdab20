// SPDX-License-Identifier: Apache-2.0
#pragma once
// The graph of lazy arrays. A Node says what an array is, never how it is computed: an operation,
// operands, a dtype (known at once, NEP 50), a shape of Dims, labels of axes, a wish about storage,
// conditions that its shape needs, and the user's line. Nodes never change, own their operands and
// are hash-consed: equal nodes are one node, so common subexpressions exist once.
//
//   kind       operands          ints                         dims           value
//   Input                        1 if weak                                   text: its name
//   Data                                                                     storage
//   Constant                     1 if weak                                   a Scalar; no axes
//   SizeValue                                                 the size       no axes, i64
//   Iota                                                                     0, 1, 2 ... i64
//   Map        as op asks                                                    op; operands broadcast
//   Cast       x
//   Reduce     x                 axes, ascending                             op
//   Contract   factors           labels of each factor's axes, -1 between    op Fma; then labels
//                                factors and before the result's             of the result
//   Scan       x                 axis, exclusive                             op
//   Scan       a, b              axis, 0                                     op Fma: a linear
//                                recurrence, y[i] = a[i] * y[i-1] + b[i], from 0
//   View       x                 per axis of x: step, from    per axis: start
//                                x[start + step * index[from]]; from -1: x[start]
//   Reshape    x                                                             row-major
//   Roll       x                 per axis of x: shift
//   Update     x, v              per axis of x: step          per axis: start
//                                x, but v[p] at start + step * p
//   Concat     parts             axis
//   Gather     x, indices...     axes of x that are indexed, -1, then position of their axes
//   Scatter    x, v, indices...  like Gather; op Add, or Const to set
//   Call       inputs                                                        text: ir/calls.h
//   Positions  mask                                                          row-major: not 0
//
// Elements of one graph may be used by many threads.

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "frontend/array/dim.h"
#include "ir/dtype.h"
#include "ir/op.h"
#include "ir/scalar.h"

namespace lathe::array {

enum class Kind : std::uint8_t {
  Input,
  Data,
  Constant,
  SizeValue,
  Iota,
  Map,
  Cast,
  Reduce,
  Contract,
  Scan,
  View,
  Reshape,
  Roll,
  Update,
  Concat,
  Gather,
  Scatter,
  Call,
  Positions,
};

// What the user wishes: nothing, one scalar per index tuple of use, or an array of its own.
enum class Pin : std::uint8_t { None, Pin, Cse };

// A line of the user's. The file name lives for ever.
struct Place {
  const std::string* file = nullptr;
  int line = 0;
};
Place make_place(const char* file, int line);
std::string to_text(const Place& place);  // "heat.cpp:12", or nothing

// Memory with elements: element [x...] lies at data + sum(x * stride) bytes.
struct Storage {
  std::byte* data = nullptr;
  std::vector<std::int64_t> extents, strides;
  std::shared_ptr<void> owner;  // null: the caller promises that it stays
};

// What must hold before a program runs, because nobody could prove it. `a` and `b` are lengths of
// the node's operands along `axis` (of the result; -1: not one axis).
struct Condition {
  enum class Rule : std::uint8_t { Equal, Broadcast, AtLeast, Positive, Index } rule;
  Dim a, b;
  int axis = -1;
  friend bool operator==(const Condition&, const Condition&) = default;
};

struct Node;
// Counts references. Dropping the last one of a long chain does not recurse.
class NodeRef {
 public:
  NodeRef() = default;
  explicit NodeRef(const Node* adopted) : node_(adopted) {}  // takes over one reference
  NodeRef(const NodeRef& other);
  NodeRef(NodeRef&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  NodeRef& operator=(NodeRef other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  ~NodeRef();
  const Node* get() const { return node_; }
  const Node* operator->() const { return node_; }
  const Node& operator*() const { return *node_; }
  explicit operator bool() const { return node_ != nullptr; }
  const Node* release() { return std::exchange(node_, nullptr); }
  friend bool operator==(const NodeRef& a, const NodeRef& b) { return a.node_ == b.node_; }

 private:
  const Node* node_ = nullptr;
};

// What somebody remembers about a node, for as long as the node lives. Any number of threads may
// take and keep at once: whoever takes it has it alone.
struct Memo {
  virtual ~Memo() = default;
};
class MemoSlot {
 public:
  MemoSlot() = default;
  ~MemoSlot() { delete memo_.load(std::memory_order_relaxed); }
  MemoSlot(const MemoSlot&) = delete;
  MemoSlot& operator=(const MemoSlot&) = delete;
  std::unique_ptr<Memo> take() const {
    if (!memo_.load(std::memory_order_relaxed)) return nullptr;
    return std::unique_ptr<Memo>(memo_.exchange(nullptr, std::memory_order_acq_rel));
  }
  void keep(std::unique_ptr<Memo> memo) const {
    delete memo_.exchange(memo.release(), std::memory_order_acq_rel);
  }

 private:
  mutable std::atomic<Memo*> memo_{nullptr};
};

// Inputs that somebody may give besides those that a node needs: what it was derived from had them.
// One list for all results of a derivative: it may be as long as they are many.
struct Witnesses {
  std::vector<NodeRef> inputs;  // each once, without wishes, labels and witnesses
  std::unordered_multimap<std::string_view, const Node*> named;  // the same by their names
  std::uint64_t hash = 0;
};

struct Node {
  Kind kind = Kind::Constant;
  ir::DType dtype = ir::DType::F64;
  ir::Op op = ir::Op::Const;
  Pin pin = Pin::None;
  std::vector<NodeRef> operands;
  Shape shape;
  std::vector<std::int64_t> ints;
  std::vector<Dim> dims;
  ir::Scalar value;
  std::string text;                 // Input, Call: a name; others: how the user called it
  std::vector<std::string> labels;  // of axes; none: nobody named one
  std::vector<Condition> conditions;
  std::shared_ptr<const Storage> storage;
  std::shared_ptr<const Witnesses> witnesses;  // null: none
  Place place;                                 // not part of its identity: the first one stays
  MemoSlot memo;

  // Set by intern().
  std::uint64_t hash = 0;
  mutable std::atomic<std::uint32_t> references{1};

  std::size_t rank() const { return shape.size(); }
  bool is_weak() const {
    return (kind == Kind::Constant || kind == Kind::Input) && !ints.empty() && ints[0] != 0;
  }
  std::string_view label(std::size_t axis) const {
    return axis < labels.size() ? std::string_view(labels[axis]) : std::string_view();
  }

  Node() = default;
  Node(Node&& other) noexcept;
};

// The `ints` of a call of "solve" that stands for an inverse.
inline constexpr std::int64_t kSolvesForInverse = 1;
// And for one that is part of the second derivative of det, or of the first of slogdet.
inline constexpr std::int64_t kSolvesForDet = 2, kSolvesForSlogdet = 3;

// The one node that is equal to this one.
NodeRef intern(Node node);
// The same node with another wish or other labels.
NodeRef with_pin(const NodeRef& x, Pin pin);
NodeRef with_labels(const NodeRef& x, std::vector<std::string> labels);
// With these witnesses in place of its own.
NodeRef with_witnesses(const NodeRef& x, std::shared_ptr<const Witnesses> witnesses);
// Without any of these, and made of those operands.
NodeRef plain(const Node& x, std::vector<NodeRef> operands);

// The lists of witnesses that these nodes have, each once.
std::vector<const Witnesses*> witnesses_among(const std::vector<const Node*>& nodes);
// One list of the inputs among these nodes, and of all their witnesses; null: there are none.
std::shared_ptr<const Witnesses> inputs_among(const std::vector<const Node*>& nodes);

}  // namespace lathe::array
