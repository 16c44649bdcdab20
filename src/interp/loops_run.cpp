// SPDX-License-Identifier: Apache-2.0
// Running compiled kernels.

#include <algorithm>
#include <cstring>
#include <numeric>

#include "interp/binding.h"
#include "interp/executor.h"
#include "interp/fault_words.h"
#include "interp/float_mode.h"
#include "interp/loops_machine.h"

namespace lathe::interp {

using loops::Kind;

void LoopsMachine::run() {
  bind_arrays(frame_.space);
  open_declared();
  run(code_);
  for (const ir::Array& a : interface_.arrays) frame_.space.allocated(frame_.space.find(a.name));
}

void LoopsMachine::open_declared() {
  for (const ir::Array& a : interface_.arrays) {
    const Id id = frame_.space.find(a.name);
    if (frame_.space.array(id).buffer != nullptr) frame_.open(id, a.role != ir::Role::Temp);
  }
}

LoopsMachine::Flow LoopsMachine::run(std::vector<Code>& block) {
  for (Code& code : block)
    if (run(code) == Flow::Break) return Flow::Break;
  return Flow::Next;
}

LoopsMachine::Flow LoopsMachine::run(Code& code) {
  frame_.statement = code.stmt;
  if (operations() > options_.operation_cap) [[unlikely]]
    throw TooLong(options_.operation_cap);
  return std::visit([&](const auto& n) { return run(n, code); }, code.stmt->node);
}

// --- Loops.

LoopsMachine::Flow LoopsMachine::run(const loops::For& f, Code& code) {
  code.exprs[0].run(1);
  code.exprs[1].run(1);
  const std::int64_t lo = code.exprs[0].integer(), hi = code.exprs[1].integer();
  if (hi <= lo) return Flow::Next;
  const auto step = static_cast<std::uint64_t>(f.step);
  const std::uint64_t length = static_cast<std::uint64_t>(hi) - static_cast<std::uint64_t>(lo);
  const std::uint64_t count = (length - 1) / step + 1;
  frame_.loops.emplace_back(f.variable, code.slot);
  switch (f.kind) {
    case Kind::Serial: run_serial(f, code, lo, count); break;
    case Kind::Parallel: run_parallel(f, code, lo, count); break;
    case Kind::Vector: run_vector(f, code, lo, count); break;
  }
  frame_.loops.pop_back();
  return Flow::Next;
}

namespace {

std::int64_t value_at(std::int64_t lo, std::uint64_t k, std::int64_t step) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(lo) +
                                   k * static_cast<std::uint64_t>(step));
}

// splitmix64
std::uint64_t next_random(std::uint64_t& state) {
  std::uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

}  // namespace

void LoopsMachine::run_serial(const loops::For& f, Code& code, std::int64_t lo,
                              std::uint64_t count) {
  Slot& variable = frame_.slots[code.slot];
  for (std::uint64_t k = 0; k < count; ++k) {
    variable.row[0] = static_cast<std::uint64_t>(value_at(lo, f.down ? count - 1 - k : k, f.step));
    if (run(code.body) == Flow::Break) return;
  }
}

// In any order: so in one that nobody expects.
void LoopsMachine::run_parallel(const loops::For& f, Code& code, std::int64_t lo,
                                std::uint64_t count) {
  std::vector<std::uint64_t> order(count);
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  for (std::uint64_t k = count; k > 1; --k)
    std::swap(order[k - 1], order[next_random(random_) % k]);
  frame_.ledger.enter_parallel(count);
  for (const std::uint64_t k : order) {
    frame_.ledger.set_iteration(k);
    frame_.slots[code.slot].row[0] = static_cast<std::uint64_t>(value_at(lo, k, f.step));
    run(code.body);
  }
  frame_.ledger.leave_parallel();
}

void LoopsMachine::run_vector(const loops::For& f, Code& code, std::int64_t lo,
                              std::uint64_t count) {
  const auto width = static_cast<std::uint64_t>(f.width);
  for (std::uint64_t k = 0; k < count; k += lanes_) {
    lanes_ = count - k >= width ? width : 1;
    for (std::size_t l = 0; l < lanes_; ++l)
      frame_.slots[code.slot].row[l] = static_cast<std::uint64_t>(value_at(lo, k + l, 1));
    run(code.body);
  }
  lanes_ = 1;
}

// --- Scalars and elements.

LoopsMachine::Flow LoopsMachine::run(const loops::If&, Code& code) {
  const auto* holds = static_cast<const std::uint8_t*>(code.exprs[0].run(lanes_));
  if (lanes_ == 1) return run(holds[0] != 0 ? code.body : code.other);
  // In lanes: a fault of the first in which it holds.
  fault_lane_ = static_cast<std::size_t>(
      std::find_if(holds, holds + lanes_, [](std::uint8_t x) { return x != 0; }) - holds);
  if (fault_lane_ < lanes_) run(code.body);
  fault_lane_ = 0;
  return Flow::Next;
}

LoopsMachine::Flow LoopsMachine::run(const loops::Break&, Code& code) {
  const auto* holds = static_cast<const std::uint8_t*>(code.exprs[0].run(lanes_));
  const bool all = std::all_of(holds, holds + lanes_, [](std::uint8_t x) { return x != 0; });
  return all ? Flow::Break : Flow::Next;
}

LoopsMachine::Flow LoopsMachine::set(Code& code, Expr value) {
  const void* row = code.exprs[0].run(lanes_);
  std::memmove(frame_.slots[code.slot].row.data(), row, lanes_ * ir::size_bytes(value->dtype));
  return Flow::Next;
}

LoopsMachine::Flow LoopsMachine::run(const loops::Store& s, Code& code) {
  for (LaneExpr& e : code.exprs) e.run(lanes_);
  const auto* values = static_cast<const std::byte*>(code.exprs.back().row());
  const std::size_t size = ir::size_bytes(s.value->dtype);
  std::vector<std::int64_t> index(s.indices.size());
  for (std::size_t p = 0; p < lanes_; ++p) {
    for (std::size_t x = 0; x < index.size(); ++x) index[x] = code.exprs[x].integer(p);
    const std::int64_t offset = frame_.offset(code.array, index, "writes", p);
    if (frame_.checked) frame_.check_write(code.array, offset, p);
    frame_.space.write(code.array, {nullptr, offset, 1}, values + p * size, nullptr, 1, false);
  }
  return Flow::Next;
}

LoopsMachine::Flow LoopsMachine::run(const loops::VectorLoad& s, Code& code) {
  std::vector<std::int64_t> index;
  for (LaneExpr& e : code.exprs) {
    e.run(1);
    index.push_back(e.integer());
  }
  frame_.space.reset(code.array, {{0}, {s.width}});
  frame_.open(code.array, true);
  for (std::int64_t w = 0; w < s.width; ++w, ++index.back()) {
    const std::int64_t offset = frame_.offset(code.from, index, "loads", 0);
    if (frame_.checked) frame_.check_read(code.from, offset, 0);
    const RunArray& from = frame_.space.array(code.from);
    std::memcpy(frame_.space.array(code.array).element(w), from.element(offset),
                ir::size_bytes(from.dtype));
  }
  return Flow::Next;
}

LoopsMachine::Flow LoopsMachine::run(const loops::Prefetch&, Code& code) {
  for (LaneExpr& e : code.exprs) e.run(lanes_);
  return Flow::Next;
}

// --- Whole buffers.

LoopsMachine::Flow LoopsMachine::run(const loops::Alloc& s, Code& code) {
  if (s.buffer.space == loops::Space::Argument || s.buffer.space == loops::Space::Scratch) {
    frame_.space.allocated(code.array);
    frame_.open(code.array, s.buffer.space == loops::Space::Argument);
    return Flow::Next;
  }
  std::vector<std::int64_t> lo, hi;
  for (std::size_t e = 0; e < code.exprs.size(); ++e) {
    code.exprs[e].run(1);
    (e % 2 == 0 ? lo : hi).push_back(code.exprs[e].integer());
  }
  frame_.space.reset(code.array, {std::move(lo), std::move(hi)});
  frame_.open(code.array, false);
  return Flow::Next;
}

LoopsMachine::Flow LoopsMachine::run(const loops::Rotate&, Code& code) {
  frame_.space.rotate(code.rotated);
  if (frame_.checked) frame_.ledger.rotate(code.rotated);
  return Flow::Next;
}

LoopsMachine::Flow LoopsMachine::run(const loops::Call& s, Code&) {
  ir::Call call;
  call.label = s.label ? s.label : s.function;
  call.function = s.function;
  call.inputs = s.inputs;
  call.outputs = s.outputs;
  if (frame_.checked)
    for (Symbol name : s.inputs) {
      const Id id = frame_.space.find(name);
      const std::int64_t hole = frame_.ledger.first_undefined(id);
      if (hole >= 0)
        frame_.fail("passes " + frame_.element_text(id, hole) + ", which nothing has written", 0);
    }
  frame_.space.begin_run(call.label, call.span);
  run_call(frame_.space, call);
  if (!frame_.checked) return Flow::Next;
  for (Symbol name : s.outputs) frame_.ledger.define_all(frame_.space.find(name));
  return Flow::Next;
}

LoopsMachine::Flow LoopsMachine::run(const loops::Fault& s, Code& code) {
  const loops::Site& site = kernel_.sites[s.site];
  FaultReport r;
  r.kind = site.kind;
  r.label = site.label;
  r.span = site.span;
  r.array = site.array;
  r.writes = site.writes;
  r.trusted = site.trusted;
  r.operation = site.operation;
  const std::size_t named = site.variables.size();
  for (LaneExpr& e : code.exprs) {
    e.run(lanes_);
    r.index.push_back(e.integer(fault_lane_));
  }
  const std::size_t first = r.index.size() - named;
  for (std::size_t v = 0; v < named; ++v)
    r.point.emplace_back(site.variables[v], r.index[first + v]);
  r.index.resize(first);
  if (site.kind == loops::Site::Kind::WhileCap) {
    r.rounds = r.index.at(0);
    r.index.clear();
  }
  r.users_order = site.users_order;
  if (site.kind == loops::Site::Kind::Range && code.array != kNone)
    r.covered = bounds_of(*frame_.space.array(code.array).buffer);
  throw_fault(r);
}

std::uint64_t run(const loops::Kernel& kernel, State& state, LoopsOptions options) {
  const FloatMode mode;
  LoopsMachine machine(kernel, state, options);
  machine.run();
  return machine.operations();
}

}  // namespace lathe::interp
