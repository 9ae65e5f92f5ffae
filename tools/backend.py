"""The build backend: setuptools', plus a C compiler from PyPI on Linux machines that have none.

Windows and macOS bring the compiler that their Python was made with; a zig build there is not tried and not offered.
"""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from sysconfig import get_config_var

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403  (the hooks that need no compiler)

Settings = Mapping[str, str | list[str] | None] | None


def compiler_is_missing() -> bool:
    command = os.environ.get("CC") or get_config_var("CC") or "cc"
    return sys.platform == "linux" and shutil.which(shlex.split(command)[0]) is None


def compiler_environment() -> dict[str, str]:
    """What makes setuptools compile here: nothing with a compiler; else zig, for the oldest processor and C library.

    Its bits are the bits of gcc: the same flags, no contraction, a processor without fused operations.
    """
    if not compiler_is_missing():
        return {}
    package = find_spec("ziglang")
    if package is None or package.origin is None:
        raise SystemExit("There is no C compiler here. Install one, or: python -m pip install ziglang")
    library = "musl" if "musl" in (get_config_var("SOABI") or "") else "gnu.2.17"
    target = f"-target {platform.machine()}-linux-{library} -mcpu=baseline"
    command = f"{shlex.quote(str(Path(package.origin).with_name('zig')))} cc {target}"
    return {"CC": command, "LDSHARED": f"{command} -shared"}


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    requirements: list[str] = build_meta.get_requires_for_build_wheel(config_settings)
    return requirements + ["ziglang"] * compiler_is_missing()


def get_requires_for_build_editable(config_settings: Settings = None) -> list[str]:
    requirements: list[str] = build_meta.get_requires_for_build_editable(config_settings)
    return requirements + ["ziglang"] * compiler_is_missing()


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    os.environ.update(compiler_environment())
    name: str = build_meta.build_wheel(wheel_directory, config_settings, metadata_directory)
    return name


def build_editable(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    os.environ.update(compiler_environment())
    name: str = build_meta.build_editable(wheel_directory, config_settings, metadata_directory)
    return name
