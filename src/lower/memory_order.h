// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which contents of memory a read sees. Tasks happen one after another; each evaluates its
// conditions, indices and value in the memory that those before it left behind.
//
//   0  v[i] = x          0  v[i] = x
//   1  w[i] = v[i] * 2   1  w[i] = x * 2              what was written just before
//   2  where c: v[i] = y 2  where c: v[i] = y
//   3  z[i] = v[i]       3  z[i] = value.1            v[i], after task 2, before the next that
//                                                     may write v[i]
//
// Afterwards equal expressions have equal values, whichever task they stand in: a read that must
// come after some task is a leaf of its own (a Read without indices of a name that nobody else
// has). Stores to one buffer keep their order. Two elements are told apart when on some axis their
// indices differ by a constant.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "lower/conditions.h"
#include "lower/elements.h"
#include "lower/order_body.h"

namespace lathe::lower {

struct MemoryRead {
  Expr source = nullptr;         // a Read, or the Param of a Var
  Expr origin = nullptr;         // as the task had it: what OrderOptions are asked about
  std::uint32_t after = 0;       // 1 + the last task before it that may write the element; 0: none
  std::uint32_t before = kNone;  // the first task after that which may write it
};

struct OrderedTask {
  std::vector<Literal> conditions;  // bounds first; none when flat
  std::size_t domain = 0;           // where so many of them hold, the domain of the task does
  std::vector<Expr> indices;
  Expr value = nullptr;
  std::uint32_t previous = kNone;  // the task before that writes the same buffer or Var
};

class MemoryOrder {
 public:
  MemoryOrder(ir::Maker& maker, const std::vector<Task>& tasks, const OrderOptions& options);

  const std::vector<OrderedTask>& tasks() const { return tasks_; }
  // For a Read of the tasks above. Nothing: it is what it says, and no task writes there.
  const MemoryRead* find(Expr read) const;

 private:
  struct Seen {  // what an expression became
    Expr result = nullptr;
    bool changes = false;     // reads what tasks write
    bool by_context = false;  // what was written under conditions: good for that context alone
    Context context = kAlways;
  };

  void add(const Task& task);
  bool may_end_the_call(Expr test);  // holds a checked read
  Expr rewrite(Expr root);
  Seen rewrite_node(Expr e);
  Seen element(Expr read, Expr origin, std::uint32_t target);
  void forget(std::vector<Expr> exprs);  // and all that is made of them
  std::uint32_t target_of(Symbol name, bool variable) const;
  void find_next_writes();

  ir::Maker& maker_;
  const OrderOptions& options_;
  std::vector<OrderedTask> tasks_;
  std::vector<Context> contexts_of_tasks_;
  std::unordered_map<Symbol, std::uint32_t> buffers_, variables_;  // that tasks write
  std::vector<Elements> elements_;                                 // by target
  std::vector<std::uint32_t> last_task_;                           // by target: 1 + number
  Contexts contexts_;
  Context context_ = kAlways;  // of what is being rewritten
  std::unordered_map<Expr, Seen> seen_;
  std::unordered_map<Expr, std::vector<Expr>> users_;  // of what changes, in seen_
  std::unordered_map<Expr, bool> ends_call_;
  std::unordered_map<Expr, MemoryRead> reads_;
  std::vector<Expr> in_order_;  // keys of reads_
  struct LaterHash {
    std::size_t operator()(const std::pair<Expr, std::uint32_t>& p) const {
      return static_cast<std::size_t>(p.first->hash + p.second * 0x9e3779b97f4a7c15u);
    }
  };
  std::unordered_map<std::pair<Expr, std::uint32_t>, Expr, LaterHash> later_;  // leaf of a read
};

}  // namespace lathe::lower
