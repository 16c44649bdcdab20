# SPDX-License-Identifier: Apache-2.0
"""What a stencil tells about itself and about a call."""

import enum
import time
from collections import namedtuple

from ._dtypes import DTYPES


class AccessKind(enum.IntFlag):
    NONE = 0
    READ = 1
    WRITE = 2
    READ_WRITE = 3

    def __str__(self):
        return self.name


class Boundary(tuple):
    """((before, after) of I, of J, of K): how many elements a field needs around the domain; may be negative."""

    @property
    def lower_indices(self):
        return tuple(before for before, _ in self)

    @property
    def upper_indices(self):
        return tuple(after for _, after in self)

    def __repr__(self):
        return f"Boundary({super().__repr__()})"


class DomainInfo(namedtuple("DomainInfo", "parallel_axes sequential_axis min_sequential_axis_size ndim")):
    __slots__ = ()


class FieldInfo(namedtuple("FieldInfo", "access boundary axes data_dims dtype")):
    __slots__ = ()

    @property
    def domain_mask(self):
        return tuple(axis in self.axes for axis in "IJK")

    @property
    def domain_ndim(self):
        return len(self.axes)

    @property
    def mask(self):
        return self.domain_mask + (True,) * len(self.data_dims)

    @property
    def ndim(self):
        return len(self.axes) + len(self.data_dims)


class ParameterInfo(namedtuple("ParameterInfo", "access dtype")):
    __slots__ = ()


def infos_of(stencil):
    fields, parameters = {}, {}
    for name, is_field, dtype, access, _, _, axes, data_dims, boundary in stencil._arguments():
        access, dtype = AccessKind(access), DTYPES[dtype]
        if is_field:
            fields[name] = FieldInfo(access, Boundary(boundary), tuple(axes), data_dims, dtype)
        else:
            parameters[name] = ParameterInfo(access, dtype)
    return fields, parameters, DomainInfo(("I", "J"), "K", stencil.min_levels, 3)


def fill_exec_info(stencil, info, called, runs, ran, domain, origins):
    """Called by _core after a call with exec_info; times as time.perf_counter() has them."""
    fields = stencil.field_info
    origins = {name: tuple(origin["IJK".index(a)] for a in fields[name].axes) + (0,) * len(fields[name].data_dims)
               for name, origin in origins.items()}
    ended = time.perf_counter()
    info.update(call_start_time=called, call_run_start_time=called, domain=domain, origin=origins,
                run_start_time=runs, run_cpp_start_time=runs, run_cpp_end_time=ran, run_end_time=ran,
                call_run_end_time=ran, call_end_time=ended)
    if not info.setdefault("__aggregate_data", False):
        return
    total = info.setdefault(stencil.name, {"ncalls": 0, "total_call_time": 0.0, "total_run_time": 0.0})
    total["ncalls"] += 1
    total.update(call_start_time=called, call_end_time=ended, call_time=ended - called, run_time=ran - runs)
    total["total_call_time"] += ended - called
    total["total_run_time"] += ran - runs
