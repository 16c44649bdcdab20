/* SPDX-License-Identifier: Apache-2.0 */
/* Stencils of a running Python, for packages that live in one. lathe_stencil_from_text() reads a
   file and executes nothing. Here the caller has looked up every name as Python does, and hands
   over what the definition refers to: numbers, dtypes, the types of fields, functions of this file
   and of others, with the texts of the files that they stand in. Errors, handles and versions as
   lathe/c.h says.

     lathe_objects* p = lathe_python_create();
     int32_t text = lathe_python_text(p, "model.py", bytes, length);
     lathe_object f = lathe_python_function(p, text, 12, "hdiff", 0);
     lathe_python_set(p, f, "LIMIT", lathe_python_float(p, 0.5, LATHE_PYTHON));
     if (lathe_stencil_from_python(p, f, NULL, &stencil, &error)) ... */
#ifndef LATHE_C_PYTHON_H
#define LATHE_C_PYTHON_H

#include "lathe/c_stencil.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* Used by one thread at a time. Stencils that were made of it stay when it is destroyed. Mistakes
   in what is added are told by lathe_stencil_from_python(). */
typedef struct lathe_objects lathe_objects;
lathe_objects* lathe_python_create(void); /* null: there is no memory */
void lathe_python_destroy(lathe_objects* python);

/* A file; its number. `file_name` is for messages. */
int32_t lathe_python_text(lathe_objects* python, const char* file_name, const char* text,
                          size_t length);

typedef int32_t lathe_object; /* its number */
enum { LATHE_PYTHON = -1 };   /* instead of a dtype: Python's own int, float and bool */

lathe_object lathe_python_none(lathe_objects* python);
lathe_object lathe_python_bool(lathe_objects* python, int32_t value);
/* `dtype`: of NumPy's scalar, whose dtype stays with the number; or LATHE_PYTHON. */
lathe_object lathe_python_int(lathe_objects* python, int64_t value, lathe_dtype dtype);
lathe_object lathe_python_float(lathe_objects* python, double value, lathe_dtype dtype);
lathe_object lathe_python_string(lathe_objects* python, const char* text);
/* `is_word`: written int or float, for which options may put another dtype. */
lathe_object lathe_python_dtype(lathe_objects* python, lathe_dtype dtype, int32_t is_word);
lathe_object lathe_python_axes(lathe_objects* python, const char* axes); /* "IJ" */
lathe_object lathe_python_axis_point(lathe_objects* python, const char* axis, int64_t index,
                                     int64_t offset);                    /* I[index] + offset */
lathe_object lathe_python_word(lathe_objects* python, const char* word); /* of GTScript: "sqrt" */
lathe_object lathe_python_unknown(lathe_objects* python, const char* what); /* for messages */
/* Field[axes, (dtype, dims)], or GlobalTable[(dtype, dims)]. `dtype` may be a string: one of the
   options' dtypes. */
lathe_object lathe_python_field(lathe_objects* python, const char* axes, lathe_object dtype,
                                const int64_t* dims, int32_t dim_count, int32_t is_table);

/* These hold others, which are put in by lathe_python_set(), complete. */
lathe_object lathe_python_tuple(lathe_objects* python);
lathe_object lathe_python_enumeration(lathe_objects* python);
lathe_object lathe_python_namespace(lathe_objects* python); /* a module, a class, an object */
/* The function of a text that begins in that line, counted from 1: at `def`, or at its first
   decorator. It knows the names that are set, and the words of GTScript. `is_gtscript`: decorated,
   so that stencils can call it. Functions may refer to each other. */
lathe_object lathe_python_function(lathe_objects* python, int32_t text, int32_t line,
                                   const char* name, int32_t is_gtscript);

/* A name that a function sees, a member, the next element of a tuple (`name` is not used). */
void lathe_python_set(lathe_objects* python, lathe_object of, const char* name, lathe_object value);
/* Of a function's parameter, as Python has evaluated them; without, the text is read. */
void lathe_python_annotate(lathe_objects* python, lathe_object function, const char* parameter,
                           lathe_object type);
void lathe_python_default(lathe_objects* python, lathe_object function, const char* parameter,
                          lathe_object value);
/* For `from __externals__ import NAME`; besides those of the options. */
void lathe_python_external(lathe_objects* python, const char* name, lathe_object value);

/* `options->stencil`: the stencil's name; null: that of the function. */
lathe_code lathe_stencil_from_python(const lathe_objects* python, lathe_object definition,
                                     const lathe_stencil_options* options, lathe_stencil** stencil,
                                     lathe_error** error);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
