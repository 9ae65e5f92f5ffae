"""Files that appear whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable
from itertools import count

__all__ = ["rights_to_keep", "write_atomically"]


def write_atomically(path: str | os.PathLike[str], parts: Iterable[bytes | memoryview]) -> None:
    """Writes a file so that readers, and a process that is killed, find the old file or the new one, never a part.

    The parts go to a new file in the same folder, which is brought to the disk and then takes the old one's place. A
    killed process may leave that new file behind, `.<name>.<process>-<number>.part`; nothing ever reads it. What
    is no ordinary file (a pipe, a device) is written directly. Otherwise it is as writing in place: a symbolic link
    stays and the file it names is written, a read-only file is refused, and the rights of the old file stay.

    Raises:
        OSError: the file cannot be written, named as it was given; the old one stands.
    """
    try:
        _write_beside(os.path.realpath(path), parts)
    except OSError as error:
        if error.errno is None:
            raise
        # The system speaks of the file that it was asked for, which may be the unfinished one, or of none at all.
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None


def _write_beside(target: str, parts: Iterable[bytes | memoryview]) -> None:
    if os.path.exists(target) and not os.path.isfile(target):
        with open(target, "wb") as file:
            file.writelines(parts)
        return
    rights = rights_to_keep(target)
    descriptor, unfinished = _open_beside(target)
    try:
        with open(descriptor, "wb") as file:
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        if rights is not None:
            os.chmod(unfinished, rights)
        os.replace(unfinished, target)
    except BaseException:
        os.unlink(unfinished)
        raise
    _bring_names_to_disk(os.path.dirname(target))


def rights_to_keep(target: str | os.PathLike[str]) -> int | None:
    """The rights of the file to be replaced; None where there is none yet.

    Raises:
        PermissionError: it is read-only, which would keep a program that writes in place from changing it.
    """
    try:
        rights = stat.S_IMODE(os.stat(target).st_mode)
    except FileNotFoundError:
        return None
    if not rights & 0o222 or not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.fspath(target))
    return rights


def _open_beside(target: str) -> tuple[int, str]:
    """A new file in the target's folder, with the rights of any new file."""
    folder, name = os.path.split(target)
    for number in count():
        # A long name is cut, so that what is added does not make it too long for the file system.
        unfinished = os.path.join(folder, f".{name[:100]}.{os.getpid()}-{number}.part")
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
            return os.open(unfinished, flags, 0o666), unfinished
        except FileExistsError:
            continue
    raise AssertionError("count() ends never")


def _bring_names_to_disk(folder: str) -> None:
    """After this a power cut leaves the new name, too. Windows has no such call and needs none."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
