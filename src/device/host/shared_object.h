// SPDX-License-Identifier: Apache-2.0
#pragma once
// Is this file a shared object that the loader can take? Asked before dlopen, because dlopen of a
// file that ends too early kills the process (SIGBUS) instead of failing.

#include <string>
#include <string_view>
#include <vector>

namespace lathe::host {

// Empty when `bytes` are a whole ELF shared object for this machine that defines every one of
// `symbols`; else what is wrong with it, as in "it has no function 'body'".
std::string shared_object_problem(std::string_view bytes, const std::vector<std::string>& symbols);

}  // namespace lathe::host
