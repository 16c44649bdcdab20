// SPDX-License-Identifier: Apache-2.0
#include "api/compiled.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "api/call.h"
#include "api/failure.h"
#include "api/recipe.h"
#include "api/warnings.h"
#include "base/files.h"
#include "base/sha256.h"
#include "base/stop.h"
#include "device/host/machine.h"
#include "emit/c/abi.h"
#include "interp/binding.h"
#include "interp/fault_words.h"
#include "ir/detach.h"
#include "ir/loops_verify.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "lower/lower.h"
#include "passes/passes.h"
#include "pipeline.h"
#include "schedule/legal.h"

namespace lathe::api {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

schedule::Machine scheduling_facts(const CompileOptions& options) {
  if (options.machine) return *options.machine;
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
    : options_(std::move(options)), program_(ir::detach(program)) {
  signature_.emplace(program_, mutex_);
  // A last cache that is shared with strangers does not keep what is written.
  stream_from_ = std::min(scheduling_facts(options_).l3, options_.stream_above);
  if (!options_.lockfile.empty() || !options_.lockfile_text.empty()) prepare();
}

void Compiled::prepare() const {
  std::call_once(prepared_once_, [this] {
    const std::lock_guard lock(mutex_);
    const bool watched = watches();
    prepared_ = run_preparation(watched ? run_pass(*find_pass("compute-extents"), program_)
                                        : run_pipeline(program_));
    if (watched) {
      schedule_ = schedule::plain_schedule(prepared_);  // always legal
      return;
    }
    stop_if_asked();
    if (options_.lockfile.empty() && options_.lockfile_text.empty()) {
      schedule_ = schedule::default_schedule(prepared_, scheduling_facts(options_));
#ifdef NDEBUG
      return;
#endif
    } else {
      Diagnostics diagnostics;
      const bool file = !options_.lockfile.empty();
      auto parsed = schedule::parse_schedule(
          file ? options_.lockfile : "schedule",
          file ? read_file(options_.lockfile) : options_.lockfile_text, prepared_, diagnostics);
      if (!parsed) throw UserError(diagnostics.all().front());
      schedule_ = std::move(*parsed);
      const std::vector<ParameterInfo>& parameters = signature_->parameters();
      for (const schedule::Variant& v : schedule_.variants)
        for (std::size_t i = 0; i < parameters.size(); ++i)
          if (parameters[i].name == v.size.text()) offered_.emplace_back(i, v.value);
      std::sort(offered_.begin(), offered_.end());
    }
    schedule::resolve_legal(prepared_, schedule_);
  });
}

bool Compiled::watches() const {
  return options_.checked && options_.lockfile.empty() && options_.lockfile_text.empty();
}

Compiled::~Compiled() {
  for (const Ready* r = ready_.load(); r;) delete std::exchange(r, r->next);
}

VariantKey Compiled::plain_key() const {
  VariantKey key;
  key.unit.assign(signature_->arguments().size(), true);
  return key;
}

std::vector<std::pair<std::size_t, std::int64_t>> Compiled::fixed_sizes(
    const std::uint64_t* parameters) const {
  std::vector<std::pair<std::size_t, std::int64_t>> sizes;
  for (const auto& [parameter, value] : offered_)
    if (static_cast<std::int64_t>(parameters[parameter]) == value)
      sizes.emplace_back(parameter, value);
  return sizes;
}

const Variant& Compiled::variant(const VariantKey& key) {
  prepare();
  const std::lock_guard lock(mutex_);
  std::unique_ptr<Variant>& slot = variants_[key];
  if (slot) return *slot;
  const auto start = std::chrono::steady_clock::now();
  auto v = std::make_unique<Variant>();
  lower::LowerOptions how;
  how.stream = key.stream;
  how.watch = watches();
  how.while_cap = options_.while_cap;
  std::size_t n = 0;
  for (const ir::Array& a : prepared_.arrays)
    if (is_argument(a) && key.unit[n++]) how.unit.push_back(a.name);
  std::vector<passes::FixedSize> sizes;
  for (const auto& [parameter, value] : key.sizes)
    sizes.push_back({prepared_.parameters[parameter].name, value});
  const ir::Program program = passes::fix_sizes(prepared_, sizes);
  if (!sizes.empty()) ir::verify_or_die(program, "fix-sizes");
  const std::unique_ptr<schedule::Nest> nest = schedule::resolve(program, schedule_);
  stop_if_asked();
  v->kernel = lower::lower(*nest, how);
  loops::verify_or_die(v->kernel, "lower");
  stop_if_asked();
  emit::EmitOptions print;
  print.checked = options_.checked;
  print.optimize = options_.optimize;
  print.vector_bytes = options_.vector_bytes > 0
                           ? options_.vector_bytes
                           : static_cast<int>(scheduling_facts(options_).vector_bytes);
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
  // Another thread may be waiting for the C compiler: this one can still be stopped.
  constexpr std::chrono::milliseconds kLook{50};
  std::unique_lock lock(compile_mutex_, kLook);
  while (!lock) {
    stop_if_asked();
    lock.try_lock_for(kLook);
  }
  if (const Variant* found = find_ready(key)) return *found;
  const std::string recipe = recipe_key(key);
  if (!recipe.empty())
    if (const Variant* found = recall(key, recipe)) return *found;
  Variant& v = const_cast<Variant&>(variant(key));
  host::KernelRequest request;
  request.text = v.code.text;
  request.flags = v.flags;
  request.symbols = {"lathe_run"};
  request.functions = v.code.functions;
  request.label = std::string(program_.name.text());
  v.library = cache().lookup_or_compile(request);
  for (const Diagnostic& w : v.library.warnings) warn(w);
  if (v.library.error) throw Failure(FailureKind::NoCompiler, *v.library.error);
  v.entry = v.library.library->function<int(lathe_context*)>("lathe_run");
  if (!recipe.empty())
    if (const auto text = print_recipe(v.library.key, *v.plan, v.code))
      cache().write_note(recipe, *text);
  add_ready(key, v);
  return v;
}

void Compiled::add_ready(const VariantKey& key, const Variant& variant) {
  ready_.store(new Ready{key, &variant, ready_.load(std::memory_order_relaxed)},
               std::memory_order_release);
}

// Everything that decides about the kernel, and this build of Lathe.
std::string Compiled::recipe_key(const VariantKey& key) {
  if (options_.checked || !options_.lockfile.empty() || !options_.lockfile_text.empty()) return {};
  if (options_.while_cap != CompileOptions().while_cap) return {};
  if (recipe_head_.empty()) {
    std::optional<Diagnostic> problem;
    const auto compiler = cache().compiler(problem);
    const std::string build = build_identity();
    if (!compiler || build.empty()) return {};
    const schedule::Machine m = scheduling_facts(options_);
    std::string text = "recipe of " + build + "\n" + compiler->identity() + "\n" + m.name;
    for (std::int64_t n : {m.vector_bytes, m.l1, m.l2, m.l3, std::int64_t{options_.optimize},
                           std::int64_t{options_.vector_bytes}})
      text += " " + std::to_string(n);
    const std::lock_guard lock(mutex_);
    recipe_head_ = sha256_hex(text + "\n" + ir::print(program_));
  }
  std::string text = recipe_head_ + (key.stream ? " stream" : "");
  for (const bool unit : key.unit) text += unit ? " 1" : " 0";
  for (const auto& [parameter, value] : key.sizes)
    text += " " + std::to_string(parameter) + "=" + std::to_string(value);
  return sha256_hex(text);
}

const Variant* Compiled::recall(const VariantKey& key, const std::string& recipe) {
  const auto start = std::chrono::steady_clock::now();
  const auto text = cache().read_note(recipe);
  if (!text) return nullptr;
  auto v = std::make_unique<Variant>();
  {
    const std::lock_guard lock(mutex_);
    auto parsed = parse_recipe(*text, *signature_, *program_.graph);
    if (!parsed) return nullptr;
    v->library = cache().lookup(parsed->kernel, {"lathe_run"});
    if (!v->library.library) return nullptr;
    v->code = std::move(parsed->code);
    v->plan = std::make_unique<const CallPlan>(std::move(parsed->plan));
  }
  v->recalled = true;
  v->entry = v->library.library->function<int(lathe_context*)>("lathe_run");
  v->lathe_seconds = seconds_since(start);
  const Variant& kept = *(recalled_[key] = std::move(v));
  add_ready(key, kept);
  return &kept;
}

void Compiled::adopt(const VariantKey& key, int (*entry)(lathe_context*)) {
  const std::lock_guard lock(compile_mutex_);
  Variant& v = const_cast<Variant&>(variant(key));
  v.entry = entry;
  add_ready(key, v);
}

host::Cache& Compiled::cache() const {
  return options_.cache ? *options_.cache : host::Cache::shared();
}

bool Compiled::is_interpreted() {
  if (options_.interpret) return true;
  Compiler known = compiler_.load(std::memory_order_relaxed);
  if (known == Compiler::Unknown) {
    std::optional<Diagnostic> problem;
    known = cache().compiler(problem) ? Compiler::Found : Compiler::Missing;
    if (known == Compiler::Missing) warn_no_compiler(*problem);
    compiler_.store(known, std::memory_order_relaxed);
  }
  return known == Compiler::Missing;
}

std::unique_ptr<Call> Compiled::take_call() { return spare_.take(*this); }
void Compiled::keep_call(std::unique_ptr<Call> call) { spare_.keep(std::move(call)); }

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
    interp::check_binding(program_, state);
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
  for (const ir::Array& a : program_.arrays) {
    if (!is_argument(a)) continue;
    const std::string name(a.name.text());
    auto it = state.arrays.find(name);
    if (it == state.arrays.end()) {
      if (is_computed(a)) continue;
      const std::lock_guard lock(mutex_);
      const interp::Bounds b = interp::declared_bounds(program_, a, state);
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
