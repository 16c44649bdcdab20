/* SPDX-License-Identifier: Apache-2.0 */
/* What a kernel and its host share. This file is C and C++, and is printed as it stands at the head
   of every kernel: so it includes nothing.

   The host loads the kernel, fills a lathe_context per call and calls lathe_run, which gives one of
   LATHE_FINE, LATHE_FAULT, LATHE_CANCELLED, LATHE_NO_MEMORY. Parallel loops are the functions
   lathe_body_0, lathe_body_1 ...; lathe_run passes them to `parallel`. */
#ifndef LATHE_ABI_H
#define LATHE_ABI_H

typedef __INT32_TYPE__ lathe_int32;
typedef __INT64_TYPE__ lathe_int64;
typedef __UINT64_TYPE__ lathe_uint64;

enum { LATHE_ABI_VERSION = 1, LATHE_FAULT_VALUES = 16 };
enum { LATHE_FINE = 0, LATHE_FAULT = 1, LATHE_CANCELLED = 2, LATHE_NO_MEMORY = 3 };

typedef struct lathe_axis {
  lathe_int64 lo, hi; /* lo <= index < hi */
  lathe_int64 stride; /* in elements, of any sign */
} lathe_axis;

/* Element [x0, x1 ...] lies at data + (x0 * stride0 + x1 * stride1 ...) * size of an element:
   `data` is where index 0 would be, which may be outside of the memory. */
typedef struct lathe_array {
  char* data;
  lathe_axis* axes;
} lathe_array;

typedef struct lathe_context lathe_context;
typedef void lathe_body(void* environment, lathe_int64 lo, lathe_int64 hi);

struct lathe_context {
  const lathe_uint64* parameters; /* element bits, zero-extended, in the kernel's order */
  lathe_array* arrays;            /* by number: emit_c's result lists them */

  /* The first of fault, cancellation and lack of memory, else 0. Compare-and-swap from 0 only: the
     host cancels by LATHE_CANCELLED. Kernels poll it. */
  lathe_int32 status;

  /* Valid when status is LATHE_FAULT: which fault, and the numbers of its message. */
  lathe_int32 fault_count;
  lathe_int64 fault_site;
  lathe_int64 fault_values[LATHE_FAULT_VALUES];

  /* Calls body on pieces that cover lo..hi, on any threads, and waits. Pieces have `grain` or more
     iterations where it can be. May leave out the rest once status is not 0. */
  void (*parallel)(lathe_context*, lathe_body* body, void* environment, lathe_int64 lo,
                   lathe_int64 hi, lathe_int64 grain);

  /* Memory of the calling thread, aligned to 64 bytes, or null. `release` gives back that piece and
     all taken after it. The host takes back what is left when a body or lathe_run returns. */
  char* (*thread_memory)(lathe_context*, lathe_int64 bytes);
  void (*thread_release)(lathe_context*, char* memory);

  /* Makes arrays[number] with these bounds (lo, hi per axis); 0, or what status becomes. */
  lathe_int32 (*allocate)(lathe_context*, lathe_int32 number, const lathe_int64* bounds);

  /* An operation on whole arrays, by its number in emit_c's result; 0, or what status becomes. */
  lathe_int32 (*call)(lathe_context*, lathe_int32 number);

  void* host; /* the host's own */
};

#endif
