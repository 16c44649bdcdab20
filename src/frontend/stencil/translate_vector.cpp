// SPDX-License-Identifier: Apache-2.0
// Whole vectors and matrices: v = M @ w + 2 * u becomes one statement per element of v.

#include "base/quoted.h"
#include "frontend/stencil/translator.h"

namespace lathe::stencil {

using python::BinaryOperator;
using python::ExprKind;

namespace {

std::string text(const std::vector<std::int64_t>& shape) {
  std::string s = "(";
  for (std::int64_t n : shape) s += (s.size() > 1 ? ", " : "") + std::to_string(n);
  return s + (shape.size() == 1 ? ",)" : ")");
}

const python::Attribute* transposed(const python::Expr& e) {
  const auto* a = e.try_as<python::Attribute>();
  return a && a->name == "T" ? a : nullptr;
}

}  // namespace

// Of fields whose data dimensions are not indexed; empty: a single value.
std::vector<std::int64_t> Translator::shape(const Node& e) {
  if (const auto* name = e.try_as<python::Name>()) {
    const Variable* v = find(name->name);
    if (v && v->kind == Variable::Kind::Field && !fields_[v->index].table)
      return fields_[v->index].dims;
    return {};
  }
  if (const auto* t = transposed(e)) {
    const std::vector<std::int64_t> s = shape(*t->value);
    return {s.rbegin(), s.rend()};
  }
  if (const auto* s = e.try_as<python::Subscript>()) {
    const auto* name = s->value->try_as<python::Name>();
    return name ? shape(*s->value) : std::vector<std::int64_t>{};
  }
  if (const auto* u = e.try_as<python::UnaryOp>()) return shape(*u->operand);
  const auto* b = e.try_as<python::BinOp>();
  if (!b) return {};
  const std::vector<std::int64_t> left = shape(*b->left), right = shape(*b->right);
  if (b->op == BinaryOperator::MatMult) {
    if (left.size() != 2 || right.empty() || right.size() > 2 || left[1] != right[0])
      fail(b->span, "'@' of data dimensions " + text(left) + " and " + text(right),
           "it takes a matrix (n, m), and a vector (m) or a matrix (m, l)");
    std::vector<std::int64_t> s{left[0]};
    if (right.size() == 2) s.push_back(right[1]);
    return s;
  }
  if (left.empty() || right.empty()) return left.empty() ? right : left;
  if (left != right)
    fail(b->span, "data dimensions " + text(left) + " and " + text(right) + " do not match");
  return left;
}

ir::Expr Translator::component(const Node& e, std::vector<std::int64_t> index) {
  if (++components_ > kMostComponents)
    fail(e.span,
         "this assignment takes more than " + std::to_string(kMostComponents) +
             " elements of vectors and matrices, each written out",
         "assign the products to fields of their own, or use smaller ones");
  const std::vector<std::int64_t>* const outer = std::exchange(component_, &index);
  ir::Expr result = nullptr;
  try {
    if (const auto* t = transposed(e)) {
      result = component(*t->value, {index.rbegin(), index.rend()});
    } else {
      result = expr(e);
    }
  } catch (...) {
    component_ = outer;
    throw;
  }
  component_ = outer;
  return result;
}

ir::Expr Translator::matrix_product(const python::BinOp& b) {
  const std::vector<std::int64_t> result = shape(b), left = shape(*b.left);
  if (!component_ || component_->size() != result.size())
    fail(b.span, "'@' stands in assignments to whole vectors and matrices");
  const std::vector<std::int64_t> at = *component_;
  ir::Expr sum = nullptr;
  for (std::int64_t l = 0; l < left[1]; ++l) {
    std::vector<std::int64_t> right{l};
    if (at.size() == 2) right.push_back(at[1]);
    const ir::Expr x = component(*b.left, {at[0], l});
    const ir::Expr y = component(*b.right, right);
    const ir::Expr product = binary(BinaryOperator::Mult, x, y, b.span);
    sum = sum ? binary(BinaryOperator::Add, sum, product, b.span) : product;
  }
  return sum;
}

// Each element is a statement.
void Translator::check_elements(const std::vector<std::int64_t>& dims, Span span) const {
  std::int64_t elements = 1;
  for (std::int64_t d : dims)
    if (__builtin_mul_overflow(elements, d, &elements)) elements = INT64_MAX;
  if (elements > kMostElements)
    fail(span,
         "a whole assignment of " + std::to_string(elements) +
             " elements: each is a statement of its own, and " + std::to_string(kMostElements) +
             " are the most",
         "data dimensions are for few elements: give so many an axis, or assign those that are "
         "needed one by one");
}

// True when the target is a whole vector or matrix.
bool Translator::assign_vector(const Node& target, const Node& value, Span span) {
  const auto* name = target.try_as<python::Name>();
  const auto* subscript = target.try_as<python::Subscript>();
  if (!name && !(subscript && subscript->value->kind == ExprKind::Name)) return false;
  const std::vector<std::int64_t> to = shape(target), from = shape(value);
  if (to.empty()) {
    if (!from.empty())
      fail(span, "data dimensions " + text(from) + " are assigned to a single value",
           name && !find(name->name)
               ? "declare " + quoted(name->name) + " before the computations: " +
                     std::string(name->name) + ": Field[(float, " + text(from) + ")]"
               : "take one element: v[0, 0, 0]" +
                     (from.size() == 1 ? std::string("[0]") : std::string("[0, 0]")));
    return false;
  }
  if (to.size() > 2) fail(span, "whole assignments have one or two data dimensions");
  components_ = 0;
  check_elements(to, span);
  if (block_.inside)
    fail(span, "a whole vector is assigned inside of 'if' or 'while'",
         "assign its elements one by one");
  if (!from.empty() && from != to)
    fail(span, "data dimensions " + text(from) + " are assigned to " + text(to),
         "both sides have the same data dimensions, or the right side is a single value");
  std::vector<ir::Expr> values;
  std::vector<std::vector<FieldRead>> reads;
  std::vector<std::vector<std::int64_t>> indices;
  for (std::int64_t a = 0; a < to[0]; ++a)
    for (std::int64_t c = 0; c < (to.size() == 2 ? to[1] : 1); ++c) {
      indices.push_back(to.size() == 2 ? std::vector{a, c} : std::vector{a});
      reads_ = &reads.emplace_back();
      values.push_back(component(value, indices.back()));
    }
  // Elements are written one after another: what reads the target is computed first.
  const Place whole = *place(target);
  bool reads_target = false;
  for (const auto& list : reads)
    for (const FieldRead& r : list) reads_target |= r.field == whole.field;
  std::vector<std::size_t> kept;
  for (std::size_t n = 0; n < values.size(); ++n) {
    Place p = whole;
    if (reads_target) {
      p = Place{};
      p.field = new_field(fields_[whole.field].name + "_new",
                          {fields_[whole.field].dtype, true, false, "IJK", {}}, false, span);
      p.span = span;
      declare_array(fields_[p.field]);
      kept.push_back(p.field);
    } else {
      for (std::int64_t d : indices[n]) p.data.push_back(builder_.build().integer(d));
    }
    store(p, values[n], std::move(reads[n]), span);
  }
  for (std::size_t n = 0; n < kept.size(); ++n) {
    std::vector<FieldRead> of_kept;
    reads_ = &of_kept;
    Place from_kept, p = whole;
    from_kept.field = kept[n];
    from_kept.span = span;
    const ir::Expr e = read(from_kept);
    for (std::int64_t d : indices[n]) p.data.push_back(builder_.build().integer(d));
    store(p, e, std::move(of_kept), span);
  }
  return true;
}

}  // namespace lathe::stencil
