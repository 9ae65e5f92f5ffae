"""What importing the package costs: a fresh interpreter each time, the interpreter's own start taken off."""

from __future__ import annotations

import subprocess
import sys
from statistics import median
from time import perf_counter


def _interpreter(code: str) -> float:
    begin = perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return (perf_counter() - begin) * 1e3


def measure(repeats: int = 9) -> dict[str, float]:
    """Milliseconds of `import onepath` beyond an empty program, and of the part that NumPy takes."""
    rounds = [
        (_interpreter("pass"), _interpreter("import numpy"), _interpreter("import onepath")) for _ in range(repeats)
    ]
    bare, numpy, whole = (median(column) for column in zip(*rounds, strict=True))
    return {"import_ms": whole - bare, "of_which_numpy_ms": numpy - bare}
