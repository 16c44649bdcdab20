// SPDX-License-Identifier: Apache-2.0
#include "api/cancellation.h"

#include <algorithm>

namespace lathe::api {

void Cancellation::stop(const Watched& call) {
  std::int32_t none = 0;
  __atomic_compare_exchange_n(call.status, &none, call.value, false, __ATOMIC_RELAXED,
                              __ATOMIC_RELAXED);
}

void Cancellation::request() {
  const std::lock_guard lock(mutex_);
  requested_.store(true);
  for (const Watched& call : watched_) stop(call);
}

Cancellation::Watch::Watch(Cancellation* cancellation, std::int32_t* status, std::int32_t value)
    : cancellation_(cancellation), status_(status) {
  if (!cancellation_) return;
  const std::lock_guard lock(cancellation_->mutex_);
  cancellation_->watched_.push_back({status, value});
  // A request that came before the call was watched.
  if (cancellation_->requested_.load()) stop(cancellation_->watched_.back());
}

Cancellation::Watch::~Watch() {
  if (!cancellation_) return;
  const std::lock_guard lock(cancellation_->mutex_);
  std::erase_if(cancellation_->watched_, [&](const Watched& w) { return w.status == status_; });
}

}  // namespace lathe::api
