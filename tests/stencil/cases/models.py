# SPDX-License-Identifier: Apache-2.0
# hdiff: set alpha=0.025 layouts loops
# hdiff_limited: loops
# vadv: set dtr=3.0 set bet_m=0.5 set bet_p=0.5
# upwind: set dt=0.1 set dx=1.0 in u=unit
# upwind_fifth: in u=unit loops
# smagorinsky: set dt=0.5 in dx=pos in dy=pos
# ppm:
# sedimentation: set dt=0.5 in dz=pos in q=pos in v=pos
# saturation_adjustment: in t=pos in q=pos near
# hydrostatic: in t=pos in dz=pos close
# column_limiter: in q=unit in dp=pos
# thomas_periodic_free: in a=unit in c=unit in d=unit
# divergence_damping: set coefficient=0.125
# shallow_water: set dt=0.01 set g=9.81 in h=pos
# corner_fill:
# coriolis: set dt=0.25
# tracer_mass_fix: in q=unit in mass=pos
# precipitation: in rain=unit set rate=0.5
# smoothing_passes: external PASSES=2
# vertical_remap: in level=int:0:3 size 3x3x5 size 2x4x4
# names_of_lathe: set size=2.0 loose
# hdiff_float32: dtype float=float32 set alpha=0.025
"""Stencils as models have them."""
from gt4py.cartesian import gtscript
from gt4py.cartesian.gtscript import (
    BACKWARD, FORWARD, IJ, PARALLEL, Field, I, J, K, __INLINED, computation, exp, horizontal, interval,
    log, region, sqrt,
)

FloatField = Field[float]
FloatFieldIJ = Field[IJ, float]


@gtscript.function
def laplacian(phi):
    return -4.0 * phi + (phi[-1, 0, 0] + phi[1, 0, 0] + phi[0, -1, 0] + phi[0, 1, 0])


@gtscript.function
def grad_x(phi):
    return phi[1, 0, 0] - phi


@gtscript.function
def grad_y(phi):
    return phi[0, 1, 0] - phi


def hdiff(in_f: FloatField, out_f: FloatField, *, alpha: float):
    with computation(PARALLEL), interval(...):
        lap1 = laplacian(in_f)
        lap2 = laplacian(lap1)
        flux_x = grad_x(lap2)
        flux_y = grad_y(lap2)
        out_f = in_f + alpha * (flux_x - flux_x[-1, 0, 0] + flux_y - flux_y[0, -1, 0])


def hdiff_limited(in_f: FloatField, coeff: FloatField, out_f: FloatField):
    with computation(PARALLEL), interval(...):
        lap = 4.0 * in_f - (in_f[1, 0, 0] + in_f[-1, 0, 0] + in_f[0, 1, 0] + in_f[0, -1, 0])
        res = lap[1, 0, 0] - lap
        flx = 0.0 if (res * (in_f[1, 0, 0] - in_f)) > 0.0 else res
        res = lap[0, 1, 0] - lap
        fly = 0.0 if (res * (in_f[0, 1, 0] - in_f)) > 0.0 else res
        out_f = in_f - coeff * (flx - flx[-1, 0, 0] + fly - fly[0, -1, 0])


def vadv(
    utens_stage: FloatField, u_stage: FloatField, wcon: FloatField, u_pos: FloatField,
    utens: FloatField, *, dtr: float, bet_m: float, bet_p: float
):
    with computation(FORWARD):
        with interval(0, 1):
            gcv = 0.25 * (wcon[1, 0, 1] + wcon[0, 0, 1])
            cs = gcv * bet_m
            ccol = gcv * bet_p
            bcol = dtr - ccol
            correction = -cs * (u_stage[0, 0, 1] - u_stage)
            dcol = dtr * u_pos + utens + utens_stage + correction
            divided = 1.0 / bcol
            ccol = ccol * divided
            dcol = dcol * divided
        with interval(1, -1):
            gav = -0.25 * (wcon[1, 0, 0] + wcon)
            gcv = 0.25 * (wcon[1, 0, 1] + wcon[0, 0, 1])
            as_ = gav * bet_m
            cs = gcv * bet_m
            acol = gav * bet_p
            ccol = gcv * bet_p
            bcol = dtr - acol - ccol
            correction = -as_ * (u_stage[0, 0, -1] - u_stage) - cs * (u_stage[0, 0, 1] - u_stage)
            dcol = dtr * u_pos + utens + utens_stage + correction
            divided = 1.0 / (bcol - ccol[0, 0, -1] * acol)
            ccol = ccol * divided
            dcol = (dcol - dcol[0, 0, -1] * acol) * divided
        with interval(-1, None):
            gav = -0.25 * (wcon[1, 0, 0] + wcon)
            as_ = gav * bet_m
            acol = gav * bet_p
            bcol = dtr - acol
            correction = -as_ * (u_stage[0, 0, -1] - u_stage)
            dcol = dtr * u_pos + utens + utens_stage + correction
            divided = 1.0 / (bcol - ccol[0, 0, -1] * acol)
            dcol = (dcol - dcol[0, 0, -1] * acol) * divided
    with computation(BACKWARD):
        with interval(-1, None):
            data = dcol
            utens_stage = dtr * (data - u_pos)
        with interval(0, -1):
            data = dcol - ccol * data[0, 0, 1]
            utens_stage = dtr * (data - u_pos)


@gtscript.function
def upwind_flux(q, c):
    flux = q[-1, 0, 0] * c
    if c < 0.0:
        flux = q * c
    return flux


def upwind(q: FloatField, u: FloatField, *, dt: float, dx: float):
    with computation(PARALLEL), interval(...):
        c = u * dt / dx
        flux = upwind_flux(q, c)
        q = q - (flux[1, 0, 0] - flux)


def upwind_fifth(q: FloatField, u: FloatField, out: FloatField):
    with computation(PARALLEL), interval(...):
        if u > 0.0:
            t = q[-3, 0, 0] / -30.0 + q[-2, 0, 0] / 4.0 - q[-1, 0, 0] + q / 3.0 + q[1, 0, 0] / 2.0
            t = t - q[2, 0, 0] / 20.0
            out = u * t
        else:
            t = q[3, 0, 0] / 30.0 - q[2, 0, 0] / 4.0 + q[1, 0, 0] - q / 3.0 - q[-1, 0, 0] / 2.0
            t = t + q[-2, 0, 0] / 20.0
            out = u * t


def smagorinsky(u: FloatField, v: FloatField, dx: FloatFieldIJ, dy: FloatFieldIJ, k: FloatField, *, dt: float):
    with computation(PARALLEL), interval(...):
        tension = (u - u[-1, 0, 0]) / dx - (v - v[0, -1, 0]) / dy
        shear = (u[0, 1, 0] - u) / dy[0, 1] + (v[1, 0, 0] - v) / dx[1, 0]
        mean = 0.25 * (shear + shear[-1, 0, 0] + shear[0, -1, 0] + shear[-1, -1, 0])
        k = dt * sqrt(tension * tension + mean * mean)


def ppm(q: FloatField, al: FloatField, bl: FloatField, br: FloatField):
    with computation(PARALLEL), interval(...):
        dm = 0.25 * (q[1, 0, 0] - q[-1, 0, 0])
        high = max(q[-1, 0, 0], max(q, q[1, 0, 0])) - q
        low = q - min(q[-1, 0, 0], min(q, q[1, 0, 0]))
        size = min(abs(dm), min(high, low))
        dm = size if dm > 0.0 else -size
        al = 0.5 * (q[-1, 0, 0] + q) + (dm[-1, 0, 0] - dm) / 3.0
        edge = 0.5 * (q[-1, 0, 0] + q) + (dm[-1, 0, 0] - dm) / 3.0
        bl = edge - q
        br = edge[1, 0, 0] - q
        if bl * br > 0.0:
            bl = 0.0
            br = 0.0
        elif abs(bl) > 2.0 * abs(br):
            bl = -2.0 * br
        elif abs(br) > 2.0 * abs(bl):
            br = -2.0 * bl


def sedimentation(q: FloatField, v: FloatField, dz: FloatField, surface: FloatFieldIJ, *, dt: float):
    with computation(BACKWARD):
        with interval(-1, None):
            flux = q * v
            q = q / (1.0 + dt * v / dz)
        with interval(0, -1):
            flux = q * v
            q = (q + dt * flux[0, 0, 1] / dz) / (1.0 + dt * v / dz)
    with computation(FORWARD), interval(0, 1):
        surface = surface + flux * dt


def saturation_adjustment(t: FloatField, q: FloatField, cloud: FloatField):
    with computation(PARALLEL), interval(...):
        temp = 260.0 + 10.0 * t
        vapour = 0.005 * q
        cloud = 0.0
        n = 0
        change = 1.0
        while n < 8 and abs(change) > 1e-7:
            es = 611.0 * exp(17.3 * (temp - 273.15) / (temp - 36.0))
            qs = 0.622 * es / 100000.0
            change = (vapour - qs) / (1.0 + 2500.0 * qs / 1004.0)
            if change < 0.0 and cloud + change < 0.0:
                change = -cloud
            temp = temp + change * 2.5
            vapour = vapour - change
            cloud = cloud + change
            n += 1


def hydrostatic(t: FloatField, dz: FloatField, p: FloatField, lnp: FloatField):
    with computation(BACKWARD):
        with interval(-1, None):
            p = 10.0
        with interval(0, -1):
            p = p[0, 0, 1] * exp(dz * 0.03 / t)
    with computation(PARALLEL), interval(...):
        lnp = log(p)


def column_limiter(q: FloatField, dp: FloatField):
    with computation(FORWARD):
        with interval(0, 1):
            if q < 0.0:
                deficit = q * dp
                q = 0.0
            else:
                deficit = 0.0
        with interval(1, -1):
            deficit = deficit[0, 0, -1]
            q = q + deficit / dp
            if q < 0.0:
                deficit = q * dp
                q = 0.0
            else:
                deficit = 0.0
        with interval(-1, None):
            q = q + deficit[0, 0, -1] / dp


def thomas_periodic_free(a: FloatField, c: FloatField, d: FloatField, x: FloatField):
    with computation(FORWARD):
        with interval(0, 1):
            cp = c / 4.0
            dp = d / 4.0
        with interval(1, None):
            w = 4.0 - a * cp[0, 0, -1]
            cp = c / w
            dp = (d - a * dp[0, 0, -1]) / w
    with computation(BACKWARD):
        with interval(-1, None):
            x = dp
        with interval(0, -1):
            x = dp - cp * x[0, 0, 1]


def divergence_damping(u: FloatField, v: FloatField, *, coefficient: float):
    with computation(PARALLEL), interval(...):
        div = u[1, 0, 0] - u + v[0, 1, 0] - v
        u = u + coefficient * (div - div[-1, 0, 0])
        v = v + coefficient * (div - div[0, -1, 0])


def shallow_water(h: FloatField, u: FloatField, v: FloatField, *, dt: float, g: float):
    with computation(PARALLEL), interval(...):
        hu = 0.5 * (h[-1, 0, 0] + h) * u
        hv = 0.5 * (h[0, -1, 0] + h) * v
        ke = 0.25 * (u * u + u[1, 0, 0] * u[1, 0, 0] + v * v + v[0, 1, 0] * v[0, 1, 0]) + g * h
        h = h - dt * (hu[1, 0, 0] - hu + hv[0, 1, 0] - hv)
        u = u - dt * (ke - ke[-1, 0, 0])
        v = v - dt * (ke - ke[0, -1, 0])


def corner_fill(q: FloatField, out: FloatField):
    with computation(PARALLEL), interval(...):
        t = q
        with horizontal(region[: I[0], : J[0]]):
            t = q[1, 0, 0]
        with horizontal(region[I[-1] + 1 :, : J[0]]):
            t = q[-1, 0, 0]
        out = t[-1, -1, 0] + t[1, -1, 0] + t[1, 1, 0]


def coriolis(u: FloatField, v: FloatField, f: FloatFieldIJ, *, dt: float):
    with computation(PARALLEL), interval(...):
        a = 0.5 * dt * f
        u, v = (u + a * v) / (1.0 + a * a), (v - a * u) / (1.0 + a * a)


def tracer_mass_fix(q: FloatField, mass: FloatField):
    with computation(FORWARD):
        with interval(0, 1):
            negative: FloatFieldIJ = 0.0
            positive: FloatFieldIJ = 0.0
    with computation(FORWARD), interval(...):
        if q < 0.0:
            negative -= q * mass
            q = 0.0
        else:
            positive += q * mass
    with computation(PARALLEL), interval(...):
        if positive > 0.0:
            q = q * max(0.0, 1.0 - negative / positive)


def precipitation(rain: FloatField, ground: FloatFieldIJ, count: Field[IJ, int], *, rate: float):
    with computation(BACKWARD):
        with interval(-1, None):
            if rain > 0.0:
                ground = ground + rate * rain
                count = 1
            else:
                count = 0
        with interval(0, -1):
            if rain > 0.0:
                ground += rate * rain
                count += 1


def smoothing_passes(q: FloatField, out: FloatField):
    from __externals__ import PASSES

    with computation(PARALLEL), interval(...):
        t = 0.25 * (q[-1, 0, 0] + 2.0 * q + q[1, 0, 0])
        if __INLINED(PASSES > 1):
            t = 0.25 * (t[-1, 0, 0] + 2.0 * t + t[1, 0, 0])
        if __INLINED(PASSES > 2):
            t = 0.25 * (t[-1, 0, 0] + 2.0 * t + t[1, 0, 0])
        out = t


def vertical_remap(q: FloatField, level: Field[int], w: FloatField, out: FloatField):
    with computation(PARALLEL), interval(0, -1):
        out = q.at(K=level) * w + q.at(K=level + 1) * (1.0 - w)


def names_of_lathe(
    input: Field[float], output: Field[float], i: Field[float], k: Field[float], ni: Field[float],
    temp: Field[float], size: float
):
    with computation(PARALLEL), interval(...):
        program = input + i * k
        d0 = ni[1, 0, 0]
        nk = program[1, 0, 0] * size
        f64 = nk + d0
        where = f64[-1, 0, 0]
        output = where - temp
        sweep = output
        output = sweep + 1.0


def hdiff_float32(in_f: FloatField, out_f: FloatField, *, alpha: float):
    with computation(PARALLEL), interval(...):
        lap1 = laplacian(in_f)
        flux_x = grad_x(lap1)
        flux_y = grad_y(lap1)
        out_f = in_f + alpha * (flux_x - flux_x[-1, 0, 0] + flux_y - flux_y[0, -1, 0])
