"""A record as a line of a segment: a JSON object whose last key is the CRC-32 of what stands before."""

from __future__ import annotations

import json
from zlib import crc32

from steelyard.record.schema import Record

_KEY = b',"crc32":"'
_TAIL_BYTES = len(_KEY) + 8 + len(b'"}')


def line(record: Record) -> bytes:
    """Return a record as it stands in a segment; ValueError for a number that JSON cannot express."""
    return sealed(json.dumps(record, separators=(",", ":"), allow_nan=False).encode())


def sealed(text: bytes) -> bytes:
    """Return a JSON object that is not empty as a line with its checksum; one that has it stays the same."""
    if has_checksum(text):
        return text + b"\n"
    head = text.strip()[:-1]
    return b'%b%b%08x"}\n' % (head, _KEY, crc32(head))


def has_checksum(text: bytes) -> bool:
    """Whether a line without its newline ends with a checksum, right or wrong."""
    return text[-_TAIL_BYTES:].startswith(_KEY) and text.endswith(b'"}')


def is_whole(text: bytes) -> bool:
    """Whether a line without its newline is as it was written."""
    return text[-_TAIL_BYTES:] == b'%b%08x"}' % (_KEY, crc32(text[:-_TAIL_BYTES]))


def record_of(text: bytes) -> Record:
    """Return the record of a line that is known to be whole."""
    record: Record = json.loads(text)
    del record["crc32"]
    return record
