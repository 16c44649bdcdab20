// SPDX-License-Identifier: Apache-2.0
// From names and values of lathe/c.h to numbers and scalars of a signature.

#include <cmath>

#include "api/c_handles.h"
#include "base/nearest_name.h"
#include "base/quoted.h"

namespace lathe::api {
namespace {

// "did you mean 'v'?", or "it has u, v"
template <class Info>
std::string name_help(const std::vector<Info>& all, std::string_view name) {
  NearestName nearest(name);
  std::string list;
  for (const Info& i : all) {
    nearest.consider(i.name);
    list += (list.empty() ? "it has " : ", ") + i.name;
  }
  return nearest.help(list);
}

template <class Info>
[[noreturn]] void refuse_name(const Signature& s, const std::vector<Info>& all, const char* kind,
                              const char* name) {
  throw UsageError("program " + quoted(s.program().name) + " has no " + kind + " " + quoted(name),
                   {}, name_help(all, name));
}

[[noreturn]] void refuse_value(const ParameterInfo& p, const std::string& value) {
  throw UserError((p.is_size ? "size " : "parameter ") + quoted(p.name) + " is " +
                      std::string(ir::name(p.dtype)) + ", which cannot hold " + value,
                  p.span, "give a value that it can hold exactly");
}

// An integer keeps its value or is refused.
ir::Scalar exactly(const ParameterInfo& p, ir::Scalar value) {
  const ir::Scalar made = value.cast(p.dtype);
  // From floats the way back saturates, so 2^63 comes back as 2^63 - 1: compare as floats too.
  const bool same =
      made.cast(value.dtype) == value &&
      (!ir::is_float(p.dtype) ||
       std::abs(made.as_double()) < (value.dtype == ir::DType::I64 ? 0x1p63 : 0x1p64));
  const bool sign_kept = !ir::is_int(p.dtype) ||
                         (value.dtype == ir::DType::I64 && ir::is_signed_int(p.dtype)) ||
                         static_cast<std::int64_t>(value.bits) >= 0 ||
                         (value.dtype == ir::DType::U64 && p.dtype == ir::DType::U64);
  if (!same || !sign_kept) refuse_value(p, ir::to_text(value));
  return made;
}

}  // namespace

std::size_t parameter_number(const Signature& signature, const char* name, std::size_t guess) {
  require(name != nullptr, "a value has no name: its pointer is null");
  const auto found = signature.find_parameter(name, guess);
  if (!found) refuse_name(signature, signature.parameters(), "parameter", name);
  return *found;
}

std::size_t argument_number(const Signature& signature, const char* name, std::size_t guess) {
  require(name != nullptr, "a view has no name: its pointer is null");
  const auto found = signature.find_argument(name, guess);
  if (!found) refuse_name(signature, signature.arguments(), "array", name);
  return *found;
}

ir::DType to_dtype(lathe_dtype dtype) {
  static_assert(static_cast<int>(ir::DType::F64) == LATHE_F64 &&
                static_cast<int>(ir::DType::U8) == LATHE_U8 &&
                static_cast<int>(ir::DType::F16) == LATHE_F16);
  const int number = static_cast<int>(dtype);
  if (number < 0 || number >= ir::kDTypeCount)
    throw UsageError("there is no dtype with the number " + std::to_string(number), {},
                     "use one of the enumeration lathe_dtype");
  return static_cast<ir::DType>(number);
}

ir::Scalar to_scalar(const lathe_value& value, const ParameterInfo& p) {
  switch (value.dtype) {
    case LATHE_I64:
      if (p.dtype == ir::DType::Bool) break;
      return exactly(p, ir::Scalar::of_int(ir::DType::I64, value.as.i));
    case LATHE_U64:
      if (p.dtype == ir::DType::Bool) break;
      return exactly(p, ir::Scalar::of_uint(ir::DType::U64, value.as.u));
    case LATHE_F64:
      if (!ir::is_float(p.dtype)) break;
      return ir::Scalar::of_double(p.dtype, value.as.f);
    case LATHE_BOOL: return ir::Scalar::of_bool(value.as.i != 0);
    default:
      throw UsageError("the value of " + quoted(p.name) + " is given as " +
                           std::string(ir::name(to_dtype(value.dtype))),
                       {}, "give values as LATHE_I64, LATHE_U64, LATHE_F64 or LATHE_BOOL");
  }
  return {to_dtype(value.dtype), value.as.u};  // Call::set has the words for it
}

}  // namespace lathe::api
