"""Compiles the modules that pyproject.toml names under [tool.onepath]. All metadata stands in pyproject.toml.

ONEPATH_BUILD chooses the mode:
    release     -O3, no checks (what users get)
    checked     bounds, initialisation, None and division checks on
    sanitizer   the checked rules under the address, undefined and float-cast sanitizers
    plain       the release rules with the compiler's optimizer off

Directives stand here and nowhere else: one in a file's header would win over the mode. Each mode has its own folder
build/<mode>: c/ (generated sources), temp/ (objects), lib/ (all packages, importable). `tools/build.py` is the front.
"""

import os
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from sysconfig import get_config_var

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build import build
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
MODE = os.environ.get("ONEPATH_BUILD", "release")
FOLDER = Path("build") / MODE
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["onepath"]
MODULES: list[str] = PROJECT["compiled"]
# Cython's own helpers (memoryviews, function types), compiled once instead of into every module.
SHARED_UTILITY: str = PROJECT["shared_utility"]

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
    "show_performance_hints": not CHECKS,
}
# Contraction would fuse a * b + c on some machines and not on others; errno from sqrt would forbid inlining it.
# Copying no bytes from or to NULL is how empty arrays come out; the third flag keeps compilers from concluding that a
# pointer once handed to memcpy cannot be NULL, so that the sanitizer need not mind.
# Generated C declares helpers that a module may not need, counts a memoryview's users through a pointer that the
# compiler takes for NULL, and hides from it that a flag says what has been set: such warnings would drown the others.
GNU_COMMON = [
    "-ffp-contract=off", "-fno-math-errno", "-fno-delete-null-pointer-checks",
    "-Wno-unused-function", "-Wno-unused-variable", "-Wno-stringop-overflow", "-Wno-maybe-uninitialized",
]  # fmt: skip
GNU_FLAGS = {
    "release": ["-O3", "-g0", *GNU_COMMON],
    "plain": ["-O0", "-g0", *GNU_COMMON],
    "checked": ["-O2", "-g0", *GNU_COMMON],
    # -fno-wrapv comes last: Python's own flags hold -fwrapv, which would silence signed overflow.
    # Locals begin as a pattern of bits, so that what was never set does not pass for the zero that was there by chance.
    "sanitizer": [
        "-O1", "-g", *GNU_COMMON, "-fno-omit-frame-pointer", "-ftrivial-auto-var-init=pattern",
        "-fsanitize=address,undefined,float-cast-overflow", "-fno-sanitize=nonnull-attribute",
        "-fno-sanitize-recover=all", "-fno-wrapv",
    ],
}  # fmt: skip
MSVC_FLAGS = {
    "release": ["/O2", "/fp:precise"],
    "plain": ["/Od", "/fp:precise"],
    "checked": ["/O2", "/fp:precise"],
}


def compiler_flags() -> tuple[list[str], list[str]]:
    """(compile flags, link flags) of the chosen mode for the platform's usual compiler."""
    if sys.platform == "win32":
        return MSVC_FLAGS[MODE], []
    if MODE == "sanitizer":
        return GNU_FLAGS[MODE], ["-fsanitize=address,undefined"]
    return GNU_FLAGS[MODE], ["-Wl,-s"] if sys.platform == "linux" else []


def generate_c(extensions: list[Extension]) -> None:
    """Writes the C source of every module that is newer than it, and points the extensions at the C sources."""
    # Cython compares times of sources alone; a change of the directives above must reach every module too.
    force = not stamp_is_newer_than(ROOT / "setup.py")
    *modules, shared = extensions
    generated: list[Extension] = cythonize(
        [Extension(module.name, list(module.sources)) for module in modules],
        build_dir=str(FOLDER / "c"),
        compiler_directives=DIRECTIVES,
        shared_utility_qualified_name=SHARED_UTILITY,
        force=force,
        nthreads=(os.cpu_count() or 1) if sys.platform == "linux" else 0,
        quiet=True,
        show_all_warnings=False,
    )
    for module, source in zip(modules, generated, strict=True):
        module.sources = source.sources
    shared.sources = [str(FOLDER / "c" / (SHARED_UTILITY.replace(".", "/") + ".c"))]
    if force or not Path(shared.sources[0]).exists():
        # The command names the module in full: deduced from the file it would lack its package and fail on import.
        command = ["generate-shared", "--module-name", SHARED_UTILITY, *shared.sources]
        subprocess.run([sys.executable, "-m", "cython", *command], check=True)


def stamp_path() -> Path:
    """The file whose time says when the last complete build of this mode by this Python began."""
    return ROOT / FOLDER / f"built{get_config_var('EXT_SUFFIX')}.stamp"


def stamp_is_newer_than(path: Path) -> bool:
    return stamp_path().exists() and stamp_path().stat().st_mtime > path.stat().st_mtime


class BuildExtensions(build_ext):
    """Translates when it compiles and not when it is asked for metadata; leaves a stamp that tests compare with."""

    def finalize_options(self) -> None:
        super().finalize_options()
        # Not among the options handed to setup(): an editable install drops those and would compile one by one.
        if self.parallel is None:
            self.parallel = os.cpu_count()

    def run(self) -> None:
        began = time.time()
        generate_c(self.extensions)
        super().run()
        if self.inplace or MODE != "release":
            stamp_path().touch()
            os.utime(stamp_path(), (began, began))


class BuildPython(build_py):
    """Leaves the sources of compiled modules out of wheels: beside the compiled file they would never be read."""

    def find_package_modules(self, package: str, package_dir: str) -> list[tuple[str, str, str]]:
        found = super().find_package_modules(package, package_dir)
        return [entry for entry in found if f"{entry[0]}.{entry[1]}" not in MODULES]

    def byte_compile(self, files: list[str]) -> None:
        """Nothing: who installs a wheel compiles it to bytecode anyway, for the Python at hand."""


class Build(build):
    """Removes what an earlier build left in the folder: a wheel must not carry a module that has been renamed since."""

    def run(self) -> None:
        super().run()
        commands = [self.get_finalized_command(name) for name in self.get_sub_commands()]
        wanted = {Path(output).resolve() for command in commands for output in command.get_outputs()}
        for path in Path(self.build_lib).rglob("*"):
            if path.is_file() and path.resolve() not in wanted:
                path.unlink()


def main() -> None:
    if MODE not in (MSVC_FLAGS if sys.platform == "win32" else GNU_FLAGS):
        raise SystemExit(f"ONEPATH_BUILD={MODE!r} is not a mode of this platform; see the head of setup.py")
    compile_flags, link_flags = compiler_flags()
    setup(
        ext_modules=[
            Extension(
                name,
                [name.replace(".", "/") + ".py"],
                depends=["setup.py"],
                extra_compile_args=compile_flags,
                extra_link_args=link_flags,
            )
            for name in [*MODULES, SHARED_UTILITY]
        ],
        cmdclass={"build": Build, "build_ext": BuildExtensions, "build_py": BuildPython},
        options={
            "build": {
                "build_base": str(FOLDER),
                "build_lib": str(FOLDER / "lib"),
                "build_temp": str(FOLDER / "temp"),
            },
            "egg_info": {"egg_base": "."},
        },
    )


if __name__ == "__main__":
    main()
