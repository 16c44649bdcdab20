// SPDX-License-Identifier: Apache-2.0
// The number at a point does not depend on the order of axes in memory: it is found in a table by
// the point's place in the order I, J, K. peers/task.py fills the same numbers in.

#include "stencil/fields.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/diagnostics.h"
#include "road/measure.h"
#include "road/workspace.h"

namespace lathe::bench {
namespace {

constexpr std::int64_t kTable = 65521;  // prime, so that rows and planes differ

lathe::DType dtype_of_field(const FieldRow& field, const std::string& dtype) {
  if (field.is_int) return dtype == "f32" ? lathe::DType::I32 : lathe::DType::I64;
  return dtype == "f32" ? lathe::DType::F32 : lathe::DType::F64;
}

std::int64_t size_of(lathe::DType dtype) {
  return dtype == lathe::DType::F32 || dtype == lathe::DType::I32 ? 4 : 8;
}

template <class T>
double value_at(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return static_cast<double>(value);
}

double element(const FieldMemory& f, const char* at) {
  switch (f.dtype) {
    case lathe::DType::F32: return value_at<float>(at);
    case lathe::DType::I32: return value_at<std::int32_t>(at);
    case lathe::DType::I64: return value_at<std::int64_t>(at);
    default: return value_at<double>(at);
  }
}

template <class T>
void fill_with(const FieldMemory& f, const std::vector<double>& table) {
  std::vector<T> numbers(table.size());
  for (std::size_t i = 0; i < table.size(); ++i) numbers[i] = static_cast<T>(table[i]);
  const std::size_t rank = f.shape.size();
  // Steps through the table along each axis, and the axes from the slowest in memory on.
  std::vector<std::int64_t> step(rank, 1);
  for (std::size_t a = rank - 1; a-- > 0;) step[a] = step[a + 1] * f.shape[a + 1];
  std::vector<std::size_t> order = {0, 1};
  if (rank == 3) order.push_back(2);
  std::sort(order.begin(), order.end(),
            [&](std::size_t x, std::size_t y) { return f.strides[x] > f.strides[y]; });
  const std::size_t inner = order.back(), outer = order[0], middle = order[rank - 2];
  const std::int64_t by = step[inner] % kTable;
  T* out = static_cast<T*>(f.memory.data());
  for (std::int64_t x = 0; x < (rank == 3 ? f.shape[outer] : 1); ++x)
    for (std::int64_t y = 0; y < f.shape[middle]; ++y) {
      std::int64_t at = ((rank == 3 ? x * step[outer] : 0) + y * step[middle]) % kTable;
      for (std::int64_t z = 0; z < f.shape[inner]; ++z) {
        *out++ = numbers[static_cast<std::size_t>(at)];
        at += by;
        if (at >= kTable) at -= kTable;
      }
    }
}

}  // namespace

char* FieldMemory::at_origin() const {
  char* at = static_cast<char*>(memory.data());
  for (std::size_t a = 0; a < shape.size(); ++a) at += origin[a] * strides[a];
  return at;
}

Fields::Fields(const Definition& definition, const std::string& dtype, const std::string& layout,
               const Domain& domain)
    : domain_(domain) {
  for (const FieldRow& field : definition.fields) {
    FieldMemory f;
    f.field = &field;
    f.dtype = dtype_of_field(field, dtype);
    const std::string axes = field.has_k ? "IJK" : "IJ";
    for (std::size_t a = 0; a < axes.size(); ++a) {
      f.origin.push_back(a < 2 ? field.halo : 0);
      f.shape.push_back(domain[a] + 2 * f.origin.back());
      f.count *= f.shape.back();
    }
    f.strides.resize(axes.size());
    std::int64_t stride = size_of(f.dtype);
    for (std::size_t l = layout.size(); l-- > 0;) {
      const std::size_t a = axes.find(layout[l]);
      if (a == std::string::npos) continue;
      f.strides[a] = stride;
      stride *= f.shape[a];
    }
    host::Allocation got = host::MemoryPool::shared().allocate(stride);
    if (got.error) throw UserError(*got.error);
    f.memory = std::move(got.block);
    std::vector<std::int64_t> from;
    for (const std::int64_t before : f.origin) from.push_back(-before);
    f.view = lathe::View(f.dtype, f.memory.data(), f.shape);
    f.view.strided(f.strides).from(std::move(from));
    fields_.push_back(std::move(f));
  }
  for (std::size_t i = 0; i < fields_.size(); ++i)
    if (fields_[i].field->use == Use::Read) fill(fields_[i], i + 1);
  restore();
  poison();
}

void Fields::fill(FieldMemory& f, std::uint64_t seed) const {
  std::vector<double> table(static_cast<std::size_t>(kTable));
  bench::fill(ir::DType::F64, table.data(), kTable, seed);
  for (double& x : table) x = f.field->low + (f.field->high - f.field->low) * x;
  switch (f.dtype) {
    case lathe::DType::F32: return fill_with<float>(f, table);
    case lathe::DType::I32: return fill_with<std::int32_t>(f, table);
    case lathe::DType::I64: return fill_with<std::int64_t>(f, table);
    default: return fill_with<double>(f, table);
  }
}

void Fields::poison() {
  for (FieldMemory& f : fields_)
    if (f.field->use == Use::Write)
      std::memset(f.memory.data(), 0xff, static_cast<std::size_t>(f.memory.size()));
}

void Fields::restore() {
  for (std::size_t i = 0; i < fields_.size(); ++i)
    if (fields_[i].field->use == Use::Update) fill(fields_[i], i + 1);
}

std::int64_t Fields::points_of(const FieldMemory& f) const {
  std::int64_t points = 1;
  for (std::size_t a = 0; a < f.shape.size(); ++a) points *= domain_[a];
  return points;
}

std::vector<double> Fields::sample(std::size_t count) const {
  std::vector<double> out;
  for (const FieldMemory& f : fields_) {
    if (f.field->use == Use::Read) continue;
    const std::int64_t points = points_of(f);
    const std::int64_t wanted = std::min(static_cast<std::int64_t>(count), points);
    for (std::int64_t i = 0; i < wanted; ++i) {
      std::int64_t rest = i * points / wanted;
      const char* at = f.at_origin();
      for (std::size_t a = f.shape.size(); a-- > 0; rest /= domain_[a])
        at += rest % domain_[a] * f.strides[a];
      out.push_back(element(f, at));
    }
  }
  return out;
}

std::string Fields::difference(const std::vector<double>& expected, const std::vector<double>& got,
                               std::size_t count, double rounding) const {
  if (expected.size() != got.size()) return bench::difference(expected, got, rounding);
  auto begin = std::ptrdiff_t{0};
  for (const FieldMemory& f : fields_) {
    if (f.field->use == Use::Read) continue;
    const auto end = begin + std::min(static_cast<std::int64_t>(count), points_of(f));
    const std::string apart = bench::difference({expected.begin() + begin, expected.begin() + end},
                                                {got.begin() + begin, got.begin() + end}, rounding);
    if (!apart.empty()) return "'" + f.field->name + "', " + apart;
    begin = end;
  }
  return {};
}

}  // namespace lathe::bench
