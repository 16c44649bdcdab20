/* SPDX-License-Identifier: Apache-2.0 */
/* The structures by which DLPack 1.x hands arrays over, as its ABI fixes them. */
#ifndef LATHE_PYTHON_DLPACK_H
#define LATHE_PYTHON_DLPACK_H

#include <stdint.h>

enum { DLPACK_MAJOR = 1, DLPACK_MINOR = 0 };
enum { DLPACK_CPU = 1 };
enum { DLPACK_INT = 0, DLPACK_UINT = 1, DLPACK_FLOAT = 2, DLPACK_BFLOAT = 4, DLPACK_BOOL = 6 };
enum { DLPACK_READ_ONLY = 1, DLPACK_IS_COPIED = 2 };

typedef struct DlTensor {
  void* data;
  struct {
    int32_t type, id;
  } device;
  int32_t ndim;
  struct {
    uint8_t code, bits;
    uint16_t lanes;
  } dtype;
  int64_t* shape;
  int64_t* strides; /* in elements; null: dense */
  uint64_t byte_offset;
} DlTensor;

/* "dltensor": before versions. */
typedef struct DlManaged {
  DlTensor tensor;
  void* context;
  void (*deleter)(struct DlManaged*);
} DlManaged;

/* "dltensor_versioned" */
typedef struct DlManagedVersioned {
  struct {
    uint32_t major, minor;
  } version;
  void* context;
  void (*deleter)(struct DlManagedVersioned*);
  uint64_t flags;
  DlTensor tensor;
} DlManagedVersioned;

#endif
