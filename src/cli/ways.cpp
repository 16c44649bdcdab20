// SPDX-License-Identifier: Apache-2.0
#include "cli/ways.h"

#include <set>

#include "api/compiled.h"
#include "base/number_text.h"
#include "interp/loops_interpreter.h"
#include "ir/program_exprs.h"
#include "ir/text.h"
#include "ir/text_lexer.h"
#include "ir/traverse.h"
#include "ir/verify.h"
#include "passes/rebuild.h"
#include "pipeline.h"

namespace lathe::cli {
namespace {

using interp::Buffer;
using interp::State;

// The text with every dtype f64 replaced: types are words of the language wherever they stand.
std::string in_f32(const std::string& text) {
  Diagnostics none;
  std::string out = text;
  for (const ir::Token& token : ir::tokenize(0, text, none)) {
    const bool is_type = token.kind == ir::TokenKind::Name && token.text == "f64";
    if (is_type || token.suffix == "f64") out.replace(token.end - 3, 3, "f32");
  }
  return out;
}

// Through text, which has all of a program and is parsed with the typing rules of the language.
ir::Program narrowed(const ir::Program& program) {
  ir::PrintOptions options;
  options.labels = true;
  Diagnostics diagnostics;
  auto out =
      ir::parse_program("the program in f32", in_f32(ir::print(program, options)), diagnostics);
  if (out) ir::verify(*out, diagnostics);
  if (diagnostics.has_errors())
    throw UserError("the program does not work in f32: " + diagnostics.all().front().message, {},
                    "compare another way: without f32");
  return *out;
}

Buffer narrowed(const Buffer& wide) {
  Buffer out = interp::make_buffer(ir::DType::F32, wide.lo, wide.hi);
  const std::size_t from = size_bytes(wide.dtype), to = size_bytes(out.dtype);
  for (std::size_t i = 0; i * from < wide.data.size(); ++i)
    ir::Scalar::load(wide.dtype, wide.data.data() + i * from)
        .cast(ir::DType::F32)
        .store(out.data.data() + i * to);
  return out;
}

State narrowed(State state) {
  for (auto& [name, value] : state.parameters)
    if (value.dtype == ir::DType::F64) value = value.cast(ir::DType::F32);
  for (auto& [name, buffer] : state.arrays)
    if (buffer.dtype == ir::DType::F64) buffer = narrowed(buffer);
  return state;
}

std::set<ir::Symbol> arrays_mentioned(const ir::Program& program) {
  std::set<ir::Symbol> out;
  ir::for_each_expr(program.body, [&](ir::Expr e) {
    for (const ir::Expr node : ir::post_order(e))
      if (node->op == ir::Op::Read || node->op == ir::Op::Inside) out.insert(node->name);
  });
  const passes::Touched touched = passes::touched(program.body);
  out.insert(touched.reads.begin(), touched.reads.end());
  return out;
}

void set_word(Way& way, const std::string& word, const std::string& option) {
  const std::size_t at = word.find('=');
  const std::string name = word.substr(0, at);
  const std::string value = at == std::string::npos ? "" : word.substr(at + 1);
  const auto wrong = [&](const std::string& why, const std::string& help) {
    return UserError(option + ": " + why, {}, help);
  };
  const std::string all = "interp, loops or c, then optimize, f32, schedule=FILE, threads=N";
  if (word == "optimize") {
    way.optimize = true;
  } else if (word == "f32") {
    way.f32 = true;
  } else if (name == "schedule" && !value.empty()) {
    way.schedule = value;
  } else if (name == "threads") {
    const auto number = parse_int64(value);
    if (!number || number.value < 1 || number.value > 1024)
      throw wrong("'" + word + "' is no number of threads", "threads=1 to threads=1024");
    way.threads = static_cast<int>(number.value);
  } else {
    throw wrong("'" + word + "' is no way to run a program", all);
  }
}

}  // namespace

Way parse_way(const std::string& option, const std::string& text) {
  Way way;
  const std::string whole = option + " " + text;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const std::string word = text.substr(at, comma - at);
    const bool target = word == "interp" || word == "loops" || word == "c";
    if (target && at == 0)
      way.target = word;
    else
      set_word(way, word, whole);
    at = comma + 1;
  }
  const auto needs = [&](bool given, bool fits, const std::string& what, const std::string& who) {
    if (given && !fits)
      throw UserError(whole + ": " + what + " means nothing to " + way.target, {},
                      "it is for " + who);
  };
  needs(way.optimize, way.target == "interp", "optimize", "interp; loops and c run all passes");
  needs(way.threads > 0, way.target == "c", "threads", "c");
  needs(!way.schedule.empty(), way.target != "interp", "schedule", "loops and c");
  return way;
}

std::string describe(const Way& way) {
  std::string text = way.target;
  if (way.optimize) text += ", optimize";
  if (way.f32) text += ", f32";
  if (!way.schedule.empty()) text += ", schedule " + way.schedule;
  if (way.threads > 0) text += ", threads " + std::to_string(way.threads);
  return text;
}

State run_way(const Way& way, const ir::Program& program, const State& inputs) {
  State state = way.f32 ? narrowed(inputs) : inputs;
  const ir::Program chosen = way.f32 ? narrowed(program) : program;
  if (way.target == "interp") {
    interp::run(way.optimize ? run_pipeline(chosen) : chosen, state);
    return state;
  }
  api::CompileOptions options;
  options.lockfile = way.schedule;
  api::Compiled compiled(chosen, options);
  if (way.target == "loops") {
    // Lanes may look at what nobody has written, as long as nobody sees it.
    interp::run(compiled.variant(compiled.plain_key()).kernel, state, {.poison = true});
    return state;
  }
  if (compiled.is_interpreted())
    throw UserError("there is no C compiler, so target c cannot be compared", {},
                    "install gcc or clang, or name one by LATHE_CC");
  api::RunOptions how;
  how.threads = way.threads;
  compiled.run(state, how);
  return state;
}

std::optional<ir::Program> cut_after(const ir::Program& program, std::size_t count) {
  ir::Program out = program;
  out.body.resize(count);
  const std::set<ir::Symbol> written = passes::touched(out.body).writes;
  const std::set<ir::Symbol> mentioned = arrays_mentioned(out);
  std::erase_if(out.arrays, [&](ir::Array& a) {
    if (written.contains(a.name)) {
      if (a.role == ir::Role::Temp) a.role = ir::Role::Output;
      return false;
    }
    // What the cut leaves without a writer: the caller's is only read, our own is not there yet.
    if (a.role == ir::Role::InOut || a.role == ir::Role::State) a.role = ir::Role::Input;
    if (a.role == ir::Role::Output) a.role = ir::Role::Temp;
    return a.role == ir::Role::Temp && !mentioned.contains(a.name);
  });
  Diagnostics diagnostics;
  if (!ir::verify(out, diagnostics)) return std::nullopt;
  return out;
}

}  // namespace lathe::cli
