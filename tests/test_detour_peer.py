"""Tiles that Detour's own builder makes, where a copy of recast-navigation stands beside the repository."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from onepath.io import load_detour
from tests.data import shared_data

#: Bakes a level in one tile and in many, saves both sets, and says what Detour itself finds on them.
SCRIPT = """
import { readFileSync, writeFileSync } from "node:fs";
import { init, exportNavMesh, NavMeshQuery } from "recast-navigation";
import { generateSoloNavMesh, generateTiledNavMesh } from "recast-navigation/generators";
const [level, folder] = process.argv.slice(2);
await init();
const positions = [], indices = [];
for (const line of readFileSync(level, "utf8").split("\\n")) {
  const words = line.trim().split(/\\s+/);
  if (words[0] === "v") positions.push(+words[1], +words[2], +words[3]);
  if (words[0] !== "f") continue;
  const face = words.slice(1).map((word) => parseInt(word) - 1);
  for (let i = 2; i < face.length; i++) indices.push(face[0], face[i - 1], face[i]);
}
const settings = { cs: 0.3, ch: 0.2, walkableSlopeAngle: 45, walkableHeight: 10, walkableClimb: 4, walkableRadius: 2,
  maxEdgeLen: 40, maxSimplificationError: 1.3, maxVertsPerPoly: 6, detailSampleDist: 6, detailSampleMaxError: 1,
  offMeshConnections: [{ startPosition: { x: 20, y: 0, z: 0 }, endPosition: { x: 25, y: 0, z: 0 }, radius: 5,
    bidirectional: true, area: 5, flags: 8, userId: 77 }] };
let seed = 12345;
const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
const report = {};
for (const [name, made] of [["solo", generateSoloNavMesh(positions, indices, settings)],
    ["tiled", generateTiledNavMesh(positions, indices, { ...settings, tileSize: 48 })]]) {
  if (!made.success) throw new Error(made.error);
  writeFileSync(`${folder}/${name}.bin`, exportNavMesh(made.navMesh));
  const query = new NavMeshQuery(made.navMesh), points = [], pairs = [];
  const flat = ({ x, y, z }) => [x, y, z];
  for (let i = 0; i < 120; i++) {
    const near = query.findNearestPoly({ x: -8 + 70 * random(), y: 0, z: -50 + 60 * random() },
      { halfExtents: { x: 2, y: 30, z: 2 } });
    if (near.nearestRef) points.push({ ...near.nearestPoint, over: near.isOverPoly });
  }
  for (let i = 0; i + 1 < points.length; i++) {
    const { path } = query.computePath(points[i], points[i + 1], { maxPathPolys: 2048, maxStraightPathPoints: 2048 });
    let length = 0;
    for (let k = 1; k < path.length; k++)
      length += Math.hypot(path[k].x - path[k - 1].x, path[k].y - path[k - 1].y, path[k].z - path[k - 1].z);
    const end = path[path.length - 1], goal = points[i + 1];
    const reached = path.length > 0 && Math.hypot(end.x - goal.x, end.z - goal.z) < 0.1;
    pairs.push({ start: flat(points[i]), end: flat(goal), over: points[i].over, reached, length });
  }
  report[name] = pairs;
}
writeFileSync(`${folder}/report.json`, JSON.stringify(report));
"""


@pytest.fixture(scope="module")
def baked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A folder with solo.bin and tiled.bin, and what Detour says about both."""
    level = shared_data("levels/nav_test.obj")
    packages = level.resolve().parents[3] / "peers" / "node_modules"
    if shutil.which("node") is None or not (packages / "recast-navigation").is_dir():
        pytest.skip("node or peers/node_modules/recast-navigation is not there beside the repository")
    folder = tmp_path_factory.mktemp("detour")
    (folder / "node_modules").symlink_to(packages, target_is_directory=True)
    (folder / "bake.mjs").write_text(SCRIPT, encoding="utf-8")
    subprocess.run(["node", "bake.mjs", str(level), str(folder)], cwd=folder, check=True, timeout=120)
    return folder, json.loads((folder / "report.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["solo", "tiled"])
def test_a_set_of_detours_own_answers_as_detour_does(baked: tuple[Path, dict[str, Any]], name: str) -> None:
    folder, report = baked
    mesh = load_detour(folder / f"{name}.bin")
    assert len(report[name]) > 60
    ratios = []
    for pair in report[name]:
        path = mesh.find_path(pair["start"], pair["end"])
        assert bool(path) == pair["reached"]
        if pair["over"]:
            assert mesh.snap(pair["start"]).point == pytest.approx(pair["start"], abs=1e-4)
        if path and pair["length"] > 1:
            ratios.append(path.length / pair["length"])
    # Both search over edges, so that on a single pair one may take a detour that the other does not.
    assert len(ratios) > 15
    assert 0.75 < min(ratios) <= max(ratios) < 1.33
    assert sum(ratios) / len(ratios) == pytest.approx(1.0, abs=0.02)
    assert mesh.report.left_out == 0


def test_a_connection_of_detours_own_comes_over(baked: tuple[Path, dict[str, Any]]) -> None:
    mesh = load_detour(baked[0] / "solo.bin")
    (record,) = mesh.link_records()
    link = record.definition
    assert (link.start, link.end, link.start_snap, link.data) == ((20, 0, 0), (25, 0, 0), 5, 77)
    assert (link.bidirectional, link.flags, link.area) == (True, 8, 5)
    assert mesh.link_state(record.id).attached
