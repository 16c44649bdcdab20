// SPDX-License-Identifier: Apache-2.0
// cache_worker FOLDER FIRST LAST: asks the cache in FOLDER for the kernels FIRST..LAST, calls each,
// and prints how many had to be compiled. Exit code 1 when a kernel is missing or wrong.

#include <cstdio>
#include <cstdlib>
#include <string>

#include "device/host/cache.h"

int main(int argc, char** argv) {
  using namespace lathe::host;
  if (argc != 4) return 2;
  CacheSettings settings;
  settings.folder = argv[1];
  Cache cache(settings);
  int compiled = 0;
  for (int i = std::atoi(argv[2]); i <= std::atoi(argv[3]); ++i) {
    const Kernel kernel =
        cache.lookup_or_compile({"long answer(long x) { return x + " + std::to_string(i) + "; }\n",
                                 {"-O1"},
                                 {"answer"},
                                 "answer " + std::to_string(i)});
    if (!kernel.library) {
      std::fprintf(stderr, "%s\n", kernel.error ? kernel.error->message.c_str() : "nothing");
      return 1;
    }
    for (const lathe::Diagnostic& warning : kernel.warnings) {
      std::fprintf(stderr, "%s\n", warning.message.c_str());
    }
    if (kernel.library->function<long(long)>("answer")(1000) != 1000 + i) return 1;
    compiled += kernel.origin == KernelOrigin::Compiler;
  }
  std::printf("%d\n", compiled);
  return 0;
}
