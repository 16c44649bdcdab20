// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kernels compute with IEEE defaults whatever the application has set: round to nearest, denormal
// numbers kept, no traps. A FloatModeGuard sets that for its lifetime in its thread and puts back
// what was there, exception flags included.

#include <cstdint>

#if !defined(__x86_64__) && !defined(__aarch64__)
#include <cfenv>
#endif

namespace lathe::host {

class FloatModeGuard {
 public:
  FloatModeGuard() {
#if defined(__x86_64__)
    saved_ = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(0x1f80);  // all exceptions masked, nearest, no FTZ, no DAZ
#elif defined(__aarch64__)
    __asm__ volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(saved_), "=r"(flags_));
    __asm__ volatile("msr fpcr, %0" : : "r"(std::uint64_t{0}));
#else
    std::fegetenv(&saved_);
    std::fesetenv(FE_DFL_ENV);
#endif
  }
  ~FloatModeGuard() {
#if defined(__x86_64__)
    __builtin_ia32_ldmxcsr(saved_);
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0\n\tmsr fpsr, %1" : : "r"(saved_), "r"(flags_));
#else
    std::fesetenv(&saved_);
#endif
  }
  FloatModeGuard(const FloatModeGuard&) = delete;
  FloatModeGuard& operator=(const FloatModeGuard&) = delete;

 private:
#if defined(__x86_64__)
  std::uint32_t saved_;
#elif defined(__aarch64__)
  std::uint64_t saved_, flags_;
#else
  std::fenv_t saved_;
#endif
};

}  // namespace lathe::host
