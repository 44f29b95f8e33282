"""Serpent, a second implementation from the submission of 1998.

The S-boxes are truth tables, minterm by minterm, whereas the measured code uses circuits or looks bits up;
the prekeys are one growing list.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from struct import pack, unpack

from steelyard.oracle.sliced import sliced

_MASK = 0xFFFFFFFF
_PHI = 0x9E3779B9
_BOXES = tuple(
    tuple(int(digit, 16) for digit in row)
    for row in (
        "38f1a65bed42709c",
        "fc27905a1be86d34",
        "86793cafd1e40b52",
        "0fb8c963d124a75e",
        "1f83c0b6254a9e7d",
        "f52b4a9c03e8d671",
        "72c5846be91fd3a0",
        "1df0e82b74ca9356",
    )
)
_SUBSTITUTIONS = tuple(sliced(box, _MASK) for box in _BOXES)
_INVERSES = tuple(sliced([box.index(x) for x in range(16)], _MASK) for box in _BOXES)


def _left(word: int, count: int) -> int:
    return (word << count | word >> (32 - count)) & _MASK


def _mixed(x: Sequence[int]) -> list[int]:
    x0, x2 = _left(x[0], 13), _left(x[2], 3)
    x1 = _left(x[1] ^ x0 ^ x2, 1)
    x3 = _left(x[3] ^ x2 ^ x0 << 3 & _MASK, 7)
    return [_left(x0 ^ x1 ^ x3, 5), x1, _left(x2 ^ x3 ^ x1 << 7 & _MASK, 22), x3]


def _unmixed(x: Sequence[int]) -> list[int]:
    x2 = _left(x[2], 10) ^ x[3] ^ x[1] << 7 & _MASK
    x0 = _left(x[0], 27) ^ x[1] ^ x[3]
    x3 = _left(x[3], 25) ^ x2 ^ x0 << 3 & _MASK
    x1 = _left(x[1], 31) ^ x0 ^ x2
    return [_left(x0, 19), x1, _left(x2, 29), x3]


def _sum(a: Sequence[int], b: Sequence[int]) -> list[int]:
    return [x ^ y for x, y in zip(a, b, strict=True)]


@lru_cache(maxsize=64)
def _round_keys(key: bytes, rounds: int) -> tuple[tuple[int, ...], ...]:
    padded = key if len(key) == 32 else (key + b"\1").ljust(32, b"\0")
    w = list(unpack("<8I", padded))
    for i in range(4 * (rounds + 1)):
        w.append(_left(w[-8] ^ w[-5] ^ w[-3] ^ w[-1] ^ _PHI ^ i, 11))
    return tuple(tuple(_SUBSTITUTIONS[(3 - i) % 8](w[8 + 4 * i : 12 + 4 * i])) for i in range(rounds + 1))


def encrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Encrypt a block of 16 bytes; the key has 16, 24 or 32 bytes."""
    keys = _round_keys(key, rounds)
    x = list(unpack("<4I", block))
    for i in range(rounds):
        x = _SUBSTITUTIONS[i % 8](_sum(x, keys[i]))
        x = _mixed(x) if i < rounds - 1 else _sum(x, keys[rounds])
    return pack("<4I", *x)


def decrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Decrypt a block, the inverse of `encrypt_block`."""
    keys = _round_keys(key, rounds)
    x = list(unpack("<4I", block))
    for i in range(rounds - 1, -1, -1):
        x = _unmixed(x) if i < rounds - 1 else _sum(x, keys[rounds])
        x = _sum(_INVERSES[i % 8](x), keys[i])
    return pack("<4I", *x)
