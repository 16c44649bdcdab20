// SPDX-License-Identifier: Apache-2.0
// A = Q R by Householder's reflections, one for each column.

#include <algorithm>
#include <vector>

#include "interp/linear.h"

namespace lathe::interp::linear {

template <class T>
void qr(std::int64_t m, std::int64_t n, bool complete, const T* given, T* q, T* r) {
  const std::int64_t k = std::min(m, n), q_columns = complete ? m : k;
  std::vector<T> a(given, given + m * n), tau(static_cast<std::size_t>(k)),
      work(static_cast<std::size_t>(std::max(n, q_columns)));
  // Neither overflow nor underflow on the way: a power of two changes no bit otherwise.
  const T unit = power_near(a.data(), m * n);
  for (T& x : a) x /= unit;
  for (std::int64_t c = 0; c < k; ++c) {
    T* const v = a.data() + c * n + c;
    T& t = tau[static_cast<std::size_t>(c)];
    t = reflect(v, m - c, n);
    apply_reflection(v, n, m - c, t, v + 1, n - c - 1, n, work.data());
  }
  for (std::int64_t i = 0; i < q_columns; ++i)
    for (std::int64_t j = 0; j < n; ++j)
      r[i * n + j] = j < i || i >= k ? T(0) : a[static_cast<std::size_t>(i * n + j)] * unit;
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < q_columns; ++j) q[i * q_columns + j] = i == j ? T(1) : T(0);
  // What later reflections leave alone is still the identity: columns from c on are enough.
  for (std::int64_t c = k; c-- > 0;)
    apply_reflection(a.data() + c * n + c, n, m - c, tau[static_cast<std::size_t>(c)],
                     q + c * q_columns + c, q_columns - c, q_columns, work.data());
}

template void qr(std::int64_t, std::int64_t, bool, const float*, float*, float*);
template void qr(std::int64_t, std::int64_t, bool, const double*, double*, double*);

}  // namespace lathe::interp::linear
