// SPDX-License-Identifier: Apache-2.0
// Temporaries that nobody reads from memory.

#include "lower/drop_unread.h"

#include <gtest/gtest.h>

#include "unit/ir/parse.h"

namespace lathe::lower {
namespace {

std::string after(std::string_view text) {
  auto kernel = loops::parse(text);
  drop_unread(*kernel);
  return loops::to_text(*kernel);
}

TEST(DropUnread, StoresGoAndWhatOnlyTheyNeeded) {
  EXPECT_EQ(after("kernel k(n: size)\n"
                  "  argument u: f64[0..n] input unit\n"
                  "  argument v: f64[0..n] output unit\n"
                  "  scratch s: f64[0..n]\n"
                  "  scratch w: f64[0..n]\n"
                  "\n"
                  "  for i in 0..n:\n"
                  "    w[i] = u[i]\n"
                  "  for i in 0..n:\n"
                  "    let t = 1 / u[i]\n"
                  "    let only = t + w[i]\n"
                  "    s[i] = only\n"
                  "    v[i] = t * u[i]\n"),
            "kernel k(n: size)\n"
            "  argument u: f64[0..n] input unit\n"
            "  argument v: f64[0..n] output unit\n"
            "\n"
            "  for i in 0..n:\n"
            "    let t = 1 / u[i]\n"
            "    v[i] = t * u[i]\n");
}

TEST(DropUnread, WhatPutsBackWhatItFindsDoesNotRead) {
  EXPECT_EQ(after("kernel k(n: size)\n"
                  "  argument v: f64[0..n] output unit\n"
                  "  scratch s: f64[0..n]\n"
                  "\n"
                  "  vector i in 0..n by 8:\n"
                  "    s[i] = select(i < 3, s[i], 2)\n"
                  "    v[i] = 1\n"),
            "kernel k(n: size)\n"
            "  argument v: f64[0..n] output unit\n"
            "\n"
            "  vector i in 0..n by 8:\n"
            "    v[i] = 1\n");
}

TEST(DropUnread, ReadersKeepIt) {
  const std::string text =
      "kernel k(n: size)\n"
      "  argument v: f64[0..n] output unit\n"
      "  scratch s: f64[0..n]\n"
      "\n"
      "  for i in 0..n:\n"
      "    s[i] = f64(i)\n"
      "  for i in 0..n:\n"
      "    v[i] = s[n - 1 - i]\n";
  EXPECT_EQ(after(text), loops::to_text(*loops::parse(text)));
}

}  // namespace
}  // namespace lathe::lower
