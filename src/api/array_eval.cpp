// SPDX-License-Identifier: Apache-2.0
// An evaluation in steps: bind, check, find the kernel by the shape of the graph, run. The length
// of a mask's result is not known before the mask is: positions are found by a launch of their own
// first, and are data to what follows.

#include "api/array_eval.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "api/array_facts.h"
#include "api/array_faults.h"
#include "api/array_kernel.h"
#include "api/array_pieces.h"
#include "api/array_plan.h"
#include "base/checked.h"
#include "base/quoted.h"
#include "ir/text.h"

namespace lathe::api {

std::shared_ptr<array::Storage> make_storage(ir::DType t, std::vector<std::int64_t> extents) {
  auto out = std::make_shared<array::Storage>();
  out->strides.resize(extents.size());
  CheckedInt bytes = static_cast<std::int64_t>(ir::size_bytes(t));
  for (std::size_t a = extents.size(); a-- > 0;) {
    out->strides[a] = *bytes;
    bytes = checked_mul(bytes, CheckedInt(std::max<std::int64_t>(extents[a], 1)));
    if (!bytes) throw UserError("an array of that shape does not fit into memory");
  }
  std::int64_t need = *bytes;
  for (std::int64_t e : extents)
    if (e == 0) need = 0;
  auto block = std::make_shared<host::Block>(take_memory(need));
  out->data = static_cast<std::byte*>(block->data());
  out->extents = std::move(extents);
  out->owner = std::move(block);
  return out;
}

namespace {

class Evaluation {
 public:
  // `remembers`: the array is evaluated again and again, which is worth a plan.
  Evaluation(const ArrayBindings& bindings, const ArrayEvalOptions& options, bool remembers)
      : bindings_(bindings), options_(options), remembers_(remembers) {}

  array::Nodes run(const array::Nodes& outputs, const std::vector<ArrayTarget>& targets) {
    std::vector<const array::Node*> order = find_positions(outputs);
    bind(order);
    if (read_in_place(order, outputs)) order = array::in_order(outputs, leaves_);
    for (const array::Node* n : order)
      if (is_changing_number(*n)) leaves_.insert(n);
    if (is_too_large(order)) {
      launch_in_pieces(order, outputs);
      order = array::in_order(outputs, leaves_);
    }
    return launch(order, outputs, targets);
  }

 private:
  static array::NodeRef reference(const array::Node* n) {
    n->references.fetch_add(1, std::memory_order_relaxed);
    return array::NodeRef(n);
  }

  // A dense array in another shape is the same memory: nothing is computed for it. True: there was
  // one.
  bool read_in_place(const std::vector<const array::Node*>& order, const array::Nodes& outputs) {
    bool found = false;
    for (const array::Node* n : order) {
      if (n->kind != array::Kind::Reshape || leaves_.count(n)) continue;
      if (std::any_of(outputs.begin(), outputs.end(),
                      [&](const array::NodeRef& o) { return o.get() == n; }))
        continue;
      const array::Node& x = *n->operands[0];
      if (x.rank() == 0 || n->rank() == 0 || !(x.kind == array::Kind::Data || leaves_.count(&x)))
        continue;
      const array::Storage* const from = storage_of(x);
      if (!from || !is_dense(*from, n->dtype)) continue;
      auto made = std::make_shared<array::Storage>();
      made->data = from->data;
      made->owner = from->owner;
      made->extents = extents_of(*n);
      set_dense_strides(*made, n->dtype);
      storage_[n] = std::move(made);
      leaves_.insert(n);
      found = true;
    }
    return found;
  }

  // All but the last piece; what later pieces read becomes data.
  void launch_in_pieces(const std::vector<const array::Node*>& order, const array::Nodes& outputs) {
    LastReaders last_reader = last_readers(order, outputs, leaves_);
    std::vector<const array::Node*> made;
    for (std::size_t begin = 0, end = 0;; begin = end) {
      end = end_of_piece(order, begin, last_reader, leaves_);
      if (end == order.size()) break;
      array::Nodes ends;
      for (std::size_t i = begin; i < end; ++i) {
        const array::Node& n = *order[i];
        const bool computed = n.kind >= array::Kind::Map && !leaves_.count(&n);
        if (computed && last_reader[&n] >= end) ends.push_back(reference(&n));
      }
      if (ends.empty()) continue;
      const array::Nodes values = launch(array::in_order(ends, leaves_), ends, {});
      for (std::size_t i = 0; i < ends.size(); ++i) {
        leaves_.insert(ends[i].get());
        storage_[ends[i].get()] = values[i]->storage;
        made.push_back(ends[i].get());
      }
      // Nobody reads these any more; nodes stay leaves, without data.
      std::erase_if(made, [&](const array::Node* n) {
        if (last_reader[n] >= end) return false;
        storage_.erase(n);
        return true;
      });
    }
  }

  // What a mask is made of and its reader needs as well, of the kind that takes long: computed
  // once.
  std::vector<const array::Node*> shared_with_rest(const std::vector<const array::Node*>& of_mask,
                                                   const array::Node* mask,
                                                   const array::Nodes& outputs) const {
    std::vector<const array::Node*> out;
    for (const array::Node* n : of_mask)
      if (!leaves_.count(n) && n->rank() > 0 &&
          (n->kind == array::Kind::Call || n->kind == array::Kind::Scan ||
           n->kind == array::Kind::Contract))
        out.push_back(n);
    if (out.empty()) return out;
    array::NodeSet without = leaves_;
    without.insert(mask);
    const std::vector<const array::Node*> rest = array::in_order(outputs, without);
    std::erase_if(out, [&](const array::Node* n) {
      return std::find(rest.begin(), rest.end(), n) == rest.end();
    });
    return out;
  }

  // The order of what is left.
  std::vector<const array::Node*> find_positions(const array::Nodes& outputs) {
    for (;;) {
      const array::Node* next = nullptr;
      std::vector<const array::Node*> all = array::in_order(outputs, leaves_);
      for (const array::Node* n : all) {
        if (n->kind != array::Kind::Positions || leaves_.count(n)) continue;
        next = n;
        break;
      }
      if (!next) return all;
      learn_lengths(all);
      find_count(reference(next), outputs);
    }
  }

  // A mask may be as long as an array that it is not made of: lengths of all arrays that are given
  // are known before the first mask is counted.
  void learn_lengths(const std::vector<const array::Node*>& order) {
    for (const array::Node* n : order) {
      if (n->kind != array::Kind::Input || n->rank() == 0) continue;
      for (const array::Dim& d : n->shape) bind_sizes(d, nullptr);
      const auto at = bindings_.views.find(n->text);
      if (at == bindings_.views.end()) continue;
      const ArrayRef& v = at->second;
      sizes_.learn(n->text, n->shape, {v.extents, v.extents + v.rank});
    }
  }

  // Launches a Positions node, and what it shares with the rest of these outputs: their values are
  // data from now on, its length is known.
  void find_count(const array::NodeRef& positions, const array::Nodes& outputs) {
    array::Nodes wanted{positions};
    const std::vector<const array::Node*> order = array::in_order(wanted, leaves_);
    bind(order);
    for (const array::Node* n : shared_with_rest(order, positions.get(), outputs))
      wanted.push_back(reference(n));
    const array::Nodes found = launch(order, wanted, {});
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      leaves_.insert(wanted[i].get());
      storage_[wanted[i].get()] = found[i]->storage;
      kept_.push_back(wanted[i]);
    }
    sizes_.bind(positions->shape[0].symbol(), found[0]->storage->extents[0],
                "the length of a mask");
  }

  // A length that a mask has, in a graph that does not hold the mask.
  void find_length(const array::SymbolRef& length) {
    const auto& mask = *static_cast<const array::NodeRef*>(length->source.get());
    const array::NodeRef positions = array::positions({"mask", {}}, mask);
    find_positions({positions});
    const auto found = sizes_.value(*positions->shape[0].symbol());
    if (found && !sizes_.value(*length)) sizes_.bind(length, *found, "the length of a mask");
  }

  const array::Storage* storage_of(const array::Node& n) const {
    if (n.storage) return n.storage.get();
    const auto at = storage_.find(&n);
    return at == storage_.end() ? nullptr : at->second.get();
  }

  void bind(const std::vector<const array::Node*>& order) {
    std::vector<array::SymbolRef> lengths;  // of masks that are elsewhere
    std::unordered_map<std::string_view, const array::Node*> named;
    for (const array::Node* n : order) {
      const bool counts = n->kind == array::Kind::Positions;
      for (const array::Dim& d : n->shape) bind_sizes(d, counts ? nullptr : &lengths);
      for (const array::Dim& d : n->dims) bind_sizes(d, &lengths);
      if (n->kind != array::Kind::Input) continue;
      const array::Node& first = *named.emplace(n->text, n).first->second;
      if (first.dtype != n->dtype || first.shape != n->shape) array::refuse_two_inputs(first, *n);
      if (n->rank() == 0) continue;
      const auto at = bindings_.views.find(n->text);
      if (at == bindings_.views.end() && bindings_.values.count(n->text))
        throw UserError("input " + quoted(n->text) + " is an array, and a number is given", {},
                        "give an array of shape " + array::to_text(n->shape) + " for it");
      if (at == bindings_.views.end())
        throw UserError("input " + quoted(n->text) + " has no data", {},
                        "give an array of shape " + array::to_text(n->shape) + " for it");
      bind_input(*n, at->second);
    }
    // What is given without need has its shape and dtype all the same, and tells sizes.
    for (const array::Witnesses* known : array::witnesses_among(order))
      for (const auto& [name, given] : bindings_.views) {
        const auto [from, to] = known->named.equal_range(name);
        for (auto at = from; at != to; ++at)
          if (at->second->rank() > 0) bind_input(*at->second, given);
      }
    for (const array::SymbolRef& s : lengths) find_length(s);
    sizes_.finish();
    for (const array::Node* n : order) sizes_.check(*n);
  }

  void bind_input(const array::Node& n, const ArrayRef& given) {
    if (given.dtype != n.dtype)
      throw UserError("input " + quoted(n.text) + " was declared as " +
                          std::string(ir::name(n.dtype)) + ", but has " +
                          std::string(ir::name(given.dtype)) + " elements",
                      {}, {}, ErrorKind::DType);
    sizes_.unify(n.text, n.shape, {given.extents, given.extents + given.rank});
  }

  void bind_sizes(const array::Dim& d, std::vector<array::SymbolRef>* lengths) {
    array::for_each_symbol(d, [&](const array::SymbolRef& s) {
      if (lengths && s->is_counted && !sizes_.value(*s)) lengths->push_back(s);
      if (s->name.empty() || bindings_.values.empty()) return;
      const auto at = bindings_.values.find(s->name);
      if (at != bindings_.values.end())
        sizes_.bind(s, whole_number("size", *at, ir::DType::I64).as_int(), "given");
    });
  }

  ir::Scalar scalar_of(const array::Node& n) const {
    return leaf_value(n, storage_of(n), bindings_);
  }

  ArrayRef view_of(const array::Node& n) const {
    const array::Storage* s = storage_of(n);
    if (!s) return bindings_.views.find(n.text)->second;
    return {s->data,           n.dtype, s->extents.size(), nullptr, s->extents.data(),
            s->strides.data(), false};
  }

  std::vector<std::int64_t> extents_of(const array::Node& n) const {
    std::vector<std::int64_t> out;
    for (const array::Dim& d : n.shape) {
      const auto v = sizes_.value(d);
      if (!v)
        throw UserError("the shape " + array::to_text(n.shape) + " is not known", {},
                        "bind its sizes by name");
      out.push_back(*v);
    }
    return out;
  }

  array::Nodes launch(const std::vector<const array::Node*>& order, const array::Nodes& outputs,
                      const std::vector<ArrayTarget>& targets) {
    const array::GraphKey key = array::graph_key(order, outputs, sizes_, leaves_);
    CompileOptions how;
    how.checked = options_.checked;
    how.interpret = options_.interpret;
    const std::shared_ptr<ArrayKernel> shared = array_kernel(key, outputs, sizes_, leaves_, how);
    ArrayKernel& kernel = *shared;
    std::vector<std::int64_t> values;
    for (const array::SymbolRef& s : key.symbols) {
      const auto v = sizes_.value(*s);
      const bool computed =
          outputs[0]->kind == array::Kind::Positions && s == outputs[0]->shape[0].symbol();
      if (!v && !computed)
        throw UserError("size " + quoted(s->name) + " has no value", {}, "give one by its name");
      values.push_back(v.value_or(0));
    }
    std::unique_ptr<Call> call = kernel.compiled->take_call();
    for (std::size_t p = 0; p < kernel.parameters.size(); ++p) {
      const ArrayKernel::Parameter& from = kernel.parameters[p];
      if (from.leaf >= 0) {
        call->set(p, scalar_of(*key.leaf_nodes[static_cast<std::size_t>(from.leaf)]));
      } else if (from.symbol >= 0) {
        call->set(
            p, ir::Scalar::of_int(ir::DType::I64, values[static_cast<std::size_t>(from.symbol)]));
      } else {
        const auto v = array::evaluate(from.size, [&](const array::SizeSymbol& s) {
          std::optional<std::int64_t> found;
          for (std::size_t i = 0; i < kernel.symbols.size(); ++i)
            if (kernel.symbols[i].get() == &s) found = values[i];
          return found;
        });
        call->set(p, ir::Scalar::of_int(ir::DType::I64, v.value_or(0)));
      }
    }
    std::vector<std::shared_ptr<array::Storage>> made(outputs.size());
    for (std::size_t a = 0; a < kernel.arguments.size(); ++a) {
      const ArrayKernel::Argument& from = kernel.arguments[a];
      if (from.leaf >= 0) {
        call->bind(a, view_of(*key.leaf_nodes[static_cast<std::size_t>(from.leaf)]));
        continue;
      }
      const auto r = static_cast<std::size_t>(from.result);
      if (outputs[r]->kind == array::Kind::Positions && !leaves_.count(outputs[r].get())) continue;
      const std::vector<std::int64_t> extents = extents_of(*outputs[r]);
      if (r < targets.size() && targets[r].view.data) {
        made[r] = to_storage(*outputs[r], extents, targets[r].view);
      } else {
        made[r] = make_storage(outputs[r]->dtype, extents);
        // The interpreter looks at what outputs hold before, and not every byte is a bool.
        if (ir::is_bool(outputs[r]->dtype) && kernel.compiled->is_interpreted()) clear(*made[r]);
      }
      call->bind(a, {made[r]->data, outputs[r]->dtype, extents.size(), nullptr,
                     made[r]->extents.data(), made[r]->strides.data(), false});
    }
    auto allocate = [&](std::size_t a, ArrayRef& array, std::int64_t*) {
      const auto r = static_cast<std::size_t>(kernel.arguments[a].result);
      made[r] = make_storage(array.dtype, {array.extents, array.extents + array.rank});
      array.data = made[r]->data;
      return true;
    };
    const Allocator allocator(allocate);
    RunOptions run = options_.run;
    const bool little = work_of(order, sizes_, leaves_) < kWorkOfThreads;
    if (little) run.threads = 1;
    try {
      call->run(run, &allocator);
    } catch (const Failure& f) {
      if (f.kind() != FailureKind::Program) throw;
      throw Failure(f.kind(), in_the_users_words(f.diagnostic(), order));
    }
    // Pieces were launches of their own, and so were masks: their data is not the graph's. One mask
    // can be found again.
    if (remembers_ && outputs.size() == 1 && (!has_launched_ || mask_)) {
      const bool finds = outputs[0]->kind == array::Kind::Positions && !has_launched_;
      if (finds && bindings_.values.empty() && bindings_.views.empty() &&
          !kernel.compiled->is_interpreted() && !call->has_copies())
        mask_ =
            MaskStep::make(*outputs[0], key, shared, std::move(call), made[0]->extents[0], little);
      else if (auto plan = ArrayPlan::make(*outputs[0], order, key, shared, call, *made[0],
                                           bindings_, little, mask_))
        outputs[0]->memo.keep(std::move(plan));
      if (call && mask_) {  // not to be remembered
        mask_->kernel->compiled->keep_call(std::move(mask_->call));
        mask_.reset();
      }
    }
    if (call) kernel.compiled->keep_call(std::move(call));
    has_launched_ = true;
    array::Nodes out;
    for (std::size_t r = 0; r < outputs.size(); ++r)
      out.push_back(array::data(made[r], outputs[r]->dtype, outputs[r]->place));
    return out;
  }

  static void clear(array::Storage& bools) {
    std::size_t count = 1;
    for (std::int64_t e : bools.extents) count *= static_cast<std::size_t>(e);
    std::memset(bools.data, 0, count);
  }

  static std::shared_ptr<array::Storage> to_storage(const array::Node& n,
                                                    const std::vector<std::int64_t>& extents,
                                                    const ArrayRef& view) {
    const std::vector<std::int64_t> given(view.extents, view.extents + view.rank);
    if (view.dtype != n.dtype || given != extents) {
      const auto shape = [](const std::vector<std::int64_t>& of) {
        return array::to_text(array::Shape(of.begin(), of.end()));
      };
      throw UserError("the result is " + std::string(ir::name(n.dtype)) + shape(extents) +
                      ", but the array that is to take it has " +
                      std::string(ir::name(view.dtype)) + " elements and shape " + shape(given));
    }
    auto out = std::make_shared<array::Storage>();
    out->data = view.data;
    out->extents = extents;
    out->strides.assign(view.strides, view.strides + view.rank);
    return out;
  }

  const ArrayBindings& bindings_;
  const ArrayEvalOptions& options_;
  array::Sizes sizes_;
  array::NodeSet leaves_;
  std::unordered_map<const array::Node*, std::shared_ptr<const array::Storage>> storage_;
  array::Nodes kept_;
  bool remembers_ = false, has_launched_ = false;
  std::optional<MaskStep> mask_;  // the one launch before this one
};

// A graph that no plan knows: it becomes a program first, which takes seconds for a long one.
array::Nodes evaluate_anew(const array::Nodes& outputs, const ArrayBindings& bindings,
                           const std::vector<ArrayTarget>& targets, const ArrayEvalOptions& options,
                           bool remembers) {
  const RunOptions& run = options.run;
  const StopWhen stop(run.cancel, run.cancellation ? &run.cancellation->flag() : nullptr);
  try {
    return Evaluation(bindings, options, remembers).run(outputs, targets);
  } catch (const Stopped&) {
    throw cancelled();
  }
}

}  // namespace

std::vector<std::string> open_names(const array::Nodes& arrays) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  const auto look = [&](const array::Dim& d) {
    array::for_each_symbol(d, [&](const array::SymbolRef& s) {
      if (!s->name.empty() && !array::known_value(array::Dim(s))) add(s->name);
    });
  };
  for (const array::Node* n : array::in_order(arrays)) {
    if (n->kind == array::Kind::Input) add(n->text);
    for (const array::Dim& d : n->shape) look(d);
    for (const array::Dim& d : n->dims) look(d);
  }
  return names;
}

namespace {

// Every name that is given must be open: misspelled ones would be lost.
void check_names(const array::Nodes& outputs, const ArrayBindings& bindings) {
  if (bindings.values.empty() && bindings.views.empty()) return;
  const std::vector<std::string> open = open_names(outputs);
  const std::vector<const array::Witnesses*> lists =
      array::witnesses_among(array::in_order(outputs));
  const auto check = [&](const std::string& name) {
    if (std::find(open.begin(), open.end(), name) != open.end()) return;
    for (const array::Witnesses* known : lists)
      if (known->named.count(name)) return;
    if (open.empty())
      throw UserError("a value is given for " + quoted(name) + ", and none is needed");
    std::string all;
    for (const std::string& o : open) all += (all.empty() ? "" : ", ") + o;
    throw UserError("there is no input, scalar or size " + quoted(name), {},
                    "those without a value are " + all);
  };
  for (const auto& [name, value] : bindings.values) check(name);
  for (const auto& [name, view] : bindings.views) check(name);
}

}  // namespace

array::Nodes evaluate_arrays(const array::Nodes& outputs, const ArrayBindings& bindings,
                             const std::vector<ArrayTarget>& targets,
                             const ArrayEvalOptions& options) {
  if (outputs.size() != 1 || options.checked || options.interpret) {
    if (!options.allow_unused) check_names(outputs, bindings);
    return evaluate_anew(outputs, bindings, targets, options, false);
  }
  const array::Node& output = *outputs[0];
  std::unique_ptr<array::Memo> memo = output.memo.take();
  const bool again = memo != nullptr;
  if (again && static_cast<ArrayPlan&>(*memo).fits(bindings)) {
    auto& plan = static_cast<ArrayPlan&>(*memo);
    const ArrayRef* target = !targets.empty() && targets[0].view.data ? &targets[0].view : nullptr;
    if (target && !plan.is_for(*target, output.dtype)) {
      output.memo.keep(std::move(memo));
      return evaluate_anew(outputs, bindings, targets, options, false);
    }
    try {
      if (array::NodeRef made = plan.run(output, bindings, target, options.run)) {
        output.memo.keep(std::move(memo));
        return {std::move(made)};
      }
    } catch (const Failure& f) {
      if (f.kind() != FailureKind::Program) throw;
      // Told by those who know the graph. Not by computing it again where inputs may lie in what
      // was written.
      if (target)
        throw Failure(f.kind(), in_the_users_words(f.diagnostic(), array::in_order(outputs)));
    }
  }
  if (!options.allow_unused) check_names(outputs, bindings);
  array::Nodes made = evaluate_anew(outputs, bindings, targets, options, again);
  if (!again) output.memo.keep(std::make_unique<ArrayPlan>());  // a second time: with a plan
  return made;
}

ArrayExplanation explain_arrays(const array::Nodes& outputs, array::Storing storing) {
  array::LowerOptions options;
  options.storing = storing;
  array::Sizes sizes;
  for (const array::Node* n : array::in_order(outputs)) {
    if (n->kind == array::Kind::Positions) options.leaves.insert(n);
    sizes.check(*n);
  }
  const array::Lowered lowered = array::to_program(outputs, sizes, options);
  return {ir::print(lowered.program), explain(lowered)};
}

}  // namespace lathe::api
