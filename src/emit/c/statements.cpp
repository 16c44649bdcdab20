// SPDX-License-Identifier: Apache-2.0
// Statements, one function each. Inside a vector loop, statements without loops inside them are
// printed chunk by chunk, so that few vectors are alive at a time:
//
//   let t = u[j] + 1.0          const f64x8 x3_t_0 = load_f64x8(&b0_u[x2_j]) + ...
//   v[j] = t * t         ->     store_f64x8(&b1_v[x2_j], x3_t_0 * x3_t_0);
//                               const f64x8 x3_t_1 = load_f64x8(&b0_u[x2_j + 8]) + ...
//
// But for register tiles that would be too many: a[i] for each row of the tile would wait for the
// next chunk of the columns. They are printed row by row.

#include <algorithm>

#include "emit/c/abi.h"
#include "emit/c/evaluate.h"
#include "emit/c/names.h"
#include "emit/c/types.h"
#include "ir/traverse.h"

namespace lathe::emit {

namespace {

static_assert(loops::kFaultValues == LATHE_FAULT_VALUES);

bool has_blocks(const loops::Stmt& s) {
  return std::holds_alternative<loops::For>(s.node) || std::holds_alternative<loops::If>(s.node);
}

}  // namespace

void Printer::body(const Body& statements, const Form& form) {
  for (std::size_t i = 0; i < statements.size();) {
    if (form.chunks == 1 || has_blocks(statements[i])) {
      statement(statements[i++], form);
      continue;
    }
    std::size_t end = i;
    while (end < statements.size() && !has_blocks(statements[end])) ++end;
    if (is_row_by_row({statements.begin() + static_cast<std::ptrdiff_t>(i), end - i}, form)) {
      for (; i < end; ++i)
        for (int chunk = 0; chunk < form.chunks; ++chunk) {
          Form one = form;
          one.chunk = chunk;
          statement(statements[i], one);
        }
      continue;
    }
    for (int chunk = 0; chunk < form.chunks; ++chunk) {
      Form one = form;
      one.chunk = chunk;
      for (std::size_t k = i; k < end; ++k) statement(statements[k], one);
    }
    print_waiting();
    i = end;
  }
}

// The stores that waited for all chunks, each target's one after the other: they stand in one list
// of statements, so their addresses are in its order.
void Printer::print_waiting() {
  std::stable_sort(waiting_.begin(), waiting_.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [store, line] : waiting_) out_->line(line);
  waiting_.clear();
}

// Are fewer vectors alive when each statement is done for all chunks, and would there be too many
// otherwise? Only of statements that put values into registers: those may stand in any order of
// chunks.
bool Printer::is_row_by_row(std::span<const loops::Stmt> statements, const Form& form) const {
  std::vector<Symbol> varying = {form.variable};
  std::vector<Expr> stored;
  for (const loops::Stmt& s : statements) {
    if (const auto* let = std::get_if<loops::Let>(&s.node)) {
      varying.push_back(let->name);
    } else if (const auto* store = std::get_if<loops::Store>(&s.node)) {
      if (!is_register(store->buffer)) return false;
      stored.push_back(store->value);
    } else if (!std::holds_alternative<loops::Comment>(s.node)) {
      return false;
    }
  }
  // What all lanes of a row share: in memory once, in a register while its chunks are computed.
  const auto is_shared = [&](Expr e) {
    if (e->op != Op::Read || is_register(e->name)) return false;
    const std::vector<Expr> inside = ir::post_order(std::span(&e, 1));
    return std::none_of(inside.begin(), inside.end(), [&](Expr part) {
      return (part->op == Op::Index || part->op == Op::Param) &&
             std::find(varying.begin(), varying.end(), part->name) != varying.end();
    });
  };
  const std::vector<Expr> parts = ir::post_order(stored);
  const auto shared =
      static_cast<std::size_t>(std::count_if(parts.begin(), parts.end(), is_shared));
  const auto chunks = static_cast<std::size_t>(form.chunks);
  const std::size_t lets = varying.size() - 1, registers = options_.vector_bytes >= 64 ? 32 : 16;
  return stored.size() * chunks + shared + lets > registers && lets * chunks + 1 < shared + lets;
}

bool Printer::is_register(Symbol buffer) const {
  const auto found = places_.find(buffer);
  return found != places_.end() && found->second.registers;
}

void Printer::statement(const loops::Stmt& s, const Form& form) {
  std::visit([&](const auto& node) { emit(node, form); }, s.node);
}

void Printer::emit(const loops::If& s, const Form& form) {
  if (form.lanes > 1 && Evaluator(*this, *out_, form).varies(s.condition)) {
    for (int chunk = 0; chunk < form.chunks; ++chunk) {
      Form one = form;
      one.chunk = chunk;
      fault_lanes(s, one);
    }
    return;
  }
  const std::string condition = Evaluator(*this, *out_, form).value(s.condition).text;
  out_->open("if (" + condition + ")");
  {
    const Scope scope(*this);
    const std::size_t memory = memory_.size();
    body(s.then_body, form);
    release_memory(memory);
  }
  if (!s.else_body.empty()) {
    out_->reopen("else");
    const Scope scope(*this);
    const std::size_t memory = memory_.size();
    body(s.else_body, form);
    release_memory(memory);
  }
  out_->close();
}

// The lanes are looked at only if some condition holds; then the first of them faults.
void Printer::fault_lanes(const loops::If& s, const Form& form) {
  const auto fault = std::find_if(s.then_body.begin(), s.then_body.end(), [](const auto& inner) {
    return std::holds_alternative<loops::Fault>(inner.node);
  });
  if (fault == s.then_body.end()) return;
  Evaluator evaluator(*this, *out_, form);
  Value condition = evaluator.value(s.condition);
  const std::string mask = evaluator.named(condition);
  const DType lane_type = signed_of(condition.mask);
  out_->open("if (" + library_.function("any", lane_type, form.lanes) + "(" + mask + "))");
  Evaluator inner(*this, *out_, form);
  const auto& what = std::get<loops::Fault>(fault->node);
  std::string list;
  const std::size_t count = std::min(what.values.size(), loops::kFaultValues);
  for (std::size_t i = 0; i < count; ++i) {
    const Value v = inner.value(what.values[i]);
    list += (i == 0 ? "" : ", ") + (v.lanes == 1 ? v.text : inner.named(v) + "[lane]");
  }
  const std::string end = form.active.empty() ? std::to_string(form.lanes) : form.active;
  out_->open("for (i64 lane = 0; lane < " + end + "; ++lane)");
  out_->open("if (" + mask + "[lane])");
  out_->line("fault(context, " + std::to_string(what.site) + ", " + std::to_string(count) +
             ", (const i64[]){" + (list.empty() ? "0" : list) + "});");
  out_->line(leave());
  for (int i = 0; i < 3; ++i) out_->close();
}

// --- Scalars.

void Printer::declare_scalar(Symbol name, Expr value, bool mutates, const Form& form) {
  Evaluator evaluator(*this, *out_, form);
  const bool varies = form.lanes > 1 && (mutates || evaluator.varies(value));
  if (form.chunk > 0 && !varies) return;  // once is enough
  Value v = varies ? evaluator.in_lanes(value) : evaluator.value(value);
  if (form.chunk == 0) {
    Binding b;
    b.dtype = value->dtype;
    b.varies = varies;
    b.mutates = mutates;
    b.mask = v.mask;
    const Local local = new_local('x', name, value_type(value->dtype, v.lanes, v.mask));
    b.chunks.assign(static_cast<std::size_t>(varies ? form.chunks : 1), local);
    for (std::size_t c = 0; c < b.chunks.size() && b.chunks.size() > 1; ++c)
      b.chunks[c].name += "_" + std::to_string(c);
    bind(name, std::move(b));
  }
  const Binding& b = binding(name);
  if (b.mask != v.mask) v = evaluator.mask(v, b.mask);
  const Local& local = b.chunks[varies ? static_cast<std::size_t>(form.chunk) : 0];
  out_->line((mutates ? "" : "const ") + local.type + " " + local.name + " = " + v.text + ";");
}

void Printer::emit(const loops::Let& s, const Form& form) {
  declare_scalar(s.name, s.value, false, form);
}

void Printer::emit(const loops::Var& s, const Form& form) {
  declare_scalar(s.name, s.initial, true, form);
}

void Printer::emit(const loops::Assign& s, const Form& form) {
  Evaluator evaluator(*this, *out_, form);
  const Binding& b = binding(s.name);
  check(b.chunks[0].frame == frame_->number, "an assignment in the function that declares");
  Value v = b.varies ? evaluator.in_lanes(s.value) : evaluator.value(s.value);
  if (b.varies && b.mask != v.mask) v = evaluator.mask(v, b.mask);
  out_->line(use(b, form.chunk) + " = " + v.text + ";");
}

// --- Memory.

void Printer::emit(const loops::Store& s, const Form& form) {
  Place& p = place(s.buffer);
  if (p.registers || (form.lanes > 1)) return store_lanes(s, p, form);
  Evaluator evaluator(*this, *out_, form);
  std::string value = evaluator.value(s.value).text;
  if (ir::is_half(p.dtype)) value = library_.function("narrow", p.dtype, 1) + "(" + value + ")";
  const std::string at = evaluator.access(p, s.indices).at.text;
  const std::string line = pointer(p, true) + "[" + at + "] = " + value + ";";
  const std::string test = checked() ? evaluator.inside(p, s.indices) : "";
  if (test.empty()) return out_->line(line);
  out_->open("if (" + test + ")");
  out_->line(line);
  out_->reopen("else");
  out_->line(evaluator.report_outside(s.buffer, s.indices, true) + ";");
  out_->close();
}

void Printer::store_lanes(const loops::Store& s, Place& p, const Form& form) {
  Evaluator evaluator(*this, *out_, form);
  if (p.registers) {
    Value v = evaluator.in_lanes(s.value);
    if (p.mask != v.mask) v = evaluator.mask(v, p.mask);
    const Local target{p.base + "_" + std::to_string(form.chunk), "", p.pointer.frame};
    return out_->line(use(target) + " = " + v.text + ";");
  }
  const DType t = stored(p.dtype);
  const auto in_memory = [&](const Value& v) {
    if (ir::is_half(p.dtype))
      return library_.function("narrow", p.dtype, v.lanes) + "(" + v.text + ")";
    if (!ir::is_bool(p.dtype) || v.lanes == 1) return v.text;
    return "(" + library_.type(t, v.lanes) + ")(" + evaluator.mask(v, 1).wrapped(kAtom) + " & 1)";
  };
  const Value value = evaluator.value(s.value);
  const Evaluator::Access a = evaluator.access(p, s.indices);
  const std::string base = pointer(p, true);
  if (a.kind == Evaluator::Access::Uniform) {  // the last lane wins
    if (value.lanes == 1)
      return out_->line(base + "[" + a.at.text + "] = " + in_memory(value) + ";");
    const std::string last = temporary();
    const std::string lane =
        form.active.empty() ? std::to_string(form.lanes - 1) : form.active + " - 1";
    out_->line("const " + library_.type(t, form.lanes) + " " + last + " = " + in_memory(value) +
               ";");
    return out_->line(base + "[" + a.at.text + "] = " + last + "[" + lane + "];");
  }
  const std::string text = in_memory(value.lanes == 1 ? evaluator.splat(value) : value);
  const std::string address = "&" + base + "[" + a.at.text + "], ";
  const bool part = !form.active.empty();
  const auto store = [&](const std::string& function, const std::string& args) {
    out_->line(library_.function(function + (part ? "_part" : ""), t, form.lanes) + "(" + args +
               text + (part ? ", " + form.active : "") + ");");
  };
  switch (a.kind) {
    case Evaluator::Access::Uniform: break;
    case Evaluator::Access::Contiguous: {
      // Straight-line code has no place to look at addresses first.
      const bool each = s.stream && form.constant && !part &&
                        form.lanes * static_cast<int>(ir::size_bytes(p.dtype)) >= 16;
      if (each) frame_->streamed = true;
      const auto streaming = streaming_.find(&s);
      if (streaming == streaming_.end()) return store(each ? "stream_any" : "store", address);
      if (!streaming->second || form.chunks == 1) return store("stream", address);
      const std::string name = temporary();
      out_->line("const " + library_.type(t, form.lanes) + " " + name + " = " + text + ";");
      waiting_.emplace_back(
          &s, library_.function("stream", t, form.lanes) + "(" + address + name + ");");
      return;
    }
    case Evaluator::Access::Strided: return store("store_strided", address + a.stride + ", ");
    case Evaluator::Access::Scattered: return store("scatter", base + ", " + a.at.text + ", ");
  }
}

void Printer::emit(const loops::VectorLoad& s, const Form& form) {
  Evaluator evaluator(*this, *out_, form);
  Place& from = place(s.from);
  const bool varies =
      std::any_of(s.indices.begin(), s.indices.end(), [&](Expr i) { return evaluator.varies(i); });
  if (form.chunk > 0 && !varies) return;
  const int lanes = varies ? form.lanes : 1;
  if (form.chunk == 0) {
    Place p;
    p.dtype = from.dtype;
    p.loaded = true;
    p.varies = varies;
    p.lanes = lanes;
    p.mask = ir::is_bool(from.dtype) && varies ? 1 : 0;
    p.pointer = new_local('v', s.name, "");
    p.base = p.pointer.name;
    bind_place(s.name, std::move(p));
  }
  const Evaluator::Access a = evaluator.access(from, s.indices);
  const std::string step = stride(from, s.indices.size() - 1);
  for (std::int64_t channel = 0; channel < s.width; ++channel) {
    const std::string far =
        channel == 0 ? "" : " + " + std::to_string(channel) + (step == "1" ? "" : " * " + step);
    const Value v = evaluator.load_lanes(from, a, far);
    std::string name = place(s.name).base + "_" + std::to_string(channel);
    if (varies && form.chunks > 1) name += "_" + std::to_string(form.chunk);
    out_->line("const " + value_type(from.dtype, lanes, v.mask) + " " + name + " = " + v.text +
               ";");
  }
}

void Printer::emit(const loops::Prefetch& s, const Form& form) {
  Evaluator evaluator(*this, *out_, form);
  Place& p = place(s.buffer);
  const Evaluator::Access a = evaluator.access(p, s.indices);
  if (a.kind == Evaluator::Access::Uniform && form.chunk > 0) return;
  // Once per line.
  const auto before = ir::size_bytes(p.dtype) * static_cast<std::size_t>(form.chunk * form.lanes);
  if (a.kind == Evaluator::Access::Contiguous && before % kLine != 0) return;
  const bool scattered = a.kind == Evaluator::Access::Scattered;
  for (int lane = 0; lane < (scattered ? form.lanes : 1); ++lane)
    out_->line("__builtin_prefetch(&" + pointer(p, false) + "[" + a.at.text +
               (scattered ? "[" + std::to_string(lane) + "]" : "") + "]);");
}

// --- Control.

std::string Printer::leave() const { return frame_->run ? "return context->status;" : "return;"; }

// The test that a condition does not hold in all lanes that exist.
std::string Printer::some_lane_goes_on(Expr condition, const Form& form) {
  const bool negated = condition->op == Op::Not;
  std::string some;
  for (int chunk = 0; chunk < form.chunks; ++chunk) {
    Form one = form;
    one.chunk = chunk;
    Evaluator evaluator(*this, *out_, one);
    const Value v = evaluator.in_lanes(negated ? condition->arg(0) : condition);
    const DType t = signed_of(v.mask);
    std::string mask = negated ? v.wrapped(kProduct) : "~" + v.wrapped(kAtom);
    if (!form.active.empty())
      mask += " & (" + library_.type(t, form.lanes) + ")(" +
              library_.function("count", t, form.lanes) + "(0) < " +
              library_.function("splat", t, form.lanes) + "((" + library_.type(t, 1) + ")" +
              form.active + "))";
    some += (chunk == 0 ? "" : " | ") + library_.function("any", t, form.lanes) + "(" + mask + ")";
  }
  return some;
}

void Printer::emit(const loops::Break& s, const Form& form) {
  check(loop_depth_ > 0 && !in_vector_loop_, "a break inside of a serial loop");
  const bool lanes = form.lanes > 1 && Evaluator(*this, *out_, form).varies(s.condition);
  out_->open("if (" +
             (lanes ? "!(" + some_lane_goes_on(s.condition, form) + ")"
                    : Evaluator(*this, *out_, form).value(s.condition).text) +
             ")");
  const auto first = std::find_if(memory_.begin(), memory_.end(),
                                  [&](const Memory& m) { return m.loop == loop_depth_; });
  if (first != memory_.end()) out_->line("context->thread_release(context, " + first->name + ");");
  out_->line("break;");
  out_->close();
}

void Printer::emit(const loops::Fault& s, const Form& form) {
  check(form.lanes == 1, "a fault outside of vectors");
  Evaluator evaluator(*this, *out_, form);
  std::string list;
  const std::size_t count = std::min(s.values.size(), loops::kFaultValues);
  for (std::size_t i = 0; i < count; ++i)
    list += (i == 0 ? "" : ", ") + evaluator.value(s.values[i]).text;
  out_->line("fault(context, " + std::to_string(s.site) + ", " + std::to_string(count) +
             ", (const i64[]){" + (list.empty() ? "0" : list) + "});");
  out_->line(leave());
}

void Printer::emit(const loops::Comment& s, const Form& form) {
  if (form.chunk == 0) out_->line("// " + comment_text(s.text));
}

}  // namespace lathe::emit
