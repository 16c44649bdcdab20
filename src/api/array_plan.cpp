// SPDX-License-Identifier: Apache-2.0
#include "api/array_plan.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "api/strided.h"
#include "base/quoted.h"

namespace lathe::api {
namespace {

// Does a size of the graph have that name? Then its value decides about shapes.
bool names_size(const std::vector<const array::Node*>& order, const std::string& name) {
  bool found = false;
  const auto look = [&](const array::SymbolRef& s) { found = found || s->name == name; };
  for (const array::Node* n : order) {
    for (const array::Dim& d : n->shape) array::for_each_symbol(d, look);
    for (const array::Dim& d : n->dims) array::for_each_symbol(d, look);
  }
  return found;
}

}  // namespace

ir::Scalar whole_number(const char* what, const std::pair<const std::string, ir::Scalar>& given,
                        ir::DType t) {
  const auto& [name, v] = given;
  const ir::Scalar kept = v.cast(t);
  const bool turned = ir::is_unsigned_int(v.dtype) != ir::is_unsigned_int(t) &&
                      (v.as_int() < 0 || kept.as_int() < 0);
  if (kept.cast(v.dtype) == v && (ir::is_float(v.dtype) || !turned)) return kept;
  throw UserError(std::string(what) + " " + quoted(name) + " is of " + std::string(ir::name(t)) +
                      ", and " + ir::to_text(v) + " is given",
                  {}, "give a whole number that fits", ErrorKind::Number);
}

ir::Scalar leaf_value(const array::Node& n, const array::Storage* storage,
                      const ArrayBindings& bindings) {
  if (n.kind == array::Kind::Constant) return n.value;
  if (storage) return ir::Scalar::load(n.dtype, storage->data);
  const auto at = bindings.values.find(n.text);
  if (at != bindings.values.end())
    return ir::is_int(n.dtype) ? whole_number("scalar", *at, n.dtype) : at->second.cast(n.dtype);
  const auto view = bindings.views.find(n.text);
  if (view != bindings.views.end() && view->second.rank == 0)
    return ir::Scalar::load(view->second.dtype, view->second.data).cast(n.dtype);
  if (view != bindings.views.end())
    throw UserError("scalar " + quoted(n.text) + " is one number, and an array is given", {},
                    "what varies is an input with axes");
  throw UserError("scalar " + quoted(n.text) + " has no value", {}, "give one by its name");
}

MaskStep MaskStep::make(const array::Node& positions, const array::GraphKey& key,
                        std::shared_ptr<ArrayKernel> kernel, std::unique_ptr<Call> call,
                        std::int64_t count, bool is_little) {
  MaskStep out;
  out.positions = &positions;
  for (std::size_t p = 0; p < kernel->parameters.size(); ++p) {
    if (kernel->parameters[p].leaf < 0) continue;
    const auto leaf = static_cast<std::size_t>(kernel->parameters[p].leaf);
    if (key.leaf_nodes[leaf]->kind != array::Kind::Constant)
      out.numbers.push_back({key.leaf_nodes[leaf], p});
  }
  out.kernel = std::move(kernel);
  out.call = std::move(call);
  out.count = count;
  out.is_little = is_little;
  return out;
}

std::shared_ptr<array::Storage> MaskStep::run(const ArrayBindings& bindings,
                                              const RunOptions& options) {
  for (const auto& [node, parameter] : numbers)
    call->set(parameter, leaf_value(*node, node->storage.get(), bindings));
  std::shared_ptr<array::Storage> made;
  auto allocate = [&](std::size_t, ArrayRef& array, std::int64_t*) {
    made = make_storage(array.dtype, {array.extents, array.extents + array.rank});
    array.data = made->data;
    return true;
  };
  const Allocator allocator(allocate);
  RunOptions how = options;
  if (is_little) how.threads = 1;
  how.timed = false;
  call->run(how, &allocator);
  return made;
}

std::unique_ptr<ArrayPlan> ArrayPlan::make(
    const array::Node& output, const std::vector<const array::Node*>& order,
    const array::GraphKey& key, std::shared_ptr<ArrayKernel> kernel, std::unique_ptr<Call>& call,
    const array::Storage& result, const ArrayBindings& bindings, bool is_little,
    std::optional<MaskStep>& mask) {
  if (output.storage || kernel->compiled->is_interpreted() || call->has_copies()) return nullptr;
  auto made = std::make_unique<ArrayPlan>();
  const auto leaf = [&](int number) { return key.leaf_nodes[static_cast<std::size_t>(number)]; };
  for (const auto& [name, value] : bindings.values)
    made->values_.push_back({name, value, !names_size(order, name)});
  for (std::size_t p = 0; p < kernel->parameters.size(); ++p) {
    const int from = kernel->parameters[p].leaf;
    if (from >= 0 && leaf(from)->kind != array::Kind::Constant)
      made->numbers_.push_back({leaf(from), p});
  }
  std::unordered_set<std::string_view> needed;
  for (const array::Node* n : order) {
    if (n->kind != array::Kind::Input) continue;
    needed.insert(n->text);
    if (n->rank() == 0) continue;
    const ArrayRef& v = bindings.views.find(n->text)->second;
    made->inputs_.push_back({n, {}, {v.extents, v.extents + v.rank}});
  }
  for (const array::Witnesses* known : array::witnesses_among(order))
    for (const auto& [name, v] : bindings.views) {
      const auto at = known->named.find(name);
      if (at != known->named.end() && needed.insert(at->first).second)
        made->inputs_.push_back({at->second, {}, {v.extents, v.extents + v.rank}});
    }
  made->views_ = bindings.views.size();
  for (std::size_t a = 0; a < kernel->arguments.size(); ++a) {
    if (kernel->compiled->signature().arguments()[a].computed) return nullptr;
    const ArrayKernel::Argument& from = kernel->arguments[a];
    if (from.leaf < 0) made->result_ = a;
    if (mask && from.leaf >= 0 && leaf(from.leaf) == mask->positions) made->positions_.push_back(a);
    for (Input& in : made->inputs_)
      if (from.leaf >= 0 && leaf(from.leaf) == in.node) in.arguments.push_back(a);
  }
  made->extents_ = result.extents;
  made->strides_.resize(result.extents.size());
  made->bytes_ =
      dense_strides(made->extents_.data(), made->extents_.size(),
                    static_cast<std::int64_t>(ir::size_bytes(output.dtype)), made->strides_.data());
  made->is_laid_out_ = result.strides == made->strides_;
  made->is_little_ = is_little;
  made->mask_ = std::exchange(mask, std::nullopt);
  made->kernel_ = std::move(kernel);
  made->call_ = std::move(call);
  return made;
}

bool ArrayPlan::fits(const ArrayBindings& bindings) const {
  if (!kernel_ || bindings.values.size() != values_.size() || bindings.views.size() != views_)
    return false;
  auto given = bindings.values.begin();  // both are in the order of names
  for (const Value& v : values_) {
    if (given->first != v.name || (!v.is_free && !(given->second == v.value))) return false;
    ++given;
  }
  return std::all_of(inputs_.begin(), inputs_.end(), [&](const Input& in) {
    const auto at = bindings.views.find(in.node->text);
    return at != bindings.views.end() && at->second.dtype == in.node->dtype &&
           std::equal(in.extents.begin(), in.extents.end(), at->second.extents,
                      at->second.extents + at->second.rank);
  });
}

bool ArrayPlan::is_for(const ArrayRef& target, ir::DType dtype) const {
  return target.dtype == dtype && !target.read_only && target.strides &&
         std::equal(extents_.begin(), extents_.end(), target.extents, target.extents + target.rank);
}

std::shared_ptr<array::Storage> ArrayPlan::place_result(ir::DType dtype, const ArrayRef* target) {
  auto storage = std::make_shared<array::Storage>();
  storage->extents = extents_;
  if (target) {
    storage->data = target->data;
    storage->strides.assign(target->strides, target->strides + target->rank);
    is_laid_out_ = false;
    call_->bind(result_, *target);
    return storage;
  }
  auto block = std::make_shared<host::Block>(take_memory(bytes_));
  storage->data = static_cast<std::byte*>(block->data());
  storage->strides = strides_;
  storage->owner = std::move(block);
  if (is_laid_out_)
    call_->move_to(result_, storage->data);
  else
    call_->bind(result_, {storage->data, dtype, extents_.size(), nullptr, extents_.data(),
                          strides_.data(), false});
  is_laid_out_ = true;
  return storage;
}

array::NodeRef ArrayPlan::run(const array::Node& output, const ArrayBindings& bindings,
                              const ArrayRef* target, const RunOptions& options) {
  std::shared_ptr<array::Storage> storage = place_result(output.dtype, target);
  std::shared_ptr<array::Storage> places;
  if (mask_) {
    places = mask_->run(bindings, options);
    if (!places || places->extents[0] != mask_->count) return {};
    for (const std::size_t a : positions_) call_->move_to(a, places->data);
  }
  for (const Number& n : numbers_)
    call_->set(n.parameter, leaf_value(*n.node, n.node->storage.get(), bindings));
  for (const Input& in : inputs_)
    for (const std::size_t a : in.arguments)
      call_->bind(a, bindings.views.find(in.node->text)->second);
  RunOptions run = options;
  if (is_little_) run.threads = 1;
  run.timed = false;
  call_->run(run);
  return array::data(std::move(storage), output.dtype, output.place);
}

}  // namespace lathe::api
