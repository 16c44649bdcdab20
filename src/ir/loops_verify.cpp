// SPDX-License-Identifier: Apache-2.0
// The walk over a kernel: what is in scope, and which loops are around. Checks only report; nothing
// stops the walk, so one run shows everything that is wrong.

#include "ir/loops_verify.h"

#include <algorithm>

#include "ir/loops_text.h"
#include "ir/loops_verifier.h"
#include "ir/verify_context.h"

namespace lathe::loops {

using lathe::quoted;

void KernelVerifier::run() {
  check_declarations();
  place_.clear();
  check_body(kernel_.body);
}

Diagnostic& KernelVerifier::error(std::string message, std::string help) {
  Diagnostic& d = diagnostics_.error({}, std::move(message));
  d.help = std::move(help);
  if (!place_.empty()) d.note("in: " + place_);
  if (at_) d.note("in: " + head_text(*at_));
  for (auto s = around_.rbegin(); s != around_.rend(); ++s)
    if (*s != at_) d.note("inside of: " + head_text(**s));
  return d;
}

void KernelVerifier::check_name(Symbol name) {
  if (std::string why = ir::valid_name(name.text()); !why.empty()) error(std::move(why));
}

void KernelVerifier::bind(Symbol name, Name meaning) {
  check_name(name);
  meaning.parallel = parallel_;
  meaning.vector = vector_;
  if (names_.try_emplace(name, meaning).second) {
    bound_.push_back(name);
  } else {
    error(quoted(name.text()) + " is bound already", "take a fresh name");
  }
}

const KernelVerifier::Name* KernelVerifier::find(Symbol name) const {
  const auto found = names_.find(name);
  return found == names_.end() ? nullptr : &found->second;
}

const KernelVerifier::Name* KernelVerifier::buffer(Symbol name, std::string_view purpose) {
  const Name* n = find(name);
  if (!n) {
    error("there is no buffer " + quoted(name.text()) + " here");
    return nullptr;
  }
  if (n->what == What::Buffer) return n;
  error(quoted(name.text()) + " is not a buffer that can be " + std::string(purpose));
  return nullptr;
}

void KernelVerifier::check_body(const Body& body) {
  const std::size_t size = bound_.size();
  for (const Stmt& s : body) check_stmt(s);
  for (; bound_.size() > size; bound_.pop_back()) names_.erase(bound_.back());
}

void KernelVerifier::check_stmt(const Stmt& s) {
  const Stmt* const before = at_;
  at_ = &s;
  if (around_.size() >= static_cast<std::size_t>(kMaxLoopNesting)) {
    error("statements are nested deeper than " + std::to_string(kMaxLoopNesting));
  } else {
    if (vector_) check_outside_of_lanes(s);
    std::visit([&](const auto& n) { check(n); }, s.node);
  }
  at_ = before;
}

// A loop that all lanes run together, until a break that they all agree to.
static bool is_rounds(const For& f) {
  return f.kind == Kind::Serial && is_const(f.lo) && is_const(f.hi) &&
         std::any_of(f.body.begin(), f.body.end(),
                     [](const Stmt& s) { return std::holds_alternative<Break>(s.node); });
}

// Vector loops hold what has a meaning for all lanes at once.
void KernelVerifier::check_outside_of_lanes(const Stmt& s) {
  const bool allowed = std::visit(
      [&](const auto& n) {
        using T = std::decay_t<decltype(n)>;
        if constexpr (std::is_same_v<T, For>) return is_rounds(n);
        if constexpr (std::is_same_v<T, If>)
          return n.else_body.empty() && n.then_body.size() == 1 &&
                 std::holds_alternative<Fault>(n.then_body[0].node);
        if constexpr (std::is_same_v<T, Fault>)
          return std::holds_alternative<If>(around_.back()->node);
        if constexpr (std::is_same_v<T, Break>) return innermost_->kind == Kind::Serial;
        return std::is_same_v<T, Let> || std::is_same_v<T, Var> || std::is_same_v<T, Assign> ||
               std::is_same_v<T, Store> || std::is_same_v<T, Prefetch> ||
               std::is_same_v<T, Comment>;
      },
      s.node);
  if (!allowed)
    error(
        "this cannot stand in a vector loop",
        "a vector loop holds let, var, assignments, stores, prefetches and rounds; use select for "
        "if");
}

void KernelVerifier::check_loop_kind(const For& s) {
  const bool serial = s.kind == Kind::Serial;
  if (s.step < 1) error("the step of a loop is at least 1");
  if (s.kind == Kind::Vector && s.step != 1) error("a vector loop has no step");
  if (!serial && s.down) error("only serial loops run down");
  if (s.kind != Kind::Vector && s.width != 1) error("only vector loops have a width");
  if (s.kind != Kind::Parallel && s.grain != 1) error("only parallel loops have a grain");
  if (s.width < 1 || (s.width & (s.width - 1)) != 0)
    error("the width of a vector loop is a power of two, not " + std::to_string(s.width));
  if (s.grain < 1) error("the grain of a parallel loop is at least 1");
  if (s.kind == Kind::Parallel && parallel_)
    error("a parallel loop stands inside of another one", "make one of them serial");
}

void KernelVerifier::check(const For& s) {
  check_loop_kind(s);
  check_expr(s.lo, DType::I64, "the lower bound");
  check_expr(s.hi, DType::I64, "the upper bound");
  const For* const parallel = parallel_;
  const For* const vector = vector_;
  const For* const innermost = innermost_;
  innermost_ = &s;
  if (s.kind == Kind::Parallel) parallel_ = &s;
  if (s.kind == Kind::Vector) vector_ = &s;
  const std::size_t size = bound_.size();
  bind(s.variable, {What::Variable, DType::I64});
  around_.push_back(at_);
  check_body(s.body);
  around_.pop_back();
  for (; bound_.size() > size; bound_.pop_back()) names_.erase(bound_.back());
  parallel_ = parallel;
  vector_ = vector;
  innermost_ = innermost;
}

void KernelVerifier::check(const If& s) {
  check_expr(s.condition, DType::Bool, "the condition");
  around_.push_back(at_);
  check_body(s.then_body);
  check_body(s.else_body);
  around_.pop_back();
}

void KernelVerifier::check_serial(std::string_view what) {
  if (parallel_) error(std::string(what) + " cannot stand in a parallel loop");
}

bool verify(const Kernel& kernel, Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.error_count();
  KernelVerifier(kernel, diagnostics).run();
  return diagnostics.error_count() == before;
}

void verify_or_die(const Kernel& kernel, std::string_view stage) {
  Diagnostics diagnostics(1);
  if (verify(kernel, diagnostics)) return;
  const Diagnostic& first = diagnostics.all().front();
  std::string problem = "the kernel is not well formed: " + first.message;
  for (const Note& n : first.notes) problem += "\n  " + n.message;
  throw InternalError(problem + "\n" + to_text(kernel), std::string(stage));
}

}  // namespace lathe::loops
