// SPDX-License-Identifier: Apache-2.0
// Header and declarations, and the public parse function:
//
//   program diffuse(n: size, a: f64)
//     input  u: f64[i: n]
//     const  w: f64[k: 3] = [0.25, 0.5, 0.25]
//     combiner argmin(a: f64, i: i64; b: f64, j: i64) = (...) neutral (inf, -1)

#include <algorithm>

#include "base/nearest_name.h"
#include "ir/labels.h"
#include "ir/recorded_spans.h"
#include "ir/text.h"
#include "ir/text_parser.h"

namespace lathe::ir {
namespace {

std::optional<Role> role_of(const Token& token) {
  if (token.kind != TokenKind::Name) return std::nullopt;
  for (int r = 0; r <= static_cast<int>(Role::Const); ++r)
    if (token.text == name(static_cast<Role>(r))) return static_cast<Role>(r);
  return std::nullopt;
}

}  // namespace

void Parser::parse() {
  try {
    header();
  } catch (const Bail&) {
    return;  // without parameters every name would be unknown
  }
  if (at(TokenKind::Indent)) {
    next();
    declarations();
    items(program_.body);
    if (at(TokenKind::Dedent)) next();
  }
  if (!at(TokenKind::End))
    error(span(peek()), "expected the end of the file, not " + shown(peek())).help =
        "a file holds one program; its declarations and statements are indented below the header";
  if (diagnostics_.has_errors()) return;
  assign_default_labels(program_);
  finish_spans();
}

void Parser::header() {
  if (!accept("program"))
    fail(span(peek()), "expected 'program', not " + shown(peek()),
         "a file begins with a line like: program blur(n: size)");
  program_.name = name("the program");
  expect("(", "after the name of the program");
  if (!accept(")")) {
    parameters();
    expect(")", "after the parameters");
  }
  end_line();
}

void Parser::parameters() {
  do {
    const Token& first = peek();
    Parameter p;
    p.name = name("a parameter");
    if (!at(":"))
      fail(span(peek()),
           "expected ':' and a dtype after the parameter '" + std::string(first.text) + "', not " +
               shown(peek()),
           "write " + std::string(first.text) + ": size, or " + std::string(first.text) + ": f64");
    next();
    p.is_size = accept("size");
    if (!p.is_size) p.dtype = dtype("the parameter '" + std::string(first.text) + "'");
    p.span = span_from(first);
    parameters_.try_emplace(p.name, program_.parameters.size());
    program_.parameters.push_back(p);
  } while (accept(","));
}

bool Parser::at_declaration() const { return role_of(peek()).has_value() || at("combiner"); }

// WORD NAME ':' begins no statement, so the word was meant as a role: "in u: f64[i: n]".
bool Parser::at_unknown_role() const {
  return peek().kind == TokenKind::Name && (at("in") || !is_keyword(peek().text)) &&
         peek(1).kind == TokenKind::Name && peek(2).kind == TokenKind::Mark && peek(2).text == ":";
}

Role Parser::role() {
  const Token& word = next();
  if (const auto known = role_of(word)) return *known;
  const std::string_view guess = word.text == "in"    ? ir::name(Role::Input)
                                 : word.text == "out" ? ir::name(Role::Output)
                                                      : word.text;
  NearestName near(guess);
  for (int r = 0; r <= static_cast<int>(Role::Const); ++r)
    near.consider(ir::name(static_cast<Role>(r)));
  error(span(word), "'" + std::string(word.text) + "' is no kind of array").help =
      near.help("kinds are input, output, inout, state, temp and const");
  for (int r = 0; r <= static_cast<int>(Role::Const); ++r)
    if (near.found() == ir::name(static_cast<Role>(r))) return static_cast<Role>(r);
  return Role::InOut;  // so that nothing else is said about it
}

void Parser::declarations() {
  while (at_declaration() || at_unknown_role()) {
    try {
      if (at("combiner")) {
        combiner_declaration();
      } else {
        array_declaration();
      }
      end_line();
    } catch (const Bail&) {
      skip_statement();
    }
  }
}

void Parser::array_declaration() {
  Array array;
  array.role = role();
  const Token& first = peek();
  array.name = name("an array");
  array.span = span(first);
  expect(":", "after the array '" + std::string(first.text) + "'");
  array.dtype = dtype("the array '" + std::string(first.text) + "'");
  // The name is known from here on, so that a mistake in the axes does not repeat at every use.
  const std::size_t place = program_.arrays.size();
  arrays_.try_emplace(array.name, place);
  program_.arrays.push_back(array);
  std::vector<Axis> axes;
  if (accept("[")) {
    do {
      Axis axis;
      axis.name = name("an axis");
      if (!at(":"))
        fail(span(peek()),
             "expected ':' after the axis '" + std::string(axis.name.text()) + "', not " +
                 shown(peek()),
             "an axis has a name and an extent: i: " + std::string(axis.name.text()));
      next();
      axis.hi = bound(expression());
      axis.lo = build_.integer(0);
      if (accept("..")) {
        axis.lo = axis.hi;
        axis.hi = bound(expression());
      }
      axes.push_back(axis);
    } while (accept(","));
    expect("]", "after the axes");
  }
  program_.arrays[place].axes = std::move(axes);
  if (array.role == Role::Const) constant_table(program_.arrays[place]);
  if (accept("extended")) extended_axes(program_.arrays[place]);
}

// extended    extended i, j
void Parser::extended_axes(Array& array) {
  array.extended = true;
  if (peek().kind != TokenKind::Name) return;
  do array.extended_axes.push_back(name("an axis"));
  while (accept(","));
}

void Parser::constant_table(Array& array) {
  expect("=", "before the values of the constant '" + std::string(array.name.text()) + "'");
  const Token& first = peek();
  std::vector<std::int64_t> shape(array.axes.size(), -1);
  table_row(array.values, array.dtype, 0, shape);
  for (std::size_t k = 0; k < shape.size(); ++k) {
    const Axis& axis = array.axes[k];
    if (!axis.lo || !axis.hi || !is_const(axis.lo) || !is_const(axis.hi)) continue;  // verifier
    const std::int64_t extent = axis.hi->scalar().as_int() - axis.lo->scalar().as_int();
    if (shape[k] >= 0 && shape[k] != std::max<std::int64_t>(extent, 0))
      error(span_from(first), "axis '" + std::string(axis.name.text()) + "' of the constant '" +
                                  std::string(array.name.text()) + "' has " +
                                  std::to_string(extent) + " elements, the table " +
                                  std::to_string(shape[k]))
          .help = "give as many values as the axis has";
  }
}

// One level of brackets per axis; every row of a level has the same length.
void Parser::table_row(std::vector<Scalar>& values, DType t, std::size_t axis,
                       std::vector<std::int64_t>& shape) {
  const Token& first = peek();
  if (axis == shape.size()) {
    if (at("[")) fail(span(first), "the table has more levels than the constant has axes");
    const Value v = table_entry();
    if (v.e && v.e->dtype != t) {
      error(v.span, "this is " + std::string(ir::name(v.e->dtype)) + ", the constant is " +
                        std::string(ir::name(t)));
    } else if (const Expr e = settle(v, t)) {
      values.push_back(e->scalar());
    }
    return;
  }
  expect("[", "before the values of axis " + std::to_string(axis + 1));
  std::int64_t length = 0;
  if (!accept("]")) {
    do {
      table_row(values, t, axis + 1, shape);
      ++length;
    } while (accept(","));
    if (!at("]"))
      fail(span(peek()),
           "expected ',' or ']' after a value of axis " + std::to_string(axis + 1) + ", not " +
               shown(peek()),
           "a constant is made of numbers; compute others in a statement");
    next();
  }
  if (shape[axis] >= 0 && shape[axis] != length)
    fail(span_from(first), "this row has " + std::to_string(length) +
                               (length == 1 ? " entry" : " entries") + ", the first one has " +
                               std::to_string(shape[axis]));
  shape[axis] = length;
}

Parser::Value Parser::table_entry() {
  const Token& first = peek();
  const bool negative = accept("-");
  if (at_literal(0)) {
    Value v = literal_value(negative);
    v.span = span_from(first);
    return v;
  }
  if (!negative && (at("true") || at("false"))) {
    Value v;
    v.e = build_.boolean(next().text == "true");
    v.span = span(first);
    return v;
  }
  fail(span(first), "expected a number, not " + shown(peek()),
       "constants and neutral elements are literals");
}

void Parser::combiner_declaration() {
  next();
  const Token& first = peek();
  Combiner c;
  c.name = name("a combiner");
  c.span = span(first);
  const ScopeMark scope(*this);
  expect("(", "after the combiner '" + std::string(first.text) + "'");
  c.left = operands();
  expect(";", "between the left and the right operands of the combiner");
  c.right = operands();
  expect(")", "after the operands of the combiner");
  expect("=", "before the results of the combiner");
  c.result = tuple(c.left);
  expect("neutral", "after the results of the combiner");
  expect("(", "before the neutral elements");
  do {
    const Value v = table_entry();
    if (c.neutral.size() >= c.left.size()) fail(v.span, "more neutral elements than components");
    const DType t = c.left[c.neutral.size()].dtype;
    const Expr e = v.e && v.e->dtype != t ? nullptr : settle(v, t);
    if (v.e && !e)
      error(v.span, "this neutral element is " + std::string(ir::name(v.e->dtype)) +
                        ", its component is " + std::string(ir::name(t)));
    if (!e) throw Bail{};
    c.neutral.push_back(e->scalar());
  } while (accept(","));
  expect(")", "after the neutral elements");
  program_.combiners.push_back(std::move(c));
}

std::vector<Parameter> Parser::operands() {
  std::vector<Parameter> found;
  do {
    const Token& first = peek();
    Parameter p;
    p.name = name("an operand");
    expect(":", "after the operand '" + std::string(first.text) + "'");
    p.dtype = dtype("the operand '" + std::string(first.text) + "'");
    p.span = span_from(first);
    bind(p.name, {Meaning::Operand, p.dtype, {}});
    found.push_back(p);
  } while (accept(","));
  return found;
}

// A tuple with one value per component, each converted to the component's dtype.
std::vector<Expr> Parser::tuple(std::span<const Parameter> components) {
  const Token& first = peek();
  expect("(", "before the values of the tuple");
  const std::vector<Value> values = arguments(")");
  if (values.size() != components.size())
    fail(span_from(first), "this tuple has " + std::to_string(values.size()) +
                               " values, but the combiner has " +
                               std::to_string(components.size()) + " components");
  std::vector<Expr> result;
  for (std::size_t i = 0; i < values.size(); ++i)
    result.push_back(converted(values[i], components[i].dtype, components[i].name.text()));
  return result;
}

// Uses get the labels of their items, which are numbered in the order of for_each_label.
void Parser::finish_spans() {
  std::vector<Symbol> labels;
  for_each_label(program_.body,
                 [&](std::string_view, Symbol label, bool) { labels.push_back(label); });
  std::vector<Symbol> label_of(owners_.size());
  std::size_t k = 0;
  for (std::size_t i = 0; i < owners_.size(); ++i) {
    const bool real = owners_[i] == static_cast<int>(i);
    label_of[i] = real ? labels.at(k++) : label_of[static_cast<std::size_t>(owners_[i])];
  }
  auto table = std::make_shared<SpanTable>();
  std::unordered_map<Expr, std::unordered_set<Symbol>> seen;
  for (const Use& u : uses_) {
    const Symbol label = u.owner < 0 ? Symbol() : label_of[static_cast<std::size_t>(u.owner)];
    if (seen[u.e].insert(label).second) table->uses.push_back({{label, u.e}, u.where});
  }
  program_.spans = std::move(table);
}

std::optional<Program> parse_program(std::string_view file_name, std::string_view text,
                                     Diagnostics& diagnostics, std::shared_ptr<SourceMap> sources) {
  Program program;
  program.graph = std::make_shared<Graph>();
  program.sources = sources ? std::move(sources) : std::make_shared<SourceMap>();
  const std::size_t before = diagnostics.error_count();
  const std::uint32_t file = program.sources->add(std::string(file_name), std::string(text));
  if (!check_source_text(*program.sources, file, diagnostics)) return std::nullopt;
  std::vector<Token> tokens = tokenize(file, program.sources->file(file).text, diagnostics);
  if (diagnostics.error_count() != before) return std::nullopt;
  Parser(file, std::move(tokens), program, diagnostics).parse();
  if (diagnostics.error_count() != before) return std::nullopt;
  if (text.find("# @") != std::string_view::npos) adopt_recorded_spans(program);
  return program;
}

}  // namespace lathe::ir
