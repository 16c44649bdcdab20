// SPDX-License-Identifier: Apache-2.0
#include "api/array_kernel.h"

#include <algorithm>
#include <list>
#include <mutex>
#include <unordered_map>

#include "api/divisions.h"
#include "base/diagnostics.h"
#include "ir/text.h"
#include "ir/verify.h"

namespace lathe::api {
namespace {

struct KernelTable {
  using Kernels = std::list<std::pair<std::uint64_t, std::shared_ptr<ArrayKernel>>>;

  std::mutex mutex;
  Kernels kernels;  // the last used one first, each with the hash of its key
  std::unordered_multimap<std::uint64_t, Kernels::iterator> by_hash;
  std::size_t made = 0;

  std::shared_ptr<ArrayKernel> find(const array::GraphKey& key, const CompileOptions& how) {
    const auto [from, to] = by_hash.equal_range(key.hash);
    for (auto it = from; it != to; ++it) {
      const ArrayKernel& kernel = *it->second->second;
      if (kernel.words != key.words || kernel.checked != how.checked ||
          kernel.interpret != how.interpret)
        continue;
      kernels.splice(kernels.begin(), kernels, it->second);
      return it->second->second;
    }
    return nullptr;
  }
  void add(std::uint64_t hash, std::shared_ptr<ArrayKernel> kernel) {
    ++made;
    kernels.emplace_front(hash, std::move(kernel));
    by_hash.emplace(hash, kernels.begin());
    if (kernels.size() > kKeptArrayKernels) drop_last();
  }

 private:
  // Who runs it just now, or holds a graph that was evaluated with it, still has it.
  void drop_last() {
    const auto [from, to] = by_hash.equal_range(kernels.back().first);
    for (auto it = from; it != to; ++it) {
      if (it->second != std::prev(kernels.end())) continue;
      by_hash.erase(it);
      break;
    }
    kernels.pop_back();
  }
};
KernelTable& kernel_table() {
  static KernelTable* const made = new KernelTable;  // kernels may run while the process ends
  return *made;
}

template <class T>
int number_of(const std::vector<T>& all, const T& one) {
  const auto at = std::find(all.begin(), all.end(), one);
  return at == all.end() ? -1 : static_cast<int>(at - all.begin());
}

std::shared_ptr<ArrayKernel> make_array_kernel(const array::GraphKey& key,
                                               const array::Nodes& outputs,
                                               const array::Sizes& sizes,
                                               const array::NodeSet& leaves,
                                               const CompileOptions& how) {
  array::LowerOptions options;
  options.leaves = leaves;
  array::Lowered lowered = array::to_program(outputs, sizes, options);
  lowered.program.sources = std::make_shared<SourceMap>();
  ir::verify_or_die(lowered.program, "arrays");
  auto made = std::make_shared<ArrayKernel>();
  made->words = key.words;
  made->symbols = key.symbols;
  made->text = ir::print(lowered.program);
  made->explanation = explain(lowered);
  CompileOptions used = how;
  used.interpret = how.interpret || (how.checked && may_divide_by_zero(lowered.program));
  made->compiled = std::make_unique<Compiled>(lowered.program, used);
  made->checked = how.checked;
  made->interpret = how.interpret;
  for (const ParameterInfo& p : made->compiled->signature().parameters()) {
    ArrayKernel::Parameter to;
    to.dtype = p.dtype;
    for (const auto& [name, size] : lowered.sizes) {
      if (name != p.name) continue;
      to.size = size;
      if (const array::SymbolRef s = size.symbol()) to.symbol = number_of(key.symbols, s);
    }
    for (const auto& [name, leaf] : lowered.scalars)
      if (name == p.name) to.leaf = number_of(key.leaf_nodes, leaf);
    made->parameters.push_back(std::move(to));
  }
  for (const ArgumentInfo& a : made->compiled->signature().arguments()) {
    ArrayKernel::Argument to;
    for (const auto& [name, leaf] : lowered.inputs)
      if (name == a.name) to.leaf = number_of(key.leaf_nodes, leaf);
    if (to.leaf < 0) to.result = number_of(lowered.outputs, a.name);
    made->arguments.push_back(to);
  }
  return made;
}

}  // namespace

std::shared_ptr<ArrayKernel> array_kernel(const array::GraphKey& key, const array::Nodes& outputs,
                                          const array::Sizes& sizes, const array::NodeSet& leaves,
                                          const CompileOptions& how) {
  KernelTable& table = kernel_table();
  const std::lock_guard lock(table.mutex);
  if (std::shared_ptr<ArrayKernel> known = table.find(key, how)) return known;
  std::shared_ptr<ArrayKernel> made = make_array_kernel(key, outputs, sizes, leaves, how);
  table.add(key.hash, made);
  return made;
}

std::size_t array_kernel_count() {
  const std::lock_guard lock(kernel_table().mutex);
  return kernel_table().made;
}

std::string explain(const array::Lowered& lowered) {
  std::string out;
  for (const array::Decision& d : lowered.decisions) {
    out += d.array + ": " + array::describe(*d.node);
    if (!d.node->text.empty()) out += " of " + d.node->text;
    out += ", stored because " + d.reason;
    if (d.node->place.file) out += " (" + array::to_text(d.node->place) + ")";
    out += "\n";
  }
  return out;
}

}  // namespace lathe::api
