// SPDX-License-Identifier: Apache-2.0
#include "api/spare_call.h"

#include "api/call.h"

namespace lathe::api {

SpareCall::~SpareCall() { delete call_.load(); }

std::unique_ptr<Call> SpareCall::take(Compiled& compiled) {
  std::unique_ptr<Call> call(call_.exchange(nullptr, std::memory_order_acquire));
  if (!call) return std::make_unique<Call>(compiled);
  call->start_over();
  return call;
}

void SpareCall::keep(std::unique_ptr<Call> call) {
  if (call->has_copies()) return;  // memory is not held on to
  delete call_.exchange(call.release(), std::memory_order_acq_rel);
}

}  // namespace lathe::api
