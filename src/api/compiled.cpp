// SPDX-License-Identifier: Apache-2.0
#include "api/compiled.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "api/call.h"
#include "api/failure.h"
#include "api/warnings.h"
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
  signature_.emplace(prepared_, mutex_);
  // A last cache that is shared with strangers does not keep what is written.
  stream_from_ = std::min(scheduling_facts().l3, options_.stream_above);
}

Compiled::~Compiled() {
  delete spare_.load();
  for (const Ready* r = ready_.load(); r;) delete std::exchange(r, r->next);
}

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
  v->plan = std::make_unique<const CallPlan>(v->kernel, v->code, *signature_);
  v->lathe_seconds = seconds_since(start);
  slot = std::move(v);
  return *slot;
}

const Variant* Compiled::find_ready(const VariantKey& key) const {
  for (const Ready* r = ready_.load(std::memory_order_acquire); r; r = r->next)
    if (r->key == key) return r->variant;
  return nullptr;
}

const Variant& Compiled::ready_variant(const VariantKey& key) {
  if (const Variant* found = find_ready(key)) return *found;
  const std::lock_guard lock(compile_mutex_);
  if (const Variant* found = find_ready(key)) return *found;
  Variant& v = const_cast<Variant&>(variant(key));
  host::KernelRequest request;
  request.text = v.code.text;
  request.flags = v.flags;
  request.symbols = {"lathe_run"};
  request.label = std::string(prepared_.name.text());
  v.library = cache().lookup_or_compile(request);
  for (const Diagnostic& w : v.library.warnings) warn(w);
  if (v.library.error) throw Failure(FailureKind::NoCompiler, *v.library.error);
  v.entry = v.library.library->function<int(lathe_context*)>("lathe_run");
  ready_.store(new Ready{key, &v, ready_.load(std::memory_order_relaxed)},
               std::memory_order_release);
  return v;
}

void Compiled::adopt(const VariantKey& key, int (*entry)(lathe_context*)) {
  const std::lock_guard lock(compile_mutex_);
  Variant& v = const_cast<Variant&>(variant(key));
  v.entry = entry;
  if (!find_ready(key))
    ready_.store(new Ready{key, &v, ready_.load(std::memory_order_relaxed)},
                 std::memory_order_release);
}

host::Cache& Compiled::cache() const {
  return options_.cache ? *options_.cache : host::Cache::shared();
}

bool Compiled::is_interpreted() {
  Compiler known = compiler_.load(std::memory_order_relaxed);
  if (known == Compiler::Unknown) {
    std::optional<Diagnostic> problem;
    known = cache().compiler(problem) ? Compiler::Found : Compiler::Missing;
    if (known == Compiler::Missing) warn_no_compiler(*problem);
    compiler_.store(known, std::memory_order_relaxed);
  }
  return known == Compiler::Missing;
}

std::unique_ptr<Call> Compiled::take_call() {
  std::unique_ptr<Call> call(spare_.exchange(nullptr, std::memory_order_acquire));
  if (!call) return std::make_unique<Call>(*this);
  call->start_over();
  return call;
}

void Compiled::keep_call(std::unique_ptr<Call> call) {
  if (call->has_copies()) return;  // memory is not held on to
  delete spare_.exchange(call.release(), std::memory_order_acq_rel);
}

Timing Compiled::run(Arguments& arguments, const RunOptions& options) {
  std::unique_ptr<Call> call = take_call();
  const std::vector<ParameterInfo>& parameters = signature_->parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto given = arguments.parameters.find(parameters[i].name);
    if (given != arguments.parameters.end()) call->set(i, given->second.cast(parameters[i].dtype));
  }
  std::vector<std::int64_t> extents;
  for (std::size_t n = 0; n < signature_->arguments().size(); ++n) {
    const ArgumentInfo& a = signature_->arguments()[n];
    const auto given = arguments.arrays.find(a.name);
    if (given == arguments.arrays.end() || a.computed) continue;
    const ArrayView& view = given->second;
    extents.clear();
    for (std::size_t x = 0; x < view.lo.size(); ++x)
      extents.push_back(std::max<std::int64_t>(0, view.hi[x] - view.lo[x]));
    call->bind(n, {view.data, view.dtype, view.lo.size(), view.lo.data(), extents.data(),
                   view.strides.data()});
  }
  auto allocate = [&](std::size_t n, ArrayRef& array, std::int64_t* strides) {
    std::vector<std::int64_t> lo(array.lo, array.lo + array.rank), hi;
    for (std::size_t x = 0; x < array.rank; ++x) hi.push_back(lo[x] + array.extents[x]);
    const ArrayView made = (*arguments.allocate)(signature_->arguments()[n].name, lo, hi);
    array.data = made.data;
    std::copy(made.strides.begin(), made.strides.end(), strides);
    return true;
  };
  const Allocator allocator(allocate);
  const Timing timing = call->run(options, arguments.allocate ? &allocator : nullptr);
  keep_call(std::move(call));
  return timing;
}

Timing Compiled::run(interp::State& state, const RunOptions& options) {
  {
    const std::lock_guard lock(mutex_);
    interp::check_binding(prepared_, state);
  }
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
      if (is_computed(a)) continue;
      const std::lock_guard lock(mutex_);
      const interp::Bounds b = interp::declared_bounds(prepared_, a, state);
      it = state.arrays.insert({name, interp::make_buffer(a.dtype, b.lo, b.hi)}).first;
    }
    arguments.arrays[name] = view(it->second);
  }
  auto allocate = [&](const std::string& name, const std::vector<std::int64_t>& lo,
                      const std::vector<std::int64_t>& hi) {
    const ArgumentInfo& a = signature_->arguments()[*signature_->find_argument(name)];
    return view(state.arrays[name] = interp::make_buffer(a.dtype, lo, hi));
  };
  FunctionRef<ArrayView(const std::string&, const std::vector<std::int64_t>&,
                        const std::vector<std::int64_t>&)>
      allocator(allocate);
  arguments.allocate = &allocator;
  return run(arguments, options);
}

}  // namespace lathe::api
