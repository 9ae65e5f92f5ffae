"""What type checkers are told of compiled modules is what there is: names, parameters, their kinds and defaults."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import onepath  # noqa: F401  (attaches what stubs speak of)
from tests.meta.test_docs import PUBLIC
from tests.meta.tree import ROOT, sources

STUBS = [path for path in sources("onepath") if path.suffix == ".pyi"]
#: Classes that a public module names.
OFFERED = {
    getattr(module, name)
    for module in map(importlib.import_module, PUBLIC)
    for name in getattr(module, "__all__", ())
    if inspect.isclass(getattr(module, name))
}
Function = ast.FunctionDef | ast.AsyncFunctionDef
#: Name, kind, whether there is a default.
Parameter = tuple[str, int, bool]


def written(node: Function) -> list[Parameter]:
    """The parameters of a function as source code has them."""
    given, kinds = node.args, inspect._ParameterKind
    plain = [*given.posonlyargs, *given.args]
    found: list[Parameter] = []
    for place, one in enumerate(plain):
        found.append((one.arg, kinds.POSITIONAL_OR_KEYWORD, place >= len(plain) - len(given.defaults)))
    if given.vararg:
        found.append((given.vararg.arg, kinds.VAR_POSITIONAL, False))
    for one, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        found.append((one.arg, kinds.KEYWORD_ONLY, default is not None))
    if given.kwarg:
        found.append((given.kwarg.arg, kinds.VAR_KEYWORD, False))
    return found


def running(call: Any) -> list[Parameter]:
    """The parameters of a function as it is imported."""
    return [(one.name, one.kind, one.default is not one.empty) for one in inspect.signature(call).parameters.values()]


def functions(tree: ast.Module | ast.ClassDef) -> Iterator[Function]:
    """Those that have a signature of their own in Python: no properties, no slots such as `__len__`, one of several."""
    for node in tree.body:
        if not isinstance(node, Function):
            continue
        marks = {ast.unparse(mark).rpartition(".")[2] for mark in node.decorator_list}
        if not marks & {"property", "setter", "overload"} and not node.name.startswith("__"):
            yield node


def classes(tree: ast.Module) -> dict[str, ast.ClassDef]:
    return {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}


def module_of(path: Path) -> Any:
    return importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))


def beginning(kind: ast.ClassDef) -> list[Parameter] | None:
    """What it takes, but for the names that it does not know, which it takes only to refuse them."""
    found = [written(node) for node in kind.body if isinstance(node, Function) and node.name == "__init__"]
    return [one for one in found[0] if one[0] != "unknown"] if found else None


@pytest.mark.parametrize("path", STUBS, ids=lambda path: str(path.relative_to(ROOT)))
def test_calls_take_what_their_stub_says(path: Path) -> None:
    module, tree = module_of(path), ast.parse(path.read_text(encoding="utf-8"))
    differing = [node.name for node in functions(tree) if written(node) != running(getattr(module, node.name))]
    for name, kind in classes(tree).items():
        owner = getattr(module, name)
        for node in functions(kind):
            member = inspect.getattr_static(owner, node.name)
            if written(node) != running(getattr(member, "__func__", member)):
                differing.append(f"{name}.{node.name}")
    assert differing == []


@pytest.mark.parametrize("path", STUBS, ids=lambda path: str(path.relative_to(ROOT)))
def test_compiled_classes_begin_as_their_stub_says(path: Path) -> None:
    """Python does not tell the signature of a compiled class's beginning; its source does."""
    source = path.with_suffix(".py")
    written_there = classes(ast.parse(source.read_text(encoding="utf-8")))
    for name, kind in classes(ast.parse(path.read_text(encoding="utf-8"))).items():
        wanted = beginning(kind)
        if wanted is not None and name in written_there:
            assert wanted == beginning(written_there[name]), name


@pytest.mark.parametrize("path", STUBS, ids=lambda path: str(path.relative_to(ROOT)))
def test_public_members_of_classes_are_in_their_stub(path: Path) -> None:
    module = module_of(path)
    missing: list[str] = []
    for name, kind in classes(ast.parse(path.read_text(encoding="utf-8"))).items():
        owner = getattr(module, name)
        if owner not in OFFERED or owner.__module__ != module.__name__:
            continue
        told = {node.name for node in kind.body if isinstance(node, Function)}
        told |= {ast.unparse(node.target) for node in kind.body if isinstance(node, ast.AnnAssign)}
        missing += [f"{name}.{one}" for one in vars(owner) if not one.startswith("_") and one not in told]
        missing += [f"{name}.{one} is told only" for one in told if not hasattr(owner, one)]
    assert missing == []
