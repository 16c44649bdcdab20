// SPDX-License-Identifier: Apache-2.0
#include "api/plan.h"

#include <algorithm>

namespace lathe::api {

std::vector<std::size_t> memory_order(const emit::ArraySlot& slot) {
  std::vector<std::size_t> order = slot.layout;
  if (order.empty())
    for (std::size_t x = 0; x < slot.rank; ++x) order.push_back(x);
  return order;
}

CallPlan::CallPlan(const loops::Kernel& kernel, const emit::EmitResult& code,
                   const Signature& signature) {
  const std::vector<ParameterInfo>& wanted = signature.parameters();
  const bool same = std::equal(
      wanted.begin(), wanted.end(), kernel.parameters.begin(), kernel.parameters.end(),
      [](const ParameterInfo& a, const ir::Parameter& b) { return a.name == b.name.text(); });
  check(same, "a kernel with the parameters of its program");
  const ScratchPlaces places = plan_scratch(kernel);
  place_count = places.count;
  for (std::size_t n = 0; n < code.arrays.size(); ++n) {
    const emit::ArraySlot& slot = code.arrays[n];
    SlotPlan plan;
    plan.first_axis = axis_count;
    plan.rank = slot.rank;
    axis_count += slot.rank;
    plan.argument = signature.find_argument(slot.name.text());
    if (slot.allocated) {
      plan.from = SlotPlan::From::Allocated;
      slots.push_back(plan);
      continue;
    }
    const loops::Buffer& buffer = *kernel.find_buffer(slot.name);
    if (buffer.space == loops::Space::Argument) {
      check(plan.argument.has_value(), "an argument of the program");
      slots.push_back(plan);
      continue;
    }
    plan.from = SlotPlan::From::Scratch;
    ScratchBuffer s;
    s.slot = n;
    s.element_size = static_cast<std::int64_t>(ir::size_bytes(slot.dtype));
    s.order = memory_order(slot);
    for (const ir::Axis& x : buffer.axes) {
      s.lo.push_back(Formula::compile(x.lo, kernel.parameters));
      s.hi.push_back(Formula::compile(x.hi, kernel.parameters));
    }
    s.as_array.name = buffer.name;
    s.as_array.dtype = buffer.dtype;
    s.as_array.axes = buffer.axes;
    s.place = places.places[static_cast<std::size_t>(&buffer - kernel.buffers.data())];
    scratch.push_back(std::move(s));
    slots.push_back(plan);
  }
}

void CallPlan::evaluate(const ScratchBuffer& buffer, const Signature& signature,
                        const std::uint64_t* parameters, AxisBounds* out) const {
  bool fine = true;
  for (std::size_t x = 0; x < buffer.lo.size(); ++x) {
    const CheckedInt lo = buffer.lo[x] ? buffer.lo[x]->evaluate(parameters) : std::nullopt;
    const CheckedInt hi = buffer.hi[x] ? buffer.hi[x]->evaluate(parameters) : std::nullopt;
    fine = fine && lo && hi;
    if (lo && hi) out[x] = {*lo, *hi};
  }
  if (!fine) signature.evaluate_slowly(buffer.as_array, parameters, out);
}

}  // namespace lathe::api
