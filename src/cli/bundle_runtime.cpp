// SPDX-License-Identifier: Apache-2.0
// A kernel asks its host for threads, memory and arrays of computed sizes (emit/c/abi.h). In a
// bundle the host is this text: OpenMP where the compiler has it, else one thread.

#include "cli/bundle_runtime.h"

namespace lathe::cli {

const char* const kRuntimeHead = R"c(#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

)c";

const char* const kRuntimeMemory = R"c(
/* ---- In place of Lathe: threads, memory, sizes. */

/* Round to nearest, denormal numbers kept, no traps: whatever the caller has set. */
static uint64_t rt_enter(void) {
#if defined(__x86_64__)
  const unsigned saved = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr(0x1f80);
  return saved;
#elif defined(__aarch64__)
  uint64_t saved;
  __asm__ volatile("mrs %0, fpcr" : "=r"(saved));
  __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)0));
  return saved;
#else
  return 0;
#endif
}

static void rt_leave(uint64_t saved) {
#if defined(__x86_64__)
  __builtin_ia32_ldmxcsr((unsigned)saved);
#elif defined(__aarch64__)
  __asm__ volatile("msr fpcr, %0" : : "r"(saved));
#else
  (void)saved;
#endif
}

/* A thread's memory: pieces that are filled and given back like a stack. Each begins with this. */
struct rt_piece {
  struct rt_piece *before;
  int64_t size, used; /* the first 64 bytes are this structure */
};

static _Thread_local struct rt_piece *rt_top;

static char *rt_aligned(int64_t bytes) {
  if (bytes < 0 || bytes > INT64_MAX - 64) return NULL;
  return aligned_alloc(64, (size_t)((bytes + 64) / 64 * 64));
}

static char *rt_take(lathe_context *context, lathe_int64 bytes) {
  (void)context;
  if (bytes < 0 || bytes > INT64_MAX / 2) return NULL;
  const int64_t want = (bytes + 63) / 64 * 64;
  if (!rt_top || rt_top->size - rt_top->used < want) {
    const int64_t size = (want > (1 << 20) ? want : (1 << 20)) + 64;
    struct rt_piece *piece = (struct rt_piece *)(void *)rt_aligned(size);
    if (!piece) return NULL;
    *piece = (struct rt_piece){rt_top, size, 64};
    rt_top = piece;
  }
  char *at = (char *)rt_top + rt_top->used;
  rt_top->used += want;
  return at;
}

static void rt_pop(void) {
  struct rt_piece *before = rt_top->before;
  free(rt_top);
  rt_top = before;
}

static void rt_release(lathe_context *context, char *memory) {
  (void)context;
  while (rt_top) {
    char *begin = (char *)rt_top;
    if (memory >= begin && memory < begin + rt_top->size) {
      rt_top->used = memory - begin;
      return;
    }
    rt_pop();
  }
}

static void rt_parallel(lathe_context *context, lathe_body *body, void *environment, lathe_int64 lo,
                        lathe_int64 hi, lathe_int64 grain) {
  if (hi <= lo) return;
#ifdef _OPENMP
  const int64_t threads = omp_get_max_threads();
#else
  const int64_t threads = 1;
#endif
  int64_t length = (hi - lo) / (8 * threads) + 1;
  if (length < grain) length = grain;
  const int64_t pieces = (hi - lo - 1) / length + 1;
#ifdef _OPENMP
#pragma omp parallel if (pieces > 1)
#endif
  {
    struct rt_piece *const outer = rt_top;
    rt_top = NULL;
    const uint64_t mode = rt_enter();
#ifdef _OPENMP
#pragma omp for schedule(dynamic)
#endif
    for (int64_t piece = 0; piece < pieces; ++piece) {
      const int64_t from = lo + piece * length;
      if (__atomic_load_n(&context->status, __ATOMIC_RELAXED) == 0)
        body(environment, from, hi - from < length ? hi : from + length);
      while (rt_top && rt_top->before) rt_pop();
      if (rt_top) rt_top->used = 64;
    }
    rt_leave(mode);
    while (rt_top) rt_pop();
    rt_top = outer;
  }
}

/* Bounds of arrays: *bad becomes 1 where 64 bits do not hold them. */
FN int64_t rt_add(int64_t a, int64_t b, int *bad) {
  int64_t r;
  if (__builtin_add_overflow(a, b, &r)) *bad = 1;
  return r;
}
FN int64_t rt_sub(int64_t a, int64_t b, int *bad) {
  int64_t r;
  if (__builtin_sub_overflow(a, b, &r)) *bad = 1;
  return r;
}
FN int64_t rt_mul(int64_t a, int64_t b, int *bad) {
  int64_t r;
  if (__builtin_mul_overflow(a, b, &r)) *bad = 1;
  return r;
}
FN int64_t rt_div(int64_t a, int64_t b, int *bad) {
  if (b == 0 || (b == -1 && a == INT64_MIN)) {
    *bad = 1;
    return 0;
  }
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}
FN int64_t rt_mod(int64_t a, int64_t b, int *bad) {
  if (b == 0 || b == -1) {
    *bad |= b == 0;
    return 0;
  }
  const int64_t r = a % b;
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}
FN int64_t rt_min(int64_t a, int64_t b) { return a < b ? a : b; }
FN int64_t rt_max(int64_t a, int64_t b) { return a > b ? a : b; }

static _Thread_local char rt_message[512];

static __attribute__((cold, noinline, unused)) int rt_refuse(int status, const char *message) {
  snprintf(rt_message, sizeof rt_message, "%s", message);
  return status;
}
)c";

const char* const kRuntimeCall = R"c(
struct rt_block {
  struct rt_block *before; /* the memory begins 64 bytes behind this */
};

struct rt_call {
  lathe_context context;
  lathe_array arrays[RT_SLOTS + 1];
  lathe_axis axes[RT_AXES + 1];
  char *results[RT_SLOTS + 1]; /* where a result of computed size begins */
  struct rt_block *blocks;     /* temporaries of computed size */
};

/* From strides of a dense array in this order of axes to its bytes. */
static __attribute__((unused)) int64_t rt_dense(struct rt_call *call, int slot, int *bad) {
  lathe_axis *axes = call->axes + rt_slots[slot].first_axis;
  int64_t elements = 1;
  for (int k = rt_slots[slot].rank; k-- > 0;) {
    lathe_axis *axis = axes + rt_orders[rt_slots[slot].first_axis + k];
    axis->hi = rt_max(axis->lo, axis->hi);
    axis->stride = elements;
    elements = rt_mul(elements, rt_sub(axis->hi, axis->lo, bad), bad);
  }
  return rt_mul(elements, rt_slots[slot].size, bad);
}

/* `data` is the element at the lower bounds; the kernel wants where index 0 would be. */
static __attribute__((unused)) void rt_place(struct rt_call *call, int slot, char *data) {
  lathe_axis *axes = call->axes + rt_slots[slot].first_axis;
  uintptr_t at = (uintptr_t)data;
  for (int x = 0; x < rt_slots[slot].rank; ++x)
    at -= (uintptr_t)axes[x].lo * (uintptr_t)axes[x].stride * (uintptr_t)rt_slots[slot].size;
  call->arrays[slot] = (lathe_array){(char *)at, axes};
}

/* The caller's array; `strides` of all axes but the last, or null. */
static __attribute__((unused)) void rt_argument(struct rt_call *call, int slot, const void *data,
                                                const int64_t *strides, int *bad) {
  lathe_axis *axes = call->axes + rt_slots[slot].first_axis;
  rt_dense(call, slot, bad);
  for (int x = 0; strides && x + 1 < rt_slots[slot].rank; ++x) axes[x].stride = strides[x];
  rt_place(call, slot, (char *)(uintptr_t)data);
}

static lathe_int32 rt_allocate(lathe_context *context, lathe_int32 slot, const lathe_int64 *bounds) {
  struct rt_call *call = context->host;
  lathe_axis *axes = call->axes + rt_slots[slot].first_axis;
  for (int x = 0; x < rt_slots[slot].rank; ++x)
    axes[x] = (lathe_axis){bounds[2 * x], bounds[2 * x + 1], 0};
  int bad = 0;
  const int64_t bytes = rt_dense(call, slot, &bad);
  char *data = NULL;
  if (!bad && rt_slots[slot].result) {
    data = call->results[slot] = calloc((size_t)bytes + 1, 1);
  } else if (!bad && bytes < INT64_MAX - 128) {
    struct rt_block *block = (struct rt_block *)(void *)rt_aligned(bytes + 64);
    if (block) {
      block->before = call->blocks;
      call->blocks = block;
      data = (char *)block + 64;
    }
  }
  if (!data) return LATHE_NO_MEMORY;
  rt_place(call, slot, data);
  return 0;
}
)c";

const char* const kRuntimeRun = R"c(
/* Runs the kernel, gives back all memory but the results', and says what went wrong. */
static int rt_run(struct rt_call *call, const lathe_uint64 *parameters) {
  call->context.parameters = parameters;
  call->context.arrays = call->arrays;
  call->context.parallel = rt_parallel;
  call->context.thread_memory = rt_take;
  call->context.thread_release = rt_release;
  call->context.allocate = rt_allocate;
  call->context.call = rt_function;
  call->context.host = call;
  struct rt_piece *const outer = rt_top;
  rt_top = NULL;
  const uint64_t mode = rt_enter();
  const int status = lathe_run(&call->context);
  rt_leave(mode);
  while (rt_top) rt_pop();
  rt_top = outer;
  while (call->blocks) {
    struct rt_block *before = call->blocks->before;
    free(call->blocks);
    call->blocks = before;
  }
  if (status == LATHE_FINE) return 0;
  for (int slot = 0; slot < RT_SLOTS; ++slot) free(call->results[slot]);
  if (status == LATHE_NO_MEMORY) return rt_refuse(status, "not enough memory");
  if (call->context.fault_site < 0) return status; /* rt_function has said it */
  size_t used = (size_t)snprintf(rt_message, sizeof rt_message, "%s",
                                 rt_sites[call->context.fault_site]);
  for (int i = 0; i < call->context.fault_count && used < sizeof rt_message; ++i)
    used += (size_t)snprintf(rt_message + used, sizeof rt_message - used, "%s%lld",
                             i > 0 ? ", " : ": ", (long long)call->context.fault_values[i]);
  return status;
}
)c";

const char* const kTestTools = R"c(
/* Between a dense array and one with gaps between its rows. */
static __attribute__((unused)) void copy(int64_t rank, const int64_t *shape, const int64_t *strides,
                                         size_t size, char *gaps, char *dense, int to_gaps) {
  int64_t count = 1, at[16] = {0};
  for (int64_t x = 0; x < rank; ++x) count *= shape[x];
  for (int64_t i = 0; i < count; ++i) {
    int64_t offset = 0;
    for (int64_t x = 0; x < rank; ++x) offset += at[x] * (x + 1 < rank ? strides[x] : 1);
    char *g = gaps + (size_t)offset * size, *d = dense + (size_t)i * size;
    memcpy(to_gaps ? g : d, to_gaps ? d : g, size);
    for (int64_t x = rank; x-- > 0;) {
      if (++at[x] < shape[x]) break;
      at[x] = 0;
    }
  }
}

static __attribute__((unused)) int64_t spread(int64_t rank, const int64_t *shape,
                                              int64_t *strides) {
  int64_t elements = rank > 0 ? shape[rank - 1] : 1;
  for (int64_t x = rank - 1; x-- > 0;) {
    strides[x] = elements + 3;
    elements = strides[x] * shape[x];
  }
  return elements + 1;
}

static uint64_t bits_at(const void *data, size_t i, size_t size) {
  uint8_t one;
  uint16_t two;
  uint32_t four;
  uint64_t eight;
  const char *at = (const char *)data + i * size;
  if (size == 1) return memcpy(&one, at, 1), one;
  if (size == 2) return memcpy(&two, at, 2), two;
  if (size == 4) return memcpy(&four, at, 4), four;
  return memcpy(&eight, at, 8), eight;
}

/* All NaNs are one value. `infinity`: the bits of +inf; 0: not a float. */
static int same(const char *name, const void *got, const void *want, size_t count, size_t size,
                uint64_t infinity) {
  const uint64_t magnitude = (UINT64_C(1) << (8 * size - 1)) - 1;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t g = bits_at(got, i, size), w = bits_at(want, i, size);
    const int nans = infinity && (g & magnitude) > infinity && (w & magnitude) > infinity;
    if (g == w || nans) continue;
    printf("%s: element %zu is 0x%llx, not 0x%llx\n", name, i, (unsigned long long)g,
           (unsigned long long)w);
    return 0;
  }
  return 1;
}

static void *filled(const void *from, size_t bytes, size_t room) {
  char *out = calloc(room + 1, 1);
  if (!out) abort();
  if (from) memcpy(out, from, bytes);
  return out;
}
)c";

}  // namespace lathe::cli
