// SPDX-License-Identifier: Apache-2.0
// Statements are appended to the body of their block; when all are there, blocks move into their
// `if`s, inner ones first. An `if` that is all that another one holds becomes part of it:
//
//   if 1 <= i:          if 1 <= i and u[i] > 0.0:
//     if u[i] > 0.0:      ...
//       ...

#include "lower/emit_body.h"

#include "base/diagnostics.h"
#include "lower/range_tests.h"

namespace lathe::lower {
namespace {

using ir::Op;

constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

// The comparison that holds where `op` does not; integers have no unordered values.
Op opposite(Op op) {
  switch (op) {
    case Op::Lt: return Op::Ge;
    case Op::Le: return Op::Gt;
    case Op::Gt: return Op::Le;
    case Op::Ge: return Op::Lt;
    case Op::Eq: return Op::Ne;
    default: return Op::Eq;
  }
}

Expr negation(const ir::Build& build, Expr test) {
  if (test->op >= Op::Lt && test->op <= Op::Ne && ir::is_int(test->arg(0)->dtype))
    return build.op(opposite(test->op), test->args());
  if (test->op == Op::Not) return test->arg(0);
  return build.logical_not(test);
}

}  // namespace

BodyEmitter::BodyEmitter(ir::Maker& maker, const std::vector<Task>& tasks,
                         const OrderOptions& options, const BodyGraph& body, const Places& places,
                         const UnitGraph& graph, const Blocks& blocks)
    : maker_(maker),
      build_(maker),
      tasks_(tasks),
      options_(options),
      body_(body),
      places_(places),
      graph_(graph),
      blocks_(blocks),
      bodies_(blocks.size()),
      positions_(blocks.branchings().size(), kNowhere),
      scalars_(graph.register_count(), nullptr),
      channels_(body.nodes().size(), nullptr),
      inside_(body.nodes().size(), nullptr),
      node_of_(graph.register_count(), kNone) {
  for (std::uint32_t n = 0; n < body.nodes().size(); ++n)
    if (graph.register_of(n) != kNone) node_of_[graph.register_of(n)] = n;
}

template <class S>
void BodyEmitter::put(S statement) {
  bodies_[block_].push_back(loops::Stmt{std::move(statement)});
}

Expr BodyEmitter::zero(ir::DType t) const {
  return maker_.graph().constant(ir::Scalar::of_int(t, 0));
}

void BodyEmitter::name(std::uint32_t node) {
  const ir::DType t = body_.expr(node).expr->dtype;
  scalars_[graph_.register_of(node)] = maker_.graph().param(maker_.graph().fresh_symbol("t"), t);
}

loops::Body BodyEmitter::run(const std::vector<std::uint32_t>& order) {
  for (std::uint32_t unit : order) {
    open(blocks_.block_of(unit));
    block_ = blocks_.block_of(unit);
    emit(unit);
  }
  return finish();
}

void BodyEmitter::open(std::uint32_t block) {
  std::vector<std::uint32_t> around;  // branchings to open, innermost first
  for (std::uint32_t b = blocks_.branching_of(block); b != kNone && positions_[b] == kNowhere;
       b = blocks_.branching_of(blocks_.branchings()[b].block))
    around.push_back(b);
  for (; !around.empty(); around.pop_back()) {
    const Branching& branching = blocks_.branchings()[around.back()];
    block_ = branching.block;
    for (std::uint32_t reg : branching.declared) {
      const std::uint32_t node = node_of_[reg];
      if (places_[node] == Place::Channel) {
        for (std::uint32_t n : places_.groups()[places_.group_of(node)]) {
          const ir::DType t = body_.expr(n).expr->dtype;
          channels_[n] = maker_.graph().param(maker_.graph().fresh_symbol("t"), t);
          put(loops::Var{channels_[n]->name, zero(t)});
        }
        continue;
      }
      name(node);
      put(loops::Var{scalars_[reg]->name, zero(scalars_[reg]->dtype)});
    }
    const std::uint32_t test = body_.test(branching.context);
    const Expr condition = blocks_.is_inside_condition(test) ? operation(test) : reference(test);
    positions_[around.back()] = bodies_[block_].size();
    put(loops::If{condition, {}, {}});
  }
}

Expr BodyEmitter::reference(std::uint32_t node) {
  switch (places_[node]) {
    case Place::Free: return body_.expr(node).expr;
    case Place::Inside: return operation(node);
    case Place::Let:
    case Place::Var: return scalars_[graph_.register_of(node)];
    case Place::Channel: return channels_[node];
  }
  internal_error("a place");
}

Expr BodyEmitter::operation(std::uint32_t node) {
  std::vector<std::pair<std::uint32_t, bool>> stack = {{node, false}};
  while (!stack.empty()) {
    const auto [n, ready] = stack.back();
    stack.pop_back();
    if (ready) {
      inside_[n] = rebuild(n);
      continue;
    }
    stack.push_back({n, true});
    for (std::uint32_t operand : body_.operands(n))
      if (places_[operand] == Place::Inside) stack.push_back({operand, false});
  }
  return inside_[node];
}

Expr BodyEmitter::rebuild(std::uint32_t node) {
  const Expr source = body_.exprs().source(body_.nodes()[node].number);
  std::vector<Expr> args;
  for (std::uint32_t operand : body_.operands(node))
    args.push_back(places_[operand] == Place::Inside ? inside_[operand] : reference(operand));
  if (source->op == Op::Read)
    return maker_.graph().read(source->name, source->dtype, args, ir::Policy::Trusted);
  if (std::equal(args.begin(), args.end(), source->args().begin(), source->args().end()))
    return source;
  return maker_.remake(source, args);
}

void BodyEmitter::emit(std::uint32_t unit) {
  const Unit& u = graph_.units()[unit];
  switch (u.kind) {
    case Unit::Kind::Let: return emit_let(u.what);
    case Unit::Kind::Declare: return emit_declare(u.what);
    case Unit::Kind::Yes:
    case Unit::Kind::No: {
      const Expr value = reference(body_.operands(u.what)[u.kind == Unit::Kind::Yes ? 0 : 1]);
      return put(loops::Assign{scalars_[graph_.register_of(u.what)]->name, value});
    }
    case Unit::Kind::Load: return emit_load(u.what);
    case Unit::Kind::Task: return emit_task(u.what);
    case Unit::Kind::Never:
    case Unit::Kind::Enter: break;
  }
  internal_error("a unit that is a statement");
}

void BodyEmitter::emit_let(std::uint32_t node) {
  if (blocks_.is_inside_condition(node)) return;
  emit_fault(node);
  const Expr value = operation(node);
  const std::uint32_t reg = graph_.register_of(node);
  if (blocks_.is_declared_outside(reg)) return put(loops::Assign{scalars_[reg]->name, value});
  name(node);
  put(loops::Let{scalars_[reg]->name, value});
}

void BodyEmitter::emit_fault(std::uint32_t node) {
  const std::uint32_t number = body_.nodes()[node].number;
  const Expr source = body_.exprs().source(number);
  if (!places_.is_tested(node)) return;
  const std::uint64_t open = places_.open_tests(node);
  std::vector<Expr> indices, values, tests;
  for (std::uint32_t index : body_.operands(node)) indices.push_back(reference(index));
  const Expr origin = body_.exprs().origin(number);
  if (options_.is_watched && (*options_.is_watched)(origin))
    return (*options_.watch)(origin, indices, bodies_[block_]);
  for (Expr index : indices) values.push_back(build_.cast(ir::DType::I64, index));
  const std::vector<Expr> all = range_tests(maker_, (*options_.axes_of)(source->name), indices);
  for (std::size_t k = 0; k < all.size(); ++k)
    if (open >> k & 1) tests.push_back(all[k]);
  const Expr outside = build_.logical_not(conjunction(maker_, tests));
  loops::Body fault;
  fault.push_back({loops::Fault{(*options_.site_of)(origin), values}});
  put(loops::If{outside, std::move(fault), {}});
}

void BodyEmitter::emit_declare(std::uint32_t node) {
  const BodyNode& branch = body_.nodes()[node];
  const auto operands = body_.operands(node);
  Expr initial = zero(body_.expr(node).expr->dtype);
  if (branch.yes == kNone) initial = reference(operands[0]);
  if (branch.no == kNone) initial = reference(operands[1]);
  const std::uint32_t reg = graph_.register_of(node);
  if (blocks_.is_declared_outside(reg)) return put(loops::Assign{scalars_[reg]->name, initial});
  name(node);
  put(loops::Var{scalars_[reg]->name, initial});
}

void BodyEmitter::emit_load(std::uint32_t group) {
  const auto& nodes = places_.groups()[group];
  const Expr source = body_.exprs().source(body_.nodes()[nodes[0]].number);
  std::vector<Expr> indices;
  for (std::uint32_t index : body_.operands(nodes[0])) indices.push_back(reference(index));
  const bool scalars = blocks_.is_declared_outside(graph_.register_of(nodes[0]));
  const ir::Symbol load = scalars ? ir::Symbol() : maker_.graph().fresh_symbol("t");
  for (std::size_t channel = 0; channel < nodes.size(); ++channel) {
    const Expr number = build_.integer(static_cast<std::int64_t>(channel));
    if (!scalars) {
      channels_[nodes[channel]] =
          maker_.graph().read(load, source->dtype, std::span(&number, 1), ir::Policy::Trusted);
      continue;
    }
    std::vector<Expr> element = indices;
    if (channel > 0) element.back() = build_.add(indices.back(), number);
    put(loops::Assign{
        channels_[nodes[channel]]->name,
        maker_.graph().read(source->name, source->dtype, element, ir::Policy::Trusted)});
  }
  if (!scalars)
    put(loops::VectorLoad{load, source->name, indices, static_cast<std::int64_t>(nodes.size())});
}

void BodyEmitter::emit_task(std::uint32_t number) {
  const Task& task = tasks_[number];
  const BodyTask& place = body_.tasks()[number];
  const Expr value = reference(place.value);
  if (task.assign) return put(loops::Assign{task.target, value});
  std::vector<Expr> indices;
  for (std::uint32_t index : place.indices) indices.push_back(reference(index));
  put(loops::Store{task.target, std::move(indices), value, task.stream});
}

void BodyEmitter::simplify(loops::If& branch) {
  if (branch.then_body.empty()) {
    branch.condition = negation(build_, branch.condition);
    branch.then_body.swap(branch.else_body);
  }
  if (branch.then_body.size() != 1 || !branch.else_body.empty()) return;
  auto* inner = std::get_if<loops::If>(&branch.then_body[0].node);
  if (!inner || !inner->else_body.empty()) return;
  branch.condition = build_.logical_and(branch.condition, inner->condition);
  loops::Body body = std::move(inner->then_body);
  branch.then_body = std::move(body);
}

loops::Body BodyEmitter::finish() {
  for (std::size_t b = blocks_.branchings().size(); b-- > 0;) {
    const Branching& branching = blocks_.branchings()[b];
    auto& branch = std::get<loops::If>(bodies_[branching.block][positions_[b]].node);
    if (branching.holds != kNone) branch.then_body = std::move(bodies_[branching.holds]);
    if (branching.fails != kNone) branch.else_body = std::move(bodies_[branching.fails]);
    simplify(branch);
  }
  return std::move(bodies_[0]);
}

}  // namespace lathe::lower
