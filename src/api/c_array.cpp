// SPDX-License-Identifier: Apache-2.0
// Making lazy arrays behind lathe/c_array.h.

#include "api/array_eval.h"
#include "api/c_array_handles.h"
#include "base/quoted.h"

using namespace lathe;
using namespace lathe::api;

namespace {

void copy_elements(const lathe_view& from, std::size_t axis, const std::byte* source,
                   const std::vector<std::int64_t>& strides, std::byte*& to, std::size_t bytes) {
  if (axis == strides.size()) {
    std::memcpy(to, source, bytes);
    to += bytes;
    return;
  }
  for (std::int64_t i = 0; i < from.shape[axis]; ++i)
    copy_elements(from, axis + 1, source + i * strides[axis], strides, to, bytes);
}

std::vector<std::int64_t> byte_strides(const lathe_view& v) {
  std::vector<std::int64_t> out(static_cast<std::size_t>(v.rank));
  if (v.strides) {
    std::copy(v.strides, v.strides + v.rank, out.begin());
    return out;
  }
  auto step = static_cast<std::int64_t>(ir::size_bytes(to_dtype(v.dtype)));
  for (std::size_t a = out.size(); a-- > 0; step *= v.shape[a]) out[a] = step;
  return out;
}

array::Dim dim_of(const lathe_size* s) {
  require(s != nullptr, "a size is null");
  return s->dim;
}

array::Shape shape_of(const lathe_size* const* sizes, int32_t count) {
  require(count == 0 || sizes, "sizes are counted, but not given");
  array::Shape out;
  for (int32_t i = 0; i < count; ++i) out.push_back(dim_of(sizes[i]));
  return out;
}

array::IndexItem item_of(const lathe_index& i) {
  array::IndexItem out;
  require(i.kind >= LATHE_INDEX_ALL && i.kind <= LATHE_INDEX_ARRAY, "an unknown kind of index");
  out.kind = static_cast<array::IndexItem::Kind>(i.kind);
  if (i.start) out.start = i.start->dim;
  if (i.stop) out.stop = i.stop->dim;
  out.step = i.step;
  if (out.kind == array::IndexItem::Kind::Integer) require(i.start, "an index has no value");
  if (out.kind == array::IndexItem::Kind::Array) out.array = to_node(i.array);
  return out;
}

}  // namespace

// ---- Sizes.

lathe_size* lathe_size_number(int64_t value) {
  return new (std::nothrow) lathe_size{array::Dim(value), {}};
}

lathe_code lathe_size_named(const char* name, lathe_size** size, lathe_error** error) {
  return guarded(error, LATHE_ERROR_ARGUMENT, nullptr, [&] {
    require(name && size, "lathe_size_named needs a name and a place for the size");
    const auto is_letter = [](char c) {
      return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    };
    bool fine = is_letter(name[0]);
    for (const char* c = name; *c; ++c) fine = fine && (is_letter(*c) || (*c >= '0' && *c <= '9'));
    if (!fine)
      throw UserError("size: " + quoted(std::string(name)) + " is not a name", {},
                      "use letters, digits and _, and begin with no digit");
    *size = new lathe_size{array::Dim(array::size_symbol(name)), {}};
  });
}

lathe_code lathe_size_apply(const char* operation, const lathe_size* a, const lathe_size* b,
                            lathe_size** size, lathe_error** error) {
  return guarded(error, LATHE_ERROR_ARGUMENT, nullptr, [&] {
    require(operation && a && b && size, "lathe_size_apply needs two sizes");
    const std::string_view op(operation);
    array::Dim d;
    if (op == "+")
      d = a->dim + b->dim;
    else if (op == "-")
      d = a->dim - b->dim;
    else if (op == "*")
      d = a->dim * b->dim;
    else if (op == "//")
      d = floor_div(a->dim, b->dim);
    else if (op == "%")
      d = mod(a->dim, b->dim);
    else if (op == "min")
      d = min(a->dim, b->dim);
    else if (op == "max")
      d = max(a->dim, b->dim);
    else
      throw UsageError("sizes have no operation " + quoted(std::string(op)));
    *size = new lathe_size{d, {}};
  });
}

lathe_size* lathe_size_copy(const lathe_size* size) {
  return new (std::nothrow) lathe_size{size->dim, {}};
}
void lathe_size_destroy(lathe_size* size) { delete size; }
const char* lathe_size_text(const lathe_size* size) {
  size->text = array::to_text(size->dim);
  return size->text.c_str();
}
int32_t lathe_size_value(const lathe_size* size, int64_t* value) {
  const auto v = array::known_value(size->dim);
  if (v && value) *value = *v;
  return v ? 1 : 0;
}
int32_t lathe_size_compare(const lathe_size* a, const lathe_size* b) {
  switch (array::compare(a->dim, b->dim)) {
    case array::Answer::Yes: return 1;
    case array::Answer::No: return 0;
    case array::Answer::Unknown: break;
  }
  return -1;
}

// ---- Leaves.

lathe_code lathe_lazy_input(const char* name, lathe_dtype dtype, const lathe_size* const* shape,
                            int32_t rank, lathe_place place, lathe_lazy** array,
                            lathe_error** error) {
  return guarded(error, LATHE_ERROR_ARGUMENT, nullptr, [&] {
    require(name && array, "lathe_lazy_input needs a name and a place for the array");
    *array = to_handle(array::input(name, to_dtype(dtype), shape_of(shape, rank), to_place(place)));
  });
}

lathe_code lathe_lazy_scalar(const char* name, lathe_dtype dtype, int32_t weak, lathe_place place,
                             lathe_lazy** array, lathe_error** error) {
  return guarded(error, LATHE_ERROR_ARGUMENT, nullptr, [&] {
    require(name && array, "lathe_lazy_scalar needs a name and a place for the array");
    require(!weak || dtype == LATHE_F64, "a weak scalar is an f64");
    *array = to_handle(array::scalar(name, to_dtype(dtype), weak != 0, to_place(place)));
  });
}

lathe_code lathe_lazy_data(const lathe_view* view, int32_t copy, void (*release)(void*),
                           void* owner, lathe_place place, lathe_lazy** array,
                           lathe_error** error) {
  return guarded(error, LATHE_ERROR_ARGUMENT, nullptr, [&] {
    require(view && array, "lathe_lazy_data needs a view and a place for the array");
    require(view->rank == 0 || view->shape, "a view with axes has no shape");
    const ir::DType t = to_dtype(view->dtype);
    std::vector<std::int64_t> extents(view->shape, view->shape + view->rank);
    for (std::int64_t e : extents) require(e >= 0, "a view has a negative length");
    const bool is_empty = std::find(extents.begin(), extents.end(), 0) != extents.end();
    if (!view->data && !is_empty)
      array::refuse({"array", to_place(place)}, "the values have no memory: their pointer is null");
    std::shared_ptr<array::Storage> storage;
    if (copy == LATHE_COPY) {
      storage = make_storage(t, extents);
      std::byte* to = storage->data;
      copy_elements(*view, 0, static_cast<const std::byte*>(view->data), byte_strides(*view), to,
                    ir::size_bytes(t));
    } else {
      storage = std::make_shared<array::Storage>();
      storage->data = static_cast<std::byte*>(view->data);
      storage->extents = extents;
      storage->strides = byte_strides(*view);
      if (release) storage->owner = std::shared_ptr<void>(owner, release);
    }
    *array = to_handle(array::data(storage, t, to_place(place)));
  });
}

lathe_code lathe_lazy_number(const lathe_value* value, int32_t weak, lathe_lazy** array,
                             lathe_error** error) {
  return guarded(error, LATHE_ERROR_ARGUMENT, nullptr, [&] {
    require(value && array, "lathe_lazy_number needs a value and a place for the array");
    ir::Scalar s;
    switch (value->dtype) {
      case LATHE_BOOL: s = ir::Scalar::of_bool(value->as.i != 0); break;
      case LATHE_U64: s = ir::Scalar::of_uint(ir::DType::U64, value->as.u); break;
      case LATHE_I64: s = ir::Scalar::of_int(ir::DType::I64, value->as.i); break;
      case LATHE_F64: s = ir::Scalar::of_double(ir::DType::F64, value->as.f); break;
      default: throw UsageError("a number is a bool, i64, u64 or f64");
    }
    *array = to_handle(array::constant(s, weak != 0 && value->dtype != LATHE_BOOL));
  });
}

lathe_code lathe_lazy_size(const lathe_size* size, lathe_lazy** array, lathe_error** error) {
  return guarded(error, LATHE_ERROR_ARGUMENT, nullptr, [&] {
    require(array, "lathe_lazy_size needs a place for the array");
    *array = to_handle(array::size_value(dim_of(size), {}));
  });
}

// ---- Functions.

lathe_code lathe_lazy_apply(const lathe_apply* request, lathe_lazy** array, lathe_error** error) {
  return guarded(error, LATHE_ERROR_ARGUMENT, nullptr, [&] {
    require(request && array, "lathe_lazy_apply needs a request and a place for the array");
    const lathe_apply given = known_part(request);
    require(given.name, "a function has no name");
    require(given.operand_count == 0 || given.operands, "operands are counted, but not given");
    require(given.index_count == 0 || given.index, "an index is counted, but not given");
    array::Request r;
    r.name = given.name;
    for (int32_t i = 0; i < given.operand_count; ++i)
      r.operands.push_back(to_node(given.operands[i]));
    r.ints.assign(given.ints, given.ints + given.int_count);
    r.dims = shape_of(given.sizes, given.size_count);
    r.reals.assign(given.reals, given.reals + given.real_count);
    if (given.text) r.text = given.text;
    if (given.has_dtype) r.dtype = to_dtype(given.dtype);
    for (int32_t i = 0; i < given.index_count; ++i) r.items.push_back(item_of(given.index[i]));
    r.place = to_place(given.place);
    *array = to_handle(array::apply(r));
  });
}

lathe_code lathe_lazy_pin(const lathe_lazy* array, lathe_pin pin, lathe_lazy** pinned,
                          lathe_error** error) {
  return guarded(error, LATHE_ERROR_ARGUMENT, nullptr, [&] {
    require(pinned, "lathe_lazy_pin needs a place for the array");
    require(pin >= LATHE_PIN_NONE && pin <= LATHE_PIN_CSE, "an unknown pin");
    *pinned = to_handle(array::with_pin(to_node(array), static_cast<array::Pin>(pin)));
  });
}

lathe_code lathe_lazy_named(const lathe_lazy* array, const char* const* labels, int32_t count,
                            lathe_place place, lathe_lazy** named, lathe_error** error) {
  return guarded(error, LATHE_ERROR_ARGUMENT, nullptr, [&] {
    require(named && (count == 0 || labels), "lathe_lazy_named needs labels and a place");
    const array::NodeRef x = to_node(array);
    std::vector<std::string> names;
    for (int32_t i = 0; i < count; ++i) names.emplace_back(labels[i] ? labels[i] : "");
    const array::Maker m{"named", to_place(place)};
    if (names.size() != x->rank())
      refuse(m, "takes a name for each axis of " + array::describe(*x) + ", not " +
                    std::to_string(names.size()));
    for (std::size_t i = 0; i < names.size(); ++i)
      for (std::size_t j = i + 1; j < names.size(); ++j)
        if (!names[i].empty() && names[i] == names[j])
          refuse(m, "two axes cannot both be " + quoted(names[i]));
    *named = to_handle(array::with_labels(x, std::move(names)));
  });
}

lathe_lazy* lathe_lazy_copy(const lathe_lazy* array) { return to_handle(to_node(array)); }
void lathe_lazy_destroy(lathe_lazy* array) {
  if (array) array::NodeRef(&node_of(array));
}
