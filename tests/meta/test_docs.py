"""Public names are documented, and every example in docstrings, README and docs runs and says what it prints."""

from __future__ import annotations

import doctest
import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import onepath
from onepath.answers import Answer
from onepath.query import AreaSearchStatus, PathStatus, QueryStatus, RaycastStatus
from tests.meta.tree import ROOT, sources

MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for package in ("onepath", "onepath_ecs")
    for path in sources(package, "*.py")
    if path.name != "__main__.py" and path.parent.name != "draw"
]
PUBLIC = [name for name in MODULES if not any(part.startswith("_") for part in name.split("."))]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SNIPPET = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


def documented(value: object, name: str) -> bool:
    """Whether a docstring says something beyond the signature that Cython and dataclasses write by themselves."""
    text = re.sub(rf"^{re.escape(name)}\(.*$", "", inspect.getdoc(value) or "", count=1, flags=re.MULTILINE)
    return len(text.split()) >= 2


def members(value: type) -> Iterator[tuple[str, object]]:
    """Public methods and properties that a class defines itself."""
    for name, member in vars(value).items():
        if not name.startswith("_") and (inspect.isroutine(member) or isinstance(member, property | classmethod)):
            yield name, member


def undocumented(module: ModuleType) -> list[str]:
    missing = [] if documented(module, module.__name__) else [module.__name__]
    for name in getattr(module, "__all__", ()):
        value = getattr(module, name)
        if not (inspect.isclass(value) or inspect.isroutine(value)):
            continue
        if not documented(value, name):
            missing.append(name)
        if inspect.isclass(value):
            missing += [f"{name}.{inner}" for inner, member in members(value) if not documented(member, inner)]
    return missing


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_has_a_docstring(name: str) -> None:
    assert undocumented(importlib.import_module(name)) == []


@pytest.mark.parametrize("kind", [onepath.NavMesh, onepath.NavMeshQuery])
def test_every_call_of_meshes_and_queries_is_in_the_documents(kind: type) -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in DOCUMENTS)
    named = set(re.findall(r"\w+", " ".join(re.findall(r"`[^`]+`|^```.*?^```", text, re.DOTALL | re.MULTILINE))))
    assert [name for name in dir(kind) if not name.startswith("_") and name not in named] == []


@pytest.mark.parametrize("answers", [PathStatus, QueryStatus, RaycastStatus, AreaSearchStatus])
def test_every_answer_of_queries_is_in_their_document(answers: type[Answer]) -> None:
    text = (ROOT / "docs" / "queries.md").read_text(encoding="utf-8")
    assert [answer.name for answer in answers if f"`{answer.name}`" not in text] == []


@pytest.mark.parametrize("name", PUBLIC)
def test_every_name_in_all_exists_once(name: str) -> None:
    module = importlib.import_module(name)
    names = list(getattr(module, "__all__", ()))
    assert len(set(names)) == len(names)
    assert [missing for missing in names if not hasattr(module, missing)] == []


def docstrings(module: ModuleType) -> Iterator[tuple[str, str]]:
    """Docstrings of a module, of what it defines, and of what its classes define; compiled ones too."""
    yield module.__name__, module.__doc__ or ""
    for name, value in vars(module).items():
        if getattr(value, "__module__", None) == module.__name__ and (
            inspect.isclass(value) or inspect.isroutine(value)
        ):
            yield name, value.__doc__ or ""
            for inner, member in vars(value).items() if inspect.isclass(value) else ():
                yield f"{name}.{inner}", getattr(member, "__doc__", None) or ""


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_say_what_happens(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    module = importlib.import_module(name)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS, verbose=False)
    report: list[str] = []
    for owner, text in docstrings(module):
        if isinstance(text, str) and ">>>" in text:
            test = doctest.DocTestParser().get_doctest(text, dict(vars(module)), f"{name}: {owner}", module.__file__, 0)
            runner.run(test, out=report.append)
    assert "".join(report) == ""


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_python_in_a_document_runs_from_top_to_bottom(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__snippet__"}
    for snippet in SNIPPET.findall(path.read_text(encoding="utf-8")):
        exec(compile(snippet, str(path), "exec"), names)


def test_the_readme_has_both_commands() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.search(r"<!-- demo command -->\n```sh\n[^\n]+\n```", text)
    assert re.search(r"<!-- test command -->\n```sh\n[^\n]+\n```", text)


def test_every_document_is_in_the_index() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    pages = [path.name for path in (ROOT / "docs").glob("*.md") if path.name != "index.md"]
    assert [page for page in pages if f"]({page})" not in index] == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_between_documents_lead_to_files(path: Path) -> None:
    targets = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", path.read_text(encoding="utf-8"))
    assert [target for target in targets if not (path.parent / target).exists()] == []
