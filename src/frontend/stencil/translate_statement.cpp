// SPDX-License-Identifier: Apache-2.0
// Statements. Each assignment is one statement of the program: it reads everything before it writes
// anything, which is document 004's rule 4.

#include <algorithm>

#include "base/quoted.h"
#include "frontend/stencil/translator.h"
#include "ir/traverse.h"

namespace lathe::stencil {

using python::ExprKind;
using python::StmtKind;
using Kind = Value::Kind;

void Translator::statements(python::StmtList body) {
  for (const python::Stmt* s : body) {
    try {
      statement(*s);
    } catch (const UserError& e) {
      Diagnostic d = e.diagnostic();
      for (const Frame* f = frame_; f && f->caller; f = f->caller)
        d.note("in function " + quoted(f->function->name) + ", which is called here", f->call);
      diagnostics_.add(std::move(d));
      note_broken(*s);
    } catch (const FollowsMistake&) {
      note_broken(*s);
    }
    reads_ = nullptr;
    lazy_ = false;
  }
}

void Translator::statement(const python::Stmt& s) {
  switch (s.kind) {
    case StmtKind::Assign: {
      const auto& a = s.as<python::Assign>();
      if (a.targets.size() > 1)
        fail(s.span, "assignment to several variables at once is not supported",
             "write one assignment for each");
      if (const auto* t = a.targets[0]->try_as<python::Tuple>())
        return assign_tuple(t->elements, *a.value, s.span);
      return assign(*a.targets[0], *a.value, s.span);
    }
    case StmtKind::AugAssign: return augmented(s.as<python::AugAssign>());
    case StmtKind::AnnAssign: return annotated(s.as<python::AnnAssign>());
    case StmtKind::If: return conditional(s.as<python::If>());
    case StmtKind::While: return while_loop(s.as<python::While>());
    case StmtKind::With: return horizontal(s.as<python::With>());
    case StmtKind::ImportFrom: return import_externals(s.as<python::ImportFrom>(), *frame_);
    case StmtKind::Pass: return;
    case StmtKind::ExprStmt: {
      const Node& e = *s.as<python::ExprStmt>().value;
      if (const auto* c = e.try_as<python::Call>();
          c && last_name(*c->function) == "compile_assert")
        return compile_assert(*c);
      if (const auto* c = e.try_as<python::Constant>(); c && c->what == python::ConstantKind::Str)
        return;
      fail(s.span, "this expression does nothing", "assign it to a field");
    }
    case StmtKind::For:
      fail(s.span, "'for' is not a statement of GTScript",
           "levels are looped over by FORWARD and BACKWARD computations; 'while' repeats at a "
           "point");
    case StmtKind::Return:
      fail(s.span, "'return' stands at the end of a function only",
           "a stencil returns nothing: assign to one of its fields");
    case StmtKind::Break:
    case StmtKind::Continue:
      fail(s.span, "'break' and 'continue' are not statements of GTScript",
           "let the condition of the loop become false");
    default:
      fail(s.span, "this statement is not one of GTScript",
           "assignments, 'if', 'while' and 'with horizontal(...)' can stand here");
  }
}

// --- Assignments.

namespace {

bool mentions(const python::Expr& e, std::string_view name) {
  switch (e.kind) {
    case ExprKind::Name: return e.as<python::Name>().name == name;
    case ExprKind::Attribute: return mentions(*e.as<python::Attribute>().value, name);
    case ExprKind::Subscript: {
      const auto& s = e.as<python::Subscript>();
      return mentions(*s.value, name) || mentions(*s.index, name);
    }
    case ExprKind::UnaryOp: return mentions(*e.as<python::UnaryOp>().operand, name);
    case ExprKind::BinOp: {
      const auto& b = e.as<python::BinOp>();
      return mentions(*b.left, name) || mentions(*b.right, name);
    }
    case ExprKind::Constant: return false;
    default: return true;  // not worth the look: a temporary more
  }
}

std::string_view base_name(const python::Expr& target) {
  const python::Expr* e = &target;
  while (true) {
    if (const auto* s = e->try_as<python::Subscript>())
      e = s->value;
    else if (const auto* a = e->try_as<python::Attribute>())
      e = a->value;
    else
      break;
  }
  const auto* name = e->try_as<python::Name>();
  return name ? name->name : std::string_view();
}

}  // namespace

void Translator::assign(const Node& target, const Node& value, Span span) {
  if (assign_vector(target, value, span)) return;
  std::vector<FieldRead> reads;
  reads_ = &reads;
  const ir::Expr e = expr(value);
  const auto* name = target.try_as<python::Name>();
  const Variable* known = name ? find(name->name) : nullptr;
  if (name && (!known || known->kind == Variable::Kind::Constant))
    remark_type(name->name, value, e->dtype, span);
  store(target, e, std::move(reads), span);
}

// All values before any target, as in Python: a, b = b, a swaps.
void Translator::assign_tuple(python::ExprList targets, const Node& value, Span span) {
  std::vector<ir::Expr> results;
  std::vector<FieldRead> call_reads;
  const auto* c = value.try_as<python::Call>();
  if (const auto f = c ? function_of(*c) : std::nullopt) {
    reads_ = &call_reads;
    results = splice(*c, *f);
    if (results.size() != targets.size())
      fail(span, "number of return values does not match: " + quoted(f->function->name) +
                     " returns " + std::to_string(results.size()) + ", and " +
                     std::to_string(targets.size()) + " are assigned");
    // Each value may read what another target is about to become.
    bool direct = true;
    for (const Node* t : targets) {
      const Variable* v = find(base_name(*t));
      if (v && v->kind == Variable::Kind::Field)
        for (const FieldRead& r : call_reads) direct = direct && r.field != v->index;
    }
    if (direct) {
      for (std::size_t i = 0; i < targets.size(); ++i)
        store(*targets[i], results[i], call_reads, span);
      return;
    }
  } else {
    const auto* values = value.try_as<python::Tuple>();
    if (!values || values->elements.size() != targets.size())
      fail(span,
           "an assignment to " + std::to_string(targets.size()) + " targets needs as many values",
           values ? "there are " + std::to_string(values->elements.size()) + " values"
                  : "write a, b = x, y, or a, b = f(x) where f returns as many");
    bool direct = true;
    for (std::size_t i = 0; i < targets.size(); ++i)
      for (std::size_t later = i + 1; later < targets.size(); ++later)
        direct = direct && !mentions(*values->elements[later], base_name(*targets[i]));
    if (direct) {
      for (std::size_t i = 0; i < targets.size(); ++i)
        assign(*targets[i], *values->elements[i], span);
      return;
    }
    for (const Node* v : values->elements) {
      reads_ = &call_reads;
      results.push_back(expr(*v));
    }
  }
  remark_order(targets, results, span);
  std::vector<std::size_t> fields;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const std::size_t field = new_field(std::string(base_name(*targets[i])) + "_swap",
                                        {results[i]->dtype, true, false, "IJK", {}}, false, span);
    declare_array(fields_[field]);
    Place p;
    p.field = field;
    p.span = span;
    store(p, results[i], call_reads, span);
    fields.push_back(field);
  }
  for (std::size_t i = 0; i < targets.size(); ++i) {
    std::vector<FieldRead> reads;
    reads_ = &reads;
    Place p;
    p.field = fields[i];
    p.span = span;
    const ir::Expr e = read(p);
    store(*targets[i], e, std::move(reads), span);
  }
}

void Translator::augmented(const python::AugAssign& a) {
  if (!shape(*a.target).empty() || !shape(*a.value).empty())
    fail(a.span, "an augmented assignment to a whole vector or matrix is not supported",
         "write it out: v = v + w");
  std::vector<FieldRead> reads;
  reads_ = &reads;
  const ir::Expr old = expr(*a.target), value = expr(*a.value);
  const ir::Expr result = binary(a.op, old, value, a.span);
  store(*a.target, result, std::move(reads), a.span);
}

void Translator::annotated(const python::AnnAssign& a) {
  const auto* name = a.target->try_as<python::Name>();
  if (!name) fail(a.span, "only a name can be given a type");
  const Variable* const v0 = find(name->name);
  // The body of several regions is repeated, with its declarations.
  if (v0 && v0->kind == Variable::Kind::Field && fields_[v0->index].span == a.target->span)
    return assign(*a.target, *a.value, a.span);
  if (v0 && v0->kind != Variable::Kind::Constant)
    fail(a.span, quoted(name->name) + " has a type already",
         "give the type at the first assignment");
  FieldType type = type_of(*a.annotation, name->name);
  if (type.table) fail(a.annotation->span, "a temporary is not a table");
  if (!type.is_field) type.axes = "IJK";
  if (!type.is_field && ir::is_bool(type.dtype) == false && ir::size_bytes(type.dtype) < 4)
    fail(a.annotation->span,
         "temporary " + quoted(name->name) + " is " + std::string(python_name(type.dtype)) +
             ", but a typed temporary is int32, int64, float32 or float64",
         "write " + std::string(name->name) + ": int32");
  if (type.is_field && type.axes != "IJK" && type.axes != "IJ")
    fail(a.annotation->span, "typed temporaries are over I, J and K, or over I and J",
         "write Field[IJ, float], or Field[float]");
  if (!a.value)
    fail(a.span, "temporary " + quoted(name->name) + " is declared without a value",
         "write " + std::string(name->name) + ": ... = 0");
  Variable v;
  v.kind = Variable::Kind::Field;
  v.index = new_field(name->name, type, false, a.target->span);
  declare_array(fields_[v.index]);
  frame_->names.insert_or_assign(std::string(name->name), std::move(v));
  assign(*a.target, *a.value, a.span);
}

// An int made of constants alone.
bool is_int_literal(ir::Expr e) {
  if (!ir::is_int(e->dtype)) return false;
  std::vector<ir::Expr> open = {e};
  while (!open.empty()) {
    const ir::Expr at = open.back();
    open.pop_back();
    if (at->arg_count == 0 && !ir::is_const(at)) return false;
    for (std::size_t n = 0; n < at->arg_count; ++n) open.push_back(at->arg(n));
  }
  return true;
}

// t = 0, then t = 0.5: nobody means 0.
void Translator::check_narrowing(const FieldVar& f, ir::Expr value, Span span) const {
  if (!f.int_literal || !ir::is_float(value->dtype)) return;
  Diagnostic d{Severity::Error,
               "temporary " + quoted(f.name) + " is " + std::string(python_name(f.dtype)) +
                   ", as its first value is, and a " + std::string(python_name(value->dtype)) +
                   " that is assigned to it would be cut to an integer",
               span,
               {},
               "write " + f.name + " = 0.0 there, or declare it: " + f.name + ": " +
                   std::string(python_name(f.dtype)) + " = 0"};
  throw UserError(d.note("its first value is here", f.span));
}

Translator::Place Translator::target_place(const Node& target, ir::Expr value, Span span) {
  if (const auto* name = target.try_as<python::Name>()) {
    const Variable* v = find(name->name);
    if (v && v->kind == Variable::Kind::Scalar)
      fail(span, "scalar " + quoted(name->name) + " cannot be assigned",
           "scalars are read only; assign to a temporary of another name");
    if (!v || v->kind == Variable::Kind::Constant) {
      // A temporary, with the dtype of its first value.
      Variable fresh;
      fresh.kind = Variable::Kind::Field;
      fresh.index =
          new_field(name->name, {value->dtype, true, false, "IJK", {}}, false, target.span);
      fields_[fresh.index].int_literal = is_int_literal(value);
      declare_array(fields_[fresh.index]);
      frame_->names.insert_or_assign(std::string(name->name), std::move(fresh));
    }
  }
  if (frame_->caller && target.kind != ExprKind::Name)
    fail(target.span, "unsupported assignment target: in a function only names are assigned",
         "return the value, and assign it where the function is called");
  const auto p = place(target);
  if (!p) fail(target.span, "unsupported assignment target", "assign to a field or a name");
  return *p;
}

void Translator::store(const Node& target, ir::Expr value, std::vector<FieldRead> reads,
                       Span span) {
  reads_ = &reads;  // indices of the target are read, too
  const Place p = target_place(target, value, span);
  check_narrowing(fields_[p.field], value, span);
  store(p, value, std::move(reads), span);
}

void Translator::store(const Place& target, ir::Expr value, std::vector<FieldRead> reads,
                       Span span) {
  FieldVar& f = fields_[target.field];
  if (f.table)
    fail(target.span, "table " + quoted(f.name) + " is read only",
         "a field with data dimensions can be written: Field[(float, (3,))]");
  if (target.offset[0] != 0 || target.offset[1] != 0)
    fail(target.span, "assignment to non-zero offsets is not supported in I and J",
         "write at the point itself, and read with the opposite offset");
  if (target.level != 0 && block_.order == Order::Parallel)
    fail(target.span, "assignment to another level of K in a PARALLEL computation",
         "only FORWARD and BACKWARD computations have an order of levels");
  const bool lacks =
      !f.has_axis[0] || !f.has_axis[1] || (!f.has_axis[2] && block_.order == Order::Parallel);
  if (lacks) {
    std::string axes;
    for (std::size_t a = 0; a < 3; ++a)
      if (f.has_axis[a]) axes += kAxisNames[a];
    fail(target.span,
         "cannot assign to " + quoted(f.name) + ", which lies over " +
             (axes.empty() ? "no axis" : axes) + ": many points would write one element",
         f.has_axis[0] && f.has_axis[1]
             ? "in a FORWARD or BACKWARD computation fields over I and J "
               "can be written"
             : "a field that is written lies over I and J at least");
  }
  for (const FieldRead& bound : block_.guard_reads)
    if (bound.field == target.field)
      fail(target.span, quoted(f.name) + " is written in the interval that it bounds",
           "copy it to another field first, and let that one bound the interval");
  f.written = true;
  f.partly |= block_.inside || block_.region || block_.guard || !block_.levels.full() ||
              target.level != 0 || !f.dims.empty();
  if (target.data.size() != f.dims.size())
    fail(target.span, quoted(f.name) + " has data dimensions, but no data index is given");
  Step s = step(Step::Kind::Assign, span, std::move(reads));
  s.target = target.field;
  s.target_level = target.level;
  steps_->push_back(std::move(s));
  builder_.at(span);
  builder_.statement(over(), builder_.value(array_element(target)),
                     builder_.value(cast(f.dtype, value)));
}

// --- Where statements run.

ir::Expr Translator::region_guard() const {
  if (!block_.region) return nullptr;
  const ir::Build& build = builder_.build();
  ir::Expr guard = nullptr;
  const auto also = [&](ir::Expr e) { guard = guard ? build.logical_and(guard, e) : e; };
  const ir::Expr index[2] = {i_.expr(), j_.expr()}, size[2] = {ni_.expr(), nj_.expr()};
  for (std::size_t a = 0; a < 2; ++a) {
    const auto value = [&](const Edge& e) { return Extent(e, e).lo(build, size[a]); };
    if (block_.region->lo[a]) also(build.le(value(*block_.region->lo[a]), index[a]));
    if (block_.region->hi[a]) also(build.lt(index[a], value(*block_.region->hi[a])));
  }
  return guard;
}

ir::Over Translator::over() const {
  const ir::Build& build = builder_.build();
  const Extent levels(block_.levels.lo, block_.levels.hi);
  std::vector<ir::VariableRange> ranges;
  for (char c : options_.layout) {
    if (c == 'I') ranges.push_back(ir::in(i_, 0, ni_));
    if (c == 'J') ranges.push_back(ir::in(j_, 0, nj_));
    if (c == 'K' && block_.order == Order::Parallel)
      ranges.push_back(ir::in(k_, builder_.value(levels.lo(build, nk_.expr())),
                              builder_.value(levels.hi(build, nk_.expr()))));
  }
  ir::Over over(std::move(ranges));
  ir::Expr guard = region_guard();
  if (block_.guard) guard = guard ? build.logical_and(block_.guard, guard) : block_.guard;
  if (guard) over.guard = builder_.value(guard);
  return over;
}

Step Translator::step(Step::Kind kind, Span span, std::vector<FieldRead> reads) const {
  Step s;
  s.kind = kind;
  s.span = span;
  s.reads = std::move(reads);
  if (kind != Step::Kind::Sweep)
    s.reads.insert(s.reads.end(), block_.guard_reads.begin(), block_.guard_reads.end());
  s.levels = block_.levels;
  s.region = block_.region;
  return s;
}

// --- Conditionals and loops.

// Functions are spliced in before the statement, which is too early for the test of a loop.
ir::Expr Translator::test_of(const Node& e, std::string_view of) {
  no_calls_ = of;
  try {
    const ir::Expr test = condition(e, of);
    no_calls_ = {};
    return test;
  } catch (...) {
    no_calls_ = {};
    throw;
  }
}

void Translator::conditional(const python::If& s) {
  if (const auto* c = s.condition->try_as<python::Call>();
      c && last_name(*c->function) == "__INLINED") {
    const Value v = c->arguments.size() == 1 ? constant(*c->arguments[0]) : Value::unknown("");
    if (v.is(Kind::Unknown))
      fail(s.condition->span,
           "evaluation of the compile-time 'if' condition failed" +
               (v.text.empty() ? "" : ": it holds " + v.text),
           "__INLINED takes an expression of constants and externals");
    return statements(truth(v) ? s.body : s.otherwise);
  }
  std::vector<FieldRead> reads;
  reads_ = &reads;
  const ir::Expr test = test_of(*s.condition, "if");
  const bool by_level = block_.order == Order::Parallel && ir::mentions(test, k_.expr()->name);
  const bool scalar =
      ir::reads(test).empty() && !by_level && !block_.inside && !block_.guard && !block_.region;
  Step branch = step(Step::Kind::Branch, s.span, std::move(reads));
  std::vector<Step>* const outer = steps_;
  const Block around = block_;
  const auto side = [&](std::vector<Step>& to, python::StmtList body) {
    steps_ = &to;
    block_ = around;
    block_.inside = around.inside || !scalar;
    statements(body);
    block_ = around;
    steps_ = outer;
  };
  builder_.at(s.span);
  if (scalar)
    builder_.when(
        builder_.value(test), [&] { side(branch.body, s.body); },
        [&] { side(branch.otherwise, s.otherwise); });
  else
    builder_.branch(
        over(), builder_.value(test), [&] { side(branch.body, s.body); },
        [&] { side(branch.otherwise, s.otherwise); });
  steps_->push_back(std::move(branch));
}

void Translator::while_loop(const python::While& s) {
  if (!s.otherwise.empty())
    fail(s.otherwise[0]->span, "'else' of a 'while' is not supported",
         "put the statements after the loop");
  std::vector<FieldRead> reads;
  reads_ = &reads;
  const ir::Expr test = test_of(*s.condition, "while");
  Step loop = step(Step::Kind::While, s.span, std::move(reads));
  std::vector<Step>* const outer = steps_;
  const Block around = block_;
  builder_.at(s.span);
  builder_.while_(over(), builder_.value(test), [&] {
    steps_ = &loop.body;
    block_.inside = true;
    statements(s.body);
    block_ = around;
    steps_ = outer;
  });
  steps_->push_back(std::move(loop));
}

void Translator::horizontal(const python::With& s) {
  const auto* call = s.items.size() == 1 ? s.items[0].context->try_as<python::Call>() : nullptr;
  if (!call || last_name(*call->function) != "horizontal")
    fail(s.span, "only 'with horizontal(region[...])' can stand here",
         frame_->caller ? "computations and intervals stand in the stencil"
                        : "intervals stand beside one another in their computation");
  if (block_.region)
    fail(s.span, "a horizontal region stands inside of another one",
         "list the regions beside each other, or intersect them");
  for (const Region& r : regions_of(*call)) {
    block_.region = r;
    statements(s.body);
    block_.region.reset();
  }
}

void Translator::compile_assert(const python::Call& call) {
  if (call.arguments.size() != 1)
    fail(ErrorKind::Assertion, {}, call.span, "compile_assert takes one condition");
  const Value v = constant(*call.arguments[0]);
  if (v.is(Kind::Unknown))
    fail(ErrorKind::Assertion, {}, call.span,
         "compile_assert cannot be evaluated: it holds " + v.text, "use constants and externals");
  if (!truth(v)) fail(ErrorKind::Assertion, {}, call.span, "assertion failed");
}

}  // namespace lathe::stencil
