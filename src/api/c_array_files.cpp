// SPDX-License-Identifier: Apache-2.0
// Lazy arrays from and to .npy files, behind lathe/c_array.h. What a file holds as we hold it is
// mapped and costs nothing until it is read; the rest is copied.

#include "api/array_eval.h"
#include "api/c_array_handles.h"
#include "io/npy.h"

using namespace lathe;
using namespace lathe::api;

namespace {

std::vector<std::int64_t> dense_strides(const io::NpyArray& file) {
  const std::size_t rank = file.shape.size();
  std::vector<std::int64_t> out(rank);
  auto step = static_cast<std::int64_t>(ir::size_bytes(file.dtype));
  for (std::size_t i = 0; i < rank; ++i) {
    const std::size_t a = file.fortran_order ? i : rank - 1 - i;
    out[a] = step;
    step *= file.shape[a];
  }
  return out;
}

std::shared_ptr<const array::Storage> storage_of(const io::NpyArray& file) {
  const auto where = reinterpret_cast<std::uintptr_t>(file.data.data());
  const bool aligned = where % ir::size_bytes(file.dtype) == 0;
  // Bools may be any byte in a file.
  if (file.swapped || !aligned || ir::is_bool(file.dtype) || !file.owner) {
    std::shared_ptr<array::Storage> copy = make_storage(file.dtype, file.shape);
    io::copy_elements(file, {copy->data, file.data.size()});
    return copy;
  }
  auto mapped = std::make_shared<array::Storage>();
  mapped->data = const_cast<std::byte*>(file.data.data());  // nobody writes to data
  mapped->extents = file.shape;
  mapped->strides = dense_strides(file);
  mapped->owner = std::const_pointer_cast<void>(file.owner);
  return mapped;
}

void collect(const array::Storage& s, std::size_t axis, const std::byte* from, std::size_t bytes,
             std::vector<std::byte>& out) {
  if (axis == s.extents.size()) {
    out.insert(out.end(), from, from + bytes);
    return;
  }
  const std::int64_t step = s.strides[axis];
  if (axis + 1 == s.extents.size() && step == static_cast<std::int64_t>(bytes)) {
    out.insert(out.end(), from, from + s.extents[axis] * step);
    return;
  }
  for (std::int64_t i = 0; i < s.extents[axis]; ++i)
    collect(s, axis + 1, from + i * step, bytes, out);
}

}  // namespace

lathe_code lathe_lazy_load_npy(const char* path, lathe_place place, lathe_lazy** array,
                               lathe_error** error) {
  return guarded(error, LATHE_ERROR_ARGUMENT, nullptr, [&] {
    require(path && array, "lathe_lazy_load_npy needs a path and a place for the array");
    const io::NpyArray file = io::read_npy(path);
    *array = to_handle(array::data(storage_of(file), file.dtype, to_place(place)));
  });
}

lathe_code lathe_lazy_save_npy(const char* path, const lathe_lazy* array, lathe_error** error) {
  return guarded(error, LATHE_ERROR_ARGUMENT, nullptr, [&] {
    require(path && array, "lathe_lazy_save_npy needs a path and an array");
    const array::Node& n = node_of(array);
    if (!n.storage) throw UsageError("the array has no values yet", {}, "evaluate it first");
    std::vector<std::byte> elements;
    collect(*n.storage, 0, n.storage->data, ir::size_bytes(n.dtype), elements);
    io::write_npy(path, n.dtype, n.storage->extents, elements);
  });
}
