// SPDX-License-Identifier: Apache-2.0
#pragma once
// Those who compute a formula: Lathe through its public interface, C in a shared object, and peers
// in processes of their own.

#include <memory>
#include <string>

#include "array/data.h"
#include "road/contender.h"

namespace lathe::bench {

// A run evaluates a graph that is there, `repeat` times, into fresh memory each time.
std::unique_ptr<Contender> make_lathe(const ArrayRow& row, const ArrayData& data, int threads);

// bench_NAME of a shared object, which writes to memory that is there; null: there is none.
std::unique_ptr<Contender> make_c(const std::string& who, const std::string& library,
                                  const ArrayRow& row, const ArrayData& data);

// `why` says why there is none.
std::unique_ptr<Contender> make_peer(Peer& peer, const ArrayRow& row, std::string& why);

}  // namespace lathe::bench
