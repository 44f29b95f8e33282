"""RC6 with 32-bit words, a second implementation from the RC6 paper, v1.1.

Written on tuples of integers instead of a state in place, so that it does not share the C code's shape.
"""

from __future__ import annotations

from functools import lru_cache
from struct import pack, unpack

_MASK = 0xFFFFFFFF


def _left(word: int, count: int) -> int:
    count %= 32
    word &= _MASK
    return (word << count | word >> (32 - count)) & _MASK


@lru_cache(maxsize=256)
def _round_keys(key: bytes, rounds: int) -> tuple[int, ...]:
    words = list(unpack(f"<{len(key) // 4}I", key))
    table = [(0xB7E15163 + i * 0x9E3779B9) & _MASK for i in range(2 * rounds + 4)]
    a = b = 0
    for step in range(3 * max(len(words), len(table))):
        i, j = step % len(table), step % len(words)
        a = table[i] = _left(table[i] + a + b, 3)
        b = words[j] = _left(words[j] + a + b, a + b)
    return tuple(table)


def _quadratic(word: int) -> int:
    return _left(word * (2 * word + 1), 5)


def encrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Encrypt a block of 16 bytes; the key is a whole number of words."""
    table = _round_keys(key, rounds)
    a, b, c, d = unpack("<4I", block)
    b, d = (b + table[0]) & _MASK, (d + table[1]) & _MASK
    for i in range(1, rounds + 1):
        t, u = _quadratic(b), _quadratic(d)
        a = (_left(a ^ t, u) + table[2 * i]) & _MASK
        c = (_left(c ^ u, t) + table[2 * i + 1]) & _MASK
        a, b, c, d = b, c, d, a
    return pack("<4I", (a + table[-2]) & _MASK, b, (c + table[-1]) & _MASK, d)


def decrypt_block(key: bytes, rounds: int, block: bytes) -> bytes:
    """Decrypt a block, the inverse of `encrypt_block`."""
    table = _round_keys(key, rounds)
    a, b, c, d = unpack("<4I", block)
    a, c = (a - table[-2]) & _MASK, (c - table[-1]) & _MASK
    for i in range(rounds, 0, -1):
        a, b, c, d = d, a, b, c
        t, u = _quadratic(b), _quadratic(d)
        c = _left(c - table[2 * i + 1], -t) ^ u
        a = _left(a - table[2 * i], -u) ^ t
    return pack("<4I", a, (b - table[0]) & _MASK, c, (d - table[1]) & _MASK)
