// SPDX-License-Identifier: Apache-2.0
#include "api/frame.h"

#include <cstring>
#include <unordered_map>

#include "base/checked.h"
#include "device/host/float_mode.h"
#include "device/host/pool.h"
#include "interp/fault_words.h"
#include "ir/traverse.h"

namespace lathe::api {
namespace {

using ir::Op;

// Thread memory: a stack of bytes that is kept from call to call.
struct Arena {
  struct Piece {
    host::Block block;
    std::int64_t used = 0;
  };
  std::deque<Piece> pieces;
};
thread_local Arena arena;

}  // namespace

bool Compiled::Frame::is_computed(const ir::Array& a) {
  for (const ir::Axis& x : a.axes)
    if (!ir::arrays_read(x.lo).empty() || !ir::arrays_read(x.hi).empty()) return true;
  return false;
}

Compiled::Frame::Frame(const ir::Program& program, const Variant& variant, Arguments& arguments,
                       const RunOptions& options)
    : program_(program), variant_(variant), arguments_(arguments), options_(options) {
  for (const ir::Parameter& p : variant.kernel.parameters)
    parameters_.push_back(arguments.parameters.at(std::string(p.name.text())).cast(p.dtype).bits);
  arrays_.resize(variant.code.arrays.size());
  axes_.resize(arrays_.size());
  for (std::size_t n = 0; n < arrays_.size(); ++n) {
    const emit::ArraySlot& slot = variant.code.arrays[n];
    axes_[n].resize(slot.rank);
    arrays_[n].axes = axes_[n].data();
    if (slot.allocated) continue;
    const auto given = arguments.arrays.find(std::string(slot.name.text()));
    const loops::Buffer& buffer = *variant.kernel.find_buffer(slot.name);
    if (buffer.space == loops::Space::Argument) {
      check(given != arguments.arrays.end(), "every argument bound");
      set_array(n, given->second);
      continue;
    }
    std::vector<std::int64_t> lo, hi;
    for (const ir::Axis& x : buffer.axes) {
      lo.push_back(evaluate(x.lo));
      hi.push_back(std::max(lo.back(), evaluate(x.hi)));
    }
    set_array(n, make_scratch(slot, lo, hi));
  }
  context_.parameters = parameters_.data();
  context_.arrays = arrays_.data();
  context_.parallel = parallel;
  context_.thread_memory = thread_memory;
  context_.thread_release = thread_release;
  context_.allocate = allocate;
  context_.call = call_function;
  context_.host = this;
}

// Bounds of buffers: integer formulas of the parameters.
std::int64_t Compiled::Frame::evaluate(ir::Expr root) const {
  std::unordered_map<ir::Expr, std::uint64_t> values;
  for (ir::Expr e : ir::post_order(root)) {
    const auto arg = [&](std::size_t i) { return values.at(e->arg(i)); };
    const auto sarg = [&](std::size_t i) { return static_cast<std::int64_t>(arg(i)); };
    std::uint64_t v = 0;
    switch (e->op) {
      case Op::Const: v = static_cast<std::uint64_t>(e->scalar().as_int()); break;
      case Op::Param:
        v = static_cast<std::uint64_t>(
            arguments_.parameters.at(std::string(e->name.text())).as_int());
        break;
      case Op::Add: v = arg(0) + arg(1); break;
      case Op::Sub: v = arg(0) - arg(1); break;
      case Op::Mul: v = arg(0) * arg(1); break;
      case Op::Neg: v = -arg(0); break;
      case Op::Min: v = sarg(0) < sarg(1) ? arg(0) : arg(1); break;
      case Op::Max: v = sarg(0) < sarg(1) ? arg(1) : arg(0); break;
      default: {
        // Rare forms: the interpreter knows them all.
        interp::State sizes{arguments_.parameters, {}};
        ir::Array probe;
        probe.name = program_.name;
        probe.axes = {ir::Axis{program_.name, root, root}};
        return interp::declared_bounds(program_, probe, sizes).lo.front();
      }
    }
    values[e] = v;
  }
  return static_cast<std::int64_t>(values.at(root));
}

void Compiled::Frame::set_array(std::size_t number, const ArrayView& view) {
  const auto size = static_cast<std::int64_t>(ir::size_bytes(view.dtype));
  char* data = reinterpret_cast<char*>(view.data);
  for (std::size_t x = 0; x < axes_[number].size(); ++x) {
    axes_[number][x] = {view.lo[x], view.hi[x], view.strides[x] / size};
    data -= view.lo[x] * view.strides[x];
  }
  arrays_[number].data = data;
}

ArrayView Compiled::Frame::make_scratch(const emit::ArraySlot& slot,
                                        const std::vector<std::int64_t>& lo,
                                        const std::vector<std::int64_t>& hi) {
  ArrayView view{nullptr, slot.dtype, lo, hi, std::vector<std::int64_t>(lo.size())};
  std::vector<std::size_t> order = slot.layout;
  if (order.empty())
    for (std::size_t x = 0; x < lo.size(); ++x) order.push_back(x);
  CheckedInt bytes = static_cast<std::int64_t>(ir::size_bytes(slot.dtype));
  for (std::size_t k = order.size(); k-- > 0;) {
    const std::size_t x = order[k];
    view.strides[x] = bytes ? *bytes : 0;
    bytes = checked_mul(bytes, CheckedInt(hi[x] - lo[x]));
  }
  if (!bytes)
    throw UserError("temporary '" + std::string(slot.name.text()) +
                    "' does not fit in 64 bits of address");
  host::Allocation a = host::MemoryPool::shared().allocate(*bytes);
  if (a.error) throw UserError(*a.error);
  view.data = static_cast<std::byte*>(a.block.data());
  scratch_bytes_ += *bytes;
  blocks_.push_back(std::move(a.block));
  return view;
}

int Compiled::Frame::call() {
  const host::FloatModeGuard mode;
  if (options_.cancel && options_.cancel->load()) return LATHE_CANCELLED;
  return variant_.entry(&context_);
}

void Compiled::Frame::parallel(lathe_context* c, lathe_body* body, void* environment,
                               lathe_int64 lo, lathe_int64 hi, lathe_int64 grain) {
  Frame& f = of(c);
  const host::Parallel done =
      host::Pool::shared().parallel(body, environment, lo, hi, std::max<lathe_int64>(1, grain),
                                    f.options_.threads, f.options_.cancel);
  if (done != host::Parallel::Done) {
    lathe_int32 expected = 0;
    __atomic_compare_exchange_n(&c->status, &expected, LATHE_CANCELLED, false, __ATOMIC_RELAXED,
                                __ATOMIC_RELAXED);
  }
}

char* Compiled::Frame::thread_memory(lathe_context*, lathe_int64 bytes) {
  if (bytes < 0) return nullptr;
  const std::int64_t want = (bytes + 63) / 64 * 64;
  if (arena.pieces.empty() || arena.pieces.back().block.size() - arena.pieces.back().used < want) {
    host::Allocation a =
        host::MemoryPool::shared().allocate(std::max<std::int64_t>(want, std::int64_t{1} << 20));
    if (a.error) return nullptr;
    arena.pieces.push_back({std::move(a.block), 0});
  }
  Arena::Piece& p = arena.pieces.back();
  char* at = static_cast<char*>(p.block.data()) + p.used;
  p.used += want;
  return at;
}

void Compiled::Frame::thread_release(lathe_context*, char* memory) {
  while (!arena.pieces.empty()) {
    Arena::Piece& p = arena.pieces.back();
    char* begin = static_cast<char*>(p.block.data());
    if (memory >= begin && memory < begin + p.block.size()) {
      p.used = memory - begin;
      return;
    }
    if (arena.pieces.size() == 1) return;
    arena.pieces.pop_back();
  }
}

lathe_int32 Compiled::Frame::allocate(lathe_context* c, lathe_int32 number,
                                      const lathe_int64* bounds) {
  Frame& f = of(c);
  const auto n = static_cast<std::size_t>(number);
  const emit::ArraySlot& slot = f.variant_.code.arrays[n];
  std::vector<std::int64_t> lo, hi;
  for (std::size_t x = 0; x < slot.rank; ++x) {
    lo.push_back(bounds[2 * x]);
    hi.push_back(std::max(bounds[2 * x], bounds[2 * x + 1]));
  }
  try {
    const ir::Array* a = f.program_.find_array(slot.name);
    const bool result = a && a->role != ir::Role::Temp;
    f.set_array(n, result ? (*f.arguments_.allocate)(std::string(slot.name.text()), lo, hi)
                          : f.make_scratch(slot, lo, hi));
    return 0;
  } catch (...) {
    f.failure_ = std::current_exception();
    return LATHE_NO_MEMORY;
  }
}

// ---- Calls, by the interpreter, on copies.

std::size_t Compiled::Frame::number_of(ir::Symbol array) const {
  for (std::size_t n = 0; n < arrays_.size(); ++n)
    if (variant_.code.arrays[n].name == array) return n;
  internal_error("an array of the kernel");
}

interp::Buffer Compiled::Frame::copy_out(std::size_t number) const {
  const emit::ArraySlot& slot = variant_.code.arrays[number];
  std::vector<std::int64_t> lo, hi;
  for (const lathe_axis& x : axes_[number]) {
    lo.push_back(x.lo);
    hi.push_back(x.hi);
  }
  interp::Buffer b = interp::make_buffer(slot.dtype, lo, hi);
  const std::size_t size = ir::size_bytes(slot.dtype);
  std::vector<std::int64_t> at = lo;
  for (std::int64_t i = 0; i < b.element_count(); ++i) {
    std::int64_t offset = 0;
    for (std::size_t x = 0; x < at.size(); ++x) offset += at[x] * axes_[number][x].stride;
    std::memcpy(b.data.data() + static_cast<std::size_t>(i) * size,
                arrays_[number].data + offset * static_cast<std::int64_t>(size), size);
    for (std::size_t x = at.size(); x-- > 0;) {
      if (++at[x] < hi[x]) break;
      at[x] = lo[x];
    }
  }
  return b;
}

void Compiled::Frame::copy_in(std::size_t number, const interp::Buffer& b) {
  const std::size_t size = ir::size_bytes(b.dtype);
  std::vector<std::int64_t> at = b.lo;
  for (std::int64_t i = 0; i < b.element_count(); ++i) {
    std::int64_t offset = 0;
    for (std::size_t x = 0; x < at.size(); ++x) offset += at[x] * axes_[number][x].stride;
    std::memcpy(arrays_[number].data + offset * static_cast<std::int64_t>(size),
                b.data.data() + static_cast<std::size_t>(i) * size, size);
    for (std::size_t x = at.size(); x-- > 0;) {
      if (++at[x] < b.hi[x]) break;
      at[x] = b.lo[x];
    }
  }
}

lathe_int32 Compiled::Frame::call_function(lathe_context* c, lathe_int32 number) {
  Frame& f = of(c);
  const emit::CallSlot& slot = f.variant_.code.calls[static_cast<std::size_t>(number)];
  try {
    // A program of this one call, over arrays of the sizes that they have now.
    ir::Program one = f.program_;
    one.graph = std::make_shared<ir::Graph>();
    one.parameters.clear();
    one.combiners.clear();
    one.arrays.clear();
    one.body.clear();
    one.spans = nullptr;
    interp::State state;
    ir::Call call;
    call.label = one.graph->symbol("call");
    call.function = one.graph->symbol(slot.function.text());
    const auto add = [&](ir::Symbol name, ir::Role role) {
      const ir::Symbol here = one.graph->symbol(name.text());
      const ir::Array* declared = f.program_.find_array(name);
      interp::Buffer b;
      if (declared && declared->role == ir::Role::Const) {
        interp::State none{f.arguments_.parameters, {}};
        const interp::Bounds bounds = interp::declared_bounds(f.program_, *declared, none);
        b = interp::make_buffer(declared->dtype, bounds.lo, bounds.hi);
        for (std::size_t i = 0; i < declared->values.size(); ++i)
          declared->values[i].store(b.data.data() + i * ir::size_bytes(b.dtype));
      } else {
        b = f.copy_out(f.number_of(name));
      }
      ir::Array a;
      a.name = here;
      a.dtype = b.dtype;
      a.role = role;
      for (std::size_t x = 0; x < b.lo.size(); ++x)
        a.axes.push_back({one.graph->symbol("a" + std::to_string(x)),
                          one.graph->constant(ir::Scalar::of_int(ir::DType::I64, b.lo[x])),
                          one.graph->constant(ir::Scalar::of_int(ir::DType::I64, b.hi[x]))});
      if (!one.find_array(here)) one.arrays.push_back(a);
      state.arrays[std::string(name.text())] = std::move(b);
      return here;
    };
    for (ir::Symbol s : slot.inputs) call.inputs.push_back(add(s, ir::Role::InOut));
    for (ir::Symbol s : slot.outputs) call.outputs.push_back(add(s, ir::Role::InOut));
    one.body.push_back({call});
    interp::run(one, state);
    for (ir::Symbol s : slot.outputs)
      f.copy_in(f.number_of(s), state.arrays.at(std::string(s.text())));
    return 0;
  } catch (...) {
    f.failure_ = std::current_exception();
    return LATHE_FAULT;
  }
}

// ---- What went wrong.

void Compiled::Frame::report(int status) {
  if (failure_) std::rethrow_exception(failure_);
  if (status == LATHE_CANCELLED) throw UserError("the call was cancelled");
  if (status == LATHE_NO_MEMORY)
    throw UserError("not enough memory for a temporary of '" + std::string(program_.name.text()) +
                    "'");
  std::vector<std::int64_t> values(context_.fault_values,
                                   context_.fault_values + context_.fault_count);
  interp::FaultReport r;
  const auto covers = [&](ir::Symbol array) {
    r.array = array;
    r.index = values;
    for (std::size_t n = 0; n < arrays_.size(); ++n) {
      if (variant_.code.arrays[n].name != array) continue;
      interp::Buffer shape;
      for (const lathe_axis& x : axes_[n]) {
        shape.lo.push_back(x.lo);
        shape.hi.push_back(x.hi);
      }
      r.covers = interp::covers_text(array, shape);
    }
  };
  if (context_.fault_site >= emit::kFirstCheck) {
    const emit::CheckSite& site =
        variant_.code.checks[static_cast<std::size_t>(context_.fault_site - emit::kFirstCheck)];
    internal_error("a generated access of '" + std::string(site.array.text()) +
                   "' is out of range");
  }
  const loops::Site& site = variant_.kernel.sites[static_cast<std::size_t>(context_.fault_site)];
  r.kind = site.kind;
  r.label = site.label;
  r.span = site.span;
  r.writes = site.writes;
  if (site.array) covers(site.array);
  r.operation = site.operation;
  std::size_t first = values.size() - std::min(values.size(), site.variables.size());
  for (std::size_t i = 0; first + i < values.size() && i < site.variables.size(); ++i)
    r.point.emplace_back(site.variables[i], values[first + i]);
  if (site.array) r.index.resize(first);
  if (site.kind == loops::Site::Kind::WhileCap && !values.empty()) r.rounds = values.front();
  interp::throw_fault(r);
}

}  // namespace lathe::api
