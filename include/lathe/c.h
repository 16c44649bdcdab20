/* SPDX-License-Identifier: Apache-2.0 */
/* Lathe for C, and for every language that can call C. docs/api.md is the guide; this file is the
   contract. The C++ form, lathe.h, is made from this one.

     lathe_program* p;  lathe_kernel* k;  lathe_error* e;
     if (lathe_program_from_text("scale.lathe", text, strlen(text), &p, &e)) ...
     if (lathe_compile(p, NULL, &k, &e)) ...
     if (lathe_run(k, values, 1, arrays, 2, NULL, NULL, &e)) ...

   Errors are data. A function that can fail returns a code, 0 when all is well; unless `error` is
   null, *error is then set to the full report, which the caller destroys. After success *error is
   null.

   Handles are opaque. Each lathe_*_destroy takes null. A lathe_program and a lathe_kernel never
   change and may be used by any number of threads at once; a lathe_call, a lathe_builder and a
   lathe_error by one at a time. A kernel may be used after its program is destroyed, a call not
   after its kernel is.

   Enumerations are named numbers of type int32_t, the same for every compiler.

   Versions: LATHE_API_VERSION is 1000 * major + minor. Minor versions only add. Structures that
   begin with `size` may grow at their end: set it to sizeof; zero in every other field is the
   default. The other structures never change. */
#ifndef LATHE_C_H
#define LATHE_C_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

enum { LATHE_API_VERSION = 1 };
int lathe_api_version(void); /* of the library that is loaded */

/* ---- Errors. */

typedef int32_t lathe_code;
enum {
  LATHE_OK = 0,
  LATHE_ERROR_PROGRAM = 1,   /* the text of a program is wrong */
  LATHE_ERROR_SCHEDULE = 2,  /* the text of a schedule is wrong, or not legal for the program */
  LATHE_ERROR_ARGUMENT = 3,  /* what was bound is not what the program declares */
  LATHE_ERROR_RUN = 4,       /* the program failed while it ran: an index out of range ... */
  LATHE_ERROR_CANCELLED = 5, /* by a lathe_cancel */
  LATHE_ERROR_MEMORY = 6,    /* not enough of it */
  LATHE_ERROR_COMPILER = 7,  /* the C compiler failed */
  LATHE_ERROR_USAGE = 8,     /* this interface was misused: a null handle, an unknown name */
  LATHE_ERROR_INTERNAL = 9   /* a mistake in Lathe */
};

/* What sort of mistake, where callers treat some apart; most have none. */
typedef int32_t lathe_kind;
enum {
  LATHE_KIND_OTHER = 0,
  LATHE_KIND_DTYPE = 1,     /* elements of a type that the operation does not take */
  LATHE_KIND_INDEX = 2,     /* an index that an array does not have */
  LATHE_KIND_AXIS = 3,      /* an axis that an array does not have */
  LATHE_KIND_NUMBER = 4,    /* a number that the dtype cannot hold */
  LATHE_KIND_LENGTHS = 5,   /* lengths that must be known here, and are symbols */
  LATHE_KIND_MATRIX = 6,    /* a matrix that has no result: singular, not positive definite */
  LATHE_KIND_DIVISION = 7,  /* of an integer by zero, in a checked run */
  LATHE_KIND_POWER = 8,     /* of an integer, and negative, in a checked run */
  LATHE_KIND_SYMBOL = 9,    /* a name that stands for nothing */
  LATHE_KIND_VALUE = 10,    /* of a name, where another is needed */
  LATHE_KIND_ASSERTION = 11 /* that the user has written */
};

typedef struct lathe_error lathe_error;
lathe_code lathe_error_code(const lathe_error* error);
lathe_kind lathe_error_kind(const lathe_error* error);
/* The name that a mistake of kind SYMBOL, VALUE or DTYPE is about, or "". */
const char* lathe_error_about(const lathe_error* error);
int32_t lathe_error_says_where(const lathe_error* error); /* has the text a line of the caller's? */
const char* lathe_error_message(const lathe_error* error); /* one sentence: of the first problem */
const char* lathe_error_text(const lathe_error* error);    /* all of it, as people read it */
const char* lathe_error_json(const lathe_error* error);    /* all of it: an array of objects */
void lathe_error_destroy(lathe_error* error);

/* What a user should know although nothing failed (no C compiler: the interpreter stands in). To
   stderr unless set; null sets it back. Called from any thread, and must not call Lathe. */
typedef void lathe_warning_handler(void* user, const char* text, const char* json);
void lathe_on_warning(lathe_warning_handler* handler, void* user);

/* ---- Elements. */

typedef int32_t lathe_dtype;
enum {
  LATHE_BOOL = 0, /* one byte, 0 or 1 */
  LATHE_I8 = 1,
  LATHE_I16 = 2,
  LATHE_I32 = 3,
  LATHE_I64 = 4,
  LATHE_U8 = 5,
  LATHE_U16 = 6,
  LATHE_U32 = 7,
  LATHE_U64 = 8,
  LATHE_F16 = 9,
  LATHE_BF16 = 10,
  LATHE_F32 = 11,
  LATHE_F64 = 12
};

typedef int32_t lathe_space; /* where the memory is */
enum { LATHE_HOST = 0 };

typedef int32_t lathe_role;
enum { LATHE_INPUT = 0, LATHE_OUTPUT = 1, LATHE_INOUT = 2, LATHE_STATE = 3 };

/* An array. Element [x...], lo <= x < lo + shape on each axis, lies at
   data + sum((x - lo) * stride) bytes. Any strides of any sign, any alignment. */
typedef struct lathe_view {
  const char* name; /* of the program's array */
  void* data;
  lathe_dtype dtype;
  int32_t rank;
  const int64_t* lo;      /* one per axis; null: all 0 */
  const int64_t* shape;   /* one per axis */
  const int64_t* strides; /* in bytes, one per axis; null: row-major without gaps */
  lathe_space space;
  int32_t read_only; /* refuse to bind it to what the program writes */
} lathe_view;

/* A value for a parameter. An integer (LATHE_I64, LATHE_U64) fits every parameter that can hold
   it exactly, LATHE_F64 every float parameter (rounded once), LATHE_BOOL a bool. */
typedef struct lathe_value {
  const char* name; /* of the program's parameter */
  lathe_dtype dtype;
  union {
    int64_t i;  /* LATHE_I64, LATHE_BOOL */
    uint64_t u; /* LATHE_U64 */
    double f;   /* LATHE_F64 */
  } as;
} lathe_value;

/* ---- Programs. */

typedef struct lathe_program lathe_program;
/* Parses and checks; every mistake found is in the error. `file_name` is for messages. */
lathe_code lathe_program_from_text(const char* file_name, const char* text, size_t length,
                                   lathe_program** program, lathe_error** error);
void lathe_program_destroy(lathe_program* program);
const char* lathe_program_name(const lathe_program* program);
const char* lathe_program_text(const lathe_program* program); /* in its normal form */

int32_t lathe_program_parameter_count(const lathe_program* program);
typedef struct lathe_parameter_info {
  const char* name;
  lathe_dtype dtype;
  int32_t is_size; /* an i64 that is never negative */
} lathe_parameter_info;
lathe_parameter_info lathe_program_parameter(const lathe_program* program, int32_t index);

int32_t lathe_program_array_count(const lathe_program* program); /* of those that a call binds */
typedef struct lathe_array_info {
  const char* name;
  lathe_dtype dtype;
  lathe_role role;
  int32_t rank;
  int32_t is_computed; /* its range is a result of the program, so it cannot be bound */
} lathe_array_info;
lathe_array_info lathe_program_array(const lathe_program* program, int32_t index);

/* Which part of an array must be there before the call, so that a part of another is right after
   it? An upper bound. `output` gives name, rank, lo and shape of that part; `values` the sizes.
   Answers 1 in *needed, with `lo` and `shape` filled in (one per axis of `input`), or 0. */
lathe_code lathe_program_required(const lathe_program* program, const lathe_view* output,
                                  const lathe_value* values, int32_t value_count, const char* input,
                                  int64_t* lo, int64_t* shape, int32_t* needed,
                                  lathe_error** error);

/* A program built piece by piece. Ranges and statements are Lathe text (docs/language.md), each
   checked to be one piece: it cannot end what it stands in. Mistakes are told by lathe_build. */
typedef struct lathe_builder lathe_builder;
lathe_builder* lathe_builder_create(const char* program_name);
void lathe_builder_destroy(lathe_builder* builder);
void lathe_builder_size(lathe_builder* builder, const char* name);
void lathe_builder_parameter(lathe_builder* builder, const char* name, lathe_dtype dtype);
/* ranges: "i: n, j: -1..m+1", or "" for a scalar. */
void lathe_builder_array(lathe_builder* builder, lathe_role role, const char* name,
                         lathe_dtype dtype, const char* ranges);
void lathe_builder_temporary(lathe_builder* builder, const char* name, lathe_dtype dtype,
                             const char* ranges);
/* One item: "for i in 0..n: v[i] = 2 * u[i]". May have several lines, indented as in a file. */
void lathe_builder_statement(lathe_builder* builder, const char* text);
lathe_code lathe_build(const lathe_builder* builder, lathe_program** program, lathe_error** error);

/* ---- Kernels. */

typedef struct lathe_compile_options {
  size_t size;
  const char* schedule; /* the text of a lockfile; null: default decisions */
  int32_t checked;      /* test ranges, unwritten reads, double writes; slow */
  int32_t interpret;    /* run in the interpreter, as if there were no C compiler; slow */
  int64_t while_cap;    /* rounds that a while may take before it is an error; 0: 2^31 */
} lathe_compile_options;

typedef struct lathe_kernel lathe_kernel;
/* Decides how to run the program. Machine code is made by the first call that needs it, or by
   lathe_kernel_prepare. `options` may be null. */
lathe_code lathe_compile(const lathe_program* program, const lathe_compile_options* options,
                         lathe_kernel** kernel, lathe_error** error);
void lathe_kernel_destroy(lathe_kernel* kernel);
/* Makes the code for dense arrays now. */
lathe_code lathe_kernel_prepare(lathe_kernel* kernel, lathe_error** error);

/* Reports; each lives as long as the kernel. */
lathe_code lathe_kernel_schedule(lathe_kernel* kernel, const char** lockfile, lathe_error** error);
/* The kernel for dense arrays. */
lathe_code lathe_kernel_c_source(lathe_kernel* kernel, const char** text, lathe_error** error);

/* ---- The cache of compiled kernels. */

/* The folder, which lives as long as the process: LATHE_CACHE_DIR, or the user's usual place. */
const char* lathe_cache_folder(void);
/* How many kernels it holds, and their bytes on disk. Either may be null. */
lathe_code lathe_cache_usage(int64_t* kernels, int64_t* bytes, lathe_error** error);
/* Removes all of them; what is loaded stays. `removed` may be null. */
lathe_code lathe_cache_clear(int64_t* removed, lathe_error** error);

/* ---- Calls. */

/* From another thread: stops calls that were given it, soon. Stays requested until reset. */
typedef struct lathe_cancel lathe_cancel;
lathe_cancel* lathe_cancel_create(void);
void lathe_cancel_destroy(lathe_cancel* cancel);
void lathe_cancel_request(lathe_cancel* cancel);
void lathe_cancel_reset(lathe_cancel* cancel);

/* Gives memory for a result whose range the program computed. `view` has everything but `data`;
   `strides` are those of a dense array and may be overwritten. Not 0: there is no memory. */
typedef int lathe_allocator(void* user, lathe_view* view, int64_t* strides);

typedef struct lathe_run_options {
  size_t size;
  int32_t threads; /* 0: all that the process may use */
  const lathe_cancel* cancel;
  lathe_allocator* allocate; /* null: such results belong to the lathe_call */
  void* allocate_user;
} lathe_run_options;

typedef struct lathe_timing {
  size_t size;
  double seconds;                 /* of the kernel */
  int64_t scratch_bytes;          /* of whole temporaries, sharing memory where they can */
  int64_t scratch_unshared_bytes; /* if each had memory of its own */
  int64_t copied_bytes;           /* of arguments that the kernel could not take as they are */
  int32_t interpreted;            /* there is no C compiler */
} lathe_timing;

/* One call. Arguments may come in any order; the program's is quickest. All arrays must be given,
   each once, but those whose range is computed, for which there must be an allocator. `options` and
   `timing` may be null. Nothing is written when a call is refused.

   Arguments act as if all inputs were copied first: an input may share memory with an output.
   Two arrays that are written must not share any. */
lathe_code lathe_run(lathe_kernel* kernel, const lathe_value* values, int32_t value_count,
                     const lathe_view* views, int32_t view_count, const lathe_run_options* options,
                     lathe_timing* timing, lathe_error** error);

/* A call whose arguments stay bound: bind once, run often. Outputs and states that are not bound
   are made by the call, as zeros, and keep what runs leave in them. */
typedef struct lathe_call lathe_call;
lathe_code lathe_call_create(lathe_kernel* kernel, lathe_call** call, lathe_error** error);
void lathe_call_destroy(lathe_call* call);
lathe_code lathe_call_set(lathe_call* call, const lathe_value* value, lathe_error** error);
lathe_code lathe_call_bind(lathe_call* call, const lathe_view* view, lathe_error** error);
lathe_code lathe_call_unbind(lathe_call* call, const char* name, lathe_error** error);
lathe_code lathe_call_run(lathe_call* call, const lathe_run_options* options, lathe_timing* timing,
                          lathe_error** error);
/* Where an array lies after a run: bound, or made. Good until the next run or binding. */
lathe_code lathe_call_view(const lathe_call* call, const char* name, lathe_view* view,
                           lathe_error** error);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
