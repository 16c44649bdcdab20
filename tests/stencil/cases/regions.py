# SPDX-License-Identifier: Apache-2.0
# edges: layouts loops
# corners:
# interior:
# last_points: size 4x4x2 size 7x5x3 size 3x3x4
# region_on_temporary:
# region_reads_neighbour: loose
# region_with_extents:
# slices_open: size 5x5x3 size 2x2x2 size 7x3x4
# external_region:
# region_in_sweep:
# region_with_interval:
# several_regions_in_order:
# regions_in_sweep_per_level:
# branch_in_region:
# region_around_interval: loops
# interval_beside_region:
# typed_in_regions:
# beyond_the_edge:
# beyond_the_edge_both: loose
# edge_only_read: loose
# scalar_if_with_region: set flag=True
"""Horizontal regions."""
from gt4py.cartesian import gtscript
from gt4py.cartesian.gtscript import (
    BACKWARD, FORWARD, I, J, PARALLEL, Field, computation, horizontal, interval, region,
)


def edges(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = a
        with horizontal(region[I[0], :]):
            b = a * 2.0
        with horizontal(region[I[-1], :]):
            b = a * 3.0
        with horizontal(region[:, J[0]]):
            b = b + 10.0
        with horizontal(region[:, J[-1]]):
            b = b + 100.0


def corners(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = a
        with horizontal(region[I[0], J[0]], region[I[-1], J[0]], region[I[0], J[-1]], region[I[-1], J[-1]]):
            b = b + a[1, 0, 0] + a[-1, 0, 0] + a[0, 1, 0] + a[0, -1, 0]


def interior(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = 0.0
        with horizontal(region[I[0] + 1 : I[-1], J[0] + 1 : J[-1]]):
            b = a[1, 0, 0] - a[-1, 0, 0]


def last_points(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = 0.0
        with horizontal(region[I[-1] - 2 : I[-1], J[0] : J[0] + 2]):
            b = a


def region_on_temporary(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        t = a
        with horizontal(region[I[0], :]):
            t = a * 2.0
        b = t[1, 0, 0] + t[-1, 0, 0]


def region_reads_neighbour(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        t = a[1, 0, 0]
        b = t
        with horizontal(region[I[-1], :]):
            b = a[-1, 0, 0]
        with horizontal(region[:, J[0]]):
            b = b - a[0, 1, 0]


def region_with_extents(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        flux = a[1, 0, 0] - a
        with horizontal(region[I[0], :]):
            flux = a * 0.5
        with horizontal(region[:, J[-1]]):
            flux = flux * 2.0
        b = flux - flux[0, -1, 0] + flux[0, 1, 0]


def slices_open(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = a
        with horizontal(region[: I[0] + 2, J[-1] - 1 :]):
            b = -a
        with horizontal(region[I[0] + 3 :, :]):
            b = a * 7.0


istart = I[0] + 1
jend = J[-1]


def external_region(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = a
        with horizontal(region[istart:, :jend]):
            b = a * 4.0


def region_in_sweep(a: Field[float], b: Field[float]):
    with computation(FORWARD):
        with interval(0, 1):
            b = a
        with interval(1, None):
            b = b[0, 0, -1] + a
            with horizontal(region[I[0], :], region[I[-1], :]):
                b = b[0, 0, -1]


def region_with_interval(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(0, -1), horizontal(region[I[0], :]):
        b = a


def several_regions_in_order(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = a
        with horizontal(region[I[0], :], region[:, J[0]]):
            b = b * 2.0 + 1.0


def regions_in_sweep_per_level(a: Field[float], b: Field[float]):
    with computation(FORWARD), interval(1, None), horizontal(region[I[0], :], region[I[0] + 1, :]):
        b = b[-1, 0, -1] + b[1, 0, -1] + b[1, 0, 0] + a


def branch_in_region(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = a
        with horizontal(region[: I[0] + 2, :]):
            if a > 0.0:
                b = a[1, 0, 0]
            else:
                b = b[-1, 0, 0]


def region_around_interval(a: Field[float], b: Field[float]):
    with computation(PARALLEL):
        with interval(0, 1):
            b = a
            with horizontal(region[I[0], :]):
                b = 2.0 * a
        with interval(1, None):
            b = 3.0 * a
            with horizontal(region[:, J[-1]]):
                b = 4.0 * a


def interval_beside_region(a: Field[float], b: Field[float]):
    with computation(PARALLEL):
        with interval(0, 1), horizontal(region[I[0], :]):
            b = a
        with interval(1, None):
            b = a * 2.0


def typed_in_regions(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = a
        with horizontal(region[I[0], :], region[I[-1], :]):
            t: float = a * 2.0
            b = t + 1.0


def beyond_the_edge(a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        t = a
        with horizontal(region[: I[0], :]):
            t = a * 10.0
        b = t[-1, 0, 0] + t[1, 0, 0]


def beyond_the_edge_both(a: Field[float], b: Field[float], c: Field[float]):
    with computation(PARALLEL), interval(...):
        t = a
        with horizontal(region[I[0] - 1, :], region[I[-1] + 1, :]):
            t = c
        with horizontal(region[:, J[-1] + 1 :]):
            t = c[0, 1, 0]
        b = t[-1, 0, 0] + t[1, 0, 0] + t[0, 1, 0]


def edge_only_read(a: Field[float], b: Field[float], c: Field[float]):
    with computation(PARALLEL), interval(...):
        t = a
        with horizontal(region[I[-1], :]):
            t = c[2, 0, 0]
        b = t


def scalar_if_with_region(a: Field[float], b: Field[float], flag: bool):
    with computation(BACKWARD), interval(...):
        b = a
        if flag:
            with horizontal(region[I[0], J[-1]]):
                b = a * 2.0
