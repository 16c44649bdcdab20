// SPDX-License-Identifier: Apache-2.0
// Statements of kernels. Most begin with a word; these words may also name buffers and scalars, so
// what follows decides: `load p = ...` loads, `load = ...` assigns.

#include "ir/loops_parser.h"

namespace lathe::loops {

// The word, and a name or number behind it.
bool KernelParser::begins(std::string_view word) const {
  return at(word) && (peek(1).kind == TokenKind::Name || peek(1).kind == TokenKind::Integer);
}

void KernelParser::statements(Body& body) {
  while (!at(TokenKind::Dedent) && !at(TokenKind::End) && !diagnostics_.full()) {
    const std::size_t before = position_;
    try {
      statement(body);
    } catch (const Bail&) {
      skip_statement();
      if (position_ == before) next();
    }
  }
}

void KernelParser::statement(Body& body) {
  const Nesting nesting(*this);
  if (at(TokenKind::Indent))
    fail(span(peek()), "this line is indented deeper than the lines before it");
  if (at_declaration())
    fail(span(peek()), "declarations come before the first statement",
         at("site") ? "move it up" : "move it up, or write 'allocate " + std::string(peek().text));
  if (begins("for")) {
    body.push_back({loop(Kind::Serial)});
  } else if (begins("parallel")) {
    body.push_back({loop(Kind::Parallel)});
  } else if (begins("vector")) {
    body.push_back({loop(Kind::Vector)});
  } else if (at("if")) {
    body.push_back({branch()});
  } else if (at("else")) {
    fail(span(peek()), "this 'else' belongs to no 'if'");
  } else {
    Stmt s = simple_statement();
    end_line();
    body.push_back(std::move(s));
  }
}

// One line.
Stmt KernelParser::simple_statement() {
  if (at_comment()) {
    std::string_view text = next().text.substr(1);
    if (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    return {Comment{std::string(text)}};
  }
  if (at("let")) return {let()};
  if (begins("var")) return {var()};
  if (begins("load")) return {load()};
  if (begins("stream")) {
    next();
    return {store(true)};
  }
  const bool declarable = begins("allocate") && at_buffer(1);
  if (declarable || at_buffer(0)) {
    if (declarable) next();
    return {Alloc{buffer()}};
  }
  if (begins("prefetch")) {
    next();
    Prefetch s;
    s.buffer = buffer_name();
    s.indices = element();
    return {std::move(s)};
  }
  if (begins("break")) {
    next();
    expect("if", "after 'break'");
    return {Break{plain(expression())}};
  }
  if (begins("fault")) return {fault()};
  if (at("rotate")) return {rotation()};
  const bool labelled = at_name() && peek(1).text == ":" && peek(2).text == "call";
  if (!labelled && !at("call")) return assignment();
  Symbol label;
  if (labelled) {
    label = name("a call");
    next();
  }
  return {call(label)};
}

// A block that is missing is an empty body.
void KernelParser::block(Body& body, std::string_view after) {
  expect(":", after);
  end_line();
  if (!at(TokenKind::Indent)) return;
  next();
  statements(body);
  if (at(TokenKind::Dedent)) next();
}

For KernelParser::loop(Kind kind) {
  next();
  For f;
  f.kind = kind;
  f.variable = name("a loop variable");
  expect("in", "after the loop variable");
  f.lo = plain(expression());
  expect("..", "between the bounds of the loop");
  f.hi = plain(expression());
  loop_options(f);
  const Block scope(*this);
  bind(f.variable, {Meaning::Variable, DType::I64, {}});
  block(f.body, "after the head of the loop");
  return f;
}

void KernelParser::loop_options(For& f) {
  if (f.kind == Kind::Vector) {
    expect("by", "after the bounds of a vector loop");
    f.width = number("lanes");
    return;
  }
  if (accept("step")) f.step = number("iterations between two");
  if (f.kind == Kind::Serial) f.down = accept("down");
  if (f.kind == Kind::Parallel && accept("grain")) f.grain = number("iterations together");
}

If KernelParser::branch() {
  next();
  If s;
  s.condition = plain(expression());
  {
    const Block scope(*this);
    block(s.then_body, "after the condition");
  }
  if (!accept("else")) return s;
  const Block scope(*this);
  block(s.else_body, "after 'else'");
  return s;
}

Let KernelParser::let() {
  next();
  Let s;
  s.name = name("a scalar");
  expect("=", "after the name of a scalar");
  s.value = plain(expression());
  if (!s.value) throw Bail{};
  bind(s.name, {Meaning::Operand, s.value->dtype, {}});
  return s;
}

Var KernelParser::var() {
  next();
  Var s;
  s.name = name("a scalar");
  expect(":", "after the name of a scalar");
  const DType t = dtype("the scalar '" + std::string(s.name.text()) + "'");
  expect("=", "before the initial value");
  s.initial = expression_of(t, s.name);
  bind(s.name, {Meaning::Operand, t, {}});
  return s;
}

// A value that takes the dtype of what it goes to.
Expr KernelParser::expression_of(DType t, Symbol target) {
  const Expr e = converted(expression(), t, target.text());
  if (!e) throw Bail{};
  return e;
}

Symbol KernelParser::buffer_name() { return array_name("name here"); }

// [i, j], or nothing for a scalar.
std::vector<Expr> KernelParser::element() {
  std::vector<Expr> indices;
  if (!accept("[")) return indices;
  do {
    indices.push_back(plain(expression()));
    if (!indices.back()) throw Bail{};
  } while (accept(","));
  expect("]", "after the indices");
  return indices;
}

VectorLoad KernelParser::load() {
  next();
  VectorLoad s;
  s.name = name("the loaded elements");
  expect("=", "after the name of the loaded elements");
  s.from = buffer_name();
  const ir::Array* from = array_of(s.from);
  const DType t = from ? from->dtype : DType::F64;
  s.indices = element();
  if (!accept("width"))
    fail(span(peek()), "expected 'width', not " + shown(peek()), "say how many are loaded");
  s.width = number("elements");
  declare(s.name, t, {Axis{graph_.symbol("channel"), nullptr, nullptr}});
  return s;
}

Stmt KernelParser::assignment() {
  const Token& token = peek();
  if (!at_name()) fail(span(token), "expected a statement, not " + shown(token));
  const Symbol target = graph_.symbol(token.text);
  if (array_of(target)) return {store(false)};
  const Binding* bound = find(target);
  const auto parameter = parameters_.find(target);
  if (!bound && parameter == parameters_.end()) {
    unknown_name(token, "name", Candidates::Names);
    throw Bail{};
  }
  const DType t = bound ? bound->dtype : program_.parameters[parameter->second].dtype;
  next();
  expect("=", "after '" + std::string(target.text()) + "'");
  return {Assign{target, expression_of(t, target)}};
}

Store KernelParser::store(bool stream) {
  Store s;
  s.stream = stream;
  s.buffer = buffer_name();
  const ir::Array* to = array_of(s.buffer);
  if (!to) throw Bail{};
  const DType t = to->dtype;
  s.indices = element();
  expect("=", "after the element to store");
  s.value = expression_of(t, s.buffer);
  return s;
}

Fault KernelParser::fault() {
  next();
  Fault s;
  s.site = static_cast<std::size_t>(number("a site"));
  if (!accept("(")) return s;
  do {
    s.values.push_back(plain(expression()));
  } while (accept(","));
  expect(")", "after the values");
  return s;
}

Rotate KernelParser::rotation() {
  next();
  Rotate s;
  do {
    s.buffers.push_back(buffer_name());
  } while (accept(","));
  return s;
}

Call KernelParser::call(Symbol label) {
  next();
  Call s;
  s.label = label;
  s.function = name("the operation to call");
  expect("(", "after the name of the operation");
  if (!at(")")) {
    do {
      s.inputs.push_back(buffer_name());
    } while (accept(","));
  }
  expect(")", "after the inputs");
  expect("->", "before the outputs");
  do {
    s.outputs.push_back(buffer_name());
  } while (accept(","));
  return s;
}

}  // namespace lathe::loops
