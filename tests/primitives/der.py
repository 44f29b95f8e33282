"""The little of DER that keys, signatures and ciphertexts need."""

from __future__ import annotations


def field(tag: int, content: bytes) -> bytes:
    """A field of up to 255 bytes."""
    length = bytes([len(content)]) if len(content) < 128 else bytes([0x81, len(content)])
    return bytes([tag]) + length + content


def integer(value: bytes) -> bytes:
    """A number without a sign."""
    stripped = value.lstrip(b"\0") or b"\0"
    return field(2, b"\0" + stripped if stripped[0] & 0x80 else stripped)


def content(der: bytes) -> tuple[bytes, bytes]:
    """The content of the first field, and what follows the field."""
    start, length = (2, der[1]) if der[1] < 128 else (3, der[2])
    return der[start : start + length], der[start + length :]


def fields(der: bytes) -> list[bytes]:
    """The contents of fields one after the other."""
    found = []
    while der:
        one, der = content(der)
        found.append(one)
    return found
