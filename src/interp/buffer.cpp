// SPDX-License-Identifier: Apache-2.0
// Dense arrays and what can be asked about them.

#include <cstring>

#include "base/checked.h"
#include "base/hash.h"
#include "interp/row_ops.h"
#include "interp/space.h"

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

std::int64_t byte_count(DType dtype, const std::vector<std::int64_t>& lo,
                        const std::vector<std::int64_t>& hi) {
  CheckedInt bytes = static_cast<std::int64_t>(ir::size_bytes(dtype));
  std::string formula = std::to_string(*bytes) + " bytes";
  for (std::size_t x = 0; x < lo.size(); ++x) {
    if (hi[x] <= lo[x]) return 0;  // an empty axis makes the whole array empty
    formula += " * (" + std::to_string(hi[x]) + " - " + std::to_string(lo[x]) + ")";
    bytes = checked_mul(bytes, checked_sub(hi[x], lo[x]));
  }
  if (!bytes)
    throw UserError("an array over " + range_text(lo, hi) + " needs " + formula +
                        ", which does not fit in 64 bits",
                    {}, "use smaller sizes");
  return *bytes;
}

Buffer make_buffer(DType dtype, std::vector<std::int64_t> lo, std::vector<std::int64_t> hi) {
  const std::int64_t bytes = byte_count(dtype, lo, hi);
  Buffer b{dtype, std::move(lo), std::move(hi), {}};
  try {
    b.data.resize(static_cast<std::size_t>(bytes));
  } catch (const std::exception&) {
    throw UserError("an array over " + range_text(b.lo, b.hi) + " needs " + std::to_string(bytes) +
                        " bytes, which is more memory than there is",
                    {}, "use smaller sizes");
  }
  return b;
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
