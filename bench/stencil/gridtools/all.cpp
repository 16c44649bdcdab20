// SPDX-License-Identifier: Apache-2.0
// GridTools' headers are most of what there is to compile: once for all stencils.
#include "hdiff.hpp"
#include "tridiagonal.hpp"
#include "vadv.hpp"
