# SPDX-License-Identifier: Apache-2.0
"""The stencils as operations on whole arrays, for NumPy, JAX and torch. x: the library's functions,
f: arguments by name, s: scalars; a dictionary of results comes back. Sweeps are each peer's own."""


def hdiff(x, f, s):
    phi = f.in_f
    lap = 4.0 * phi - (phi[-1, 0, 0] + phi[1, 0, 0] + phi[0, -1, 0] + phi[0, 1, 0])
    flx = lap[1, 0, 0] - lap
    flx = x.where(flx * (phi[1, 0, 0] - phi) <= 0.0, flx, 0.0)
    fly = lap[0, 1, 0] - lap
    fly = x.where(fly * (phi[0, 1, 0] - phi) <= 0.0, fly, 0.0)
    return {"out_f": phi - f.coeff * (flx - flx[-1, 0, 0] + fly - fly[0, -1, 0])}


def upwind5(x, f, s):
    def upwind(speed, q, di, dj):
        def at(n):
            return q[n * di, n * dj, 0]
        backward = (-2.0 * at(-3) + 15.0 * at(-2) - 60.0 * at(-1) + 20.0 * q + 30.0 * at(1)
                    - 3.0 * at(2)) / 60.0
        forward = (3.0 * at(-2) - 30.0 * at(-1) - 20.0 * q + 60.0 * at(1) - 15.0 * at(2)
                   + 2.0 * at(3)) / 60.0
        return speed * x.where(speed > 0.0, backward, forward)

    return {"out": f.f - s["dt"] * (upwind(f.u, f.f, 1, 0) / s["dx"]
                                    + upwind(f.v, f.f, 0, 1) / s["dy"])}


def smagorinsky(x, f, s):
    u, v, dx, dy = f.u, f.v, s["dx"], s["dy"]
    eps = (u - u[-1, 0, 0]) / dx - (v - v[0, -1, 0]) / dy
    gam = (u[0, 1, 0] - u) / dy + (v[1, 0, 0] - v) / dx

    def square(a):
        return a * a

    def factor(strain):
        return x.clip(s["weight"] * strain - f.hd, 0.0, 0.5)

    def laplacian(q):
        return q[1, 0, 0] + q[-1, 0, 0] + q[0, 1, 0] + q[0, -1, 0] - 4.0 * q

    strain_u = x.sqrt(square(0.5 * (eps + eps[1, 0, 0])) + square(0.5 * (gam[0, -1, 0] + gam)))
    strain_v = x.sqrt(square(0.5 * (eps + eps[0, 1, 0])) + square(0.5 * (gam[-1, 0, 0] + gam)))
    return {"u_out": u + factor(strain_u) * laplacian(u),
            "v_out": v + factor(strain_v) * laplacian(v)}


def transport(x, f, s):
    q = f.q

    def flux(courant, mass, coordinate, size, di, dj):
        def at(p, n):
            return p[n * di, n * dj, 0]

        def limited(value, low, high):
            return x.minimum(x.maximum(value, x.minimum(low, high)), x.maximum(low, high))

        al = 7.0 / 12.0 * (at(q, -1) + q) - 1.0 / 12.0 * (at(q, -2) + at(q, 1))
        at_edge = (coordinate == 0) | (coordinate == size)
        al = x.where(at_edge, 0.5 * (at(q, -1) + q), al)
        bl = limited(al, at(q, -1), q) - q
        br = limited(at(al, 1), q, at(q, 1)) - q
        b0 = bl + br
        return mass * x.where(
            courant > 0.0, at(q, -1) + (1.0 - courant) * (at(br, -1) - courant * at(b0, -1)),
            q + (1.0 + courant) * (bl + courant * b0))

    flux_x = flux(f.courant_x, f.mass_x, f.I, f.domain[0], 1, 0)
    flux_y = flux(f.courant_y, f.mass_y, f.J, f.domain[1], 0, 1)
    total = flux_x - flux_x[1, 0, 0] + flux_y - flux_y[0, 1, 0]
    return {"q_out": (q * f.delp + total / f.area) / f.delp}


def ppm(x, f, s):
    q = f.q
    centred = 0.5 * (q[1, 0, 0] - q[-1, 0, 0])
    left_d = q - q[-1, 0, 0]
    right_d = q[1, 0, 0] - q
    least = x.minimum(x.abs(centred), x.minimum(2.0 * x.abs(left_d), 2.0 * x.abs(right_d)))
    slope = x.where(left_d * right_d > 0.0, x.where(centred > 0.0, least, -least), 0.0)
    face = q[-1, 0, 0] + 0.5 * (q - q[-1, 0, 0]) - (slope - slope[-1, 0, 0]) / 6.0
    left, right = face, face[1, 0, 0]
    jump = right - left
    mean = q - 0.5 * (left + right)
    is_flat = (right - q) * (q - left) <= 0.0
    is_low = jump * mean > jump * jump / 6.0
    is_high = jump * mean < -jump * jump / 6.0
    new_left = x.where(is_low, 3.0 * q - 2.0 * right, left)
    new_right = x.where(is_high, 3.0 * q - 2.0 * left, right)
    left = x.where(is_flat, q, new_left)
    right = x.where(is_flat, q, new_right)
    curve = 6.0 * (q - 0.5 * (left + right))
    c = f.courant
    flux = c * (right[-1, 0, 0] - 0.5 * c * (right[-1, 0, 0] - left[-1, 0, 0]
                                             - (1.0 - 2.0 / 3.0 * c) * curve[-1, 0, 0]))
    return {"out": q - (flux[1, 0, 0] - flux)}


def newton(module, t, qv, qc, p, tolerance, loop):
    """Saturation adjustment. `loop(goes_on, step, state)` repeats while any point goes on."""
    ratio = 2.5e6 / 1004.0
    total, energy = qv + qc, t - ratio * qc

    def saturation(guess):
        return 0.622 * 610.78 * module.exp(17.27 * (guess - 273.16) / (guess - 35.86)) / p

    def goes_on(guess, change, rounds):
        return (abs(change) > tolerance).any() & (rounds < 20)

    def step(guess, change, rounds):
        qs = saturation(guess)
        slope = qs * 17.27 * (273.16 - 35.86) / ((guess - 35.86) * (guess - 35.86))
        new = (energy + ratio * module.maximum(total - qs, 0.0) - guess) / (
            1.0 + ratio * module.where(total > qs, slope, 0.0))
        new = module.where(abs(change) > tolerance, new, 0.0)
        return guess + new, new, rounds + 1

    guess, _, _ = loop(goes_on, step, (t, module.ones_like(t), 0))
    qs = saturation(guess)
    return guess, module.minimum(total, qs), module.maximum(total - qs, 0.0)


def sediment(module, qr, speed, levels, k):
    """`levels`: 0, 1 ... along dimension k of the arrays."""
    rain = module.where(speed > levels, qr, 0.0).sum(k)
    n = qr.shape[k]

    def part(a, first, last):
        return a[tuple(slice(first, last) if d == k else slice(None) for d in range(3))]

    stays = module.where(speed == 0, qr, 0.0)
    falls = module.where(part(speed, 1, n) == 1, part(qr, 1, n), part(stays, 0, n - 1))
    return rain, module.concatenate([falls, part(stays, n - 1, n)], k)


KERNELS = {k.__name__: k for k in (hdiff, upwind5, smagorinsky, transport, ppm)}
