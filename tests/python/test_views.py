# SPDX-License-Identifier: Apache-2.0
"""What Lathe sees of other people's arrays: memory where it lies, never a copy."""

import array

import numpy as np
import pytest
from messages import said

from lathe import _core

DTYPES = {
    "bool": "bool", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "u8",
    "uint16": "u16", "uint32": "u32", "uint64": "u64", "float16": "f16", "float32": "f32",
    "float64": "f64",
}


@pytest.mark.parametrize("name", DTYPES)
def test_numpy_arrays_are_seen_where_they_lie(name):
    x = np.zeros((4, 6), name)[::-1, 1::2]
    dtype, shape, strides, read_only, data = _core.describe_view(x)
    assert (dtype, shape, strides) == (DTYPES[name], x.shape, x.strides)
    assert not read_only
    assert data == x.__array_interface__["data"][0]


def test_read_only_memory_is_known_to_be():
    x = np.zeros(3)
    x.flags.writeable = False
    assert _core.describe_view(x)[3]
    assert _core.describe_view(b"abc")[:4] == ("u8", (3,), (1,), True)


def test_buffers_of_others():
    assert _core.describe_view(array.array("f", [1, 2]))[:3] == ("f32", (2,), (4,))
    assert _core.describe_view(np.ones((2, 3)).T)[
        1:3] == ((3, 2), (8, 24))
    assert _core.describe_view(np.float32(3))[:2] == ("f32", ())


class Interface:
    def __init__(self, x):
        self.x = x
        self.__array_interface__ = x.__array_interface__


class DLPack:
    def __init__(self, x, versions=True):
        self.x, self.versions = x, versions

    def __dlpack_device__(self):
        return self.x.__dlpack_device__()

    def __dlpack__(self, **how):
        if how and not self.versions:
            raise TypeError("unexpected keyword argument")
        return self.x.__dlpack__(**how)


@pytest.mark.parametrize("wrap", [Interface, DLPack, lambda x: DLPack(x, False)])
@pytest.mark.parametrize("name", DTYPES)
def test_other_protocols(wrap, name):
    x = np.zeros((3, 4), name)[:, ::2]
    dtype, shape, strides, _, data = _core.describe_view(wrap(x))
    assert (dtype, shape, strides) == (DTYPES[name], x.shape, x.strides)
    assert data == x.__array_interface__["data"][0]


@pytest.mark.parametrize("value, text", [
    (np.zeros(3, complex), "describe_view: Lathe has no arrays of complex128"),
    (np.zeros(3, ">f8"), "describe_view: Lathe has no arrays of >f8\n"
     "  help: turn the bytes with x.astype(x.dtype.newbyteorder(\"=\"))"),
    (np.array(["a"]), "describe_view: Lathe has no arrays of <U1"),
    (3.5, "describe_view: expected an array, not float"),
    (None, "describe_view: expected an array, not NoneType"),
])
def test_what_is_not_taken(value, text):
    with pytest.raises(TypeError) as caught:
        _core.describe_view(value)
    assert said(caught) == text
