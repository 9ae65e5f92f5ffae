"""The repository as tests see it: what is compiled, where each build lies, whether it is up to date."""

from __future__ import annotations

import tomllib
from pathlib import Path
from sysconfig import get_config_var

ROOT = Path(__file__).resolve().parent.parent.parent
SUFFIX: str = get_config_var("EXT_SUFFIX")
MODES = ("release", "checked", "sanitizer", "plain")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
COMPILED: list[str] = PROJECT["tool"]["onepath"]["compiled"]
FLOAT32: list[str] = PROJECT["tool"]["onepath"]["float32"]
#: Has no source of its own: Cython writes it.
SHARED_UTILITY: str = PROJECT["tool"]["onepath"]["shared_utility"]
PACKAGES = ("onepath", "onepath_ecs", "demo_game")


def build_lib(mode: str) -> Path:
    """The folder that has to stand on sys.path for a mode: the repository itself for release."""
    return ROOT if mode == "release" else ROOT / "build" / mode / "lib"


def compiled_file(module: str, folder: Path) -> Path:
    return folder / (module.replace(".", "/") + SUFFIX)


def source_file(module: str) -> Path:
    return ROOT / (module.replace(".", "/") + ".py")


def reason_not_to_test(mode: str) -> str | None:
    """Why the tests would not test what the sources say, with the command that mends it; None if all is well."""
    if mode not in MODES:
        return f"ONEPATH_BUILD={mode!r} is not one of {', '.join(MODES)}."
    command = f"Run: python tools/build.py {mode}"
    folder = build_lib(mode)
    for module in [*COMPILED, SHARED_UTILITY]:
        if not compiled_file(module, folder).exists():
            return f"{module} is not compiled ({mode} build). {command}"
    stamp = ROOT / "build" / mode / f"built{SUFFIX}.stamp"
    if not stamp.exists():
        return f"The {mode} build never came to its end. {command}"
    newest = max(build_inputs(mode), key=lambda path: path.stat().st_mtime)
    if newest.stat().st_mtime > stamp.stat().st_mtime:
        return f"{newest.relative_to(ROOT)} is newer than the {mode} build. {command}"
    return None


def build_inputs(mode: str) -> list[Path]:
    """What a build was made from: compiled modules, shared declarations, directives; copied modules where it copies."""
    inputs = [ROOT / "setup.py", *map(source_file, COMPILED), *(ROOT / "onepath").rglob("*.pxd")]
    if mode != "release":
        inputs += [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    return inputs


def sources(package: str, pattern: str = "*.p*") -> list[Path]:
    """The source files of a package (.py, .pyi, .pxd), sorted."""
    return sorted(path for path in (ROOT / package).rglob(pattern) if path.suffix in (".py", ".pyi", ".pxd"))


def texts() -> list[Path]:
    """Every text file that the project ships or keeps: sources, documents, tools, tests, settings."""
    folders = (*PACKAGES, "benchmarks", "docs", "examples", "tests", "tools", ".ci")
    kept = [path for folder in folders for path in (ROOT / folder).rglob("*")]
    suffixes = (".py", ".pyi", ".pxd", ".md", ".toml", ".json", ".in", "")
    found = [path for path in [*ROOT.glob("*"), *kept] if path.is_file() and path.suffix in suffixes]
    return sorted(path for path in found if not path.name.startswith(".git"))
