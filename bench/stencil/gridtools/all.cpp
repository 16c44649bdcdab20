// SPDX-License-Identifier: Apache-2.0
// GridTools' headers are most of what there is to compile: once for all stencils.
#include "hdiff.h"
#include "tridiagonal.h"
#include "vadv.h"
