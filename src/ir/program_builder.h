// SPDX-License-Identifier: Apache-2.0
#pragma once
// Programs from C++, as front ends make them. The result is what the parser makes of the same text:
// default labels, default orders, conversions to the dtype of the target.
//
//   ProgramBuilder b("blur");
//   const Val n = b.size("n"), i = b.index("i");
//   const Field u = b.input("u", DType::F64, {{"i", n}});
//   const Field v = b.output("v", DType::F64, {{"i", n}});
//   b.statement({in(i, 1, n - 1)}, v.at(i), (u.at(i - 1) + u.at(i) + u.at(i + 1)) / 3);
//   Program p = b.finish();
//
// A builder must outlive the Vals and Fields that it gave out. Mistakes of types throw UserError;
// everything else is for ir/verify.h to find.

#include <initializer_list>
#include <memory>
#include <string_view>
#include <vector>

#include "ir/program.h"
#include "ir/val.h"

namespace lathe::ir {

// An array of the program. at() is a read, and a target on the left side of a statement.
class Field {
 public:
  Field(const Build& build, Symbol name, DType dtype)
      : build_(&build), name_(name), dtype_(dtype) {}
  Symbol name() const { return name_; }
  DType dtype() const { return dtype_; }

  template <class... Indices>
  Val at(const Indices&... indices) const {
    return read(std::vector<Val>{Val(indices)...}, Policy::Error, {});
  }
  Val read(const std::vector<Val>& indices, Policy policy, const Val& fill = {}) const;
  Val inside(const std::vector<Val>& indices) const;

 private:
  const Build* build_;
  Symbol name_;
  DType dtype_;
};

// lo <= variable < hi.
struct VariableRange {
  Val variable, lo, hi;
};
inline VariableRange in(const Val& variable, const Val& lo, const Val& hi) {
  return {variable, lo, hi};
}

// Ranges and perhaps a guard. Without ranges: one point or, inside a branch or while, its points.
struct Over {
  Over() = default;
  Over(std::initializer_list<VariableRange> spans) : ranges(spans) {}
  Over(std::vector<VariableRange> spans) : ranges(std::move(spans)) {}
  Over where(const Val& g) const {
    Over with = *this;
    with.guard = g;
    return with;
  }
  std::vector<VariableRange> ranges;
  Val guard;
};

// What the program says about an accumulation; what it leaves out follows from its structure.
struct How {
  std::optional<Order> order;
  std::optional<DType> accumulator;
  bool fresh = false;  // statements only
};

// Reductions as values: sum({in(j, 0, m)}, u.at(i, j)).
Val reduce(Op op, const Over& over, const Val& body, const How& how = {});
Val contract(const Over& over, const std::vector<Val>& factors, const How& how = {});
inline Val sum(const Over& o, const Val& x, const How& how = {}) {
  return reduce(Op::Add, o, x, how);
}

struct AxisSpec {
  AxisSpec(std::string_view axis, const Val& extent) : name(axis), lo(0), hi(extent) {}
  AxisSpec(std::string_view axis, const Val& from, const Val& to) : name(axis), lo(from), hi(to) {}
  std::string_view name;
  Val lo, hi;
};
using Axes = std::initializer_list<AxisSpec>;

class ProgramBuilder {
 public:
  // With a graph of its own and a raw maker.
  explicit ProgramBuilder(std::string_view name);
  // Expressions through `maker`, which works on `graph`.
  ProgramBuilder(std::string_view name, std::shared_ptr<Graph> graph, Maker& maker);
  ProgramBuilder(const ProgramBuilder&) = delete;
  ProgramBuilder& operator=(const ProgramBuilder&) = delete;

  Val size(std::string_view name);
  Val param(std::string_view name, DType t);
  Field array(Role role, std::string_view name, DType t, Axes axes = {});
  Field input(std::string_view name, DType t, Axes axes = {}) {
    return array(Role::Input, name, t, axes);
  }
  Field output(std::string_view name, DType t, Axes axes = {}) {
    return array(Role::Output, name, t, axes);
  }
  Field inout(std::string_view name, DType t, Axes axes = {}) {
    return array(Role::InOut, name, t, axes);
  }
  Field state(std::string_view name, DType t, Axes axes = {}) {
    return array(Role::State, name, t, axes);
  }
  Field temp(std::string_view name, DType t, Axes axes = {}) {
    return array(Role::Temp, name, t, axes);
  }
  Field extended_temp(std::string_view name, DType t, Axes axes);
  Field declare(Array array);  // as it is
  Field constant(std::string_view name, DType t, Axes axes, std::vector<Scalar> values);
  // `result` gets the left and the right operands and gives the combined ones.
  template <class F>
  Symbol combiner(std::string_view name, std::vector<std::pair<std::string_view, DType>> left,
                  std::vector<std::pair<std::string_view, DType>> right, F&& result,
                  std::vector<Scalar> neutral) {
    const std::vector<Val> l = operands(left), r = operands(right);
    return add_combiner(name, left, right, result(l, r), std::move(neutral));
  }

  Val index(std::string_view name);  // a loop variable
  Val literal(const Scalar& s);      // a constant with a dtype of its own
  Val value(Expr e) const { return {build_, e}; }
  const Build& build() const { return build_; }
  Graph& graph() const { return *program_.graph; }

  // The label of the item that comes next, and where it was written.
  ProgramBuilder& label(std::string_view name);
  ProgramBuilder& at(Span span);

  void statement(const Over& over, const Val& target, const Val& value);
  void accumulate(const Over& over, const Val& target, Op op, const Val& value,
                  const How& how = {});
  void contract(const Over& over, const Val& target, const std::vector<Val>& factors,
                const How& how = {});
  void accumulate(const Over& over, const std::vector<Val>& targets, Symbol combiner,
                  const std::vector<Val>& values, const How& how = {});
  void scan(const Over& over, const VariableRange& along, const Val& target, Op op,
            const Val& value, bool exclusive = false, bool blocked = false);
  void call(std::string_view function, const std::vector<Field>& inputs,
            const std::vector<Field>& outputs);

  // Bodies are functions that add items to this builder.
  template <class Then>
  void branch(const Over& over, const Val& condition, Then&& then_body) {
    branch(over, condition, then_body, [] {});
  }
  template <class Then, class Else>
  void branch(const Over& over, const Val& condition, Then&& then_body, Else&& else_body) {
    Branch b;
    b.domain = domain(over);
    b.condition = condition.plain(build_);
    begin(b.label, b.span);
    b.then_body = nested(&b.domain.ranges, then_body);
    b.else_body = nested(&b.domain.ranges, else_body);
    add({std::move(b)});
  }
  template <class F>
  void while_(const Over& over, const Val& condition, F&& body) {
    While w;
    w.domain = domain(over);
    w.condition = condition.plain(build_);
    begin(w.label, w.span);
    w.body = nested(&w.domain.ranges, body);
    add({std::move(w)});
  }
  template <class F>
  void sweep(bool forward, const VariableRange& along, F&& body) {
    Sweep s;
    s.range = range(along);
    s.forward = forward;
    begin(s.label, s.span);
    s.body = nested(inherited_, body);
    add({std::move(s)});
  }
  template <class Then>
  void when(const Val& condition, Then&& then_body) {
    when(condition, then_body, [] {});
  }
  template <class Then, class Else>
  void when(const Val& condition, Then&& then_body, Else&& else_body) {
    When w;
    w.condition = condition.plain(build_);
    begin(w.label, w.span);
    w.then_body = nested(inherited_, then_body);
    w.else_body = nested(inherited_, else_body);
    add({std::move(w)});
  }
  template <class F>
  void repeat(const VariableRange& counter, const std::vector<Field>& rotate, const Val& until,
              F&& body) {
    Repeat r;
    r.range = range(counter);
    for (const Field& f : rotate) r.rotate.push_back(f.name());
    if (until.present()) r.until = until.plain(build_);
    begin(r.label, r.span);
    r.body = nested(inherited_, body);
    add({std::move(r)});
  }
  // The statements of `lines` have no ranges of their own; local() declares scalars for one point.
  // One line without locals becomes a plain statement.
  template <class F>
  void group(const Over& over, F&& lines) {
    Group g;
    g.domain = domain(over);
    begin(g.label, g.span);
    Group* const around = std::exchange(group_, &g);
    lines();
    group_ = around;
    add_group(std::move(g));
  }
  Field local(std::string_view name, DType t);

  // Default labels are filled in; the builder is spent.
  Program finish();

 private:
  Symbol symbol(std::string_view text) { return program_.graph->symbol(text); }
  std::vector<Val> operands(const std::vector<std::pair<std::string_view, DType>>& typed);
  Symbol add_combiner(std::string_view name,
                      const std::vector<std::pair<std::string_view, DType>>& left,
                      const std::vector<std::pair<std::string_view, DType>>& right,
                      const std::vector<Val>& result, std::vector<Scalar> neutral);
  Range range(const VariableRange& s) const;
  Domain domain(const Over& over) const;
  Target target(const Val& v) const;
  Expr stored(const Val& v, DType t) const;
  Statement assignment(const Over& over, const std::vector<Val>& targets);
  void finish_accumulation(Statement s, Accumulation a, DType t, const How& how);
  void add_statement(Statement s);
  void add_group(Group g);
  void add(Item item) { body_->push_back(std::move(item)); }
  void begin(Symbol& label, Span& span);

  template <class F>
  Body nested(const std::vector<Range>* inherited, F&& fill) {
    Body inner;
    Body* const around = std::exchange(body_, &inner);
    const std::vector<Range>* const ranges = std::exchange(inherited_, inherited);
    fill();
    body_ = around;
    inherited_ = ranges;
    return inner;
  }

  Program program_;
  std::unique_ptr<Maker> own_maker_;
  Build build_;
  Body* body_;
  const std::vector<Range>* inherited_ = nullptr;
  Group* group_ = nullptr;
  Symbol next_label_;
  Span next_span_;
};

}  // namespace lathe::ir
