// SPDX-License-Identifier: Apache-2.0
// NumPy as the judge: it reads what we write, and we read what it writes in other orders.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "base/files.h"
#include "base/half.h"
#include "io/npy.h"
#include "unit/io/temporary_folder.h"

namespace lathe::io {
namespace {

using ir::DType;

constexpr const char* kScript = R"(
import sys, numpy as np
folder = sys.argv[1] + "/"
names = {"bool": "bool", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
         "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64",
         "f16": "float16", "f32": "float32", "f64": "float64"}
for ours, theirs in names.items():
    a = np.load(folder + ours + ".npy", allow_pickle=False)
    assert a.dtype == np.dtype(theirs), (ours, a.dtype)
    assert a.shape == (2, 3, 4), a.shape
    count = np.arange(24).reshape(2, 3, 4)
    assert (a == (count % 2 if ours == "bool" else count)).all(), a
    np.save(folder + ours + "-fortran.npy", np.asfortranarray(a))
    np.save(folder + ours + "-big.npy", a.astype(a.dtype.newbyteorder(">")))
    np.save(folder + ours + "-both.npy", np.asfortranarray(a.astype(a.dtype.newbyteorder(">"))))
    np.save(folder + ours + "-scalar.npy", a[1, 2, 3])
    np.save(folder + ours + "-empty.npy", a[:, 1:1])
assert np.load(folder + "bf16.npy", allow_pickle=False).dtype.itemsize == 2
)";

// The number n as an element.
std::vector<std::byte> element_of(DType dtype, int n) {
  std::vector<std::byte> out(ir::size_bytes(dtype));
  const auto put = [&](auto value) { std::memcpy(out.data(), &value, sizeof value); };
  switch (dtype) {
    case DType::Bool: put(static_cast<std::uint8_t>(n % 2)); break;
    case DType::F64: put(static_cast<double>(n)); break;
    case DType::F32: put(static_cast<float>(n)); break;
    case DType::F16: put(double_to_half(n)); break;
    case DType::BF16: put(double_to_bfloat16(n)); break;
    default: out[0] = static_cast<std::byte>(n);
  }
  return out;
}

// Debian's Python has Debian's NumPy; another one may come first in the path.
std::string python_with_numpy() {
  for (const std::string python : {"python3", "/usr/bin/python3"}) {
    if (std::system((python + " -c 'import numpy' 2>/dev/null").c_str()) == 0) return python;
  }
  return "";
}

TEST(NumPy, AgreesBothWays) {
  const TemporaryFolder folder;
  const std::vector<std::int64_t> shape = {2, 3, 4};
  std::vector<std::vector<std::byte>> expected;
  for (int t = 0; t < ir::kDTypeCount; ++t) {
    const auto dtype = static_cast<DType>(t);
    std::vector<std::byte>& data = expected.emplace_back();
    for (int n = 0; n < 24; ++n) {
      const std::vector<std::byte> one = element_of(dtype, n);
      data.insert(data.end(), one.begin(), one.end());
    }
    write_npy(folder / (std::string(ir::name(dtype)) + ".npy"), dtype, shape, data);
  }
  const std::string python = python_with_numpy();
  if (python.empty()) GTEST_SKIP() << "there is no python3 with numpy";
  write_file(folder / "check.py", kScript);
  ASSERT_EQ(std::system((python + " " + (folder / "check.py") + " " + (folder / "")).c_str()), 0);

  for (int t = 0; t < ir::kDTypeCount; ++t) {
    const auto dtype = static_cast<DType>(t);
    if (dtype == DType::BF16) continue;
    const std::string start = folder / std::string(ir::name(dtype));
    const std::vector<std::byte>& data = expected[static_cast<std::size_t>(t)];
    for (const char* kind : {"-fortran.npy", "-big.npy", "-both.npy"}) {
      const NpyArray array = read_npy(start + kind);
      EXPECT_EQ(array.dtype, dtype);
      EXPECT_EQ(array.shape, shape);
      EXPECT_EQ(array.swapped, kind != std::string("-fortran.npy") && ir::size_bytes(dtype) > 1);
      EXPECT_EQ(array.fortran_order, kind != std::string("-big.npy"));
      std::vector<std::byte> got(array.data.size());
      copy_elements(array, got);
      EXPECT_EQ(got, data) << start << kind;
    }
    const NpyArray scalar = read_npy(start + "-scalar.npy");
    EXPECT_TRUE(scalar.shape.empty());
    EXPECT_EQ(scalar.element_count(), 1);
    EXPECT_EQ(read_npy(start + "-empty.npy").shape, (std::vector<std::int64_t>{2, 0, 4}));
  }
}

}  // namespace
}  // namespace lathe::io
