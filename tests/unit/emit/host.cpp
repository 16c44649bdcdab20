// SPDX-License-Identifier: Apache-2.0

#include "unit/emit/host.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

extern char** environ;

namespace lathe::testing {

namespace fs = std::filesystem;

namespace {

int spawn(const std::vector<std::string>& command, const std::string& output) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t pid = 0;
  const int failed = posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return -1;
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string read_file(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

bool available(const Compiler& compiler) {
  static std::map<std::string, bool> known;
  const auto [at, fresh] = known.emplace(compiler.name, false);
  if (fresh) at->second = spawn({compiler.name, "--version"}, "/dev/null") == 0;
  return at->second;
}

std::string text(const Compiler& compiler) {
  return compiler.name + " -O" + std::to_string(compiler.optimize) +
         (compiler.native ? "" : " generic");
}

Loaded::Loaded(const emit::EmitResult& emitted, emit::EmitOptions options,
               const Compiler& compiler) {
  std::string folder = (fs::temp_directory_path() / "lathe-emit-XXXXXX").string();
  if (!mkdtemp(folder.data())) throw std::runtime_error("no folder for a kernel");
  const fs::path source = fs::path(folder) / "kernel.c", library = fs::path(folder) / "kernel.so",
                 log = fs::path(folder) / "log";
  std::ofstream(source) << emitted.text;
  options.optimize = compiler.optimize;
  options.native = compiler.native;
  std::vector<std::string> command = {compiler.name, "-Wall", "-Wextra", "-Werror"};
  for (const std::string& flag : emit::emit_flags(options)) command.push_back(flag);
  for (const char* word : {"-o", library.c_str(), source.c_str()}) command.emplace_back(word);
  if (emitted.needs_libm) command.emplace_back("-lm");
  const int status = spawn(command, log);
  if (status == 0) library_ = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  const char* problem = status == 0 && !library_ ? dlerror() : "";
  const std::string words = read_file(log).substr(0, 4000);
  if (std::getenv("LATHE_KEEP") == nullptr) fs::remove_all(folder);
  if (status != 0 || !library_) throw std::runtime_error(text(compiler) + ": " + words + problem);
  run_ = reinterpret_cast<lathe_int32 (*)(lathe_context*)>(symbol("lathe_run"));
}

Loaded::~Loaded() {
  if (library_) dlclose(library_);
}

void* Loaded::symbol(const char* name) const { return dlsym(library_, name); }

// --- Arrays.

HostArray::HostArray(ir::DType t, std::vector<std::int64_t> lo, std::vector<std::int64_t> hi,
                     std::int64_t step, std::int64_t shift, std::vector<std::size_t> layout)
    : dtype_(t), axes_(lo.size()) {
  const auto size = static_cast<std::int64_t>(ir::size_bytes(t));
  if (layout.empty())
    for (std::size_t axis = 0; axis < lo.size(); ++axis) layout.push_back(axis);
  std::int64_t stride = step, first = 0;
  for (std::size_t i = layout.size(); i-- > 0;) {
    const std::size_t axis = layout[i];
    axes_[axis] = {lo[axis], hi[axis], stride};
    first += lo[axis] * stride;
    stride *= std::max<std::int64_t>(0, hi[axis] - lo[axis]);
    count_ *= static_cast<std::size_t>(std::max<std::int64_t>(0, hi[axis] - lo[axis]));
  }
  bytes_ = static_cast<std::size_t>((std::max<std::int64_t>(stride, 1) + shift) * size) + 256;
  memory_ = std::make_unique<std::byte[]>(bytes_);
  std::memset(memory_.get(), 0xa5, bytes_);
  auto address = reinterpret_cast<std::uintptr_t>(memory_.get()) + 64;
  address = (address + 63) / 64 * 64;
  base_ = reinterpret_cast<char*>(static_cast<std::intptr_t>(address) + (shift - first) * size);
}

std::byte* HostArray::at(std::vector<std::int64_t> index) {
  std::int64_t offset = 0;
  for (std::size_t axis = 0; axis < axes_.size(); ++axis)
    offset += index[axis] * axes_[axis].stride;
  return reinterpret_cast<std::byte*>(base_ +
                                      offset * static_cast<std::int64_t>(ir::size_bytes(dtype_)));
}

ir::Scalar HostArray::get(std::vector<std::int64_t> index) {
  return ir::Scalar::load(dtype_, at(std::move(index)));
}

bool HostArray::surroundings_intact() const {
  for (std::size_t i = 0; i < 64; ++i)
    if (memory_[i] != std::byte{0xa5} || memory_[bytes_ - 1 - i] != std::byte{0xa5}) return false;
  return true;
}

// --- Running.

namespace {

thread_local std::vector<std::unique_ptr<char[]>> t_memory;

Host& host_of(lathe_context* context) { return *static_cast<Host*>(context->host); }

void run_pieces(lathe_context* context, lathe_body* body, void* environment, lathe_int64 lo,
                lathe_int64 hi, lathe_int64 grain) {
  std::atomic<lathe_int64> next{lo};
  const lathe_int64 piece = std::max<lathe_int64>(grain, 1);
  const auto work = [&] {
    for (;;) {
      const lathe_int64 begin = next.fetch_add(piece);
      if (begin >= hi || __atomic_load_n(&context->status, __ATOMIC_RELAXED) != 0) return;
      const std::size_t held = t_memory.size();
      body(environment, begin, std::min(hi, begin + piece));
      t_memory.resize(held);
    }
  };
  std::vector<std::thread> others;
  for (int i = 1; i < host_of(context).threads; ++i) others.emplace_back(work);
  work();
  for (std::thread& t : others) t.join();
}

char* thread_memory(lathe_context* context, lathe_int64 bytes) {
  if (bytes > host_of(context).memory_limit) return nullptr;
  t_memory.push_back(std::make_unique<char[]>(static_cast<std::size_t>(bytes) + 128));
  const auto address = reinterpret_cast<std::uintptr_t>(t_memory.back().get());
  return reinterpret_cast<char*>((address + 63) / 64 * 64);
}

void thread_release(lathe_context*, char* memory) {
  while (!t_memory.empty()) {
    const char* begin = t_memory.back().get();
    const bool last = memory >= begin && memory < begin + 128;
    t_memory.pop_back();
    if (last) return;
  }
  ADD_FAILURE() << "memory that was not taken";
}

lathe_int32 allocate(lathe_context* context, lathe_int32 number, const lathe_int64* bounds) {
  Host& host = host_of(context);
  const emit::ArraySlot& slot = host.emitted->arrays[static_cast<std::size_t>(number)];
  std::vector<std::int64_t> lo, hi;
  for (std::size_t axis = 0; axis < slot.rank; ++axis) {
    lo.push_back(bounds[2 * axis]);
    hi.push_back(bounds[2 * axis + 1]);
  }
  host.allocated.push_back(std::make_unique<HostArray>(slot.dtype, lo, hi, 1, 0, slot.layout));
  host.arrays[static_cast<std::size_t>(number)] = host.allocated.back()->descriptor();
  return 0;
}

lathe_int32 call(lathe_context* context, lathe_int32 number) {
  host_of(context).calls.push_back(number);
  return 0;
}

}  // namespace

Host::Host(int threads) : threads(threads) {
  context.parallel = run_pieces;
  context.thread_memory = thread_memory;
  context.thread_release = thread_release;
  context.allocate = allocate;
  context.call = call;
}
Host::~Host() = default;

void Host::parameter(double v) {
  lathe_uint64 bits = 0;
  std::memcpy(&bits, &v, sizeof bits);
  parameters.push_back(bits);
}

lathe_int32 Host::run(const Loaded& kernel, const emit::EmitResult& result) {
  emitted = &result;
  arrays.resize(result.arrays.size());
  context.parameters = parameters.data();
  context.arrays = arrays.data();
  context.host = this;
  const lathe_int32 status = kernel.run(context);
  t_memory.clear();
  return status;
}

}  // namespace lathe::testing
