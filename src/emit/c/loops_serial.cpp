// SPDX-License-Identifier: Apache-2.0
// Plain loops, and parallel ones: the body becomes a function of its own, with a struct that holds
// what it needs of the function around it.
//
//   parallel i in lo..hi:         struct environment_0 { lathe_context *context; f64 x1_a; };
//     v[i] = a * u[i]       ->    void lathe_body_0(void *environment, i64 lo, i64 hi) { ... }
//                                 struct environment_0 e0 = {context, x1_a};
//                                 context->parallel(context, lathe_body_0, &e0, lo, hi, grain);

#include <algorithm>

#include "emit/c/evaluate.h"
#include "emit/c/neighbours.h"
#include "emit/c/types.h"
#include "ir/traverse.h"

namespace lathe::emit {

using loops::Kind;

bool contains_loop(const loops::Stmt& s) {
  if (const auto* branch = std::get_if<loops::If>(&s.node))
    return contains_loop(branch->then_body) || contains_loop(branch->else_body);
  return std::holds_alternative<loops::For>(s.node);
}

bool contains_loop(const loops::Body& body) {
  return std::any_of(body.begin(), body.end(),
                     [](const loops::Stmt& s) { return contains_loop(s); });
}

namespace {

constexpr std::int64_t kMostCopies = 8;  // the pragma below says it again
constexpr std::size_t kMostStatements = 32;

// A vector loop that is printed without a loop.
bool is_straight(const loops::Stmt& s) {
  const auto* f = std::get_if<loops::For>(&s.node);
  return f && f->kind == Kind::Vector && is_const(f->lo) && is_const(f->hi) &&
         f->hi->scalar().as_int() - f->lo->scalar().as_int() == f->width;
}

std::size_t count_statements(const loops::Body& body) {
  std::size_t count = body.size();
  for (const loops::Stmt& s : body) {
    if (const auto* f = std::get_if<loops::For>(&s.node)) count += count_statements(f->body);
    if (const auto* branch = std::get_if<loops::If>(&s.node))
      count += count_statements(branch->then_body) + count_statements(branch->else_body);
  }
  return count;
}

bool may_leave(const loops::Body& body) {
  return std::any_of(body.begin(), body.end(), [](const loops::Stmt& s) {
    if (const auto* branch = std::get_if<loops::If>(&s.node))
      return may_leave(branch->then_body) || may_leave(branch->else_body);
    return std::holds_alternative<loops::Break>(s.node);
  });
}

bool mentions(const loops::Body& body, Symbol variable) {
  bool found = false;
  loops::for_each_stmt(body, [&](const loops::Stmt& s) {
    loops::for_each_expr(s, [&](Expr e) { found = found || (e && ir::mentions(e, variable)); });
  });
  return found;
}

// Known to have few iterations, each of them short: copies cost less than the loop does. (One that
// is always left at once, or does the same each time, may be no loop for gcc, which then warns of
// what is said about it.)
bool is_short(const loops::For& f) {
  if (!is_const(f.lo) || !is_const(f.hi) || !mentions(f.body, f.variable)) return false;
  const std::int64_t lo = f.lo->scalar().as_int(), hi = f.hi->scalar().as_int();
  return hi - lo > f.step && (hi - lo - 1) / f.step < kMostCopies &&
         count_statements(f.body) <= kMostStatements && !may_leave(f.body) &&
         std::all_of(f.body.begin(), f.body.end(),
                     [](const loops::Stmt& s) { return is_straight(s) || !contains_loop(s); });
}

// The rounds of a while at some points: they may take their time, or never end.
bool may_run_long(const loops::For& f) {
  return is_const(f.lo) && is_const(f.hi) &&
         std::any_of(f.body.begin(), f.body.end(), [](const loops::Stmt& s) {
           return std::holds_alternative<loops::Break>(s.node);
         });
}

}  // namespace

void Printer::emit(const loops::For& s, const Form& form) {
  const auto plan = plans_.loops.find(&s);
  const bool outermost = loop_depth_ == 0;
  if (s.kind == Kind::Parallel) {
    parallel_loop(s);
  } else if (s.kind == Kind::Vector && plan != plans_.loops.end() && plan->second.lanes > 1) {
    vector_loop(s);
  } else {
    serial_loop(s, form);
  }
  if (outermost && frame_->run && frame_->streamed) {
    out_->line("fence();");
    frame_->streamed = false;
  }
}

// A bound that is evaluated once.
std::string Printer::bound(Expr e, std::string_view name, const Form& form) {
  const Value v = Evaluator(*this, *out_, form).value(e);
  const bool steady =
      is_const(e) || e->op == Op::Index || (e->op == Op::Param && !binding(e->name).mutates);
  if (steady) return v.text;
  const std::string local = std::string(name) + std::to_string(next_name_++);
  out_->line("const i64 " + local + " = " + v.text + ";");
  return local;
}

void Printer::poll() {
  out_->open("if (stopped(context))");
  out_->line(leave());
  out_->close();
}

// Of a body that gcc's vectorizer gets wrong.
void Printer::keep_scalar(const loops::For& f) {
  const auto stride_of = [this](Symbol buffer, std::size_t axis) -> std::optional<std::int64_t> {
    const auto found = places_.find(buffer);
    if (found == places_.end()) return std::nullopt;  // made inside of the loop
    const Place& p = found->second;
    if (p.unit == static_cast<int>(axis)) return 1;
    if (axis >= p.stride.size() || !p.stride[axis].type.empty()) return std::nullopt;
    return std::stoll(p.stride[axis].name);
  };
  const auto in_lanes = [this](const loops::For& inner) {
    const auto plan = plans_.loops.find(&inner);
    return inner.kind == Kind::Vector && plan != plans_.loops.end() && plan->second.lanes > 1;
  };
  if (reads_neighbours(f, stride_of, in_lanes)) out_->line("one_by_one();");
}

void Printer::serial_loop(const loops::For& f, const Form& form) {
  const Scope scope(*this);
  const std::string lo = bound(f.lo, "lo", form), hi = bound(f.hi, "hi", form);
  Binding b;
  b.tame = true;
  b.chunks = {new_local('x', f.variable, "i64")};
  const std::string x = b.chunks[0].name, step = std::to_string(f.step);
  bind(f.variable, std::move(b));
  std::string head = "for (i64 " + x + " = ";
  if (!f.down) {
    head += lo + "; " + x + " < " + hi + "; " + (f.step == 1 ? "++" + x : x + " += " + step) + ")";
  } else if (f.step == 1) {
    head += hi + " - 1; " + x + " >= " + lo + "; --" + x + ")";
  } else {
    head += lo + " < " + hi + " ? " + lo + " + (" + hi + " - 1 - " + lo + ") / " + step + " * " +
            step + " : " + lo + " - 1; " + x + " >= " + lo + "; " + x + " -= " + step + ")";
  }
  // gcc warns of a wish for a loop that is left at once, as those of checked builds often are.
  if (!options_.checked && is_short(f)) out_->line("#pragma GCC unroll 8");
  out_->open(head);
  if ((loop_depth_ == 0 && contains_loop(f.body)) || may_run_long(f)) poll();
  keep_scalar(f);
  ++loop_depth_;
  const bool outer_vector = std::exchange(in_vector_loop_, f.kind == Kind::Vector);
  const std::size_t memory = memory_.size();
  body(f.body, form);
  release_memory(memory);
  in_vector_loop_ = outer_vector;
  --loop_depth_;
  out_->close();
}

void Printer::parallel_loop(const loops::For& f) {
  check(frame_->run, "a parallel loop inside of no other");
  const std::string number = std::to_string(result_.bodies++);
  const std::string lo = bound(f.lo, "lo", Form{}), hi = bound(f.hi, "hi", Form{});
  Frame frame;
  frame.number = result_.bodies;
  Block block;
  Block* outer_block = std::exchange(out_, &block);
  Frame* outer_frame = std::exchange(frame_, &frame);
  const int outer_depth = std::exchange(loop_depth_, 0);
  std::vector<Memory> outer_memory;
  memory_.swap(outer_memory);
  {
    const Scope scope(*this);
    Binding b;
    b.tame = true;
    b.chunks = {new_local('x', f.variable, "i64")};
    const std::string x = b.chunks[0].name;
    bind(f.variable, std::move(b));
    const std::string counter = f.step == 1 ? x : "k";
    out_->open("for (i64 " + counter + " = lo; " + counter + " < hi; ++" + counter + ")");
    if (contains_loop(f.body)) poll();
    if (f.step != 1) {  // iterations are counted from 0
      const bool zero = is_const(f.lo) && f.lo->scalar().as_int() == 0;
      const std::string first =
          zero ? "" : (is_const(f.lo) ? lo : use(Local{lo, "i64", outer_frame->number})) + " + ";
      out_->line("const i64 " + x + " = " + first + "k * " + std::to_string(f.step) + ";");
    }
    keep_scalar(f);
    loop_depth_ = 1;
    body(f.body, Form{});
    release_memory(0);
    out_->close();
    if (frame.streamed) {
      out_->line("fence();");
    }
  }
  out_ = outer_block;
  frame_ = outer_frame;
  loop_depth_ = outer_depth;
  memory_.swap(outer_memory);

  const std::string environment = "struct environment_" + number;
  std::string values = "context";
  Block function;
  function.open(environment);
  function.line("lathe_context *context;");
  for (const Local& c : frame.captured) {
    function.line(c.type + (c.type.back() == '*' ? "" : " ") + c.name + ";");
    values += ", " + use(c);
  }
  function.line("};");
  std::string text;
  function.print(text);
  text.replace(text.rfind("  };\n"), 5, "};\n\n");
  Block head = prologue(frame);
  Block whole;
  whole.open("void lathe_body_" + number + "(void *environment, i64 lo, i64 hi)");
  whole.line("const " + environment + " *const e = (const " + environment + " *)environment;");
  whole.line("lathe_context *const context = e->context;");
  for (const Local& c : frame.captured) {
    const bool pointer = c.type.back() == '*';
    whole.line((pointer ? c.type + "restrict " : "const " + c.type + " ") + c.name + " = e->" +
               c.name + ";");
  }
  whole.append(std::move(head));
  whole.append(std::move(block));
  whole.close();
  whole.print(text);
  bodies_.push_back(text + "\n");

  const std::string e = "e" + number, body_name = "lathe_body_" + number;
  std::string range = lo + ", " + hi;
  if (f.step != 1)
    range = "0, (extent(" + lo + ", " + hi + ") + " + std::to_string(f.step - 1) + ") / " +
            std::to_string(f.step);
  out_->line(environment + " " + e + " = {" + values + "};");
  out_->line("context->parallel(context, " + body_name + ", &" + e + ", " + range + ", " +
             std::to_string(f.grain) + ");");
  poll();
}

}  // namespace lathe::emit
