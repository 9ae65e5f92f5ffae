"""Batches: many questions of one kind, answered by several threads without the GIL, to the bits of single calls.

A kind of batch is a subclass of Batch. The function that makes it reads the caller's arrays (`take_positions` and the
like, `count_questions`, then `spread_positions`: copies, which nobody else changes), makes the arrays of answers and
sets pointers into both; `scratch_of` names what a query object lends a thread, and `answer` is a nogil loop over the
kernel of the single call. `TraceQuery.run_batch` enters the mesh, finds a helper object for every thread beyond the
first, runs the batch and leaves; see _trace_batches.py for two whole ones.

Threads take chunks of questions in turn; an answer depends on its question alone, so nothing depends on which thread
gives it. Values that answers list (polygons, points) go to the thread's own buffer and are put in the questions' order
by `gather`, with offsets.

A batch of one chunk is answered by the caller's thread without letting go of the GIL: taking it back may cost a frame.
The other threads never take it. They are the system's and know nothing of Python, so that they begin and end while some
thread runs Python; a thread of Python's would wait for that, twice. One that has not begun when all is answered, on a
machine with other things to do, is not waited for.
"""

import cython
import numpy
from cython.cimports.cpython.buffer import PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cython.cimports.cpython.pythread import (
    WAIT_LOCK,
    PyThread_acquire_lock,
    PyThread_allocate_lock,
    PyThread_free_lock,
    PyThread_release_lock,
    PyThread_start_new_thread,
    PyThread_type_lock,
)
from cython.cimports.libc.math import fabs
from cython.cimports.libc.stdlib import calloc, free, malloc
from cython.cimports.libc.string import memcpy
from cython.cimports.onepath.mesh._atomics import publish, take
from cython.cimports.onepath.mesh._format import LARGEST_COORDINATE
from cython.cimports.onepath.mesh._surface import Vector
from cython.cimports.onepath.query._batches import ChunkValues, Helper, Values
from cython.cimports.onepath.query._inputs import read_position
from cython.cimports.onepath.query._room import resize

from onepath.errors import ArgumentError, shown

# To start a thread takes as long as a good part of a chunk: it is to find more to do than that.
CHUNKS_A_THREAD = cython.declare(cython.longlong, 2)
# Who may claim a helper
BY_THREAD = cython.declare(cython.size_t, 1)
BY_BATCH = cython.declare(cython.size_t, 2)


def reserve_values(values, more):
    capacity: cython.longlong = values.capacity
    if values.count + more <= capacity:
        return 0
    capacity = max(values.count + more, 2 * capacity + 256)
    if resize(cython.address(values.items), capacity, 8) != 0:
        return -1
    values.capacity = capacity
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def claim(helper: cython.pointer(Helper), who: cython.size_t) -> cython.bint:
    """Whether this one is the first to claim the helper: its thread that has begun, or the batch that is through."""
    mark: cython.p_void = cython.cast(cython.p_void, who)
    return publish(cython.address(helper.claimed), mark) == mark


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def help_batch(argument: cython.p_void) -> cython.void:
    """What a thread beyond the first runs."""
    helper: cython.pointer(Helper) = cython.cast(cython.pointer(Helper), argument)
    if not claim(helper, BY_THREAD):
        free(helper)
        return
    cython.cast(Batch, helper.batch).work(helper.worker)
    PyThread_release_lock(helper.done)


class Batch:
    """Base of the kinds of batches."""

    def __cinit__(self) -> None:
        self.kept = []
        self.chunk = 256

    def __init__(self, *_values: object, **_named: object) -> None:
        raise TypeError("a Batch is what the batched calls of NavMeshQuery make; it is not made by hand")

    def __dealloc__(self) -> None:
        worker: cython.int
        if self.values != cython.NULL:
            for worker in range(self.workers):
                free(self.values[worker].items)
        free(self.values)
        free(self.scratches)
        free(self.chunks)
        free(self.helpers)

    def scratch_of(self, query):
        return cython.NULL

    def answer(self, first, last, scratch, values):
        return -1

    # --- Working

    def work(self, worker):
        """Answers chunks until none is left."""
        first: cython.longlong
        chunk: cython.longlong
        last: cython.longlong
        while True:
            chunk = take(cython.address(self.next), 1)
            if chunk >= self.chunk_count:
                return 0
            first = chunk * self.chunk
            last = min(first + self.chunk, self.count)
            self.chunks[chunk].worker = worker
            self.chunks[chunk].first = self.values[worker].count
            if self.answer(first, last, self.scratches[worker], self.values + worker) != 0:
                self.failed = -1
                take(cython.address(self.next), self.chunk_count)
                return -1

    def threads_worth(self, threads):
        self.chunk_count = (self.count + self.chunk - 1) // self.chunk
        return cython.cast(cython.int, max(1, min(threads, self.chunk_count // CHUNKS_A_THREAD)))

    def prepare(self, query, helpers) -> None:
        worker: cython.int
        self.workers = 1 + len(helpers)
        self.scratches = cython.cast(cython.pointer(cython.p_void), malloc(self.workers * cython.sizeof(cython.p_void)))
        self.values = cython.cast(cython.pointer(Values), calloc(self.workers, cython.sizeof(Values)))
        self.chunks = cython.cast(
            cython.pointer(ChunkValues), malloc((self.chunk_count + 1) * cython.sizeof(ChunkValues))
        )
        self.helpers = cython.cast(
            cython.pointer(cython.pointer(Helper)), calloc(self.workers, cython.sizeof(cython.p_void))
        )
        if (
            self.scratches == cython.NULL
            or self.values == cython.NULL
            or self.chunks == cython.NULL
            or self.helpers == cython.NULL
        ):
            raise MemoryError("no memory for a batch")
        self.kept.append(helpers)
        self.scratches[0] = self.scratch_of(query)
        for worker in range(1, self.workers):
            self.scratches[worker] = self.scratch_of(helpers[worker - 1])

    def start_helper(self, worker):
        """Starts the thread of a worker beyond the first, if the system has one more."""
        helper: cython.pointer(Helper) = cython.cast(cython.pointer(Helper), malloc(cython.sizeof(Helper)))
        if helper == cython.NULL:
            return
        helper.batch = cython.cast(cython.p_void, self)
        helper.worker = worker
        helper.claimed = cython.NULL
        helper.done = PyThread_allocate_lock()
        if helper.done != cython.NULL:
            PyThread_acquire_lock(helper.done, WAIT_LOCK)
            if PyThread_start_new_thread(help_batch, helper) != -1:
                self.helpers[worker] = helper
                return
            PyThread_free_lock(helper.done)
        free(helper)

    def await_helper(self, worker):
        """Waits for the chunk that a worker's thread is at; a thread that has not begun will find that it need not."""
        helper: cython.pointer(Helper) = self.helpers[worker]
        done: PyThread_type_lock
        if helper == cython.NULL:
            return
        done = helper.done
        if not claim(helper, BY_BATCH):
            with cython.nogil:
                PyThread_acquire_lock(done, WAIT_LOCK)
            free(helper)
        PyThread_free_lock(done)

    def run(self, query, helpers):
        worker: cython.int
        self.prepare(query, helpers)
        if self.chunk_count <= 1:
            self.work(0)
        else:
            for worker in range(1, self.workers):
                self.start_helper(worker)
            with cython.nogil:
                self.work(0)
            for worker in range(1, self.workers):
                self.await_helper(worker)
        if self.failed != 0:
            raise MemoryError("no memory for the answers of a batch")
        return 0

    # --- What answers list

    def gather(self):
        i: cython.longlong
        chunk: cython.longlong
        first: cython.longlong
        last: cython.longlong
        source: cython.pointer(cython.longlong)
        target: cython.pointer(cython.longlong)
        self.offsets[0] = 0
        for i in range(self.count):
            self.offsets[i + 1] += self.offsets[i]
        array = numpy.empty(self.offsets[self.count], numpy.int64)
        target = cython.cast(cython.pointer(cython.longlong), memory_of(array))
        for chunk in range(self.chunk_count):
            first = self.offsets[chunk * self.chunk]
            last = self.offsets[min((chunk + 1) * self.chunk, self.count)]
            source = self.values[self.chunks[chunk].worker].items + self.chunks[chunk].first
            memcpy(target + first, source, cython.cast(cython.size_t, last - first) * 8)
        return array


# --- Reading the caller's arrays ------------------------------------------------------------------------------------


def memory_of(array):
    # The address outlives the buffer that is let go of here: the batch has the array in `kept`, and nobody resizes it.
    view: Py_buffer
    address: cython.p_void
    PyObject_GetBuffer(array, cython.address(view), PyBUF_SIMPLE)
    address = view.buf
    PyBuffer_Release(cython.address(view))
    return address


def count_questions(axes, names, arrays):
    count: cython.longlong = -1
    counted: object = None
    for axis, name, array in zip(axes, names, arrays, strict=True):
        if array.ndim == axis:
            if count >= 0 and len(array) != count:
                raise ArgumentError(f"{counted} has {count} rows, {name} has {len(array)}")
            count, counted = len(array), name
    return 1 if count < 0 else count


@cython.cfunc
def as_array(name: str, values: object, what: str) -> object:
    try:
        return numpy.asarray(values)
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError(f"{name} is {shown(values)}, not {what}") from None


def take_positions(name, values):
    array = as_array(name, values, "numbers of shape (n, 3)")
    if array.ndim == 1 and array.size == 0:
        array = array.reshape(0, 3)
    if array.ndim not in (1, 2) or array.shape[array.ndim - 1] != 3 or array.dtype.kind not in "iuf":
        raise ArgumentError(f"{name} is {shown(values)}, not numbers of shape (n, 3)")
    return array


def take_references(name, values):
    array = as_array(name, values, "polygon references, int64 of shape (n,)")
    if array.ndim == 1 and array.size == 0:
        array = array.astype(numpy.int64)
    if array.ndim > 1 or array.dtype.kind not in "iu" or array.dtype == numpy.uint64:
        raise ArgumentError(f"{name} is {shown(values)}, not polygon references, int64 of shape (n,)")
    return array


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def all_within(numbers: cython.pointer(cython.const[cython.double]), count: cython.longlong) -> cython.bint:
    """Whether all are coordinates: without a branch a number, for compilers to look at several at once."""
    i: cython.longlong
    outside: cython.longlong = 0
    for i in range(count):
        outside |= not fabs(numbers[i]) < LARGEST_COORDINATE
    return outside == 0


def spread_rows(array, axes, count, type_of_values):
    if array.ndim == axes:
        array = numpy.broadcast_to(array, (count, *array.shape))
    return numpy.array(array, type_of_values, order="C")


def spread_positions(name, array, count):
    i: cython.longlong
    point: Vector
    spread = spread_rows(array, 1, count, numpy.float64)
    numbers: cython.pointer(cython.const[cython.double]) = cython.cast(
        cython.pointer(cython.const[cython.double]), memory_of(spread)
    )
    if all_within(numbers, 3 * count):
        return spread
    for i in range(count):
        read_position(tuple(spread[i].tolist()), f"{name}[{i}]" if array.ndim == 2 else name, cython.address(point))
    return spread


def spread_references(array, count):
    return spread_rows(array, 0, count, numpy.int64)
