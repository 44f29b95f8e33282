"""Modes of operation over the encryption of single blocks, for modes that a library lacks."""

from __future__ import annotations

from collections.abc import Callable, Iterator

Block = Callable[[bytes], bytes]
"""Maps one block to one block."""


def _xor(a: bytes, b: bytes) -> bytes:
    """Return the exclusive or, as long as the shorter input."""
    return bytes(x ^ y for x, y in zip(a, b, strict=False))


def _blocks(data: bytes, size: int) -> Iterator[bytes]:
    for at in range(0, len(data), size):
        yield data[at : at + size]


def ecb(block: Block, iv: bytes, data: bytes, *, encrypt: bool, size: int) -> bytes:
    """Apply ECB (NIST SP 800-38A, section 6.1); `block` is the cipher or its inverse."""
    return b"".join(block(piece) for piece in _blocks(data, size))


def cbc(block: Block, iv: bytes, data: bytes, *, encrypt: bool, size: int) -> bytes:
    """Apply CBC (NIST SP 800-38A, section 6.2); `block` is the cipher or its inverse."""
    out = []
    for piece in _blocks(data, size):
        if encrypt:
            iv = block(_xor(iv, piece))
            out.append(iv)
        else:
            out.append(_xor(iv, block(piece)))
            iv = piece
    return b"".join(out)


def pcbc(block: Block, iv: bytes, data: bytes, *, encrypt: bool, size: int) -> bytes:
    """Apply PCBC: c = E(p + previous p + previous c); the IV stands for the first such sum."""
    out = []
    for piece in _blocks(data, size):
        result = block(_xor(iv, piece)) if encrypt else _xor(iv, block(piece))
        iv = _xor(piece, result)
        out.append(result)
    return b"".join(out)


def cfb(block: Block, iv: bytes, data: bytes, *, encrypt: bool, size: int) -> bytes:
    """Apply CFB (NIST SP 800-38A, section 6.3) with segments of a whole block; `block` is the cipher."""
    out = []
    for piece in _blocks(data, size):
        result = _xor(block(iv), piece)
        iv = result if encrypt else piece
        out.append(result)
    return b"".join(out)


def ofb(block: Block, iv: bytes, data: bytes, *, encrypt: bool, size: int) -> bytes:
    """Apply OFB (NIST SP 800-38A, section 6.4); `block` is the cipher."""
    out = []
    for piece in _blocks(data, size):
        iv = block(iv)
        out.append(_xor(iv, piece))
    return b"".join(out)


def ctr(block: Block, iv: bytes, data: bytes, *, encrypt: bool, size: int) -> bytes:
    """Apply CTR (NIST SP 800-38A, section 6.5) with a big-endian whole-block counter; `block` is a cipher."""
    counter = int.from_bytes(iv, "big")
    out = []
    for piece in _blocks(data, size):
        out.append(_xor(block(counter.to_bytes(size, "big")), piece))
        counter = (counter + 1) % (1 << 8 * size)
    return b"".join(out)


MODES = {"ecb": ecb, "cbc": cbc, "pcbc": pcbc, "cfb": cfb, "ofb": ofb, "ctr": ctr}
WHOLE_BLOCKS = frozenset({"ecb", "cbc", "pcbc"})
"""Modes that take whole blocks only and decrypt with the inverse cipher; the others never need it."""
