// SPDX-License-Identifier: Apache-2.0
// Header and declarations of kernels, and the public parse function:
//
//   kernel diffuse(n: size, a: f64)
//     argument u: f64[0..n] input unit
//     table c: f64[0..3] = [0.25, 0.5, 0.25]
//     site 0: range of u in lap (i)

#include "base/number_text.h"
#include "ir/loops_parser.h"
#include "ir/recorded_spans.h"

namespace lathe::loops {
namespace {

std::optional<Space> space_of(const ir::Token& token) {
  if (token.kind != ir::TokenKind::Name) return std::nullopt;
  for (int s = 0; s <= static_cast<int>(Space::Lanes); ++s)
    if (token.text == name(static_cast<Space>(s))) return static_cast<Space>(s);
  return std::nullopt;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

}  // namespace

KernelParser::KernelParser(std::uint32_t file, std::vector<Token> tokens, ir::Program& names,
                           Kernel& kernel, Diagnostics& diagnostics)
    : Parser(file, std::move(tokens), names, diagnostics),
      kernel_(kernel),
      text_(kernel.sources->file(file).text) {
  implied_policy_ = ir::Policy::Trusted;
}

void KernelParser::run() {
  try {
    while (at_comment()) {
      next();
      end_line();
    }
    kernel_header();
  } catch (const Bail&) {
    return;
  }
  if (at(TokenKind::Indent)) {
    next();
    declarations();
    statements(kernel_.body);
    if (at(TokenKind::Dedent)) next();
  }
  if (!at(TokenKind::End))
    error(span(peek()), "expected the end of the file, not " + shown(peek())).help =
        "a file holds one kernel; its declarations and statements are indented below the header";
}

void KernelParser::kernel_header() {
  if (!accept("kernel"))
    fail(span(peek()), "expected 'kernel', not " + shown(peek()),
         "a file begins with a line like: kernel blur(n: size)");
  kernel_.name = name("the kernel");
  expect("(", "after the name of the kernel");
  if (!accept(")")) {
    parameters();
    expect(")", "after the parameters");
  }
  kernel_.parameters = program_.parameters;
  end_line();
}

bool KernelParser::at_comment() const { return at(TokenKind::Mark) && peek().text.front() == '#'; }

// argument u: ...
bool KernelParser::at_buffer(std::size_t ahead) const {
  return space_of(peek(ahead)).has_value() && peek(ahead + 1).kind == TokenKind::Name;
}

bool KernelParser::at_declaration() const {
  const bool is_site = at("site") && peek(1).kind == TokenKind::Integer;
  return is_site || (at_buffer(0) && *space_of(peek()) <= Space::Scratch);
}

// Comments between declarations are dropped; those before the first statement belong to the body.
void KernelParser::declarations() {
  for (;;) {
    const std::size_t before = position_;
    while (at_comment()) {
      next();
      end_line();
    }
    if (!at_declaration()) {
      position_ = before;
      return;
    }
    try {
      if (at("site")) {
        site();
      } else {
        Buffer b = buffer();
        kernel_.buffers.push_back(std::move(b));
      }
      end_line();
    } catch (const Bail&) {
      skip_statement();
    }
  }
}

void KernelParser::declare(Symbol name, DType t, std::vector<Axis> axes) {
  ir::Array a;
  a.name = name;
  a.dtype = t;
  a.axes = std::move(axes);
  // What hides another is the verifier's to refuse; the other one stays.
  if (arrays_.try_emplace(name, program_.arrays.size()).second) scoped_.push_back(name);
  program_.arrays.push_back(std::move(a));
}

Buffer KernelParser::buffer() {
  Buffer b;
  b.space = *space_of(next());
  const std::string of_what =
      "the " + std::string(loops::name(b.space)) + " buffer '" + std::string(peek().text) + "'";
  b.name = name("a buffer");
  expect(":", "after " + of_what);
  b.dtype = dtype(of_what);
  if (accept("[")) {
    do {
      Axis axis;
      axis.lo = plain(expression());
      expect("..", "between the bounds of an axis");
      axis.hi = plain(expression());
      b.axes.push_back(axis);
    } while (accept(","));
    expect("]", "after the axes");
  }
  const std::size_t place = program_.arrays.size();
  declare(b.name, b.dtype, b.axes);
  if (b.space == Space::Table) {
    constant_table(program_.arrays[place]);
    b.values = std::move(program_.arrays[place].values);
  }
  attributes(b);
  return b;
}

void KernelParser::attributes(Buffer& b) {
  if (b.space == Space::Argument) {
    const Token& token = next();
    std::optional<ir::Role> role;
    for (ir::Role r : {ir::Role::Input, ir::Role::Output, ir::Role::InOut, ir::Role::State})
      if (token.text == ir::name(r)) role = r;
    if (!role)
      fail(span(token), "expected the role of an argument, not " + shown(token),
           "one of input, output, inout, state");
    b.role = *role;
    b.unit = accept("unit");
  }
  if (!accept("layout")) return;
  do {
    b.layout.push_back(static_cast<std::size_t>(number("an axis")));
  } while (accept(","));
}

std::int64_t KernelParser::number(std::string_view what) {
  const Token& token = next();
  const auto value = parse_uint64(token.text);
  if (token.kind != TokenKind::Integer || !token.suffix.empty() || !value ||
      value.value > INT64_MAX)
    fail(span(token), "expected the number of " + std::string(what) + ", not " + shown(token));
  return static_cast<std::int64_t>(value.value);
}

std::vector<Symbol> KernelParser::names(std::string_view what) {
  std::vector<Symbol> found;
  do {
    found.push_back(name(what));
  } while (accept(","));
  return found;
}

Site::Kind KernelParser::site_kind() {
  const Token& token = next();
  for (int k = 0; k <= static_cast<int>(Site::Kind::WhileCap); ++k)
    if (token.kind == TokenKind::Name && token.text == loops::name(static_cast<Site::Kind>(k)))
      return static_cast<Site::Kind>(k);
  fail(span(token), "expected what goes wrong at the site, not " + shown(token),
       "one of range, unwritten, twice, division, negative_power, while_cap");
}

void KernelParser::site() {
  const Token& first = next();
  Site s;
  const Token& at_number = peek();
  if (number("the site") != static_cast<std::int64_t>(kernel_.sites.size()))
    fail(span(at_number), "this is site " + std::to_string(kernel_.sites.size()),
         "sites are numbered from 0 on");
  expect(":", "after the number of the site");
  s.kind = site_kind();
  s.writes = accept("write");
  s.trusted = accept("trusted");
  if (accept("of")) {
    s.array = name("an array");
    if (accept("at")) s.buffer = name("a buffer");
  }
  if (accept("in")) s.label = name("a statement");
  if (accept("(")) {
    s.variables = names("a variable");
    expect(")", "after the variables");
  }
  s.span = span_from(first);
  if (at(TokenKind::Newline)) site_comment(s);
  kernel_.sites.push_back(std::move(s));
}

// What stands behind the site: the operation, and where it came from.
void KernelParser::site_comment(Site& s) {
  std::string_view comment = text_.substr(s.span.end, peek().begin - s.span.end);
  const std::size_t mark = comment.rfind("# @");
  if (mark != std::string_view::npos)
    if (const auto where =
            ir::parse_recorded_span(*kernel_.sources, trimmed(comment.substr(mark + 3)))) {
      s.span = *where;
      comment = comment.substr(0, mark);
    }
  comment = trimmed(comment);
  if (!comment.empty()) s.operation = trimmed(comment.substr(1));
}

std::optional<Kernel> parse_kernel(std::string_view file_name, std::string_view text,
                                   Diagnostics& diagnostics, std::shared_ptr<SourceMap> sources) {
  Kernel kernel;
  kernel.graph = std::make_shared<ir::Graph>();
  kernel.sources = sources ? std::move(sources) : std::make_shared<SourceMap>();
  const std::size_t before = diagnostics.error_count();
  const std::uint32_t file = kernel.sources->add(std::string(file_name), std::string(text));
  if (!check_source_text(*kernel.sources, file, diagnostics)) return std::nullopt;
  std::vector<ir::Token> tokens =
      ir::tokenize(file, kernel.sources->file(file).text, diagnostics, true);
  if (diagnostics.error_count() != before) return std::nullopt;
  ir::Program names;
  names.graph = kernel.graph;
  KernelParser(file, std::move(tokens), names, kernel, diagnostics).run();
  if (diagnostics.error_count() != before) return std::nullopt;
  return kernel;
}

}  // namespace lathe::loops
