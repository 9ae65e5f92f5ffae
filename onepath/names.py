"""Names of arguments and fields that there are not, answered with the one that was meant or with where it is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from inspect import Parameter, signature
from typing import ParamSpec, TypeVar

from onepath.errors import UnknownNameError

__all__ = ["checks_fields", "checks_names", "unknown_name"]

Kind = TypeVar("Kind")
Given = ParamSpec("Given")


def unknown_name(owner: str, name: str, known: Sequence[str], elsewhere: Mapping[str, str] | None = None) -> Exception:
    """The error for a name that a call or a class does not have: where it belongs, else the nearest, else all."""
    from difflib import get_close_matches  # here: it takes longer to import than the rest of this module

    if elsewhere is not None and name in elsewhere:
        return UnknownNameError(f"{owner} has no {name!r}: {elsewhere[name]}")
    nearest = get_close_matches(name, [*known, *(elsewhere or ())], 1)
    if not nearest:
        return UnknownNameError(f"{owner} has no {name!r}; it has {', '.join(known)}")
    found = nearest[0]
    where = "" if found in known or elsewhere is None else f": {elsewhere[found]}"
    return UnknownNameError(f"{owner} has no {name!r}; the nearest is {found!r}{where}")


def checks_names(
    owner: str, elsewhere: Mapping[str, str] | None = None
) -> Callable[[Callable[Given, Kind]], Callable[Given, Kind]]:
    """Makes a call refuse names that it does not have by saying which it has, where Python's own error would not.

    Args:
        owner: what messages call it.
        elsewhere: names that people look for here, and a sentence that says where they are.
    """

    def checked(call: Callable[Given, Kind]) -> Callable[Given, Kind]:
        kinds = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
        named = [one.name for one in signature(call).parameters.values() if one.kind in kinds]
        known = frozenset(named)

        @wraps(call)
        def with_names(*values: Given.args, **names: Given.kwargs) -> Kind:
            for name in names:
                if name not in known:
                    raise unknown_name(owner, name, [one for one in named if one not in ("self", "cls")], elsewhere)
            return call(*values, **names)

        return with_names

    return checked


def checks_fields(elsewhere: Mapping[str, str] | None = None) -> Callable[[type[Kind]], type[Kind]]:
    """`checks_names` for the fields of a dataclass."""

    def checked(kind: type[Kind]) -> type[Kind]:
        made = checks_names(kind.__name__, elsewhere)(kind.__init__)
        setattr(kind, "__init__", made)  # noqa: B010  (a type checker takes it for a method of the class's own)
        return kind

    return checked
