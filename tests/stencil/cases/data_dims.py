# SPDX-License-Identifier: Apache-2.0
# components:
# component_offsets:
# whole_vector:
# whole_vector_ops:
# vector_reads_itself:
# matrix_vector:
# matrix_transposed:
# matrix_matrix:
# variable_index: in n=int:0:3
# written_variable_index: in n=int:0:3
# declared_temporary:
# declared_with_initial: loose
# table_lookup: in n=int:0:5
# table_two_dims:
# table_constant_index:
# vector_in_sweep:
# vector_field_ij:
# data_in_branch:
# matrix_elements:
# at_with_ddim: in n=int:0:2
# component_extents: loose
# vector_arguments_mixed:
"""Fields with data dimensions, and tables."""
from gt4py.cartesian.gtscript import (
    FORWARD, IJ, K, PARALLEL, Field, GlobalTable, computation, interval,
)

Vector = Field[(float, (3,))]
Matrix = Field[(float, (2, 3))]


def components(v: Field[(float, (3,))], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = v[0, 0, 0][0] + 2.0 * v[0, 0, 0][1] - v[0, 0, 0][2]


def component_offsets(v: Vector, b: Field[float]):
    with computation(PARALLEL), interval(1, None):
        b = v[1, 0, 0][0] - v[0, -1, 0][1] + v[0, 0, -1][2]


def whole_vector(v: Vector, w: Vector):
    with computation(PARALLEL), interval(...):
        w = v


def whole_vector_ops(v: Vector, w: Vector, a: Field[float]):
    with computation(PARALLEL), interval(...):
        w = 2.0 * v + v / 4.0 - a


def vector_reads_itself(v: Vector):
    with computation(PARALLEL), interval(...):
        v = v * v[1, 0, 0] + 1.0


def matrix_vector(m: Matrix, v: Vector, w: Field[(float, (2,))]):
    with computation(PARALLEL), interval(...):
        w = m @ v


def matrix_transposed(m: Matrix, v: Field[(float, (2,))], w: Vector):
    with computation(PARALLEL), interval(...):
        w = m.T @ v + w


def matrix_matrix(m: Matrix, n: Field[(float, (3, 2))], r: Field[(float, (2, 2))]):
    with computation(PARALLEL), interval(...):
        r = m @ n


def variable_index(v: Vector, n: Field[int], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = v[0, 0, 0][n] + v[1, 0, 0][n]


def written_variable_index(v: Vector, n: Field[int], a: Field[float]):
    with computation(PARALLEL), interval(...):
        v[0, 0, 0][n] = a


def declared_temporary(a: Field[float], b: Field[float]):
    t: Field[(float, (2,))]
    with computation(PARALLEL), interval(...):
        t[0, 0, 0][0] = a
        t[0, 0, 0][1] = a[0, 1, 0]
        b = t[1, 0, 0][0] + t[-1, 0, 0][1]


def declared_with_initial(a: Field[float], b: Field[float]):
    t: Field[(float, (2,))] = 3
    with computation(PARALLEL), interval(0, 1):
        t[0, 0, 0][1] = a
    with computation(PARALLEL), interval(...):
        b = t[1, 0, 0][0] + t[0, 0, 0][1]


def table_lookup(t: GlobalTable[(float, (5,))], n: Field[int], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = t.A[n] * 2.0


def table_two_dims(t: GlobalTable[(float, (2, 3))], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = t.A[1, 2] - t.A[0, 0]


def table_constant_index(t: GlobalTable[(int, (4,))], b: Field[float]):
    with computation(FORWARD), interval(0, 4):
        b = t.A[K] + t.A[3]


def vector_in_sweep(v: Vector, w: Vector):
    with computation(FORWARD):
        with interval(0, 1):
            w = v
        with interval(1, None):
            w = w[0, 0, -1] + v


def vector_field_ij(v: Field[IJ, (float, (2,))], a: Field[float], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = a * v[0, 0][0] + v[1, 0][1]


def data_in_branch(v: Vector, a: Field[float]):
    with computation(PARALLEL), interval(...):
        if a > 0.0:
            v[0, 0, 0][0] = v[1, 0, 0][1]
            v[0, 0, 0][1] = v[0, 0, 0][0]
        else:
            v[0, 0, 0][2] = a


def matrix_elements(m: Matrix, b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = m[0, 0, 0][0, 1] * m[0, 0, 0][1, 2] - m[1, 0, 0][1, 0]


def at_with_ddim(v: Vector, n: Field[int], b: Field[float]):
    with computation(PARALLEL), interval(0, 2):
        b = v.at(K=n, ddim=[1]) + v.at(K=0, ddim=[n])


def component_extents(v: Vector, b: Field[float]):
    t: Field[(float, (2,))]
    with computation(PARALLEL), interval(...):
        t[0, 0, 0][0] = v[0, 0, 0][0]
        t[0, 0, 0][1] = v[0, 1, 0][1] + t[1, 0, 0][0]
        b = t[-1, 0, 0][1] + t[0, -1, 0][0]


def vector_arguments_mixed(v: Field[(float, (2,))], i: Field[(int, (2,))], b: Field[float]):
    with computation(PARALLEL), interval(...):
        b = v[0, 0, 0][0] * i[0, 0, 0][0] + v[0, 0, 0][1] * i[0, 0, 0][1]
