"""SeededRandom, the generator that random points are drawn from (queries document, random points)."""

import cython
import numpy
from cython.cimports.onepath.query._random import draw_bits, draw_double

from onepath.errors import ArgumentError, RangeError, shown

LARGEST = 0xFFFFFFFFFFFFFFFF


@cython.cfunc
def checked_bits(value: object, name: str) -> object:
    """The value as an int of 64 bits."""
    if isinstance(value, bool | numpy.bool_) or not isinstance(value, int | numpy.integer):
        raise ArgumentError(f"{name} is {value!r}, not a whole number")
    number = int(value)
    if not 0 <= number <= LARGEST:
        raise RangeError(f"{name} is {number}, outside [0, {LARGEST}]")
    return number


class SeededRandom:
    """A stream of random numbers that is the same for the same seed on every machine (SplitMix64).

    `state` is all there is to it: keep it to come back to this place in the stream, set it to go there.

    Args:
        seed: the state to start with, 0 to 2**64 - 1.

    Raises:
        ArgumentError, RangeError: naming argument, value and range.

    >>> random = SeededRandom(7)
    >>> kept = random.state
    >>> first = random.next_double()
    >>> random.state = kept
    >>> random.next_double() == first
    True
    """

    __match_args__ = ("state",)

    def __init__(self, seed: object) -> None:
        self.bits = checked_bits(seed, "seed")

    @property
    def state(self) -> int:
        """The whole state, 0 to 2**64 - 1; the next draw depends on nothing else."""
        return self.bits

    @state.setter
    def state(self, value: object) -> None:
        self.bits = checked_bits(value, "state")

    def next(self) -> int:
        """The next 64 bits, 0 to 2**64 - 1."""
        return draw_bits(cython.address(self.bits))

    def next_double(self) -> float:
        """The next number in [0, 1): the upper 53 of the next 64 bits, times 2**-53."""
        return draw_double(cython.address(self.bits))

    def __repr__(self) -> str:
        return f"SeededRandom({self.bits})"

    def __eq__(self, other: object) -> object:
        if type(other) is not SeededRandom:
            return NotImplemented
        return self.bits == cython.cast(SeededRandom, other).bits

    def __reduce__(self) -> tuple:
        return SeededRandom, (self.bits,)


def read_random(rng, name):
    made: SeededRandom
    if type(rng) is SeededRandom:
        return rng
    if isinstance(rng, numpy.random.Generator):
        rng = int(rng.integers(0, LARGEST, dtype=numpy.uint64, endpoint=True))
    elif isinstance(rng, bool | numpy.bool_) or not isinstance(rng, int | numpy.integer):
        raise ArgumentError(f"{name} is {shown(rng)}, not a SeededRandom, an int or a NumPy generator")
    made = SeededRandom.__new__(SeededRandom)
    made.bits = checked_bits(rng, name)
    return made
