// SPDX-License-Identifier: Apache-2.0
// What this machine can reach at best: the limits that `run --time` and the bench compare with.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/commands.h"
#include "device/host/machine.h"

namespace lathe::cli {
namespace {

struct NamedRate {
  const char* key;
  const char* text;
  double host::Rates::*value;
  bool is_bytes;
};
constexpr NamedRate kRates[] = {
    {"read", "read, one stream per thread", &host::Rates::read, true},
    {"read_streams", "read, four streams per thread", &host::Rates::read_streams, true},
    {"write", "write, streaming stores", &host::Rates::write, true},
    {"triad", "a = b + s*c, streaming stores", &host::Rates::triad, true},
    {"copy", "memcpy, both ways counted", &host::Rates::copy, true},
    {"fma_f32", "fused multiply-add, f32", &host::Rates::fma_f32, false},
    {"fma_f64", "fused multiply-add, f64", &host::Rates::fma_f64, false},
    {"mixed_f64", "additions and products, f64", &host::Rates::mixed_f64, false},
    {"div_f64", "divisions, f64", &host::Rates::div_f64, false},
    {"sqrt_f64", "square roots, f64", &host::Rates::sqrt_f64, false},
};

void print_json(const host::Machine& m, std::ostream& out) {
  nlohmann::ordered_json json = {{"model", m.model},         {"level", m.name},
                                 {"threads", m.threads},     {"vector_bytes", m.vector_bytes},
                                 {"l1d_bytes", m.l1d_bytes}, {"l2_bytes", m.l2_bytes},
                                 {"l3_bytes", m.l3_bytes},   {"memory_bytes", m.memory_bytes},
                                 {"busy", m.hurried}};
  for (const NamedRate& r : kRates) {
    json["one_thread"][r.key] = m.one.*r.value;
    json["all_threads"][r.key] = m.all.*r.value;
  }
  out << json.dump(2) << "\n";
}

}  // namespace

int bench(const BenchArgs& args, Streams io) {
  const host::Machine m = host::measured(args.again);
  if (args.json) {
    print_json(m, io.out);
    return 0;
  }
  io.out << fmt::format("{}, {}, {} thread{}, vectors of {} bytes\n", m.model, m.name, m.threads,
                        m.threads == 1 ? "" : "s", m.vector_bytes);
  io.out << fmt::format("L1 {} KiB, L2 {} KiB, L3 {} MiB, memory {} GiB\n", m.l1d_bytes >> 10,
                        m.l2_bytes >> 10, m.l3_bytes >> 20, m.memory_bytes >> 30);
  io.out << fmt::format("{:<32}{:>12}{:>14}\n", "", "one thread", "all threads");
  for (const NamedRate& r : kRates)
    io.out << fmt::format("{:<32}{:>12.1f}{:>14.1f} {}\n", r.text, m.one.*r.value / 1e9,
                          m.all.*r.value / 1e9, r.is_bytes ? "GB/s" : "GF/s");
  if (m.hurried)
    io.err << "warning: other programs were busy, so these may be too low; lathe bench --again "
              "measures once more\n";
  return 0;
}

}  // namespace lathe::cli
