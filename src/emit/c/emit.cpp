// SPDX-License-Identifier: Apache-2.0
// The whole text: abi.h, types, small functions, tables, bodies of parallel loops, lathe_run.

#include "emit/c/emit.h"

#include <algorithm>

#include "emit/c/names.h"
#include "emit/c/printer.h"
#include "emit/c/types.h"

namespace lathe::emit {

namespace {

// A program may compare a value with itself, compute what nobody uses, read what nobody wrote.
constexpr std::string_view kTypes = R"(
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#pragma GCC diagnostic ignored "-Wself-assign"
#pragma GCC diagnostic ignored "-Wpass-failed" /* unrolling is a wish */
#else
#pragma GCC optimize("rounding-math") /* or 0.0 - (double)i becomes -(double)i: gcc 12 */
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#pragma GCC diagnostic ignored "-Warray-bounds"
#pragma GCC diagnostic ignored "-Wrestrict"
#endif
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wtautological-compare"
#pragma GCC diagnostic ignored "-Wtype-limits"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wunused-const-variable"
#pragma GCC diagnostic ignored "-Wunused-variable"
#define FN static inline __attribute__((always_inline, unused))

typedef signed char i8;
typedef short i16;
typedef int i32;
typedef lathe_int64 i64;
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned u32;
typedef lathe_uint64 u64;
typedef float f32;
typedef double f64;

)";

// What the context offers. Only what is called is printed.
struct Service {
  std::string_view name, text;
};
constexpr Service kServices[] = {
    {"extent", R"(FN i64 extent(i64 lo, i64 hi) {
  return lo < hi ? hi - lo : 0;
}

)"},
    {"stopped", R"(FN i32 stopped(lathe_context *context) {
  return __atomic_load_n(&context->status, __ATOMIC_RELAXED) != 0;
}

)"},
    {"stop", R"(FN i32 stop(lathe_context *context, i32 status) {
  i32 none = 0;
  if (status != 0)
    __atomic_compare_exchange_n(&context->status, &none, status, 0, __ATOMIC_RELAXED,
                                __ATOMIC_RELAXED);
  return __atomic_load_n(&context->status, __ATOMIC_RELAXED) != 0;
}

)"},
    {"fence", R"(FN void fence(void) {
#ifdef __x86_64__
  __builtin_ia32_sfence();
#endif
}

)"},
    {"one_by_one", R"(FN void one_by_one(void) {
#if !defined(__clang__) && __GNUC__ < 14
  __asm__ volatile("");
#endif
}

)"},
    {"fault",
     R"(static __attribute__((cold, noinline)) void fault(lathe_context *context, i64 site, i32 count,
                                                   const i64 *values) {
  i32 none = 0;
  if (!__atomic_compare_exchange_n(&context->status, &none, LATHE_FAULT, 0, __ATOMIC_RELAXED,
                                   __ATOMIC_RELAXED))
    return;
  context->fault_site = site;
  context->fault_count = count;
  for (i32 i = 0; i < count; ++i) context->fault_values[i] = values[i];
}

)"},
    {"outside",
     R"(static __attribute__((cold, noinline)) i64 outside(lathe_context *context, i64 check,
                                                    i32 count, const i64 *index) {
  fault(context, (1 << 20) + check, count, index);
  return 0;
}

)"},
};

// Besides the first line.
bool mentions_context(const Block& function) {
  std::string text;
  function.print(text);
  return text.find("context", text.find('\n')) != text.npos;
}

std::string services(std::string_view code) {
  std::string text;
  const bool checks = code.find("outside(") != code.npos;
  for (const Service& s : kServices) {
    const std::string call = std::string(s.name) + "(";
    if (code.find(call) != code.npos || (checks && s.name == "fault")) text += s.text;
  }
  return text;
}

}  // namespace

Printer::Printer(const loops::Kernel& kernel, const EmitOptions& options)
    : kernel_(kernel),
      options_(options),
      plans_(plan_lanes(kernel, options.checked ? 0 : options.vector_bytes)) {}

int Printer::add_check(Symbol array, bool store) {
  result_.checks.push_back({array, store});
  return static_cast<int>(result_.checks.size()) - 1;
}

// --- Buffers of the kernel.

void Printer::declare_buffer(const loops::Buffer& b, bool allocated) {
  const int array = static_cast<int>(result_.arrays.size());
  result_.arrays.push_back({b.name, b.dtype, b.axes.size(), allocated, b.layout});
  array_buffer_.push_back(&b);
  Place p;
  p.dtype = b.dtype;
  p.array = array;
  p.pointer.name = identifier('b', array, b.name.text());
  const bool dense = b.space == loops::Space::Scratch;
  if (!b.axes.empty() && (dense || b.unit))
    p.unit = static_cast<int>(b.layout.empty() ? b.axes.size() - 1 : b.layout.back());
  places_[b.name] = std::move(p);
}

void Printer::declare_table(const loops::Buffer& b) {
  Place p;
  lay_out(b, p);
  p.table = true;
  p.pointer.name = identifier('c', next_name_++, b.name.text());
  const std::vector<ir::Scalar>& values = b.values;
  std::string text = "static const " + library_.type(stored(b.dtype), 1) + " " + p.pointer.name +
                     "[" + std::to_string(std::max<std::size_t>(1, values.size())) + "] = {";
  // Values are row-major as declared; memory may be ordered otherwise.
  std::vector<std::string> placed(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::size_t rest = i, at = 0;
    for (std::size_t axis = b.axes.size(); axis-- > 0;) {
      const auto extent = static_cast<std::size_t>(b.axes[axis].hi->scalar().as_int() -
                                                   b.axes[axis].lo->scalar().as_int());
      at += rest % extent * static_cast<std::size_t>(std::stoll(p.stride[axis].name));
      rest /= extent;
    }
    placed[at] = ir::is_half(b.dtype) ? std::to_string(values[i].bits) : literal(values[i]);
  }
  if (placed.empty()) placed = {"0"};
  for (std::size_t i = 0; i < placed.size(); ++i)
    text += (i % 8 == 0 ? "\n  " : " ") + placed[i] + ",";
  tables_ += text + "\n};\n\n";
  places_[b.name] = std::move(p);
}

// Numbers the arrays of allocations, and finds rotations, wherever they stand.
void Printer::look_ahead(const Body& statements) {
  for (const loops::Stmt& s : statements) {
    if (const auto* loop = std::get_if<loops::For>(&s.node)) look_ahead(loop->body);
    if (const auto* branch = std::get_if<loops::If>(&s.node)) {
      look_ahead(branch->then_body);
      look_ahead(branch->else_body);
    }
    if (const auto* alloc = std::get_if<loops::Alloc>(&s.node)) {
      const loops::Space space = alloc->buffer.space;
      if (space == loops::Space::Scratch || space == loops::Space::Argument) {
        allocated_[alloc] = static_cast<int>(result_.arrays.size());
        declare_buffer(alloc->buffer, true);
      }
    }
    if (const auto* rotate = std::get_if<loops::Rotate>(&s.node)) {
      std::vector<int> group;
      for (Symbol name : rotate->buffers) group.push_back(place(name).array);
      rotation_groups_.push_back(std::move(group));
    }
  }
}

// Rotations that share an array are one group; a group has unit stride only if all of it has.
void Printer::join_rotations() {
  std::vector<std::set<int>> groups;
  for (const std::vector<int>& rotation : rotation_groups_) {
    std::set<int> joined(rotation.begin(), rotation.end());
    std::vector<std::set<int>> apart;
    for (std::set<int>& group : groups) {
      const bool meets = std::any_of(group.begin(), group.end(),
                                     [&](int array) { return joined.contains(array); });
      if (meets)
        joined.insert(group.begin(), group.end());
      else
        apart.push_back(std::move(group));
    }
    apart.push_back(std::move(joined));
    groups = std::move(apart);
  }
  rotation_groups_.clear();
  for (const std::set<int>& group : groups) {
    rotation_groups_.emplace_back(group.begin(), group.end());
    rotated_.insert(group.begin(), group.end());
    const auto unit = [this](int array) -> int& {
      return place(array_buffer_[static_cast<std::size_t>(array)]->name).unit;
    };
    const int common = unit(*group.begin());
    const bool same =
        std::all_of(group.begin(), group.end(), [&](int array) { return unit(array) == common; });
    if (!same)
      for (int array : group) unit(array) = -1;
  }
}

// --- The text.

std::string Printer::run_function() {
  Block block;
  out_ = &block;
  body(kernel_.body, Form{});
  release_memory(0);
  settle_rotations();
  Block whole;
  whole.open("i32 lathe_run(lathe_context *context)");
  for (int array : rotated_) {
    const std::string n = std::to_string(array);
    if (!result_.arrays[static_cast<std::size_t>(array)].allocated)
      whole.line("const lathe_array home" + n + " = context->arrays[" + n + "];");
  }
  whole.append(prologue(*frame_));
  whole.append(std::move(block));
  if (!mentions_context(whole)) whole.line("(void)context;");
  whole.line(options_.checked ? "return context->status;" : "return LATHE_FINE;");
  whole.close();
  std::string text;
  whole.print(text);
  return text;
}

EmitResult Printer::run() {
  Frame frame;
  frame.run = true;
  frame_ = &frame;
  for (std::size_t i = 0; i < kernel_.parameters.size(); ++i) {
    const ir::Parameter& p = kernel_.parameters[i];
    Binding b;
    b.dtype = p.dtype;
    b.tame = p.is_size;
    b.parameter = static_cast<int>(i);
    b.chunks = {{identifier('p', b.parameter, p.name.text()), value_type(p.dtype, 1, 0), 0}};
    bindings_[p.name] = std::move(b);
  }
  for (const loops::Buffer& b : kernel_.buffers)
    b.space == loops::Space::Table ? declare_table(b) : declare_buffer(b, false);
  look_ahead(kernel_.body);
  join_rotations();
  const std::string run = run_function();
  std::string text = "// " + comment_text(kernel_.name.text()) + ": printed by Lathe.\n\n";
  text += abi_text();
  text += kTypes;
  result_.library_begin = text.size();
  text += library_.text();
  std::string code;
  std::vector<std::size_t> functions;
  for (const std::string& body : bodies_) {  // its environment comes before it
    functions.push_back(code.size() + body.find("void lathe_body_"));
    code += body;
  }
  functions.push_back(code.size());
  code += run;
  text += services(code);
  result_.code_begin = text.size();
  result_.text = text + tables_ + code;
  for (const std::size_t f : functions)
    result_.functions.push_back(result_.code_begin + tables_.size() + f);
  result_.needs_libm = library_.needs_libm();
  return std::move(result_);
}

EmitResult emit_c(const loops::Kernel& kernel, const EmitOptions& options) {
  check(options.vector_bytes == 0 || (options.vector_bytes >= 8 && options.vector_bytes <= 64 &&
                                      (options.vector_bytes & (options.vector_bytes - 1)) == 0),
        "a vector of 8 to 64 bytes");
  return Printer(kernel, options).run();
}

// -fwrapv costs nothing here and makes plain index arithmetic defined; errno cannot be seen by a
// kernel. Not -fno-trapping-math: with it gcc 12 makes trunc(x) of (float)(int)x, and so -0 of
// -0.25.
std::vector<std::string> emit_flags(const EmitOptions& options) {
  std::vector<std::string> flags = {"-std=gnu11",
                                    "-O" + std::to_string(options.optimize),
                                    "-fPIC",
                                    "-shared",
                                    "-ffp-contract=off",
                                    "-fno-math-errno",
                                    "-fwrapv",
                                    "-Wno-psabi",
                                    "-Wl,-Bsymbolic"};
  if (options.native) flags.insert(flags.begin() + 2, "-march=native");
  // A compiler that is older than the processor tunes for the last one it knows, which had no
  // vectors of 64 bytes: gcc 12 on Zen 5 keeps addresses so that horizontal diffusion takes 1.4
  // times as long.
  if (options.native && options.vector_bytes == 64)
    flags.insert(flags.begin() + 3, {"-mprefer-vector-width=512", "-mtune=icelake-server"});
  return flags;
}

}  // namespace lathe::emit
