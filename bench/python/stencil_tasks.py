# SPDX-License-Identifier: Apache-2.0
"""Three stencils of examples/stencil, described as bench/stencil/rows.cpp describes them, so that the peers of
bench/stencil/peers can run them."""

import os

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def field(name, use="read", halo=0, low=0.0, high=1.0):
    return {"name": name, "use": use, "halo": halo, "is_int": False, "has_k": True, "low": low, "high": high}


STENCILS = {
    "hdiff": ("horizontal_diffusion.py", {}, [field("in_f", halo=2), field("coeff"), field("out_f", "write")]),
    "vadv": ("vertical_advection.py", {"dtr_stage": 3.0},
             [field("utens_stage", "update"), field("u_stage"), field("wcon", halo=1), field("u_pos"), field("utens")]),
    "tridiagonal": ("tridiagonal.py", {}, [field("inf"), field("diag", low=3.0, high=4.0), field("sup"), field("rhs"),
                                           field("out", "write")]),
}


def description(name, domain, layout):
    file, scalars, fields = STENCILS[name]
    return {"stencil": name, "dtype": "f64", "layout": layout, "domain": domain, "fields": fields, "scalars": scalars,
            "file": os.path.join(ROOT, "examples", "stencil", file), "function": name, "is_fresh": False}
