/* SPDX-License-Identifier: Apache-2.0 */
/* Stencils in GTScript for C, and for every language that can call C. stencil.h is the C++ form,
   docs/gtscript.md the language. Errors, handles and versions as lathe/c.h says. */
#ifndef LATHE_C_STENCIL_H
#define LATHE_C_STENCIL_H

#include "lathe/c.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

typedef struct lathe_named_dtype {
  const char* name; /* of Field["name"]; "float" and "int" stand for those words and for literals */
  lathe_dtype dtype;
} lathe_named_dtype;

typedef struct lathe_stencil_options {
  size_t size;
  const char* stencil; /* its name; null: the only one of the file */
  const lathe_value* externals;
  int32_t external_count;
  const lathe_named_dtype* dtypes;
  int32_t dtype_count;
  int32_t int_bits, float_bits; /* of literals: 32 or 64; 0: 64 */
  int32_t checked, interpret;   /* as in lathe_compile_options; also integers divided by zero */
} lathe_stencil_options;

/* A stencil never changes and may be called by any number of threads at once. */
typedef struct lathe_stencil lathe_stencil;
/* `text` is a Python file; nothing in it is executed. */
lathe_code lathe_stencil_from_text(const char* file_name, const char* text, size_t length,
                                   const lathe_stencil_options* options, lathe_stencil** stencil,
                                   lathe_error** error);
void lathe_stencil_destroy(lathe_stencil* stencil);
const char* lathe_stencil_name(const lathe_stencil* stencil);
const char* lathe_stencil_program(const lathe_stencil* stencil); /* for rows along K */

typedef int32_t lathe_access;
enum { LATHE_ACCESS_NONE = 0, LATHE_READ = 1, LATHE_WRITE = 2, LATHE_READ_WRITE = 3 };

typedef struct lathe_stencil_argument_info {
  const char* name;
  int32_t is_field; /* else a scalar */
  lathe_dtype dtype;
  lathe_access access;
  int32_t keyword_only;
  int32_t is_optional; /* a field that may be left out, or a scalar with a default */
  const char* axes;    /* of a field: "IJK", "IJ" ...; empty for a table */
  int32_t data_rank;   /* dimensions after the axes */
  const int64_t* data_shape;
  int64_t below[3], above[3]; /* elements needed before and after the domain in I, J and K, when
                                 that is large; may be negative */
} lathe_stencil_argument_info;
int32_t lathe_stencil_argument_count(const lathe_stencil* stencil);
lathe_stencil_argument_info lathe_stencil_argument(const lathe_stencil* stencil, int32_t index);
int64_t lathe_stencil_min_levels(const lathe_stencil* stencil); /* the smallest size of K */

/* One call, in place. Views have the field's axes in the order I, J, K, then its data dimensions;
   any strides: code for the order of the first field over all axes is made when it is first seen.
   `lo` of a view is minus the origin: element 0 lies at the first point of the domain; null: as
   much room before it as the stencil needs. `domain` is three sizes; null: the largest that fits.
   Fields and scalars that are not used may be left out. Nothing is written when a call is
   refused. */
lathe_code lathe_stencil_run(lathe_stencil* stencil, const lathe_value* values, int32_t value_count,
                             const lathe_view* views, int32_t view_count, const int64_t* domain,
                             const lathe_run_options* options, lathe_timing* timing,
                             lathe_error** error);

/* What a call with these arguments would work on: three sizes in `chosen`, and for each view the
   element of each of the field's axes at the first point of the domain, three numbers in `origins`
   (0 for axes that it does not have). Refuses what lathe_stencil_run() refuses about shapes and
   dtypes. */
lathe_code lathe_stencil_domain(const lathe_stencil* stencil, const lathe_view* views,
                                int32_t view_count, const int64_t* domain, int64_t* chosen,
                                int64_t* origins, lathe_error** error);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
