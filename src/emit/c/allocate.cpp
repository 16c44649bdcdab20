// SPDX-License-Identifier: Apache-2.0
// Memory inside a kernel: registers, the stack, the thread's arena, arrays that the host makes; and
// what moves whole arrays, rotations and calls.
//
// A rotation exchanges descriptors in the context. If arguments take part, the contents are brought
// home at the end of the run, element by element: all that lies at one index is read, then written.

#include <algorithm>

#include "emit/c/evaluate.h"
#include "emit/c/names.h"
#include "emit/c/types.h"

namespace lathe::emit {

namespace {

std::vector<std::size_t> memory_order(const loops::Buffer& b) {
  std::vector<std::size_t> order = b.layout;
  if (order.empty())
    for (std::size_t axis = 0; axis < b.axes.size(); ++axis) order.push_back(axis);
  return order;
}

bool constant_extents(const loops::Buffer& b) {
  return std::all_of(b.axes.begin(), b.axes.end(),
                     [](const ir::Axis& a) { return is_const(a.lo) && is_const(a.hi); });
}

// One element, wherever it lies: `i..i+1` on every axis.
bool is_single(const loops::Buffer& b) {
  return std::all_of(b.axes.begin(), b.axes.end(), [](const ir::Axis& a) {
    if (is_const(a.lo) && is_const(a.hi))
      return a.hi->scalar().as_int() == a.lo->scalar().as_int() + 1;
    if (a.hi->op != ir::Op::Add) return false;
    const Expr step = a.hi->arg(1);
    return a.hi->arg(0) == a.lo && is_const(step) && step->scalar().as_int() == 1;
  });
}

}  // namespace

// Strides, offset and size of a dense buffer with constant bounds.
std::int64_t Printer::lay_out(const loops::Buffer& b, Place& p) {
  p.dtype = b.dtype;
  std::vector<std::int64_t> strides(b.axes.size());
  std::int64_t size = 1;
  const std::vector<std::size_t> order = memory_order(b);
  for (std::size_t i = order.size(); i-- > 0;) {
    const std::int64_t lo = b.axes[order[i]].lo->scalar().as_int();
    const std::int64_t hi = b.axes[order[i]].hi->scalar().as_int();
    strides[order[i]] = size;
    p.offset += lo * size;
    size *= std::max<std::int64_t>(0, hi - lo);
  }
  for (std::size_t axis = 0; axis < b.axes.size(); ++axis) {
    p.stride.push_back({std::to_string(strides[axis]), "", 0});
    p.lo.push_back({literal(b.axes[axis].lo->scalar()), "", 0});
    p.hi.push_back({literal(b.axes[axis].hi->scalar()), "", 0});
  }
  if (!order.empty()) p.unit = static_cast<int>(order.back());
  return size;
}

void Printer::emit(const loops::Alloc& s, const Form& form) {
  check(form.lanes == 1, "an allocation outside of vectors");
  switch (s.buffer.space) {
    case loops::Space::Argument:
    case loops::Space::Scratch: return allocate_array(s);
    case loops::Space::Lanes: {
      const auto plan = plans_.registers.find(&s);
      const int lanes = plan == plans_.registers.end() ? 1 : plan->second;
      if (lanes > 1) return allocate_lanes(s, lanes);
      break;
    }
    case loops::Space::Thread:
      if (is_single(s.buffer)) return allocate_single(s);
      return allocate_memory(s);
    case loops::Space::Stack:
      if (!constant_extents(s.buffer)) return allocate_memory(s);
      break;
    case loops::Space::Table: internal_error("a table is not allocated");
  }
  Place p;
  const std::int64_t size = lay_out(s.buffer, p);
  const std::string type = library_.type(stored(p.dtype), 1);
  p.pointer = new_local('b', s.buffer.name, type + " *");
  out_->line(type + " " + p.pointer.name + "[" + std::to_string(std::max<std::int64_t>(1, size)) +
             "] __attribute__((aligned(64)));");
  bind_place(s.buffer.name, std::move(p));
}

void Printer::allocate_lanes(const loops::Alloc& s, int lanes) {
  Place p;
  p.dtype = s.buffer.dtype;
  p.registers = p.varies = true;
  p.lanes = lanes;
  p.mask = ir::is_bool(p.dtype) ? 1 : 0;
  p.pointer = new_local('a', s.buffer.name, "");
  p.base = p.pointer.name;
  const std::int64_t width = s.buffer.axes[0].hi->scalar().as_int();
  const std::string type = value_type(p.dtype, lanes, p.mask);
  for (std::int64_t chunk = 0; chunk * lanes < width; ++chunk)
    out_->line(type + " " + p.base + "_" + std::to_string(chunk) + " = {0};");
  bind_place(s.buffer.name, std::move(p));
}

// A number of a buffer that is known only at run time: a local constant.
Local Printer::buffer_part(const Place& p, char kind, std::size_t axis, const std::string& text) {
  const std::string& name = p.pointer.name;
  Local local{
      std::string(1, kind) + "t" + name.substr(1, name.find('_') - 1) + "_" + std::to_string(axis),
      "i64", frame_->number};
  out_->line("const i64 " + local.name + " = " + text + ";");
  return local;
}

void Printer::buffer_bounds(const loops::Buffer& b, Place& p) {
  const Form scalar{};
  Evaluator evaluator(*this, *out_, scalar);
  const auto bound = [&](char kind, std::size_t axis, Expr e) {
    if (is_const(e)) return Local{literal(e->scalar()), "", 0};
    return buffer_part(p, kind, axis, evaluator.value(e).text);
  };
  for (std::size_t axis = 0; axis < b.axes.size(); ++axis) {
    p.lo.push_back(bound('l', axis, b.axes[axis].lo));
    p.hi.push_back(bound('h', axis, b.axes[axis].hi));
  }
}

// An array of one element at [0]: the C compiler keeps it in a register.
void Printer::allocate_single(const loops::Alloc& s) {
  Place p;
  p.dtype = s.buffer.dtype;
  const std::string type = library_.type(stored(p.dtype), 1);
  p.pointer = new_local('b', s.buffer.name, type + " *");
  buffer_bounds(s.buffer, p);
  p.stride.assign(s.buffer.axes.size(), Local{"0", "", 0});
  out_->line(type + " " + p.pointer.name + "[1];");
  bind_place(s.buffer.name, std::move(p));
}

void Printer::allocate_memory(const loops::Alloc& s) {
  const loops::Buffer& b = s.buffer;
  Place p;
  p.dtype = b.dtype;
  const std::string type = library_.type(stored(p.dtype), 1);
  p.pointer = new_local('b', b.name, type + " *");
  buffer_bounds(b, p);
  p.stride.resize(b.axes.size());
  const std::vector<std::size_t> order = memory_order(b);
  std::string size = "1", shift;
  for (std::size_t i = order.size(); i-- > 0;) {
    const std::size_t axis = order[i];
    if (i + 1 == order.size()) {
      p.unit = static_cast<int>(axis);
      p.stride[axis] = {"1", "", 0};
    } else {
      p.stride[axis] = buffer_part(p, 's', axis, size);
    }
    const std::string step = p.stride[axis].name;
    if (p.lo[axis].name != "0")
      shift += (shift.empty() ? "" : " + ") + p.lo[axis].name + " * " + step;
    size = (step == "1" ? "" : step + " * ") + "extent(" + p.lo[axis].name + ", " +
           p.hi[axis].name + ")";
  }
  const std::string memory = "m" + p.pointer.name.substr(1, p.pointer.name.find('_') - 1);
  out_->line("char *" + memory + " = context->thread_memory(context, " + size + " * " +
             std::to_string(ir::size_bytes(p.dtype)) + ");");
  out_->open("if (!" + memory + ")");
  out_->line("stop(context, LATHE_NO_MEMORY);");
  out_->line(leave());
  out_->close();
  out_->line(type + " *restrict " + p.pointer.name + " = (" + type + " *)" + memory +
             (shift.empty() ? "" : " - (" + shift + ")") + ";");
  memory_.push_back({memory, loop_depth_});
  bind_place(b.name, std::move(p));
}

void Printer::release_memory(std::size_t mark) {
  if (memory_.size() == mark) return;
  out_->line("context->thread_release(context, " + memory_[mark].name + ");");
  memory_.resize(mark);
}

// --- Whole arrays.

void Printer::reload(int array) { frame_->reloads.emplace_back(array, out_->slot()); }

void Printer::allocate_array(const loops::Alloc& s) {
  check(frame_->run, "an array is allocated outside of loops");
  const int array = allocated_.at(&s);
  const Form scalar{};
  Evaluator evaluator(*this, *out_, scalar);
  std::string bounds;
  for (const ir::Axis& axis : s.buffer.axes) {
    const std::string lo = evaluator.value(axis.lo).text, hi = evaluator.value(axis.hi).text;
    bounds += (bounds.empty() ? "" : ", ") + lo + ", " + hi;
  }
  out_->open("if (stop(context, context->allocate(context, " + std::to_string(array) +
             ", (const i64[]){" + (bounds.empty() ? "0" : bounds) + "})))");
  out_->line(leave());
  out_->close();
  reload(array);
}

void Printer::emit(const loops::Rotate& s, const Form&) {
  check(frame_->run, "a rotation outside of parallel loops");
  if (s.buffers.size() < 2) return;
  const auto array = [&](std::size_t i) {
    return "context->arrays[" + std::to_string(place(s.buffers[i]).array) + "]";
  };
  const std::string first = temporary();
  out_->line("const lathe_array " + first + " = " + array(0) + ";");
  for (std::size_t i = 0; i + 1 < s.buffers.size(); ++i)
    out_->line(array(i) + " = " + array(i + 1) + ";");
  out_->line(array(s.buffers.size() - 1) + " = " + first + ";");
  for (Symbol buffer : s.buffers) reload(place(buffer).array);
}

void Printer::emit(const loops::Call& s, const Form&) {
  check(frame_->run, "a call outside of parallel loops");
  const std::size_t number = result_.calls.size();
  result_.calls.push_back({s.function, s.inputs, s.outputs});
  out_->open("if (stop(context, context->call(context, " + std::to_string(number) + ")))");
  out_->line(leave());
  out_->close();
}

// The arguments among rotated arrays, each with its own contents again.
void Printer::settle_rotations() {
  for (const std::vector<int>& group : rotation_groups_) {
    std::vector<int> arguments;
    for (int array : group)
      if (array_buffer_[static_cast<std::size_t>(array)]->space == loops::Space::Argument)
        arguments.push_back(array);
    if (arguments.empty()) continue;
    std::string moved;
    for (int array : arguments) {
      const std::string n = std::to_string(array);
      moved += (moved.empty() ? "" : " || ") + std::string("context->arrays[") + n +
               "].data != home" + n + ".data";
    }
    const loops::Buffer& b = *array_buffer_[static_cast<std::size_t>(arguments[0])];
    const std::string type = library_.type(stored(b.dtype), 1);
    const std::string any = "home" + std::to_string(arguments[0]);
    out_->open("if (" + moved + ")");
    const auto at = [&](const std::string& array) {
      std::string sum;
      for (std::size_t axis = 0; axis < b.axes.size(); ++axis) {
        const std::string n = std::to_string(axis);
        sum += (axis == 0 ? "" : " + ") + std::string("i") + n + " * " + array + ".axes[" + n +
               "].stride";
      }
      return "((" + type + " *)" + array + ".data)[" + (sum.empty() ? "0" : sum) + "]";
    };
    for (std::size_t axis = 0; axis < b.axes.size(); ++axis) {
      const std::string n = std::to_string(axis), i = "i" + n;
      out_->open("for (i64 " + i + " = " + any + ".axes[" + n + "].lo; " + i + " < " + any +
                 ".axes[" + n + "].hi; ++" + i + ")");
    }
    for (int array : arguments) {
      const std::string n = std::to_string(array);
      out_->line("const " + type + " e" + n + " = " + at("context->arrays[" + n + "]") + ";");
    }
    for (int array : arguments) {
      const std::string n = std::to_string(array);
      out_->line(at("home" + n) + " = e" + n + ";");
    }
    for (std::size_t axis = 0; axis < b.axes.size(); ++axis) out_->close();
    for (int array : group) {
      const std::string n = std::to_string(array);
      out_->line("context->arrays[" + n + "] = home" + n + ";");
    }
    out_->close();
  }
}

}  // namespace lathe::emit
