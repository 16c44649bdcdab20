// SPDX-License-Identifier: Apache-2.0
#include "api/signature.h"

#include <algorithm>

#include "interp/interpreter.h"
#include "ir/traverse.h"

namespace lathe::api {
namespace {

template <class Info>
std::optional<std::size_t> find(const std::vector<Info>& all, std::string_view name,
                                std::size_t guess) {
  if (guess < all.size() && all[guess].name == name) return guess;
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Info& i) { return i.name == name; });
  if (found == all.end()) return std::nullopt;
  return static_cast<std::size_t>(found - all.begin());
}

}  // namespace

bool is_argument(const ir::Array& a) {
  return a.role != ir::Role::Temp && a.role != ir::Role::Const;
}

bool is_computed(const ir::Array& a) {
  return std::any_of(a.axes.begin(), a.axes.end(), [](const ir::Axis& x) {
    return !ir::arrays_read(x.lo).empty() || !ir::arrays_read(x.hi).empty();
  });
}

Signature::Signature(const ir::Program& program, std::mutex& graph_mutex)
    : program_(program), graph_mutex_(graph_mutex) {
  for (const ir::Parameter& p : program.parameters)
    parameters_.push_back(
        {std::string(p.name.text()), p.is_size ? ir::DType::I64 : p.dtype, p.is_size, p.span});
  for (const ir::Array& a : program.arrays) {
    if (!is_argument(a)) continue;
    ArgumentInfo info{std::string(a.name.text()),
                      a.dtype,
                      a.role,
                      a.axes.size(),
                      bounds_.size(),
                      is_computed(a),
                      &a};
    for (const ir::Axis& x : a.axes) {
      if (info.computed)
        bounds_.push_back({});
      else
        bounds_.push_back({Formula::compile(x.lo, program.parameters),
                           Formula::compile(x.hi, program.parameters)});
    }
    arguments_.push_back(std::move(info));
  }
}

std::optional<std::size_t> Signature::find_parameter(std::string_view name,
                                                     std::size_t guess) const {
  return find(parameters_, name, guess);
}

std::optional<std::size_t> Signature::find_argument(std::string_view name,
                                                    std::size_t guess) const {
  return find(arguments_, name, guess);
}

void Signature::evaluate(const std::uint64_t* parameters, AxisBounds* out) const {
  for (const ArgumentInfo& a : arguments_) {
    if (a.computed) continue;
    bool fine = true;
    for (std::size_t x = a.first_axis; x < a.first_axis + a.rank; ++x) {
      const Pair& pair = bounds_[x];
      const CheckedInt lo = pair.lo ? pair.lo->evaluate(parameters) : std::nullopt;
      const CheckedInt hi = pair.hi ? pair.hi->evaluate(parameters) : std::nullopt;
      fine = fine && lo && hi;
      if (lo && hi) out[x] = {*lo, *hi};
    }
    if (!fine) evaluate_slowly(*a.declared, parameters, out + a.first_axis);
  }
}

void Signature::evaluate_slowly(const ir::Array& array, const std::uint64_t* parameters,
                                AxisBounds* out) const {
  interp::State state;
  for (std::size_t i = 0; i < parameters_.size(); ++i)
    state.parameters[parameters_[i].name] = {parameters_[i].dtype, parameters[i]};
  const std::lock_guard lock(graph_mutex_);
  const interp::Bounds b = interp::declared_bounds(program_, array, state);
  for (std::size_t x = 0; x < b.lo.size(); ++x) out[x] = {b.lo[x], b.hi[x]};
}

}  // namespace lathe::api
