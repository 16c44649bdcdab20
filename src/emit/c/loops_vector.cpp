// SPDX-License-Identifier: Apache-2.0
// Vector loops. What `width` does not divide runs in single chunks, then one iteration at a time:
//
//   vector j in lo..hi by 16:      for (; j + 16 <= hi; j += 16) { two chunks of 8 }
//     ...                    ->    for (; j + 8 <= hi; j += 8) { one }
//                                  for (; j < hi; ++j) { single values }
//
// With constant bounds that fit the width it is straight-line code without a loop.
//
// Streaming stores need aligned vectors. Single iterations run up to the first aligned address,
// then the vectors, then the rest; a loop around the three prints the single iterations only once:
//
//   for (i64 end = first aligned;; end = hi) {
//     for (; j < end; ++j) { single }
//     if (j >= hi) break;
//     for (; j + 8 <= hi; j += 8) { vectors }
//   }
//
// Further targets are streamed only if they turn out to be aligned too; else there is a second loop
// with plain stores.
//
// The processor collects what goes around the caches line by line, and a line that waits for its
// second half while others are read costs a fifth of the bandwidth. So vectors that are shorter are
// stored one right after the other, from a line's first address on; in simple loops two lines at a
// time (diffusion, f64, AVX2: 28 GB/s vector by vector, 36 by lines, 40 by pairs of them).

#include <algorithm>

#include "emit/c/evaluate.h"
#include "emit/c/types.h"
#include "ir/loops_walk.h"
#include "ir/traverse.h"

namespace lathe::emit {

namespace {

// Is the buffer stored to in one place of the body, and read nowhere in it?
bool touches_once(const loops::Body& body, Symbol buffer) {
  int stores = 0, others = 0;
  loops::for_each_stmt(body, [&](const loops::Stmt& s) {
    if (const auto* store = std::get_if<loops::Store>(&s.node)) stores += store->buffer == buffer;
    if (const auto* load = std::get_if<loops::VectorLoad>(&s.node)) others += load->from == buffer;
    loops::for_each_expr(s, [&](Expr e) {
      if (!e) return;
      for (Symbol read : ir::arrays_read(e)) others += read == buffer;
    });
  });
  return stores == 1 && others == 0;
}

}  // namespace

struct Printer::VectorLoop {
  const loops::For& f;
  VectorPlan plan;
  std::string x, hi;  // C text of the variable and the bound
  std::int64_t trip;  // how often it runs, -1 if unknown
  struct Target {
    const loops::Store* store;
    std::string address;  // at the variable's value
    std::size_t size;     // of an element
  };
  std::vector<Target> targets;  // to stream

  Form form(int chunks) const { return {plan.lanes, 0, chunks, f.variable, x, false, {}}; }
};

void Printer::vector_loop(const loops::For& f) {
  const Scope scope(*this);
  const Form plain;
  std::int64_t trip = -1;
  if (is_const(f.lo) && is_const(f.hi))
    trip = std::max<std::int64_t>(0, f.hi->scalar().as_int() - f.lo->scalar().as_int());
  VectorLoop v{f, plans_.loops.at(&f), {}, {}, trip, {}};
  const bool outer_vector = std::exchange(in_vector_loop_, true);
  if (trip == f.width) {
    straight_line(v);
  } else {
    out_->open("");
    v.hi = bound(f.hi, "hi", plain);
    const std::string lo = Evaluator(*this, *out_, plain).value(f.lo).text;
    Binding b;
    b.tame = true;
    b.chunks = {new_local('x', f.variable, "i64")};
    v.x = b.chunks[0].name;
    out_->line("i64 " + v.x + " = " + lo + ";");
    bind(f.variable, std::move(b));
    ++loop_depth_;
    find_divisors(f, v.plan.lanes, v.x + " < " + v.hi);
    find_streams(v);
    if (v.targets.empty()) {
      wide_loop(v, v.plan.chunks);
      if (trip < 0 || trip % f.width != 0) partial_loop(v, v.hi);
    } else {
      streaming_loop(v);
    }
    divisors_.clear();
    --loop_depth_;
    out_->close();
  }
  in_vector_loop_ = outer_vector;
}

void Printer::straight_line(const VectorLoop& v) {
  Form form = v.form(v.plan.chunks);
  form.first = std::to_string(v.f.lo->scalar().as_int());
  form.constant = true;
  const Scope scope(*this);
  Block inner;
  Block* outer = std::exchange(out_, &inner);
  body(v.f.body, form);
  out_ = outer;
  const bool declares = std::any_of(v.f.body.begin(), v.f.body.end(), [](const loops::Stmt& s) {
    return !std::holds_alternative<loops::Store>(s.node);
  });
  if (declares) out_->open("");
  out_->append(std::move(inner));
  if (declares) out_->close();
}

void Printer::wide_loop(const VectorLoop& v, int chunks) {
  const int lanes = v.plan.lanes * chunks;
  const std::string width = std::to_string(lanes);
  if (v.trip >= 0 && v.trip < lanes) return;
  out_->open("for (; " + v.x + " + " + width + " <= " + v.hi + "; " + v.x + " += " + width + ")");
  const Scope scope(*this);
  body(v.f.body, v.form(chunks));
  out_->close();
}

void Printer::partial_loop(const VectorLoop& v, const std::string& end) {
  Form form = v.form(1);
  form.active = "n" + std::to_string(next_name_++);
  const std::string left = end + " - " + v.x, lanes = std::to_string(v.plan.lanes);
  out_->open("for (i64 " + form.active + "; " + v.x + " < " + end + "; " + v.x +
             " += " + form.active + ")");
  out_->line(form.active + " = " + left + " < " + lanes + " ? " + left + " : " + lanes + ";");
  const Scope scope(*this);
  body(v.f.body, form);
  out_->close();
}

// --- Streaming.

// Stores of whole vectors whose address can be told before the loop.
void Printer::find_streams(VectorLoop& v) {
  const Form form = v.form(1);
  for (const loops::Stmt& s : v.f.body) {
    const auto* store = std::get_if<loops::Store>(&s.node);
    if (!store || !store->stream) continue;
    Place& p = place(store->buffer);
    const std::size_t size = ir::size_bytes(p.dtype);
    const std::size_t bytes = size * static_cast<std::size_t>(v.plan.lanes);
    if (p.registers || bytes < 16) continue;
    const std::vector<Expr> nodes = ir::post_order(store->indices);
    const bool visible = std::all_of(nodes.begin(), nodes.end(), [&](Expr e) {
      if (e->op == Op::Read) return places_.contains(e->name);
      return (e->op != Op::Param && e->op != Op::Index) || bindings_.contains(e->name);
    });
    if (!visible) continue;
    Block temporaries;
    Evaluator evaluator(*this, temporaries, form);
    const Evaluator::Access a = evaluator.access(p, store->indices);
    if (a.kind != Evaluator::Access::Contiguous || !temporaries.empty()) continue;
    v.targets.push_back({store, "(u64)&" + pointer(p, true) + "[" + a.at.text + "]", size});
  }
}

// The vectors to compute before they are stored together.
int Printer::chunks_of_lines(const VectorLoop& v) {
  constexpr std::size_t kMost = 4;
  const std::size_t bytes = v.targets.front().size * static_cast<std::size_t>(v.plan.lanes);
  const std::size_t lines = v.f.body.size() <= 2 ? 2 : 1;  // a store, and a prefetch
  const auto wanted = static_cast<int>(std::min(kMost, lines * kLine / bytes));
  if (bytes >= kLine || wanted % v.plan.chunks != 0) return v.plan.chunks;
  // Registers are declared for as many chunks as the schedule says, outside.
  const auto in_registers = [&](Symbol buffer) {
    return places_.contains(buffer) && place(buffer).registers;
  };
  bool simple = true;
  for (const loops::Stmt& s : v.f.body) {
    if (const auto* store = std::get_if<loops::Store>(&s.node))
      simple &= !in_registers(store->buffer);
    else
      simple &= std::holds_alternative<loops::Let>(s.node) ||
                std::holds_alternative<loops::Prefetch>(s.node) ||
                std::holds_alternative<loops::Comment>(s.node);
    loops::for_each_expr(s, [&](Expr e) {
      for (Symbol read : ir::arrays_read(e)) simple &= !in_registers(read);
    });
  }
  return simple ? wanted : v.plan.chunks;
}

void Printer::streaming_loop(const VectorLoop& v) {
  frame_->streamed = true;
  const auto lanes = static_cast<std::size_t>(v.plan.lanes);
  const auto bytes = [&](const VectorLoop::Target& t) { return std::to_string(t.size * lanes); };
  const VectorLoop::Target& first = v.targets.front();
  const int chunks = chunks_of_lines(v);
  const std::size_t together = first.size * lanes * static_cast<std::size_t>(chunks);
  const std::string begin = together % kLine == 0 ? std::to_string(kLine) : bytes(first);
  const std::string end = temporary();
  out_->line("// Parts of a vector up to the first aligned address, and after the last one.");
  out_->line("i64 " + end + " = " + v.x + " + (i64)(-" + first.address + " % " + begin + " / " +
             std::to_string(first.size) + ");");
  out_->line("if (" + end + " > " + v.hi + ") " + end + " = " + v.hi + ";");
  out_->open("for (;; " + end + " = " + v.hi + ")");
  partial_loop(v, end);
  out_->line("if (" + v.x + " >= " + v.hi + ") break;");
  std::string aligned;
  for (std::size_t i = 1; i < v.targets.size(); ++i)
    aligned +=
        (i == 1 ? "" : " && ") + v.targets[i].address + " % " + bytes(v.targets[i]) + " == 0";
  if (!aligned.empty()) out_->open("if (" + aligned + ")");
  for (const VectorLoop::Target& t : v.targets)
    streaming_[t.store] = touches_once(v.f.body, t.store->buffer);
  wide_loop(v, chunks);
  if (chunks > v.plan.chunks) wide_loop(v, v.plan.chunks);
  for (const VectorLoop::Target& t : v.targets) streaming_.erase(t.store);
  if (!aligned.empty()) {
    out_->reopen("else");
    wide_loop(v, v.plan.chunks);
    out_->close();
  }
  out_->close();
}

}  // namespace lathe::emit
