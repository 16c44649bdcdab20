// SPDX-License-Identifier: Apache-2.0
// Elements become unsigned keys that order as they do, so that equal keys are equal elements, and
// long rows are sorted by the digits of their keys, the least significant digit first:
//
//   for each byte of the key: count how often it has each value; put each item where those with
//   smaller bytes, and those before it with the same, leave off
//
// which keeps the order of equal items. Several threads each take a piece of the row: a piece's
// items go behind those of earlier pieces with the same byte. Positions travel with their keys.
// Keys without positions are sorted by vectors (sort_vector.h) where the processor can.

#include "api/sort_rows.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>
#include <utility>

#include "api/pieces.h"
#include "api/sort_vector.h"
#include "api/take_memory.h"

namespace lathe::api {
namespace {

constexpr std::int64_t kShort = 160;  // below, comparing is faster than counting

// ---- Keys.

template <class U>
struct AsUnsigned {
  using Bits = U;
  static constexpr KeyOrder kOrder = KeyOrder::Unsigned;
  static constexpr U kTop = 0;
  static U key(U bits) { return bits; }
  static U bits(U key) { return key; }
};

struct AsBool : AsUnsigned<std::uint8_t> {
  static std::uint8_t key(std::uint8_t bits) { return bits != 0; }
};

template <class U>
struct AsSigned {
  using Bits = U;
  static constexpr KeyOrder kOrder = KeyOrder::Signed;
  static constexpr U kTop = 0;
  static constexpr U kSign = static_cast<U>(U{1} << (8 * sizeof(U) - 1));
  static U key(U bits) { return static_cast<U>(bits ^ kSign); }
  static U bits(U key) { return static_cast<U>(key ^ kSign); }
};

// Floats, by the bits of infinity.
template <class U, U kInfinity>
struct AsFloat {
  using Bits = U;
  static constexpr KeyOrder kOrder = KeyOrder::Float;
  static constexpr U kTop = kInfinity;
  static constexpr U kSign = AsSigned<U>::kSign;
  static constexpr U kNan = kInfinity | static_cast<U>((kInfinity & (~kInfinity + 1)) >> 1);
  static U key(U bits) {
    if (static_cast<U>(bits & ~kSign) > kInfinity) bits = kNan;
    return static_cast<U>((bits & kSign) != 0 ? ~bits : bits | kSign);
  }
  static U bits(U key) { return static_cast<U>((key & kSign) != 0 ? key ^ kSign : ~key); }
};

template <class F>
void with_order(ir::DType t, F&& f) {
  using ir::DType;
  switch (t) {
    case DType::Bool: return f(AsBool{});
    case DType::I8: return f(AsSigned<std::uint8_t>{});
    case DType::I16: return f(AsSigned<std::uint16_t>{});
    case DType::I32: return f(AsSigned<std::uint32_t>{});
    case DType::I64: return f(AsSigned<std::uint64_t>{});
    case DType::U8: return f(AsUnsigned<std::uint8_t>{});
    case DType::U16: return f(AsUnsigned<std::uint16_t>{});
    case DType::U32: return f(AsUnsigned<std::uint32_t>{});
    case DType::U64: return f(AsUnsigned<std::uint64_t>{});
    case DType::F16: return f(AsFloat<std::uint16_t, 0x7c00>{});
    case DType::BF16: return f(AsFloat<std::uint16_t, 0x7f80>{});
    case DType::F32: return f(AsFloat<std::uint32_t, 0x7f800000>{});
    case DType::F64: return f(AsFloat<std::uint64_t, 0x7ff0000000000000>{});
  }
}

// ---- Items: a key, or a key and its position.

struct Wide {
  std::uint64_t key;
  std::int64_t at;
  bool operator<(const Wide& o) const { return key != o.key ? key < o.key : at < o.at; }
};

// Keys of at most four bytes share a word with positions.
constexpr int kPositionBits = 32;
constexpr std::int64_t kMostPacked = std::int64_t{1} << kPositionBits;

template <class U>
inline std::uint64_t key_of(U item) {
  return item;
}
inline std::uint64_t key_of(const Wide& item) { return item.key; }

// ---- Sorting by digits.

constexpr int kDigitBits = 8;
using Counts = std::array<std::int64_t, std::size_t{1} << kDigitBits>;

inline std::size_t digit(std::uint64_t key, int shift) {
  return (key >> shift) & ((1U << kDigitBits) - 1);
}

// Counts become places. False: all items have one digit, and stay.
bool to_places(Counts* counts, std::int64_t pieces, std::int64_t length) {
  std::int64_t next = 0;
  for (std::size_t d = 0; d < counts->size(); ++d) {
    const std::int64_t before = next;
    for (std::int64_t p = 0; p < pieces; ++p) next += std::exchange(counts[p][d], next);
    if (next - before == length) return false;
  }
  return true;
}

// By the bits first..first + bits of their keys. The result is in one of the two, which is
// returned.
template <class Item>
Item* sort_by_digits(Item* items, Item* spare, std::int64_t length, int first, int bits,
                     std::int64_t pieces) {
  // One piece holds the same items in every round: all digits are counted at once.
  std::array<Counts, kMostPieces> counts;
  static_assert(64 / kDigitBits <= kMostPieces);
  const auto rounds = static_cast<std::size_t>(bits / kDigitBits);
  if (pieces == 1) {
    for (std::size_t r = 0; r < rounds; ++r) counts[r].fill(0);
    for (std::int64_t i = 0; i < length; ++i) {
      std::uint64_t key = key_of(items[i]) >> first;
      for (std::size_t r = 0; r < rounds; ++r, key >>= kDigitBits) ++counts[r][digit(key, 0)];
    }
  }
  for (std::size_t r = 0; r < rounds; ++r) {
    const int shift = first + kDigitBits * static_cast<int>(r);
    Counts* const own = pieces == 1 ? &counts[r] : counts.data();
    if (pieces > 1)
      in_pieces(length, pieces, [&](std::int64_t p, std::int64_t lo, std::int64_t hi) {
        Counts here = {};
        const Item* const from = items;
        for (std::int64_t i = lo; i < hi; ++i) ++here[digit(key_of(from[i]), shift)];
        own[p] = here;
      });
    if (!to_places(own, pieces, length)) continue;
    in_pieces(length, pieces, [&](std::int64_t p, std::int64_t lo, std::int64_t hi) {
      Counts place = own[p];
      const Item* const from = items;
      Item* const to = spare;
      for (std::int64_t i = lo; i < hi; ++i) {
        const Item item = from[i];
        to[place[digit(key_of(item), shift)]++] = item;
      }
    });
    std::swap(items, spare);
  }
  return items;
}

// make(i) is item i; take(i, item) gets it when it has become number i.
template <class Item, class Make, class Take>
void sort_items(std::int64_t length, int first, int bits, int threads, Make make, Take take) {
  const bool is_short = length < kShort;
  const std::int64_t pieces = piece_count(length, threads);
  std::array<Item, kShort> few;
  host::Block block;
  Item* items = few.data();
  if (!is_short) {
    block = take_memory(2 * length * static_cast<std::int64_t>(sizeof(Item)));
    items = static_cast<Item*>(block.data());
  }
  in_pieces(length, pieces, [&](std::int64_t, std::int64_t lo, std::int64_t hi) {
    Item* const to = items;
    for (std::int64_t i = lo; i < hi; ++i) to[i] = make(i);
  });
  if (!std::is_sorted(items, items + length)) {
    if (is_short)
      std::sort(items, items + length);
    else
      items = sort_by_digits(items, items + length, length, first, bits, pieces);
  }
  in_pieces(length, pieces, [&](std::int64_t, std::int64_t lo, std::int64_t hi) {
    const Item* const from = items;
    for (std::int64_t i = lo; i < hi; ++i) take(i, from[i]);
  });
}

template <class U>
inline U load(const SortedRow& row, std::int64_t i) {
  U bits;
  std::memcpy(&bits, row.from + i * row.from_step, sizeof bits);
  return bits;
}

template <class T>
inline void store(const SortedRow& row, std::int64_t i, T value) {
  std::memcpy(row.to + i * row.to_step, &value, sizeof value);
}

// ---- Sorting by vectors.

#ifdef LATHE_VECTOR_SORT
// None: the processor has neither AVX-512 nor AVX2.
template <class U>
const VectorSort<U>* vector_sort() {
  static const VectorSort<U>* const found = __builtin_cpu_supports("avx512f") ? &avx512_sort(U{})
                                            : __builtin_cpu_supports("avx2")  ? &avx2_sort(U{})
                                                                              : nullptr;
  return found;
}

constexpr std::int64_t kMostParts = 16;

// Each part has spare memory of its own, with room behind it.
template <class U>
bool sort_in_parts(const VectorSort<U>& by, U* keys, U* spare, std::int64_t length,
                   std::int64_t pieces) {
  constexpr auto kRoom = kVectorRoom / static_cast<std::int64_t>(sizeof(U));
  if (pieces == 1) return by.sort(keys, spare, length);
  std::int64_t start[kMostParts + 1] = {0, length};
  std::int64_t parts = 1;
  // The longest part becomes two, until each piece has a few.
  while (parts < std::min(2 * pieces, kMostParts)) {
    std::int64_t longest = 0;
    for (std::int64_t p = 1; p < parts; ++p)
      if (start[p + 1] - start[p] > start[longest + 1] - start[longest]) longest = p;
    const std::int64_t from = start[longest], size = start[longest + 1] - from;
    const std::int64_t smaller = size < 4096 ? 0 : by.split(keys + from, spare, size);
    if (smaller == 0) break;
    for (std::int64_t p = parts; p > longest; --p) start[p + 1] = start[p];
    start[longest + 1] = from + smaller;
    ++parts;
  }
  bool fine[kMostParts] = {};
  in_pieces(parts, std::min(pieces, parts), [&](std::int64_t, std::int64_t lo, std::int64_t hi) {
    for (std::int64_t p = lo; p < hi; ++p)
      fine[p] = by.sort(keys + start[p], spare + start[p] + p * kRoom, start[p + 1] - start[p]);
  });
  return std::all_of(fine, fine + parts, [](bool b) { return b; });
}

template <class Order>
void sort_by_vectors(const VectorSort<typename Order::Bits>& by, const SortedRow& row,
                     int threads) {
  using U = typename Order::Bits;
  constexpr std::int64_t kFew = 256, kLeast = 1 << 14;
  constexpr auto kRoom = kVectorRoom / static_cast<std::int64_t>(sizeof(U));
  const std::int64_t pieces = piece_count(row.length, threads, kLeast);
  std::array<U, 2 * (kFew + kRoom)> few;
  host::Block block;
  U *keys = few.data(), *spare = keys + kFew + kRoom;
  if (row.length > kFew) {
    const std::int64_t count = 2 * row.length + (kMostParts + 1) * kRoom;
    block = take_memory(count * static_cast<std::int64_t>(sizeof(U)));
    keys = static_cast<U*>(block.data());
    spare = keys + row.length + kRoom;
  }
  const auto width = static_cast<std::int64_t>(sizeof(U));
  in_pieces(row.length, pieces, [&](std::int64_t, std::int64_t lo, std::int64_t hi) {
    if (row.from_step == width)
      return by.read(Order::kOrder, Order::kTop, row.from + lo * width, keys + lo, hi - lo);
    for (std::int64_t i = lo; i < hi; ++i) keys[i] = Order::key(load<U>(row, i)) ^ by.bias;
  });
  const auto flip = [&] {
    if (by.bias != 0)
      for (std::int64_t i = 0; i < row.length; ++i) keys[i] ^= by.bias;
  };
  const bool is_sorted = std::is_sorted(
      keys, keys + row.length, [bias = by.bias](U a, U b) { return (a ^ bias) < (b ^ bias); });
  if (!is_sorted && !sort_in_parts(by, keys, spare, row.length, pieces)) {
    flip();
    keys = sort_by_digits(keys, spare, row.length, 0, 8 * sizeof(U), pieces);
    flip();
  }
  in_pieces(row.length, pieces, [&](std::int64_t, std::int64_t lo, std::int64_t hi) {
    if (row.to_step == width)
      return by.write(Order::kOrder, keys + lo, row.to + lo * width, hi - lo);
    for (std::int64_t i = lo; i < hi; ++i) store(row, i, Order::bits(keys[i] ^ by.bias));
  });
}
#endif

}  // namespace

void sort_row(ir::DType t, const SortedRow& row, int threads) {
  with_order(t, [&](auto order) {
    using Order = decltype(order);
    using U = typename Order::Bits;
#ifdef LATHE_VECTOR_SORT
    if constexpr (sizeof(U) >= 4)
      if (const VectorSort<U>* by = vector_sort<U>())
        return sort_by_vectors<Order>(*by, row, threads);
#endif
    sort_items<U>(
        row.length, 0, 8 * sizeof(U), threads,
        [row](std::int64_t i) { return Order::key(load<U>(row, i)); },
        [row](std::int64_t i, U key) { store(row, i, Order::bits(key)); });
  });
}

void argsort_row(ir::DType t, const SortedRow& row, int threads) {
  with_order(t, [&](auto order) {
    using Order = decltype(order);
    using U = typename Order::Bits;
    const auto key = [row](std::int64_t i) -> std::uint64_t { return Order::key(load<U>(row, i)); };
    if (sizeof(U) <= 4 && row.length <= kMostPacked)
      return sort_items<std::uint64_t>(
          row.length, kPositionBits, 8 * sizeof(U), threads,
          [key](std::int64_t i) { return key(i) << kPositionBits | static_cast<std::uint64_t>(i); },
          [row](std::int64_t i, std::uint64_t item) {
            store(row, i, static_cast<std::int64_t>(item & (kMostPacked - 1)));
          });
    sort_items<Wide>(
        row.length, 0, 8 * sizeof(U), threads,
        [key](std::int64_t i) {
          return Wide{key(i), i};
        },
        [row](std::int64_t i, const Wide& item) { store(row, i, item.at); });
  });
}

}  // namespace lathe::api
