// SPDX-License-Identifier: Apache-2.0
// Any bytes as a .npy file: either a UserError or an array whose elements can all be copied, and
// which is the same array after writing its header again.
#include "base/diagnostics.h"
#include "io/npy.h"
#include "io/npy_header.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace lathe;
  const std::span<const std::byte> file = std::as_bytes(std::span(bytes, size));
  try {
    const io::NpyArray array = io::read_npy(file, "fuzz");
    std::vector<std::byte> elements(array.data.size());
    io::copy_elements(array, elements);
    std::string again = io::make_npy_header(array.dtype, array.shape);
    again.append(reinterpret_cast<const char*>(elements.data()), elements.size());
    const io::NpyArray back = io::read_npy(std::as_bytes(std::span(again)), "again");
    check(back.dtype == array.dtype && back.shape == array.shape, "an array that changed");
  } catch (const UserError&) {
  }
  return 0;
}
