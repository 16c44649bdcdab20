// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "cli/commands.h"

int main(int argc, char** argv) {
  return lathe::cli::main_with({argv + 1, argv + argc}, {std::cout, std::cerr});
}
