// SPDX-License-Identifier: Apache-2.0
// Operations on whole arrays (ir/calls.h).

#include "ir/calls.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "interp/executor.h"
#include "interp/linear.h"

namespace lathe::interp {
namespace {

using ir::Op;
using ir::Scalar;

// An integer that orders elements as the language does: -0 before +0, NaN last.
std::uint64_t order_key(DType t, const void* element) {
  const Scalar s = Scalar::load(t, element);
  if (ir::is_bool(t) || ir::is_unsigned_int(t)) return s.bits;
  const std::uint64_t sign = std::uint64_t{1} << 63;
  if (ir::is_signed_int(t)) return static_cast<std::uint64_t>(s.as_int()) ^ sign;
  const std::uint64_t bits = s.bits << (64 - ir::width_bits(t));
  return (bits & sign) != 0 ? ~bits : bits | sign;
}

class Caller {
 public:
  Caller(Space& space, const ir::Call& call) : space_(space), call_(call) {}

  void run() {
    const ir::CallInfo* info = ir::find_call(call_.function.text());
    check(info != nullptr, "a known function");
    switch (info->kind) {
      case ir::CallKind::Sort: return sort(false);
      case ir::CallKind::Argsort: return sort(true);
      case ir::CallKind::Searchsorted: return search(false);
      case ir::CallKind::SearchsortedRight: return search(true);
      case ir::CallKind::Contains: return contains();
      case ir::CallKind::NonzeroCount: return count();
      case ir::CallKind::Nonzero: return nonzero();
      case ir::CallKind::Cholesky: return cholesky();
      default: return linear(info->kind);
    }
  }

 private:
  Id input_id(std::size_t i) const { return space_.find(call_.inputs[i]); }
  Id output_id() const { return space_.find(call_.outputs[0]); }
  const RunArray& input(std::size_t i) const { return space_.allocated(input_id(i)); }
  static std::int64_t size_of(const RunArray& a) { return a.buffer->element_count(); }

  void check_written(const RunArray& a) const {
    const auto hole = std::find(a.written.begin(), a.written.end(), std::uint8_t{0});
    if (hole == a.written.end()) return;
    Fault fault;
    fault.kind = Fault::Kind::Unwritten;
    fault.array = a.name;
    fault.index = a.index_of(hole - a.written.begin());
    throw fault;
  }

  void check_size(std::int64_t wanted) const {
    const RunArray& out = space_.allocated(output_id());
    if (size_of(out) == wanted) return;
    throw UserError("call '" + std::string(call_.label.text()) + "' gives " +
                        std::to_string(wanted) + " elements, but '" + std::string(out.name.text()) +
                        "' covers " + range_text(out.buffer->lo, out.buffer->hi),
                    call_.span, "declare the output with the range of the result");
  }

  void put(std::int64_t offset, const void* value) {
    space_.write(output_id(), {nullptr, offset, 0}, value, nullptr, 1, true);
  }
  void put(std::int64_t offset, std::int64_t value) {
    std::uint64_t cell = 0;
    Scalar::of_int(space_.array(output_id()).dtype, value).store(&cell);
    put(offset, &cell);
  }

  std::vector<std::uint64_t> keys(const RunArray& a) const {
    check_written(a);
    std::vector<std::uint64_t> result;
    for (std::int64_t e = 0; e < size_of(a); ++e)
      result.push_back(order_key(a.dtype, a.element(e)));
    return result;
  }

  void sort(bool positions) {
    const RunArray& x = input(0);
    check_size(size_of(x));
    const std::vector<std::uint64_t> key = keys(x);
    const std::vector<std::byte> old = x.buffer->data;  // the output may be the input
    const std::size_t size = ir::size_bytes(x.dtype);
    const std::int64_t length = x.rank() == 0 ? 1 : x.buffer->extent(x.rank() - 1);
    std::vector<std::int64_t> order(static_cast<std::size_t>(length));
    for (std::int64_t row = 0; row < size_of(x); row += length) {
      std::iota(order.begin(), order.end(), std::int64_t{0});
      std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
        return key[static_cast<std::size_t>(row + a)] < key[static_cast<std::size_t>(row + b)];
      });
      for (std::int64_t i = 0; i < length; ++i) {
        const std::int64_t from = order[static_cast<std::size_t>(i)];
        if (positions) {
          put(row + i, from);
        } else {
          put(row + i, old.data() + static_cast<std::size_t>(row + from) * size);
        }
      }
    }
  }

  void search(bool behind) {
    const RunArray& a = input(0);
    const RunArray& v = input(1);
    check(a.dtype == v.dtype && a.rank() == 1, "a sorted row and values of its dtype");
    check_size(size_of(v));
    const std::vector<std::uint64_t> sorted = keys(a), wanted = keys(v);
    for (std::int64_t i = 0; i < size_of(v); ++i) {
      const std::uint64_t v_key = wanted[static_cast<std::size_t>(i)];
      const auto at = behind
                          ? std::upper_bound(sorted.begin(), sorted.end(), v_key, reaches{a.dtype})
                          : std::lower_bound(sorted.begin(), sorted.end(), v_key, reaches{a.dtype});
      put(i, a.buffer->lo[0] + (at - sorted.begin()));
    }
  }

  void contains() {
    const RunArray& a = input(0);
    const RunArray& v = input(1);
    check(a.dtype == v.dtype && a.rank() == 1, "a row and values of its dtype");
    check_size(size_of(v));
    std::vector<std::uint64_t> there = keys(a);
    const std::vector<std::uint64_t> wanted = keys(v);
    std::sort(there.begin(), there.end(), reaches{a.dtype});
    for (std::int64_t i = 0; i < size_of(v); ++i) {
      const bool found = !Scalar::load(v.dtype, v.element(i)).is_nan() &&
                         std::binary_search(there.begin(), there.end(),
                                            wanted[static_cast<std::size_t>(i)], reaches{a.dtype});
      put(i, std::int64_t{found});
    }
  }

  // Keys compare as a[i] < v does: both zeros are equal there.
  struct reaches {
    DType t;
    bool operator()(std::uint64_t a, std::uint64_t v) const {
      const std::uint64_t sign = std::uint64_t{1} << 63;
      const bool zeros = ir::is_float(t) && (a == ~sign || a == sign) && (v == ~sign || v == sign);
      return !zeros && a < v;
    }
  };

  std::vector<std::int64_t> positions() const {
    const RunArray& m = input(0);
    check_written(m);
    std::vector<std::int64_t> result;
    for (std::int64_t e = 0; e < size_of(m); ++e)
      if (!Scalar::load(m.dtype, m.element(e)).is_zero()) result.push_back(e);
    return result;
  }

  void count() {
    check_size(1);
    put(0, static_cast<std::int64_t>(positions().size()));
  }

  void nonzero() {
    const std::vector<std::int64_t> found = positions();
    check_size(static_cast<std::int64_t>(found.size()));
    for (std::size_t i = 0; i < found.size(); ++i) put(static_cast<std::int64_t>(i), found[i]);
  }

  // l[i, j] = (a[i, j] - l[i, 0] * l[j, 0] - l[i, 1] * l[j, 1] ...) / l[j, j], and the square root
  // on the diagonal; the upper part is zero.
  void cholesky() {
    const RunArray& a = input(0);
    check(a.rank() >= 2, "a matrix");
    check_size(size_of(a));
    check_written(a);
    const DType t = a.dtype;
    const std::int64_t n = a.buffer->extent(a.rank() - 1);
    if (a.buffer->extent(a.rank() - 2) != n)
      throw UserError("call '" + std::string(call_.label.text()) +
                          "' needs square matrices, but '" + std::string(a.name.text()) +
                          "' covers " + range_text(a.buffer->lo, a.buffer->hi),
                      call_.span);
    const RowFunction mul(Op::Mul, t, t), sub(Op::Sub, t, t), div(Op::Div, t, t),
        root(Op::Sqrt, t, t);
    const std::size_t size = ir::size_bytes(t);
    const auto at = [&](std::vector<std::byte>& m, std::int64_t i, std::int64_t j) {
      return m.data() + static_cast<std::size_t>(i * n + j) * size;
    };
    for (std::int64_t base = 0; base < size_of(a); base += n * n) {
      std::vector<std::byte> l(static_cast<std::size_t>(n * n) * size);
      for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j <= i; ++j) {
          std::uint64_t sum = 0, product = 0;
          std::memcpy(&sum, a.element(base + i * n + j), size);
          for (std::int64_t k = 0; k < j; ++k) {
            const void* factors[] = {at(l, i, k), at(l, j, k)};
            mul(factors, &product, 1);
            const void* difference[] = {&sum, &product};
            sub(difference, &sum, 1);
          }
          const void* quotient[] = {&sum, at(l, j, j)};
          i == j ? root(quotient, at(l, i, j), 1) : div(quotient, at(l, i, j), 1);
        }
      for (std::int64_t e = 0; e < n * n; ++e)
        put(base + e, l.data() + static_cast<std::size_t>(e) * size);
    }
  }

  void linear(ir::CallKind kind) {
    const RunArray& a = input(0);
    check_written(a);
    const RunArray* b = call_.inputs.size() > 1 ? &input(1) : nullptr;
    if (b) check_written(*b);
    const LinearBatch batch = linear_batch(kind, call_, *a.buffer, b ? b->buffer : nullptr);
    check_size(batch.count * batch.result);
    std::vector<std::byte> out(static_cast<std::size_t>(batch.count * batch.result) *
                               ir::size_bytes(a.dtype));
    for (std::int64_t i = 0; i < batch.count; ++i) batch.run(i, out.data());
    for (std::int64_t e = 0; e < batch.count * batch.result; ++e)
      put(e, out.data() + static_cast<std::size_t>(e) * ir::size_bytes(a.dtype));
  }

  Space& space_;
  const ir::Call& call_;
};

}  // namespace

void run_call(Space& space, const ir::Call& call) { Caller(space, call).run(); }

}  // namespace lathe::interp
