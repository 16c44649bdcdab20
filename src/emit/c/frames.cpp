// SPDX-License-Identifier: Apache-2.0
// Names of the kernel as C sees them. Asking for a name notes in the frame what the function must
// load from the context on entry, or capture from the function around it.

#include <algorithm>

#include "emit/c/names.h"
#include "emit/c/printer.h"
#include "emit/c/types.h"

namespace lathe::emit {

// --- Scopes.

void Printer::bind(Symbol name, Binding b) {
  Undo undo{false, name, std::nullopt, std::nullopt};
  if (const auto old = bindings_.find(name); old != bindings_.end()) undo.binding = old->second;
  undo_.push_back(std::move(undo));
  bindings_[name] = std::move(b);
}

void Printer::bind_place(Symbol name, Place p) {
  Undo undo{true, name, std::nullopt, std::nullopt};
  if (const auto old = places_.find(name); old != places_.end()) undo.place = old->second;
  undo_.push_back(std::move(undo));
  places_[name] = std::move(p);
}

void Printer::forget(std::size_t mark) {
  for (; undo_.size() > mark; undo_.pop_back()) {
    Undo& u = undo_.back();
    if (u.is_place) {
      if (u.place)
        places_[u.name] = std::move(*u.place);
      else
        places_.erase(u.name);
    } else {
      if (u.binding)
        bindings_[u.name] = std::move(*u.binding);
      else
        bindings_.erase(u.name);
    }
  }
}

Local Printer::new_local(char kind, Symbol name, std::string type) {
  return {identifier(kind, next_name_++, name.text()), std::move(type), frame_->number};
}

const Binding& Printer::binding(Symbol name) const {
  const auto found = bindings_.find(name);
  if (found == bindings_.end())
    internal_error("'" + std::string(name.text()) + "' is not a scalar of the kernel");
  return found->second;
}

Place& Printer::place(Symbol buffer) {
  const auto found = places_.find(buffer);
  if (found == places_.end())
    internal_error("'" + std::string(buffer.text()) + "' is not a buffer of the kernel");
  return found->second;
}

// --- Uses.

std::string Printer::use(const Local& local) {
  if (local.frame != frame_->number) {
    const bool known = std::any_of(frame_->captured.begin(), frame_->captured.end(),
                                   [&](const Local& c) { return c.name == local.name; });
    if (!known) frame_->captured.push_back(local);
  }
  return local.name;
}

std::string Printer::use(const Binding& b, int chunk) {
  if (b.parameter >= 0) {
    frame_->parameters.insert(b.parameter);
    return b.chunks[0].name;
  }
  return use(b.chunks[b.chunks.size() > 1 ? static_cast<std::size_t>(chunk) : 0]);
}

std::string Printer::pointer(Place& p, bool written) {
  if (p.array < 0) return p.table ? p.pointer.name : use(p.pointer);
  Frame::ArrayUse& use = frame_->arrays[p.array];
  use.pointer = true;
  use.written |= written;
  return p.pointer.name;
}

std::string Printer::stride(Place& p, std::size_t axis) {
  if (static_cast<int>(axis) == p.unit) return "1";
  if (p.array < 0) return p.stride[axis].type.empty() ? p.stride[axis].name : use(p.stride[axis]);
  frame_->arrays[p.array].strides.insert(static_cast<int>(axis));
  return "s" + std::to_string(p.array) + "_" + std::to_string(axis);
}

std::string Printer::low(Place& p, std::size_t axis) {
  if (p.array < 0) return p.lo[axis].type.empty() ? p.lo[axis].name : use(p.lo[axis]);
  frame_->arrays[p.array].lows.insert(static_cast<int>(axis));
  return "l" + std::to_string(p.array) + "_" + std::to_string(axis);
}

std::string Printer::high(Place& p, std::size_t axis) {
  if (p.array < 0) return p.hi[axis].type.empty() ? p.hi[axis].name : use(p.hi[axis]);
  frame_->arrays[p.array].highs.insert(static_cast<int>(axis));
  return "h" + std::to_string(p.array) + "_" + std::to_string(axis);
}

std::string Printer::value_type(DType t, int lanes, std::size_t mask) {
  if (ir::is_bool(t) && lanes > 1) return library_.type(signed_of(mask), lanes);
  return library_.type(held(t), lanes);
}

// --- What a function loads on entry.

// Declares the parts of an array that the frame uses, or loads them again.
void Printer::load_array(Block& out, const Frame& frame, int array, bool declare) {
  const auto found = frame.arrays.find(array);
  if (found == frame.arrays.end()) return;
  const Frame::ArrayUse& use = found->second;
  const loops::Buffer& buffer = *array_buffer_[static_cast<std::size_t>(array)];
  const std::string number = std::to_string(array);
  const std::string from = "context->arrays[" + number + "]";
  const bool changes = std::any_of(frame.reloads.begin(), frame.reloads.end(),
                                   [&](const auto& r) { return r.first == array; });
  const bool absent =
      declare && frame.run && result_.arrays[static_cast<std::size_t>(array)].allocated;
  const std::string fixed = changes ? "" : "const ";
  if (use.pointer) {
    const std::string type =
        (use.written ? "" : "const ") + library_.type(stored(buffer.dtype), 1) + " *";
    const bool alone = !(frame.run && rotated_.contains(array));
    const std::string name = identifier('b', array, buffer.name.text());
    out.line((declare ? type + (alone ? "restrict " : "") : "") + name + " = " +
             (absent ? "0" : "(" + type + ")" + from + ".data") + ";");
  }
  const auto part = [&](char kind, int axis, const char* member) {
    const std::string name = kind + number + "_" + std::to_string(axis);
    out.line((declare ? fixed + "i64 " : "") + name + " = " +
             (absent ? "0" : from + ".axes[" + std::to_string(axis) + "]." + member) + ";");
  };
  for (int axis : use.strides) part('s', axis, "stride");
  for (int axis : use.lows) part('l', axis, "lo");
  for (int axis : use.highs) part('h', axis, "hi");
}

Block Printer::prologue(const Frame& frame) {
  Block out;
  for (int number : frame.parameters) {
    const ir::Parameter& p = kernel_.parameters[static_cast<std::size_t>(number)];
    const std::string bits = "context->parameters[" + std::to_string(number) + "]";
    std::string value;
    if (ir::is_bool(p.dtype)) {
      value = bits + " != 0";
    } else if (ir::is_half(p.dtype)) {
      value = library_.function("widen", p.dtype, 1) + "((u16)" + bits + ")";
    } else if (ir::is_float(p.dtype)) {
      value = library_.function("of_bits", p.dtype, 1) + "((" +
              library_.type(unsigned_of(ir::size_bytes(p.dtype)), 1) + ")" + bits + ")";
    } else {
      value = "(" + library_.type(p.dtype, 1) + ")" + bits;
    }
    out.line("const " + value_type(p.dtype, 1, 0) + " " + identifier('p', number, p.name.text()) +
             " = " + value + ";");
  }
  for (const auto& [array, use] : frame.arrays) load_array(out, frame, array, true);
  for (const auto& [array, block] : frame.reloads) load_array(*block, frame, array, false);
  return out;
}

}  // namespace lathe::emit
