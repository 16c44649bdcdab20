// SPDX-License-Identifier: Apache-2.0
// Reads, bounds tests and the places of writes.
//
// Along a row most indices are linear. If the first and the last point of a piece are inside the
// array then all are, and the piece is a pointer with a step; with step one the array's own memory
// is the row. Everything else goes point by point: indices per axis, then the policy:
//
//   error, trusted   a fault                       zero, value   that value
//   clamp            the nearest index             wrap          the index modulo the extent
//   mirror           reflected at the first and the last element, which are not repeated:
//                    -1 is 1 and n is n - 2, with period 2 (n - 1)
//
// An array without elements has nothing to clamp, wrap or mirror to: a fault. `trusted` promises
// that the index is inside; a broken promise is an error in checked mode and reads zero otherwise.

#include <cstring>

#include "base/checked.h"
#include "interp/row_program.h"

namespace lathe::interp {

using ir::Op;
using ir::Policy;

namespace {

std::int64_t wrapping_add(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
std::int64_t wrapping_mul(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

template <class T>
void copy_strided(const void* from, std::int64_t step, void* to, std::size_t n) {
  const T* x = static_cast<const T*>(from);
  T* y = static_cast<T*>(to);
  for (std::size_t p = 0; p < n; ++p) y[p] = x[static_cast<std::int64_t>(p) * step];
}

void copy_strided(std::size_t size, const void* from, std::int64_t step, void* to, std::size_t n) {
  switch (size) {
    case 1: return copy_strided<std::uint8_t>(from, step, to, n);
    case 2: return copy_strided<std::uint16_t>(from, step, to, n);
    case 4: return copy_strided<std::uint32_t>(from, step, to, n);
    default: return copy_strided<std::uint64_t>(from, step, to, n);
  }
}

bool all_written(const RunArray& a, const Places& places, std::size_t n) {
  if (a.written.empty()) return true;
  for (std::size_t p = 0; p < n; ++p)
    if (a.written[static_cast<std::size_t>(places.at(p))] == 0) return false;
  return true;
}

// The index inside 0..extent that the policy gives for one outside; extent > 0.
std::int64_t fold_index(Policy policy, std::int64_t from_lo, std::int64_t extent) {
  switch (policy) {
    case Policy::Clamp: return from_lo < 0 ? 0 : extent - 1;
    case Policy::Wrap: return floor_mod(from_lo, extent);
    case Policy::Mirror: {
      if (extent == 1) return 0;
      const std::int64_t r = floor_mod(from_lo, 2 * (extent - 1));
      return r < extent ? r : 2 * (extent - 1) - r;
    }
    case Policy::Error:
    case Policy::Zero:
    case Policy::Value:
    case Policy::Trusted: break;
  }
  return 0;
}

bool folds(Policy policy) {
  return policy == Policy::Clamp || policy == Policy::Wrap || policy == Policy::Mirror;
}

}  // namespace

void RowProgram::axis_indices(const AxisPlan& axis, std::int64_t first, std::size_t n,
                              std::int64_t* out) {
  if (axis.row != kNone) {
    const DType t = dtypes_[axis.row];
    const void* row = value_row(axis.row);
    cast_function(t, DType::I64)(&row, out, n);
    return;
  }
  std::int64_t at = wrapping_add(axis.constant, wrapping_mul(axis.slope, first));
  for (const auto& [term, factor] : axis.terms)
    at = wrapping_add(at, wrapping_mul(factor, integer_cell(term)));
  for (std::size_t p = 0; p < n; ++p, at = wrapping_add(at, axis.slope)) out[p] = at;
}

// The whole piece is inside and linear.
bool RowProgram::affine_places(const AccessPlan& plan, std::int64_t first, std::size_t n,
                               Places* places) {
  const RunArray& a = space_.allocated(plan.array);
  *places = {};
  for (std::size_t x = 0; x < plan.axes.size(); ++x) {
    const AxisPlan& axis = plan.axes[x];
    if (axis.row != kNone) return false;
    std::int64_t begin = 0;
    axis_indices(axis, first, 1, &begin);
    const CheckedInt way = checked_mul(axis.slope, static_cast<std::int64_t>(n) - 1);
    const CheckedInt end = checked_add(CheckedInt(begin), way);
    const std::int64_t lo = a.buffer->lo[x], hi = a.buffer->hi[x];
    if (!end || begin < lo || begin >= hi || *end < lo || *end >= hi) return false;
    places->first += (begin - lo) * a.stride[x];
    places->step += axis.slope * a.stride[x];
  }
  return true;
}

// Row-major offsets after the policy; outside[p] where there is none.
void RowProgram::find_offsets(const AccessPlan& plan, std::int64_t first, std::size_t n,
                              std::int64_t* offsets, std::uint8_t* outside) {
  const RunArray& a = space_.allocated(plan.array);
  std::int64_t index[kRow];
  std::memset(offsets, 0, n * sizeof *offsets);
  std::memset(outside, 0, n);
  for (std::size_t x = 0; x < plan.axes.size(); ++x) {
    axis_indices(plan.axes[x], first, n, index);
    const std::int64_t lo = a.buffer->lo[x], hi = a.buffer->hi[x], extent = a.buffer->extent(x);
    for (std::size_t p = 0; p < n; ++p) {
      if (index[p] >= lo && index[p] < hi) {  // the distance may be none of 64 bits
        offsets[p] += (index[p] - lo) * a.stride[x];
      } else if (extent > 0 && folds(plan.policy)) {
        // The distance wraps like every difference of integers, but a side is a side.
        const std::int64_t distance = plan.policy == Policy::Clamp
                                          ? (index[p] < lo ? -1 : extent)
                                          : wrapping_add(index[p], wrapping_mul(-1, lo));
        offsets[p] += fold_index(plan.policy, distance, extent) * a.stride[x];
      } else {
        outside[p] = 1;
      }
    }
  }
}

std::vector<std::int64_t> RowProgram::index_at(const AccessPlan& plan, std::int64_t first,
                                               std::size_t p) {
  std::vector<std::int64_t> result;
  std::int64_t index[kRow];
  for (const AxisPlan& axis : plan.axes) {
    axis_indices(axis, first, p + 1, index);
    result.push_back(index[p]);
  }
  return result;
}

void RowProgram::run_access(const Step& s, std::int64_t first, std::size_t n) {
  const AccessPlan& plan = plans_[s.plan];
  const RunArray& a = space_.allocated(plan.array);
  Places places;
  const bool affine = affine_places(plan, first, n, &places);
  if (s.node->op == Op::Inside) {
    auto* out = static_cast<std::uint8_t*>(result(s));
    std::int64_t offsets[kRow];
    std::memset(out, 0, n);
    if (!affine) find_offsets(plan, first, n, offsets, out);
    for (std::size_t p = 0; p < n; ++p) out[p] ^= 1;
  } else if (affine && all_written(a, places, n)) {
    if (s.level == Level::Piece && places.step == 1) {
      rows_[s.out] = a.element(places.first);
    } else {
      copy_strided(ir::size_bytes(a.dtype), a.element(places.first), places.step, result(s), n);
      if (s.level == Level::Piece) rows_[s.out] = storage_[s.out];
    }
  } else {
    if (s.level == Level::Piece) rows_[s.out] = storage_[s.out];
    read_slowly(s, plan, first, n);
  }
  if (faulty_) pass_faults(s, n);
}

void RowProgram::read_slowly(const Step& s, const AccessPlan& plan, std::int64_t first,
                             std::size_t n) {
  const RunArray& a = space_.allocated(plan.array);
  const std::size_t size = ir::size_bytes(a.dtype);
  auto* out = static_cast<std::byte*>(result(s));
  std::int64_t offsets[kRow];
  std::uint8_t outside[kRow];
  find_offsets(plan, first, n, offsets, outside);
  const bool checked = space_.options.checked;
  for (std::size_t p = 0; p < n; ++p) {
    if (outside[p] == 0) {
      std::memcpy(out + p * size, a.element(offsets[p]), size);
      if (!a.written.empty() && a.written[static_cast<std::size_t>(offsets[p])] == 0)
        add_fault(s, p, Fault::Kind::Unwritten, plan, first);
      continue;
    }
    std::memset(out + p * size, 0, size);
    if (plan.policy == Policy::Value) {
      const auto* fill = static_cast<const std::byte*>(
          s.level == Level::Piece ? value_row(plan.fill) : cell(plan.fill));
      std::memcpy(out + p * size, fill + p * size, size);
      if (faulty_ && fault_at(plan.fill, p)) {
        fault_row(s.out)[p] = faults_[plan.fill][p];
      }
    } else if (plan.policy != Policy::Zero && (plan.policy != Policy::Trusted || checked)) {
      add_fault(s, p, Fault::Kind::OutOfRange, plan, first);
    }
  }
}

// A target has the policy `error`: points outside carry a fault.
void RowProgram::find_target(AccessPlan& plan, std::int64_t first, std::size_t n) {
  plan.has_faults = false;
  if (affine_places(plan, first, n, &plan.places)) return;
  plan.offsets.resize(kRow);
  plan.outside.resize(kRow);
  find_offsets(plan, first, n, plan.offsets.data(), plan.outside.data());
  plan.places = {plan.offsets.data(), 0, 0};
  for (std::size_t p = 0; p < n; ++p) plan.has_faults |= plan.outside[p] != 0;
}

}  // namespace lathe::interp
