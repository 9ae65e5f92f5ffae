"""Other libraries measured in the same run: their npm packages in a cache folder, driven through a worker process."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.subjects import Subject

PACKAGES = {"recast-navigation": "0.43.1", "navcat": "0.4.1"}
WORKER = Path(__file__).with_name("peer_worker.mjs")


class PeersUnavailableError(RuntimeError):
    """node or npm is missing, or the packages cannot be installed."""


def install_peers(folder: Path) -> None:
    """Installs the peers' packages, versions pinned, into a cache folder; a second call finds them there."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        raise PeersUnavailableError("node and npm are needed to measure the peers; neither is part of this project")
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {"private": True, "dependencies": PACKAGES}
    manifest = folder / "package.json"
    if not (manifest.exists() and json.loads(manifest.read_text()) == wanted and (folder / "node_modules").is_dir()):
        manifest.write_text(json.dumps(wanted))
        done = subprocess.run(["npm", "install", "--no-audit", "--no-fund"], cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            manifest.unlink()
            raise PeersUnavailableError(f"npm install failed: {done.stderr.strip()[-400:]}")
    shutil.copy(WORKER, folder / WORKER.name)  # it must lie beside node_modules to find the packages


def node_version() -> str:
    """The version of node that runs the peers."""
    return subprocess.run(["node", "--version"], check=True, capture_output=True, text=True).stdout.strip()


def default_cache() -> Path:
    """Where the peers are installed unless told otherwise."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "onepath-benchmarks"


class Peer:
    """A peer library in a process of its own; every call is one line out and one line back."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self.folder = folder
        self._process = subprocess.Popen(
            ["node", WORKER.name, name], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> Peer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()

    def ask(self, operation: str, **arguments: object) -> dict[str, Any]:
        """The worker's answer; its errors are raised here with its stack."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps({"op": operation, **arguments}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.name}: the worker process ended")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise RuntimeError(f"{self.name}: {answer['error']}")
        return answer

    def load(self, subject: Subject) -> None:
        """Hands over a level through files, since it may be large."""
        positions, indices = self.folder / "positions.bin", self.folder / "indices.bin"
        subject.vertices.astype(np.float32).tofile(positions)
        subject.triangles.astype(np.uint32).tofile(indices)
        self.ask("load", positions=str(positions), indices=str(indices))

    def pairs(self, pairs: NDArray[np.float64]) -> None:
        """Hands over (n, 6) start and end positions."""
        path = self.folder / "pairs.bin"
        pairs.tofile(path)
        self.ask("pairs", path=str(path))
