// SPDX-License-Identifier: Apache-2.0
// .npy files: the header is parsed in npy_header.cpp, here are the elements.

#include "io/npy.h"

#include <algorithm>
#include <cstring>

#include "base/checked.h"
#include "base/diagnostics.h"
#include "base/files.h"
#include "io/mapped_file.h"
#include "io/npy_header.h"

namespace lathe::io {
namespace {

void copy_element(const std::byte* from, std::byte* to, std::size_t size, bool swapped) {
  if (swapped) {
    std::reverse_copy(from, from + size, to);
  } else {
    std::memcpy(to, from, size);
  }
}

// Walks the output in C order and keeps the source offset of a first-index-fastest array, like the
// digits of a counter.
void copy_fortran(const NpyArray& array, std::byte* to, std::size_t size) {
  const std::size_t rank = array.shape.size();
  std::vector<std::size_t> stride(rank), index(rank, 0);
  std::size_t step = size;
  for (std::size_t d = 0; d < rank; ++d) {
    stride[d] = step;
    step *= static_cast<std::size_t>(array.shape[d]);
  }
  std::size_t from = 0;
  for (std::size_t n = array.data.size() / size; n > 0; --n, to += size) {
    copy_element(array.data.data() + from, to, size, array.swapped);
    for (std::size_t d = rank; d-- > 0;) {
      from += stride[d];
      if (++index[d] < static_cast<std::size_t>(array.shape[d])) break;
      from -= stride[d] * index[d];
      index[d] = 0;
    }
  }
}

}  // namespace

std::int64_t NpyArray::element_count() const {
  return static_cast<std::int64_t>(data.size() / ir::size_bytes(dtype));
}

NpyArray read_npy(std::span<const std::byte> file, const std::string& name) {
  NpyHeader header = parse_npy_header(file, name);
  const std::size_t present = file.size() - header.data_offset;
  if (present != header.data_bytes) {
    throw UserError("cannot read '" + name + "': its shape " + shape_text(header.shape) + " of " +
                    std::string(ir::name(header.dtype)) + " needs " +
                    std::to_string(header.data_bytes) + " bytes of elements, but there are " +
                    std::to_string(present));
  }
  NpyArray array;
  array.dtype = header.dtype;
  array.shape = std::move(header.shape);
  array.fortran_order = header.fortran_order;
  array.swapped = header.swapped;
  array.data = file.subspan(header.data_offset);
  return array;
}

NpyArray read_npy(const std::string& path) {
  MappedFile file = map_file(path);
  NpyArray array = read_npy(file.bytes, path);
  array.owner = std::move(file.owner);
  return array;
}

void copy_elements(const NpyArray& array, std::span<std::byte> out) {
  check(out.size() == array.data.size(), "a copy of .npy elements to a place of another size");
  if (out.empty()) return;
  const std::size_t size = ir::size_bytes(array.dtype);
  if (array.fortran_order && array.shape.size() > 1) {
    copy_fortran(array, out.data(), size);
  } else if (array.swapped) {
    for (std::size_t i = 0; i < out.size(); i += size) {
      copy_element(array.data.data() + i, out.data() + i, size, true);
    }
  } else {
    std::memcpy(out.data(), array.data.data(), out.size());
  }
  // A file may hold any byte; in Lathe a bool is 0 or 1.
  if (array.dtype == ir::DType::Bool) {
    for (std::byte& b : out) b = std::byte{b != std::byte{0}};
  }
}

void write_npy(const std::string& path, ir::DType dtype, std::span<const std::int64_t> shape,
               std::span<const std::byte> elements) {
  CheckedInt bytes = static_cast<std::int64_t>(ir::size_bytes(dtype));
  for (const std::int64_t size : shape) bytes = checked_mul(bytes, size);
  check(bytes && static_cast<std::size_t>(*bytes) == elements.size(),
        "elements that do not fill their shape");
  AtomicFile file(path);
  file.write(make_npy_header(dtype, shape));
  file.write(elements);
  file.commit();
}

}  // namespace lathe::io
