"""TEA, a second implementation from Wheeler and Needham's paper: words in big-endian order, 32 cycles of two
Feistel rounds."""

from __future__ import annotations

from struct import pack, unpack

_DELTA = 0x9E3779B9
_MASK = 0xFFFFFFFF


def _increment(v: int, total: int, a: int, b: int) -> int:
    return ((v << 4) + a) ^ (v + total) ^ ((v >> 5) + b)


def encrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Encrypt a block of 8 bytes with a key of 16 bytes; `rounds` counts Feistel rounds."""
    k = unpack(">4I", key)
    y, z = unpack(">2I", block)
    for cycle in range(1, rounds // 2 + 1):
        y = (y + _increment(z, cycle * _DELTA, k[0], k[1])) & _MASK
        z = (z + _increment(y, cycle * _DELTA, k[2], k[3])) & _MASK
    return pack(">2I", y, z)


def decrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Decrypt a block, the inverse of `encrypt_block`."""
    k = unpack(">4I", key)
    y, z = unpack(">2I", block)
    for cycle in range(rounds // 2, 0, -1):
        z = (z - _increment(y, cycle * _DELTA, k[2], k[3])) & _MASK
        y = (y - _increment(z, cycle * _DELTA, k[0], k[1])) & _MASK
    return pack(">2I", y, z)
