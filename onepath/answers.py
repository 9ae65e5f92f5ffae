"""Answers in words: enums whose members say what to do about them, and counts with their nouns."""

import enum

__all__ = ["Answer", "counted"]


class Answer(enum.Enum):
    """Base of the statuses: a member's value is its text, its `advice` a sentence or two for whoever reads it.

    Attributes:
        advice: what the answer means and what to do about it.
    """

    _value_: str
    advice: str

    def __new__(cls, value: str, advice: str) -> "Answer":
        member = object.__new__(cls)
        member._value_ = value
        member.advice = advice
        member.__doc__ = advice
        return member


def counted(count: int, noun: str) -> str:
    """The count and its noun.

    >>> counted(1, "tile"), counted(0, "tile")
    ('1 tile', '0 tiles')
    """
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
