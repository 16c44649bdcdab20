// SPDX-License-Identifier: Apache-2.0
#include "road/workspace.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "base/files.h"
#include "interp/interpreter.h"
#include "ir/text.h"
#include "ir/verify.h"

namespace lathe::bench {
namespace {

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

template <class Real>
void fill_real(Real* data, std::int64_t count, std::uint64_t seed) {
  const std::uint64_t shift = seed * 0xD1B54A32D192ED03u;
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint64_t h = static_cast<std::uint64_t>(i) * 0x9E3779B97F4A7C15u + shift;
    h ^= h >> 32;
    h *= 0xD6E8FEB86659FD93u;
    h ^= h >> 32;
    data[i] = static_cast<Real>(h >> 40) * static_cast<Real>(0x1p-24);
  }
}

bool is_given(ir::Role role) { return role == ir::Role::Input || role == ir::Role::InOut; }

}  // namespace

ir::Program load_program(const std::string& folder, const std::string& bench,
                         const std::string& dtype) {
  const std::string path = folder + "/" + bench + ".lathe";
  Diagnostics diagnostics;
  auto program = ir::parse_program(path, replaced(read_file(path), "f64", dtype), diagnostics);
  if (!program || !ir::verify(*program, diagnostics)) throw UserError(diagnostics.all().front());
  return std::move(*program);
}

void fill(ir::DType dtype, void* data, std::int64_t count, std::uint64_t seed) {
  if (dtype == ir::DType::F32)
    fill_real(static_cast<float*>(data), count, seed);
  else
    fill_real(static_cast<double*>(data), count, seed);
}

Workspace::Workspace(const ir::Program& program, const Sizes& sizes) : sizes_(sizes) {
  interp::State state;
  for (const ir::Parameter& p : program.parameters) {
    const std::int64_t value = sizes.at(std::string(p.name.text()));
    parameters_.push_back(value);
    state.parameters[std::string(p.name.text())] = ir::Scalar::of_int(p.dtype, value);
  }
  for (const ir::Array& a : program.arrays) {
    if (a.role == ir::Role::Temp || a.role == ir::Role::Const) continue;
    Argument argument;
    argument.name = std::string(a.name.text());
    argument.role = a.role;
    argument.dtype = a.dtype;
    const interp::Bounds bounds = interp::declared_bounds(program, a, state);
    argument.lo = bounds.lo;
    argument.hi = bounds.hi;
    for (std::size_t x = 0; x < bounds.lo.size(); ++x) {
      argument.shape.push_back(bounds.hi[x] - bounds.lo[x]);
      argument.count *= argument.shape.back();
    }
    host::Allocation got = host::MemoryPool::shared().allocate(
        argument.count * static_cast<std::int64_t>(ir::size_bytes(a.dtype)));
    if (got.error) throw UserError(*got.error);
    argument.memory = std::move(got.block);
    arguments_.push_back(std::move(argument));
  }
  std::uint64_t seed = 0;
  for (Argument& a : arguments_)
    if (is_given(a.role)) fill(a.dtype, a.memory.data(), a.count, ++seed);
}

api::Compiled::Arguments Workspace::call_arguments() const {
  api::Compiled::Arguments out;
  std::size_t n = 0;
  for (const auto& [name, value] : sizes_)
    out.parameters[name] = ir::Scalar::of_int(ir::DType::I64, value), ++n;
  for (const Argument& a : arguments_) {
    api::ArrayView view{static_cast<std::byte*>(a.memory.data()), a.dtype, a.lo, a.hi,
                        std::vector<std::int64_t>(a.lo.size())};
    std::int64_t stride = static_cast<std::int64_t>(ir::size_bytes(a.dtype));
    for (std::size_t x = a.lo.size(); x-- > 0;) {
      view.strides[x] = stride;
      stride *= a.shape[x];
    }
    out.arrays[a.name] = view;
  }
  return out;
}

// Zero, not NaN, outside of what programs write: diffusion leaves the edge alone, and peers that
// allocate their result have zeros there too. Zero is far enough from any result to be noticed.
void Workspace::reset() {
  std::uint64_t seed = 0;
  for (Argument& a : arguments_) {
    if (is_given(a.role)) ++seed;
    if (a.role == ir::Role::InOut) fill(a.dtype, a.memory.data(), a.count, seed);
    if (a.role == ir::Role::Output)
      std::memset(a.memory.data(), 0, static_cast<std::size_t>(a.memory.size()));
  }
}

std::vector<double> Workspace::sample(std::size_t count) const {
  const Argument* result = nullptr;
  for (const Argument& a : arguments_)
    if (a.role != ir::Role::Input) result = &a;
  std::vector<double> out;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = i * static_cast<std::size_t>(result->count) / count;
    out.push_back(result->dtype == ir::DType::F32
                      ? static_cast<double>(static_cast<const float*>(result->memory.data())[at])
                      : static_cast<const double*>(result->memory.data())[at]);
  }
  return out;
}

std::int64_t Workspace::bytes() const {
  std::int64_t out = 0;
  for (const Argument& a : arguments_)
    out += a.count * static_cast<std::int64_t>(ir::size_bytes(a.dtype));
  return out;
}

}  // namespace lathe::bench
