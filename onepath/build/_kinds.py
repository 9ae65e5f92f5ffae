"""Kinds of floor: an area together with the named volume that gave it."""

import cython
from cython.cimports.onepath.build._buffers import IntBuffer, push_int
from cython.cimports.onepath.build._kinds import FIRST_NAMED, KIND_LIMIT, KindTable


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def forget_named(kinds: cython.pointer[KindTable]) -> cython.void:
    kind: cython.int
    for kind in range(FIRST_NAMED):
        kinds.area[kind] = kind
        kinds.volume[kind] = 0
    kinds.count = FIRST_NAMED


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_kind(kinds: cython.pointer[KindTable], area: cython.int, volume: cython.int) -> cython.int:
    kind: cython.int
    if area == 0 or volume == 0:
        return area
    for kind in range(FIRST_NAMED, kinds.count):
        if kinds.area[kind] == area and kinds.volume[kind] == volume:
            return kind
    if kinds.count == KIND_LIMIT:
        return -1
    kinds.area[kinds.count] = area
    kinds.volume[kinds.count] = volume
    kinds.count += 1
    return kinds.count - 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def part_kinds(
    kinds: cython.pointer[cython.const[KindTable]],
    areas: cython.p_int,
    volumes: cython.pointer[IntBuffer],
    count: cython.int,
) -> cython.int:
    polygon: cython.int
    volumes.count = 0
    for polygon in range(count):
        if push_int(volumes, kinds.volume[areas[polygon]]) < 0:
            return -1
        areas[polygon] = kinds.area[areas[polygon]]
    return 0
