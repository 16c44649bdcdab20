// SPDX-License-Identifier: Apache-2.0
// Questions about lazy arrays, and their evaluation, behind lathe/c_array.h.

#include "api/array_eval.h"
#include "api/array_kernel.h"
#include "api/c_array_handles.h"
#include "base/quoted.h"
#include "frontend/array/derivative.h"
#include "frontend/array/print.h"

using namespace lathe;
using namespace lathe::api;

namespace {

ir::Scalar scalar_value(const lathe_value& v) {
  switch (v.dtype) {
    case LATHE_BOOL: return ir::Scalar::of_bool(v.as.i != 0);
    case LATHE_U64: return ir::Scalar::of_uint(ir::DType::U64, v.as.u);
    case LATHE_F64: return ir::Scalar::of_double(ir::DType::F64, v.as.f);
    default: return ir::Scalar::of_int(ir::DType::I64, v.as.i);
  }
}

// A target of no memory and no shape leaves the result to Lathe.
bool can_be_written(const lathe_view& target) {
  if (target.data) return target.read_only == 0;
  if (target.rank <= 0 || !target.shape) return true;
  return std::find(target.shape, target.shape + target.rank, 0) != target.shape + target.rank;
}

// Strides for views that came without, alive as long as the call.
struct ViewStrides {
  std::vector<std::vector<std::int64_t>> kept;

  ArrayRef ref(const lathe_view& v) {
    require(v.rank >= 0 && (v.rank == 0 || v.shape), "a view with axes has no shape");
    const std::int64_t* strides = v.strides;
    if (!strides) {
      std::vector<std::int64_t> dense(static_cast<std::size_t>(v.rank));
      auto step = static_cast<std::int64_t>(ir::size_bytes(to_dtype(v.dtype)));
      for (std::size_t a = dense.size(); a-- > 0; step *= v.shape[a]) dense[a] = step;
      kept.push_back(std::move(dense));
      strides = kept.back().data();
    }
    return {static_cast<std::byte*>(v.data),
            to_dtype(v.dtype),
            static_cast<std::size_t>(v.rank),
            nullptr,
            v.shape,
            strides,
            v.read_only != 0};
  }
};

array::Nodes nodes_of(const lathe_lazy* const* arrays, int32_t count) {
  require(count == 0 || arrays, "arrays are counted, but not given");
  array::Nodes out;
  for (int32_t i = 0; i < count; ++i) out.push_back(to_node(arrays[i]));
  return out;
}

[[noreturn]] void given_twice(const char* name) {
  throw UsageError(quoted(name) + " is given twice");
}

std::string report_text(const array::Nodes& arrays, lathe_lazy_report what) {
  std::string out;
  switch (what) {
    case LATHE_REPORT_VALUE:
      for (const array::NodeRef& a : arrays) out += array::to_text(*a) + "\n";
      return out;
    case LATHE_REPORT_PROGRAM: return explain_arrays(arrays, array::Storing::Everything).program;
    case LATHE_REPORT_STORED: return explain_arrays(arrays, array::Storing::Everything).stored;
    case LATHE_REPORT_DOMAIN:
      for (const array::NodeRef& a : arrays) out += array::domain_tree(a);
      return out;
    case LATHE_REPORT_LISTING:
      for (const array::NodeRef& a : arrays) out += array::listing(a);
      return out;
    case LATHE_REPORT_FUNCTIONS:
      for (const std::string& name : array::function_names()) out += name + "\n";
      return out;
    case LATHE_REPORT_OPEN:
      for (const std::string& name : open_names(arrays)) out += name + "\n";
      return out;
    default: throw UsageError("an unknown report");
  }
}

}  // namespace

// What C++ has moved from is null: a number without a value.
lathe_dtype lathe_lazy_dtype(const lathe_lazy* array) {
  return array ? static_cast<lathe_dtype>(node_of(array).dtype) : LATHE_F64;
}
int32_t lathe_lazy_rank(const lathe_lazy* array) {
  return array ? static_cast<int32_t>(node_of(array).rank()) : 0;
}
lathe_size* lathe_lazy_axis(const lathe_lazy* array, int32_t axis) {
  if (!array) return nullptr;
  const array::Node& n = node_of(array);
  if (axis < 0 || static_cast<std::size_t>(axis) >= n.rank()) return nullptr;
  return new (std::nothrow) lathe_size{n.shape[static_cast<std::size_t>(axis)], {}};
}
const char* lathe_lazy_label(const lathe_lazy* array, int32_t axis) {
  const array::Node& n = node_of(array);
  const auto a = static_cast<std::size_t>(axis);
  return axis >= 0 && a < n.labels.size() ? n.labels[a].c_str() : "";
}
int32_t lathe_lazy_has_data(const lathe_lazy* array) { return node_of(array).storage ? 1 : 0; }

int32_t lathe_lazy_is_closed(const lathe_lazy* array) {
  return open_names({to_node(array)}).empty() ? 1 : 0;
}

int32_t lathe_lazy_has_input(const lathe_lazy* array, const char* name) {
  for (const array::Node* n : array::in_order({to_node(array)}))
    if (n->kind == array::Kind::Input && n->text == name) return 1;
  return 0;
}

int32_t lathe_lazy_is_open(const lathe_lazy* array, const char* name) {
  const array::Node& whole = node_of(array);
  if (whole.kind == array::Kind::Input && whole.text == name) return 1;
  bool found = false;
  const auto look = [&](const array::Dim& d) {
    array::for_each_symbol(d, [&](const array::SymbolRef& s) {
      found = found || (s->name == name && !array::known_value(array::Dim(s)));
    });
  };
  for (const array::Node* n : array::in_order({to_node(array)})) {
    found = found || (n->kind == array::Kind::Input && n->text == name) ||
            (n->witnesses && n->witnesses->named.count(name));
    for (const array::Dim& d : n->shape) look(d);
    for (const array::Dim& d : n->dims) look(d);
    if (found) return 1;
  }
  return 0;
}

lathe_code lathe_lazy_view(const lathe_lazy* array, lathe_view* view, lathe_error** error) {
  return guarded(error, LATHE_ERROR_ARGUMENT, nullptr, [&] {
    require(array && view, "lathe_lazy_view needs an array and a place for the view");
    const array::Node& n = node_of(array);
    if (!n.storage) throw UsageError("the array has no values yet", {}, "evaluate it first");
    *view = {"",
             n.storage->data,
             static_cast<lathe_dtype>(n.dtype),
             static_cast<int32_t>(n.rank()),
             nullptr,
             n.storage->extents.data(),
             n.storage->strides.data(),
             LATHE_HOST,
             1};
  });
}

lathe_code lathe_lazy_text(const lathe_lazy* const* arrays, int32_t count, lathe_lazy_report what,
                           char** text, lathe_error** error) {
  return guarded(error, LATHE_ERROR_ARGUMENT, nullptr, [&] {
    require(text, "lathe_lazy_text needs a place for the text");
    const std::string made = report_text(nodes_of(arrays, count), what);
    *text = new char[made.size() + 1];
    std::memcpy(*text, made.c_str(), made.size() + 1);
  });
}
void lathe_text_destroy(char* text) { delete[] text; }

namespace {
// What names no line of the user's is at least where the evaluation is.
Diagnostic placed(Diagnostic d, const lathe_place& place) {
  if (d.says_where || d.span.known() || !place.file) return d;
  d.note("at " + array::to_text(to_place(place)));
  d.says_where = true;
  return d;
}

array::Nodes evaluated(const array::Nodes& arrays, const lathe_eval_options& given) {
  const auto count = static_cast<int32_t>(arrays.size());
  ArrayBindings bindings;
  ViewStrides strides;
  for (int32_t i = 0; i < given.value_count; ++i) {
    require(given.values[i].name, "a value has no name");
    if (!bindings.values.emplace(given.values[i].name, scalar_value(given.values[i])).second)
      given_twice(given.values[i].name);
  }
  for (int32_t i = 0; i < given.view_count; ++i) {
    require(given.views[i].name, "a view has no name");
    if (bindings.values.count(given.views[i].name) ||
        !bindings.views.emplace(given.views[i].name, strides.ref(given.views[i])).second)
      given_twice(given.views[i].name);
  }
  std::vector<ArrayTarget> targets;
  for (int32_t i = 0; given.targets && i < count; ++i) {
    const lathe_view& target = given.targets[i];
    if (!can_be_written(target))
      throw UserError("the memory given for result " + std::to_string(i) +
                          (target.data ? " is read-only" : " is missing: its pointer is null"),
                      {}, "give memory of your own, or none: then Lathe allocates the result");
    targets.push_back({target.data ? strides.ref(target) : ArrayRef{}});
  }
  ArrayEvalOptions how;
  how.checked = given.checked != 0;
  how.interpret = given.interpret != 0;
  how.allow_unused = given.allow_unused != 0;
  RunOptions& run = how.run;
  run.threads = given.threads;
  if (given.cancel) {
    run.cancellation = &given.cancel->cancellation;
    run.cancel = &run.cancellation->flag();
  }
  return evaluate_arrays(arrays, bindings, targets, how);
}
}  // namespace

lathe_code lathe_lazy_eval(const lathe_lazy* const* arrays, int32_t count,
                           const lathe_eval_options* options, lathe_lazy** results,
                           lathe_error** error) {
  return guarded(error, LATHE_ERROR_ARGUMENT, nullptr, [&] {
    require(results || count == 0, "lathe_lazy_eval needs a place for the results");
    const lathe_eval_options given = known_part(options);
    require(given.value_count == 0 || given.values, "values are counted, but not given");
    require(given.view_count == 0 || given.views, "views are counted, but not given");
    array::Nodes made;
    try {
      made = evaluated(nodes_of(arrays, count), given);
    } catch (const Failure& f) {
      throw Failure(f.kind(), placed(f.diagnostic(), given.place));
    } catch (const UserError& e) {
      throw UserError(placed(e.diagnostic(), given.place));
    }
    for (std::size_t i = 0; i < made.size(); ++i) results[i] = to_handle(std::move(made[i]));
  });
}

int64_t lathe_lazy_kernel_count(void) { return static_cast<int64_t>(array_kernel_count()); }

lathe_code lathe_lazy_vjp(const lathe_lazy* const* outputs, const lathe_lazy* const* cotangents,
                          int32_t output_count, const lathe_lazy* const* inputs,
                          int32_t input_count, lathe_place place, lathe_lazy** results,
                          lathe_error** error) {
  return guarded(error, LATHE_ERROR_ARGUMENT, nullptr, [&] {
    require(results || input_count == 0, "lathe_lazy_vjp needs a place for the results");
    array::Nodes made =
        array::vjp(nodes_of(outputs, output_count), nodes_of(cotangents, output_count),
                   nodes_of(inputs, input_count), to_place(place));
    for (std::size_t i = 0; i < made.size(); ++i) results[i] = to_handle(std::move(made[i]));
  });
}

lathe_code lathe_lazy_jvp(const lathe_lazy* const* outputs, int32_t output_count,
                          const lathe_lazy* const* inputs, const lathe_lazy* const* tangents,
                          int32_t input_count, lathe_place place, lathe_lazy** results,
                          lathe_error** error) {
  return guarded(error, LATHE_ERROR_ARGUMENT, nullptr, [&] {
    require(results || output_count == 0, "lathe_lazy_jvp needs a place for the results");
    array::Nodes made = array::jvp(nodes_of(outputs, output_count), nodes_of(inputs, input_count),
                                   nodes_of(tangents, input_count), to_place(place));
    for (std::size_t i = 0; i < made.size(); ++i) results[i] = to_handle(std::move(made[i]));
  });
}
