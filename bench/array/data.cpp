// SPDX-License-Identifier: Apache-2.0
#include "array/data.h"

#include <cmath>
#include <cstring>

#include "base/diagnostics.h"
#include "road/workspace.h"

namespace lathe::bench {
namespace {

std::int64_t count_of(const std::vector<std::int64_t>& shape) {
  std::int64_t n = 1;
  for (const std::int64_t x : shape) n *= x;
  return n;
}

template <class T>
void fill_whole(T* data, std::int64_t count, std::uint64_t seed, std::int64_t below) {
  std::vector<double> numbers(static_cast<std::size_t>(count));
  fill(ir::DType::F64, numbers.data(), count, seed);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    data[i] = static_cast<T>(std::floor(numbers[i] * static_cast<double>(below)));
}

}  // namespace

ArrayData::ArrayData(const Formula& formula, const std::string& dtype, Scale scale) {
  const bool single = dtype == "f32";
  const std::int64_t width = single ? 4 : 8;
  const lathe::DType real = single ? lathe::DType::F32 : lathe::DType::F64;
  const std::vector<ArrayInput> wanted = formula.inputs(scale);
  std::uint64_t seed = 0;
  for (const ArrayInput& in : wanted) {
    const std::int64_t count = count_of(in.shape);
    void* const data = take(count, in.is_index ? 8 : width);
    ++seed;
    if (in.below == 0)
      fill(single ? ir::DType::F32 : ir::DType::F64, data, count, seed);
    else if (in.is_index)
      fill_whole(static_cast<std::int64_t*>(data), count, seed, in.below);
    else if (single)
      fill_whole(static_cast<float*>(data), count, seed, in.below);
    else
      fill_whole(static_cast<double*>(data), count, seed, in.below);
    inputs_.emplace_back(in.is_index ? lathe::DType::I64 : real, data, in.shape);
  }
  const std::vector<std::int64_t> most = formula.most(wanted);
  const std::int64_t result_width = formula.finds_index ? 8 : width;
  // One more: those that choose elements write before they know.
  void* const data = take(count_of(most) + 1, result_width);
  result_ = lathe::View(formula.finds_index ? lathe::DType::I64 : real, data, most);
}

void* ArrayData::take(std::int64_t count, std::int64_t width) {
  host::Allocation got = host::MemoryPool::shared().allocate(count * width);
  if (got.error) throw UserError(*got.error);
  memory_.push_back(std::move(got.block));
  return memory_.back().data();
}

std::vector<std::int64_t> ArrayData::lengths() const {
  std::vector<std::int64_t> out;
  for (const lathe::View& v : inputs_) out.insert(out.end(), v.shape().begin(), v.shape().end());
  return out;
}

void ArrayData::poison() {
  std::memset(memory_.back().data(), 0, static_cast<std::size_t>(memory_.back().size()));
}

std::vector<double> sample_of(const lathe::View& view, std::size_t count) {
  const auto all = static_cast<std::size_t>(count_of(view.shape()));
  const std::size_t wanted = std::min(count, all);
  std::vector<double> out;
  for (std::size_t i = 0; i < wanted; ++i) {
    const std::size_t at = i * all / wanted;
    if (view.dtype() == lathe::DType::F32)
      out.push_back(static_cast<double>(static_cast<const float*>(view.data())[at]));
    else if (view.dtype() == lathe::DType::F64)
      out.push_back(static_cast<const double*>(view.data())[at]);
    else
      out.push_back(static_cast<double>(static_cast<const std::int64_t*>(view.data())[at]));
  }
  return out;
}

}  // namespace lathe::bench
