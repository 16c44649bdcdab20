// SPDX-License-Identifier: Apache-2.0
// golden.h, test.c and the Makefile: how a bundle shows, far from Lathe, that it computes the bits
// that the interpreter computes.

#include <fmt/format.h>

#include <cstring>

#include "cli/bindings.h"
#include "cli/bundle.h"
#include "cli/bundle_runtime.h"
#include "emit/c/names.h"

namespace lathe::cli {
namespace {

std::string elements(const interp::Buffer& b) {
  const std::size_t size = ir::size_bytes(b.dtype);
  const int digits = ir::width_bits(b.dtype) / 4 + 2;
  const std::size_t per_line = size == 8 ? 4 : size == 4 ? 8 : 12;
  std::string text;
  for (std::size_t i = 0; i * size < b.data.size(); ++i)
    text += fmt::format("{}{:#0{}x},", i % per_line == 0 ? "\n    " : " ",
                        ir::Scalar::load(b.dtype, b.data.data() + i * size).bits, digits);
  return text.empty() ? "\n    0," : text;  // C has no empty arrays
}

std::string table(const std::string& name, const interp::Buffer& b) {
  return fmt::format("static const {} {}[] = {{{}\n}};\n", bits_type(b.dtype), name, elements(b));
}

std::uint64_t infinity(ir::DType t) {
  return ir::is_float(t) ? ir::Scalar::of_double(t, HUGE_VAL).bits : 0;
}

// One run of the function on the golden data: `gaps` between rows or none.
class TestPrinter {
 public:
  explicit TestPrinter(const Bundle& b) : b_(b) {}

  std::string function() {
    line("static int run(int gaps) {", 0);
    for (std::size_t i = 0; i < b_.arguments.size(); ++i) make(i);
    call();
    line("if (status != 0) {");
    line(fmt::format("printf(\"{} gives %d: %s\\n\", status, {}_error());", b_.function, b_.name),
         4);
    line("return 0;", 4);
    line("}");
    line("int fine = 1;");
    for (std::size_t i = 0; i < b_.arguments.size(); ++i) judge(i);
    line("(void)gaps;");
    line("return fine;");
    line("}", 0);
    return out_;
  }

 private:
  void line(const std::string& text, int indent = 2) {
    out_ += std::string(static_cast<std::size_t>(indent), ' ') + text + "\n";
  }
  const api::ArgumentInfo& info(std::size_t i) const { return b_.signature->arguments()[i]; }
  const std::string& name(std::size_t i) const { return b_.arguments[i].local; }
  const interp::Buffer& result(std::size_t i) const { return b_.results->arrays.at(info(i).name); }

  void make(std::size_t i) {
    const api::ArgumentInfo& a = info(i);
    const std::string n = name(i), type = c_type(a.dtype);
    if (a.computed) {
      line(fmt::format("{} *{} = NULL;", type, n));
      line(fmt::format("int64_t {}_bounds[{}];", n, 2 * a.rank));
      return;
    }
    const interp::Buffer& shape = a.is_read() ? b_.inputs->arrays.at(a.name) : result(i);
    const std::size_t bytes = shape.data.size();
    const std::string from = a.is_read() ? "golden_in_" + n : "NULL";
    line(fmt::format("{} *{} = filled({}, {}, {});", type, n, from, bytes, bytes));
    if (!has_strides(a)) return;
    std::string extents;
    for (const std::int64_t e : shape_of(shape)) extents += fmt::format("{}, ", e);
    line(fmt::format("const int64_t {}_shape[] = {{{}}};", n, extents));
    line(fmt::format("int64_t {}_strides[{}];", n, a.rank - 1));
    line(fmt::format("const size_t {0}_room = (size_t)spread({1}, {0}_shape, {0}_strides);", n,
                     a.rank));
    line(fmt::format("{0} *{1}_gaps = filled(NULL, 0, {1}_room * sizeof({0}));", type, n));
    copy(i, 1);
  }

  void copy(std::size_t i, int to_gaps) {
    const std::string& n = name(i);
    line(
        fmt::format("copy({1}, {0}_shape, {0}_strides, sizeof({2}), (char *){0}_gaps, (char *){0},"
                    " {3});",
                    n, info(i).rank, c_type(info(i).dtype), to_gaps));
  }

  void call() {
    std::string text;
    const auto add = [&](const std::string& word) { text += (text.empty() ? "" : ", ") + word; };
    for (const BundleName& p : b_.parameters) add("golden_" + p.local);
    for (std::size_t i = 0; i < b_.arguments.size(); ++i) {
      const std::string& n = name(i);
      if (info(i).computed) {
        add("&" + n);
        add(n + "_bounds");
      } else if (has_strides(info(i))) {
        add(fmt::format("gaps ? {0}_gaps : {0}", n));
        add(fmt::format("gaps ? {0}_strides : NULL", n));
      } else {
        add(n);
      }
    }
    line(fmt::format("const int status = {}({});", b_.function, text));
  }

  void judge(std::size_t i) {
    const api::ArgumentInfo& a = info(i);
    const std::string& n = name(i);
    if (a.is_written()) {
      if (has_strides(a)) {
        line("if (gaps)");
        out_ += "  ";
        copy(i, 0);
      }
      const interp::Buffer& want = result(i);
      for (std::size_t x = 0; a.computed && x < a.rank; ++x)
        line(fmt::format("fine &= {0}_bounds[{1}] == {2} && {0}_bounds[{3}] == {4};", n, 2 * x,
                         want.lo[x], 2 * x + 1, want.hi[x]));
      line(fmt::format("fine = fine && same({}, {}, golden_out_{}, {}, {}, UINT64_C({:#x}));",
                       c_string(a.name), n, n, want.element_count(), ir::size_bytes(a.dtype),
                       infinity(a.dtype)));
    }
    line("free(" + n + ");");
    if (has_strides(a)) line("free(" + n + "_gaps);");
  }

  const Bundle& b_;
  std::string out_;
};

std::string parameter_value(const ir::Scalar& s) {
  if (s.dtype == ir::DType::F64 || s.dtype == ir::DType::F32)
    return fmt::format("{:a}{}", s.as_double(), s.dtype == ir::DType::F32 ? "f" : "");
  if (ir::is_half(s.dtype) || ir::is_bool(s.dtype)) return std::to_string(s.bits);
  if (ir::is_unsigned_int(s.dtype)) return fmt::format("UINT64_C({})", s.bits);
  return s.as_int() == INT64_MIN ? "INT64_MIN" : fmt::format("INT64_C({})", s.as_int());
}

}  // namespace

std::string bundle_golden(const Bundle& b) {
  std::string text = fmt::format(
      "/* golden.h: inputs of {} and what Lathe's interpreter makes of them, as bits. */\n",
      b.function);
  for (std::size_t i = 0; i < b.parameters.size(); ++i) {
    const api::ParameterInfo& p = b.signature->parameters()[i];
    text += fmt::format("\n/* {} */\nstatic const {} golden_{} = {};\n", b.parameters[i].c,
                        c_type(p.dtype), b.parameters[i].local,
                        parameter_value(b.inputs->parameters.at(p.name)));
  }
  for (std::size_t i = 0; i < b.arguments.size(); ++i) {
    const api::ArgumentInfo& a = b.signature->arguments()[i];
    text += fmt::format("\n/* {} */\n", b.arguments[i].c);
    if (a.is_read())
      text += table("golden_in_" + b.arguments[i].local, b.inputs->arrays.at(a.name));
    if (a.is_written())
      text += table("golden_out_" + b.arguments[i].local, b.results->arrays.at(a.name));
  }
  return text;
}

std::string bundle_test(const Bundle& b) {
  std::string text = fmt::format(
      "/* test.c: {} on the data of golden.h must give its results, bit for bit: on any number of\n"
      "   threads, with and without gaps between rows. */\n\n"
      "#include <inttypes.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
      "#ifdef _OPENMP\n#include <omp.h>\n#endif\n\n#include \"{}.h\"\n#include \"golden.h\"\n",
      b.function, b.name);
  text += kTestTools;
  text += "\n" + TestPrinter(b).function();
  text += fmt::format(R"c(
int main(void) {{
  for (int threads = 1; threads <= 3; ++threads) {{
#ifdef _OPENMP
    omp_set_num_threads(threads);
#endif
    if (!run(0) || !run(1)) return 1;
  }}
  printf("{}: all bits as they should be\n");
  return 0;
}}
)c",
                      b.name);
  return text;
}

std::string bundle_makefile(const Bundle& b) {
  std::string flags;
  for (const std::string& flag : b.variant->flags) {
    const bool of_library = flag == "-shared" || flag == "-fPIC" || flag.starts_with("-Wl,");
    if (!of_library) flags += (flags.empty() ? "" : " ") + flag;
  }
  return fmt::format(
      R"(# {0}: made by `lathe emit`. `make test` builds it and compares it with golden.h; by hand:
#   cc {1} -fopenmp {0}.c test.c -lm -o test_{0} && ./test_{0}
# Without -ffp-contract=off, or with -ffast-math, the bits are not the program's.
FLAGS = {1} -Wall -Wextra
# Threads, where the compiler has OpenMP.
OPENMP := $(shell echo 'int main(void) {{ return 0; }}' | $(CC) -fopenmp -x c - -o /dev/null 2>/dev/null && echo -fopenmp)

# Threads that wait do not spin: the test is about bits, and others may need the processors.
test: test_{0}
	OMP_WAIT_POLICY=passive ./test_{0}

{0}.o: {0}.c {0}.h
	$(CC) $(FLAGS) $(OPENMP) -c {0}.c -o $@

test_{0}: {0}.o test.c golden.h
	$(CC) $(FLAGS) $(OPENMP) test.c {0}.o -lm -o $@

clean:
	rm -f {0}.o test_{0}

.PHONY: test clean
)",
      b.name, flags);
}

}  // namespace lathe::cli
