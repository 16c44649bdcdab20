#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs run by `lathe run`, their results compared with NumPy.

    numpy_test.py path/to/lathe

A case is a program (numpy_programs/NAME.lathe), its inputs at some odd sizes, and what NumPy makes of
them: `exact` where order and rounding are defined, `close` where NumPy sums in an order of its own.
Every case runs three times - plain, --checked, --optimize - and all three must agree in every bit.
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy as np
except ImportError:
    print("skipped: the Python module numpy is missing (Debian: apt-get install python3-numpy)")
    sys.exit(77)

LATHE = ""
PROGRAMS = pathlib.Path(__file__).parent / "numpy_programs"


MODES = [[], ["--checked"], ["--optimize"]]


def run(name, sizes, inputs, outputs, modes=MODES):
    """The outputs of a program, by name."""
    results = []
    with tempfile.TemporaryDirectory() as folder:
        command = [LATHE, "run", str(PROGRAMS / (name + ".lathe"))]
        for key, value in sizes.items():
            command += ["--set", f"{key}={value}"]
        for key, array in inputs.items():
            np.save(f"{folder}/{key}.npy", array)
            command += ["--in", f"{key}={folder}/{key}.npy"]
        for key in outputs:
            command += ["--out", f"{key}={folder}/{key}.out.npy"]
        for mode in modes:
            done = subprocess.run(command + mode, capture_output=True, text=True)
            if done.returncode != 0:
                raise AssertionError(" ".join(command + mode) + "\n" + done.stderr)
            results.append({key: np.load(f"{folder}/{key}.out.npy") for key in outputs})
    for other in results[1:]:
        for key in outputs:
            assert results[0][key].tobytes() == other[key].tobytes(), f"{name}: {key} differs"
    return results[0]


def random(seed, *shape, dtype=np.float64):
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype(dtype)


def integers(seed, low, high, *shape, dtype=np.int64):
    return np.random.default_rng(seed).integers(low, high, shape, dtype=dtype)


def bfloat16(x):
    """float32 rounded to bfloat16, as float32; no NaNs here."""
    bits = x.astype(np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)).view(np.float32)


class NumpyTest(unittest.TestCase):
    def exact(self, got, want):
        want = np.asarray(want)
        self.assertEqual(got.dtype, want.dtype)
        np.testing.assert_array_equal(got, want)

    def close(self, got, want, tolerance=1e-12):
        want = np.asarray(want)
        self.assertEqual(got.dtype, want.dtype)
        np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance)

    def test_stencil(self):
        for n, m in [(3, 3), (7, 13), (65, 34)]:
            u, a = random(n, n, m), 0.1
            v = u.copy()
            lap = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[1:-1, 1:-1]
            v[1:-1, 1:-1] = u[1:-1, 1:-1] + a * lap
            got = run("stencil", {"a": a}, {"u": u}, ["v", "row"])
            self.exact(got["v"], v)
            self.close(got["row"], v.sum(axis=1))

    def test_policies(self):
        # Reads up to 3 beyond the ends, by every rule that NumPy has a name for.
        u = random(5, 11)
        got = run("policies", {}, {"u": u}, ["clamp", "wrap", "mirror", "zero", "seven"])
        self.exact(got["clamp"], np.pad(u, 3, "edge"))
        self.exact(got["wrap"], np.pad(u, 3, "wrap"))
        self.exact(got["mirror"], np.pad(u, 3, "reflect"))
        self.exact(got["zero"], np.pad(u, 3))
        self.exact(got["seven"], np.pad(u, 3, constant_values=7))

    def test_matmul(self):
        for n, k, m in [(1, 1, 1), (5, 33, 7), (17, 4100, 3)]:
            a, b = random(1, n, k), random(2, k, m)
            got = run("matmul", {}, {"a": a, "b": b}, ["fused", "summed", "by_statement"])
            self.close(got["fused"], a @ b)
            self.close(got["summed"], a @ b)
            # Both spellings of a contraction are one and the same.
            self.exact(got["fused"], got["by_statement"])

    def test_softmax(self):
        for rows, n in [(1, 1), (9, 31), (3, 129)]:
            x = 20 * random(rows, rows, n, dtype=np.float32)
            e = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
            got = run("softmax", {}, {"x": x}, ["p", "online"])
            self.close(got["p"], (e / e.sum(axis=1, keepdims=True)).astype(np.float32), 3e-6)
            self.close(got["online"], got["p"], 3e-6)

    def test_cumulative_sums(self):
        for n, m in [(1, 1), (3, 17), (2, 5000)]:
            u, k = random(n, n, m), integers(n, -50, 50, n, m)
            got = run("cumulative", {}, {"u": u, "k": k}, ["sums", "before", "highest", "columns"])
            self.exact(got["sums"], np.cumsum(u, axis=1))
            before = np.zeros_like(k)
            before[:, 1:] = np.cumsum(k, axis=1)[:, :-1]
            self.exact(got["before"], before)
            self.exact(got["highest"], np.maximum.accumulate(u, axis=1))
            self.exact(got["columns"], np.cumsum(k, axis=0))

    def test_tridiagonal(self):
        for n, m in [(2, 1), (31, 5)]:
            low, up, rhs = random(1, n, m), random(2, n, m), random(3, n, m)
            mid = 4 + random(4, n, m)
            want = np.empty_like(rhs)
            for j in range(m):
                matrix = np.diag(mid[:, j]) + np.diag(low[1:, j], -1) + np.diag(up[:-1, j], 1)
                want[:, j] = np.linalg.solve(matrix, rhs[:, j])
            got = run("tridiagonal", {}, {"low": low, "mid": mid, "up": up, "rhs": rhs}, ["x"])
            self.close(got["x"], want)

    def test_histogram(self):
        for n, bins in [(1, 1), (997, 13)]:
            bin_of, weight = integers(n, 0, bins, n), random(n, n)
            got = run("histogram", {"bins": bins}, {"bin_of": bin_of, "weight": weight},
                      ["count", "mass", "heaviest"])
            self.exact(got["count"], np.bincount(bin_of, minlength=bins))
            # Both add in the order of the points.
            self.exact(got["mass"], np.bincount(bin_of, weight, minlength=bins))
            heaviest = np.full(bins, -np.inf)
            np.maximum.at(heaviest, bin_of, weight)
            self.exact(got["heaviest"], heaviest)

    def test_triangle(self):
        for n in [1, 7, 40]:
            a, x = integers(n, -9, 9, n, n), random(n, n)
            got = run("triangle", {}, {"a": a, "x": x}, ["upper", "rows", "solved"])
            self.exact(got["upper"], np.triu(a))
            self.exact(got["rows"], np.tril(a).sum(axis=1))
            unit = np.tril(a, -1) / 100 + np.eye(n)
            self.close(got["solved"], np.linalg.solve(unit, x))

    def test_calls(self):
        for n, m in [(1, 1), (57, 23)]:
            u, v, k = random(n, n), random(m, m), integers(n, 0, 4, 3, n, dtype=np.int32)
            few = np.array([3, 1], np.int32)
            got = run("calls", {}, {"u": u, "v": v, "k": k, "few": few},
                      ["sorted", "place", "behind", "found", "order", "zeros", "at"])
            self.exact(got["sorted"], np.sort(u))
            self.exact(got["place"], np.searchsorted(np.sort(u), v))
            self.exact(got["behind"], np.searchsorted(np.sort(u), u, "right"))
            self.exact(got["found"], np.isin(k, few))
            self.exact(got["order"], np.argsort(k, axis=1, kind="stable"))
            self.exact(got["zeros"], np.int64((k == 0).sum()))
            self.exact(got["at"], np.flatnonzero(k == 0))

    def test_cholesky(self):
        for n in [1, 13]:
            g = random(n, n, n)
            a = g @ g.T + n * np.eye(n)
            self.close(run("cholesky", {}, {"a": a}, ["l"])["l"], np.linalg.cholesky(a))

    def test_linear(self):
        for b, m, n in [(1, 1, 1), (3, 13, 7), (2, 41, 33)]:
            h = random(n, b, n, n)
            a = h @ np.swapaxes(h, -1, -2) + n * np.eye(n)
            g, y = random(m, b, m, n, dtype=np.float32), random(b, b, n, m)
            names = ["x", "l", "d", "s", "c", "qr_", "qr_all", "w", "wv", "sv", "usv", "usv_all"]
            compiled = [["--target", "c", "--threads", str(k)] for k in (1, 2)]
            got = run("linear", {}, {"a": a, "g": g, "y": y}, names, MODES + compiled)
            self.close(got["x"], np.linalg.solve(a, y))
            self.close(got["l"], np.linalg.cholesky(a))
            self.close(got["d"] / np.linalg.det(a), np.ones(b))
            self.close(got["s"], np.stack(np.linalg.slogdet(a), -1), 1e-9)
            self.close(got["c"] / got["d"][:, None, None], np.swapaxes(np.linalg.inv(a), -1, -2))
            self.close(got["w"], np.linalg.eigvalsh(a), 1e-9)
            self.close(got["wv"][:, :n], got["w"], 1e-9)
            v = got["wv"][:, n:].reshape(b, n, n)
            self.close(a @ v, v * got["w"][:, None], 1e-9)
            for k, packed in ((n, got["qr_"]), (m, got["qr_all"])):
                q, r = packed[:, :m * k].reshape(b, m, k), packed[:, m * k:].reshape(b, k, n)
                self.close(q @ r, g, 1e-4)
            self.close(got["sv"], np.linalg.svd(g, compute_uv=False), 1e-4)
            u, vt = got["usv"][:, n:n + m * n].reshape(b, m, n), got["usv"][:, n + m * n:].reshape(b, n, n)
            self.close(u * got["sv"][:, None] @ vt, g, 1e-4)
            u = got["usv_all"][:, n:n + m * m].reshape(b, m, m)
            self.close(u @ np.swapaxes(u, -1, -2), np.broadcast_to(np.eye(m, dtype=np.float32), (b, m, m)), 1e-4)

    def test_sixteen_bits(self):
        x, y = 100 * random(1, 301, dtype=np.float16), random(2, 301, dtype=np.float16)
        z = 3 * random(3, 301, dtype=np.float32)
        got = run("sixteen_bits", {}, {"x": x, "y": y, "z": z}, ["half", "total", "brain"])
        self.exact(got["half"], x * y + x)
        self.exact(got["brain"], bfloat16(bfloat16(bfloat16(z) * bfloat16(z)) + bfloat16(z)))
        self.assertEqual(got["total"].dtype, np.float16)
        self.close(got["total"].astype(np.float64), x.astype(np.float64).sum(), 2e-3 * 100)

    def test_integers(self):
        a = integers(1, -128, 128, 509, dtype=np.int8)
        b = integers(2, -128, 128, 509, dtype=np.int8)
        b[b == 0] = 3
        c = integers(3, 0, 256, 509, dtype=np.uint8)
        got = run("integers", {}, {"a": a, "b": b, "c": c},
                  ["total", "quotient", "rest", "truncated", "bits", "shifted", "mixed", "cut"])
        with np.errstate(over="ignore"):
            self.exact(got["total"], a + b)
            self.exact(got["quotient"], np.floor_divide(a, b))
            self.exact(got["rest"], np.mod(a, b))
        self.exact(got["truncated"], np.trunc(a / b).astype(np.int32))
        self.exact(got["bits"], (c & 15) ^ ~c)
        self.exact(got["shifted"], (c << 2) | (c >> 3))
        self.exact(got["mixed"], a.astype(np.int16) * c)
        self.exact(got["cut"], np.clip(np.trunc(a * 3.7), 0, 255).astype(np.uint8))

    def test_newton(self):
        for n in [1, 77]:
            x = np.abs(random(n, n)) * 1000 + 1e-3
            got = run("newton", {}, {"x": x}, ["root", "steps"])
            self.close(got["root"], np.sqrt(x), 4e-16)
            root, steps = x.copy(), np.zeros(n, dtype=np.int64)
            while True:
                on = np.abs(root * root - x) > 1e-15 * x
                on &= steps < 60
                if not on.any():
                    break
                root[on] = 0.5 * (root[on] + x[on] / root[on])
                steps[on] += 1
            self.exact(got["root"], root)
            self.exact(got["steps"], steps)

    def test_branches(self):
        for n in [3, 50]:
            u, v = random(1, n), random(2, n)
            got = run("branches", {}, {"u": u, "v": v}, ["w", "t"])
            yes = u > 0
            yes[0] = False  # no point of the branch: it keeps v
            new = np.where(yes, 2 * u, v)  # what the branch sees of its own writes
            t = np.where(yes, new, -v)
            t[0] = v[0]
            self.exact(got["t"], t)
            w = v.copy()
            for i in range(1, n):
                w[i] = new[i - 1] + u[i] if yes[i] else v[i - 1]
            self.exact(got["w"], w)

    def test_graph(self):
        nodes = 41
        degree = integers(1, 0, 6, nodes)
        ptr = np.concatenate([[0], np.cumsum(degree)])
        edges = int(ptr[-1])
        to, x = integers(2, 0, nodes, edges), random(3, nodes)
        got = run("graph", {}, {"ptr": ptr, "to": to, "x": x}, ["near", "sent", "nearest"])
        self.close(got["near"], [x[to[ptr[v]:ptr[v + 1]]].sum() for v in range(nodes)])
        sent = np.zeros(nodes)
        np.add.at(sent, to, np.repeat(x, degree))
        self.exact(got["sent"], sent)
        nearest = []
        for v in range(nodes):
            ends = to[ptr[v]:ptr[v + 1]]
            nearest.append(ends[np.argmin(np.abs(x[ends] - x[v]))] if len(ends) else -1)
        self.exact(got["nearest"], np.array(nearest))


if __name__ == "__main__":
    LATHE = sys.argv.pop(1)
    unittest.main(verbosity=1)
