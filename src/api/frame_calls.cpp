// SPDX-License-Identifier: Apache-2.0
// Operations on whole arrays (cholesky, and others of constants) by the interpreter, on copies; and
// the words for what went wrong.

#include <algorithm>
#include <cstring>

#include "api/compiled.h"
#include "api/failure.h"
#include "api/frame.h"
#include "base/quoted.h"
#include "base/stop.h"
#include "interp/fault_words.h"

namespace lathe::api {
namespace {

// Calls f(memory of the element, its number) in row-major order.
template <class F>
void for_each_element(const lathe_array& array, std::size_t rank, std::int64_t size, F&& f) {
  std::vector<std::int64_t> at(rank);
  std::int64_t count = 1;
  for (std::size_t x = 0; x < rank; ++x) {
    at[x] = array.axes[x].lo;
    count *= std::max<std::int64_t>(0, array.axes[x].hi - array.axes[x].lo);
  }
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t offset = 0;
    for (std::size_t x = 0; x < rank; ++x) offset += at[x] * array.axes[x].stride;
    f(array.data + offset * size, i);
    for (std::size_t x = rank; x-- > 0;) {
      if (++at[x] < array.axes[x].hi) break;
      at[x] = array.axes[x].lo;
    }
  }
}

}  // namespace

interp::Buffer Frame::read_whole(std::size_t slot) const {
  const emit::ArraySlot& array = variant_.code.arrays[slot];
  std::vector<std::int64_t> lo, hi;
  for (std::size_t x = 0; x < array.rank; ++x) {
    lo.push_back(arrays_[slot].axes[x].lo);
    hi.push_back(arrays_[slot].axes[x].hi);
  }
  interp::Buffer b = interp::make_buffer(array.dtype, lo, hi);
  const std::size_t size = ir::size_bytes(array.dtype);
  for_each_element(arrays_[slot], array.rank, static_cast<std::int64_t>(size),
                   [&](const char* from, std::int64_t i) {
                     std::memcpy(b.data.data() + static_cast<std::size_t>(i) * size, from, size);
                   });
  return b;
}

void Frame::write_whole(std::size_t slot, const interp::Buffer& b) {
  const std::size_t size = ir::size_bytes(b.dtype);
  for_each_element(arrays_[slot], b.lo.size(), static_cast<std::int64_t>(size),
                   [&](char* to, std::int64_t i) {
                     std::memcpy(to, b.data.data() + static_cast<std::size_t>(i) * size, size);
                   });
}

interp::Buffer Frame::constant(const ir::Array& array) const {
  std::vector<AxisBounds> bounds(array.axes.size());
  signature_.evaluate_slowly(array, parameters_.data(), bounds.data());
  std::vector<std::int64_t> lo, hi;
  for (const AxisBounds& x : bounds) {
    lo.push_back(x.lo);
    hi.push_back(x.hi);
  }
  interp::Buffer b = interp::make_buffer(array.dtype, lo, hi);
  for (std::size_t i = 0; i < array.values.size(); ++i)
    array.values[i].store(b.data.data() + i * ir::size_bytes(b.dtype));
  return b;
}

lathe_int32 Frame::call_function(lathe_context* c, lathe_int32 number) {
  Frame& f = of(c);
  try {
    f.perform(f.variant_.code.calls[static_cast<std::size_t>(number)]);
    return 0;
  } catch (...) {
    f.failure_ = std::current_exception();
    return LATHE_FAULT;
  }
}

// A program of this one call, over arrays of the sizes that they have now.
void Frame::perform(const emit::CallSlot& slot) {
  const StopWhen stop(options_.cancel,
                      options_.cancellation ? &options_.cancellation->flag() : nullptr);
  if (sort_in_memory(slot) || find_in_memory(slot) || search_in_memory(slot)) return;
  if (linear_in_memory(slot)) return;
  const ir::Program& whole = signature_.program();
  ir::Program one;
  one.graph = std::make_shared<ir::Graph>();
  one.sources = whole.sources;
  one.name = one.graph->symbol(whole.name.text());
  interp::State state;
  ir::Call call;
  call.label = one.graph->symbol("call");
  call.function = one.graph->symbol(slot.function.text());
  // What is written alone holds nothing yet, perhaps not even bytes of its dtype.
  const auto add = [&](ir::Symbol name, ir::Role role) {
    const ir::Symbol here = one.graph->symbol(name.text());
    if (one.find_array(here)) return here;
    const ir::Array* declared = whole.find_array(name);
    const bool table = declared && declared->role == ir::Role::Const;
    interp::Buffer b = table ? constant(*declared) : read_whole(slot_of(name));
    ir::Array a;
    a.name = here;
    a.dtype = b.dtype;
    a.role = role;
    const auto number = [&](std::int64_t v) {
      return one.graph->constant(ir::Scalar::of_int(ir::DType::I64, v));
    };
    for (std::size_t x = 0; x < b.lo.size(); ++x) {
      const ir::Expr lo = number(b.lo[x]), hi = number(b.hi[x]);
      a.axes.push_back({one.graph->symbol("a" + std::to_string(x)), lo, hi});
    }
    one.arrays.push_back(a);
    if (role != ir::Role::Output) state.arrays[std::string(name.text())] = std::move(b);
    return here;
  };
  for (ir::Symbol s : slot.inputs) call.inputs.push_back(add(s, ir::Role::InOut));
  for (ir::Symbol s : slot.outputs) call.outputs.push_back(add(s, ir::Role::Output));
  one.body.push_back({call});
  interp::run(one, state);
  for (ir::Symbol s : slot.outputs) write_whole(slot_of(s), state.arrays.at(std::string(s.text())));
}

void Frame::report_own(int status) const {
  if (failure_) std::rethrow_exception(failure_);
  if (status == LATHE_CANCELLED) throw Failure(FailureKind::Cancelled, "the call was cancelled");
  if (status == LATHE_NO_MEMORY)
    throw Failure(FailureKind::NoMemory,
                  "not enough memory for a temporary of " + quoted(signature_.program().name));
}

void Frame::report(const Variant& full) const {
  if (context_.fault_site >= emit::kFirstCheck) {
    const emit::CheckSite& site =
        full.code.checks[static_cast<std::size_t>(context_.fault_site - emit::kFirstCheck)];
    internal_error("a generated access of " + quoted(site.array) + " is out of range");
  }
  const std::vector<std::int64_t> values(context_.fault_values,
                                         context_.fault_values + context_.fault_count);
  const loops::Site& site = full.kernel.sites[static_cast<std::size_t>(context_.fault_site)];
  interp::FaultReport r;
  r.kind = site.kind;
  r.label = site.label;
  r.span = site.span;
  r.writes = site.writes;
  r.trusted = site.trusted;
  r.operation = site.operation;
  const std::size_t first = values.size() - std::min(values.size(), site.variables.size());
  if (site.array) {
    r.array = site.array;
    r.users_order = site.users_order;
    r.index.assign(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(first));
    for (std::size_t n = 0; n < arrays_.size(); ++n) {
      if (variant_.code.arrays[n].name != (site.buffer ? site.buffer : site.array)) continue;
      r.covered.emplace();
      for (std::size_t x = 0; x < plan_.slots[n].rank; ++x) {
        r.covered->lo.push_back(axes_of(n)[x].lo);
        r.covered->hi.push_back(axes_of(n)[x].hi);
      }
    }
  }
  for (std::size_t i = 0; first + i < values.size(); ++i)
    r.point.emplace_back(site.variables[i], values[first + i]);
  if (site.kind == loops::Site::Kind::WhileCap && !values.empty()) r.rounds = values.front();
  interp::throw_fault(r);
}

}  // namespace lathe::api
