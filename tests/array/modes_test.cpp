// SPDX-License-Identifier: Apache-2.0
// What the C interface has for other languages: weak scalars, the interpreter on demand, arrays
// that need no bindings, the cache.
#include <gtest/gtest.h>
#include <lathe/c_array.h>

#include <cstdlib>
#include <string>

namespace {

lathe_lazy* apply(const char* name, const lathe_lazy* a, const lathe_lazy* b) {
  const lathe_lazy* operands[] = {a, b};
  lathe_apply request = {};
  request.size = sizeof request;
  request.name = name;
  request.operands = operands;
  request.operand_count = 2;
  lathe_lazy* made = nullptr;
  EXPECT_EQ(lathe_lazy_apply(&request, &made, nullptr), LATHE_OK);
  return made;
}

lathe_lazy* floats() {
  static float values[] = {1, 2, 3};
  static const std::int64_t shape[] = {3};
  const lathe_view view = {"", values, LATHE_F32, 1, nullptr, shape, nullptr, LATHE_HOST, 0};
  lathe_lazy* made = nullptr;
  EXPECT_EQ(lathe_lazy_data(&view, LATHE_REFER, nullptr, nullptr, {nullptr, 0}, &made, nullptr),
            LATHE_OK);
  return made;
}

TEST(Modes, WeakScalarsTakeTheDtypeOfWhatTheyMeet) {
  lathe_lazy *x = floats(), *weak = nullptr, *strong = nullptr;
  ASSERT_EQ(lathe_lazy_scalar("s", LATHE_F64, 1, {nullptr, 0}, &weak, nullptr), LATHE_OK);
  ASSERT_EQ(lathe_lazy_scalar("s", LATHE_F64, 0, {nullptr, 0}, &strong, nullptr), LATHE_OK);
  lathe_lazy *a = apply("multiply", x, weak), *b = apply("multiply", x, strong);
  EXPECT_EQ(lathe_lazy_dtype(a), LATHE_F32);
  EXPECT_EQ(lathe_lazy_dtype(b), LATHE_F64);
  EXPECT_EQ(lathe_lazy_is_closed(x), 1);
  EXPECT_EQ(lathe_lazy_is_closed(a), 0);
  lathe_value s = {};
  s.name = "s";
  s.dtype = LATHE_F64;
  s.as.f = 0.5;
  for (int interpret : {0, 1}) {
    lathe_eval_options options = {};
    options.size = sizeof options;
    options.values = &s;
    options.value_count = 1;
    options.interpret = interpret;
    options.checked = interpret;
    lathe_lazy* value = nullptr;
    ASSERT_EQ(lathe_lazy_eval(&a, 1, &options, &value, nullptr), LATHE_OK);
    lathe_view view;
    ASSERT_EQ(lathe_lazy_view(value, &view, nullptr), LATHE_OK);
    EXPECT_EQ(static_cast<const float*>(view.data)[2], 1.5F);
    lathe_lazy_destroy(value);
  }
  lathe_error* error = nullptr;
  lathe_lazy* none = nullptr;
  EXPECT_EQ(lathe_lazy_scalar("s", LATHE_F32, 1, {nullptr, 0}, &none, &error), LATHE_ERROR_USAGE);
  EXPECT_STREQ(lathe_error_text(error), "error: a weak scalar is an f64\n");
  lathe_error_destroy(error);
  for (lathe_lazy* h : {x, weak, strong, a, b}) lathe_lazy_destroy(h);
}

TEST(Modes, OpenSizesAreOpen) {
  lathe_size* n = nullptr;
  ASSERT_EQ(lathe_size_named("n", &n, nullptr), LATHE_OK);
  lathe_lazy* value = nullptr;
  ASSERT_EQ(lathe_lazy_size(n, &value, nullptr), LATHE_OK);
  EXPECT_EQ(lathe_lazy_is_closed(value), 0);
  lathe_lazy_destroy(value);
  lathe_size_destroy(n);
}

TEST(Modes, TwoInputsOfOneNameAreOneOrAMistake) {
  lathe_size *n = nullptr, *three = lathe_size_number(3);
  ASSERT_EQ(lathe_size_named("n", &n, nullptr), LATHE_OK);
  lathe_lazy *x = nullptr, *y = nullptr, *named = nullptr;
  ASSERT_EQ(lathe_lazy_input("x", LATHE_F64, &n, 1, {nullptr, 0}, &x, nullptr), LATHE_OK);
  ASSERT_EQ(lathe_lazy_input("x", LATHE_F64, &three, 1, {nullptr, 0}, &y, nullptr), LATHE_OK);
  const char* label = "i";
  ASSERT_EQ(lathe_lazy_named(x, &label, 1, {nullptr, 0}, &named, nullptr), LATHE_OK);
  lathe_lazy *fine = apply("add", x, named), *wrong = apply("add", x, y);
  char* text = nullptr;
  EXPECT_EQ(lathe_lazy_text(&fine, 1, LATHE_REPORT_PROGRAM, &text, nullptr), LATHE_OK);
  lathe_text_destroy(text);
  lathe_error* error = nullptr;
  EXPECT_EQ(lathe_lazy_text(&wrong, 1, LATHE_REPORT_PROGRAM, &text, &error), LATHE_ERROR_ARGUMENT);
  EXPECT_STREQ(lathe_error_text(error),
               "error: two inputs are both called 'x': f64(n,) and f64(3,)\n"
               "  help: give one of them another name\n");
  lathe_error_destroy(error);
  for (lathe_lazy* h : {x, y, named, fine, wrong}) lathe_lazy_destroy(h);
  for (lathe_size* s : {n, three}) lathe_size_destroy(s);
}

TEST(Modes, KernelsRunInTheInterpreterWhenAsked) {
  const std::string text =
      "program scale(n: size)\n  input  u: f64[i: n]\n  output v: f64[i: n]\n\n"
      "  for i in 0..n: v[i] = 2 * u[i]\n";
  lathe_program* program = nullptr;
  ASSERT_EQ(lathe_program_from_text("scale", text.c_str(), text.size(), &program, nullptr),
            LATHE_OK);
  lathe_compile_options options = {};
  options.size = sizeof options;
  options.interpret = 1;
  lathe_kernel* kernel = nullptr;
  ASSERT_EQ(lathe_compile(program, &options, &kernel, nullptr), LATHE_OK);
  double u[] = {1, 2}, v[] = {0, 0};
  const std::int64_t shape[] = {2};
  const lathe_view views[] = {{"u", u, LATHE_F64, 1, nullptr, shape, nullptr, LATHE_HOST, 1},
                              {"v", v, LATHE_F64, 1, nullptr, shape, nullptr, LATHE_HOST, 0}};
  lathe_value n = {};
  n.name = "n";
  n.dtype = LATHE_I64;
  n.as.i = 2;
  lathe_timing timing = {};
  timing.size = sizeof timing;
  ASSERT_EQ(lathe_run(kernel, &n, 1, views, 2, nullptr, &timing, nullptr), LATHE_OK);
  EXPECT_EQ(timing.interpreted, 1);
  EXPECT_EQ(v[1], 4);
  lathe_kernel_destroy(kernel);
  lathe_program_destroy(program);
}

TEST(Modes, ErrorsSayWhereAndWhatAbout) {
  lathe_lazy* x = floats();
  lathe_apply request = {};
  request.size = sizeof request;
  request.name = "sum";
  request.operands = &x;
  request.operand_count = 1;
  const std::int64_t ints[] = {0, 1, 5};
  request.ints = ints;
  request.int_count = 3;
  for (const char* file : {"model.c", static_cast<const char*>(nullptr)}) {
    request.place = {file, 12};
    lathe_lazy* made = nullptr;
    lathe_error* error = nullptr;
    ASSERT_EQ(lathe_lazy_apply(&request, &made, &error), LATHE_ERROR_ARGUMENT);
    EXPECT_EQ(lathe_error_kind(error), LATHE_KIND_AXIS);
    EXPECT_EQ(lathe_error_says_where(error), file ? 1 : 0);
    EXPECT_STREQ(lathe_error_about(error), "");
    lathe_error_destroy(error);
  }
  lathe_lazy_destroy(x);
  EXPECT_EQ(lathe_error_kind(nullptr), LATHE_KIND_OTHER);
  EXPECT_EQ(lathe_error_says_where(nullptr), 0);
  EXPECT_STREQ(lathe_error_about(nullptr), "");
}

TEST(Modes, OpenNames) {
  lathe_lazy *x = nullptr, *s = nullptr;
  lathe_size* n = nullptr;
  ASSERT_EQ(lathe_size_named("n", &n, nullptr), LATHE_OK);
  ASSERT_EQ(lathe_lazy_input("x", LATHE_F64, &n, 1, {nullptr, 0}, &x, nullptr), LATHE_OK);
  ASSERT_EQ(lathe_lazy_scalar("s", LATHE_F64, 0, {nullptr, 0}, &s, nullptr), LATHE_OK);
  lathe_lazy* y = apply("multiply", x, s);
  char* text = nullptr;
  ASSERT_EQ(lathe_lazy_text(&y, 1, LATHE_REPORT_OPEN, &text, nullptr), LATHE_OK);
  EXPECT_STREQ(text, "x\nn\ns\n");
  for (const char* name : {"x", "n", "s"}) EXPECT_EQ(lathe_lazy_is_open(y, name), 1);
  EXPECT_EQ(lathe_lazy_is_open(y, "q"), 0);
  lathe_text_destroy(text);
  for (lathe_lazy* a : {x, s, y}) lathe_lazy_destroy(a);
  lathe_size_destroy(n);
}

TEST(Modes, TheCacheSaysWhatItHolds) {
  EXPECT_NE(std::string(lathe_cache_folder()), "");
  std::int64_t kernels = -1, bytes = -1;
  ASSERT_EQ(lathe_cache_usage(&kernels, &bytes, nullptr), LATHE_OK);
  EXPECT_GE(kernels, 0);
  EXPECT_GE(bytes, 0);
  EXPECT_EQ(lathe_cache_usage(nullptr, nullptr, nullptr), LATHE_OK);
}

}  // namespace
