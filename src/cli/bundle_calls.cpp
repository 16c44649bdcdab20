// SPDX-License-Identifier: Apache-2.0
// Operations on whole arrays in a bundle: what interp/calls.cpp does, as C over the call's arrays.

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "base/quoted.h"
#include "cli/bundle.h"
#include "ir/calls.h"

namespace lathe::cli {
namespace {

constexpr const char* kTools = R"c(
/* Operations on whole arrays. Elements are counted row by row. */
struct rt_kind {
  int is_signed;
  uint64_t infinity; /* the bits of +inf; 0: not a float */
};
struct rt_keyed {
  uint64_t key, bits;
  int64_t from;
};

static int64_t rt_count(struct rt_call *call, int slot) {
  int64_t count = 1;
  for (int x = 0; x < rt_slots[slot].rank; ++x)
    count *= rt_max(0, call->arrays[slot].axes[x].hi - call->arrays[slot].axes[x].lo);
  return count;
}

static char *rt_element(struct rt_call *call, int slot, int64_t number) {
  const lathe_axis *axes = call->arrays[slot].axes;
  int64_t offset = 0;
  for (int x = rt_slots[slot].rank; x-- > 0;) {
    const int64_t extent = axes[x].hi - axes[x].lo;
    offset += (axes[x].lo + number % extent) * axes[x].stride;
    number /= extent;
  }
  return call->arrays[slot].data + offset * rt_slots[slot].size;
}

static uint64_t rt_get(struct rt_call *call, int slot, int64_t number) {
  const char *at = rt_element(call, slot, number);
  u8 one;
  u16 two;
  u32 four;
  u64 eight;
  switch (rt_slots[slot].size) {
    case 1: return memcpy(&one, at, 1), one;
    case 2: return memcpy(&two, at, 2), two;
    case 4: return memcpy(&four, at, 4), four;
    default: return memcpy(&eight, at, 8), eight;
  }
}

static void rt_put(struct rt_call *call, int slot, int64_t number, uint64_t bits) {
  char *at = rt_element(call, slot, number);
  const u8 one = (u8)bits;
  const u16 two = (u16)bits;
  const u32 four = (u32)bits;
  switch (rt_slots[slot].size) {
    case 1: memcpy(at, &one, 1); break;
    case 2: memcpy(at, &two, 2); break;
    case 4: memcpy(at, &four, 4); break;
    default: memcpy(at, &bits, 8); break;
  }
}

/* Orders elements as the language does: -0 before +0, NaN last. */
static uint64_t rt_key(uint64_t bits, int size, struct rt_kind kind) {
  const int shift = 64 - 8 * size;
  const uint64_t sign = UINT64_C(1) << 63;
  if (!kind.infinity)
    return kind.is_signed ? (uint64_t)((int64_t)(bits << shift) >> shift) ^ sign : bits;
  if ((bits & (UINT64_MAX >> (shift + 1))) > kind.infinity) bits = kind.infinity + 1;
  bits <<= shift;
  return (bits & sign) != 0 ? ~bits : bits | sign;
}

static int rt_compare(const void *a, const void *b) {
  const struct rt_keyed *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return x->from < y->from ? -1 : x->from > y->from;
}

static lathe_int32 rt_fault(struct rt_call *call, const char *message) {
  call->context.fault_site = -1;
  return rt_refuse(LATHE_FAULT, message);
}

static __attribute__((unused)) lathe_int32 rt_sort(struct rt_call *call, int in, int out,
                                                   struct rt_kind kind, int positions) {
  const int rank = rt_slots[in].rank;
  const lathe_axis *axes = call->arrays[in].axes;
  const int64_t count = rt_count(call, in);
  const int64_t length = rank == 0 ? 1 : axes[rank - 1].hi - axes[rank - 1].lo;
  if (rt_count(call, out) != count) return rt_fault(call, "a sorted array has another size");
  if (count == 0) return 0;
  struct rt_keyed *row = malloc((size_t)length * sizeof *row);
  if (!row) return LATHE_NO_MEMORY;
  for (int64_t begin = 0; begin < count; begin += length) {
    for (int64_t i = 0; i < length; ++i) {
      const uint64_t bits = rt_get(call, in, begin + i);
      row[i] = (struct rt_keyed){rt_key(bits, rt_slots[in].size, kind), bits, i};
    }
    qsort(row, (size_t)length, sizeof *row, rt_compare);
    for (int64_t i = 0; i < length; ++i)
      rt_put(call, out, begin + i, positions ? (uint64_t)row[i].from : row[i].bits);
  }
  free(row);
  return 0;
}

/* As rt_key, but both zeros are equal. */
static uint64_t rt_equal_key(struct rt_call *call, int slot, int64_t number, struct rt_kind kind) {
  const uint64_t key = rt_key(rt_get(call, slot, number), rt_slots[slot].size, kind);
  return kind.infinity && key == ~(UINT64_C(1) << 63) ? UINT64_C(1) << 63 : key;
}

/* For each element of `values` the first index whose element is not less; behind: is greater. */
static __attribute__((unused)) lathe_int32 rt_search(struct rt_call *call, int in, int values,
                                                     int out, struct rt_kind kind, int behind) {
  const int64_t count = rt_count(call, values);
  if (rt_count(call, out) != count) return rt_fault(call, "positions have another size");
  for (int64_t i = 0; i < count; ++i) {
    const uint64_t wanted = rt_equal_key(call, values, i, kind);
    int64_t lo = 0, hi = rt_count(call, in);
    while (lo < hi) {
      const int64_t middle = lo + (hi - lo) / 2;
      const uint64_t key = rt_equal_key(call, in, middle, kind);
      if (key < wanted || (behind && key == wanted))
        lo = middle + 1;
      else
        hi = middle;
    }
    rt_put(call, out, i, (uint64_t)(call->arrays[in].axes[0].lo + lo));
  }
  return 0;
}

/* For each element of `values` whether some element of `in` is equal to it; NaN is to none. */
static __attribute__((unused)) lathe_int32 rt_contains(struct rt_call *call, int in, int values,
                                                       int out, struct rt_kind kind) {
  const int64_t length = rt_count(call, in), count = rt_count(call, values);
  const int shift = 64 - 8 * rt_slots[in].size;
  if (rt_count(call, out) != count) return rt_fault(call, "found ones have another size");
  struct rt_keyed *row = malloc((size_t)(length + 1) * sizeof *row);
  if (!row) return LATHE_NO_MEMORY;
  for (int64_t i = 0; i < length; ++i)
    row[i] = (struct rt_keyed){rt_equal_key(call, in, i, kind), 0, 0};
  qsort(row, (size_t)length, sizeof *row, rt_compare);
  for (int64_t i = 0; i < count; ++i) {
    const uint64_t bits = rt_get(call, values, i);
    const struct rt_keyed wanted = {rt_equal_key(call, values, i, kind), 0, 0};
    const int is_nan = kind.infinity && (bits & (UINT64_MAX >> (shift + 1))) > kind.infinity;
    const void *at = bsearch(&wanted, row, (size_t)length, sizeof *row, rt_compare);
    rt_put(call, out, i, !is_nan && at ? 1 : 0);
  }
  free(row);
  return 0;
}

static __attribute__((unused)) lathe_int32 rt_nonzero(struct rt_call *call, int in, int out,
                                                      struct rt_kind kind, int positions) {
  const uint64_t mask = kind.infinity ? UINT64_MAX >> (64 - 8 * rt_slots[in].size + 1) : UINT64_MAX;
  const int64_t count = rt_count(call, in), room = rt_count(call, out);
  int64_t found = 0;
  for (int64_t i = 0; i < count; ++i) {
    if ((rt_get(call, in, i) & mask) == 0) continue;
    if (positions && found < room) rt_put(call, out, found, (uint64_t)i);
    ++found;
  }
  if (positions && found != room) return rt_fault(call, "positions of nonzero have another size");
  if (!positions) rt_put(call, out, 0, (uint64_t)found);
  return 0;
}
)c";

std::optional<std::size_t> slot_of(const emit::EmitResult& code, ir::Symbol array) {
  for (std::size_t n = 0; n < code.arrays.size(); ++n)
    if (code.arrays[n].name == array) return n;
  return std::nullopt;
}

// As its call, or empty.
std::string call_text(const api::Variant& v, const emit::CallSlot& call) {
  std::vector<std::size_t> in, out;
  for (const ir::Symbol s : call.inputs) {
    const auto slot = slot_of(v.code, s);
    if (!slot) return "";  // a constant: the kernel has it, the runtime does not
    in.push_back(*slot);
  }
  for (const ir::Symbol s : call.outputs) out.push_back(slot_of(v.code, s).value());
  const ir::DType t = v.code.arrays[in.at(0)].dtype;
  const std::string kind =
      fmt::format("(struct rt_kind){{{}, UINT64_C({:#x})}}", ir::is_signed_int(t) ? 1 : 0,
                  ir::is_float(t) ? ir::Scalar::of_double(t, HUGE_VAL).bits : 0);
  switch (ir::find_call(call.function.text())->kind) {
    case ir::CallKind::Sort:
      return fmt::format("rt_sort(call, {}, {}, {}, 0)", in[0], out[0], kind);
    case ir::CallKind::Argsort:
      return fmt::format("rt_sort(call, {}, {}, {}, 1)", in[0], out[0], kind);
    case ir::CallKind::Searchsorted:
      return fmt::format("rt_search(call, {}, {}, {}, {}, 0)", in[0], in.at(1), out[0], kind);
    case ir::CallKind::SearchsortedRight:
      return fmt::format("rt_search(call, {}, {}, {}, {}, 1)", in[0], in.at(1), out[0], kind);
    case ir::CallKind::Contains:
      return fmt::format("rt_contains(call, {}, {}, {}, {})", in[0], in.at(1), out[0], kind);
    case ir::CallKind::NonzeroCount:
      return fmt::format("rt_nonzero(call, {}, {}, {}, 0)", in[0], out[0], kind);
    case ir::CallKind::Nonzero:
      return fmt::format("rt_nonzero(call, {}, {}, {}, 1)", in[0], out[0], kind);
    default: return "";
  }
  return "";
}

}  // namespace

void check_calls(const api::Variant& v) {
  for (const emit::CallSlot& call : v.code.calls)
    if (call_text(v, call).empty())
      throw UserError(
          "a bundle cannot carry this " + lathe::quoted(call.function) +
              ": it has sort, argsort, searchsorted, contains and nonzero of arrays that are "
              "no constants",
          {}, "leave it to the code around the bundle, or use the C API of Lathe");
}

std::string bundle_calls(const Bundle& b) {
  const api::Variant& v = *b.variant;
  std::string text = v.code.calls.empty() ? "" : kTools;
  text += "\nstatic lathe_int32 rt_function(lathe_context *context, lathe_int32 number) {\n";
  if (v.code.calls.empty()) {
    text += "  (void)context;\n";
  } else {
    text += "  struct rt_call *call = context->host;\n";
  }
  text += "  switch (number) {\n";
  for (std::size_t n = 0; n < v.code.calls.size(); ++n)
    text += fmt::format("    case {}: return {};\n", n, call_text(v, v.code.calls[n]));
  return text + "    default: return LATHE_FAULT;\n  }\n}\n";
}

}  // namespace lathe::cli
