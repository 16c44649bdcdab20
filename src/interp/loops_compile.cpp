// SPDX-License-Identifier: Apache-2.0
// From statements to Code: every name becomes the number of a slot or an array, every expression a
// LaneExpr of the width that its statement runs with.

#include "base/quoted.h"
#include "interp/loops_machine.h"

namespace lathe::interp {
namespace {

ir::Array declared(const loops::Buffer& b) {
  ir::Array a;
  a.name = b.name;
  a.dtype = b.dtype;
  a.axes = b.axes;
  a.values = b.values;
  a.role = b.space == loops::Space::Argument ? b.role
           : b.space == loops::Space::Table  ? ir::Role::Const
                                             : ir::Role::Temp;
  return a;
}

bool outlives_body(const loops::Buffer& b) {
  return b.space == loops::Space::Argument || b.space == loops::Space::Scratch;
}

// The kernel as a Program without statements: what is bound to the caller's data.
ir::Program interface_of(const loops::Kernel& k) {
  ir::Program p;
  p.graph = k.graph;
  p.sources = k.sources;
  p.name = k.name;
  p.parameters = k.parameters;
  for (const loops::Buffer& b : k.buffers) p.arrays.push_back(declared(b));
  for (const loops::Stmt& s : k.body)
    if (const auto* alloc = std::get_if<loops::Alloc>(&s.node))
      if (outlives_body(alloc->buffer)) p.arrays.push_back(declared(alloc->buffer));
  return p;
}

}  // namespace

LoopsMachine::LoopsMachine(const loops::Kernel& kernel, State& state, const LoopsOptions& options)
    : kernel_(kernel),
      options_(options),
      interface_(interface_of(kernel)),
      frame_(kernel, interface_, state, options_),
      random_(options.seed) {
  for (const ir::Parameter& p : kernel.parameters) {
    const ir::Scalar value = frame_.space.parameter(p.name);
    const Id slot = new_slot(value.dtype);
    value.store(frame_.slots[slot].row.data());
    bind(p.name, {slot, kNone});
  }
  for (const ir::Array& a : interface_.arrays) {
    const Id id = frame_.space.find(a.name);
    frame_.names.push_back(a.name);
    bind(a.name, {kNone, id});
  }
  code_ = compile(kernel.body);
}

Id LoopsMachine::new_slot(DType t) {
  Slot slot;
  slot.dtype = t;
  slot.per_lane = in_vector_;
  slot.row.resize(width_);
  frame_.slots.push_back(std::move(slot));
  return static_cast<Id>(frame_.slots.size() - 1);
}

Id LoopsMachine::new_array(Symbol name, DType t) {
  const Id id = frame_.space.hidden(name.text(), t, quoted(name));
  frame_.names.resize(id + 1);
  frame_.names[id] = name;
  return id;
}

void LoopsMachine::bind(Symbol name, Meaning meaning) {
  if (scope_.emplace(name, meaning).second) bound_.push_back(name);
}

Id LoopsMachine::array_of(Symbol name) const {
  const auto found = scope_.find(name);
  return found == scope_.end() ? kNone : found->second.array;
}

std::vector<Code> LoopsMachine::compile(const loops::Body& body) {
  const std::size_t size = bound_.size();
  std::vector<Code> block;
  for (const loops::Stmt& s : body) block.push_back(compile(s));
  for (; bound_.size() > size; bound_.pop_back()) scope_.erase(bound_.back());
  return block;
}

Code LoopsMachine::compile(const loops::Stmt& s) {
  Code code;
  code.stmt = &s;
  loops::for_each_expr(
      s, [&](Expr e) { code.exprs.emplace_back(frame_, scope_, e, width_, in_vector_); });
  if (const auto* n = std::get_if<loops::For>(&s.node)) compile_loop(*n, code);
  if (const auto* n = std::get_if<loops::If>(&s.node)) {
    code.body = compile(n->then_body);
    code.other = compile(n->else_body);
  }
  if (const auto* n = std::get_if<loops::Let>(&s.node))
    bind(n->name, {code.slot = new_slot(n->value->dtype), kNone});
  if (const auto* n = std::get_if<loops::Var>(&s.node))
    bind(n->name, {code.slot = new_slot(n->initial->dtype), kNone});
  if (const auto* n = std::get_if<loops::Assign>(&s.node)) code.slot = scope_.at(n->name).slot;
  if (const auto* n = std::get_if<loops::Store>(&s.node)) code.array = array_of(n->buffer);
  if (const auto* n = std::get_if<loops::Alloc>(&s.node)) {
    const loops::Buffer& b = n->buffer;
    code.array = outlives_body(b) ? array_of(b.name) : new_array(b.name, b.dtype);
    bind(b.name, {kNone, code.array});
  }
  if (const auto* n = std::get_if<loops::VectorLoad>(&s.node)) {
    code.from = array_of(n->from);
    code.array = new_array(n->name, frame_.space.array(code.from).dtype);
    bind(n->name, {kNone, code.array});
  }
  if (const auto* n = std::get_if<loops::Rotate>(&s.node))
    for (Symbol name : n->buffers) code.rotated.push_back(array_of(name));
  if (const auto* n = std::get_if<loops::Fault>(&s.node)) {
    const loops::Site& site = kernel_.sites[n->site];
    code.array = array_of(site.buffer ? site.buffer : site.array);
  }
  return code;
}

void LoopsMachine::compile_loop(const loops::For& f, Code& code) {
  const std::size_t width = width_;
  const bool vector = f.kind == loops::Kind::Vector;
  if (vector) width_ = static_cast<std::size_t>(f.width);
  in_vector_ = in_vector_ || vector;
  const std::size_t size = bound_.size();
  bind(f.variable, {code.slot = new_slot(DType::I64), kNone});
  frame_.slots[code.slot].per_lane = vector;
  code.body = compile(f.body);
  for (; bound_.size() > size; bound_.pop_back()) scope_.erase(bound_.back());
  if (!vector) return;
  width_ = width;
  in_vector_ = false;
}

}  // namespace lathe::interp
