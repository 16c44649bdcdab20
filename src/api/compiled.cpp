// SPDX-License-Identifier: Apache-2.0
#include "api/compiled.h"

#include <algorithm>
#include <chrono>

#include "api/frame.h"
#include "base/checked.h"
#include "base/files.h"
#include "device/host/machine.h"
#include "emit/c/abi.h"
#include "interp/binding.h"
#include "interp/fault_words.h"
#include "ir/detach.h"
#include "ir/loops_verify.h"
#include "lower/lower.h"
#include "pipeline.h"
#include "schedule/legal.h"

namespace lathe::api {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

bool is_argument(const ir::Array& a) {
  return a.role != ir::Role::Temp && a.role != ir::Role::Const;
}

schedule::Machine scheduling_facts() {
  const host::Machine facts = host::machine_facts();
  schedule::Machine m;
  m.name = facts.name;
  m.vector_bytes = std::max(16, facts.vector_bytes);
  if (facts.l1d_bytes > 0) m.l1 = facts.l1d_bytes;
  if (facts.l2_bytes > 0) m.l2 = facts.l2_bytes;
  if (facts.l3_bytes > 0) m.l3 = facts.l3_bytes;
  return m;
}

}  // namespace

Compiled::Compiled(const ir::Program& program, CompileOptions options)
    : options_(std::move(options)), prepared_(run_preparation(run_pipeline(ir::detach(program)))) {
  if (!options_.lockfile.empty() || !options_.lockfile_text.empty()) {
    Diagnostics diagnostics;
    const bool file = !options_.lockfile.empty();
    auto parsed = schedule::parse_schedule(
        file ? options_.lockfile : "schedule",
        file ? read_file(options_.lockfile) : options_.lockfile_text, prepared_, diagnostics);
    if (!parsed) throw UserError(diagnostics.all().front());
    schedule_ = std::move(*parsed);
  } else {
    schedule_ = schedule::default_schedule(prepared_, scheduling_facts());
  }
  schedule::resolve_legal(prepared_, schedule_);
}

Compiled::~Compiled() = default;

VariantKey Compiled::plain_key() const {
  VariantKey key;
  for (const ir::Array& a : prepared_.arrays)
    if (is_argument(a)) key.unit.push_back(true);
  return key;
}

const Variant& Compiled::variant(const VariantKey& key) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<Variant>& slot = variants_[key];
  if (slot) return *slot;
  const auto start = std::chrono::steady_clock::now();
  auto v = std::make_unique<Variant>();
  lower::LowerOptions how;
  how.stream = key.stream;
  std::size_t n = 0;
  for (const ir::Array& a : prepared_.arrays)
    if (is_argument(a) && key.unit[n++]) how.unit.push_back(a.name);
  const std::unique_ptr<schedule::Nest> nest = schedule::resolve(prepared_, schedule_);
  v->kernel = lower::lower(*nest, how);
  loops::verify_or_die(v->kernel, "lower");
  emit::EmitOptions print;
  print.checked = options_.checked;
  print.optimize = options_.optimize;
  print.vector_bytes = options_.vector_bytes > 0
                           ? options_.vector_bytes
                           : std::max(16, host::machine_facts().vector_bytes);
  v->code = emit::emit_c(v->kernel, print);
  v->flags = emit::emit_flags(print);
  v->lathe_seconds = seconds_since(start);
  slot = std::move(v);
  return *slot;
}

Variant& Compiled::compiled_variant(const VariantKey& key) {
  Variant& v = const_cast<Variant&>(variant(key));
  const std::lock_guard lock(mutex_);
  if (v.entry) return v;
  host::KernelRequest request;
  request.text = v.code.text;
  request.flags = v.flags;
  request.symbols = {"lathe_run"};
  request.label = std::string(prepared_.name.text());
  host::Cache& cache = options_.cache ? *options_.cache : host::Cache::shared();
  v.library = cache.lookup_or_compile(request);
  if (v.library.error) throw UserError(*v.library.error);
  v.entry = v.library.library->function<int(lathe_context*)>("lathe_run");
  return v;
}

void Compiled::adopt(const VariantKey& key, int (*entry)(lathe_context*)) {
  Variant& v = const_cast<Variant&>(variant(key));
  const std::lock_guard lock(mutex_);
  v.entry = entry;
}

VariantKey Compiled::key_of(const Arguments& arguments) const {
  VariantKey key;
  std::int64_t written = 0;
  for (const ir::Array& a : prepared_.arrays) {
    if (!is_argument(a)) continue;
    const auto it = arguments.arrays.find(std::string(a.name.text()));
    bool unit = true;
    if (it != arguments.arrays.end() && !it->second.strides.empty()) {
      const ArrayView& view = it->second;
      unit = view.strides.back() == static_cast<std::int64_t>(ir::size_bytes(a.dtype));
      if (a.role == ir::Role::Output) {
        std::int64_t bytes = static_cast<std::int64_t>(ir::size_bytes(a.dtype));
        for (std::size_t x = 0; x < view.lo.size(); ++x)
          bytes *= std::max<std::int64_t>(0, view.hi[x] - view.lo[x]);
        written = std::max(written, bytes);
      }
    }
    key.unit.push_back(unit);
  }
  // A last cache that is shared with strangers does not keep what is written.
  key.stream = written > std::min(scheduling_facts().l3, options_.stream_above);
  return key;
}

Timing Compiled::run(Arguments& arguments, const RunOptions& options) {
  Variant& v = compiled_variant(key_of(arguments));
  Frame frame(prepared_, v, arguments, options);
  const auto start = std::chrono::steady_clock::now();
  const int status = frame.call();
  Timing timing;
  timing.seconds = seconds_since(start);
  timing.scratch = frame.scratch_bytes();
  if (status != LATHE_FINE) frame.report(status);
  return timing;
}

Timing Compiled::run(interp::State& state, const RunOptions& options) {
  interp::check_binding(prepared_, state);
  Arguments arguments;
  arguments.parameters = state.parameters;
  const auto view = [](interp::Buffer& b) {
    ArrayView v{b.data.data(), b.dtype, b.lo, b.hi, std::vector<std::int64_t>(b.lo.size())};
    std::int64_t stride = static_cast<std::int64_t>(ir::size_bytes(b.dtype));
    for (std::size_t x = b.lo.size(); x-- > 0;) {
      v.strides[x] = stride;
      stride *= b.extent(x);
    }
    return v;
  };
  for (const ir::Array& a : prepared_.arrays) {
    if (!is_argument(a)) continue;
    const std::string name(a.name.text());
    auto it = state.arrays.find(name);
    if (it == state.arrays.end()) {
      if (Frame::is_computed(a)) continue;
      const interp::Bounds b = interp::declared_bounds(prepared_, a, state);
      it = state.arrays.insert({name, interp::make_buffer(a.dtype, b.lo, b.hi)}).first;
    }
    arguments.arrays[name] = view(it->second);
  }
  auto allocate = [&](const std::string& name, const std::vector<std::int64_t>& lo,
                      const std::vector<std::int64_t>& hi) {
    const ir::Array* a = prepared_.find_array(prepared_.graph->symbol(name));
    return view(state.arrays[name] = interp::make_buffer(a->dtype, lo, hi));
  };
  FunctionRef<ArrayView(const std::string&, const std::vector<std::int64_t>&,
                        const std::vector<std::int64_t>&)>
      allocator(allocate);
  arguments.allocate = &allocator;
  return run(arguments, options);
}

}  // namespace lathe::api
