"""Files under a kill, under many readers, and case C24: save, load elsewhere, damage."""

from __future__ import annotations

import errno
import os
import struct
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from onepath import ConvexVolume, Level, NavMesh, bake
from onepath.errors import TileFormatError
from onepath.io.atomic import write_atomically
from onepath.mesh.link import LinkDef
from tests.baked import STANDARD
from tests.meshes import strip

ON_POSIX = pytest.mark.skipif(os.name != "posix", reason="the test kills and maps as POSIX does")


# --- whole or not at all


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    def parts() -> object:
        yield b"a beginning"
        raise KeyboardInterrupt

    (tmp_path / "level").write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt):
        write_atomically(tmp_path / "level", parts())  # type: ignore[arg-type]
    assert (tmp_path / "level").read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["level"]


def test_a_folder_that_is_not_there_is_the_system_s_error_and_names_the_file_as_it_was_given(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / ".." / "nowhere" / "level.navmesh"
    with pytest.raises(FileNotFoundError) as caught:
        strip(2).save(path)  # type: ignore[attr-defined]
    assert caught.value.filename == str(path)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has a device that is always full")
def test_a_full_disk_is_the_system_s_error_and_names_the_file_too() -> None:
    with pytest.raises(OSError, match="No space left on device: '/dev/full'"):
        write_atomically("/dev/full", [b"a beginning"])


def test_a_write_that_the_system_breaks_off_names_the_file_and_not_the_unfinished_one(tmp_path: Path) -> None:
    def parts() -> Iterator[bytes]:
        yield b"a beginning"
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with pytest.raises(OSError, match=r"level'$"):
        write_atomically(tmp_path / "level", parts())
    assert os.listdir(tmp_path) == []


@ON_POSIX
def test_a_new_file_has_the_rights_of_any_new_file(tmp_path: Path) -> None:
    write_atomically(tmp_path / "a", [b"a"])
    (tmp_path / "b").write_bytes(b"b")
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "b").stat().st_mode


@ON_POSIX
def test_a_link_stays_a_link_to_the_file_that_is_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    write_atomically(tmp_path / "link", [b"new"])
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_bytes() == b"new"


@ON_POSIX
def test_an_old_file_s_rights_stay(tmp_path: Path) -> None:
    (tmp_path / "level").write_bytes(b"old")
    (tmp_path / "level").chmod(0o660)
    write_atomically(tmp_path / "level", [b"new"])
    assert (tmp_path / "level").stat().st_mode & 0o777 == 0o660


def test_a_read_only_file_is_refused_and_stands(tmp_path: Path) -> None:
    (tmp_path / "level").write_bytes(b"old")
    (tmp_path / "level").chmod(0o444)
    with pytest.raises(PermissionError):
        strip(2).save(tmp_path / "level")  # type: ignore[attr-defined]
    assert (tmp_path / "level").read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["level"]
    (tmp_path / "level").chmod(0o644)


@ON_POSIX
def test_a_link_to_a_read_only_file_is_refused_too(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "file").chmod(0o444)
    (tmp_path / "link").symlink_to(tmp_path / "file")
    with pytest.raises(PermissionError):
        write_atomically(tmp_path / "link", [b"new"])
    assert (tmp_path / "file").read_bytes() == b"old"


@ON_POSIX
def test_a_link_to_nothing_makes_the_file_that_it_names(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    write_atomically(tmp_path / "link", [b"new"])
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_bytes() == b"new"


@ON_POSIX
def test_a_pipe_is_written_directly(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    reader = subprocess.Popen(["cat", str(tmp_path / "pipe")], stdout=subprocess.PIPE)
    write_atomically(tmp_path / "pipe", [b"through ", b"the pipe"])
    assert reader.communicate(timeout=60)[0] == b"through the pipe"
    assert os.listdir(tmp_path) == ["pipe"]


KILLER = """
import os, signal, sys, time
from itertools import cycle
from random import Random
from pathlib import Path
from onepath.io.atomic import write_atomically
target, count, random = Path(sys.argv[1]), int(sys.argv[2]), Random(3)
target.write_bytes(bytes([3]) * 4_000_000)
for _ in range(count):
    writer = os.fork()
    if writer == 0:
        for value in cycle((1, 2)):
            write_atomically(target, [bytes([value]) * 1_000_000] * 4)
    time.sleep(random.uniform(0.0, 0.03))
    os.kill(writer, signal.SIGKILL)
    os.waitpid(writer, 0)
    data = target.read_bytes()
    assert len(data) == 4_000_000 and data == data[:1] * len(data), (len(data), set(data))
    print(data[0])
"""


def found_after_kills(folder: Path, count: int) -> set[str]:
    """Kills a writing process at random moments, so many times: which of the contents were found, each time whole."""
    command = [sys.executable, "-c", KILLER, str(folder / "level"), str(count)]
    found = subprocess.run(command, check=True, capture_output=True, text=True, timeout=600).stdout.split()
    assert len(found) == count
    return set(found)


@ON_POSIX
def test_a_killed_writer_leaves_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    assert found_after_kills(tmp_path, 20) <= {"1", "2", "3"}


@ON_POSIX
@pytest.mark.full
def test_five_hundred_killed_writers_leave_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    assert found_after_kills(tmp_path, 500) >= {"1", "2"}


# --- shared


MAPPER = """
import sys
from onepath import NavMesh
mesh = NavMesh.load(sys.argv[1], mmap=True)
print("mapped", flush=True)
sys.stdin.readline()
print(mesh.find_path((1, 0, 1), (23, 0, 1)).length, mesh.to_bytes() == open(sys.argv[2], "rb").read())
"""


@ON_POSIX
def test_two_processes_share_a_mapped_file_that_is_then_replaced(tmp_path: Path) -> None:
    shared, kept = tmp_path / "level.navmesh", tmp_path / "kept.navmesh"
    for file in (shared, kept):
        strip(6).save(file)  # type: ignore[attr-defined]
    command = [sys.executable, "-c", MAPPER, str(shared), str(kept)]
    mappers = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    for mapper in mappers:
        assert mapper.stdout is not None
        assert mapper.stdout.readline() == "mapped\n"
        if Path(f"/proc/{mapper.pid}/maps").exists():
            assert str(shared) in Path(f"/proc/{mapper.pid}/maps").read_text()
    strip(2).save(shared)  # type: ignore[attr-defined]
    for mapper in mappers:
        assert mapper.communicate("go\n", timeout=60)[0] == "22.0 True\n"
    assert NavMesh.load(shared, mmap=True).polygon_count == 2


# --- case C24


def world() -> NavMesh:
    """Three areas, four links, one of them disabled, and two obstacles over four tiles.

    The obstacles are boxes of the level: a file holds the mesh that a bake has made, in which nothing tells what kept
    the floor free, so that obstacles given to a bake in another way would leave the same bytes.
    """
    level = Level()
    level.add_plane((0, 0), (16, 16))
    level.add_plane((20, 0), (26, 16), 1.0)
    level.add_box((6, 0, 4), (8, 3, 12))
    level.add_box((22, 1, 9), (23, 3, 12))
    volumes = [
        ConvexVolume([(x, 0), (x, 16), (x + 2, 16), (x + 2, 0)], -1.0, 1.0, area) for x, area in ((2, 5), (11, 9))
    ]
    mesh = bake(level, STANDARD, volumes=volumes)
    links = [LinkDef((15, 0, z), (21, 1, z), 1.0, 1.0, bidirectional=z > 6, cost=z) for z in (2, 5, 8)]
    ids = [mesh.stage_link(link) for link in [*links, LinkDef((1, 0, 1), (14, 0, 14), 1.0, 1.0, area=9)]]
    mesh.commit()
    mesh.stage_link_enable(ids[0], False)
    mesh.commit()
    return mesh


ASKING = """
import sys
from random import Random
from onepath import NavMesh
def answers(mesh):
    random = Random(7)
    ends = [[(random.uniform(0, 26), 0.5, random.uniform(0, 16)) for _ in range(2)] for _ in range(200)]
    paths = [mesh.find_path(*pair) for pair in ends]
    return repr([(path.status.name, path.points.tolist(), path.polygons.tolist(), path.cost) for path in paths])
if __name__ == "__main__":
    mesh = NavMesh.load(sys.argv[1], mmap=sys.argv[3] == "mapped")
    open(sys.argv[2], "w").write(answers(mesh))
    assert mesh.to_bytes() == open(sys.argv[1], "rb").read()
"""


@pytest.mark.parametrize("how", ["copied", "mapped"])
def test_c24_a_new_process_gives_the_same_answers(tmp_path: Path, how: str) -> None:
    mesh = world()
    assert len({area for view in mesh.tiles() for area in view.areas.tolist()}) == 3
    assert [mesh.link_state(link.id).enabled for link in mesh.link_records()] == [False, True, True, True]
    file, output = tmp_path / "world.navmesh", tmp_path / "answers"
    mesh.save(file)  # type: ignore[attr-defined]
    subprocess.run([sys.executable, "-c", ASKING, str(file), str(output), how], check=True, timeout=120)
    names: dict[str, Callable[[NavMesh], str]] = {}
    exec(ASKING, names)
    assert output.read_text() == names["answers"](mesh)
    assert output.read_text().count("SUCCESS") > 50


def damaged_files(data: bytes) -> list[bytes]:
    random = Random(24)
    damaged = [data[: random.randrange(len(data))] for _ in range(50)]
    for _ in range(200):
        changed = bytearray(data)
        changed[random.randrange(len(data))] ^= 1 << random.randrange(8)
        damaged.append(bytes(changed))
    for at, form, value in ((8, "<I", 9), (8, ">I", 1), (24, ">Q", len(data)), (24, "<Q", 2**31 - 1)):
        changed = bytearray(data)
        struct.pack_into(form, changed, at, value)
        damaged.append(bytes(changed))
    for at in range(128, 300, 8):
        changed = bytearray(data)
        struct.pack_into("<Q", changed, at, 2**31 - 1)
        damaged.append(bytes(changed))
    return damaged


@pytest.mark.parametrize("mmap", [False, True])
def test_c24_every_damaged_file_is_refused_in_little_memory(tmp_path: Path, mmap: bool) -> None:
    data, file = world().to_bytes(), tmp_path / "damaged.navmesh"  # type: ignore[attr-defined]
    for changed in damaged_files(data):
        file.write_bytes(changed)
        tracemalloc.start()
        with pytest.raises(TileFormatError):
            NavMesh.load(file, mmap=mmap)
        assert tracemalloc.get_traced_memory()[1] < 8 * len(data) + 100_000
        tracemalloc.stop()


def test_c24_the_version_error_names_both_versions() -> None:
    data = bytearray(world().to_bytes())  # type: ignore[attr-defined]
    struct.pack_into("<I", data, 8, 9)
    with pytest.raises(TileFormatError, match="version 9; this library reads 1"):
        NavMesh.from_bytes(data)
