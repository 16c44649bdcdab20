// SPDX-License-Identifier: Apache-2.0
// What is given to a call, and what is wrong with it. Binding refuses what can never be right; what
// depends on other arguments - ranges, overlaps - is checked before a run.

#include <algorithm>

#include "api/argument_text.h"
#include "api/call.h"
#include "api/strided.h"
#include "base/checked.h"
#include "interp/space.h"

namespace lathe::api {
namespace {

std::string axes_text(std::size_t n) { return std::to_string(n) + (n == 1 ? " axis" : " axes"); }

// Do all bytes have an address?
bool is_addressable(const ArrayRef& a) {
  CheckedInt low = 0, high = 0;
  for (std::size_t x = 0; x < a.rank && a.strides; ++x) {
    const CheckedInt reach = checked_mul(a.extents[x] - 1, a.strides[x]);
    CheckedInt& end = a.strides[x] < 0 ? low : high;
    end = checked_add(end, reach);
  }
  CheckedInt bytes = static_cast<std::int64_t>(ir::size_bytes(a.dtype));
  for (std::size_t x = 0; x < a.rank && !a.strides; ++x)
    bytes = checked_mul(bytes, CheckedInt(a.extents[x]));
  bool ends = true;
  for (std::size_t x = 0; x < a.rank && a.lo; ++x)
    ends = ends && checked_add(a.lo[x], a.extents[x]).has_value();
  return low && high && bytes && ends;
}

bool is_empty(const ArrayRef& a) {
  return std::any_of(a.extents, a.extents + a.rank, [](std::int64_t n) { return n == 0; });
}

}  // namespace

void check_size(const ParameterInfo& p, ir::Scalar value) {
  if (p.is_size && value.as_int() < 0)
    throw UserError("size " + quoted(p.name) + " is " + std::to_string(value.as_int()) +
                        ", but a size is never negative",
                    p.span, "give it a value of 0 or more");
}

void refuse_missing(const ParameterInfo& p) {
  throw UserError((p.is_size ? "size " : "parameter ") + quoted(p.name) + " has no value", p.span,
                  "give it one before the call");
}

void Call::set(std::size_t parameter, ir::Scalar value) {
  const ParameterInfo& p = signature_.parameters()[parameter];
  const std::string kind = p.is_size ? "size" : "parameter";
  if (value.dtype != p.dtype)
    throw UserError(kind + " " + quoted(p.name) + " is " + std::string(ir::name(p.dtype)) +
                        ", but its value is " + std::string(ir::name(value.dtype)),
                    p.span, "convert the value");
  check_size(p, value);
  is_stale_[parameter] = 0;
  if (is_set_[parameter] && parameters_[parameter] == value.bits) return;
  parameters_[parameter] = value.bits;
  is_set_[parameter] = 1;
  dirty_ = true;
  bounds_known_ = frame_knows_ = false;
}

bool Call::is_bound_to(std::size_t argument, const ArrayRef& given) const {
  const ArgumentInfo& a = info(argument);
  const Argument& mine = arguments_[argument];
  return mine.given && mine.data == given.data && given.dtype == a.dtype && given.rank == a.rank &&
         mine.read_only == given.read_only && is_laid_out_as(argument, given);
}

// Of the argument's rank and dtype.
bool Call::is_laid_out_as(std::size_t argument, const ArrayRef& given) const {
  const ArgumentInfo& a = info(argument);
  auto stride = static_cast<std::int64_t>(ir::size_bytes(a.dtype));  // of a dense array
  for (std::size_t k = a.rank; k-- > 0;) {
    const std::size_t x = a.first_axis + k;
    if (lo_[x] != (given.lo ? given.lo[k] : 0) || extents_[x] != given.extents[k] ||
        strides_[x] != (given.strides ? given.strides[k] : stride))
      return false;
    stride *= extents_[x];
  }
  return true;
}

void Call::bind(std::size_t argument, const ArrayRef& given) {
  arguments_[argument].stale = false;
  if (is_bound_to(argument, given)) return;
  const ArgumentInfo& a = info(argument);
  const Span span = a.declared->span;
  if (a.computed)
    throw UserError("the range of " + who(a) +
                        " is computed by the program, so no array can be "
                        "given for it",
                    span, "leave it out, or give a callback that allocates it");
  if (given.dtype != a.dtype)
    throw UserError(who(a) + " is declared " + std::string(ir::name(a.dtype)) +
                        ", but the array given is " + std::string(ir::name(given.dtype)),
                    span, "convert the array, or change the declaration", ErrorKind::DType);
  if (given.rank != a.rank)
    throw UserError(
        who(a) + " has " + axes_text(a.rank) + ", but the array given has " + axes_text(given.rank),
        span, "give an array over " + interp::declared_text(*a.declared));
  if (given.read_only && a.is_written())
    throw UserError(who(a) + " is written, but the array given is read-only", span,
                    "give memory that may be written, or a copy");
  for (std::size_t x = 0; x < a.rank; ++x)
    if (given.extents[x] < 0)
      throw UserError("the array given for " + who(a) + " has " + std::to_string(given.extents[x]) +
                          " elements along axis " + quoted(a.declared->axes[x].name),
                      span, "give a number of 0 or more");
  // Other memory of the same layout has been through that.
  const bool known = arguments_[argument].given && is_laid_out_as(argument, given);
  if (!known && !is_empty(given) && !is_addressable(given))
    throw UserError("the array given for " + who(a) + " does not fit in 64 bits of address", span,
                    "look at its extents and strides");
  if (given.data == nullptr && !is_empty(given))
    throw UserError("the array given for " + who(a) + " has no memory: its pointer is null", span,
                    "give the address of its first element");
  Argument& mine = arguments_[argument];
  mine.data = given.data;
  mine.given = true;
  mine.made = false;
  mine.read_only = given.read_only;
  for (std::size_t x = 0; x < a.rank; ++x) {
    lo_[a.first_axis + x] = given.lo ? given.lo[x] : 0;
    extents_[a.first_axis + x] = given.extents[x];
    if (given.strides) strides_[a.first_axis + x] = given.strides[x];
  }
  if (!given.strides)
    dense_strides(extents_.data() + a.first_axis, a.rank,
                  static_cast<std::int64_t>(ir::size_bytes(a.dtype)),
                  strides_.data() + a.first_axis);
  dirty_ = true;
}

void Call::move_to(std::size_t argument, std::byte* data) {
  Argument& mine = arguments_[argument];
  const ArgumentInfo& a = info(argument);
  mine.stale = false;
  if (mine.data == data) return;
  mine.data = data;
  const auto size = static_cast<std::uintptr_t>(ir::size_bytes(a.dtype));
  // Prepared anew where the last preparation says too little.
  if (dirty_ || !frame_ || has_copies() || reinterpret_cast<std::uintptr_t>(data) % size != 0) {
    dirty_ = true;
    return;
  }
  const std::size_t x = a.first_axis;
  mine.used = data;
  mine.footprint = Footprint(data, static_cast<std::int64_t>(size), a.rank, extents_.data() + x,
                             strides_.data() + x);
  frame_->set_argument(argument, {data, bounds_.data() + x, used_strides_.data() + x});
}

void Call::unbind(std::size_t argument) {
  arguments_[argument].given = false;
  arguments_[argument].data = nullptr;
  dirty_ = true;
}

void Call::start_over() {
  std::fill(is_stale_.begin(), is_stale_.end(), std::uint8_t{1});
  for (Argument& a : arguments_) a.stale = true;
  has_stale_ = true;
}

void Call::drop_stale() {
  has_stale_ = false;
  for (std::size_t i = 0; i < is_stale_.size(); ++i) {
    if (!is_stale_[i]) continue;
    dirty_ = true;
    is_set_[i] = is_stale_[i] = 0;
  }
  for (std::size_t n = 0; n < arguments_.size(); ++n)
    if (arguments_[n].stale && arguments_[n].given) unbind(n);
}

bool Call::has_copies() const {
  return std::any_of(arguments_.begin(), arguments_.end(),
                     [](const Argument& a) { return a.copy || a.owned; });
}

void Call::check_parameters() const {
  for (std::size_t i = 0; i < is_set_.size(); ++i) {
    if (!is_set_[i]) refuse_missing(signature_.parameters()[i]);
  }
}

void Call::check_allocator() const {
  for (const ArgumentInfo& a : signature_.arguments())
    if (a.computed)
      throw UserError("the range of " + who(a) +
                          " is computed by the program, and there is nobody "
                          "to allocate it",
                      a.declared->span,
                      "give a callback that allocates it, or make a call that owns its results");
}

void Call::check_range(std::size_t argument) const {
  const ArgumentInfo& a = info(argument);
  bool fits = true;
  for (std::size_t x = a.first_axis; x < a.first_axis + a.rank; ++x)
    fits = fits && lo_[x] == bounds_[x].lo &&
           extents_[x] == (bounds_[x].hi <= bounds_[x].lo ? 0 : bounds_[x].hi - bounds_[x].lo);
  if (fits) return;
  interp::Bounds declared, given;
  for (std::size_t x = a.first_axis; x < a.first_axis + a.rank; ++x) {
    declared.lo.push_back(bounds_[x].lo);
    declared.hi.push_back(bounds_[x].hi);
    given.lo.push_back(lo_[x]);
    given.hi.push_back(lo_[x] + extents_[x]);
  }
  throw UserError(who(a) + " is declared over " + interp::declared_text(*a.declared) + " = " +
                      interp::range_text(declared.lo, declared.hi) +
                      ", but the array given covers " + interp::range_text(given.lo, given.hi),
                  a.declared->span, "give an array of that range, or other sizes");
}

// Inputs act as if they were copied first, so those that share memory with what is written are.
void Call::find_overlaps() {
  for (std::size_t n = 0; n < arguments_.size(); ++n) {
    if (info(n).computed || !info(n).is_written()) continue;
    const Footprint& written = arguments_[n].footprint;
    if (overlaps_itself(written))
      throw UserError("elements of " + who(info(n)) + " would share memory with one another",
                      info(n).declared->span, "give it strides that keep its elements apart");
    for (std::size_t m = 0; m < arguments_.size(); ++m) {
      if (m == n || info(m).computed || !overlap(written, arguments_[m].footprint)) continue;
      if (!info(m).is_written()) {
        arguments_[m].copied = true;
        continue;
      }
      const ArgumentInfo &a = info(std::min(m, n)), &b = info(std::max(m, n));
      throw UserError(who(a) + " and " + who(b) + " share memory, and both are written",
                      a.declared->span, "give each of them memory of its own");
    }
  }
}

void Call::check_bools() const {
  for (std::size_t n = 0; n < arguments_.size(); ++n) {
    const ArgumentInfo& a = info(n);
    if (a.dtype != ir::DType::Bool || a.computed || !a.is_read()) continue;
    const int bad = find_bad_bool({arguments_[n].data, strides_.data() + a.first_axis},
                                  extents_.data() + a.first_axis, a.rank);
    if (bad >= 0)
      throw UserError(who(a) + " is bool, but holds the byte " + std::to_string(bad),
                      a.declared->span, "give 0 or 1 for every element");
  }
}

}  // namespace lathe::api
