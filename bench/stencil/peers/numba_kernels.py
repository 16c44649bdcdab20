# SPDX-License-Identifier: Apache-2.0
"""The stencils as the body of a loop over points, for numba. `f[1, 0, 0]` is the neighbour of the
point; numba_peer.py writes the loops and indices that the layout asks for. Stages at neighbours are
computed again where they are needed, as in a loop that one writes by hand."""


def hdiff():
    def lap(i, j):
        return (f"(4.0 * in_f[{i}, {j}, 0] - (in_f[{i - 1}, {j}, 0] + in_f[{i + 1}, {j}, 0]"
                f" + in_f[{i}, {j - 1}, 0] + in_f[{i}, {j + 1}, 0]))")

    def flux(name, i, j, di, dj):
        there, here = f"in_f[{i + di}, {j + dj}, 0]", f"in_f[{i}, {j}, 0]"
        return [f"{name} = {lap(i + di, j + dj)} - {lap(i, j)}",
                f"{name} = {name} if {name} * ({there} - {here}) <= 0.0 else 0.0"]

    return (flux("flx", 0, 0, 1, 0) + flux("flx_before", -1, 0, 1, 0) + flux("fly", 0, 0, 0, 1)
            + flux("fly_before", 0, -1, 0, 1)
            + ["out_f[0, 0, 0] = in_f[0, 0, 0] - coeff[0, 0, 0] * (flx - flx_before + fly - fly_before)"])


def upwind5():
    def upwind(speed, axis):
        def at(n):
            return f"f[{n}, 0, 0]" if axis == 0 else f"f[0, {n}, 0]"
        backward = (f"(-2.0 * {at(-3)} + 15.0 * {at(-2)} - 60.0 * {at(-1)} + 20.0 * {at(0)}"
                    f" + 30.0 * {at(1)} - 3.0 * {at(2)}) / 60.0")
        forward = (f"(3.0 * {at(-2)} - 30.0 * {at(-1)} - 20.0 * {at(0)} + 60.0 * {at(1)}"
                   f" - 15.0 * {at(2)} + 2.0 * {at(3)}) / 60.0")
        here = f"{speed}[0, 0, 0]"
        return f"{here} * ({backward} if {here} > 0.0 else {forward})"

    return [f"x = {upwind('u', 0)}", f"y = {upwind('v', 1)}",
            "out[0, 0, 0] = f[0, 0, 0] - dt * (x / dx + y / dy)"]


def smagorinsky():
    def eps(i, j):
        return (f"((u[{i}, {j}, 0] - u[{i - 1}, {j}, 0]) / dx"
                f" - (v[{i}, {j}, 0] - v[{i}, {j - 1}, 0]) / dy)")

    def gam(i, j):
        return (f"((u[{i}, {j + 1}, 0] - u[{i}, {j}, 0]) / dy"
                f" + (v[{i + 1}, {j}, 0] - v[{i}, {j}, 0]) / dx)")

    def lap(q):
        return (f"({q}[1, 0, 0] + {q}[-1, 0, 0] + {q}[0, 1, 0] + {q}[0, -1, 0]"
                f" - 4.0 * {q}[0, 0, 0])")

    def result(q, e, g):
        return [f"a = 0.5 * (here_e + {e})", f"b = 0.5 * ({g} + here_g)",
                "smag = min(0.5, max(0.0, weight * math.sqrt(a * a + b * b) - hd[0, 0, 0]))",
                f"{q}_out[0, 0, 0] = {q}[0, 0, 0] + smag * {lap(q)}"]

    return ([f"here_e = {eps(0, 0)}", f"here_g = {gam(0, 0)}"]
            + result("u", eps(1, 0), gam(0, -1)) + result("v", eps(0, 1), gam(-1, 0)))


def transport():
    lines = []
    for name, courant, axis in (("x", "courant_x", 0), ("y", "courant_y", 1)):
        def at(field, n, axis=axis):
            return f"{field}[{n}, 0, 0]" if axis == 0 else f"{field}[0, {n}, 0]"

        def q(n):
            return at("q", n)
        coordinate, size = (("i", "ni"), ("j", "nj"))[axis]
        # The faces from -1 to 2, then what is left and right of the cells from -1 to 1.
        for n in range(-1, 3):
            plain = f"7.0 / 12.0 * ({q(n - 1)} + {q(n)}) - 1.0 / 12.0 * ({q(n - 2)} + {q(n + 1)})"
            where = f"{coordinate} + {n}"
            lines.append(f"al{n + 1} = 0.5 * ({q(n - 1)} + {q(n)})"
                         f" if {where} == 0 or {where} == {size} else {plain}")
        for n in range(-1, 2):
            left, here, right = q(n - 1), q(n), q(n + 1)
            lines += [f"bl{n + 1} = min(max(al{n + 1}, min({left}, {here})), max({left}, {here})) - {here}",
                      f"br{n + 1} = min(max(al{n + 2}, min({here}, {right})), max({here}, {right})) - {here}"]
        for n in range(0, 2):
            c = at(courant, n)
            lines.append(
                f"flux_{name}{n} = {at('mass_' + name, n)} * ("
                f"{q(n - 1)} + (1.0 - {c}) * (br{n} - {c} * (bl{n} + br{n}))"
                f" if {c} > 0.0 else {q(n)} + (1.0 + {c}) * (bl{n + 1} + {c} * (bl{n + 1} + br{n + 1})))")
    return lines + [
        "total = flux_x0 - flux_x1 + flux_y0 - flux_y1",
        "q_out[0, 0, 0] = (q[0, 0, 0] * delp[0, 0, 0] + total / area[0, 0]) / delp[0, 0, 0]"]


def ppm():
    lines = []
    for n in range(-2, 3):
        left, here, right = (f"q[{m}, 0, 0]" for m in (n - 1, n, n + 1))
        lines += [f"centred = 0.5 * ({right} - {left})", f"l = {here} - {left}", f"r = {right} - {here}",
                  "m = min(abs(centred), min(2.0 * abs(l), 2.0 * abs(r)))",
                  f"slope{n + 2} = (m if centred > 0.0 else -m) if l * r > 0.0 else 0.0"]
    for n in range(-1, 3):
        left, here = f"q[{n - 1}, 0, 0]", f"q[{n}, 0, 0]"
        lines.append(f"face{n + 1} = {left} + 0.5 * ({here} - {left}) - (slope{n + 2} - slope{n + 1}) / 6.0")
    for n in range(-1, 1):
        here = f"q[{n}, 0, 0]"
        lines += [f"left, right = face{n + 1}, face{n + 2}",
                  "jump = right - left", f"mean = {here} - 0.5 * (left + right)",
                  f"is_flat = (right - {here}) * ({here} - left) <= 0.0",
                  f"low = 3.0 * {here} - 2.0 * right if jump * mean > jump * jump / 6.0 else left",
                  f"high = 3.0 * {here} - 2.0 * left if jump * mean < -jump * jump / 6.0 else right",
                  f"left = {here} if is_flat else low", f"right = {here} if is_flat else high",
                  f"curve = 6.0 * ({here} - 0.5 * (left + right))", f"c = courant[{n + 1}, 0, 0]",
                  f"flux{n + 1} = c * (right - 0.5 * c * (right - left - (1.0 - 2.0 / 3.0 * c) * curve))"]
    return lines + ["out[0, 0, 0] = q[0, 0, 0] - (flux1 - flux0)"]


def adjust():
    saturation = "0.622 * 610.78 * math.exp(17.27 * (guess - 273.16) / (guess - 35.86)) / p[0, 0, 0]"
    return ["ratio = 2500000.0 / 1004.0", "total = qv[0, 0, 0] + qc[0, 0, 0]",
            "energy = t[0, 0, 0] - ratio * qc[0, 0, 0]", "guess = t[0, 0, 0]", "change = 1.0", "rounds = 0",
            "while abs(change) > tolerance and rounds < 20:", f"    qs = {saturation}",
            "    slope = qs * 17.27 * (273.16 - 35.86) / ((guess - 35.86) * (guess - 35.86))",
            "    change = (energy + ratio * max(total - qs, 0.0) - guess) / ("
            "1.0 + ratio * (slope if total > qs else 0.0))",
            "    guess = guess + change", "    rounds += 1", f"qs = {saturation}", "t[0, 0, 0] = guess",
            "qv[0, 0, 0] = min(total, qs)", "qc[0, 0, 0] = max(total - qs, 0.0)"]


# Sweeps: (direction, body) with columns of their own that are named first. `k` is the level.
VADV = (["c", "d"], [
    (1, ["right = dtr_stage * u_pos[0, 0, 0] + utens[0, 0, 0] + utens_stage[0, 0, 0]",
         "centre = dtr_stage",
         "if k > 0:",
         "    a = -0.125 * (wcon[1, 0, 0] + wcon[0, 0, 0])",
         "    right -= a * (u_stage[0, 0, -1] - u_stage[0, 0, 0]) + d[-1] * a",
         "    centre = centre - a - c[-1] * a",
         "if k < nk - 1:",
         "    b = 0.125 * (wcon[1, 0, 1] + wcon[0, 0, 1])",
         "    right -= b * (u_stage[0, 0, 1] - u_stage[0, 0, 0])",
         "    centre = centre - b",
         "    c[0] = b / centre",
         "d[0] = right / centre"]),
    (-1, ["if k < nk - 1:",
          "    d[0] = d[0] - c[0] * d[1]",
          "utens_stage[0, 0, 0] = dtr_stage * (d[0] - u_pos[0, 0, 0])"])])
TRIDIAGONAL = (["s", "r"], [
    (1, ["if k == 0:",
         "    s[0] = sup[0, 0, 0] / diag[0, 0, 0]",
         "    r[0] = rhs[0, 0, 0] / diag[0, 0, 0]",
         "else:",
         "    pivot = 1.0 / (diag[0, 0, 0] - s[-1] * inf[0, 0, 0])",
         "    s[0] = sup[0, 0, 0] * pivot",
         "    r[0] = (rhs[0, 0, 0] - inf[0, 0, 0] * r[-1]) * pivot"]),
    (-1, ["if k < nk - 1:",
          "    r[0] = r[0] - s[0] * r[1]",
          "out[0, 0, 0] = r[0]"])])
SEDIMENT = (["sum"], [
    (1, ["sum[0] = (qr[0, 0, 0] if speed[0, 0, 0] > k else 0.0) + (sum[-1] if k > 0 else 0.0)",
         "stays = qr[0, 0, 0] if speed[0, 0, 0] == 0 else 0.0",
         "if k < nk - 1:",
         "    out[0, 0, 0] = qr[0, 0, 1] if speed[0, 0, 1] == 1 else stays",
         "else:",
         "    out[0, 0, 0] = stays",
         "    rain[0, 0] = sum[0]"])])

POINTS = {k.__name__: k for k in (hdiff, upwind5, smagorinsky, transport, ppm, adjust)}
SWEEPS = {"vadv": VADV, "tridiagonal": TRIDIAGONAL, "sediment": SEDIMENT}
