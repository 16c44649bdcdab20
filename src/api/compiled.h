// SPDX-License-Identifier: Apache-2.0
#pragma once
// A program on its way to the machine: prepared, scheduled, lowered, printed, compiled, loaded.
// Everything is kept for those who ask why; kernels are made at the first call that needs them.
//
// One compiled program serves all sizes. A call picks a variant by what it is given: which arrays
// have stride 1 along their last axis, whether outputs are larger than the caches, and which sizes
// have a value that the schedule lists (`variant d == 3`): to that kernel they are constants.

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "api/cancellation.h"
#include "api/plan.h"
#include "api/signature.h"
#include "api/spare_call.h"
#include "base/function_ref.h"
#include "device/host/cache.h"
#include "emit/c/emit.h"
#include "interp/interpreter.h"
#include "ir/loops.h"
#include "schedule/default_schedule.h"
#include "schedule/schedule.h"

struct lathe_context;

namespace lathe::api {

class Call;

struct CompileOptions {
  // How to run it: the path or the text of a lockfile, else default_schedule().
  std::string lockfile, lockfile_text;
  // Test every access at run time. Without a lockfile the statements run one by one, as written,
  // and reads of what nothing has written and elements set twice by one statement are found, too.
  bool checked = false;
  // For whom decisions are taken and vectors printed; none: this machine.
  std::optional<schedule::Machine> machine;
  bool interpret = false;  // as if there were no C compiler
  int optimize = 1;        // the C compiler's -O level
  int vector_bytes = 0;    // of the vectors in the C text; 0: the machine's
  // Outputs of so many bytes and more are streamed; less on machines with small caches.
  std::int64_t stream_above = std::int64_t{16} << 20;
  std::int64_t while_cap = std::int64_t{1} << 31;  // rounds that a while may take
  host::Cache* cache = nullptr;                    // null: the shared one
};

struct RunOptions {
  int threads = 0;  // 0: all
  // Both stop the call: a flag is looked at by parallel loops, a Cancellation reaches all loops.
  const std::atomic<bool>* cancel = nullptr;
  Cancellation* cancellation = nullptr;
  bool timed = true;  // false: nobody asks how long it took, and looking at the clock takes time
};

// An argument as the caller has it. Element [x...] lies at data + sum((x - lo) * stride) bytes.
struct ArrayView {
  std::byte* data = nullptr;
  ir::DType dtype = ir::DType::F64;
  std::vector<std::int64_t> lo, hi, strides;  // strides in bytes, of any sign
};

struct VariantKey {
  std::vector<bool> unit;  // per argument, in the order of the program's arrays
  bool stream = false;
  std::vector<std::pair<std::size_t, std::int64_t>> sizes;  // parameters that are constants
  friend auto operator<=>(const VariantKey&, const VariantKey&) = default;
};

struct Variant {
  loops::Kernel kernel;
  emit::EmitResult code;
  std::vector<std::string> flags;
  host::Kernel library;
  std::unique_ptr<const CallPlan> plan;
  int (*entry)(lathe_context*) = nullptr;
  double lathe_seconds = 0;  // our share of making it
  // Made by a recipe: kernel and code hold nothing but what calls need.
  bool recalled = false;
};

struct Timing {
  double seconds = 0;                 // of the kernel
  std::int64_t scratch = 0;           // bytes of whole temporaries, as they lie
  std::int64_t scratch_unshared = 0;  // if each had memory of its own
  std::int64_t copied = 0;            // bytes of arguments that the kernel could not take
  bool interpreted = false;           // there is no C compiler
};

class Compiled {
 public:
  // The program must be verified. Throws UserError for a schedule that is not legal.
  explicit Compiled(const ir::Program& program, CompileOptions options = {});
  ~Compiled();

  // Made when somebody asks, or at once if there is a lockfile to judge: what was compiled before
  // runs by its recipe alone.
  const ir::Program& prepared() const { return prepare(), prepared_; }
  const schedule::Schedule& schedule() const { return prepare(), schedule_; }
  const Signature& signature() const { return *signature_; }
  const CompileOptions& options() const { return options_; }

  // Lowered and printed, not compiled.
  const Variant& variant(const VariantKey& key);
  VariantKey plain_key() const;  // all arguments contiguous, nothing streamed, any size
  // The sizes among the parameters of a call that the schedule has a variant for.
  std::vector<std::pair<std::size_t, std::int64_t>> fixed_sizes(
      const std::uint64_t* parameters) const;
  // Compiled and loaded, at the first time; later ones take no lock. Throws UserError.
  const Variant& ready_variant(const VariantKey& key);
  // Outputs of so many bytes and more are written around the caches.
  std::int64_t stream_from() const { return stream_from_; }

  // True when there is no C compiler: then calls run in the interpreter, and the first one in the
  // process warns.
  bool is_interpreted();
  // A call for one run with all its arguments; the last one is kept.
  std::unique_ptr<Call> take_call();
  void keep_call(std::unique_ptr<Call> call);
  // Guards the graph of prepared(): whoever makes nodes or names in it holds this.
  std::mutex& graph_mutex() { return mutex_; }
  // Calls of that variant run `entry` from now on: its text, compiled elsewhere, for example many
  // kernels in one file. It must stay loaded.
  void adopt(const VariantKey& key, int (*entry)(lathe_context*));

  // Arguments by name. Results whose extents the program computes are made by `allocate`.
  // Thread-safe. Throws UserError as the interpreter does, for wrong arguments before anything is
  // written.
  struct Arguments {
    std::map<std::string, ir::Scalar> parameters;
    std::map<std::string, ArrayView> arrays;
    // (name, lo, hi) -> memory for it
    FunctionRef<ArrayView(const std::string&, const std::vector<std::int64_t>&,
                          const std::vector<std::int64_t>&)>* allocate = nullptr;
  };
  Timing run(Arguments& arguments, const RunOptions& options = {});
  // The same on the interpreter's own arrays.
  Timing run(interp::State& state, const RunOptions& options = {});

 private:
  // A list that only grows, so that readers need no lock.
  struct Ready {
    VariantKey key;
    const Variant* variant;
    const Ready* next;
  };
  const Variant* find_ready(const VariantKey& key) const;
  host::Cache& cache() const;
  void prepare() const;
  bool watches() const;  // LowerOptions::watch
  void add_ready(const VariantKey& key, const Variant& variant);
  // The name of the recipe for that variant; empty: none is kept.
  std::string recipe_key(const VariantKey& key);
  const Variant* recall(const VariantKey& key, const std::string& recipe);

  CompileOptions options_;
  ir::Program program_;  // in a graph of its own
  mutable std::once_flag prepared_once_;
  mutable ir::Program prepared_;
  mutable schedule::Schedule schedule_;
  std::int64_t stream_from_ = 0;
  // What the schedule's variants say: parameter, value. Default schedules have none, so nobody has
  // to ask for theirs.
  mutable std::vector<std::pair<std::size_t, std::int64_t>> offered_;
  mutable std::mutex mutex_;        // guards the graph and the variants
  std::timed_mutex compile_mutex_;  // held while the C compiler runs; taken before mutex_
  std::optional<Signature> signature_;
  std::map<VariantKey, std::unique_ptr<Variant>> variants_, recalled_;
  std::string recipe_head_;  // what recipes of all variants have in common
  std::atomic<const Ready*> ready_{nullptr};
  SpareCall spare_;
  enum class Compiler : std::uint8_t { Unknown, Found, Missing };
  std::atomic<Compiler> compiler_{Compiler::Unknown};
};

}  // namespace lathe::api
