# SPDX-License-Identifier: Apache-2.0
"""Layouts: for each dimension its place in memory, 0 for the slowest."""


def layout_maker_factory(base_layout):
    """From the places of I, J and K: a function of the dimensions. Data dimensions are slowest."""
    def layout_of(dimensions):
        places = dict(zip("IJK", base_layout))
        data = [d for d in dimensions if d not in places]
        order = sorted(data, key=int) + sorted((d for d in dimensions if d in places), key=places.get)
        return tuple(order.index(d) for d in dimensions)
    return layout_of


def layout_checker_factory(layout_maker):
    """A function that says whether an array lies so."""
    def lies_so(array, dimensions):
        layout = layout_maker(dimensions)
        if len(array.strides) != len(layout):
            return False
        strides = [array.strides[layout.index(place)] for place in range(len(layout))]
        return strides == sorted(strides, reverse=True)
    return lies_so
