"""Chaskey's permutation between two additions of the key, a second implementation from Mouha et al., SAC
2014, section 3: words in little-endian order, a round as six assignments to a tuple.
"""

from __future__ import annotations

from struct import pack, unpack

_MASK = 0xFFFFFFFF
_Words = tuple[int, ...]


def _left(x: int, n: int) -> int:
    return (x << n | x >> 32 - n) & _MASK


def _round(v: _Words) -> _Words:
    v0 = (v[0] + v[1]) & _MASK
    v2 = (v[2] + v[3]) & _MASK
    v1 = _left(v[1], 5) ^ v0
    v3 = _left(v[3], 8) ^ v2
    w0 = (_left(v0, 16) + v3) & _MASK
    w2 = (v2 + v1) & _MASK
    return w0, _left(v1, 7) ^ w2, _left(w2, 16), _left(v3, 13) ^ w0


def _unround(w: _Words) -> _Words:
    w2 = _left(w[2], 16)
    v1 = _left(w[1] ^ w2, 25)
    v3 = _left(w[3] ^ w[0], 19)
    v0 = _left((w[0] - v3) & _MASK, 16)
    v2 = (w2 - v1) & _MASK
    u1 = _left(v1 ^ v0, 27)
    u3 = _left(v3 ^ v2, 24)
    return (v0 - u1) & _MASK, u1, (v2 - u3) & _MASK, u3


def _added(v: _Words, key: bytes) -> _Words:
    return tuple(a ^ b for a, b in zip(v, unpack("<4I", key), strict=True))


def encrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Encrypt a block of 16 bytes with a key of 16 bytes."""
    v = _added(unpack("<4I", block), key)
    for _ in range(rounds):
        v = _round(v)
    return pack("<4I", *_added(v, key))


def decrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Decrypt a block, the inverse of `encrypt_block`."""
    v = _added(unpack("<4I", block), key)
    for _ in range(rounds):
        v = _unround(v)
    return pack("<4I", *_added(v, key))
