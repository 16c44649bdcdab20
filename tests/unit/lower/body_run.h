// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs tasks one by one, as their contract says, and bodies of Loops, on small memories: the two
// must leave the same bits.

#include <map>
#include <set>
#include <string>
#include <unordered_map>

#include "interp/row_ops.h"
#include "lower/order_body.h"

namespace lathe::lower {

struct Memory {
  struct Contents {
    std::vector<std::int64_t> lo, hi;
    std::vector<ir::Scalar> values;
  };
  std::map<std::string, Contents, std::less<>> buffers;
  std::map<std::string, ir::Scalar, std::less<>> scalars;  // variables of loops, parameters, Vars

  void add(const std::string& name, std::vector<std::int64_t> lo, std::vector<std::int64_t> hi) {
    std::int64_t count = 1;
    for (std::size_t axis = 0; axis < lo.size(); ++axis) count *= hi[axis] - lo[axis];
    buffers[name] = {std::move(lo), std::move(hi),
                     std::vector<ir::Scalar>(static_cast<std::size_t>(count))};
  }
  // Null when the element lies outside.
  ir::Scalar* element(std::string_view buffer, const std::vector<std::int64_t>& indices) {
    Contents& contents = buffers.find(buffer)->second;
    std::int64_t at = 0;
    for (std::size_t axis = 0; axis < indices.size(); ++axis) {
      if (indices[axis] < contents.lo[axis] || indices[axis] >= contents.hi[axis]) return nullptr;
      at = at * (contents.hi[axis] - contents.lo[axis]) + indices[axis] - contents.lo[axis];
    }
    return &contents.values[static_cast<std::size_t>(at)];
  }
};

class Run {
 public:
  using Element = std::pair<std::string, std::vector<std::int64_t>>;

  Run(Memory& memory, bool eager) : memory_(memory), eager_(eager) {}

  bool outside() const { return outside_; }  // read or wrote what is not there
  bool faulted() const { return faulted_; }
  const std::set<Element>& reads() const { return reads_; }
  const std::string& problem() const { return problem_; }

  void tasks(const std::vector<Task>& tasks) {
    for (const Task& task : tasks) {
      memo_.clear();
      sharing_ = true;
      bool happens = true;
      for (ir::Expr condition : task.conditions) {
        if (!happens) break;
        happens = value(condition).as_bool();
      }
      if (stopped()) return;
      if (!happens) continue;
      std::vector<std::int64_t> indices;
      for (ir::Expr index : task.indices) indices.push_back(value(index).as_int());
      const ir::Scalar v = value(task.value);
      if (stopped()) return;
      write(task.target, task.assign, indices, v);
    }
  }

  void body(const loops::Body& body) {
    std::vector<std::string> scope;
    for (const loops::Stmt& stmt : body) {
      if (stopped()) break;
      std::visit([&](const auto& s) { statement(s, scope); }, stmt.node);
    }
    for (const std::string& name : scope) {
      memory_.scalars.erase(name);
      loads_.erase(name);
    }
  }

 private:
  bool stopped() const { return outside_ || faulted_; }

  template <class S>
  void statement(const S&, std::vector<std::string>&) {
    problem_ = "a statement that does not belong here";
  }
  void statement(const loops::Let& s, std::vector<std::string>& scope) {
    define(s.name, s.value, scope);
  }
  void statement(const loops::Var& s, std::vector<std::string>& scope) {
    define(s.name, s.initial, scope);
  }
  void define(ir::Symbol name, ir::Expr e, std::vector<std::string>& scope) {
    const ir::Scalar v = value(e);
    if (!memory_.scalars.emplace(name.text(), v).second) problem_ = "a name twice";
    scope.emplace_back(name.text());
  }
  void statement(const loops::Assign& s, std::vector<std::string>&) {
    const ir::Scalar v = value(s.value);
    if (!stopped()) write(s.name, true, {}, v);
  }
  void statement(const loops::Store& s, std::vector<std::string>&) {
    std::vector<std::int64_t> indices;
    for (ir::Expr index : s.indices) indices.push_back(value(index).as_int());
    const ir::Scalar v = value(s.value);
    if (!stopped()) write(s.buffer, false, indices, v);
  }
  void statement(const loops::If& s, std::vector<std::string>&) {
    if (eager_) problem_ = "an `if` in a flat body";
    const bool holds = value(s.condition).as_bool();
    if (!stopped()) body(holds ? s.then_body : s.else_body);
  }
  void statement(const loops::Fault&, std::vector<std::string>&) { faulted_ = true; }
  void statement(const loops::VectorLoad& s, std::vector<std::string>& scope) {
    std::vector<std::int64_t> indices;
    for (ir::Expr index : s.indices) indices.push_back(value(index).as_int());
    std::vector<ir::Scalar>& values = loads_[std::string(s.name.text())];
    scope.emplace_back(s.name.text());
    for (std::int64_t k = 0; k < s.width; ++k, ++indices.back())
      values.push_back(read(s.from.text(), indices));
  }

  void write(ir::Symbol target, bool assign, const std::vector<std::int64_t>& indices,
             ir::Scalar v) {
    if (assign) {
      const auto found = memory_.scalars.find(target.text());
      if (found == memory_.scalars.end())
        problem_ = "an unknown " + std::string(target.text());
      else
        found->second = v;
      return;
    }
    if (ir::Scalar* at = memory_.element(target.text(), indices))
      *at = v;
    else
      outside_ = true;
  }

  ir::Scalar read(std::string_view buffer, const std::vector<std::int64_t>& indices) {
    reads_.insert({std::string(buffer), indices});
    if (const ir::Scalar* at = memory_.element(buffer, indices)) return *at;
    outside_ = true;
    return {};
  }

  ir::Scalar value(ir::Expr e) {
    if (stopped()) return {e->dtype, 0};
    if (sharing_) {
      const auto found = memo_.find(e);
      if (found != memo_.end()) return found->second;
    }
    const ir::Scalar v = compute(e);
    if (sharing_) memo_.emplace(e, v);
    return v;
  }

  ir::Scalar compute(ir::Expr e) {
    using ir::Op;
    if (e->op == Op::Const) return e->scalar();
    if (e->op == Op::Index || e->op == Op::Param) {
      const auto found = memory_.scalars.find(e->name.text());
      if (found != memory_.scalars.end()) return found->second;
      problem_ = "an unknown " + std::string(e->name.text());
      return {e->dtype, 0};
    }
    std::vector<ir::Scalar> args;
    if (!eager_ && ir::has(e->op, ir::kLazy)) {
      args.push_back(value(e->arg(0)));
      const bool c = args[0].as_bool();
      if (e->op == Op::Select) return value(e->arg(c ? 1 : 2));
      if (e->op == Op::Gate) return c ? value(e->arg(1)) : ir::Scalar::of_int(e->dtype, 0);
      if (c != (e->op == Op::And)) return args[0];
      return value(e->arg(1));
    }
    for (ir::Expr a : e->args()) args.push_back(value(a));
    if (e->op != Op::Read) return ir::Scalar(interp::apply(e->op, e->dtype, args));
    std::vector<std::int64_t> indices;
    for (const ir::Scalar& a : args) indices.push_back(a.as_int());
    const auto load = loads_.find(e->name.text());
    if (load != loads_.end()) return load->second.at(static_cast<std::size_t>(indices.at(0)));
    if (e->policy == ir::Policy::Error && !stopped()) {
      faulted_ = !memory_.element(e->name.text(), indices);
      if (faulted_) return {e->dtype, 0};
    }
    if (stopped()) return {e->dtype, 0};
    return read(e->name.text(), indices);
  }

  Memory& memory_;
  bool eager_;
  bool outside_ = false, faulted_ = false, sharing_ = false;
  std::string problem_;
  std::set<Element> reads_;
  std::unordered_map<ir::Expr, ir::Scalar> memo_;
  std::map<std::string, std::vector<ir::Scalar>, std::less<>> loads_;
};

}  // namespace lathe::lower
