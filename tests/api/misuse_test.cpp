// SPDX-License-Identifier: Apache-2.0
// The C functions, called as they must not be: an answer, never a crash.

#include <gtest/gtest.h>

#include <cstring>

#include "api/examples.h"
#include "device/host/limits.h"

namespace lathe::testing {
namespace {

class Misuse : public ::testing::Test {
 protected:
  void SetUp() override { make(kScale); }
  void TearDown() override {
    lathe_call_destroy(call);
    lathe_kernel_destroy(kernel);
    lathe_program_destroy(program);
  }
  void make(const char* text) {
    TearDown();
    call = nullptr;
    ASSERT_EQ(lathe_program_from_text("test.lathe", text, std::strlen(text), &program, &error),
              LATHE_OK);
    ASSERT_EQ(lathe_compile(program, nullptr, &kernel, &error), LATHE_OK);
    ASSERT_EQ(lathe_call_create(kernel, &call, &error), LATHE_OK);
  }
  // The code and the text of what a function said.
  std::string said(lathe_code code) {
    EXPECT_EQ(lathe_error_code(error), code);
    const std::string out = std::to_string(code) + " " + lathe_error_text(error);
    lathe_error_destroy(error);
    error = nullptr;
    return out;
  }
  std::string bound(lathe_view view) { return said(lathe_call_bind(call, &view, &error)); }

  lathe_program* program = nullptr;
  lathe_kernel* kernel = nullptr;
  lathe_call* call = nullptr;
  lathe_error* error = nullptr;
  double memory[4] = {};
  std::int64_t four = 4;
  lathe_view view = {"u", memory, LATHE_F64, 1, nullptr, &four, nullptr, LATHE_HOST, 0};
};

TEST_F(Misuse, NullHandles) {
  EXPECT_EQ(said(lathe_kernel_prepare(nullptr, &error)),
            "8 error: lathe_kernel_prepare needs a kernel\n");
  const char* text = nullptr;
  EXPECT_EQ(said(lathe_kernel_schedule(nullptr, &text, &error)),
            "8 error: lathe_kernel_schedule needs a kernel and a place for the text\n");
  EXPECT_EQ(said(lathe_kernel_c_source(kernel, nullptr, &error)),
            "8 error: lathe_kernel_c_source needs a kernel and a place for the text\n");
  EXPECT_EQ(said(lathe_run(kernel, nullptr, 1, nullptr, 0, nullptr, nullptr, &error)),
            "8 error: lathe_run needs a kernel, values and views\n");
  EXPECT_EQ(said(lathe_call_create(nullptr, &call, &error)),
            "8 error: lathe_call_create needs a kernel and a place for the call\n");
  EXPECT_EQ(said(lathe_call_set(call, nullptr, &error)),
            "8 error: lathe_call_set needs a call and a value\n");
  EXPECT_EQ(said(lathe_call_bind(nullptr, &view, &error)),
            "8 error: lathe_call_bind needs a call and a view\n");
  EXPECT_EQ(said(lathe_call_unbind(nullptr, "u", &error)),
            "8 error: lathe_call_unbind needs a call\n");
  EXPECT_EQ(said(lathe_call_run(nullptr, nullptr, nullptr, &error)),
            "8 error: lathe_call_run needs a call\n");
  EXPECT_EQ(said(lathe_call_view(call, "u", nullptr, &error)),
            "8 error: lathe_call_view needs a call and a place for the view\n");
  EXPECT_EQ(said(lathe_build(nullptr, &program, &error)),
            "8 error: lathe_build needs a builder and a place for the program\n");
  EXPECT_EQ(said(lathe_program_required(nullptr, &view, nullptr, 0, "u", nullptr, nullptr, nullptr,
                                        &error)),
            "8 error: lathe_program_required needs a program, a region, values and a place for the "
            "answer\n");
  std::int32_t needed = 0;
  EXPECT_EQ(said(lathe_program_required(program, &view, nullptr, 0, "u", nullptr, nullptr, &needed,
                                        &error)),
            "8 error: there is no place for the region: lo or shape is null\n");
  lathe_error_destroy(nullptr);
  lathe_builder_destroy(nullptr);
  lathe_cancel_destroy(nullptr);
  lathe_builder_size(nullptr, "n");
}

TEST_F(Misuse, Views) {
  lathe_view odd = view;
  odd.name = nullptr;
  EXPECT_EQ(bound(odd), "8 error: a view has no name: its pointer is null\n");
  odd = view;
  odd.space = 1;
  EXPECT_EQ(bound(odd), "8 error: only LATHE_HOST memory can be bound\n");
  odd = view;
  odd.rank = -1;
  EXPECT_EQ(bound(odd), "8 error: a view has a negative number of axes\n");
  odd = view;
  odd.shape = nullptr;
  EXPECT_EQ(bound(odd), "8 error: a view with axes has no shape\n");
  lathe_value value = Value("n", 1);
  value.name = nullptr;
  EXPECT_EQ(said(lathe_call_set(call, &value, &error)),
            "8 error: a value has no name: its pointer is null\n");
}

TEST_F(Misuse, GivenTwice) {
  const lathe_value values[] = {Value("n", 4), Value("a", 1), Value("n", 4)};
  const lathe_view views[] = {view, view};
  memory[0] = 7;
  EXPECT_EQ(said(lathe_run(kernel, values, 3, views, 1, nullptr, nullptr, &error)),
            "8 error: 'n' is given twice\n");
  EXPECT_EQ(said(lathe_run(kernel, values, 2, views, 2, nullptr, nullptr, &error)),
            "8 error: 'u' is given twice\n");
  EXPECT_EQ(memory[0], 7);
}

TEST_F(Misuse, SizesThatAreNotSet) {
  const Value n("n", 4), a("a", 1);
  ASSERT_EQ(lathe_call_set(call, &n, nullptr), LATHE_OK);
  ASSERT_EQ(lathe_call_set(call, &a, nullptr), LATHE_OK);
  ASSERT_EQ(lathe_call_bind(call, &view, nullptr), LATHE_OK);
  lathe_timing timing = {};
  EXPECT_EQ(said(lathe_call_run(call, nullptr, &timing, &error)),
            "8 error: the size of an options structure is not set: it must be sizeof of its "
            "type\n");
  timing.size = sizeof(std::size_t) + sizeof(double);  // of an older version
  timing.scratch_bytes = -5;
  EXPECT_EQ(lathe_call_run(call, nullptr, &timing, &error), LATHE_OK);
  EXPECT_EQ(timing.scratch_bytes, -5);
  EXPECT_EQ(error, nullptr);
  // Taking an argument away again.
  EXPECT_EQ(lathe_call_unbind(call, "u", &error), LATHE_OK);
  EXPECT_EQ(
      said(lathe_call_run(call, nullptr, nullptr, &error)),
      "3 error: input 'u' is missing\n  --> test.lathe:2:10\n   |\n 2 |   input  u: f64[i: n]\n"
      "   |          ^\n  help: give an array f64[0..n] = f64[0..4]\n");
}

TEST_F(Misuse, Builders) {
  lathe_builder* b = lathe_builder_create("p");
  lathe_builder_array(b, LATHE_INPUT, "u", -1, "");
  lathe_program* made = nullptr;
  EXPECT_EQ(said(lathe_build(b, &made, &error)),
            "1 error: array 'u' has a dtype with the number -1\n"
            "  help: use one of the enumeration lathe_dtype\n");
  EXPECT_EQ(made, nullptr);
  lathe_builder_destroy(b);
}

TEST_F(Misuse, NullFromAnAllocator) {
  make(kPick);
  unsigned char m[4] = {1, 0, 1, 0};
  view = {"m", m, LATHE_BOOL, 1, nullptr, &four, nullptr, LATHE_HOST, 1};
  const Value n("n", 4);
  lathe_run_options options = {};
  options.size = sizeof options;
  options.allocate = [](void*, lathe_view*, std::int64_t*) { return 0; };
  EXPECT_EQ(said(lathe_run(kernel, &n, 1, &view, 1, &options, nullptr, &error)),
            "6 error: no memory was given for output 'p' over [0..2]\n"
            "  help: let the allocation callback return memory for it\n");
}

TEST_F(Misuse, MoreScratchThanThereIs) {
  make(
      "program big(n: size)\n  input u: f64[i: 1]\n  temp t: f64[i: n, j: n]\n"
      "  temp s: f64[i: n, j: n]\n  output v: f64[i: 1]\n"
      "  for i in 0..1: t[0, i] = u[i]\n  call sort(t) -> s\n  for i in 0..1: v[i] = s[0, i]\n");
  const std::int64_t one = 1;
  view.shape = &one;
  ASSERT_EQ(lathe_call_bind(call, &view, nullptr), LATHE_OK);
  Value n("n", std::int64_t{1} << 31);
  ASSERT_EQ(lathe_call_set(call, &n, nullptr), LATHE_OK);
  EXPECT_EQ(said(lathe_call_run(call, nullptr, nullptr, &error)),
            "3 error: temporary 't' does not fit in 64 bits of address\n"
            "  help: use smaller sizes\n");
  n = Value("n", std::int64_t{1} << 28);
  ASSERT_EQ(lathe_call_set(call, &n, nullptr), LATHE_OK);
  EXPECT_EQ(said(lathe_call_run(call, nullptr, nullptr, &error)),
            "6 error: cannot allocate 1152921504606846976 bytes: this machine has " +
                std::to_string(host::memory_limit()) + " bytes of memory and swap for it\n");
}

}  // namespace
}  // namespace lathe::testing
