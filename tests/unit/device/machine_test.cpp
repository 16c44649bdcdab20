// SPDX-License-Identifier: Apache-2.0
#include "device/host/machine.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "device/host/cpu.h"
#include "unit/device/kernels.h"

namespace lathe::host {
namespace {

using MachineTest = DeviceTest;

TEST_F(MachineTest, Facts) {
  const Machine machine = machine_facts();
  EXPECT_FALSE(machine.name.empty());
  EXPECT_FALSE(machine.model.empty());
  EXPECT_GE(machine.vector_bytes, 16);
  EXPECT_GE(machine.threads, 1);
  EXPECT_GE(machine.l1d_bytes, 4 << 10);
  EXPECT_GE(machine.l2_bytes, machine.l1d_bytes);
  EXPECT_FALSE(machine.has_rates);
  EXPECT_NE(cpu_features(), "");
}

TEST_F(MachineTest, RatesParseBack) {
  Machine machine = machine_facts();
  double next = 1e9;
  for (Rates* rates : {&machine.one, &machine.all}) {
    rates->read = next++, rates->read_streams = next++, rates->write = next++;
    rates->triad = next++, rates->copy = next++, rates->fma_f32 = next++, rates->fma_f64 = next++;
    rates->mixed_f64 = next++, rates->div_f64 = next++, rates->sqrt_f64 = next++;
  }
  const std::string text = print_rates(machine);
  Machine back = machine_facts();
  ASSERT_TRUE(parse_rates(text, back));
  EXPECT_EQ(print_rates(back), text);
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_FALSE(parse_rates(text.substr(0, size), back)) << size;
  }
  Machine other = machine_facts();
  other.model += " II";
  EXPECT_FALSE(parse_rates(text, other));
}

TEST_F(MachineTest, MeasuredOnceAndKept) {
  const Machine first = measured(false, path("cache"));
  ASSERT_TRUE(first.has_rates);
  for (const Rates& rates : {first.one, first.all}) {
    EXPECT_GT(rates.read, 1e7);
    EXPECT_GT(rates.triad, 1e7);
    EXPECT_GT(rates.copy, 1e7);
    EXPECT_GT(rates.fma_f32, 1e7);
    EXPECT_GT(rates.fma_f64, 1e7);
    EXPECT_GT(rates.mixed_f64, 1e7);
    EXPECT_GT(rates.div_f64, 1e6);
    EXPECT_GT(rates.sqrt_f64, 1e6);
  }
  std::string text;
  for (const auto& entry : std::filesystem::directory_iterator(path("cache"))) {
    EXPECT_TRUE(entry.path().filename().string().starts_with("machine-"));
  }
  const Machine second = measured(false, path("cache"));
  EXPECT_EQ(print_rates(second), print_rates(first));
}

TEST_F(MachineTest, WithoutAFolder) {
  write(path("file"), "");
  EXPECT_TRUE(measured(false, path("file/cache")).has_rates);
}

}  // namespace
}  // namespace lathe::host
