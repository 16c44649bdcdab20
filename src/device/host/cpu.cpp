// SPDX-License-Identifier: Apache-2.0
// On x86 the cpuid instruction; elsewhere the feature words that Linux gives to every process.

#include "device/host/cpu.h"

#include <cstdint>
#include <cstdio>
#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__linux__)
#include <sys/auxv.h>
#endif

namespace lathe::host {
namespace {

struct Facts {
  std::string features, model, level;
  int vector_bytes = 16;
  bool avx2_fma = false, avx512 = false;
};

#if defined(__x86_64__)

struct Leaf {
  unsigned a = 0, b = 0, c = 0, d = 0;
};

Leaf leaf(unsigned number, unsigned sub = 0) {
  Leaf out;
  __get_cpuid_count(number, sub, &out.a, &out.b, &out.c, &out.d);  // zeros when there is none
  return out;
}

struct Feature {
  const char* name;
  int word;  // of feature_words()
  int bit;
};

// The order of words: 1.c, 1.d, 7.b, 7.c, 7.d, 7.1.a, 80000001.c
constexpr Feature kFeatures[] = {
    {"sse3", 0, 0},       {"ssse3", 0, 9},       {"fma", 0, 12},        {"cx16", 0, 13},
    {"sse4.1", 0, 19},    {"sse4.2", 0, 20},     {"movbe", 0, 22},      {"popcnt", 0, 23},
    {"avx", 0, 28},       {"f16c", 0, 29},       {"bmi1", 2, 3},        {"avx2", 2, 5},
    {"bmi2", 2, 8},       {"avx512f", 2, 16},    {"avx512dq", 2, 17},   {"avx512ifma", 2, 21},
    {"avx512cd", 2, 28},  {"sha", 2, 29},        {"avx512bw", 2, 30},   {"avx512vl", 2, 31},
    {"avx512vbmi", 3, 1}, {"gfni", 3, 8},        {"avx512vnni", 3, 11}, {"avx512bitalg", 3, 12},
    {"amx-bf16", 4, 22},  {"avx512fp16", 4, 23}, {"amx-tile", 4, 24},   {"amx-int8", 4, 25},
    {"avxvnni", 5, 4},    {"avx512bf16", 5, 5},  {"lahf", 6, 0},        {"lzcnt", 6, 5},
};

// The operating system must save the registers, or the features are of no use: XCR0 says so.
std::uint64_t saved_registers() {
  if (!(leaf(1).c & (1u << 27))) return 0;  // no xgetbv
  std::uint32_t low = 0, high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return std::uint64_t{high} << 32 | low;
}

std::string brand() {
  std::string out;
  if (leaf(0x80000000).a < 0x80000004) return "x86-64 processor";
  for (unsigned part = 0x80000002; part <= 0x80000004; ++part) {
    const Leaf text = leaf(part);
    char bytes[16];
    std::memcpy(bytes, &text, 16);
    out.append(bytes, 16);
  }
  out = out.substr(0, out.find('\0'));
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

Facts find_facts() {
  const Leaf vendor = leaf(0), base = leaf(1), extended = leaf(7), more = leaf(7, 1);
  const unsigned words[] = {base.c,     base.d, extended.b,        extended.c,
                            extended.d, more.a, leaf(0x80000001).c};
  const std::uint64_t saved = saved_registers();
  const auto has = [&](const char* name) {
    for (const Feature& f : kFeatures) {
      if (std::strcmp(f.name, name) == 0) return (words[f.word] >> f.bit & 1) != 0;
    }
    return false;
  };
  Facts out;
  char text[64];
  std::memcpy(text, &vendor.b, 4);
  std::memcpy(text + 4, &vendor.d, 4);
  std::memcpy(text + 8, &vendor.c, 4);
  out.features.assign(text, 12);
  // Family, model and stepping, as one number: compilers tune by them.
  std::snprintf(text, sizeof text, " %x", base.a);
  out.features += text;
  for (const Feature& f : kFeatures) {
    if (words[f.word] >> f.bit & 1) out.features += std::string(" ") + f.name;
  }
  for (const unsigned word : words) {
    std::snprintf(text, sizeof text, " %08x", word);
    out.features += text;
  }
  std::snprintf(text, sizeof text, " xcr0:%llx", static_cast<unsigned long long>(saved));
  out.features += text;

  out.model = brand();
  const bool v2 = has("sse3") && has("ssse3") && has("sse4.1") && has("sse4.2") && has("popcnt") &&
                  has("cx16") && has("lahf");
  const bool avx_saved = (saved & 0x6) == 0x6;
  const bool v3 = v2 && avx_saved && has("avx") && has("avx2") && has("fma") && has("bmi1") &&
                  has("bmi2") && has("f16c") && has("lzcnt") && has("movbe");
  const bool v4 = v3 && (saved & 0xe6) == 0xe6 && has("avx512f") && has("avx512bw") &&
                  has("avx512cd") && has("avx512dq") && has("avx512vl");
  out.level = v4 ? "x86-64-v4" : v3 ? "x86-64-v3" : v2 ? "x86-64-v2" : "x86-64";
  out.vector_bytes = v4 ? 64 : v3 ? 32 : 16;
  out.avx2_fma = v3;
  out.avx512 = v4;
  return out;
}

#else

Facts find_facts() {
  Facts out;
#if defined(__aarch64__)
  out.level = "armv8-a";
  out.model = "aarch64 processor";
#else
  out.level = "native";
  out.model = "unknown processor";
#endif
  out.features = out.model;
#if defined(__linux__)
  char text[64];
  std::snprintf(text, sizeof text, " %lx %lx", ::getauxval(AT_HWCAP), ::getauxval(AT_HWCAP2));
  out.features += text;
#endif
  return out;
}

#endif

const Facts& facts() {
  static const Facts found = find_facts();
  return found;
}

}  // namespace

const std::string& cpu_features() { return facts().features; }
const std::string& cpu_model() { return facts().model; }
const std::string& cpu_level() { return facts().level; }
int vector_bytes() { return facts().vector_bytes; }
bool has_avx2_fma() { return facts().avx2_fma; }
bool has_avx512() { return facts().avx512; }

}  // namespace lathe::host
