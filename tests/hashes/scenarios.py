"""A set of named scenarios and the file of their hashes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

Scenario = Callable[[], Iterable[np.ndarray]]


class Scenarios:
    """Functions that make arrays, by name; `NAME.json` beside this module has their hashes."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.file = Path(__file__).with_name(f"{name}.json")
        self.makers: dict[str, Scenario] = {}

    def __call__(self, name: str) -> Callable[[Scenario], Scenario]:
        """Registers the function that follows."""

        def register(make: Scenario) -> Scenario:
            self.makers[f"{self.name}/{name}"] = make
            return make

        return register

    def hashes(self) -> dict[str, str]:
        """{scenario: sha256 over the shapes and bytes of its arrays}."""
        return {name: array_hash(make()) for name, make in sorted(self.makers.items())}

    def filed(self) -> dict[str, str]:
        return json.loads(self.file.read_text(encoding="utf-8")) if self.file.exists() else {}

    def write(self) -> None:
        self.file.write_text(json.dumps(self.hashes(), indent=2, sort_keys=True) + "\n", encoding="utf-8")


def array_hash(arrays: Iterable[np.ndarray]) -> str:
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(f"{array.dtype.newbyteorder('<').str}{array.shape}".encode())
        digest.update(np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<")).tobytes())
    return digest.hexdigest()
