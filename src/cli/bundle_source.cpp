// SPDX-License-Identifier: Apache-2.0
// NAME.c: the kernel, and around it what api/frame.cpp does for kernels inside of Lathe.

#include <fmt/format.h>

#include <unordered_map>

#include "base/quoted.h"
#include "cli/bundle.h"
#include "cli/bundle_runtime.h"
#include "emit/c/names.h"
#include "ir/text.h"
#include "ir/traverse.h"

namespace lathe::cli {
namespace {

// A bound over the parameters as C: rt_add(p0, 1, &bad).
class BoundPrinter {
 public:
  explicit BoundPrinter(const Bundle& bundle) : bundle_(bundle) {}

  std::string text(ir::Expr bound, ir::Symbol array) {
    for (const ir::Expr e : ir::post_order(bound)) {
      if (done_.contains(e)) continue;
      const std::string c = one(e);
      if (c.empty())
        throw UserError("a bundle cannot compute the bound " + lathe::quoted(ir::print(bound)) +
                            " of " + quoted(array),
                        {}, "use + - * // % min max of sizes in the ranges of arrays");
      done_[e] = c;
    }
    return done_.at(bound);
  }

 private:
  // Empty for what is not known. Operands are done.
  std::string one(ir::Expr e) const {
    const auto operand = [&](std::size_t i) { return done_.at(e->arg(i)); };
    const auto call = [&](const char* name, bool checked) {
      return fmt::format("{}({}, {}{})", name, operand(0), operand(1), checked ? ", &bad" : "");
    };
    using ir::Op;
    switch (e->op) {
      case Op::Const:
        if (e->scalar().as_int() == INT64_MIN) return "INT64_MIN";
        return fmt::format("INT64_C({})", e->scalar().as_int());
      case Op::Param: {
        const auto p = bundle_.signature->find_parameter(e->name.text());
        return p ? bundle_.parameters[*p].local : "";
      }
      case Op::Cast:
        return e->dtype == ir::DType::I64 && ir::is_int(e->arg(0)->dtype) ? "(int64_t)" + operand(0)
                                                                          : "";
      case Op::Add: return call("rt_add", true);
      case Op::Sub: return call("rt_sub", true);
      case Op::Mul: return call("rt_mul", true);
      case Op::FloorDiv: return call("rt_div", true);
      case Op::Mod: return call("rt_mod", true);
      case Op::Min: return call("rt_min", false);
      case Op::Max: return call("rt_max", false);
      case Op::Neg: return fmt::format("rt_sub(0, {}, &bad)", operand(0));
      default: return "";
    }
  }

  const Bundle& bundle_;
  std::unordered_map<ir::Expr, std::string> done_;
};

// Two bundles in one program must not meet: nothing but NAME_run and NAME_error is seen outside.
std::string kernel_text(const Bundle& b) {
  std::string text = b.variant->code.text;
  const auto make_static = [&](const std::string& begin) {
    for (std::size_t at = b.variant->code.code_begin; (at = text.find(begin, at)) != text.npos;) {
      text.insert(at + 1, "static ");
      at += begin.size();
    }
  };
  make_static("\nvoid lathe_body_");
  make_static("\ni32 lathe_run(");
  return text;
}

std::string site_text(const loops::Site& s, const SourceMap& sources) {
  const std::string who = "statement " + quoted(s.label);
  std::string text;
  switch (s.kind) {
    case loops::Site::Kind::Range:
      text = who + (s.writes ? " writes " : " reads ") + quoted(s.array) + " outside of its range";
      break;
    case loops::Site::Kind::Unwritten:
      text = who + " reads an element of " + quoted(s.array) + " that nothing has written";
      break;
    case loops::Site::Kind::Twice:
      text = who + " writes an element of " + quoted(s.array) + " twice";
      break;
    case loops::Site::Kind::Division: text = who + " divides by zero in " + s.operation; break;
    case loops::Site::Kind::NegativePower:
      text = who + " takes a negative power of an integer in " + s.operation;
      break;
    case loops::Site::Kind::WhileCap: text = who + " does not end"; break;
  }
  if (s.span.known()) {
    const Location at = sources.location(s.span);
    text += fmt::format(" ({}:{})", at.file, at.line);
  }
  return text;
}

// What the runtime must know of each array of the kernel.
std::string tables(const Bundle& b) {
  const api::Variant& v = *b.variant;
  const std::size_t slots = v.plan->slots.size();
  std::string orders, rows, sites;
  for (std::size_t n = 0; n < slots; ++n) {
    const api::SlotPlan& slot = v.plan->slots[n];
    const bool result = slot.from == api::SlotPlan::From::Allocated && slot.argument;
    rows += fmt::format("    {{{}, {}, {}, {}}}, /* {} */\n", slot.rank,
                        ir::size_bytes(v.code.arrays[n].dtype), slot.first_axis, result ? 1 : 0,
                        emit::comment_text(v.code.arrays[n].name.text()));
    for (const std::size_t x : api::memory_order(v.code.arrays[n]))
      orders += fmt::format("{}, ", x);
  }
  for (const loops::Site& s : v.kernel.sites)
    sites += "    " + c_string(site_text(s, *v.kernel.sources)) + ",\n";
  return fmt::format(R"c(
enum {{ RT_SLOTS = {}, RT_AXES = {} }};
static const struct {{
  int rank, size, first_axis;
  int result; /* the caller gets it */
}} rt_slots[] = {{
{}    {{0, 0, 0, 0}},
}};
/* Axes of each array from the outermost in memory to the innermost. */
static const unsigned char rt_orders[] = {{{}0}};
static const char *const rt_sites[] = {{
{}    "",
}};
)c",
                     slots, v.plan->axis_count, rows, orders, sites);
}

std::string parameter_bits(const api::ParameterInfo& p, const std::string& name) {
  if (p.dtype == ir::DType::F64)
    return fmt::format("((union {{double f; uint64_t u;}}){{{}}}).u", name);
  if (p.dtype == ir::DType::F32)
    return fmt::format("((union {{float f; uint32_t u;}}){{{}}}).u", name);
  if (ir::is_bool(p.dtype)) return name + " != 0";
  return fmt::format("({}){}", bits_type(p.dtype), name);
}

class RunPrinter {
 public:
  explicit RunPrinter(const Bundle& b) : b_(b), v_(*b.variant), bounds_(b) {}

  std::string text() {
    line(prototype(b_, true) + " {", 0);
    line("struct rt_call call;");
    line("memset(&call, 0, sizeof call);");
    line("int bad = 0;");
    parameters();
    for (std::size_t n = 0; n < v_.plan->slots.size(); ++n) argument(n);
    scratch_sizes();
    line("if (bad) return rt_refuse(4, \"the sizes do not fit into 64 bits\");");
    scratch_places();
    line("const int status = rt_run(&call, parameters);");
    if (!v_.plan->scratch.empty()) line("free(arena);");
    results();
    line("return status;");
    line("}", 0);
    return out_;
  }

 private:
  void line(const std::string& text, int indent = 2) {
    out_ += std::string(static_cast<std::size_t>(indent), ' ') + text + "\n";
  }

  void parameters() {
    std::string bits;
    for (std::size_t i = 0; i < b_.parameters.size(); ++i) {
      const api::ParameterInfo& p = b_.signature->parameters()[i];
      const std::string& name = b_.parameters[i].local;
      if (p.is_size)
        line(fmt::format("if ({} < 0) return rt_refuse(4, {});", name,
                         c_string("size " + lathe::quoted(p.name) + " is negative")));
      bits += parameter_bits(p, name) + ", ";
    }
    line("const lathe_uint64 parameters[] = {" + bits + "0};");
  }

  void axes(std::size_t slot, const std::vector<ir::Axis>& axes, ir::Symbol array) {
    for (std::size_t x = 0; x < axes.size(); ++x)
      line(fmt::format("call.axes[{}] = (lathe_axis){{{}, {}, 0}};",
                       v_.plan->slots[slot].first_axis + x, bounds_.text(axes[x].lo, array),
                       bounds_.text(axes[x].hi, array)));
  }

  void argument(std::size_t n) {
    const api::SlotPlan& slot = v_.plan->slots[n];
    if (slot.from != api::SlotPlan::From::Argument) return;
    const api::ArgumentInfo& a = b_.signature->arguments()[*slot.argument];
    const std::string& name = b_.arguments[*slot.argument].local;
    axes(n, a.declared->axes, a.declared->name);
    line(fmt::format("rt_argument(&call, {}, {}, {}, &bad);", n, name,
                     has_strides(a) ? name + "_strides" : "NULL"));
  }

  void scratch_sizes() {
    if (v_.plan->scratch.empty()) return;
    line(fmt::format("int64_t places[{}] = {{0}};", v_.plan->place_count + 1));
    for (const api::ScratchBuffer& s : v_.plan->scratch) {
      axes(s.slot, s.as_array.axes, s.as_array.name);
      const std::string bytes = fmt::format("rt_dense(&call, {}, &bad)", s.slot);
      if (s.place)
        line(fmt::format("places[{}] = rt_max(places[{}], {});", *s.place, *s.place, bytes));
      else
        line(bytes + ";");
    }
    line("int64_t total = 0;");
    line(fmt::format("for (int i = 0; i < {}; ++i) {{", v_.plan->place_count));
    line("const int64_t begin = total;", 4);
    line("total = rt_add(total, rt_mul(rt_add(places[i], 63, &bad) / 64, 64, &bad), &bad);", 4);
    line("places[i] = begin;", 4);
    line("}");
  }

  void scratch_places() {
    if (v_.plan->scratch.empty()) return;
    line("char *const arena = rt_aligned(total);");
    line("if (!arena) return rt_refuse(3, \"not enough memory\");");
    for (const api::ScratchBuffer& s : v_.plan->scratch)
      line(s.place ? fmt::format("rt_place(&call, {}, arena + places[{}]);", s.slot, *s.place)
                   : fmt::format("rt_place(&call, {}, arena);", s.slot));
  }

  void results() {
    for (std::size_t n = 0; n < v_.plan->slots.size(); ++n) {
      const api::SlotPlan& slot = v_.plan->slots[n];
      if (slot.from != api::SlotPlan::From::Allocated || !slot.argument) continue;
      const std::string& name = b_.arguments[*slot.argument].local;
      const std::string type = c_type(v_.code.arrays[n].dtype);
      line(
          fmt::format("*{} = status == 0 ? ({} *)(void *)call.results[{}] : NULL;", name, type, n));
      for (std::size_t x = 0; x < slot.rank; ++x) {
        line(fmt::format("{}_bounds[{}] = call.axes[{}].lo;", name, 2 * x, slot.first_axis + x));
        line(
            fmt::format("{}_bounds[{}] = call.axes[{}].hi;", name, 2 * x + 1, slot.first_axis + x));
      }
    }
    unused_arguments();
  }

  // An argument that no statement touches is none of the kernel's.
  void unused_arguments() {
    for (std::size_t i = 0; i < b_.arguments.size(); ++i) {
      bool used = false;
      for (const api::SlotPlan& slot : v_.plan->slots) used |= slot.argument == i;
      if (used) continue;
      line("(void)" + b_.arguments[i].local + ";");
      if (has_strides(b_.signature->arguments()[i]))
        line("(void)" + b_.arguments[i].local + "_strides;");
    }
  }

  const Bundle& b_;
  const api::Variant& v_;
  BoundPrinter bounds_;
  std::string out_;
};

}  // namespace

std::string bundle_source(const Bundle& b) {
  std::string text =
      fmt::format("/* {0}.c: made by `lathe emit` from {1}. {0}.h says how to call it. */\n\n",
                  b.name, emit::comment_text(b.source));
  text += "#include \"" + b.name + ".h\"\n\n";
  text += kRuntimeHead;
  text += kernel_text(b);
  text += kRuntimeMemory;
  text += tables(b);
  text += kRuntimeCall;
  text += bundle_calls(b);
  text += kRuntimeRun;
  text += fmt::format("\nconst char *{}_error(void) {{ return rt_message; }}\n\n", b.name);
  return text + RunPrinter(b).text();
}

}  // namespace lathe::cli
