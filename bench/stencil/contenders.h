// SPDX-License-Identifier: Apache-2.0
#pragma once
// Those who run a stencil: Lathe through its public interface, GridTools in a shared object, and
// peers in processes of their own.

#include <lathe/stencil.h>

#include <memory>
#include <string>

#include "road/contender.h"
#include "stencil/fields.h"

namespace lathe::bench {

// Throws lathe::Error.
lathe::Stencil load_stencil(const std::string& folder, const Definition& definition,
                            const std::string& dtype);

std::unique_ptr<Contender> make_lathe(const lathe::Stencil& stencil, const StencilRow& row,
                                      Fields& fields, int threads);

// `why` says why there is none.
std::unique_ptr<Contender> make_gridtools(const std::string& folder, const StencilRow& row,
                                          Fields& fields, std::string& why);

std::unique_ptr<Contender> make_peer(Peer& peer, const std::string& examples, const StencilRow& row,
                                     const Domain& domain, std::string& why);

// The value of a scalar argument in rows of that dtype.
double scalar_for(const std::pair<std::string, double>& scalar, const std::string& dtype);

}  // namespace lathe::bench
