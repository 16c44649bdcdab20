// SPDX-License-Identifier: Apache-2.0
// The grammar of schedule_parser.h. Lines are told apart by their first word and what follows it:
//
//   vector i/8:      a loop         copy A -> tile     a copy
//   vector -> tile   a statement    copy               a statement
//
// The lexer drops comments; the one at the end of a line is looked up in the text and becomes the
// reason of the line's last node.

#include <algorithm>
#include <array>

#include "base/nearest_name.h"
#include "base/number_text.h"
#include "schedule/schedule_parser.h"

namespace lathe::schedule {
namespace {

constexpr std::size_t kMaxNesting = 256;
constexpr std::int64_t kMaxShift = 1 << 20;

struct BlockWord {
  std::string_view word;
  NodeKind kind;
};
constexpr std::array<BlockWord, 9> kBlockWords = {{{"for", NodeKind::For},
                                                   {"parallel", NodeKind::Parallel},
                                                   {"vector", NodeKind::Vector},
                                                   {"unroll", NodeKind::Unroll},
                                                   {"jam", NodeKind::Jam},
                                                   {"forward", NodeKind::Forward},
                                                   {"backward", NodeKind::Backward},
                                                   {"repeat", NodeKind::Repeat},
                                                   {"when", NodeKind::When}}};

}  // namespace

ScheduleParser::ScheduleParser(std::uint32_t file, const LockfileLines& lines,
                               const ir::Program& program, Diagnostics& diagnostics)
    : file_(file),
      text_(lines.tree),
      tokens_(ir::tokenize(file, lines.tree, diagnostics)),
      program_(program),
      lines_(lines),
      labels_(program),
      diagnostics_(diagnostics) {}

// ---- Tokens.

const ir::Token& ScheduleParser::peek(std::size_t ahead) const {
  return tokens_[std::min(position_ + ahead, tokens_.size() - 1)];
}

const ir::Token& ScheduleParser::next() {
  const Token& token = peek();
  if (position_ + 1 < tokens_.size()) ++position_;
  return token;
}

bool ScheduleParser::at(std::string_view text) const {
  const Token& t = peek();
  return (t.kind == TokenKind::Name || t.kind == TokenKind::Mark) && t.text == text;
}

bool ScheduleParser::accept(std::string_view text) {
  if (!at(text)) return false;
  next();
  return true;
}

std::string ScheduleParser::shown(const Token& token) const {
  switch (token.kind) {
    case TokenKind::Newline: return "the end of the line";
    case TokenKind::Indent: return "a deeper indentation";
    case TokenKind::Dedent: return "the end of the block";
    case TokenKind::End: return "the end of the file";
    default: return "'" + std::string(token.text) + std::string(token.suffix) + "'";
  }
}

void ScheduleParser::fail(Span where, std::string message, std::string help) {
  diagnostics_.error(where, std::move(message)).help = std::move(help);
  throw Bail{};
}

void ScheduleParser::expect(std::string_view text, std::string_view where) {
  if (accept(text)) return;
  fail(span(peek()),
       "expected '" + std::string(text) + "' " + std::string(where) + ", not " + shown(peek()));
}

const ir::Token& ScheduleParser::name(std::string_view what) {
  if (at(TokenKind::Name)) return next();
  fail(span(peek()), "expected the name of " + std::string(what) + ", not " + shown(peek()));
}

std::int64_t ScheduleParser::number(const Number& n) {
  const Token& first = peek();
  const bool negative = accept("-");
  const Token& token = peek();
  const std::string what(n.what);
  if (token.kind != TokenKind::Integer || !token.suffix.empty())
    fail(span(token), "expected " + what + ", a whole number, not " + shown(token));
  next();
  const Span where{file_, first.begin, token.end};
  const ParsedNumber<std::int64_t> parsed = parse_int64(token.text);
  if (negative || (parsed && parsed.value < n.least))
    fail(where, what + " must be at least " + std::to_string(n.least));
  if (!parsed || parsed.value > n.most)
    fail(where, what + " must be at most " + std::to_string(n.most));
  if (n.power_of_two && (parsed.value & (parsed.value - 1)) != 0) {
    std::int64_t below = 1;
    while (2 * below < parsed.value) below *= 2;
    fail(where, what + " must be a power of two",
         "write " + std::to_string(below) + " or " + std::to_string(2 * below));
  }
  return parsed.value;
}

// Past the line, the block that hangs on it, and an `else` that belongs to it.
void ScheduleParser::skip_line() {
  complete_ = false;
  do {
    while (!at(TokenKind::Newline) && !at(TokenKind::Indent) && !at(TokenKind::Dedent) &&
           !at(TokenKind::End))
      next();
    if (at(TokenKind::Newline)) next();
    if (!at(TokenKind::Indent)) continue;
    int open = 0;
    do {
      if (at(TokenKind::Indent)) ++open;
      if (at(TokenKind::Dedent)) --open;
      next();
    } while (open > 0 && !at(TokenKind::End));
  } while (at("else") && peek(1).text == ":");
}

// ---- Grammar.

void ScheduleParser::parse(Schedule& schedule) {
  while (at("variant") && peek(1).kind == TokenKind::Name) {
    try {
      variant(schedule);
    } catch (const Bail&) {
      skip_line();
    }
  }
  lines(schedule.body);
  if (complete_) check_all_listed();
}

void ScheduleParser::variant(Schedule& schedule) {
  next();
  const Token& size = name("a size");
  const Symbol symbol = program_.graph->symbol(size.text);
  expect("==", "after the size of a variant");
  const std::int64_t value = number({"the value of a size", 0, std::int64_t{1} << 40});
  const ir::Parameter* parameter = program_.find_parameter(symbol);
  if (parameter == nullptr || !parameter->is_size) {
    NearestName near(size.text);
    for (const ir::Parameter& p : program_.parameters)
      if (p.is_size) near.consider(p.name.text());
    name_error(span(size), "the program has no size '" + std::string(size.text) + "'").help =
        near.help();
  }
  if (std::find(schedule.variants.begin(), schedule.variants.end(), Variant{symbol, value}) !=
      schedule.variants.end())
    name_error(span(size), "this variant is listed twice");
  schedule.variants.push_back({symbol, value});
  end_line();
}

void ScheduleParser::lines(std::vector<Node>& out) {
  while (!at(TokenKind::End) && !at(TokenKind::Dedent) && !diagnostics_.full()) {
    const std::size_t size = out.size(), loops = loops_.size(), around = around_.size();
    try {
      if (at(TokenKind::Indent)) {
        fail(span(peek(1)), "this line is indented deeper than the one before it",
             "only what follows a ':' is a block of its own");
      }
      line(out);
    } catch (const Bail&) {
      out.resize(size);
      loops_.resize(loops);
      around_.resize(around);
      skip_line();
    }
  }
}

std::optional<NodeKind> ScheduleParser::block_word() const {
  if (peek(1).kind != TokenKind::Name) return std::nullopt;
  for (const BlockWord& w : kBlockWords)
    if (at(w.word)) return w.kind;
  return std::nullopt;
}

void ScheduleParser::line(std::vector<Node>& out) {
  if (const auto kind = block_word()) return loop(*kind, out);
  if (at("else")) fail(span(peek()), "this 'else' belongs to no 'when'");
  do {
    leaf(out);
  } while (accept(","));
  if (at(":"))
    fail(span(peek()), "only loops, 'repeat' and 'when' have a block",
         "a statement is named by its label alone");
  out.back().reason = end_line();
}

std::string ScheduleParser::end_line() {
  const Token& token = peek();
  if (token.kind != TokenKind::Newline)
    fail(span(token), "expected the end of the line, not " + shown(token));
  next();
  const std::size_t begin = token.begin == 0 ? 0 : text_.rfind('\n', token.begin - 1) + 1;
  const std::string_view line = text_.substr(begin, token.begin - begin);
  const std::size_t comment = line.find('#');
  if (comment == std::string_view::npos) return {};
  std::string_view reason = line.substr(comment + 1);
  while (!reason.empty() && reason.front() == ' ') reason.remove_prefix(1);
  while (!reason.empty() && reason.back() == ' ') reason.remove_suffix(1);
  return std::string(reason);
}

void ScheduleParser::loop(NodeKind kind, std::vector<Node>& out) {
  if (loops_.size() + around_.size() > kMaxNesting)
    fail(span(peek()), "nested deeper than " + std::to_string(kMaxNesting));
  const Token& word = next();
  Node n;
  n.kind = kind;
  const bool labelled_block = kind == NodeKind::Repeat || kind == NodeKind::When;
  const Token& token = name(labelled_block ? "an item" : "a loop's variable");
  n.name = program_.graph->symbol(token.text);
  n.span = join(span(word), span(token));
  const bool must = is_copied(kind) || kind == NodeKind::Vector;
  const bool may = must || kind == NodeKind::For || kind == NodeKind::Parallel;
  if (must && !at("/"))
    fail(span(peek()),
         "expected '/' and " +
             std::string(kind == NodeKind::Vector ? "the vector's width" : "the number of copies") +
             ", not " + shown(peek()),
         "write " + std::string(word.text) + " " + std::string(token.text) +
             (kind == NodeKind::Vector ? "/8"
              : kind == NodeKind::Jam  ? "/2"
                                       : "/4"));
  if (may && accept("/")) {
    n.tile = number(kind == NodeKind::Vector   ? Number{"a vector's width", 1, 256, true}
                    : kind == NodeKind::Unroll ? Number{"the number of copies", 1, 256}
                    : kind == NodeKind::Jam    ? Number{"the number of copies", 1, 8}
                                               : Number{"a tile", 1, std::int64_t{1} << 40});
  } else if (!labelled_block && at("/")) {
    fail(span(peek()), "the loop of a sweep has no tile: its order is meaning");
  }
  expect(":", "after " + std::string(word.text) + " " + std::string(token.text));
  const std::size_t first_leaf = leaves_.size();
  if (labelled_block) {
    labelled(token, kind);
    around_.push_back({n.name, false});
    block(n, n.body);
    if (kind == NodeKind::When && at("else") && peek(1).text == ":") {
      next();
      next();
      around_.back().otherwise = true;
      Node unused;  // `else` has no reason of its own
      block(unused, n.otherwise);
    }
    around_.pop_back();
  } else {
    loops_.push_back(&n);
    block(n, n.body);
    loops_.pop_back();
    check_variable(n, span(token), first_leaf);
  }
  out.push_back(std::move(n));
}

void ScheduleParser::block(Node& around, std::vector<Node>& out) {
  if (!at(TokenKind::Newline)) return line(out);
  around.reason = end_line();
  if (!at(TokenKind::Indent)) return;
  next();
  lines(out);
  if (at(TokenKind::Dedent)) next();
}

bool ScheduleParser::at_leaf_word(std::string_view word) const {
  return at(word) && peek(1).kind == TokenKind::Name;
}

void ScheduleParser::leaf(std::vector<Node>& out) {
  if (block_word())
    fail(span(peek()), "a loop begins a line", "commas separate statements, not loops");
  if (at_leaf_word("call")) {
    next();
    const Token& token = name("a call");
    labelled(token, NodeKind::Call);
    Node n;
    n.kind = NodeKind::Call;
    n.name = program_.graph->symbol(token.text);
    n.span = span(token);
    out.push_back(std::move(n));
  } else if (at_leaf_word("copy")) {
    copy(out);
  } else if (at_leaf_word("prefetch")) {
    prefetch(out);
  } else if (at_leaf_word("variant")) {
    fail(span(peek()), "variants stand right after the header");
  } else {
    compute(out);
  }
}

void ScheduleParser::compute(std::vector<Node>& out) {
  if (!at(TokenKind::Name))
    fail(span(peek()), "expected a loop or the label of a statement, not " + shown(peek()));
  const Token& token = next();
  if (at(TokenKind::Name) && labels_.find(program_.graph->symbol(token.text)) != nullptr)
    fail(span(peek()), "expected ',' or the end of the line, not " + shown(peek()));
  if (at(TokenKind::Name)) {
    NearestName near(token.text);
    for (const BlockWord& w : kBlockWords) near.consider(w.word);
    for (const std::string_view w : {"call", "copy", "prefetch"}) near.consider(w);
    fail(span(token), "'" + std::string(token.text) + "' is no kind of loop",
         near.help("the loops are for, parallel, vector, unroll, jam, forward and backward"));
  }
  const LabelledItem* item = labelled(token, NodeKind::Compute);
  Node n;
  n.kind = NodeKind::Compute;
  n.name = program_.graph->symbol(token.text);
  n.span = span(token);
  if (accept("(")) {
    do {
      const Token& variable = name("a variable of '" + std::string(token.text) + "'");
      expect("=", "after the variable");
      const Token& around = name("a loop");
      Bind b{program_.graph->symbol(variable.text), program_.graph->symbol(around.text), 0};
      if (accept("+"))
        b.shift = number({"a shift", 0, kMaxShift});
      else if (accept("-"))
        b.shift = -number({"a shift", 0, kMaxShift});
      check_bind(item, variable, around);
      if (!(b.variable == b.loop && b.shift == 0)) n.binds.push_back(b);
    } while (accept(","));
    expect(")", "after the variables of '" + std::string(token.text) + "'");
  }
  if (accept("->")) place(n);
  out.push_back(std::move(n));
}

void ScheduleParser::prefetch(std::vector<Node>& out) {
  next();
  for (;;) {
    const Token& token = name("an array");
    array(token);
    Node n;
    n.kind = NodeKind::Prefetch;
    n.name = program_.graph->symbol(token.text);
    n.span = span(token);
    if (accept("next"))
      n.next = program_.graph->symbol(name("the variable of a loop").text);
    else
      n.bytes = number({"the distance of a prefetch in bytes", 1, std::int64_t{1} << 20});
    out.push_back(std::move(n));
    const bool more = at(",") && peek(1).kind == TokenKind::Name &&
                      (peek(2).kind == TokenKind::Integer || peek(2).text == "next");
    if (!more) return;
    next();
  }
}

std::optional<Schedule> parse_schedule(std::string path, std::string text,
                                       const ir::Program& program, Diagnostics& diagnostics) {
  check(program.sources != nullptr, "a program with a source map");
  const std::size_t errors = diagnostics.error_count();
  const std::uint32_t file = program.sources->add(std::move(path), std::move(text));
  if (!check_source_text(*program.sources, file, diagnostics)) return std::nullopt;
  const LockfileLines lines = read_lines(file, program.sources->file(file).text, diagnostics);
  if (diagnostics.error_count() > errors) return std::nullopt;
  // In a file for another program nothing can be expected to fit.
  if (!check_fresh(lines, program, diagnostics)) return std::nullopt;
  ScheduleParser parser(file, lines, program, diagnostics);
  Schedule schedule;
  schedule.program = lines.program;
  schedule.machine = lines.machine;
  schedule.parts = fingerprints(program);
  if (diagnostics.error_count() == errors) parser.parse(schedule);
  for (const Diagnostic& d : parser.name_errors()) diagnostics.add(d);
  if (diagnostics.error_count() > errors) return std::nullopt;
  return schedule;
}

}  // namespace lathe::schedule
