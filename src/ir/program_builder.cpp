// SPDX-License-Identifier: Apache-2.0
// The builder does what the parser does after it has read a line: conversions to the target's
// dtype, default orders, ranges inherited from a branch.

#include "ir/program_builder.h"

#include "ir/accumulation_order.h"
#include "ir/labels.h"
#include "ir/literal.h"
#include "ir/typing.h"

namespace lathe::ir {
namespace {

std::vector<Expr> plain(const Build& build, const std::vector<Val>& values) {
  std::vector<Expr> out;
  for (const Val& v : values) out.push_back(v.plain(build));
  return out;
}

const Build* build_of(const Over& over, const std::vector<Val>& values) {
  for (const Val& v : values)
    if (v.build()) return v.build();
  for (const VariableRange& r : over.ranges)
    if (r.variable.build()) return r.variable.build();
  internal_error("a reduction that belongs to a program");
}

// Factors and bodies take one dtype, as operands of an operation do.
std::vector<Expr> promoted(const Build& build, const std::vector<Val>& values) {
  std::vector<OperandKind> kinds;
  for (const Val& v : values)
    kinds.push_back({v.weak() ? std::nullopt : std::optional(v.plain(build)->dtype), v.is_real()});
  const DType t = common_dtype(kinds, false);
  std::vector<Expr> out;
  for (const Val& v : values) out.push_back(v.in(build, t));
  return out;
}

Val make_reduction(Op op, const Over& over, const std::vector<Val>& parts, const How& how) {
  const Build& build = *build_of(over, parts);
  ReduceInfo info;
  info.op = op;
  std::vector<Expr> args;
  for (const VariableRange& r : over.ranges) {
    check(r.variable.expr() && r.variable.expr()->op == Op::Index, "a range over a variable");
    info.variables.push_back(r.variable.expr()->name);
    args.push_back(build.bound(r.lo.plain(build)));
    args.push_back(build.bound(r.hi.plain(build)));
  }
  args.push_back(over.guard.present() ? over.guard.plain(build) : build.boolean(true));
  const std::vector<Expr> values = promoted(build, parts);
  const DType t = values.at(0)->dtype;
  if (!can_accumulate(op, t))
    throw UserError("a reduction with '" + std::string(ir::info(op).spelling) +
                    "' cannot combine " + std::string(name(t)) + " values");
  info.accumulator = how.accumulator.value_or(default_accumulator(t));
  info.order = how.order.value_or(default_order(op, info.accumulator, info.variables, values));
  args.insert(args.end(), values.begin(), values.end());
  return {build, build.graph().reduce(std::move(info), args, t)};
}

}  // namespace

Val Field::read(const std::vector<Val>& indices, Policy policy, const Val& fill) const {
  const Expr outside = fill.present() ? fill.in(*build_, dtype_) : nullptr;
  return {*build_, build_->graph().read(name_, dtype_, plain(*build_, indices), policy, outside)};
}

Val Field::inside(const std::vector<Val>& indices) const {
  return {*build_, build_->graph().inside(name_, plain(*build_, indices))};
}

Val reduce(Op op, const Over& over, const Val& body, const How& how) {
  return make_reduction(op, over, {body}, how);
}

Val contract(const Over& over, const std::vector<Val>& factors, const How& how) {
  return make_reduction(Op::Fma, over, factors, how);
}

namespace {

Program empty_program(std::string_view name, std::shared_ptr<Graph> graph) {
  Program p;
  p.graph = std::move(graph);
  p.sources = std::make_shared<SourceMap>();
  p.name = p.graph->symbol(name);
  p.spans = std::make_shared<SpanTable>();
  return p;
}

}  // namespace

ProgramBuilder::ProgramBuilder(std::string_view name)
    : program_(empty_program(name, std::make_shared<Graph>())),
      own_maker_(std::make_unique<RawMaker>(*program_.graph)),
      build_(*own_maker_),
      body_(&program_.body) {}

ProgramBuilder::ProgramBuilder(std::string_view name, std::shared_ptr<Graph> graph, Maker& maker)
    : program_(empty_program(name, std::move(graph))), build_(maker), body_(&program_.body) {}

Val ProgramBuilder::size(std::string_view name) {
  program_.parameters.push_back({symbol(name), true, DType::I64, next_span_});
  return {build_, program_.graph->param(symbol(name), DType::I64)};
}

Val ProgramBuilder::param(std::string_view name, DType t) {
  program_.parameters.push_back({symbol(name), false, t, next_span_});
  return {build_, program_.graph->param(symbol(name), t)};
}

Field ProgramBuilder::array(Role role, std::string_view name, DType t, Axes axes) {
  Array a;
  a.name = symbol(name);
  a.dtype = t;
  a.role = role;
  for (const AxisSpec& axis : axes)
    a.axes.push_back({symbol(axis.name), build_.bound(axis.lo.plain(build_)),
                      build_.bound(axis.hi.plain(build_))});
  a.span = next_span_;
  program_.arrays.push_back(std::move(a));
  return {build_, symbol(name), t};
}

Field ProgramBuilder::declare(Array array) {
  const Field f(build_, array.name, array.dtype);
  program_.arrays.push_back(std::move(array));
  return f;
}

Field ProgramBuilder::extended_temp(std::string_view name, DType t, Axes axes) {
  const Field f = array(Role::Temp, name, t, axes);
  program_.arrays.back().extended = true;
  return f;
}

Field ProgramBuilder::constant(std::string_view name, DType t, Axes axes,
                               std::vector<Scalar> values) {
  const Field f = array(Role::Const, name, t, axes);
  program_.arrays.back().values = std::move(values);
  return f;
}

std::vector<Val> ProgramBuilder::operands(
    const std::vector<std::pair<std::string_view, DType>>& typed) {
  std::vector<Val> out;
  for (const auto& [name, t] : typed)
    out.push_back({build_, program_.graph->param(symbol(name), t)});
  return out;
}

Symbol ProgramBuilder::add_combiner(std::string_view name,
                                    const std::vector<std::pair<std::string_view, DType>>& left,
                                    const std::vector<std::pair<std::string_view, DType>>& right,
                                    const std::vector<Val>& result, std::vector<Scalar> neutral) {
  Combiner c;
  c.name = symbol(name);
  for (const auto& [operand, t] : left) c.left.push_back({symbol(operand), false, t, {}});
  for (const auto& [operand, t] : right) c.right.push_back({symbol(operand), false, t, {}});
  for (std::size_t k = 0; k < result.size() && k < left.size(); ++k)
    c.result.push_back(stored(result[k], left[k].second));
  c.neutral = std::move(neutral);
  c.span = next_span_;
  program_.combiners.push_back(std::move(c));
  return symbol(name);
}

Val ProgramBuilder::index(std::string_view name) {
  return {build_, program_.graph->index(symbol(name))};
}

Val ProgramBuilder::literal(const Scalar& s) { return {build_, program_.graph->constant(s)}; }

ProgramBuilder& ProgramBuilder::label(std::string_view name) {
  next_label_ = symbol(name);
  return *this;
}

ProgramBuilder& ProgramBuilder::at(Span span) {
  next_span_ = span;
  return *this;
}

void ProgramBuilder::begin(Symbol& label, Span& span) {
  label = std::exchange(next_label_, {});
  span = std::exchange(next_span_, {});
}

Range ProgramBuilder::range(const VariableRange& s) const {
  check(s.variable.expr() && s.variable.expr()->op == Op::Index, "a range over a variable");
  return {s.variable.expr()->name, build_.bound(s.lo.plain(build_)),
          build_.bound(s.hi.plain(build_))};
}

Domain ProgramBuilder::domain(const Over& over) const {
  Domain d;
  for (const VariableRange& s : over.ranges) d.ranges.push_back(range(s));
  if (over.ranges.empty() && inherited_ && !group_) d.ranges = *inherited_;
  if (over.guard.present()) d.guard = over.guard.plain(build_);
  return d;
}

Target ProgramBuilder::target(const Val& v) const {
  check(v.expr() && v.expr()->op == Op::Read, "a target: the read of an array's element");
  return {v.expr()->name, {v.expr()->args().begin(), v.expr()->args().end()}};
}

Expr ProgramBuilder::stored(const Val& v, DType t) const {
  if (v.expr() && !converts_silently(v.expr()->dtype, t))
    throw UserError("a value of " + std::string(name(v.expr()->dtype)) + " is stored as " +
                    std::string(name(t)) + ": convert it with cast()");
  return v.in(build_, t);
}

Statement ProgramBuilder::assignment(const Over& over, const std::vector<Val>& targets) {
  Statement s;
  s.domain = domain(over);
  for (const Val& t : targets) s.targets.push_back(target(t));
  begin(s.label, s.span);
  return s;
}

void ProgramBuilder::add_statement(Statement s) {
  if (group_) {
    group_->statements.push_back(std::move(s));
  } else {
    add({std::move(s)});
  }
}

void ProgramBuilder::statement(const Over& over, const Val& target_value, const Val& value) {
  Statement s = assignment(over, {target_value});
  s.values = {stored(value, target_value.expr()->dtype)};
  add_statement(std::move(s));
}

void ProgramBuilder::finish_accumulation(Statement s, Accumulation a, DType t, const How& how) {
  a.fresh = how.fresh;
  a.dtype = how.accumulator.value_or(a.combiner ? t : default_accumulator(t));
  s.accumulate = a;
  const std::vector<Range>& over = group_ ? group_->domain.ranges : s.domain.ranges;
  s.accumulate->order = how.order.value_or(default_order(s, over));
  add_statement(std::move(s));
}

void ProgramBuilder::accumulate(const Over& over, const Val& target_value, Op op, const Val& value,
                                const How& how) {
  Statement s = assignment(over, {target_value});
  const DType t = target_value.expr()->dtype;
  s.values = {stored(value, t)};
  Accumulation a;
  a.op = op;
  finish_accumulation(std::move(s), a, t, how);
}

void ProgramBuilder::contract(const Over& over, const Val& target_value,
                              const std::vector<Val>& factors, const How& how) {
  Statement s = assignment(over, {target_value});
  const DType t = target_value.expr()->dtype;
  for (const Val& f : factors) s.values.push_back(stored(f, t));
  Accumulation a;
  a.op = Op::Fma;
  finish_accumulation(std::move(s), a, t, how);
}

void ProgramBuilder::accumulate(const Over& over, const std::vector<Val>& targets, Symbol combiner,
                                const std::vector<Val>& values, const How& how) {
  const Combiner* c = program_.find_combiner(combiner);
  check(c != nullptr && c->left.size() == values.size(), "a value per component of the combiner");
  Statement s = assignment(over, targets);
  for (std::size_t k = 0; k < values.size(); ++k)
    s.values.push_back(stored(values[k], c->left[k].dtype));
  Accumulation a;
  a.combiner = combiner;
  finish_accumulation(std::move(s), a, c->left[0].dtype, how);
}

void ProgramBuilder::scan(const Over& over, const VariableRange& along, const Val& target_value,
                          Op op, const Val& value, bool exclusive, bool blocked) {
  Scan scan;
  scan.range = range(along);
  scan.exclusive = exclusive;
  scan.blocked = blocked;
  scan.statement = assignment(over, {target_value});
  const DType t = target_value.expr()->dtype;
  scan.statement.values = {stored(value, t)};
  Accumulation a;
  a.op = op;
  a.order = Order::Seq;
  a.dtype = default_accumulator(t);
  scan.statement.accumulate = a;
  add({std::move(scan)});
}

void ProgramBuilder::call(std::string_view function, const std::vector<Field>& inputs,
                          const std::vector<Field>& outputs) {
  Call c;
  c.function = symbol(function);
  for (const Field& f : inputs) c.inputs.push_back(f.name());
  for (const Field& f : outputs) c.outputs.push_back(f.name());
  begin(c.label, c.span);
  add({std::move(c)});
}

Field ProgramBuilder::local(std::string_view name, DType t) {
  check(group_ != nullptr, "a local inside a group");
  group_->locals.push_back({symbol(name), t});
  return {build_, symbol(name), t};
}

void ProgramBuilder::add_group(Group g) {
  if (g.statements.size() != 1 || !g.locals.empty()) return add({std::move(g)});
  Statement s = std::move(g.statements[0]);
  if (!s.label) s.label = g.label;
  const Expr guard = s.domain.guard;
  s.domain = std::move(g.domain);
  if (guard) s.domain.guard = s.domain.guard ? build_.logical_and(s.domain.guard, guard) : guard;
  add({std::move(s)});
}

Program ProgramBuilder::finish() {
  assign_default_labels(program_);
  return std::move(program_);
}

}  // namespace lathe::ir
