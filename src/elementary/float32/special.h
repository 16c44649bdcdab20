// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "elementary/float32/encoding.h"
namespace lathe::elementary::float32 {
template <class N> typename N::F erf(typename N::F x) {return x;}
template <class N> typename N::F erfc(typename N::F x) {return x;}
template <class N> typename N::F tgamma(typename N::F x) {return x;}
template <class N> typename N::F lgamma(typename N::F x) {return x;}
}
