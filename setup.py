"""Compiles the modules that pyproject.toml names under [tool.onepath]. All metadata stands in pyproject.toml.

ONEPATH_BUILD chooses the mode:
    release     -O3, no checks (what users get)
    checked     bounds, initialisation, None and division checks on
    sanitizer   the checked rules under the address, undefined and float-cast sanitizers
    plain       the release rules with the compiler's optimizer off
"""

import os
import sys
import tomllib
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
MODE = os.environ.get("ONEPATH_BUILD", "release")
MODULES: list[str] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["onepath"]["compiled"]

CHECKS = MODE in ("checked", "sanitizer")
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": CHECKS,
    "initializedcheck": CHECKS,
    "nonecheck": CHECKS,
    "cdivision": not CHECKS,
    "wraparound": False,
    "embedsignature": True,
    "embedsignature.format": "python",
}
# Contraction would fuse a * b + c on some machines and not on others; errno from sqrt would forbid inlining it.
GNU_COMMON = ["-g0", "-ffp-contract=off", "-fno-math-errno"]
GNU_FLAGS = {
    "release": ["-O3", *GNU_COMMON],
    "plain": ["-O0", *GNU_COMMON],
    "checked": ["-O2", *GNU_COMMON],
    # -fno-wrapv comes last: Python's own flags hold -fwrapv, which would silence signed overflow.
    "sanitizer": [
        "-O1", "-g", "-ffp-contract=off", "-fno-math-errno", "-fno-omit-frame-pointer",
        "-fsanitize=address,undefined,float-cast-overflow", "-fno-sanitize-recover=undefined", "-fno-wrapv",
    ],
}  # fmt: skip
MSVC_FLAGS = {
    "release": ["/O2", "/fp:precise"],
    "plain": ["/Od", "/fp:precise"],
    "checked": ["/O2", "/fp:precise"],
}


def compiler_flags() -> tuple[list[str], list[str]]:
    """(compile flags, link flags) of the chosen mode for the platform's usual compiler."""
    table = MSVC_FLAGS if sys.platform == "win32" else GNU_FLAGS
    if MODE not in table:
        raise SystemExit(f"ONEPATH_BUILD={MODE!r} is not one of {', '.join(table)}")
    if sys.platform == "win32":
        return table[MODE], []
    return table[MODE], ["-fsanitize=address,undefined"] if MODE == "sanitizer" else [
        "-Wl,-s"
    ] if sys.platform == "linux" else []


def extensions() -> list[Extension]:
    """All compiled modules, their C sources kept a mode apart under build/."""
    if not MODULES:
        return []
    c_folder = ROOT / "build" / MODE / "c"
    sources = [Extension(name, [name.replace(".", "/") + ".py"]) for name in MODULES]
    built: list[Extension] = cythonize(
        sources,
        build_dir=str(c_folder.relative_to(ROOT)),
        compiler_directives=DIRECTIVES,
        quiet=True,
        show_all_warnings=False,
    )
    compile_flags, link_flags = compiler_flags()
    for extension in built:
        extension.extra_compile_args = compile_flags
        extension.extra_link_args = link_flags
    return built


class BuildPython(build_py):
    """Leaves the sources of compiled modules out of wheels: beside the compiled file they would never be read."""

    def find_package_modules(self, package: str, package_dir: str) -> list[tuple[str, str, str]]:
        found = super().find_package_modules(package, package_dir)
        return [entry for entry in found if f"{entry[0]}.{entry[1]}" not in MODULES]


setup(
    ext_modules=extensions(),
    cmdclass={"build_py": BuildPython},
    options={
        "build": {"build_base": f"build/{MODE}"},
        "build_ext": {"parallel": os.cpu_count()},
        "egg_info": {"egg_base": "."},
    },
)
