"""Levels for the command to bake, and what its lines say."""

from __future__ import annotations

import re

FLOOR = "v 0 0 0\nv 0 0 10\nv 10 0 10\nv 10 0 0\nf 1 2 3 4\n"
CEILING = "v 0 0 0\nv 0 0 10\nv 10 0 10\nv 10 0 0\nf 4 3 2 1\n"


def is_error(result, *words: str) -> bool:
    """One line on stderr that holds these words, nothing on stdout, exit code 2."""
    code, out, err = result
    said = len(err) == 1 and err[0].startswith("onepath: error: ") and all(word in err[0] for word in words)
    assert (code, out, said) == (2, [], True), (code, out, err)
    return True


def rows(lines: list[str]) -> dict[str, str]:
    return {name: text for name, text in (re.split(r"\s{2,}", line.strip(), maxsplit=1) for line in lines)}
