// One peer library behind a line protocol: a JSON request a line in, a JSON answer a line out. Times are taken here, with
// the library's own public calls, so that no process boundary is measured.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const state = { positions: null, indices: null, pairs: null, mesh: null, query: null, warnings: [] };

// Small files come in a part of a larger buffer that others share.
const bytes = (path) => { const file = readFileSync(path); return file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength); };
const float32 = (path) => new Float32Array(bytes(path));
const uint32 = (path) => new Uint32Array(bytes(path));
const float64 = (path) => new Float64Array(bytes(path));

const startsOf = (nearest) => {
  const starts = [];
  for (let i = 0; i < state.pairs.length; i += 6) starts.push(nearest(state.pairs, i));
  return starts;
};

// A step of STEP metres from one point towards another, in X/Z.
const STEP = 0.2;
const stepTo = (a, b) => {
  const part = STEP / Math.max(Math.hypot(b.x - a.x, b.z - a.z), STEP);
  return { x: a.x + (b.x - a.x) * part, y: a.y, z: a.z + (b.z - a.z) * part };
};

// A mesh as the measuring side takes it: outlines, joined polygons by number, triangles of height; positions flat, world.
const emptyMesh = () => ({ corners: [], offsets: [0], joined: [], surface: [] });

async function recastNavigation() {
  const core = await import("recast-navigation");
  const { generateTiledNavMesh } = await import("recast-navigation/generators");
  await core.init();
  const point = (p, i) => ({ x: p[i], y: p[i + 1], z: p[i + 2] });
  const counts = () => {
    let tiles = 0, polygons = 0;
    for (let i = 0; i < state.mesh.getMaxTiles(); i++) {
      const header = state.mesh.getTile(i).header();
      if (header) { tiles += 1; polygons += header.polyCount(); }
    }
    return { tiles, polygons };
  };
  return {
    bake(s) {
      state.query?.destroy(); state.mesh?.destroy();
      const begin = performance.now();
      const result = generateTiledNavMesh(state.positions, state.indices, {
        cs: s.cell_size, ch: s.cell_height, tileSize: s.tile_cells, walkableSlopeAngle: s.max_slope,
        walkableHeight: s.height_rows, walkableClimb: s.climb_rows, walkableRadius: s.radius_cells,
        maxEdgeLen: s.max_edge_cells, maxSimplificationError: s.max_edge_error_cells,
        minRegionArea: Math.sqrt(s.min_region_cells), mergeRegionArea: Math.sqrt(s.merge_region_cells),
        maxVertsPerPoly: s.max_polygon_vertices,
        detailSampleDist: s.detail_sample_cells, detailSampleMaxError: s.detail_error_rows,
      });
      const ms = performance.now() - begin;
      if (!result.success) throw new Error(result.error);
      const { logs } = result.intermediates.buildContext;
      state.warnings = logs.filter((line) => line.category >= core.Recast.RC_LOG_WARNING).map((line) => line.msg);
      state.mesh = result.navMesh;
      state.query = new core.NavMeshQuery(state.mesh, { maxNodes: 65535 });
      return ms;
    },
    counts,
    mesh() {
      const out = emptyMesh(), firsts = new Map();
      const tiles = Array.from({ length: state.mesh.getMaxTiles() }, (_, i) => state.mesh.getTile(i)).filter((tile) => tile.header());
      let first = 0;
      for (const tile of tiles) {
        firsts.set(state.mesh.decodePolyId(state.mesh.getPolyRefBase(tile)).tileIndex, first);
        first += tile.header().polyCount();
      }
      const numberOf = (ref) => {
        const { tileIndex, tilePolygonIndex } = state.mesh.decodePolyId(ref);
        return firsts.get(tileIndex) + tilePolygonIndex;
      };
      for (const tile of tiles) {
        const base = numberOf(state.mesh.getPolyRefBase(tile));
        const corner = (v) => [tile.verts(3 * v), tile.verts(3 * v + 1), tile.verts(3 * v + 2)];
        const fine = (v) => [tile.detailVerts(3 * v), tile.detailVerts(3 * v + 1), tile.detailVerts(3 * v + 2)];
        for (let p = 0; p < tile.header().polyCount(); p++) {
          const poly = tile.polys(p), count = poly.vertCount(), detail = tile.detailMeshes(p);
          for (let k = 0; k < count; k++) out.corners.push(...corner(poly.verts(k)));
          out.offsets.push(out.corners.length / 3);
          for (let t = detail.triBase(); t < detail.triBase() + detail.triCount(); t++)
            for (let k = 0; k < 3; k++) {
              const v = tile.detailTris(4 * t + k);
              out.surface.push(...(v < count ? corner(poly.verts(v)) : fine(detail.vertBase() + v - count)));
            }
          for (let l = poly.firstLink(); l !== core.Detour.DT_NULL_LINK; l = tile.links(l).next())
            out.joined.push(base + p, numberOf(tile.links(l).ref()));
        }
      }
      return out;
    },
    nearest(halfExtents) {
      return (p, i) => state.query.findNearestPoly(point(p, i), { halfExtents }).nearestRef !== 0;
    },
    // Rays and steps begin where the nearest polygon of the start is, which is found before the clock runs.
    raycast(halfExtents) {
      const starts = startsOf((p, i) => state.query.findNearestPoly(point(p, i), { halfExtents }));
      return (p, i) => {
        const from = starts[i / 6];
        return state.query.raycast(from.nearestRef, from.nearestPoint, point(p, i + 3));
      };
    },
    move(halfExtents) {
      const starts = startsOf((p, i) => {
        const from = state.query.findNearestPoly(point(p, i), { halfExtents });
        return { ...from, step: stepTo(from.nearestPoint, point(p, i + 3)) };
      });
      return (p, i) => {
        const from = starts[i / 6];
        return state.query.moveAlongSurface(from.nearestRef, from.nearestPoint, from.step);
      };
    },
    // The length of the pulled path where it reaches the end, else -1.
    path(halfExtents) {
      return (p, i) => {
        const from = state.query.findNearestPoly(point(p, i), { halfExtents });
        const to = state.query.findNearestPoly(point(p, i + 3), { halfExtents });
        const found = state.query.findPath(from.nearestRef, to.nearestRef, from.nearestPoint, to.nearestPoint, { maxPathPolys: 1024 });
        const reached = to.nearestRef !== 0 && found.polys.size > 0 && found.polys.get(found.polys.size - 1) === to.nearestRef;
        const pulled = state.query.findStraightPath(from.nearestPoint, to.nearestPoint, found.polys, { maxStraightPathPoints: 1024 });
        let length = 0;
        const s = pulled.straightPath, n = pulled.straightPathCount;
        for (let k = 1; k < n; k++)
          length += Math.hypot(s.get(3 * k) - s.get(3 * k - 3), s.get(3 * k + 1) - s.get(3 * k - 2), s.get(3 * k + 2) - s.get(3 * k - 1));
        found.polys.destroy(); pulled.straightPath.destroy(); pulled.straightPathFlags.destroy(); pulled.straightPathRefs.destroy();
        return reached ? length : -1;
      };
    },
    places: {
      circle: (ref, p, radius) => state.query.findPolysAroundCircle(ref, p, radius),
      random_around: (ref, p, radius) => state.query.findRandomPointAroundCircle(p, radius, { startRef: ref }),
    },
    place(p, i, halfExtents) {
      const near = state.query.findNearestPoly(point(p, i), { halfExtents });
      return [near.nearestRef, near.nearestRef === 0 ? point(p, i) : near.nearestPoint];
    },
    timedPath(halfExtents) {
      const { query } = state;
      return (p, i) => {
        const from = query.findNearestPoly(point(p, i), { halfExtents });
        const to = query.findNearestPoly(point(p, i + 3), { halfExtents });
        const found = query.findPath(from.nearestRef, to.nearestRef, from.nearestPoint, to.nearestPoint);
        const pulled = query.findStraightPath(from.nearestPoint, to.nearestPoint, found.polys);
        found.polys.destroy(); pulled.straightPath.destroy(); pulled.straightPathFlags.destroy(); pulled.straightPathRefs.destroy();
      };
    },
  };
}

async function navcat() {
  const core = await import("navcat");
  const { generateTiledNavMesh } = await import("navcat/blocks");
  const point = (p, i) => [p[i], p[i + 1], p[i + 2]];
  const extents = (h) => [h.x, h.y, h.z];
  const nearestTo = (p, i, h) =>
    core.findNearestPoly(core.createFindNearestPolyResult(), state.mesh, point(p, i), extents(h), core.DEFAULT_QUERY_FILTER);
  const run = (p, i, h) => core.findPath(state.mesh, point(p, i), point(p, i + 3), h, core.DEFAULT_QUERY_FILTER);
  return {
    bake(s) {
      const begin = performance.now();
      const result = generateTiledNavMesh({ positions: state.positions, indices: state.indices }, {
        cellSize: s.cell_size, cellHeight: s.cell_height,
        tileSizeVoxels: s.tile_cells, tileSizeWorld: s.tile_cells * s.cell_size,
        walkableRadiusVoxels: s.radius_cells, walkableRadiusWorld: s.radius,
        walkableClimbVoxels: s.climb_rows, walkableClimbWorld: s.max_climb,
        walkableHeightVoxels: s.height_rows, walkableHeightWorld: s.height,
        walkableSlopeAngleDegrees: s.max_slope, borderSize: s.radius_cells + 3,
        minRegionArea: s.min_region_cells, mergeRegionArea: s.merge_region_cells,
        maxSimplificationError: s.max_edge_error_cells, maxEdgeLength: s.max_edge_cells,
        maxVerticesPerPoly: s.max_polygon_vertices,
        detailSampleDistance: s.detail_sample_distance, detailSampleMaxError: s.detail_max_error,
      });
      const ms = performance.now() - begin;
      const { logs } = result.intermediates.buildContext;
      state.warnings = logs.filter((line) => line.type > 0).map((line) => line.message);
      state.mesh = result.navMesh;
      return ms;
    },
    mesh() {
      const out = emptyMesh(), numbers = new Map(), { nodes, links } = state.mesh;
      for (const tile of Object.values(state.mesh.tiles)) {
        const corner = (v) => tile.vertices.slice(3 * v, 3 * v + 3);
        tile.polys.forEach((poly, p) => {
          numbers.set(tile.polyNodes[p], numbers.size);
          for (const v of poly.vertices) out.corners.push(...corner(v));
          out.offsets.push(out.corners.length / 3);
          const { trianglesBase, trianglesCount, verticesBase } = tile.detailMeshes[p], count = poly.vertices.length;
          for (let t = trianglesBase; t < trianglesBase + trianglesCount; t++)
            for (let k = 0; k < 3; k++) {
              const v = tile.detailTriangles[4 * t + k], fine = 3 * (verticesBase + v - count);
              out.surface.push(...(v < count ? corner(poly.vertices[v]) : tile.detailVertices.slice(fine, fine + 3)));
            }
        });
      }
      for (const [node, number] of numbers)
        for (const link of nodes[node].links) out.joined.push(number, numbers.get(links[link].toNodeIndex));
      return out;
    },
    counts() {
      let polygons = 0;
      const tiles = Object.values(state.mesh.tiles);
      for (const tile of tiles) polygons += tile.polys.length;
      return { tiles: tiles.length, polygons };
    },
    nearest(h) {
      const out = core.createFindNearestPolyResult(), half = extents(h);
      return (p, i) => core.findNearestPoly(out, state.mesh, point(p, i), half, core.DEFAULT_QUERY_FILTER).success;
    },
    raycast(h) {
      const starts = startsOf((p, i) => nearestTo(p, i, h));
      return (p, i) => {
        const from = starts[i / 6];
        return core.raycast(state.mesh, from.nodeRef, from.position, point(p, i + 3), core.DEFAULT_QUERY_FILTER);
      };
    },
    move(h) {
      const starts = startsOf((p, i) => {
        const from = nearestTo(p, i, h), [x, y, z] = from.position;
        const step = stepTo({ x, y, z }, { x: p[i + 3], z: p[i + 5] });
        return { ...from, step: [step.x, y, step.z] };
      });
      return (p, i) => {
        const from = starts[i / 6];
        return core.moveAlongSurface(state.mesh, from.nodeRef, from.position, from.step, core.DEFAULT_QUERY_FILTER);
      };
    },
    path(h) {
      const half = extents(h);
      return (p, i) => {
        const answer = run(p, i, half), points = answer.path;
        if (!(answer.flags & core.FindPathResultFlags.COMPLETE_PATH)) return -1;
        let length = 0;
        for (let k = 1; k < points.length; k++) {
          const a = points[k - 1].position, b = points[k].position;
          length += Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
        }
        return length;
      };
    },
    places: {
      random_around: (ref, p, radius) =>
        core.findRandomPointAroundCircle(state.mesh, ref, p, radius, core.DEFAULT_QUERY_FILTER, Math.random),
    },
    place(p, i, h) {
      const near = core.findNearestPoly(core.createFindNearestPolyResult(), state.mesh, point(p, i), extents(h), core.DEFAULT_QUERY_FILTER);
      return [near.nodeRef, near.success ? near.position : point(p, i)];
    },
    timedPath(h) {
      const half = extents(h);
      return (p, i) => { run(p, i, half); };
    },
  };
}

const peer = await { "recast-navigation": recastNavigation, navcat }[process.argv[2]]();

// Microseconds a call for every pair: each is run `repeats` times in a row and the mean of those is kept.
function timeEach(call, repeats) {
  const pairs = state.pairs, out = [];
  for (let i = 0; i < pairs.length; i += 6) {
    const begin = performance.now();
    for (let r = 0; r < repeats; r++) call(pairs, i);
    out.push(((performance.now() - begin) * 1000) / repeats);
  }
  return out;
}

const operations = {
  load: ({ positions, indices }) => { state.positions = float32(positions); state.indices = uint32(indices); return {}; },
  bake: ({ settings }) => { const ms = peer.bake(settings); return { ms, ...peer.counts() }; },
  mesh: () => ({ ...peer.mesh(), warnings: state.warnings }),
  pairs: ({ path }) => { state.pairs = float64(path); return {}; },
  lengths: ({ half_extents }) => {
    const call = peer.path(half_extents), out = [];
    for (let i = 0; i < state.pairs.length; i += 6) out.push(call(state.pairs, i));
    return { lengths: out };
  },
  // Begins with the polygon at hand: it is looked up before the clock runs. Null where the library has no such call.
  places: ({ what, radius, half_extents, repeats }) => {
    const call = peer.places[what], found = [];
    if (call === undefined) return { us: null };
    for (let i = 0; i < state.pairs.length; i += 6) found[i] = peer.place(state.pairs, i, half_extents);
    return { us: timeEach((p, i) => call(found[i][0], found[i][1], radius), repeats) };
  },
  time: ({ what, half_extents, repeats }) => {
    const call = what === "path" ? peer.timedPath(half_extents) : peer[what](half_extents);
    return { us: timeEach(call, repeats) };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  let answer;
  try { answer = operations[request.op](request); } catch (error) { answer = { error: String(error.stack ?? error) }; }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
