// SPDX-License-Identifier: Apache-2.0
#pragma once
// What this processor is and can do.

#include <string>

namespace lathe::host {

// Differs between processors for which `-march=native` may give different code: vendor, model,
// the features by name, and the raw feature words for those that have no name here.
const std::string& cpu_features();

// The processor's own name, as in "Intel(R) Xeon(R) Processor".
const std::string& cpu_model();

// x86-64, x86-64-v2, -v3, -v4, or aarch64 ...: as -march= takes it.
const std::string& cpu_level();

// Bytes in the widest vector register that is good to use: 16, 32 or 64.
int vector_bytes();

bool has_avx2_fma();
bool has_avx512();  // F, BW, CD, DQ and VL: x86-64-v4

}  // namespace lathe::host
