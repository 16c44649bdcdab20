// SPDX-License-Identifier: Apache-2.0
// Dense arrays and what can be asked about them.

#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/checked.h"
#include "base/hash.h"
#include "interp/row_ops.h"
#include "interp/space.h"
#include "ir/text.h"

namespace lathe::interp {
namespace {

std::size_t offset_of(const Buffer& b, std::span<const std::int64_t> index) {
  check(index.size() == b.lo.size(), "one index per axis");
  std::int64_t offset = 0;
  for (std::size_t x = 0; x < index.size(); ++x) {
    check(index[x] >= b.lo[x] && index[x] < b.hi[x], "an index inside the buffer");
    offset = offset * b.extent(x) + (index[x] - b.lo[x]);
  }
  return static_cast<std::size_t>(offset) * ir::size_bytes(b.dtype);
}

// Calls f(row, n) on copies of the elements with canonical NaNs.
template <class F>
void for_canonical_pieces(const Buffer& b, F&& f) {
  const std::size_t size = ir::size_bytes(b.dtype);
  std::uint64_t piece[kRow];
  for (std::size_t begin = 0; begin < b.data.size(); begin += kRow * size) {
    const std::size_t bytes = std::min(kRow * size, b.data.size() - begin);
    std::memcpy(piece, b.data.data() + begin, bytes);
    canonicalise_nans(b.dtype, piece, bytes / size);
    f(begin, reinterpret_cast<const std::byte*>(piece), bytes);
  }
}

// 8 bytes * 100 * (4 - -1); the bounds must not be empty
std::string bytes_formula(DType dtype, const Bounds& bounds) {
  std::string text = std::to_string(ir::size_bytes(dtype)) + " bytes";
  for (std::size_t x = 0; x < bounds.lo.size(); ++x) {
    const std::string hi = std::to_string(bounds.hi[x]);
    text +=
        bounds.lo[x] == 0 ? " * " + hi : " * (" + hi + " - " + std::to_string(bounds.lo[x]) + ")";
  }
  return text;
}

std::int64_t physical_memory() {
  const CheckedInt bytes = checked_mul(static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)),
                                       static_cast<std::int64_t>(sysconf(_SC_PAGESIZE)));
  return bytes && *bytes > 0 ? *bytes : INT64_MAX;
}

}  // namespace

std::int64_t Buffer::extent(std::size_t axis) const {
  return hi[axis] <= lo[axis] ? 0 : hi[axis] - lo[axis];
}

std::int64_t Buffer::element_count() const {
  std::int64_t count = 1;
  for (std::size_t x = 0; x < lo.size(); ++x) count *= extent(x);
  return count;
}

ir::Scalar Buffer::at(std::span<const std::int64_t> index) const {
  return ir::Scalar::load(dtype, data.data() + offset_of(*this, index));
}

void Buffer::set(std::span<const std::int64_t> index, ir::Scalar value) {
  check(value.dtype == dtype, "a value of the buffer's dtype");
  value.store(data.data() + offset_of(*this, index));
}

std::string declared_text(const ir::Array& a) {
  std::string text = "[";
  for (std::size_t x = 0; x < a.axes.size(); ++x)
    text += (x > 0 ? ", " : "") + ir::print(a.axes[x].lo) + ".." + ir::print(a.axes[x].hi);
  return text + "]";
}

Described describe(const ir::Array& a, const Bounds& bounds) {
  const std::string formula = declared_text(a), numbers = range_text(bounds.lo, bounds.hi);
  return {std::string(ir::name(a.role)) + " '" + std::string(a.name.text()) + "' over " + formula +
              (formula == numbers ? "" : " = " + numbers),
          a.span};
}

std::int64_t byte_count(DType dtype, const Bounds& bounds, const Described& what) {
  CheckedInt bytes = static_cast<std::int64_t>(ir::size_bytes(dtype));
  for (std::size_t x = 0; x < bounds.lo.size(); ++x) {
    if (bounds.hi[x] <= bounds.lo[x]) return 0;  // an empty axis makes the whole array empty
    bytes = checked_mul(bytes, checked_sub(bounds.hi[x], bounds.lo[x]));
  }
  if (!bytes)
    throw UserError(
        what.text + " needs " + bytes_formula(dtype, bounds) + ", which does not fit in 64 bits",
        what.span, "use smaller sizes");
  return *bytes;
}

Buffer make_buffer(DType dtype, Bounds bounds, const Described& what) {
  const std::int64_t bytes = byte_count(dtype, bounds, what);
  const auto refuse = [&] {
    throw UserError(what.text + " needs " + bytes_formula(dtype, bounds) + " = " +
                        std::to_string(bytes) + " bytes, which is more memory than there is",
                    what.span, "use smaller sizes");
  };
  // Where memory is promised freely, filling it with zeros would end the process.
  if (bytes > physical_memory()) refuse();
  Buffer b{dtype, bounds.lo, bounds.hi, {}};
  for (std::size_t x = 0; x < b.lo.size(); ++x) b.hi[x] = std::max(b.lo[x], b.hi[x]);
  try {
    b.data.resize(static_cast<std::size_t>(bytes));
  } catch (const std::exception&) {
    refuse();
  }
  return b;
}

Buffer make_buffer(DType dtype, std::vector<std::int64_t> lo, std::vector<std::int64_t> hi) {
  const std::string range = range_text(lo, hi);
  return make_buffer(dtype, {std::move(lo), std::move(hi)}, {"an array over " + range, {}});
}

Buffer make_buffer(const ir::Array& array, Bounds bounds) {
  const Described what = describe(array, bounds);
  return make_buffer(array.dtype, std::move(bounds), what);
}

bool same_bits(const Buffer& a, const Buffer& b) {
  if (a.dtype != b.dtype || a.lo != b.lo || a.hi != b.hi || a.data.size() != b.data.size())
    return false;
  bool same = true;
  std::uint64_t piece[kRow];
  const std::size_t size = ir::size_bytes(a.dtype);
  for_canonical_pieces(a, [&](std::size_t begin, const std::byte* row, std::size_t bytes) {
    std::memcpy(piece, b.data.data() + begin, bytes);
    canonicalise_nans(b.dtype, piece, bytes / size);
    same = same && std::memcmp(row, piece, bytes) == 0;
  });
  return same;
}

std::string digest(const Buffer& b) {
  Hasher hasher;
  hasher.add(ir::name(b.dtype));
  hasher.add(b.lo.size());
  for (std::size_t x = 0; x < b.lo.size(); ++x)
    hasher.add(static_cast<std::uint64_t>(b.lo[x])).add(static_cast<std::uint64_t>(b.hi[x]));
  for_canonical_pieces(b, [&](std::size_t, const std::byte* row, std::size_t bytes) {
    hasher.add(std::string_view(reinterpret_cast<const char*>(row), bytes));
  });
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4)
    text += "0123456789abcdef"[(hasher.finish() >> shift) & 15];
  return text;
}

std::string range_text(const std::vector<std::int64_t>& lo, const std::vector<std::int64_t>& hi) {
  std::string text = "[";
  for (std::size_t x = 0; x < lo.size(); ++x)
    text += (x > 0 ? ", " : "") + std::to_string(lo[x]) + ".." + std::to_string(hi[x]);
  return text + "]";
}

std::string index_text(const std::vector<std::int64_t>& index) {
  std::string text = "[";
  for (std::size_t x = 0; x < index.size(); ++x)
    text += (x > 0 ? ", " : "") + std::to_string(index[x]);
  return text + "]";
}

}  // namespace lathe::interp
