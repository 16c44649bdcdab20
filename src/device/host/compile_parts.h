// SPDX-License-Identifier: Apache-2.0
#pragma once
// One text of many functions as several texts, so that several compilers can work at once:
//
//   typedef double f64;                  typedef double f64;             typedef double f64;
//   void f(f64 *x) {                     void f(f64 *x) {                void f(f64 *x);
//     ...                           ->     ...                      and
//   }                                    }
//   int g(void) {                        int g(void);                    int g(void) {
//     ...                                                                  ...
//   }                                                                    }

#include <string>
#include <string_view>
#include <vector>

namespace lathe::host {

// How many parts are worth the while on a machine with so many processors: 1 for what is small.
std::size_t part_count(std::string_view text, const std::vector<std::size_t>& functions,
                       std::size_t processors);

// `functions`: where functions that others may call begin, in the order of the text. Their heads
// are one line that ends with " {", and the next line that is "}" ends them. All else is in every
// part. Parts have about as much to compile, each at least one function.
std::vector<std::string> parts_of(std::string_view text, const std::vector<std::size_t>& functions,
                                  std::size_t count);

}  // namespace lathe::host
