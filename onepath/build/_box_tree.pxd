# Visits of a ring by where they are: what is near a segment or a triangle is found without a look at all the others.
#
# Visits that are near each other in the plane share a leaf, leaves that are near each other a node, and every node
# knows the box around what is held below it. A small ring has one leaf and no tree: it costs a plain scan, no more.

from onepath.build._buffers cimport IntBuffer, KeyBuffer
from onepath.build._integer_plane cimport turn

cdef enum:
    LEAF = 32                    # visits of a leaf at most: some looked at in vain cost less than nodes of their own
    VISIT_BITS = 29              # of a key, below a place or a length; also bounds the visits of a ring
    NOWHERE = 1 << 28            # beyond every coordinate, and far enough from overflow for a difference


cdef struct Box:
    int low_x, high_x, low_z, high_z


cdef struct BoxTree:
    int leaves                   # a power of two: 1 is the root, 2k and 2k + 1 are below k, the last are leaves
    IntBuffer leaf_of            # (visits) node of the leaf that a visit belongs to, held or not
    IntBuffer held               # (leaves) number of visits held
    IntBuffer visits             # (leaves * LEAF) the visits held, first in their leaf's share
    IntBuffer boxes              # (2 * leaves) each a Box; nothing held: one that meets none
    KeyBuffer order
    long long steps              # nodes and visits looked at: a measure of the work, which tests bound


# Room for leaves of `count` visits. Returns -1 without memory.
cdef int reserve_tree(BoxTree* tree, int count) noexcept nogil
# Gives each of `count` visits its leaf, by place. They must have been placed, unless there is one leaf only.
cdef void share_leaves(BoxTree* tree, int count) noexcept nogil
cdef void clear_tree(BoxTree* tree) noexcept nogil
# Makes all nodes fit their leaves, after many visits were put down at once.
cdef void fit_nodes(BoxTree* tree) noexcept nogil
# Makes the nodes above one leaf fit it, after it has grown or shrunk.
cdef void fit_above(BoxTree* tree, int leaf) noexcept nogil
cdef void free_tree(BoxTree* tree) noexcept nogil


# The bits of a coordinate (at most 2^16), a gap after each.
cdef inline long long spread_bits(int coordinate) noexcept nogil:
    cdef long long bits = coordinate
    bits = (bits | bits << 16) & <long long>0x10000FFFF
    bits = (bits | bits << 8) & <long long>0x100FF00FF
    bits = (bits | bits << 4) & <long long>0x10F0F0F0F
    bits = (bits | bits << 2) & <long long>0x133333333
    return (bits | bits << 1) & <long long>0x155555555


# Says where a visit is, before leaves are shared out: bits of x and z in turns (a Z curve, after Morton, 1966), because
# what is near along the curve is near in the plane.
cdef inline void place_visit(BoxTree* tree, int visit, int x, int z) noexcept nogil:
    tree.order.data[visit] = (spread_bits(x) | spread_bits(z) << 1) << VISIT_BITS | visit


cdef inline Box* boxes_of(BoxTree* tree) noexcept nogil:
    return <Box*>tree.boxes.data


# The first entry of a leaf in `visits`.
cdef inline int first_of(BoxTree* tree, int leaf) noexcept nogil:
    return (leaf - tree.leaves) * LEAF


cdef inline void clear_box(Box* box) noexcept nogil:
    box.low_x = box.low_z = NOWHERE
    box.high_x = box.high_z = -NOWHERE


cdef inline void include_point(Box* box, int x, int z) noexcept nogil:
    box.low_x = min(box.low_x, x)
    box.high_x = max(box.high_x, x)
    box.low_z = min(box.low_z, z)
    box.high_z = max(box.high_z, z)


# Holds a visit and one point that its box must include; the nodes above do not know of it yet.
cdef inline void put_down(BoxTree* tree, int visit, int x, int z) noexcept nogil:
    cdef int leaf = tree.leaf_of.data[visit]
    cdef int* held = tree.held.data + (leaf - tree.leaves)
    tree.visits.data[first_of(tree, leaf) + held[0]] = visit
    held[0] += 1
    include_point(boxes_of(tree) + leaf, x, z)


# The node to look at after `node` and all below it, of those below `root`; 0 after the last.
cdef inline int node_after(int node, int root) noexcept nogil:
    while node != root:
        if node & 1 == 0:
            return node + 1
        node >>= 1
    return 0


cdef inline bint boxes_meet(const Box* one, const Box* other) noexcept nogil:
    return (
        one.low_x <= other.high_x
        and other.low_x <= one.high_x
        and one.low_z <= other.high_z
        and other.low_z <= one.high_z
    )


# Whether a box lies wholly to the right of the way from a to b (clockwise seen from above), the line itself left out.
cdef inline bint is_right_of(const Box* box, int ax, int az, int bx, int bz) noexcept nogil:
    return turn(ax, az, bx, bz, box.high_x if bz > az else box.low_x, box.low_z if bx > ax else box.high_z) < 0


# Squared distance from a point to a box, which must not be empty.
cdef inline long long squared_distance(const Box* box, int x, int z) noexcept nogil:
    cdef long long dx = max(box.low_x - x, x - box.high_x, 0)
    cdef long long dz = max(box.low_z - z, z - box.high_z, 0)
    return dx * dx + dz * dz
