"""Float32 stays float32 in the modules that pyproject.toml lists under [tool.onepath] float32."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

from tests.conftest import MODE
from tests.meta.float32 import compiler, doubles_in
from tests.meta.tree import COMPILED, FLOAT32, ROOT

pytestmark = pytest.mark.skipif(
    not compiler() or shutil.which(compiler()[0]) is None, reason="no C compiler to ask about doubles"
)

HEAD = """
import cython
from cython.cimports.libc.math import sqrt, sqrtf

TENTH = cython.declare(cython.double, 0.1)
"""
KERNEL = """

@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def {name}(a: cython.float, b: cython.float, out: cython.p_float) -> cython.int:
    half: cython.float = 0.5
    tenth: cython.float = 0.1
    zero: cython.float = 0
    {statement}


def call_{name}(a: float, b: float) -> int:
    out: cython.float = 0.0
    return {name}(a, b, cython.address(out))
"""

MISTAKES = {
    "literal": "out[0] = a * 0.1",
    "whole_literal": "out[0] = a * 3",
    "conditional": "out[0] = a if b > a else 0.0",
    "double_root": "out[0] = sqrt(a)",
    "untyped_local": "factor = 0.5; out[0] = a * factor",
    "double_constant": "out[0] = a * TENTH",
    "augmented": "out[0] += 0.1",
    "ends_as_integer": "return cython.cast(cython.int, a * 0.1)",
    "ends_as_comparison": "return a * 0.1 > b",
    "other_factor_widened": "return cython.cast(cython.int, cython.cast(cython.double, a) * b)",
}
GOOD = {
    "typed_constants": "out[0] = a * tenth + b / half",
    "float_root": "out[0] = sqrtf(a * a)",
    "comparisons": "return a > 0.0 or b == 1 or a < 0.1",
    "typed_conditional": "out[0] = a if b > a else zero",
    "least_and_absolute": "out[0] = min(a, b) + abs(a)",
    "casts_in_so_many_words": "out[0] = cython.cast(cython.float, cython.cast(cython.double, a) * 0.1)",
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Names of the planted kernels that the lint speaks up for; all are compiled in one file."""
    folder = tmp_path_factory.mktemp("planted")
    kernels = [KERNEL.format(name=name, statement=statement) for name, statement in (MISTAKES | GOOD).items()]
    (folder / "planted.py").write_text(HEAD + "".join(kernels), encoding="utf-8")
    command = [sys.executable, "-m", "cython", "-3", "-X", "cdivision=True", "planted.py", "-o", "planted.c"]
    subprocess.run(command, check=True, cwd=folder)
    return {finding.function.removeprefix("__pyx_f_7planted_") for finding in doubles_in(folder / "planted.c")}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_planted_double_is_found(name: str, found: set[str]) -> None:
    assert name in found


@pytest.mark.parametrize("name", GOOD)
def test_code_that_stays_in_float32_passes(name: str, found: set[str]) -> None:
    assert name not in found


def test_the_float32_modules_are_compiled_modules() -> None:
    assert set(FLOAT32) <= set(COMPILED)


@pytest.mark.parametrize("module", FLOAT32)
def test_no_double_in_a_float32_module(module: str) -> None:
    found = doubles_in(ROOT / "build" / MODE / "c" / (module.replace(".", "/") + ".c"))
    assert [f"{finding.place} {finding.text}" for finding in found] == []
