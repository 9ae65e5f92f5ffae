"""The build backend: setuptools', plus a C compiler from PyPI on machines that have none."""

from setuptools.build_meta import *  # noqa: F403
