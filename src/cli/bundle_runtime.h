// SPDX-License-Identifier: Apache-2.0
#pragma once
// What NAME.c holds besides the kernel: C text that is the same in every bundle.

namespace lathe::cli {

extern const char* const kRuntimeHead;    // before the kernel: includes
extern const char* const kRuntimeMemory;  // after it: memory, threads, sizes
extern const char* const kRuntimeCall;    // a call's arrays; after the tables of slots
extern const char* const kRuntimeRun;     // the call itself; after rt_function
extern const char* const kTestTools;      // of test.c

}  // namespace lathe::cli
