// SPDX-License-Identifier: Apache-2.0
#pragma once
// LATHE_ROW_CLONES before a row function: compile it twice, for any x86-64 and for machines with
// AVX2 and FMA, and choose when the program is loaded. `flatten` pulls the whole function body
// into the loop, so the second copy has fma as one instruction and can vectorise. The bits are the
// same either way. The choice runs before sanitizers are ready, so they get the plain copy only.

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(LATHE_SANITIZED)
#define LATHE_ROW_CLONES __attribute__((target_clones("default", "arch=x86-64-v3"), flatten))
#else
#define LATHE_ROW_CLONES
#endif
