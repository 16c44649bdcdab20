// SPDX-License-Identifier: Apache-2.0
// The cache of compiled kernels, behind lathe/c.h.

#include "api/c_handles.h"
#include "device/host/cache.h"

using namespace lathe;
using namespace lathe::api;

const char* lathe_cache_folder(void) {
  try {
    return host::Cache::shared().folder().c_str();
  } catch (...) {
    return "";
  }
}

lathe_code lathe_cache_usage(int64_t* kernels, int64_t* bytes, lathe_error** error) {
  return guarded(error, LATHE_ERROR_USAGE, nullptr, [&] {
    const std::vector<host::CacheEntry> entries = host::Cache::shared().list();
    std::uint64_t sum = 0;
    for (const host::CacheEntry& e : entries) sum += e.bytes;
    if (kernels) *kernels = static_cast<int64_t>(entries.size());
    if (bytes) *bytes = static_cast<int64_t>(sum);
  });
}

lathe_code lathe_cache_clear(int64_t* removed, lathe_error** error) {
  return guarded(error, LATHE_ERROR_USAGE, nullptr, [&] {
    const std::size_t count = host::Cache::shared().clear();
    if (removed) *removed = static_cast<int64_t>(count);
  });
}
