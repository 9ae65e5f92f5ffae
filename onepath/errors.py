"""Every error that OnePath raises. Answers (not found, unreachable, stale, not loaded) are statuses, never errors."""

__all__ = [
    "ArgumentError",
    "BusyError",
    "LevelError",
    "LevelFileError",
    "LimitError",
    "MissingExtraError",
    "MissingLevelError",
    "OnePathError",
    "RangeError",
    "TileFormatError",
    "UnknownNameError",
    "UnsupportedError",
]


class OnePathError(Exception):
    """The base of all errors of this library."""


class ArgumentError(OnePathError, ValueError):
    """An argument without meaning: NaN, a wrong shape, inverted bounds. The message names it and its value."""


class RangeError(ArgumentError):
    """An argument outside its range. The message names the argument, its value and the range."""


class UnknownNameError(ArgumentError, TypeError):
    """An argument or a field by a name that there is not. The message names the nearest one, or all that there are."""


class LimitError(RangeError):
    """Something that would not fit a limit of the mesh or of its format. The message names the limit."""


class LevelError(OnePathError, ValueError):
    """A level file that cannot be read, or triangles that are refused; the line, triangle or vertex is named."""


class LevelFileError(OSError, LevelError):
    """A level file that the system does not let be read: a folder, no permission; `errno` and `filename` say more."""

    def __str__(self) -> str:
        return f"{self.filename}: {self.strerror}"


class MissingLevelError(LevelFileError, FileNotFoundError):
    """A level file that is not there."""


class TileFormatError(OnePathError, ValueError):
    """Bytes that are not a tile or a mesh of this version.

    Attributes:
        section: the part of the format that was refused ("header", "vertices", "polygons", ...).
        element: index of the refused element in its section, or -1 where the section as a whole is wrong.
    """

    def __init__(self, message: str, section: str = "header", element: int = -1) -> None:
        super().__init__(message)
        self.section = section
        self.element = element

    def __reduce__(self) -> tuple[type["TileFormatError"], tuple[str, str, int]]:
        return type(self), (str(self), self.section, self.element)


class UnsupportedError(OnePathError):
    """A change that the mesh's tier or this build does not allow."""


class BusyError(OnePathError, RuntimeError):
    """A commit while a query runs, staging from two threads at once, or what a clearance test may not do. Nothing has
    changed.
    """


class MissingExtraError(OnePathError, ImportError):
    """An optional package is not installed; the message says which command installs it."""


#: Characters of a value that a message shows.
LONGEST_SHOWN = 200


def shown(value: object) -> str:
    """A value as messages show it: cut where it is long. Python refuses to write out an int of thousands of digits."""
    try:
        text = repr(value)
    except ValueError:
        return "an int of thousands of digits"
    if len(text) <= LONGEST_SHOWN:
        return text
    shape = getattr(value, "shape", None)
    return f"{text[:LONGEST_SHOWN]}..." if shape is None else f"an array of shape {shape}"
