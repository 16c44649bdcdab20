// SPDX-License-Identifier: Apache-2.0
#pragma once
// The arrays of a row in this process's memory, for Lathe and for C.

#include <lathe/array.h>

#include <string>
#include <vector>

#include "array/rows.h"
#include "device/host/memory.h"

namespace lathe::bench {

class ArrayData {
 public:
  ArrayData(const Formula& formula, const std::string& dtype, Scale scale);

  const std::vector<lathe::View>& inputs() const { return inputs_; }
  const lathe::View& result() const { return result_; }  // memory for it, as large as it can be
  std::vector<std::int64_t> lengths() const;             // of all axes of all inputs
  void poison();                                         // the result

 private:
  void* take(std::int64_t count, std::int64_t width);

  std::vector<host::Block> memory_;
  std::vector<lathe::View> inputs_;
  lathe::View result_;
};

// At most `count` elements of a dense array, evenly spread; as "sample" of peers.
std::vector<double> sample_of(const lathe::View& view, std::size_t count);

}  // namespace lathe::bench
