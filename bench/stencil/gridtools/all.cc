// SPDX-License-Identifier: Apache-2.0
// All of GridTools' stencils at once, because its headers are most of what there is to compile. Not
// .cpp: it is no part of the build, and linting it would lint GridTools.
#include "hdiff.h"
#include "tridiagonal.h"
#include "vadv.h"
