# SPDX-License-Identifier: Apache-2.0
"""Each function that NumPy has too, as an expression in `m`, which is the one module or the other, and arrays whose
lengths depend on n. Lines that begin with - are of functions that look at values or lengths in between: they are traced for
each call (numbers of repetition, the largest element)."""

import numpy as np

ONE = ("abs", "absolute", "sin", "cos", "tan", "arcsinh", "arctan", "sinh", "cosh", "tanh", "exp", "exp2", "expm1", "cbrt", "floor", "ceil",
       "trunc", "rint", "fix", "sign", "square", "isnan", "isinf", "isfinite", "signbit", "negative", "positive", "reciprocal",
       "fabs", "deg2rad", "rad2deg", "degrees", "radians", "sinc", "nan_to_num", "isposinf", "isneginf", "modf", "frexp",
       "logical_not", "spacing", "isreal", "iscomplex", "real", "imag", "conj", "conjugate", "angle", "real_if_close", "iscomplexobj",
       "isrealobj", "ndim", "shape", "copy", "atleast_1d", "atleast_2d", "atleast_3d", "ravel", "unwrap", "asanyarray",
       "ascontiguousarray", "around", "array", "asarray", "zeros_like", "ones_like", "flatnonzero", "diag", "diagflat", "nonzero",
       "argwhere")
POSITIVE = ("sqrt", "log", "log2", "log10", "log1p", "arccosh")  # of 1 + |x|
TWO = ("add", "subtract", "multiply", "divide", "true_divide", "arctan2", "maximum", "minimum", "fmax", "fmin", "hypot", "copysign",
       "logaddexp", "logaddexp2", "heaviside", "fmod", "mod", "remainder", "floor_divide", "power", "float_power", "nextafter",
       "divmod", "isclose", "equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "logical_and", "logical_or",
       "logical_xor")
REDUCE = ("sum", "prod", "min", "max", "amin", "amax", "mean", "var", "std", "any", "all", "argmax", "argmin", "ptp", "median",
          "count_nonzero")
NAN = ("nansum", "nanprod", "nanmin", "nanmax", "nanmean", "nanvar", "nanstd", "nanargmax", "nanargmin", "nancumsum",
       "nancumprod", "nanmedian")
LINES = r"""
m.arcsin(w), m.arccos(w), m.arctanh(w * 0.9), m.astype(x, "float32"), m.round(x, 1), m.clip(x, -0.5, 0.5), m.where(b, x, y)
m.bitwise_and(i, k), m.bitwise_or(i, k), m.bitwise_xor(i, k), m.invert(i), m.bitwise_not(k), m.left_shift(k, 2), m.right_shift(i, k)
m.bitwise_left_shift(k, 2), m.bitwise_right_shift(i, 1), m.bitwise_invert(k), m.bitwise_count(i - 3), m.ldexp(x, k)
m.acos(w), m.acosh(w + 1), m.asin(w), m.asinh(x), m.atan(x), m.atanh(w * 0.9), m.atan2(x, y), m.pow(w, x), m.permute_dims(A, (1, 0))
m.cumsum(A), m.cumsum(A, axis=0), m.cumprod(A), m.cumprod(A, axis=1), m.cumulative_sum(A, axis=1), m.cumulative_prod(x)
m.nanquantile(N, 0.3, axis=0), m.nanquantile(N, q, axis=1), m.nanpercentile(N, 30), m.nanmedian(N, keepdims=True)
m.quantile(A, 0.3), m.quantile(A, q, axis=1), m.percentile(A, [10, 60], axis=0), m.median(A, axis=0)
m.average(A), m.average(A, axis=0, weights=w), m.average(A, axis=0, returned=True)
- m.bincount(k), m.bincount(k, minlength=2), m.bincount(k, w, 6)
m.bincount(i, minlength=len_or_size(i))
m.histogram(x), m.histogram(x, 5, (-1, 1)), m.histogram(x, s), m.histogram(x, 4, (-3, 3), density=True), m.histogram(x, [-2, 0, 1, 2])
m.histogram(k, 3), m.histogram(x * 0, 3), m.histogram(x, 5, weights=w)[0]
m.diff(x), m.diff(A, n=2, axis=0), m.diff(A, prepend=0, append=1), m.ediff1d(x, to_end=[1.0, 2.0])
m.gradient(A), m.gradient(x, s), m.gradient(A, 0.5, axis=1, edge_order=2), m.trapezoid(A), m.trapezoid(A, s, axis=0), m.trapezoid(x, dx=0.1)
m.interp(x, s, y), m.digitize(x, s), m.digitize(x, s[::-1]), m.digitize(x, s, right=True), m.digitize(x, [-1.0, 0.0, 1.0])
m.cov(A), m.cov(A, rowvar=False), m.cov(x), m.cov(x, y), m.cov(A, S, rowvar=False), m.cov(x, rowvar=False), m.cov(A, bias=True)
m.corrcoef(A), m.corrcoef(A, rowvar=False), m.corrcoef(x, y)
m.kron(A, S), m.kron(x, y), m.kron(x, A)
m.convolve(x, w), m.convolve(x, w, "same"), m.convolve(x, w, "valid"), m.convolve(x, [1.0, 2.0, 3.0]), m.convolve(x, [1.0, 2.0], "same")
m.convolve(x, x6, "same"), m.convolve(x6, x, "same"), m.convolve(x, x6, "valid"), m.convolve(x6, x, "valid"), m.convolve(x, x6)
m.correlate(x, w), m.correlate(x, w, "same"), m.correlate(x, w, "full"), m.correlate(x, [1.0, 2.0, 3.0, 5.0], "same")
m.correlate(x, x6, "same"), m.correlate(x6, x, "same"), m.correlate(x, x6), m.correlate(x6, x), m.correlate(x6, x, "full")
m.correlate(x2, x6, "same"), m.correlate(x6, x2, "same"), m.correlate(x6, x2)
m.isin(i, k), m.isin(i, [1, 2]), m.isin(i, i[:0]), m.isin(x, y, invert=True)
m.polyval(q, x), m.polyval([1.0, 2.0, 3.0], x), m.polyval(x, y), m.polyadd(x, q), m.polysub(q, x), m.polymul(x, y), m.polyfit(x, y, 2)
m.polyder(x), m.polyder(q, 2), m.polyint(x), m.polyint(x, 2, [1, 2]), m.polyfit(x, y, 1, w=w), m.polyfit(s, A, 1)
m.vander(x, 4), m.vander(x), m.vander(x, increasing=True), m.vander(k, 3)
m.hanning(len_or_size(x)), m.hamming(len_or_size(x)), m.blackman(len_or_size(x)), m.bartlett(len_or_size(x)), m.hanning(1), m.bartlett(4)
m.reshape(A, (-1,)), m.reshape(A, (A.shape[1], A.shape[0])), m.reshape(x6, (2, 3, -1)), m.reshape(A, (-1,), order="F")
m.transpose(T, (2, 0, 1)), m.moveaxis(T, 0, 2), m.swapaxes(T, 0, 2), m.rollaxis(T, 2), m.rollaxis(T, 0, 3), m.matrix_transpose(A)
m.expand_dims(A, axis=1), m.squeeze(A[:, None], axis=1), m.broadcast_to(x, (3, x.shape[0])), m.broadcast_arrays(x[:, None], A)
m.concatenate((A, A), axis=1), m.concatenate((A, x), axis=None), m.concat((x, y)), m.stack((x, y), axis=1), m.vstack((A.T, x))
m.hstack((x, y)), m.hstack((A, S)), m.dstack((x, y)), m.column_stack((x, A)), m.append(x, y), m.append(A, S, axis=1)
m.block([[A, S], [S, A]]), m.block([x, y]), m.block([[A], [A]]), m.block(x)
m.insert(x, 2, 7.0), m.insert(A, 1, 0.0, axis=1), m.insert(x, [1, 3], [7.0, 8.0]), m.insert(x, x.shape[0], 7.0), m.insert(A, 1, x, axis=1)
m.insert(x, 1, [5.0, 6.0]), m.insert(x, -1, 7.0), m.insert(A, [0, 2], 1.5, axis=0)
m.delete(x, 2), m.delete(A, [0, 2], axis=1), m.delete(x, slice(1, 3)), m.delete(x, -1), m.delete(x, b), m.delete(x, slice(-2, None))
m.delete(x, [2, 2, 0])
m.split(x2, 2), m.split(x, [2, 4]), m.split(A2, 2, axis=0), m.split(x6, 3), m.array_split(x, 3), m.array_split(A, [1, 3], axis=1)
m.array_split(x, 7), m.hsplit(A2, 2), m.hsplit(x2, 2), m.vsplit(A2, 2), m.dsplit(T2, 2)
m.flip(A), m.fliplr(A), m.flipud(A), m.roll(A, 2), m.roll(A, (1, -2), axis=(0, 1)), m.roll(x, 11), m.rot90(A), m.rot90(A, 3)
m.repeat(x, 3), m.repeat(A, 2, axis=0), m.tile(A, (2, 1, 3)), m.tile(x, 2), m.resize(x, (2, 3)), m.resize(x, (3, 7))
- m.repeat(x, k), m.repeat(A, k, axis=0)
m.pad(A, ((1, 2), (0, 3))), m.pad(A, 1, "edge"), m.pad(A, 2, "wrap"), m.pad(A, 2, "reflect"), m.pad(A, 3, "symmetric"), m.pad(x, 2, constant_values=3)
m.diagonal(A, 1), m.diag(x, 1), m.diag(A), m.trace(A), m.tril(A, -1), m.triu(A), m.tri(x.shape[0], 3), m.eye(x.shape[0]), m.identity(x.shape[0])
m.full_like(A, 2.5), m.empty_like(x) * 0, m.arange(x.shape[0]), m.arange(0.0, x.shape[0]), m.arange(1, x.shape[0], 2), m.ones((x.shape[0], 2))
m.linspace(0, 1, x.shape[0]), m.linspace(0, x.shape[0], 7), m.linspace(x[0], x[1], 7), m.linspace(x, y, 3), m.linspace(0, x[0], 4, endpoint=False)
m.logspace(0, 1, x.shape[0]), m.geomspace(1, 10, x.shape[0]), m.full(x.shape, x[0]), m.zeros(x.shape), m.empty(x.shape) * 0
m.meshgrid(x, y), m.meshgrid(x, w, indexing="ij"), m.meshgrid(x, q, sparse=True), m.meshgrid(x, q, w, sparse=True, indexing="ij")
m.fromfunction(lambda i, j: i * 10 + j, (x.shape[0], 3)), m.indices((x.shape[0], 3)), m.indices((x.shape[0], 2), sparse=True)
m.ix_(i, k), m.ix_(b, i), A[m.ix_(i, [0, 1])], m.diag_indices(x.shape[0]), m.diag_indices_from(S), m.mask_indices(5, m.triu, 1)
m.triu_indices(x.shape[0]), m.tril_indices(x.shape[0], -1), m.triu_indices(x.shape[0], 1, 4), m.triu_indices_from(S), m.tril_indices_from(S, 1)
S[m.tril_indices(S.shape[0])], m.unravel_index(i, (i.shape[0], 3)), m.unravel_index(i, (2, 9), order="F")
m.ravel_multi_index((k, i), (4, i.shape[0])), m.ravel_multi_index((k, i), (4, 30), order="F")
m.sort(A, axis=0), m.sort(A, axis=None), m.argsort(A), m.searchsorted(s, x), m.take(A, i, axis=0), m.take(A, i)
m.take_along_axis(A, m.argsort(A, axis=1), axis=1), m.lexsort((k, i)), m.sort(m.partition(x, 2)[:2]), m.partition(A, 1, axis=0)[1]
m.sort(m.argpartition(x, 2)[:2]), m.unique(k), m.unique(k, return_index=True, return_inverse=True, return_counts=True)
m.sort(m.unique_values(k)), m.unique_counts(k), m.intersect1d(i, k), m.union1d(i, k), m.setdiff1d(i, k), m.setxor1d(i, k), m.trim_zeros(k)
m.compress(b, x), m.compress(b, A, axis=0), m.compress([True, False, True], A, axis=1), m.extract(A > 0, A), x[b]
m.choose(k, [x, x * 2, x * 3, x * 4]), m.choose(i, [x, y], mode="wrap"), m.choose(i - 2, [x, y], mode="clip")
m.select([x < -0.5, x > 0.5], [x, x * 2], 9.0), m.piecewise(x, [x < 0, x >= 0], [lambda v: -v, 2.0])
m.piecewise(x, [x < 0], [lambda v: -v, lambda v, p: v * v + p] if False else [1.0, lambda v: v * v])
m.apply_over_axes(m.sum, T, [0, 2]), m.broadcast_shapes((3, 1), (1, 4)), m.isscalar(3), m.iterable(x), m.promote_types("int8", "float32")
m.matmul(A, B), m.dot(A, B), m.vdot(x, y), m.inner(A, A), m.outer(x, y), m.tensordot(A, B, axes=1), m.cross(V, V[::-1]), m.vecdot(A, A)
m.matvec(B, x), m.vecmat(x, A), m.einsum("ij,jk->ik", A, B), m.einsum("...i->...", T)
m.einsum(A, [0, 1], B, [1, 2], [0, 2]), m.einsum(A, [0, 1], B, [1, 2]), m.einsum(T, [Ellipsis, 0], [Ellipsis])
x[True], x[False], A[:, True], A[..., False], A[True, 1:]
np.add.reduce(A), np.multiply.reduce(A, axis=1), np.maximum.reduce(A, axis=None), np.logical_and.reduce(A > 0), np.fmax.reduce(N, axis=1)
np.add.accumulate(A, axis=1), np.maximum.accumulate(x), np.minimum.accumulate(A, axis=1), np.logical_or.accumulate(A > 1, axis=0)
np.fmin.accumulate(N, axis=1), np.maximum.accumulate(N, axis=1), np.maximum.accumulate(b), np.subtract.outer(A, x), np.logical_and.accumulate(A, axis=1)
m.maximum.accumulate(x), m.minimum.accumulate(A, axis=0), m.add.reduce(A), m.multiply.outer(x, y), m.maximum.reduce(A, axis=1, keepdims=True)
m.linalg.det(S), m.linalg.inv(S), m.linalg.solve(S, x), m.linalg.cholesky(S @ S.T), m.linalg.eigvalsh(S + S.T), m.linalg.svdvals(A)
m.linalg.pinv(A), m.linalg.matrix_rank(A), m.linalg.matrix_power(S, 3), m.linalg.norm(A), m.linalg.norm(A, axis=1), m.linalg.trace(S)
m.linalg.lstsq(B, x2[:B.shape[0]])[0], m.linalg.lstsq(B, B[:, :2])[0], m.linalg.lstsq(A, x)[0], m.linalg.lstsq(B, m.cos(B[:, :2]))[1]
m.linalg.lstsq(A, x)[1], m.linalg.lstsq(S - S, x)[0], m.linalg.lstsq(S, A)[3], m.linalg.cond(S), m.linalg.cond(S, 1), m.linalg.cond(S, -2)
m.linalg.multi_dot([A, B, A]), m.linalg.multi_dot([x, A, B, x]), m.linalg.multi_dot([x, A]), m.linalg.tensorinv(S, ind=1)
m.linalg.tensorsolve(S, x), m.linalg.slogdet(S), m.linalg.vector_norm(A, axis=0, ord=3), m.linalg.matrix_norm(A, ord=1), m.linalg.diagonal(S)
m.linalg.svd(A, full_matrices=False)[1], m.abs(m.linalg.qr(A)[1]), m.abs(m.linalg.eigh(S + S.T)[1]), m.linalg.outer(x, y)
"""
EXPRESSIONS = [
    *(f"m.{f}(x)" for f in ONE), *(f"m.{f}(m.abs(x) + 1)" for f in POSITIVE), *(f"m.{f}(m.abs(x), w)" for f in TWO),
    *(f"m.{f}(A), m.{f}(A, axis=0), m.{f}(A, axis=-1, keepdims=True)" for f in REDUCE),
    *(f"m.{f}(v), m.{f}(N, axis=1)" for f in NAN), *filter(None, LINES.splitlines())]
# Not of arrays that are given, or of values and lengths that must be known; tested elsewhere.
OTHERS = {
    "allclose", "array_equal", "array_equiv", "apply_along_axis", "unstack", "frombuffer", "from_dlpack", "gcd", "lcm", "copyto",
    "putmask", "place", "put", "put_along_axis", "fill_diagonal", "can_cast", "isdtype", "result_type", "unique_all",
    "unique_inverse", "finfo", "iinfo", "size", "positive", "set_threads"}


def arrays(n):
    r = np.random.default_rng(n)
    more = n + 2
    normal = r.standard_normal
    return {"x": normal(n), "y": normal(n), "w": r.random(n), "s": np.sort(normal(n)), "q": np.array([0.2, 0.5]),
            "x2": normal(2 * n), "x6": normal(6 * n), "i": r.integers(0, n, n), "k": r.integers(0, 4, n), "b": r.random(n) > 0.5,
            "A": normal((n, more)), "B": normal((more, n)), "S": normal((n, n)) + n * np.eye(n), "T": normal((n, more, 3)),
            "V": normal((n, 3)), "A2": normal((2 * n, 4)), "T2": normal((2 * n, 4, 2 * n)),
            "v": np.where(r.random(n) < 0.3, np.nan, normal(n)), "N": np.where(r.random((n, more)) < 0.3, np.nan, normal((n, more)))}
