"""Off-mesh links as the bytes of a navmesh file: a record of fixed size each, and what their `data` holds behind it."""

from __future__ import annotations

import struct

import numpy as np

from onepath.errors import ArgumentError, TileFormatError
from onepath.mesh.link import LinkDef, LinkRecord

__all__ = ["decode_links", "encode_links"]

LINK_TYPE = np.dtype(
    [
        ("start", "<f8", 3),
        ("end", "<f8", 3),
        ("start_snap", "<f8"),
        ("end_snap", "<f8"),
        ("cost", "<f8"),
        ("width", "<f8"),
        ("id", "<i4"),
        ("capacity", "<i4"),  # 0: none
        ("flags", "<u2"),
        ("kind", "u1"),
        ("area", "u1"),
        ("bidirectional", "u1"),
        ("enabled", "u1"),
        ("data_kind", "<u2"),  # the place of its type in DATA_TYPES
        ("data_size", "<i8"),
    ]
)
DATA_TYPES = (type(None), int, float, str, bytes)


def encode_links(links: list[LinkRecord]) -> tuple[bytes, bytes]:
    """The sections "links" and "linkdata"."""
    records = np.zeros(len(links), LINK_TYPE)
    data = [_encode_data(link.definition.data) for link in links]
    for record, link, encoded in zip(records, links, data, strict=True):
        definition = link.definition
        for name in ("start", "end", "start_snap", "end_snap", "cost", "width", "flags", "kind", "area"):
            record[name] = getattr(definition, name)
        record["bidirectional"], record["enabled"] = definition.bidirectional, link.enabled
        record["id"], record["capacity"] = link.id, definition.capacity or 0
        record["data_kind"], record["data_size"] = DATA_TYPES.index(type(definition.data)), len(encoded)
    return records.tobytes(), b"".join(data)


def decode_links(section: bytes, data: bytes, next_id: int) -> list[LinkRecord]:
    """The links in the two sections, by id, all below `next_id`."""
    if len(section) % LINK_TYPE.itemsize:
        raise TileFormatError(f"{len(section)} bytes are not records of {LINK_TYPE.itemsize} bytes a link", "links")
    links: list[LinkRecord] = []
    if not section and not data:
        return links
    at = last = 0
    for index, record in enumerate(np.frombuffer(section, LINK_TYPE)):
        link_id, size = int(record["id"]), int(record["data_size"])
        if not last < link_id < next_id:
            raise TileFormatError(f"link {index} has the id {link_id}, not in ({last}, {next_id})", "links", index)
        if not 0 <= size <= len(data) - at:
            raise TileFormatError(f"link {index} has {size} bytes of data; {len(data) - at} are left", "links", index)
        try:
            links.append(_decode_link(record, data[at : at + size]))
        except (ArgumentError, UnicodeDecodeError, struct.error, IndexError) as error:
            raise TileFormatError(f"link {index}: {error}", "links", index) from None
        last, at = link_id, at + size
    if encode_links(links) != (section, data):
        raise TileFormatError("the links are not written as this library writes them", "links")
    return links


def _decode_link(record: np.void, data: bytes) -> LinkRecord:
    values = {name: record[name].tolist() for name in LINK_TYPE.names or ()}
    definition = LinkDef(
        start=values["start"],
        end=values["end"],
        start_snap=values["start_snap"],
        end_snap=values["end_snap"],
        cost=values["cost"],
        kind=values["kind"],
        bidirectional=bool(values["bidirectional"]),
        width=values["width"],
        area=values["area"],
        flags=values["flags"],
        capacity=values["capacity"] or None,
        data=_decode_data(DATA_TYPES[values["data_kind"]], data),
    )
    return LinkRecord(values["id"], definition, bool(values["enabled"]))


def _encode_data(value: object) -> bytes:
    if isinstance(value, int):
        return struct.pack("<q", value)
    if isinstance(value, float):
        return struct.pack("<d", value)
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    return value if isinstance(value, bytes) else b""


def _decode_data(kind: type, data: bytes) -> int | float | str | bytes | None:
    if kind is int or kind is float:
        (number,) = struct.unpack("<q" if kind is int else "<d", data)
        return kind(number)
    if kind is str:
        return data.decode("utf-8", "surrogatepass")
    return data if kind is bytes else None
