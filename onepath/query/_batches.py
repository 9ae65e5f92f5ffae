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
"""

import _thread

import cython
import numpy
from cython.cimports.libc.stdlib import calloc, free, malloc, realloc
from cython.cimports.libc.string import memcpy
from cython.cimports.onepath.mesh._atomics import take
from cython.cimports.onepath.mesh._surface import Vector
from cython.cimports.onepath.query._batches import ChunkValues, Values
from cython.cimports.onepath.query._inputs import read_position

from onepath.errors import ArgumentError, shown

LIMIT = cython.declare(cython.double, 2097152.0)


def reserve_values(values, more):
    capacity: cython.longlong = values.capacity
    block: cython.p_void
    if values.count + more <= capacity:
        return 0
    capacity = max(values.count + more, 2 * capacity + 256)
    block = realloc(values.items, cython.cast(cython.size_t, capacity) * 8)
    if block == cython.NULL:
        return -1
    values.items = cython.cast(cython.pointer(cython.longlong), block)
    values.capacity = capacity
    return 0


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

    def _work_in_thread(self, worker: cython.int, done: object) -> None:
        try:
            with cython.nogil:
                self.work(worker)
        finally:
            done.release()

    def prepare(self, query, helpers) -> None:
        worker: cython.int
        self.workers = 1 + len(helpers)
        self.scratches = cython.cast(cython.pointer(cython.p_void), malloc(self.workers * cython.sizeof(cython.p_void)))
        self.values = cython.cast(cython.pointer(Values), calloc(self.workers, cython.sizeof(Values)))
        self.chunks = cython.cast(
            cython.pointer(ChunkValues), malloc((self.chunk_count + 1) * cython.sizeof(ChunkValues))
        )
        if self.scratches == cython.NULL or self.values == cython.NULL or self.chunks == cython.NULL:
            raise MemoryError("no memory for a batch")
        self.kept.append(helpers)
        self.scratches[0] = self.scratch_of(query)
        for worker in range(1, self.workers):
            self.scratches[worker] = self.scratch_of(helpers[worker - 1])

    def run(self, query, helpers):
        worker: cython.int
        self.chunk_count = (self.count + self.chunk - 1) // self.chunk
        self.prepare(query, helpers)
        if self.chunk_count <= 1:
            self.work(0)
        else:
            waiting: list = []
            try:
                for worker in range(1, min(self.workers, self.chunk_count)):
                    done = _thread.allocate_lock()
                    done.acquire()
                    try:
                        _thread.start_new_thread(self._work_in_thread, (worker, done))
                    except RuntimeError:
                        break  # the system has no more threads: those there do the work
                    waiting.append(done)
                with cython.nogil:
                    self.work(0)
            finally:
                self.wait_for(waiting)
        if self.failed != 0:
            raise MemoryError("no memory for the answers of a batch")
        return 0

    def wait_for(self, waiting) -> None:
        """Waits for the other threads, which write to this batch's memory; what interrupts the wait ends their work."""
        interrupted: object = None
        for done in waiting:
            while True:
                try:
                    done.acquire()
                    break
                except BaseException as error:
                    interrupted = error
                    take(cython.address(self.next), self.chunk_count)
        if interrupted is not None:
            raise interrupted

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
    address: cython.size_t = array.__array_interface__["data"][0]
    return cython.cast(cython.p_void, address)


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


def spread_positions(name, array, count):
    i: cython.longlong
    point: Vector
    spread = numpy.array(numpy.broadcast_to(array, (count, 3)), numpy.float64, order="C")
    numbers: cython.pointer(cython.const[cython.double]) = cython.cast(
        cython.pointer(cython.const[cython.double]), memory_of(spread)
    )
    for i in range(3 * count):
        if not -LIMIT < numbers[i] < LIMIT:
            row = i // 3
            read_position(
                tuple(spread[row].tolist()), f"{name}[{row}]" if array.ndim == 2 else name, cython.address(point)
            )
    return spread


def spread_references(array, count):
    return numpy.array(numpy.broadcast_to(array, (count,)), numpy.int64, order="C")
