# SPDX-License-Identifier: Apache-2.0
"""The conditionals of the founding document on GTScript, as stencils.

    lathe explain examples/stencil/document_004.py:ternary_like

shows what they mean (a mask, a version of each field for each branch, the versions put together) and
what the passes make of that: one loop without any of it.
"""
from gt4py.cartesian.gtscript import Field, PARALLEL, computation, interval


def ternary_like(some_field: Field[float], in_: Field[float], out: Field[float]):
    with computation(PARALLEL), interval(...):
        if some_field > 0:
            out = in_
        else:
            out = 2 * in_


def nested(some_field: Field[float], some_other_field: Field[float], in_: Field[float],
           out: Field[float]):
    with computation(PARALLEL), interval(...):
        if some_field > 0:
            if some_other_field < 0:
                out = some_field
            else:
                out = some_other_field
        else:
            out = in_


def eddie(some_field: Field[float], inout: Field[float]):
    with computation(PARALLEL), interval(...):
        if some_field > 0:
            tmp = inout
            inout = tmp[-1, 0, 0]


def compute_domain(b: Field[float]):
    with computation(PARALLEL), interval(...):
        u = 1
        b = u[-2, 0, 0] + u[1, 0, 0] + u[0, -1, 0] + u[0, -2, 0]
