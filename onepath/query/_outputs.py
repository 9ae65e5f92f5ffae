"""The caller's arrays that a call fills instead of lists of its own."""

import cython
import numpy
from cython.cimports.cpython.buffer import (
    PyBUF_C_CONTIGUOUS,
    PyBUF_FORMAT,
    PyBUF_WRITABLE,
    PyBuffer_Release,
    PyObject_GetBuffer,
)
from cython.cimports.onepath.query._outputs import Output, Outputs

from onepath.errors import ArgumentError, shown

KINDS = {"q": "int64", "d": "float64", "i": "int32", "B": "uint8"}


@cython.cfunc
@cython.inline
def is_kind(output: cython.pointer(Output), kind: cython.char) -> cython.bint:
    """Whether the array's numbers are of the kind; a long is 64 bits wide here and 32 there."""
    format: cython.pointer(cython.const[cython.char]) = output.view.format
    if format == cython.NULL or format[0] == 0 or format[1] != 0:
        return False
    if format[0] == kind:
        return True
    if kind == ord("q"):
        return format[0] == ord("l") and output.view.itemsize == 8
    return kind == ord("i") and format[0] == ord("l") and output.view.itemsize == 4


@cython.cfunc
@cython.exceptval(-1)
def refuse(
    outputs: cython.pointer(Outputs), array: object, name: str, kind: cython.char, width: cython.int
) -> cython.int:
    release_outputs(outputs)
    shape = "(n)" if width == 1 else f"(n, {width})"
    raise ArgumentError(f"{name} is {shown(array)}, not a writeable contiguous {KINDS[chr(kind)]} array {shape}")


@cython.cfunc
@cython.exceptval(-1)
def refuse_shared(outputs: cython.pointer(Outputs), name: str) -> cython.int:
    """Refuses the array taken last where it shares memory with one before: both would be filled, and one lost."""
    last: cython.int = outputs.count - 1
    taken: cython.pointer(cython.const[cython.char]) = cython.cast(
        cython.pointer(cython.const[cython.char]), outputs.arrays[last].view.buf
    )
    other: cython.pointer(cython.const[cython.char])
    i: cython.int
    for i in range(last):
        other = cython.cast(cython.pointer(cython.const[cython.char]), outputs.arrays[i].view.buf)
        if (
            outputs.arrays[i].held
            and taken < other + outputs.arrays[i].view.len
            and other < taken + outputs.arrays[last].view.len
        ):
            release_outputs(outputs)
            raise ArgumentError(f"{name} shares memory with another array that is to be filled; give each its own")
    return 0


def take_output(outputs, array, name, kind, width):
    output: cython.pointer(Output) = outputs.arrays + outputs.count
    numbers: cython.Py_ssize_t
    output.rows = 0
    output.held = False
    outputs.count += 1
    if array is None:
        return 0
    try:
        PyObject_GetBuffer(array, cython.address(output.view), PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE | PyBUF_FORMAT)
    except (TypeError, ValueError, BufferError):
        return refuse(outputs, array, name, kind, width)
    output.held = True
    if not is_kind(output, kind) or output.view.ndim < 1 or (width == 1 and output.view.ndim != 1):
        return refuse(outputs, array, name, kind, width)
    output.rows = output.view.shape[0]
    numbers = output.view.len // output.view.itemsize
    if numbers != output.rows * width:
        return refuse(outputs, array, name, kind, width)
    return refuse_shared(outputs, name) if outputs.count > 1 else 0


def release_outputs(outputs):
    i: cython.int
    for i in range(outputs.count):
        if outputs.arrays[i].held:
            PyBuffer_Release(cython.address(outputs.arrays[i].view))
    outputs.count = 0


def given_rows(given, place, count, kind, shape):
    array = given[place]
    return numpy.zeros((0, *shape), kind) if array is None else numpy.asarray(array)[:count].reshape(-1, *shape)
