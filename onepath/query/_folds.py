"""Corridors that fold back at a tile side: two polygons over each other join a third across one stretch of it.

The shortest line from the one to the other touches the third on the side alone, at any place of the portals, not at an
end. Turned over about the side's line, what lies behind such a fold makes a plain row of portals; the funnel pulls a
line through that, each of its points is put back, and where it crosses the line of a fold it touches.

Turning over rounds, by less than the last bit of a coordinate, but leaves points of the line itself as they are.
Corners are put back from the portals, so they have the portals' bits.
"""

import cython
from cython.cimports.onepath.mesh._mesh import MeshState, reference_polygon, reference_slot, reference_t
from cython.cimports.onepath.mesh._surface import Vector, closest_point
from cython.cimports.onepath.query._buffers import PointBuffer, reserve_points, reserve_steps
from cython.cimports.onepath.query._funnel import STRAIGHT_NO_MEMORY, STRAIGHT_OK, cut_line, pull_string
from cython.cimports.onepath.query._shared_lines import share_lines
from cython.cimports.onepath.query._straight_state import (
    Fold,
    FoldScratch,
    Image,
    Portal,
    StraightScratch,
    last_in_row,
    reserve_unfolded,
)


def folds_back(first, second, side):
    # Sides 0 and 2 run along z.
    if side & 1:
        return first.right.z == second.right.z and max(
            min(first.right.x, first.left.x), min(second.right.x, second.left.x)
        ) < min(max(first.right.x, first.left.x), max(second.right.x, second.left.x))
    return first.right.x == second.right.x and max(
        min(first.right.z, first.left.z), min(second.right.z, second.left.z)
    ) < min(max(first.right.z, first.left.z), max(second.right.z, second.left.z))


# ---- images ----


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def image_of(image: cython.pointer(cython.const[Image]), value: cython.double) -> cython.double:
    if image.is_turned:
        return image.image + (image.at - value)
    if image.image == image.at:
        return value
    return image.image + (value - image.at)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def put_back(image: cython.pointer(cython.const[Image]), value: cython.double) -> cython.double:
    if image.is_turned:
        return image.at + (image.image - value)
    if image.image == image.at:
        return value
    return image.at + (value - image.image)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def turned_over(image: cython.pointer(cython.const[Image]), line: cython.double) -> Image:
    """The image of what lies behind one fold more, at a line that keeps its place to the bit."""
    turned: Image
    turned.at = line
    turned.image = image_of(image, line)
    turned.is_turned = not image.is_turned
    return turned


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def vector_image(
    x: cython.pointer(cython.const[Image]), z: cython.pointer(cython.const[Image]), place: Vector
) -> Vector:
    place.x = image_of(x, place.x)
    place.z = image_of(z, place.z)
    return place


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def unfold(
    scratch: cython.pointer(StraightScratch),
    folds: cython.pointer(FoldScratch),
    count: cython.int,
    end: Vector,
) -> Vector:
    """Fills in the images of the portals, and answers that of the end.

    Turned over once, portals have their ends on the other hand; the scratch's then change places as well. A link keeps
    its entry and its exit.
    """
    x: Image
    z: Image
    spot: Vector
    fold: cython.pointer(Fold)
    portal: cython.pointer(Portal)
    next_fold: cython.int = 0
    next_leap: cython.int = 0
    i: cython.int
    x.at = x.image = 0.0
    z.at = z.image = 0.0
    x.is_turned = z.is_turned = False
    for i in range(count):
        portal = scratch.portals + i
        if next_fold < folds.count and folds.folds[next_fold].portal == i:
            fold = folds.folds + next_fold
            if fold.side & 1:
                z = turned_over(cython.address(z), portal.right.z)
                fold.line = z.image
            else:
                x = turned_over(cython.address(x), portal.right.x)
                fold.line = x.image
            fold.x = x
            fold.z = z
            next_fold += 1
        if next_leap < scratch.leap_count and scratch.leaps[next_leap].portal == i:
            next_leap += 1
        elif x.is_turned != z.is_turned:
            spot = portal.right
            portal.right = portal.left
            portal.left = spot
        folds.unfolded[i].right = vector_image(cython.address(x), cython.address(z), portal.right)
        folds.unfolded[i].left = vector_image(cython.address(x), cython.address(z), portal.left)
    return vector_image(cython.address(x), cython.address(z), end)


# ---- points of the line ----


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_point(line: cython.pointer(PointBuffer), place: Vector, polygon: reference_t, mark: cython.int) -> cython.void:
    line.points[3 * line.count] = place.x
    line.points[3 * line.count + 1] = place.y
    line.points[3 * line.count + 2] = place.z
    line.polygons[line.count] = polygon
    line.marks[line.count] = mark
    line.count += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def crosses_fold(
    fold: cython.pointer(cython.const[Fold]),
    before: Vector,
    after: Vector,
    along: cython.p_double,
) -> cython.bint:
    """Whether a piece of the unfolded line crosses a fold's line between its ends, and where along it.

    An end on the line touches it already.
    """
    from_line: cython.double = before.z - fold.line if fold.side & 1 else before.x - fold.line
    to_line: cython.double = after.z - fold.line if fold.side & 1 else after.x - fold.line
    a: cython.double = before.x if fold.side & 1 else before.z
    b: cython.double = after.x if fold.side & 1 else after.z
    if from_line == 0.0 or to_line == 0.0 or (from_line < 0.0) == (to_line < 0.0):
        return False
    along[0] = a + (b - a) * (from_line / (from_line - to_line))
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def touch_at(
    mesh: cython.pointer(cython.const[MeshState]),
    fold: cython.pointer(cython.const[Fold]),
    portal: cython.pointer(cython.const[Portal]),
    polygon: reference_t,
    along: cython.double,
) -> Vector:
    """The place of a fold's portal with that image, at the height of the polygon that the line only touches."""
    spot: Vector = portal.right
    over: cython.bint = False
    if fold.side & 1:
        spot.x = put_back(cython.address(fold.x), along)
        spot.x = min(max(spot.x, min(portal.right.x, portal.left.x)), max(portal.right.x, portal.left.x))
    else:
        spot.z = put_back(cython.address(fold.z), along)
        spot.z = min(max(spot.z, min(portal.right.z, portal.left.z)), max(portal.right.z, portal.left.z))
    spot.y = closest_point(
        mesh.slots + reference_slot(polygon), reference_polygon(polygon), spot, cython.address(over)
    ).y
    return spot


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def corner_of(
    scratch: cython.pointer(cython.const[StraightScratch]),
    folds: cython.pointer(cython.const[FoldScratch]),
    number: cython.int,
    image: Vector,
) -> Vector:
    """What has that image: an end of the portal before the polygon with that number."""
    unfolded: cython.pointer(cython.const[Portal]) = folds.unfolded + (number - 1)
    if image.x == unfolded.right.x and image.y == unfolded.right.y and image.z == unfolded.right.z:
        return scratch.portals[number - 1].right
    return scratch.portals[number - 1].left


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def touch_folds(
    mesh: cython.pointer(cython.const[MeshState]),
    scratch: cython.pointer(cython.const[StraightScratch]),
    folds: cython.pointer(cython.const[FoldScratch]),
    next_fold: cython.int,
    passed: cython.int,
    corridor: cython.pointer(cython.const[reference_t]),
    before: Vector,
    after: Vector,
    line: cython.pointer(PointBuffer),
) -> cython.int:
    """Adds the touches between two points of the unfolded line, the later of which has `passed` portals behind it.

    Answers the first fold after them. Of several portals on one line in a row, an even number of folds leads straight
    on over it.
    """
    last: cython.int
    portal: cython.int
    along: cython.double = 0.0
    while next_fold < folds.count:
        last = last_in_row(folds, next_fold)
        portal = folds.folds[last].portal
        if portal >= passed:
            break
        if (last - next_fold) & 1 == 0 and crosses_fold(folds.folds + last, before, after, cython.address(along)):
            add_point(
                line,
                touch_at(mesh, folds.folds + last, scratch.portals + portal, corridor[portal], along),
                corridor[portal + 1],
                0,
            )
        next_fold = last + 1
    return next_fold


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fold_line(
    mesh: cython.pointer(cython.const[MeshState]),
    scratch: cython.pointer(cython.const[StraightScratch]),
    folds: cython.pointer(cython.const[FoldScratch]),
    count: cython.int,
    corridor: cython.pointer(cython.const[reference_t]),
    start: Vector,
    end: Vector,
    line: cython.pointer(PointBuffer),
) -> cython.void:
    """Puts the points of the unfolded line back, with those at which it touches folds."""
    pulled: cython.pointer(cython.const[PointBuffer]) = cython.address(folds.pulled)
    before: Vector
    here: Vector = start
    number: cython.int
    next_fold: cython.int = 0
    step: cython.int = 0
    i: cython.int
    line.count = 0
    line.step_count = pulled.step_count
    for i in range(pulled.count):
        number = cython.cast(cython.int, pulled.polygons[i])
        before = here
        here.x = pulled.points[3 * i]
        here.y = pulled.points[3 * i + 1]
        here.z = pulled.points[3 * i + 2]
        if i == 0:
            add_point(line, start, corridor[number], pulled.marks[i])
        else:
            next_fold = touch_folds(
                mesh,
                scratch,
                folds,
                next_fold,
                count if i == pulled.count - 1 else number,
                corridor,
                before,
                here,
                line,
            )
            if i == pulled.count - 1:
                add_point(line, end, corridor[number], pulled.marks[i])
            else:
                add_point(line, corner_of(scratch, folds, number, here), corridor[number], pulled.marks[i])
        if step < pulled.step_count and pulled.steps[step].exit == i:
            line.steps[step].exit = line.count - 1
            step += 1
        if step < pulled.step_count and pulled.steps[step].entry == i:
            line.steps[step] = pulled.steps[step]
            line.steps[step].entry = line.count - 1


def pull_folded(mesh, scratch, count, corridor, start, end, max_points, line):
    folds: cython.pointer(FoldScratch) = cython.address(scratch.folds)
    portals: cython.pointer(Portal) = scratch.portals
    image: Vector
    code: cython.int
    i: cython.int
    if reserve_unfolded(folds, count) != 0 or reserve_points(line, 2 * count + 2 + folds.count) != 0:
        return STRAIGHT_NO_MEMORY
    if reserve_steps(line, scratch.leap_count) != 0:
        return STRAIGHT_NO_MEMORY
    for i in range(count + 1):
        folds.numbers[i] = i
    image = unfold(scratch, folds, count, end)
    # The portals themselves are narrowed with their images, as corners are put back from them.
    share_lines(scratch, folds)
    scratch.portals = folds.unfolded
    code = pull_string(scratch, count, folds.numbers, start, image, True, 0, cython.address(folds.pulled))
    scratch.portals = portals
    if code != STRAIGHT_OK:
        return code
    fold_line(mesh, scratch, folds, count, corridor, start, end, line)
    return cut_line(line, max_points if max_points > 0 else 0x7FFFFFFF)
