/* SPDX-License-Identifier: Apache-2.0 */
/* Lazy arrays for C, and for every language that can call C. docs/arrays.md is the guide.

     lathe_lazy *x, *y, *s, *value;
     lathe_lazy_data(&view, LATHE_COPY, NULL, NULL, place, &x, &e);
     lathe_apply r = {.size = sizeof r, .name = "sin", .operands = &x, .operand_count = 1};
     lathe_lazy_apply(&r, &y, &e);
     lathe_lazy_eval(&y, 1, NULL, &value, &e);

   A lathe_lazy says what an array is; nothing is computed before lathe_lazy_eval. Both kinds of
   handles are counted: each one that a function gives out is destroyed once. They never change and
   may be used by any number of threads at once. Shapes and dtypes are found, and mistakes that can
   be proved are told, when the array is made. */
#ifndef LATHE_C_ARRAY_H
#define LATHE_C_ARRAY_H

#include "lathe/c.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

typedef struct lathe_size lathe_size; /* the length of an axis: a number, a name, n * m + 1 */
typedef struct lathe_lazy lathe_lazy; /* a lazy array */

/* The user's own line, for messages. The text is copied where it is kept. */
typedef struct lathe_place {
  const char* file;
  int32_t line;
} lathe_place;

/* A mistake that a caller has found itself, as the library reports them: wrappers in other
   languages. `help` and the file of `place` may be null. The caller destroys it. */
lathe_error* lathe_error_at(lathe_kind kind, const char* message, const char* help,
                            lathe_place place);

/* ---- Sizes. */

lathe_size* lathe_size_number(int64_t value);
lathe_code lathe_size_named(const char* name, lathe_size** size, lathe_error** error);
/* "+" "-" "*" "//" "%" "min" "max" */
lathe_code lathe_size_apply(const char* operation, const lathe_size* a, const lathe_size* b,
                            lathe_size** size, lathe_error** error);
lathe_size* lathe_size_copy(const lathe_size* size);
void lathe_size_destroy(lathe_size* size);
const char* lathe_size_text(const lathe_size* size); /* lives as long as the size */
/* 1 and the value if it is a number, or belongs to an array that is there; else 0. */
int32_t lathe_size_value(const lathe_size* size, int64_t* value);
/* Are they equal for all values? 1 yes, 0 no for some or all, -1 unknown. */
int32_t lathe_size_compare(const lathe_size* a, const lathe_size* b);

/* ---- Arrays that are there, and names for those that come later. */

lathe_code lathe_lazy_input(const char* name, lathe_dtype dtype, const lathe_size* const* shape,
                            int32_t rank, lathe_place place, lathe_lazy** array,
                            lathe_error** error);
/* A number that gets its value by name when it is evaluated. A weak one takes the dtype of what it
   meets, and must be LATHE_F64. */
lathe_code lathe_lazy_scalar(const char* name, lathe_dtype dtype, int32_t weak, lathe_place place,
                             lathe_lazy** array, lathe_error** error);
enum { LATHE_REFER = 0, LATHE_COPY = 1 };
/* An array with values. Copied now, or referred to until `release(owner)` is called (null: the
   memory outlives all arrays made from it). */
lathe_code lathe_lazy_data(const lathe_view* view, int32_t copy, void (*release)(void*),
                           void* owner, lathe_place place, lathe_lazy** array, lathe_error** error);
/* The array in a .npy file: mapped, not read, if its elements lie as ours do (either order). The
   file must stay as it is as long as anything made of the array does. */
lathe_code lathe_lazy_load_npy(const char* path, lathe_place place, lathe_lazy** array,
                               lathe_error** error);
/* Writes an array with data, in C order. The file is there whole or not at all, also if the array
   was loaded from it. */
lathe_code lathe_lazy_save_npy(const char* path, const lathe_lazy* array, lathe_error** error);
/* A number: LATHE_BOOL, LATHE_I64, LATHE_U64 or LATHE_F64. Weak ones take the dtype of what they
   meet, as numbers of Python do. */
lathe_code lathe_lazy_number(const lathe_value* value, int32_t weak, lathe_lazy** array,
                             lathe_error** error);
lathe_code lathe_lazy_size(const lathe_size* size, lathe_lazy** array, lathe_error** error);

/* ---- Functions. */

typedef int32_t lathe_index_kind;
enum {
  LATHE_INDEX_ALL = 0,
  LATHE_INDEX_INTEGER = 1, /* start */
  LATHE_INDEX_SLICE = 2,   /* start, stop (null: open), step */
  LATHE_INDEX_NEW_AXIS = 3,
  LATHE_INDEX_ELLIPSIS = 4,
  LATHE_INDEX_ARRAY = 5 /* integers or bools */
};
typedef struct lathe_index {
  lathe_index_kind kind;
  const lathe_size *start, *stop;
  int64_t step;
  const lathe_lazy* array;
} lathe_index;

/* A function of docs/arrays.md by its name. What `ints`, `sizes` and `reals` mean is said there. */
typedef struct lathe_apply {
  size_t size;
  const char* name;
  const lathe_lazy* const* operands;
  int32_t operand_count;
  const int64_t* ints;
  int32_t int_count;
  const lathe_size* const* sizes;
  int32_t size_count;
  const double* reals;
  int32_t real_count;
  const char* text;
  int32_t has_dtype;
  lathe_dtype dtype;
  const lathe_index* index;
  int32_t index_count;
  lathe_place place;
} lathe_apply;
lathe_code lathe_lazy_apply(const lathe_apply* request, lathe_lazy** array, lathe_error** error);

typedef int32_t lathe_pin;
enum { LATHE_PIN_NONE = 0, LATHE_PIN = 1, LATHE_PIN_CSE = 2 };
lathe_code lathe_lazy_pin(const lathe_lazy* array, lathe_pin pin, lathe_lazy** pinned,
                          lathe_error** error);
/* Names of axes; null or "" leaves one without. */
lathe_code lathe_lazy_named(const lathe_lazy* array, const char* const* labels, int32_t count,
                            lathe_place place, lathe_lazy** named, lathe_error** error);

/* ---- Derivatives: arrays like any other. */

/* results[i], as many as inputs: the sum over outputs of cotangent times derivative by inputs[i].
 */
lathe_code lathe_lazy_vjp(const lathe_lazy* const* outputs, const lathe_lazy* const* cotangents,
                          int32_t output_count, const lathe_lazy* const* inputs,
                          int32_t input_count, lathe_place place, lathe_lazy** results,
                          lathe_error** error);
/* results[i], as many as outputs: its derivative along the tangents of the inputs. */
lathe_code lathe_lazy_jvp(const lathe_lazy* const* outputs, int32_t output_count,
                          const lathe_lazy* const* inputs, const lathe_lazy* const* tangents,
                          int32_t input_count, lathe_place place, lathe_lazy** results,
                          lathe_error** error);

/* ---- Questions. */

lathe_lazy* lathe_lazy_copy(const lathe_lazy* array); /* another handle to the same array */
void lathe_lazy_destroy(lathe_lazy* array);
lathe_dtype lathe_lazy_dtype(const lathe_lazy* array);
int32_t lathe_lazy_rank(const lathe_lazy* array);
lathe_size* lathe_lazy_axis(const lathe_lazy* array, int32_t axis);
const char* lathe_lazy_label(const lathe_lazy* array, int32_t axis); /* "" without one */
int32_t lathe_lazy_has_data(const lathe_lazy* array);                /* is it evaluated? */
/* 1 if lathe_lazy_eval needs no bindings for it: no input, scalar or named size is open. */
int32_t lathe_lazy_is_closed(const lathe_lazy* array);
/* Does it depend on the input of that name? */
int32_t lathe_lazy_has_input(const lathe_lazy* array, const char* name);
/* May lathe_lazy_eval be given a value of that name? It depends on the input, the scalar or the
   size, or is a derivative of what does. */
int32_t lathe_lazy_is_open(const lathe_lazy* array, const char* name);
/* Where the values of an array with data lie; good as long as the handle. */
lathe_code lathe_lazy_view(const lathe_lazy* array, lathe_view* view, lathe_error** error);

typedef int32_t lathe_lazy_report;
enum {
  LATHE_REPORT_VALUE = 0,     /* shape, dtype and expression; values if there are some */
  LATHE_REPORT_PROGRAM = 1,   /* the program that lathe_lazy_eval runs */
  LATHE_REPORT_STORED = 2,    /* which arrays it stores, and why */
  LATHE_REPORT_DOMAIN = 3,    /* document 003's tree of the loop domain */
  LATHE_REPORT_LISTING = 4,   /* document 003's listing: flattened, but for pins */
  LATHE_REPORT_FUNCTIONS = 5, /* the names that lathe_lazy_apply knows; arrays are not looked at */
  LATHE_REPORT_OPEN = 6 /* the inputs, scalars and sizes that need a value, one in each line */
};
/* A text for lathe_text_destroy. */
lathe_code lathe_lazy_text(const lathe_lazy* const* arrays, int32_t count, lathe_lazy_report what,
                           char** text, lathe_error** error);
void lathe_text_destroy(char* text);

/* ---- Evaluation. */

typedef struct lathe_eval_options {
  size_t size;
  const lathe_value* values; /* of sizes and scalars, by name */
  int32_t value_count;
  const lathe_view* views; /* of inputs, by name */
  int32_t view_count;
  const lathe_view*
      targets; /* null, or one per result: where it goes; null data: to memory of ours */
  int32_t threads;
  const lathe_cancel* cancel;
  int32_t checked;      /* as in lathe_compile_options; also integers divided by zero */
  int32_t interpret;    /* as in lathe_compile_options */
  int32_t allow_unused; /* 1: names that no array has may be given, too */
  lathe_place place;    /* told in messages that name no other line */
} lathe_eval_options;
/* All of them together, sharing work. `results` gets arrays with data. */
lathe_code lathe_lazy_eval(const lathe_lazy* const* arrays, int32_t count,
                           const lathe_eval_options* options, lathe_lazy** results,
                           lathe_error** error);
/* How many different kernels lathe_lazy_eval has made in this process. */
int64_t lathe_lazy_kernel_count(void);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
