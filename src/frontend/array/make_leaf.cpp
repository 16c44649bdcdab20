// SPDX-License-Identifier: Apache-2.0
// Inputs, constants, arrays that are there.

#include "base/quoted.h"
#include "frontend/array/make.h"

namespace lathe::array {
namespace {

// Axes up to this length are constants of the program, so that loops over them unroll.
constexpr std::int64_t kConstantAxis = 16;

bool is_name(const std::string& s) {
  if (s.empty() || (s[0] >= '0' && s[0] <= '9')) return false;
  for (char c : s)
    if (!(c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')))
      return false;
  return true;
}

}  // namespace

NodeRef input(const std::string& name, ir::DType t, const Shape& shape, Place place) {
  const Maker m{"input", place};
  if (!is_name(name))
    refuse(m, quoted(name) + " is not a name",
           "use letters, digits and _, and begin with no digit");
  for (const Dim& d : shape)
    if (!never_negative(d) && d.is_constant())
      refuse(m, quoted(name) + " has a negative length: " + to_text(shape));
  Node n;
  n.kind = Kind::Input;
  n.dtype = t;
  n.shape = shape;
  n.text = name;
  n.place = place;
  for (std::size_t a = 0; a < shape.size(); ++a)
    if (!never_negative(shape[a]))
      n.conditions.push_back({Condition::Rule::AtLeast, shape[a], Dim(0), static_cast<int>(a)});
  return intern(std::move(n));
}

NodeRef scalar(const std::string& name, ir::DType t, bool weak, Place place) {
  const NodeRef strong = input(name, t, {}, place);
  if (!weak) return strong;
  Node n;
  n.kind = Kind::Input;
  n.dtype = t;
  n.text = name;
  n.ints = {1};
  n.place = place;
  return intern(std::move(n));
}

NodeRef data(std::shared_ptr<const Storage> storage, ir::DType t, Place place) {
  Node n;
  n.kind = Kind::Data;
  n.dtype = t;
  for (std::int64_t e : storage->extents)
    n.shape.push_back(e <= kConstantAxis ? Dim(e) : Dim(known_symbol(e)));
  n.storage = std::move(storage);
  n.place = place;
  return intern(std::move(n));
}

NodeRef constant(const ir::Scalar& value, bool weak) {
  Node n;
  n.kind = Kind::Constant;
  n.dtype = value.dtype;
  n.value = value;
  n.ints = {weak ? 1 : 0};
  return intern(std::move(n));
}

NodeRef size_value(const Dim& d, Place place) {
  if (d.is_constant()) return constant(ir::Scalar::of_int(ir::DType::I64, d.constant()));
  Node n;
  n.kind = Kind::SizeValue;
  n.dtype = ir::DType::I64;
  n.dims = {d};
  n.place = place;
  return intern(std::move(n));
}

NodeRef iota(const Dim& length, Place place) {
  Node n;
  n.kind = Kind::Iota;
  n.dtype = ir::DType::I64;
  n.shape = {length};
  n.place = place;
  if (!never_negative(length)) {
    if (length.is_constant()) refuse({"arange", place}, "the length is " + to_text(length));
    n.conditions.push_back({Condition::Rule::AtLeast, length, Dim(0), 0});
  }
  return intern(std::move(n));
}

}  // namespace lathe::array
